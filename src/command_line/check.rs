//! `check [FILE|DIR|-]`: what is wrong with a rulebook, or with many.

use super::ExitStatus;
use super::arguments::{CheckArguments, Format};
use super::console::Console;
use super::input;
use super::load::{Loaded, load};
use super::project::{ProjectFile, Selection, Target, select};
use super::report::{FileReport, Summary, render_json};
use crate::compiler::Depth;
use crate::diagnostics::codes::internal::INTERNAL;
use crate::diagnostics::{Deny, Diagnostic, Severity};
use crate::emitter::emit;
use crate::text::escaped;

pub(super) fn run(arguments: &CheckArguments, console: &mut Console) -> ExitStatus {
    let selection = match select(&arguments.paths) {
        Ok(selection) => selection,
        Err(diagnostic) => {
            console.complain(&diagnostic);
            return ExitStatus::Usage;
        }
    };
    let mut status = ExitStatus::Ok;
    let mut reports = Vec::new();
    let mut denied = Vec::new();
    for (report, worst, deny) in examine_all(selection, &arguments.deny) {
        status = status.max(worst);
        for deny in biting(&deny, &report.diagnostics) {
            if !denied.contains(&deny) {
                denied.push(deny);
            }
        }
        if arguments.format == Format::Human {
            let renderer = console.answer_renderer();
            console.answer(&renderer.render(report.source.as_ref(), &report.diagnostics));
        }
        reports.push(without_text_if(arguments.format == Format::Human, report));
        if console.is_closed() {
            return status;
        }
    }
    match arguments.format {
        Format::Json => console.answer(&render_json(&reports)),
        Format::Human => console.answer(&last_line(&reports, &denied)),
    }
    status
}

/// What was found in a file, what that means for the command's end, and what is denied there.
type Examined = (FileReport, ExitStatus, Vec<Deny>);

/// The findings of every file, one file at a time.
fn examine_all(selection: Selection, asked: &[Deny]) -> impl Iterator<Item = Examined> {
    let Selection {
        targets,
        faults,
        project,
    } = selection;
    let faults = faults
        .into_iter()
        .map(|(report, status)| (report, status, Vec::new()));
    let project = project.map(|file| examine_project(file, asked));
    faults
        .chain(project)
        .chain(targets.into_iter().map(move |target| {
            let deny = target.denied(asked);
            let (report, status) = examine(&target, &deny);
            (report, status, deny)
        }))
}

/// The findings of a project's own file: rulebooks that it does not list.
fn examine_project(file: ProjectFile, asked: &[Deny]) -> Examined {
    let ProjectFile {
        project,
        mut report,
    } = file;
    let deny: Vec<Deny> = project.deny.iter().chain(asked).copied().collect();
    let status = match project.unlisted() {
        Ok(warnings) => {
            report.diagnostics.extend(warnings);
            match biting(&deny, &report.diagnostics).next() {
                Some(_) => ExitStatus::No,
                None => ExitStatus::Ok,
            }
        }
        Err(fault) => {
            report.diagnostics.push(fault);
            ExitStatus::Usage
        }
    };
    (report, status, deny)
}

fn examine(target: &Target, deny: &[Deny]) -> (FileReport, ExitStatus) {
    let path = target.path.as_path();
    let file = input::name_of(path);
    match input::read(path) {
        Err(diagnostic) => {
            let report = FileReport {
                file,
                source: None,
                diagnostics: vec![diagnostic],
            };
            (report, ExitStatus::Usage)
        }
        Ok(bytes) => {
            let mut loaded = load(path, &bytes, target.package(), Depth::Analyses);
            // What cannot be emitted is not in order, though nothing is written here.
            let unfit = loaded.rulebook.as_ref().map(emit);
            loaded.diagnostics.extend(unfit.and_then(Result::err));
            let status = status_of(&loaded, deny);
            let report = FileReport {
                file,
                source: loaded.source,
                diagnostics: loaded.diagnostics,
            };
            (report, status)
        }
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

/// What the findings of a rulebook mean for the command's end.
pub(super) fn status_of(loaded: &Loaded, deny: &[Deny]) -> ExitStatus {
    if loaded
        .diagnostics
        .iter()
        .any(|diagnostic| diagnostic.code.id == INTERNAL.id)
    {
        ExitStatus::Fault
    } else if loaded.has(Severity::Error) || biting(deny, &loaded.diagnostics).next().is_some() {
        ExitStatus::No
    } else {
        ExitStatus::Ok
    }
}

/// What has been printed needs its source no more; of many files all would be kept.
fn without_text_if(printed: bool, mut report: FileReport) -> FileReport {
    if printed {
        report.source = None;
    }
    report
}

fn last_line(reports: &[FileReport], denied: &[Deny]) -> String {
    let summary = Summary::of_all(reports);
    let name = match reports {
        [report] => Some(escaped(&report.file)),
        _ => None,
    };
    let end = match denied {
        [] => String::new(),
        _ => format!(" ({})", words(denied)),
    };
    format!("{}{end}\n", summary.line(name.as_deref()))
}

/// What is denied, in words.
pub(super) fn words(denied: &[Deny]) -> String {
    let words: Vec<String> = denied.iter().map(|deny| deny.words()).collect();
    words.join(", ")
}

/// Whether a finding is shown where the findings are not the answer: notes are for `check`.
pub(super) fn is_pressing(diagnostic: &&Diagnostic) -> bool {
    diagnostic.severity() != Severity::Note
}
