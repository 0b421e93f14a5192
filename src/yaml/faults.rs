//! What is wrong with a document's structure, in our words.

use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::documents;
use crate::text::{Source, Span};

/// The parser's complaint at an offset as a finding.
pub(super) fn structure(source: &Source, at: usize, info: &str) -> Diagnostic {
    let says = |part: &str| info.contains(part);
    let place = character_at(source, at);
    if says("tab") {
        return Diagnostic::new(
            &documents::TAB,
            tab_near(source, at),
            "a tab stands where YAML counts blanks",
        )
        .with_help("indent with blanks");
    }
    if says("recursion limit") {
        return Diagnostic::new(
            &documents::TOO_DEEP,
            place,
            "lists and mappings nest too deeply",
        )
        .with_help("nothing that is read here needs so many levels: flatten it");
    }
    if says("unknown anchor") {
        return Diagnostic::new(
            &documents::NOT_SUPPORTED,
            place,
            "an alias (`*name`) is not read here",
        )
        .with_help("write the value itself; text that begins with `*` needs quotes");
    }
    let (message, help) = if says("quoted scalar, found unexpected end") {
        ("a quote is not closed", "close it, with the same quote")
    } else if says("unknown escape") || says("escape code") || says("hexadecimal") {
        (
            "this is no escape of YAML",
            "write `\\\\` for a backslash, or use single quotes, where nothing is escaped",
        )
    } else if says("mapping values are not allowed") || says("illegal placement of ':'") {
        (
            "a `:` cannot stand here",
            "put text that has `: ` in it in quotes; check that the keys of one mapping begin in one column",
        )
    } else if says("expected node content") || says("unexpected eof") {
        (
            "a value is missing here, or a closing bracket",
            "write the value; close every `[` with `]` and every `{` with `}`",
        )
    } else if says("flow sequence")
        || says("flow mapping")
        || says("misplaced bracket")
        || says("flow construct")
    {
        (
            "a bracket is not closed here, or a comma is missing",
            "close every `[` with `]` and every `{` with `}`, with commas between",
        )
    } else if says("indent")
        || says("did not find expected key")
        || says("'-' indicator")
        || says("simple key")
    {
        (
            "this line does not fit the lines around it",
            "keys of one mapping, and the `-` of one list, begin in one column; each key has a `:` behind it",
        )
    } else if says("unexpected character") || says("cannot start") || says("unprintable") {
        (
            "this character cannot stand here",
            "put text that begins with a special character in quotes",
        )
    } else if says("directive") {
        ("a line that begins with `%` is not read here", "delete it")
    } else if says("anchor") || says("tag") {
        return Diagnostic::new(
            &documents::NOT_SUPPORTED,
            place,
            "anchors and tags are not read here",
        )
        .with_help("text that begins with `&`, `*` or `!` needs quotes");
    } else {
        (
            "this is no YAML that can be read",
            "check indentation, quotes and brackets here and on the line before",
        )
    };
    Diagnostic::new(&documents::STRUCTURE, place, message).with_help(help)
}

/// The character at an offset; at the end of a line or of the text, the last one before.
fn character_at(source: &Source, at: usize) -> Span {
    let text = source.text();
    let line = source.line_span(source.line_of(at.min(text.len())));
    let at = at.clamp(line.start, line.end);
    let (before, from) = text.split_at_checked(at).unwrap_or((text, ""));
    match from.chars().next().filter(|next| *next != '\n') {
        Some(next) => Span::new(at, at + next.len_utf8()),
        None => {
            let last = before.chars().next_back().filter(|last| *last != '\n');
            Span::new(at - last.map_or(0, char::len_utf8), at)
        }
    }
}

/// The tab that is meant: the parser points at it, or at what stands before it.
fn tab_near(source: &Source, at: usize) -> Span {
    let line = source.line_span(source.line_of(at.min(source.text().len())));
    let (_, rest) = source
        .text()
        .split_at_checked(line.start)
        .unwrap_or_default();
    match rest.find('\t') {
        Some(offset) => Span::new(line.start + offset, line.start + offset + 1),
        None => character_at(source, at),
    }
}
