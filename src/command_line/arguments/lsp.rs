//! What can be typed behind `lsp`.

use clap::Args;

/// Serve an editor over the Language Server Protocol, on standard input and output
///
/// An editor starts this by itself; the folder `editors` has the settings for several.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator lsp")]
pub(in crate::command_line) struct LspArguments {}
