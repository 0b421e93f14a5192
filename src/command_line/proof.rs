//! What commands share that make a proof: the engine that was asked for, progress, the end.

use std::path::PathBuf;

use super::ExitStatus;
use super::arguments::ProofArguments;
use super::console::Console;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::proof::NO_OPA;
use crate::ir::Rulebook;
use crate::proof::{self, Options, Progress, Proof};

/// The `opa` that the arguments ask for. Where there is none, the proof says so of the name that
/// was looked for.
pub(super) fn wanted_opa(arguments: &ProofArguments) -> Option<PathBuf> {
    let find = || proof::opa::find().unwrap_or_else(|| PathBuf::from("opa"));
    arguments.with_opa.then(find)
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
    let opa = wanted_opa(arguments);
    let mut progress = |progress: Progress| console.progress(&words(progress));
    let options = Options {
        points: arguments.proof_points,
        opa: opa.as_deref(),
        progress: &mut progress,
    };
    let proof = proof::prove(rulebook, rego, options);
    console.end_progress();
    proof.map_err(|failure| {
        let diagnostic = failure.to_diagnostic();
        let status = status_of(&diagnostic);
        (diagnostic, status)
    })
}

/// What a line of progress says.
pub(super) fn words(progress: Progress) -> String {
    format!("proving: {} of {} points", progress.done, progress.all)
}

/// A proof that fails is a fault; an engine that is not there is one of usage.
pub(super) fn status_of(failure: &Diagnostic) -> ExitStatus {
    if failure.code == &NO_OPA {
        ExitStatus::Usage
    } else {
        ExitStatus::Fault
    }
}
