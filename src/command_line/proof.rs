//! What commands share that make a proof: the engine that was asked for, progress, the end.

use std::path::PathBuf;

use super::arguments::ProofArguments;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::proof::NO_OPA;
use crate::ir::Rulebook;
use crate::proof::{self, Options, Progress, Proof};
use crate::terminal::{Console, ExitStatus};

/// Does work that makes a proof as the arguments ask, and shows how far it is meanwhile.
pub(super) fn with_options<T>(
    arguments: &ProofArguments,
    console: &mut Console,
    work: impl FnOnce(Options<'_>) -> T,
) -> T {
    // Where there is no `opa`, the proof says so of the name that was looked for.
    let find = || proof::opa::find().unwrap_or_else(|| PathBuf::from("opa"));
    let opa = arguments.with_opa.then(find);
    let mut progress = |Progress { done, all }| {
        console.progress(&format!("proving: {done} of {all} points"));
    };
    let result = work(Options {
        points: arguments.points(),
        opa: opa.as_deref(),
        progress: &mut progress,
    });
    console.end_progress();
    result
}

/// Proves a package that is about to be written.
///
/// # Errors
/// The failure as a finding, and what the command ends with.
pub(super) fn prove(
    rulebook: &Rulebook,
    rego: &str,
    arguments: &ProofArguments,
    console: &mut Console,
) -> Result<Proof, (Diagnostic, ExitStatus)> {
    let prove = |options: Options<'_>| proof::prove(rulebook, rego, options);
    with_options(arguments, console, prove).map_err(|failure| {
        let diagnostic = failure.to_diagnostic();
        let status = status_of(&diagnostic);
        (diagnostic, status)
    })
}

/// A proof that fails is a fault; an engine that is not there is one of usage.
pub(super) fn status_of(failure: &Diagnostic) -> ExitStatus {
    if failure.code == &NO_OPA {
        ExitStatus::Usage
    } else {
        ExitStatus::Fault
    }
}
