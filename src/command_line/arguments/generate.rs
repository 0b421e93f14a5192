//! What can be typed behind `generate`.

use clap::{Args, ValueEnum};

/// Print files of this project that are generated from its code
///
/// For those who change the project: a test holds each file to what is printed here.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator generate diagnostics > docs/diagnostics.md")]
pub(in crate::command_line) struct GenerateArguments {
    /// Which file
    #[arg(value_enum)]
    pub(in crate::command_line) what: Generated,
}

/// What `generate` prints.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::command_line) enum Generated {
    /// docs/diagnostics.md
    Diagnostics,
}
