//! Findings as JUnit XML: a suite a file, a case a finding.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use super::region::Region;
use super::{FileReport, Outcome, Report, compact, is_denied, stopped_the_check};
use crate::diagnostics::Diagnostic;
use crate::text::{escaped, escaped_lines};

/// One document, written suite by suite. It has no times: the same files give the same report.
pub(super) struct JunitReport {
    writer: Writer<Vec<u8>>,
}

/// What a case shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// The file could not be looked at.
    Error,
    /// The finding makes the command say no.
    Failure,
    /// It does not.
    Passed,
}

impl JunitReport {
    /// An empty report.
    pub(super) fn new() -> Self {
        Self {
            writer: Writer::new_with_indent(Vec::new(), b' ', 2),
        }
    }

    /// What has been written since it was asked for the last time. Writing to memory does not
    /// fail.
    fn taken(&mut self, written: io::Result<()>) -> String {
        debug_assert!(written.is_ok());
        let bytes = std::mem::take(self.writer.get_mut());
        String::from_utf8(bytes).unwrap_or_default()
    }

    fn write_head(&mut self) -> io::Result<()> {
        let declaration = BytesDecl::new("1.0", Some("UTF-8"), None);
        self.writer.write_event(Event::Decl(declaration))?;
        let suites = BytesStart::new("testsuites");
        let suites = suites.with_attributes([("name", "RulebookTranslator check")]);
        self.writer.write_event(Event::Start(suites))
    }

    fn write_suite(&mut self, file: &FileReport) -> io::Result<()> {
        let verdicts: Vec<Verdict> = file
            .diagnostics
            .iter()
            .map(|diagnostic| verdict(file, diagnostic))
            .collect();
        let count = |wanted| {
            let alike = verdicts.iter().filter(|verdict| **verdict == wanted);
            alike.count().to_string()
        };
        let name = line(&file.file);
        let suite = BytesStart::new("testsuite").with_attributes([
            ("name", name.as_str()),
            ("tests", verdicts.len().max(1).to_string().as_str()),
            ("failures", count(Verdict::Failure).as_str()),
            ("errors", count(Verdict::Error).as_str()),
        ]);
        self.writer.write_event(Event::Start(suite))?;
        if verdicts.is_empty() {
            let case = self.writer.create_element("testcase");
            let case = case.with_attributes([("name", "no findings"), ("classname", &name)]);
            case.with_attribute(("file", name.as_str())).write_empty()?;
        }
        for (diagnostic, verdict) in file.diagnostics.iter().zip(verdicts) {
            self.write_case(file, &name, diagnostic, verdict)?;
        }
        self.writer
            .write_event(Event::End(BytesEnd::new("testsuite")))
    }

    fn write_case(
        &mut self,
        file: &FileReport,
        file_name: &str,
        diagnostic: &Diagnostic,
        verdict: Verdict,
    ) -> io::Result<()> {
        let start = Region::of_finding(file.source.as_ref(), diagnostic).map(|it| it.start);
        let id = diagnostic.code.id;
        let name = start.map_or_else(
            || id.to_owned(),
            |start| format!("{id} at {}:{}", start.line, start.column),
        );
        let mut case = BytesStart::new("testcase").with_attributes([
            ("name", name.as_str()),
            ("classname", file_name),
            ("file", file_name),
        ]);
        if let Some(start) = start {
            case.push_attribute(("line", start.line.to_string().as_str()));
        }
        self.writer.write_event(Event::Start(case))?;
        let text = text_of(file, diagnostic);
        let text = BytesText::new(&text);
        match verdict {
            Verdict::Passed => {
                let output = self.writer.create_element("system-out");
                output.write_text_content(text)?;
            }
            Verdict::Error | Verdict::Failure => {
                let element = if verdict == Verdict::Error {
                    "error"
                } else {
                    "failure"
                };
                let message = line(&diagnostic.message);
                let element = self.writer.create_element(element);
                let element =
                    element.with_attributes([("message", message.as_str()), ("type", id)]);
                element.write_text_content(text)?;
            }
        }
        self.writer
            .write_event(Event::End(BytesEnd::new("testcase")))
    }
}

impl Report for JunitReport {
    fn head(&mut self) -> String {
        let written = self.write_head();
        self.taken(written)
    }

    fn file(&mut self, file: &FileReport) -> String {
        let written = self.write_suite(file);
        self.taken(written)
    }

    fn end(&mut self, _outcome: &Outcome<'_>) -> String {
        let end = Event::End(BytesEnd::new("testsuites"));
        let written = self.writer.write_event(end);
        let mut text = self.taken(written);
        text.push('\n');
        text
    }
}

/// The finding, its places and its help, each on a line of its own.
fn text_of(file: &FileReport, diagnostic: &Diagnostic) -> String {
    let mut text = compact::line(file, diagnostic);
    if let Some(source) = &file.source {
        for label in diagnostic.labels.iter().filter(|it| !it.text.is_empty()) {
            let start = Region::of(source, label.span).start;
            let said = escaped(&label.text);
            text.push_str(&format!("\n{}:{}: {said}", start.line, start.column));
        }
    }
    if let Some(help) = &diagnostic.help {
        text.push_str("\nhelp: ");
        text.push_str(&escaped_lines(help));
    }
    without_noncharacters(text)
}

fn line(text: &str) -> String {
    without_noncharacters(escaped(text))
}

/// XML has no way at all to write two characters that can be seen no more than others that are
/// escaped everywhere.
fn without_noncharacters(text: String) -> String {
    if text.contains(['\u{FFFE}', '\u{FFFF}']) {
        text.replace('\u{FFFE}', "\\ufffe")
            .replace('\u{FFFF}', "\\uffff")
    } else {
        text
    }
}
fn verdict(file: &FileReport, diagnostic: &Diagnostic) -> Verdict {
    if stopped_the_check(diagnostic) {
        Verdict::Error
    } else if is_denied(file, diagnostic) {
        Verdict::Failure
    } else {
        Verdict::Passed
    }
}
