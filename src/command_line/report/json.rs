//! Findings as JSON: `rulebook-check/1` (contract section 5).

use super::finding::{CheckedFile, FORMAT};
use super::json_text::{Items, pretty};
use super::{FileReport, Outcome, Report};

/// One object, written file by file.
pub(super) struct JsonReport {
    files: Items,
}

impl Default for JsonReport {
    fn default() -> Self {
        Self {
            files: Items::new(1),
        }
    }
}

impl Report for JsonReport {
    fn head(&mut self) -> String {
        format!("{{\n  \"format\": \"{FORMAT}\",\n  \"files\": [")
    }

    fn file(&mut self, file: &FileReport) -> String {
        self.files.next(&CheckedFile::of(file))
    }

    fn end(&mut self, outcome: &Outcome<'_>) -> String {
        format!(
            "{},\n  \"summary\": {}\n}}\n",
            self.files.end(),
            pretty(&outcome.summary, 1)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::CheckReport;
    use super::super::{Summary, whole};
    use super::*;
    use crate::diagnostics::Diagnostic;
    use crate::diagnostics::codes::text::{NUL_CHARACTER, UNREADABLE};
    use crate::terminal::ExitStatus;
    use crate::text::{Source, Span, is_invisible};
    use serde_json::{Value, json};

    fn render(report: &FileReport) -> String {
        whole(Box::new(JsonReport::default()), report)
    }

    fn read(report: &FileReport) -> Value {
        serde_json::from_str(&render(report)).unwrap()
    }

    fn unreadable(name: &str) -> FileReport {
        FileReport {
            file: name.to_owned(),
            source: None,
            diagnostics: vec![Diagnostic::without_place(&UNREADABLE, "m").with_help("a\nb")],
            ..FileReport::default()
        }
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
            ..FileReport::default()
        };
        assert_eq!(
            read(&report),
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
        let report = unreadable(name);
        let text = render(&report);
        assert!(
            !text.chars().any(|c| is_invisible(c) && c != '\n'),
            "{text}"
        );
        assert_eq!(read(&report)["files"][0]["file"], name);
    }

    #[test]
    fn the_pieces_are_the_whole() {
        for count in 0..3 {
            let files: Vec<FileReport> = (0..count).map(|_| unreadable("a\n.co")).collect();
            let mut summary = Summary::default();
            let mut report = JsonReport::default();
            let mut text = report.head();
            for file in &files {
                summary.add(Summary::of(&file.diagnostics));
                text += &report.file(file);
            }
            text += &report.end(&Outcome {
                summary,
                only_file: None,
                status: ExitStatus::Ok,
            });
            let at_once = CheckReport {
                format: FORMAT,
                files: files.iter().map(CheckedFile::of).collect(),
                summary,
            };
            assert_eq!(text, format!("{}\n", pretty(&at_once, 0)));
        }
    }
}
