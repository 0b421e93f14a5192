//! Findings as JSON: `rulebook-check/1` (contract section 5).

use std::fmt::Write;

use serde::Serialize;

use super::{FileReport, Summary};
use crate::diagnostics::{Diagnostic, Label};
use crate::text::{Source, is_invisible};

#[derive(Serialize)]
struct Report<'a> {
    format: &'static str,
    files: Vec<File<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct File<'a> {
    file: &'a str,
    diagnostics: Vec<Finding<'a>>,
}

/// A finding as JSON.
#[derive(Serialize)]
pub(in crate::command_line) struct Finding<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    labels: Vec<Place<'a>>,
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct Place<'a> {
    start: Point,
    end: Point,
    text: &'a str,
}

/// Lines and columns count from 1, columns in characters; the offset counts the bytes of the
/// file behind a byte order mark.
#[derive(Default, Serialize)]
struct Point {
    line: usize,
    column: usize,
    offset: usize,
}

/// The report on all files, with its line end.
pub(in crate::command_line) fn render(reports: &[FileReport]) -> String {
    let report = Report {
        format: "rulebook-check/1",
        files: reports.iter().map(file).collect(),
        summary: Summary::of_all(reports),
    };
    pretty(&report)
}

/// One value on lines of its own, with its line end.
pub(in crate::command_line) fn pretty(value: &impl Serialize) -> String {
    // Strings and numbers only: nothing in it that could fail.
    let mut text = escape_invisible(&serde_json::to_string_pretty(value).unwrap_or_default());
    text.push('\n');
    text
}

/// One value on one line, with its line end.
pub(in crate::command_line) fn compact(value: &impl Serialize) -> String {
    let mut text = escape_invisible(&serde_json::to_string(value).unwrap_or_default());
    text.push('\n');
    text
}

/// serde_json leaves some characters as they are that act on a terminal. They stand in strings
/// only, where an escape means the same.
fn escape_invisible(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        if is_invisible(character) && character != '\n' {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(character);
        }
    }
    out
}

fn file(report: &FileReport) -> File<'_> {
    let source = report.source.as_ref();
    File {
        file: &report.file,
        diagnostics: report
            .diagnostics
            .iter()
            .map(|diagnostic| finding(source, diagnostic))
            .collect(),
    }
}

/// A finding of a source.
pub(in crate::command_line) fn finding<'a>(
    source: Option<&Source>,
    diagnostic: &'a Diagnostic,
) -> Finding<'a> {
    Finding {
        code: diagnostic.code.id,
        severity: diagnostic.severity().as_str(),
        message: &diagnostic.message,
        labels: source.map_or_else(Vec::new, |source| {
            diagnostic
                .labels
                .iter()
                .map(|label| place(source, label))
                .collect()
        }),
        help: diagnostic.help.as_deref(),
    }
}

fn place<'a>(source: &Source, label: &'a Label) -> Place<'a> {
    let point = |offset| {
        let position = source.position(offset);
        Point {
            line: position.line,
            column: position.column,
            offset: source.original_offset(offset),
        }
    };
    Place {
        start: point(label.span.start),
        end: point(label.span.end),
        text: &label.text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::codes::text::{NUL_CHARACTER, UNREADABLE};
    use crate::text::Span;
    use serde_json::{Value, json};

    fn read(reports: &[FileReport]) -> Value {
        serde_json::from_str(&render(reports)).unwrap()
    }

    #[test]
    fn places_count_characters_and_the_bytes_of_the_file() {
        // A BOM, an é of two bytes, CRLF.
        let (source, _) = Source::decode("a.co", "\u{FEFF}é\r\nçx y\r\n".as_bytes());
        let at = source.text().find('x').unwrap();
        let diagnostic = Diagnostic::new(&NUL_CHARACTER, Span::new(at, at + 1), "message")
            .with_label("here")
            .with_other(Span::new(0, 2), "there")
            .with_help("help");
        let report = FileReport {
            file: "a.co".to_owned(),
            source: Some(source),
            diagnostics: vec![diagnostic],
        };
        assert_eq!(
            read(&[report]),
            json!({
                "format": "rulebook-check/1",
                "files": [{
                    "file": "a.co",
                    "diagnostics": [{
                        "code": "RB0007",
                        "severity": "error",
                        "message": "message",
                        "labels": [
                            {
                                "start": {"line": 2, "column": 2, "offset": 6},
                                "end": {"line": 2, "column": 3, "offset": 7},
                                "text": "here"
                            },
                            {
                                "start": {"line": 1, "column": 1, "offset": 0},
                                "end": {"line": 1, "column": 2, "offset": 2},
                                "text": "there"
                            }
                        ],
                        "help": "help"
                    }]
                }],
                "summary": {"errors": 1, "warnings": 0, "notes": 0, "files": 1}
            })
        );
    }

    #[test]
    fn invisible_characters_are_escaped_and_mean_the_same() {
        let name = "a\u{1b}\u{7f}\u{85}\u{202e}\u{2028}\n\".co";
        let report = FileReport {
            file: name.to_owned(),
            source: None,
            diagnostics: vec![Diagnostic::without_place(&UNREADABLE, "m")],
        };
        let text = render(std::slice::from_ref(&report));
        assert!(
            !text.chars().any(|c| is_invisible(c) && c != '\n'),
            "{text}"
        );
        assert_eq!(read(&[report])["files"][0]["file"], name);
    }
}
