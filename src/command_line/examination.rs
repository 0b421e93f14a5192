//! Looking at files as `check` does: each with its findings, and what they mean for the end.

use super::input;
use super::load::{Loaded, load};
use super::project::{ProjectFile, Selection, Target};
use super::report::{FileReport, biting};
use crate::compiler::Depth;
use crate::diagnostics::codes::internal::INTERNAL;
use crate::diagnostics::{Deny, Diagnostic, Severity};
use crate::emitter::emit;
use crate::terminal::ExitStatus;

/// One file that was looked at.
pub(super) struct Examined {
    /// What was found.
    pub(super) report: FileReport,
    /// What the findings mean for the command's end.
    pub(super) status: ExitStatus,
}

/// All files of a selection, one at a time, the project's own first. `asked` is denied everywhere.
pub(super) fn examine_all(
    selection: Selection,
    asked: &[Deny],
    depth: Depth,
) -> impl Iterator<Item = Examined> {
    let Selection {
        targets,
        faults,
        project,
    } = selection;
    let faults = faults
        .into_iter()
        .map(|(report, status)| Examined { report, status });
    let project = project.map(|file| examine_project(file, asked));
    let targets = targets
        .into_iter()
        .map(move |target| examine(&target, asked, depth));
    faults.chain(project).chain(targets)
}

/// The project's own file: what it says is right, or there would be no project; but there may be
/// rulebooks that it does not list.
fn examine_project(file: ProjectFile, asked: &[Deny]) -> Examined {
    let ProjectFile {
        project,
        mut report,
        ..
    } = file;
    report.deny = project.deny.iter().chain(asked).copied().collect();
    let status = match project.unlisted() {
        Ok(warnings) => {
            report.diagnostics.extend(warnings);
            match report.denied().next() {
                Some(_) => ExitStatus::No,
                None => ExitStatus::Ok,
            }
        }
        Err(fault) => {
            report.diagnostics.push(fault);
            ExitStatus::Usage
        }
    };
    Examined { report, status }
}

/// One file.
pub(super) fn examine(target: &Target, asked: &[Deny], depth: Depth) -> Examined {
    let path = target.path.as_path();
    let file = input::name_of(path);
    let deny = target.denied(asked);
    let bytes = match input::read(path) {
        Ok(bytes) => bytes,
        Err(diagnostic) => {
            let report = FileReport {
                file,
                source: None,
                diagnostics: vec![diagnostic],
                deny,
            };
            return Examined {
                report,
                status: ExitStatus::Usage,
            };
        }
    };
    let mut loaded = load(path, &bytes, target.package(), depth);
    // What cannot be emitted is not in order, though nothing is written here.
    let unfit = loaded.rulebook.as_ref().map(emit);
    loaded.diagnostics.extend(unfit.and_then(Result::err));
    let status = status_of(&loaded, &deny);
    Examined {
        report: FileReport {
            file,
            source: loaded.source,
            diagnostics: loaded.diagnostics,
            deny,
        },
        status,
    }
}

/// What the findings of a rulebook mean for the command's end.
pub(super) fn status_of(loaded: &Loaded, deny: &[Deny]) -> ExitStatus {
    let mut found = loaded.diagnostics.iter();
    if found.any(|diagnostic| diagnostic.code.id == INTERNAL.id) {
        ExitStatus::Fault
    } else if loaded.has(Severity::Error) || biting(deny, &loaded.diagnostics).next().is_some() {
        ExitStatus::No
    } else {
        ExitStatus::Ok
    }
}

/// Whether a finding is shown where the findings are not the answer: notes are for `check`.
pub(super) fn is_pressing(diagnostic: &&Diagnostic) -> bool {
    diagnostic.severity() != Severity::Note
}
