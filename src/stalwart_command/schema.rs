//! `schema`.

use super::arguments::SchemaArguments;
use crate::terminal::{Console, ExitStatus};

pub(super) fn run(_arguments: &SchemaArguments, console: &mut Console) -> ExitStatus {
    console.say("error: this build does not have this command yet\n");
    ExitStatus::Usage
}
