//! How a program of this package runs what was typed.

use std::ffi::OsString;

use clap::Parser;

use super::{Color, Console, ExitStatus};

/// Runs the command that was typed, or says how one is typed. `color` is what was asked for, and
/// `dispatch` does the work.
pub(crate) fn run<A: Parser>(
    arguments: Vec<OsString>,
    color: fn(&A) -> Color,
    dispatch: fn(&A, &mut Console) -> ExitStatus,
) -> ExitStatus {
    // The colours of a usage message are wanted before the arguments are understood.
    let asked = Color::asked_for(&arguments);
    match A::try_parse_from(&arguments) {
        Ok(parsed) => {
            let mut console = Console::new(color(&parsed));
            let status = dispatch(&parsed, &mut console);
            console.finish(status)
        }
        Err(error) => {
            let mut console = Console::new(asked);
            let status = console.usage(&error);
            console.finish(status)
        }
    }
}
