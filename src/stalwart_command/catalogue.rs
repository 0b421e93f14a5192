//! `catalogue`.

use super::arguments::CatalogueArguments;
use crate::terminal::{Console, ExitStatus};

pub(super) fn run(_arguments: &CatalogueArguments, console: &mut Console) -> ExitStatus {
    console.say("error: this build does not have this command yet\n");
    ExitStatus::Usage
}
