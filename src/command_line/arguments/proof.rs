//! How the proof is made, for every command that makes one.

use clap::Args;

use crate::proof;

/// How the proof is made.
#[derive(Args, Debug)]
pub(in crate::command_line) struct ProofArguments {
    /// Prove with a real `opa` too: that of STALWART_OPA, else the one on the path
    #[arg(long)]
    pub(in crate::command_line) with_opa: bool,

    /// Most calls that the proof evaluates; where there are more, it is a sample
    #[arg(
        long,
        value_name = "N",
        default_value_t = proof::DEFAULT_POINTS,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub(in crate::command_line) proof_points: u64,
}
