//! Results as JUnit XML, in the form that CI systems read.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::report::{CaseOutcome, CaseResult, FileResults, SuiteResults};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::suites::BELOW_THRESHOLD;
use crate::test_suite::Totals;
use crate::text::{Source, escaped, escaped_lines};

/// The report on all rulebooks.
pub(super) fn render(results: &[FileResults]) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    // Writing to memory does not fail.
    let _ = write(results, &mut writer);
    let mut text = String::from_utf8(writer.into_inner()).unwrap_or_default();
    text.push('\n');
    text
}

fn write(results: &[FileResults], writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let suites: Vec<(&FileResults, &SuiteResults)> = results
        .iter()
        .flat_map(|file| file.suites.iter().map(move |suite| (file, suite)))
        .collect();
    let totals = results.iter().map(FileResults::totals);
    let totals = totals.fold(Totals::default(), Totals::plus);
    let errors = suites
        .iter()
        .map(|(_, suite)| suite.errors())
        .sum::<usize>()
        + results.iter().map(errors_of).sum::<usize>();
    writer
        .create_element("testsuites")
        .with_attribute(("name", "RulebookTranslator test"))
        .with_attributes(
            figures(totals, errors)
                .iter()
                .map(|(key, value)| (*key, value.as_str())),
        )
        .write_inner_content(|writer| {
            for (file, suite) in suites {
                write_suite(file, suite, writer)?;
            }
            for file in results.iter().filter(|file| errors_of(file) > 0) {
                write_rulebook(file, writer)?;
            }
            Ok(())
        })?;
    Ok(())
}

/// How many things are wrong with the rulebook, or with its run as a whole.
fn errors_of(file: &FileResults) -> usize {
    usize::from(!file.diagnostics.is_empty()) + file.complaints.len()
}

/// What is wrong with no tests file, as a suite of the rulebook's name.
fn write_rulebook(file: &FileResults, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
    let totals = figures(Totals::default(), errors_of(file));
    let source = file.source.as_ref();
    writer
        .create_element("testsuite")
        .with_attribute(("name", escaped(&file.rulebook).as_str()))
        .with_attributes(totals.iter().map(|(key, value)| (*key, value.as_str())))
        .write_inner_content(|writer| {
            if !file.diagnostics.is_empty() {
                let name = "the rulebook can be used";
                write_error(name, &file.rulebook, source, &file.diagnostics, writer)?;
            }
            for complaint in &file.complaints {
                let name = match complaint.code == &BELOW_THRESHOLD {
                    true => "the coverage is high enough",
                    false => "there are cases to run",
                };
                let complaint = std::slice::from_ref(complaint);
                write_error(name, &file.rulebook, None, complaint, writer)?;
            }
            Ok(())
        })?;
    Ok(())
}

fn figures(totals: Totals, errors: usize) -> [(&'static str, String); 4] {
    let all = totals.run() + totals.skipped + errors;
    [
        ("tests", all.to_string()),
        ("failures", totals.failed.to_string()),
        ("errors", errors.to_string()),
        ("skipped", totals.skipped.to_string()),
    ]
}

fn write_suite(
    file: &FileResults,
    suite: &SuiteResults,
    writer: &mut Writer<Vec<u8>>,
) -> io::Result<()> {
    let totals = figures(suite.totals(), suite.errors());
    writer
        .create_element("testsuite")
        .with_attribute(("name", escaped(&suite.file).as_str()))
        .with_attributes(totals.iter().map(|(key, value)| (*key, value.as_str())))
        .write_inner_content(|writer| {
            if suite.errors() > 0 {
                let name = match suite.is_unusable {
                    true => "the tests file can be read",
                    false => "nothing that is denied is in the tests file",
                };
                let source = suite.source.as_ref();
                write_error(name, &suite.file, source, &suite.diagnostics, writer)?;
            }
            for case in &suite.cases {
                write_case(file, suite, case, writer)?;
            }
            Ok(())
        })?;
    Ok(())
}

/// What should hold of a file, and why it does not.
fn write_error(
    name: &str,
    file: &str,
    source: Option<&Source>,
    diagnostics: &[Diagnostic],
    writer: &mut Writer<Vec<u8>>,
) -> io::Result<()> {
    let messages: Vec<String> = diagnostics
        .iter()
        .map(|found| {
            let place = match (source, found.span()) {
                (Some(source), Some(span)) => format!("line {}: ", source.line_of(span.start)),
                _ => String::new(),
            };
            format!("{}: {place}{}", found.code.id, escaped(&found.message))
        })
        .collect();
    writer
        .create_element("testcase")
        .with_attribute(("name", name))
        .with_attribute(("classname", escaped(file).as_str()))
        .write_inner_content(|writer| {
            writer
                .create_element("error")
                .with_attribute(("message", messages.first().map_or("", String::as_str)))
                .write_text_content(BytesText::new(&messages.join("\n")))?;
            Ok(())
        })?;
    Ok(())
}

fn write_case(
    file: &FileResults,
    suite: &SuiteResults,
    case: &CaseResult,
    writer: &mut Writer<Vec<u8>>,
) -> io::Result<()> {
    let class: Vec<&str> = std::iter::once(file.rulebook.as_str())
        .chain(case.groups.iter().map(String::as_str))
        .collect();
    let element = writer
        .create_element("testcase")
        .with_attribute(("name", escaped(&case.name).as_str()))
        .with_attribute(("classname", escaped(&class.join(" / ")).as_str()))
        .with_attribute(("file", escaped(&suite.file).as_str()))
        .with_attribute(("line", case.line.to_string().as_str()));
    match &case.outcome {
        CaseOutcome::Passed => {
            element.write_empty()?;
        }
        CaseOutcome::Failed { why, .. } => {
            element.write_inner_content(|writer| {
                writer
                    .create_element("failure")
                    .with_attribute(("message", escaped(&case.difference()).as_str()))
                    .with_attribute(("type", "decision"))
                    .write_text_content(BytesText::new(&escaped_lines(why)))?;
                Ok(())
            })?;
        }
        CaseOutcome::Skipped { reason } => {
            element.write_inner_content(|writer| {
                writer
                    .create_element("skipped")
                    .with_attribute(("message", escaped(reason).as_str()))
                    .write_empty()?;
                Ok(())
            })?;
        }
    }
    Ok(())
}
