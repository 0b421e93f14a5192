//! Text and places in it: sources, spans, exact decimals and escapes. The lowest layer.

mod decimal;
mod escape;
mod source;
mod span;

pub use decimal::{Decimal, DecimalError};
pub use escape::{is_invisible, quoted, visible, write_escaped};
pub use source::{
    MAX_BYTES, MAX_LINE_CHARACTERS, MAX_LINES, Position, Source, TextFault, TextFaultKind,
};
pub use span::{Span, Spanned};
