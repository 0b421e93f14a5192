//! What can be typed behind `catalogue`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Look at a catalogue
///
/// A catalogue is what `verify --keep` writes, and all that a gateway knows of the policy.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  stalwart catalogue show
  stalwart catalogue show shop/agent.catalogue.json")]
pub(in crate::stalwart_command) struct CatalogueArguments {
    #[command(subcommand)]
    pub(in crate::stalwart_command) command: CatalogueCommand,
}

/// What is done with a catalogue.
#[derive(Debug, Subcommand)]
pub(in crate::stalwart_command) enum CatalogueCommand {
    Show(ShowArguments),
}

/// Print a catalogue for people
///
/// Its agents with their tools, what each tool asks, the rules on the order of calls, the hashes
/// of what it was compiled from, and what is pinned.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  stalwart catalogue show
  stalwart catalogue show shop/agent.catalogue.json")]
pub(in crate::stalwart_command) struct ShowArguments {
    /// The catalogue, or the folder that holds it
    #[arg(value_name = "FILE", default_value = ".")]
    pub(in crate::stalwart_command) file: PathBuf,
}
