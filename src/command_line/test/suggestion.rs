//! `test FILE --suggest`: the missing cases, for the author to judge.

use std::path::Path;

use super::super::ExitStatus;
use super::super::arguments::TestArguments;
use super::super::console::Console;
use super::super::eval;
use super::super::output::refuse_suggestions;
use super::subject;
use super::write_file;
use crate::artifacts::shown_path;
use crate::coverage::{Coverage, Reason, suggest, to_yaml};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::artifacts::CANNOT_WRITE;
use crate::evaluator::Call;
use crate::ir::Rulebook;
use crate::test_suite::Suite;

pub(super) fn run(file: &Path, arguments: &TestArguments, console: &mut Console) -> ExitStatus {
    match suggestions(file, arguments, console) {
        Ok(status) | Err(status) => status,
    }
}

fn suggestions(
    file: &Path,
    arguments: &TestArguments,
    console: &mut Console,
) -> Result<ExitStatus, ExitStatus> {
    if let Some(output) = &arguments.output
        && let Err(diagnostic) = refuse_suggestions(output)
    {
        console.complain(&diagnostic);
        return Err(ExitStatus::Usage);
    }
    let rulebook = eval::rulebook(file, console)?;
    let beside = subject::default_tests(file, &rulebook);
    let has_tests = !arguments.tests.is_empty() || beside.symlink_metadata().is_ok();
    let suites = if has_tests {
        let (loaded, status) = subject::load_suites(file, &arguments.tests, &rulebook, console);
        if status != ExitStatus::Ok {
            return Err(status);
        }
        loaded
            .into_iter()
            .filter_map(|loaded| loaded.suite)
            .collect()
    } else {
        Vec::new()
    };
    let text = text(&rulebook, &suites, file, console);
    let target = match (&arguments.output, arguments.write) {
        (Some(path), _) => path,
        (None, true) => &beside,
        (None, false) => {
            console.answer(&text);
            return Ok(ExitStatus::Ok);
        }
    };
    if target.symlink_metadata().is_ok() {
        console.complain(&already_there(target));
        return Err(ExitStatus::Usage);
    }
    Ok(write_file(target, &text, console))
}

fn text(rulebook: &Rulebook, suites: &[Suite], file: &Path, console: &mut Console) -> String {
    let mut coverage = Coverage::of(rulebook);
    let cases = suites.iter().flat_map(|suite| &suite.cases);
    for case in cases.filter(|case| case.skip.is_none()) {
        coverage.record(&Call::of(case.tool_name(), &case.context));
    }
    let gaps = coverage.gaps();
    let suggestions = suggest(&coverage, &gaps);
    let undecided = gaps
        .all
        .iter()
        .filter(|gap| gap.reason == Reason::NotDecided);
    let undecided = undecided.count();
    let mut said = match suggestions.len() {
        1 => "1 case is missing".to_owned(),
        count => format!("{count} cases are missing"),
    };
    if undecided > 0 {
        said += &format!(
            "; of {undecided} things it was not found out within the bound whether a call reaches them"
        );
    }
    console.say(&(said + "\n"));
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    to_yaml(&coverage, &suggestions, &name)
}

/// What somebody judged is not written over.
fn already_there(path: &Path) -> Diagnostic {
    let message = format!("`{}` is there already", shown_path(path));
    Diagnostic::without_place(&CANNOT_WRITE, message)
        .with_help("without `--write` and `--output` the suggested cases are printed: take from them what you want")
}
