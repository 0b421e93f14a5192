//! What is wrong with a text before any line of it is read, as diagnostics; and the reading of
//! files that are no rulebooks.

use std::collections::BTreeSet;

use super::codes::text;
use super::{Code, Diagnostic, Fix};
use crate::text::{MAX_BYTES, MAX_LINE_CHARACTERS, MAX_LINES, Source, TextFault, TextFaultKind};

/// The diagnostics of what is wrong with the text itself: one a line (contract section 1).
pub fn diagnostics(source: &Source, faults: &[TextFault]) -> Vec<Diagnostic> {
    let mut lines = BTreeSet::new();
    faults
        .iter()
        .filter(|fault| lines.insert(source.line_of(fault.span.start)))
        .map(|fault| diagnostic(*fault))
        .collect()
}

/// Reads a file that is no rulebook (tests, configuration): UTF-8, a byte order mark at its start
/// dropped, CRLF read as LF. The limits of a rulebook's lines are not for it. The source is there
/// with faults too, so that they can be shown in it.
pub fn decode_document(name: &str, bytes: &[u8]) -> (Source, Vec<Diagnostic>) {
    let (source, mut faults) = Source::decode(name, bytes);
    faults.retain(|fault| {
        !matches!(
            fault.kind,
            TextFaultKind::TooManyLines | TextFaultKind::LineTooLong
        )
    });
    let diagnostics = diagnostics(&source, &faults);
    (source, diagnostics)
}

fn diagnostic(fault: TextFault) -> Diagnostic {
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
    // Nobody sees it, and files get it where they are joined.
    let unseen = fault.kind == TextFaultKind::ByteOrderMark;
    Diagnostic::new(code, fault.span, message)
        .with_help(help)
        .with_fix(unseen.then(|| Fix::edits("delete it", [(fault.span, String::new())])))
}
