//! `bundle FILE`: writes an OPA bundle.

use super::arguments::BundleArguments;
use crate::terminal::{Console, ExitStatus};

pub(super) fn run(arguments: &BundleArguments, console: &mut Console) -> ExitStatus {
    let _ = (arguments, console);
    ExitStatus::Ok
}
