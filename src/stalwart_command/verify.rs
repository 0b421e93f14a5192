//! `verify`.

use super::arguments::VerifyArguments;
use crate::terminal::{Console, ExitStatus};

pub(super) fn run(_arguments: &VerifyArguments, console: &mut Console) -> ExitStatus {
    console.say("error: this build does not have this command yet\n");
    ExitStatus::Usage
}
