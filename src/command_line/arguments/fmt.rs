//! What can be typed behind `fmt`.

use std::path::PathBuf;

use clap::Args;

use super::ProjectArguments;

/// Write rulebooks in one canonical style
///
/// The text is changed, what it means is not: comments and their order stay, and before a file
/// is written the result is read again and compared with it. A file in this style already is
/// left alone, down to its time. Without a path, the rulebooks of the project are formatted.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator fmt policy.co
  RulebookTranslator fmt policies/ --check
  RulebookTranslator fmt policy.co --diff
  RulebookTranslator fmt - < policy.co

A file's hash changes with its text: emit its artifacts again.")]
pub(in crate::command_line) struct FmtArguments {
    /// Rulebooks, folders (every .co file below them, but not in folders whose names begin with a dot), or `-`: standard input, formatted to standard output [default: --all]
    #[arg(value_name = "FILE|DIR|-")]
    pub(in crate::command_line) paths: Vec<PathBuf>,

    /// Format every rulebook that the project's `rulebook.toml` lists
    #[arg(long, conflicts_with = "paths")]
    pub(in crate::command_line) all: bool,

    #[command(flatten)]
    pub(in crate::command_line) project: ProjectArguments,

    /// Write nothing; name the files that would change, and end with 1 if there are any
    #[arg(long)]
    pub(in crate::command_line) check: bool,

    /// Write nothing; print what would change, and end with 1 if anything would
    #[arg(long)]
    pub(in crate::command_line) diff: bool,
}
