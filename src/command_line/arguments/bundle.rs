//! What can be typed behind `bundle`.

use std::path::PathBuf;

use clap::Args;

/// Write an OPA bundle of a rulebook
///
/// The bundle holds the package, its IR and the adapters asked for, and is the same, byte for
/// byte, wherever it is made. Its revision is the hash of the rulebook.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator bundle policy.co --out bundle.tar.gz")]
pub(in crate::command_line) struct BundleArguments {
    /// The rulebook, or an IR made from one
    pub(in crate::command_line) file: PathBuf,
}
