//! `table FILE`: what is decided in every context, as decision tables.

use super::ExitStatus;
use super::arguments::TableArguments;
use super::console::Console;

pub(super) fn run(_arguments: &TableArguments, _console: &mut Console) -> ExitStatus {
    ExitStatus::Ok
}
