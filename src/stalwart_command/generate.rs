//! `generate WHAT`: parts of the project's documents that its code is the source of.

use super::arguments::{GenerateArguments, Generated};
use crate::configuration;
use crate::terminal::{Console, ExitStatus};

pub(super) fn run(arguments: &GenerateArguments, console: &mut Console) -> ExitStatus {
    console.answer(&match arguments.what {
        Generated::GatewayKeys => configuration::table(),
    });
    ExitStatus::Ok
}
