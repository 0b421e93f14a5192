//! Where a report may go: never over what somebody wrote, nor over what is served.

use std::path::{Path, PathBuf};

use super::project::Selection;
use crate::artifacts::{IR_FILE, REGO_FILE, shown_path};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::reports::REPORT_OVER_SOURCE;
use crate::project::FILE_NAME;

/// Refuses a report that would go over a source: before anything is run or written.
///
/// `inputs` are the files that the command was given; those of the selection, with their tests,
/// are looked at too. `example` is a name that a report could have.
///
/// # Errors
/// The first report whose name is that of a rulebook, of tests, of a project's file or of an
/// artifact, or that is an input, by whatever path.
pub(super) fn refuse_over_sources<'a>(
    reports: impl IntoIterator<Item = &'a PathBuf>,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
    selection: &Selection,
    example: &str,
) -> Result<(), Diagnostic> {
    let mut inputs: Vec<&PathBuf> = inputs.into_iter().collect();
    for target in &selection.targets {
        inputs.push(&target.path);
        let rulebook = target.rulebook.iter();
        inputs.extend(rulebook.filter_map(|one| one.tests.as_ref()).flatten());
    }
    let over = |path: &'a PathBuf| Some((path, over(path, &inputs)?));
    match reports.into_iter().find_map(over) {
        None => Ok(()),
        Some((path, what)) => Err(refusal(path, what, example)),
    }
}

/// Refuses suggested cases where no cases belong; a tests file that is not there yet may be
/// named for them.
///
/// # Errors
/// The name is that of something else than tests.
pub(super) fn refuse_suggestions(path: &Path) -> Result<(), Diagnostic> {
    match what_is_called(path) {
        None | Some(TESTS) => Ok(()),
        Some(what) => Err(refusal(path, what, "policy.test.yaml")),
    }
}

const TESTS: &str = "a file of tests";

/// What a report would replace; none where it may be written.
fn over(report: &Path, inputs: &[&PathBuf]) -> Option<&'static str> {
    if let Some(what) = what_is_called(report) {
        return Some(what);
    }
    // A link leads to what it is named for.
    let file = report.canonicalize().ok()?;
    if let Some(what) = what_is_called(&file) {
        return Some(what);
    }
    let is_file = |path: &&PathBuf| path.canonicalize().is_ok_and(|path| path == file);
    inputs.iter().any(is_file).then_some("which is read here")
}

/// What a file of this name is, wherever it lies. Some file systems take capitals for small ones.
fn what_is_called(path: &Path) -> Option<&'static str> {
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    if name.ends_with(".co") {
        Some("a rulebook")
    } else if name.ends_with(".test.yaml") {
        Some(TESTS)
    } else if name == FILE_NAME {
        Some("a project's own file")
    } else if name == IR_FILE || name == REGO_FILE.to_lowercase() {
        Some("an artifact")
    } else {
        None
    }
}

fn refusal(path: &Path, what: &str, example: &str) -> Diagnostic {
    let message = format!("the report would go to `{}`, {what}", shown_path(path));
    let help = format!("name a file of its own, such as `{example}`; nothing was run");
    Diagnostic::without_place(&REPORT_OVER_SOURCE, message).with_help(help)
}
