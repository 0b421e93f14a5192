//! `check [FILE|DIR|-]…`: what is wrong with a rulebook, or with many.

mod fix;

use std::path::{Path, PathBuf};

use super::ExitStatus;
use super::arguments::CheckArguments;
use super::console::Console;
use super::examination::examine_all;
use super::input;
use super::project::{Selection, Watch, select};
use super::report::Delivery;
use crate::artifacts::shown_path;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::reports::REPORT_OVER_SOURCE;

pub(super) fn run(arguments: &CheckArguments, console: &mut Console) -> ExitStatus {
    if arguments.watch {
        let watch = Watch {
            paths: &arguments.paths,
            project: &arguments.project,
            tests: None,
        };
        return watch.run(console, |console| run_once(arguments, console));
    }
    run_once(arguments, console)
}

fn run_once(arguments: &CheckArguments, console: &mut Console) -> ExitStatus {
    match begin(arguments, console) {
        Ok((selection, mut delivery)) => {
            let mut fixed = ExitStatus::Ok;
            if arguments.fix {
                fixed = fix::run(&selection, arguments, console);
                if arguments.diff || fixed > ExitStatus::No {
                    return fixed;
                }
            }
            for examined in examine_all(selection, &arguments.deny) {
                delivery.file(&examined.report, examined.status, console);
                if delivery.is_in_vain(console) {
                    break;
                }
            }
            delivery.end(console).max(fixed)
        }
        Err(diagnostic) => {
            console.complain(&diagnostic);
            ExitStatus::Usage
        }
    }
}

fn begin(
    arguments: &CheckArguments,
    console: &mut Console,
) -> Result<(Selection, Delivery), Diagnostic> {
    let selection = select(&arguments.paths, &arguments.project)?;
    let output = arguments.output.as_deref();
    let output = output.filter(|path| !input::is_stdin(path));
    if let Some(output) = output {
        let targets = selection.targets.iter().map(|target| &target.path);
        refuse_report_over_source(arguments.paths.iter().chain(targets), output)?;
    }
    let delivery = Delivery::begin(arguments.format, output, console)?;
    Ok((selection, delivery))
}

/// A report may not go to a file that is checked, or would be checked the next time.
fn refuse_report_over_source<'a>(
    mut checked: impl Iterator<Item = &'a PathBuf>,
    output: &Path,
) -> Result<(), Diagnostic> {
    let is_source = output
        .extension()
        .is_some_and(|extension| extension == "co");
    let is_checked = output.canonicalize().is_ok_and(|output| {
        checked.any(|path| path.canonicalize().is_ok_and(|path| path == output))
    });
    if is_source || is_checked {
        return Err(Diagnostic::without_place(
            &REPORT_OVER_SOURCE,
            format!(
                "the report would go to `{}`, a rulebook",
                shown_path(output)
            ),
        )
        .with_help("name a file of its own, such as `report.sarif`"));
    }
    Ok(())
}
