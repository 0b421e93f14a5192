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
  RulebookTranslator completions bash > ~/.local/share/bash-completion/completions/RulebookTranslator
  RulebookTranslator completions zsh > ~/.zfunc/_RulebookTranslator
  RulebookTranslator completions fish > ~/.config/fish/completions/RulebookTranslator.fish")]
pub(in crate::command_line) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(in crate::command_line) shell: Shell,
}
