//! What can be typed behind `check`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::deny;
use crate::diagnostics::Deny;

/// Say what is wrong with a rulebook, with all rulebooks below a folder, or of the project
///
/// Findings are the answer, and go to standard output. Without a path, the rulebooks of the
/// project are checked, and its `rulebook.toml` itself.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator check policy.co
  RulebookTranslator check policies/ --deny warnings
  RulebookTranslator check --all --deny RB0401
  RulebookTranslator check policy.co --format json
  RulebookTranslator check - < policy.co")]
pub(in crate::command_line) struct CheckArguments {
    /// Rulebooks, IRs, folders (every .co file below them, but not in folders whose names begin with a dot), or `-` for standard input [default: --all]
    #[arg(value_name = "FILE|DIR|-")]
    pub(in crate::command_line) paths: Vec<PathBuf>,

    /// Check every rulebook that the project's `rulebook.toml` lists, and that file itself
    #[arg(long, conflicts_with = "paths")]
    pub(in crate::command_line) all: bool,

    /// How findings are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(in crate::command_line) format: Format,

    /// End with 1 where there is such a finding: `warnings`, or the code of a warning or note
    #[arg(long, value_name = "WHAT", value_parser = deny)]
    pub(in crate::command_line) deny: Vec<Deny>,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::command_line) enum Format {
    /// For people, with the lines of the source
    Human,
    /// One JSON object, `rulebook-check/1`
    Json,
}
