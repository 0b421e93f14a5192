//! What can be typed behind `verify`.

use std::path::PathBuf;

use clap::Args;

use super::ProofArguments;

/// Check the chain from the source to the Rego of a folder, and prove the Rego
///
/// Computes every hash anew, compiles the source where it is given, emits the Rego from the IR
/// and compares bytes, and proves that it decides as the IR does. Prints what was seen of each
/// link, up to the first that is broken.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator verify opa
  RulebookTranslator verify opa --source policy.co --with-opa")]
pub(in crate::command_line) struct VerifyArguments {
    /// The folder that holds rulebook.ir.json and Rulebook.rego
    #[arg(value_name = "DIR")]
    pub(in crate::command_line) folder: PathBuf,

    /// The source; without it the chain is checked from the IR on
    #[arg(long, value_name = "FILE")]
    pub(in crate::command_line) source: Option<PathBuf>,

    #[command(flatten)]
    pub(in crate::command_line) proof: ProofArguments,
}
