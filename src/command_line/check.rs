//! `check FILE|DIR|-`: what is wrong with a rulebook, or with many.

use std::path::Path;

use super::ExitStatus;
use super::arguments::{CheckArguments, Deny, Format};
use super::console::Console;
use super::input;
use super::load::{Loaded, load};
use super::report::{FileReport, Summary, render_json};
use crate::compiler::Depth;
use crate::diagnostics::codes::internal::INTERNAL;
use crate::diagnostics::{Diagnostic, Severity};
use crate::emitter::emit;
use crate::text::escaped;

pub(super) fn run(arguments: &CheckArguments, console: &mut Console) -> ExitStatus {
    let strict = arguments.deny.contains(&Deny::Warnings);
    let mut status = ExitStatus::Ok;
    let mut reports = Vec::new();
    for (report, worst) in examine_all(&arguments.path, strict) {
        status = status.max(worst);
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
        Format::Human => console.answer(&last_line(&reports, strict)),
    }
    status
}

/// The findings of every file, one file at a time.
fn examine_all(path: &Path, strict: bool) -> impl Iterator<Item = (FileReport, ExitStatus)> {
    let is_folder = !input::is_stdin(path) && path.is_dir();
    let (files, faults) = if is_folder {
        input::sources_below(path)
    } else {
        (vec![path.to_path_buf()], Vec::new())
    };
    let folder = (!faults.is_empty()).then(|| {
        let report = FileReport {
            file: input::name_of(path),
            source: None,
            diagnostics: faults,
        };
        (report, ExitStatus::Usage)
    });
    folder
        .into_iter()
        .chain(files.into_iter().map(move |file| examine(&file, strict)))
}

fn examine(path: &Path, strict: bool) -> (FileReport, ExitStatus) {
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
            let mut loaded = load(path, &bytes, None, Depth::Analyses);
            // What cannot be emitted is not in order, though nothing is written here.
            let unfit = loaded.rulebook.as_ref().map(emit);
            loaded.diagnostics.extend(unfit.and_then(Result::err));
            let status = status_of(&loaded, strict);
            let report = FileReport {
                file,
                source: loaded.source,
                diagnostics: loaded.diagnostics,
            };
            (report, status)
        }
    }
}

/// What the findings of a rulebook mean for the command's end.
pub(super) fn status_of(loaded: &Loaded, strict: bool) -> ExitStatus {
    if loaded
        .diagnostics
        .iter()
        .any(|diagnostic| diagnostic.code.id == INTERNAL.id)
    {
        ExitStatus::Fault
    } else if loaded.has(Severity::Error) || (strict && loaded.has(Severity::Warning)) {
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

fn last_line(reports: &[FileReport], strict: bool) -> String {
    let summary = Summary::of_all(reports);
    let name = match reports {
        [report] => Some(escaped(&report.file)),
        _ => None,
    };
    let denied = if strict && summary.warnings > 0 {
        " (warnings are denied)"
    } else {
        ""
    };
    format!("{}{denied}\n", summary.line(name.as_deref()))
}

/// Whether a finding is shown where the findings are not the answer: notes are for `check`.
pub(super) fn is_pressing(diagnostic: &&Diagnostic) -> bool {
    diagnostic.severity() != Severity::Note
}
