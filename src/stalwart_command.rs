//! The command line of the gateway: one file per command. The only part behind the gateway's
//! modules that knows of arguments, terminals and exit codes.

mod arguments;
mod audit;
mod catalogue;
mod completions;
mod demo;
mod gateway;
mod generate;
mod input;
mod runtime;
mod schema;
mod verify;

use std::ffi::OsString;

use arguments::{Arguments, Command};

use crate::diagnostics::codes::internal::GATEWAY;
pub use crate::terminal::ExitStatus;
use crate::terminal::{self, Console, fault};

/// Runs the command that the process was started with, and returns what it ends with. Nothing
/// is left to do behind it.
pub fn main() -> ExitStatus {
    fault::announce(&GATEWAY, "what was typed, and the files that were read");
    fault::guard(|| run(std::env::args_os().collect()))
}

fn run(arguments: Vec<OsString>) -> ExitStatus {
    terminal::run(
        arguments,
        |parsed: &Arguments| parsed.color,
        |parsed, console| dispatch(&parsed.command, console),
    )
}

fn dispatch(command: &Command, console: &mut Console) -> ExitStatus {
    match command {
        Command::Verify(arguments) => verify::run(arguments, console),
        Command::Catalogue(arguments) => catalogue::run(arguments, console),
        Command::Audit(arguments) => audit::run(arguments, console),
        Command::Schema(arguments) => schema::run(arguments, console),
        Command::Gateway(arguments) => gateway::run(arguments, console),
        Command::Demo(arguments) => demo::run(arguments, console),
        Command::Completions(arguments) => completions::run(arguments, console),
        Command::Generate(arguments) => generate::run(arguments, console),
    }
}
