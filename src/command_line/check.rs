//! `check [FILE|DIR|-]…`: what is wrong with a rulebook, or with many.

mod fix;

use std::path::PathBuf;

use super::arguments::CheckArguments;
use super::examination::examine_all;
use super::input;
use super::output::refuse_over_sources;
use super::project::{Selection, Watch, select};
use super::report::Delivery;
use crate::diagnostics::Diagnostic;
use crate::terminal::{Console, ExitStatus};

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
                    // No check behind it says what could not be looked into.
                    return fixed.max(selection.complain(console));
                }
            }
            for examined in examine_all(selection, &arguments.deny, arguments.depth()) {
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
    let output = arguments.output.as_ref();
    let output = output.filter(|path| !input::is_stdin(path));
    let inputs = arguments.paths.iter().chain(&arguments.project.path);
    refuse_over_sources(output, inputs, &selection, "report.sarif")?;
    let delivery = Delivery::begin(arguments.format, output.map(PathBuf::as_path), console)?;
    Ok((selection, delivery))
}
