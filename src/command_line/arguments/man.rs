//! What can be typed behind `man`.

use std::path::PathBuf;

use clap::{Args, CommandFactory};

use super::Arguments;
use crate::text::quoted;

/// Print a page of the manual
///
/// Without a command, the page tells the whole program: every command with its options, examples
/// and exit codes. Pages are in the format of `man`, and have no date: they are those of the
/// version that they name.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator man | man -l -
  RulebookTranslator man check | man -l -
  RulebookTranslator man --out-dir /usr/local/share/man/man1")]
pub(in crate::command_line) struct ManArguments {
    /// The command whose page is wanted
    #[arg(value_name = "COMMAND", value_parser = command)]
    pub(in crate::command_line) command: Option<String>,

    /// Write all pages to a folder, which is created if there is none
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub(in crate::command_line) out_dir: Option<PathBuf>,
}

/// The name of a command that has a page.
fn command(name: &str) -> Result<String, String> {
    let program = Arguments::command();
    match program.find_subcommand(name) {
        Some(command) if !command.is_hide_set() => Ok(command.get_name().to_owned()),
        _ => Err(format!("there is no command {}", quoted(name))),
    }
}
