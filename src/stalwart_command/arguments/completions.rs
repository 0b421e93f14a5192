//! What can be typed behind `completions`.

use clap::Args;
use clap_complete::Shell;

/// Print what a shell needs to complete commands and options
///
/// The script goes to standard output. A shell reads it from the folder that it keeps for such
/// files, or by `source`; it needs a new one when this program gets new options.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  stalwart completions bash > ~/.local/share/bash-completion/completions/stalwart
  stalwart completions zsh > ~/.zfunc/_stalwart
  stalwart completions fish > ~/.config/fish/completions/stalwart.fish")]
pub(in crate::stalwart_command) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(in crate::stalwart_command) shell: Shell,
}
