//! `check FILE|DIR|-`: what is wrong with a rulebook, or with many.

use std::path::Path;

use super::ExitStatus;
use super::arguments::{CheckArguments, Deny};
use super::console::Console;
use super::examination::examine_path;
use super::input;
use super::report::Delivery;
use crate::artifacts::shown_path;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::reports::REPORT_OVER_SOURCE;

pub(super) fn run(arguments: &CheckArguments, console: &mut Console) -> ExitStatus {
    let strict = arguments.deny.contains(&Deny::Warnings);
    let output = arguments.output.as_deref();
    let output = output.filter(|path| !input::is_stdin(path));
    let refusal = output.and_then(|output| report_over_source(&arguments.path, output));
    let begun = match refusal {
        Some(diagnostic) => Err(diagnostic),
        None => Delivery::begin(arguments.format, output, strict, console),
    };
    let mut delivery = match begun {
        Ok(delivery) => delivery,
        Err(diagnostic) => {
            console.complain(&diagnostic);
            return ExitStatus::Usage;
        }
    };
    for examined in examine_path(&arguments.path, strict) {
        delivery.file(&examined.report, examined.status, console);
        if delivery.is_in_vain(console) {
            break;
        }
    }
    delivery.end(console)
}

/// Why a report may not go to a file: it is what is checked, or would be checked the next time.
fn report_over_source(path: &Path, output: &Path) -> Option<Diagnostic> {
    let is_source = output
        .extension()
        .is_some_and(|extension| extension == "co");
    let is_checked = path
        .canonicalize()
        .is_ok_and(|path| output.canonicalize().is_ok_and(|output| output == path));
    (is_source || is_checked).then(|| {
        Diagnostic::without_place(
            &REPORT_OVER_SOURCE,
            format!(
                "the report would go to `{}`, a rulebook",
                shown_path(output)
            ),
        )
        .with_help("name a file of its own, such as `report.sarif`")
    })
}
