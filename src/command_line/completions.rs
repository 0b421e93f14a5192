//! `completions SHELL`: the script by which a shell completes commands and options.

use clap::{Command, CommandFactory};

use super::ExitStatus;
use super::arguments::{Arguments, CompletionsArguments};
use super::console::Console;

/// What is typed to start the program.
const PROGRAM: &str = "RulebookTranslator";

pub(super) fn run(arguments: &CompletionsArguments, console: &mut Console) -> ExitStatus {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut visible(), PROGRAM, &mut script);
    console.answer(&String::from_utf8_lossy(&script));
    ExitStatus::Ok
}

/// The program without the commands that `--help` does not show: nobody looks for them.
fn visible() -> Command {
    let program = Arguments::command();
    let shown = program.get_subcommands().filter(|it| !it.is_hide_set());
    Command::new(PROGRAM)
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_subcommand(true)
        .args(program.get_arguments().cloned())
        .subcommands(shown.cloned())
}
