//! `test FILE --suggest`: the missing cases, for the author to judge.

use std::path::Path;

use super::super::arguments::TestArguments;
use super::super::output::refuse_suggestions;
use super::super::project::{Selection, Target, select_file};
use super::subject;
use super::{refuse_several, write_file};
use crate::artifacts::shown_path;
use crate::coverage::{Coverage, Reason, suggest, to_yaml};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::artifacts::CANNOT_WRITE;
use crate::evaluator::Call;
use crate::ir::Rulebook;
use crate::terminal::{Console, ExitStatus};
use crate::test_suite::Suite;

/// Suggests cases for FILE, or for the one rulebook of the project.
pub(super) fn run(arguments: &TestArguments, console: &mut Console) -> ExitStatus {
    let selection = match begin(arguments) {
        Ok(selection) => selection,
        Err(diagnostic) => {
            console.complain(&diagnostic);
            return ExitStatus::Usage;
        }
    };
    let status = selection.complain(console);
    match selection.targets.first() {
        Some(target) if status == ExitStatus::Ok => match suggestions(target, arguments, console) {
            Ok(status) | Err(status) => status,
        },
        _ => status,
    }
}

fn begin(arguments: &TestArguments) -> Result<Selection, Diagnostic> {
    if let Some(output) = &arguments.output {
        refuse_suggestions(output)?;
    }
    let selection = select_file(arguments.file.as_deref(), &arguments.project)?;
    refuse_several(arguments, &selection)?;
    Ok(selection)
}

fn suggestions(
    target: &Target,
    arguments: &TestArguments,
    console: &mut Console,
) -> Result<ExitStatus, ExitStatus> {
    let file = target.path.as_path();
    let rulebook = subject::rulebook(file, "no case is suggested", console);
    let rulebook = rulebook.map_err(|refused| refused.status)?;
    let beside = subject::default_tests(file, &rulebook);
    let listed = target.rulebook.as_ref();
    let listed = listed.and_then(|one| one.tests.as_deref());
    let tests = match arguments.tests.as_slice() {
        [] => listed.unwrap_or_default(),
        asked => asked,
    };
    let has_tests = !tests.is_empty() || beside.symlink_metadata().is_ok();
    let suites = if has_tests {
        let (loaded, status) = subject::load_suites(file, tests, &rulebook, false, console);
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
