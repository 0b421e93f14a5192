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
        help = format!(
            "Most calls that the proof evaluates; where there are more, it is a sample [default: \
             that of `rulebook.toml`, else {}]",
            proof::DEFAULT_POINTS
        ),
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub(in crate::command_line) proof_points: Option<u64>,
}

impl ProofArguments {
    /// The same, with the points that a project says where none are asked for.
    pub(in crate::command_line) fn or(&self, of_project: Option<u64>) -> Self {
        Self {
            proof_points: self.proof_points.or(of_project),
            ..*self
        }
    }

    /// Most calls that the proof evaluates.
    pub(in crate::command_line) fn points(&self) -> u64 {
        self.proof_points.unwrap_or(proof::DEFAULT_POINTS)
    }
}
