//! What can be typed behind `verify`.

use std::path::PathBuf;

use clap::Args;

use super::{ProjectArguments, ProofArguments};

/// Check the chain from the source to the Rego of a folder or a bundle, and prove the Rego
///
/// Computes every hash anew, compiles the source where it is given, emits the Rego from the IR
/// and compares bytes, and proves that it decides as the IR does. Prints what was seen of each
/// link, up to the first that is broken. Of a bundle, the archive, its manifest and what its
/// signature covers are checked, too. Without DIR, the folder of every rulebook of the project is
/// checked with its source.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator verify opa
  RulebookTranslator verify opa --source policy.co --with-opa
  RulebookTranslator verify bundle.tar.gz --source policy.co
  RulebookTranslator verify --all")]
pub(in crate::command_line) struct VerifyArguments {
    /// The folder that holds rulebook.ir.json and Rulebook.rego, or a bundle [default: --all]
    #[arg(value_name = "DIR")]
    pub(in crate::command_line) folder: Option<PathBuf>,

    /// Check the artifacts of every rulebook that the project's `rulebook.toml` lists
    #[arg(long, conflicts_with = "folder")]
    pub(in crate::command_line) all: bool,

    #[command(flatten)]
    pub(in crate::command_line) project: ProjectArguments,

    /// The source; without it the chain is checked from the IR on
    #[arg(long, value_name = "FILE", requires = "folder")]
    pub(in crate::command_line) source: Option<PathBuf>,

    #[command(flatten)]
    pub(in crate::command_line) proof: ProofArguments,
}
