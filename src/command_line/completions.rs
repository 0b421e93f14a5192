//! `completions SHELL`: the script by which a shell completes commands and options.

use clap::CommandFactory;

use super::arguments::{Arguments, CompletionsArguments};
use crate::terminal::{Console, ExitStatus, completions};

pub(super) fn run(arguments: &CompletionsArguments, console: &mut Console) -> ExitStatus {
    let program = Arguments::command();
    console.answer(&completions(
        "RulebookTranslator",
        &program,
        arguments.shell,
    ));
    ExitStatus::Ok
}
