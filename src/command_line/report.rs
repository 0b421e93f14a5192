//! Findings on paper: for people, and in the formats that other programs read.

mod compact;
mod delivery;
mod finding;
mod fingerprint;
mod github;
mod gitlab;
mod human;
mod json;
mod json_lines;
mod json_text;
mod junit;
mod region;
mod sarif;
mod summary;

pub(super) use delivery::Delivery;
pub(super) use finding::{check_schema, finding_schema};
pub(super) use json_text::{compact, pretty};
pub(super) use summary::Summary;

use super::arguments::Format;
use crate::diagnostics::codes::artifacts::NO_SOURCES;
use crate::diagnostics::codes::internal::INTERNAL;
use crate::diagnostics::codes::project;
use crate::diagnostics::codes::text::UNREADABLE;
use crate::diagnostics::{Deny, Diagnostic, Severity};
use crate::terminal::{ExitStatus, HumanRenderer};
use crate::text::{Source, escaped_lines};

/// What was found in one file.
#[derive(Debug, Default)]
pub(super) struct FileReport {
    /// The file's path as it is recorded: relative, with `/`, not escaped.
    pub(super) file: String,
    /// The text that places refer to; none when the file could not be read.
    pub(super) source: Option<Source>,
    /// The findings, sorted.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// What is denied of them.
    pub(super) deny: Vec<Deny>,
}

impl FileReport {
    /// What of that there is.
    pub(super) fn denied(&self) -> impl Iterator<Item = Deny> {
        biting(&self.deny, &self.diagnostics)
    }
}

/// Those of `deny` that cover a finding.
pub(super) fn biting<'a>(
    deny: &'a [Deny],
    diagnostics: &'a [Diagnostic],
) -> impl Iterator<Item = Deny> + 'a {
    let bites = |deny: &Deny| diagnostics.iter().any(|found| deny.covers(found));
    deny.iter().copied().filter(bites)
}

/// What is denied, in words.
pub(super) fn words(denied: &[Deny]) -> String {
    let words: Vec<String> = denied.iter().map(|deny| deny.words()).collect();
    words.join(", ")
}

/// How a run ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome<'a> {
    /// How many findings there are, in how many files.
    pub(super) summary: Summary,
    /// The file, where there is one only.
    pub(super) only_file: Option<&'a str>,
    /// What the command ends with.
    pub(super) status: ExitStatus,
}

/// A report in one format. It is made in pieces, so that the files of a large folder need not
/// be in memory together. Each piece ends its lines, and has nothing in it that acts on a
/// terminal.
pub(super) trait Report {
    /// What stands before the first file.
    fn head(&mut self) -> String {
        String::new()
    }

    /// What is said of the next file.
    fn file(&mut self, file: &FileReport) -> String;

    /// What stands behind the last file.
    fn end(&mut self, _outcome: &Outcome<'_>) -> String {
        String::new()
    }
}

/// An empty report. `human` is how lines of the source are shown, where they are.
pub(super) fn report(format: Format, human: HumanRenderer) -> Box<dyn Report> {
    match format {
        Format::Human => Box::new(human::HumanReport::new(human)),
        Format::Compact => Box::new(compact::CompactReport),
        Format::Json => Box::new(json::JsonReport::default()),
        Format::Jsonl => Box::new(json_lines::JsonLinesReport),
        Format::Sarif => Box::new(sarif::SarifReport::default()),
        Format::Github => Box::new(github::GithubReport),
        Format::Gitlab => Box::new(gitlab::GitlabReport::default()),
        Format::Junit => Box::new(junit::JunitReport::new()),
    }
}

/// The whole report on one file.
pub(super) fn whole(mut report: Box<dyn Report>, file: &FileReport) -> String {
    let outcome = Outcome {
        summary: Summary::of(&file.diagnostics),
        only_file: Some(&file.file),
        status: ExitStatus::Ok,
    };
    [report.head(), report.file(file), report.end(&outcome)].concat()
}

/// Whether a finding says that something was not looked at, and not what was seen in it.
fn stopped_the_check(diagnostic: &Diagnostic) -> bool {
    let is_of_project = project::ALL.contains(&diagnostic.code);
    [&UNREADABLE, &NO_SOURCES, &INTERNAL].contains(&diagnostic.code)
        || is_of_project && diagnostic.severity() == Severity::Error
}

/// Whether a finding of a file makes the command say no.
fn is_denied(file: &FileReport, diagnostic: &Diagnostic) -> bool {
    let is_error = diagnostic.severity() == Severity::Error;
    is_error || file.deny.iter().any(|deny| deny.covers(diagnostic))
}

/// The message, and the help on lines of its own.
fn message_and_help(diagnostic: &Diagnostic) -> String {
    let mut text = escaped_lines(&diagnostic.message);
    if let Some(help) = &diagnostic.help {
        text.push_str("\nhelp: ");
        text.push_str(&escaped_lines(help));
    }
    text
}
