//! Workflow commands of GitHub: the runner shows each finding at its line of a pull request.

use std::fmt::Write;

use super::region::Region;
use super::{FileReport, Report, message_and_help};
use crate::command_line::input::STDIN_NAME;
use crate::diagnostics::{Diagnostic, Severity};
use crate::text::escaped;

/// `::error file=…,line=…,…::message`, one line a finding.
pub(super) struct GithubReport;

impl Report for GithubReport {
    fn file(&mut self, file: &FileReport) -> String {
        let findings = file.diagnostics.iter();
        findings
            .map(|diagnostic| command(file, diagnostic))
            .collect()
    }
}

fn command(file: &FileReport, diagnostic: &Diagnostic) -> String {
    let name = match diagnostic.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut out = format!("::{name} ");
    if file.file != STDIN_NAME {
        let _ = write!(out, "file={},", property(&escaped(&file.file)));
    }
    if let Some(Region { start, end }) = Region::of_finding(file.source.as_ref(), diagnostic) {
        let _ = write!(out, "line={},", start.line);
        // Columns are for a place in one line only.
        if start.line == end.line {
            let _ = write!(
                out,
                "col={},endLine={},endColumn={},",
                start.column, end.line, end.column
            );
        } else {
            let _ = write!(out, "endLine={},", end.line);
        }
    }
    let _ = writeln!(
        out,
        "title={}::{}",
        diagnostic.code.id,
        data(&message_and_help(diagnostic))
    );
    out
}

/// What stands behind the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::codes::text::NUL_CHARACTER;
    use crate::text::{Source, Span};

    #[test]
    fn what_ends_a_property_or_a_line_is_escaped() {
        let (source, _) = Source::decode("", b"ab\ncd\n");
        let mut file = FileReport {
            file: "a,b::c=50%\n.co".to_owned(),
            source: Some(source),
            diagnostics: vec![
                Diagnostic::new(&NUL_CHARACTER, Span::new(1, 2), "100%::error::\u{1b}")
                    .with_help("one\ntwo"),
                Diagnostic::new(&NUL_CHARACTER, Span::new(1, 4), "two lines"),
                Diagnostic::without_place(&NUL_CHARACTER, "no place"),
            ],
            ..FileReport::default()
        };
        assert_eq!(
            GithubReport.file(&file),
            "::error file=a%2Cb%3A%3Ac=50%25\\n.co,line=1,col=2,endLine=1,endColumn=3,\
             title=RB0007::100%25::error::\\u001b%0Ahelp: one%0Atwo\n\
             ::error file=a%2Cb%3A%3Ac=50%25\\n.co,line=1,endLine=2,title=RB0007::two lines\n\
             ::error file=a%2Cb%3A%3Ac=50%25\\n.co,title=RB0007::no place\n"
        );
        file.file = STDIN_NAME.to_owned();
        file.diagnostics.truncate(1);
        assert!(GithubReport.file(&file).starts_with("::error line=1,"));
    }
}
