//! From text to a tree: layout in Rust, the inside of a line by the grammar in `grammar/`.
//!
//! [`parse`] is the only way in. It reads what contract sections 1 to 3 call a rulebook and
//! resolves nothing: whether a name, a subflow or a message is known is for later layers.

pub mod tree;

mod dialect;
mod expression;
mod faults;
mod grammar;
mod layout;
mod line;
mod nesting;
mod parser;
mod report;
mod string;
mod words;

use std::collections::BTreeSet;

use crate::diagnostics::{
    Code, Diagnostic, Sink,
    codes::{syntax, text},
};
use crate::text::{MAX_BYTES, MAX_LINE_CHARACTERS, MAX_LINES, Source, TextFault, TextFaultKind};

/// Reads a rulebook.
///
/// `faults` are those that [`Source::decode`] found; they are said here. `None` when there is
/// nothing to go on with: the file is too large, defines nothing, or is Colang 2.x in whole or
/// in part, which is one error. Otherwise the tree is there even if `sink` has received errors
/// (contract section 1): at most one a line and fifty in all, sorted by place. Definitions in
/// which a line was refused are marked as broken or incomplete.
pub fn parse(source: &Source, faults: &[TextFault], sink: &mut Sink) -> Option<tree::Rulebook> {
    let too_large = faults.iter().any(|fault| {
        matches!(
            fault.kind,
            TextFaultKind::TooManyBytes | TextFaultKind::TooManyLines
        )
    });
    let text_errors = text_errors(source, faults);
    if too_large {
        sink.extend(report::limited(text_errors));
        return None;
    }
    let faulty: BTreeSet<usize> = faults
        .iter()
        .map(|fault| source.line_of(fault.span.start))
        .collect();
    let mut report = report::Report::new(source);
    for error in text_errors {
        report.push(error);
    }
    let layout = layout::lay_out(source, &faulty, &mut report);
    let tree = parser::Parser::new(&layout.lines, &mut report).run(layout.comments);
    if (!report.is_empty() || tree.definitions.is_empty())
        && let Some(verdict) = dialect::verdict(&layout.lines)
    {
        // Bytes that are no text explain why no definition was found.
        if !faulty.is_empty() && verdict.code == &syntax::NO_RULEBOOK {
            report.finish(sink);
        } else {
            sink.push(verdict);
        }
        return None;
    }
    report.finish(sink);
    Some(tree)
}

/// The diagnostics for what is wrong with the text itself.
fn text_errors(source: &Source, faults: &[TextFault]) -> Vec<Diagnostic> {
    let mut lines = BTreeSet::new();
    faults
        .iter()
        .filter(|fault| lines.insert(source.line_of(fault.span.start)))
        .map(|fault| text_error(*fault))
        .collect()
}

fn text_error(fault: TextFault) -> Diagnostic {
    let (code, message, help): (&'static Code, String, &str) = match fault.kind {
        TextFaultKind::TooManyBytes => (
            &text::TOO_MANY_BYTES,
            format!("file has more than {MAX_BYTES} bytes"),
            "split it into several rulebooks",
        ),
        TextFaultKind::TooManyLines => (
            &text::TOO_MANY_LINES,
            format!("file has more than {MAX_LINES} lines"),
            "split it into several rulebooks",
        ),
        TextFaultKind::LineTooLong => (
            &text::LINE_TOO_LONG,
            format!("line has more than {MAX_LINE_CHARACTERS} characters"),
            "continue it on the next line with `\\` at its end",
        ),
        TextFaultKind::NotUtf8 => (
            &text::NOT_UTF8,
            "this byte is not UTF-8".to_owned(),
            "save the file as UTF-8",
        ),
        TextFaultKind::LoneCarriageReturn => (
            &text::LONE_CARRIAGE_RETURN,
            "carriage return without a line feed behind it".to_owned(),
            "save the file with LF or CRLF line ends",
        ),
        TextFaultKind::Nul => (
            &text::NUL_CHARACTER,
            "NUL character in the text".to_owned(),
            "delete it; if the file is full of them, save it as UTF-8",
        ),
        TextFaultKind::ByteOrderMark => (
            &text::BYTE_ORDER_MARK,
            "byte order mark inside the text".to_owned(),
            "delete it; it is allowed at the very start of the file only",
        ),
    };
    Diagnostic::new(code, fault.span, message).with_help(help)
}
