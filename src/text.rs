//! Text and places in it: sources, spans, exact decimals, escapes and what the system says. The
//! lowest layer.

mod decimal;
mod escape;
pub mod markdown;
pub mod markup;
mod misspelt;
mod name;
mod reason;
mod source;
mod span;

pub use decimal::{Decimal, DecimalError, Divisor, WrittenDecimal};
pub use escape::{
    escaped, escaped_lines, is_deceptive, is_invisible, quoted, quoted_for_decision, visible,
    visible_in_comment, write_escaped,
};
pub use misspelt::did_you_mean;
pub use name::{
    RESERVED_MESSAGES, RULE_NO_MATCH, RULE_STOP, fold_blanks, is_identifier, is_word, tool_length,
    word_length,
};
pub use reason::reason;
pub use source::{
    BYTE_ORDER_MARK, MAX_BYTES, MAX_LINE_CHARACTERS, MAX_LINES, Position, Source, TextFault,
    TextFaultKind,
};
pub use span::{Span, Spanned};
