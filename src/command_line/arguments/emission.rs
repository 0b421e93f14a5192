//! What `emit` and `bundle` ask alike before anything is written.

use clap::Args;

use super::{ProofArguments, deny};
use crate::diagnostics::Deny;

/// What must hold before anything is written.
#[derive(Args, Debug)]
pub(in crate::command_line) struct EmissionArguments {
    /// Treat such findings as errors, so that nothing is written: `warnings`, or the code of a warning or note
    #[arg(long, value_name = "WHAT", value_parser = deny)]
    pub(in crate::command_line) deny: Vec<Deny>,

    /// Leave out the proof that the Rego decides as the rulebook does
    #[arg(long, conflicts_with_all = ["with_opa", "proof_points"])]
    pub(in crate::command_line) no_proof: bool,

    #[command(flatten)]
    pub(in crate::command_line) proof: ProofArguments,
}
