//! What can be typed behind `lsp`.

use clap::Args;

/// Serve an editor over the Language Server Protocol, on standard input and output
///
/// An editor starts this by itself; nobody types it. It publishes what `check` finds while a
/// rulebook is typed, tells what each branch decides, finds, completes and renames names, formats,
/// and fixes. It ends when the editor says so, or closes its input: with 0 behind `shutdown` and
/// `exit`, with 1 otherwise.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator lsp")]
pub(in crate::command_line) struct LspArguments {
    /// Standard input and output are all there is; some editors ask for them by this option
    #[arg(long, hide = true)]
    pub(in crate::command_line) stdio: bool,
}
