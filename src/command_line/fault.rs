//! The last line of defence: a panic is a fault of the compiler, and is reported as one.

use std::io::Write;
use std::panic::{self, AssertUnwindSafe};

use super::ExitStatus;
use crate::diagnostics::codes::artifacts::INTERNAL;

/// Runs a command; a panic in it ends with a message and a code of its own, not with a trace.
pub(super) fn guard(command: impl FnOnce() -> ExitStatus) -> ExitStatus {
    panic::set_hook(Box::new(|info| {
        let place = info
            .location()
            .map(|place| format!(" at {}:{}", place.file(), place.line()))
            .unwrap_or_default();
        let message = format!(
            "error[{}]: {}{place}\n  help: please report it with the rulebook that shows it\n",
            INTERNAL.id, INTERNAL.title
        );
        // Nothing more can be done where this cannot be written.
        let _ = std::io::stderr().write_all(message.as_bytes());
    }));
    panic::catch_unwind(AssertUnwindSafe(command)).unwrap_or(ExitStatus::Fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_fault() {
        assert_eq!(guard(|| ExitStatus::No), ExitStatus::No);
        assert_eq!(guard(|| panic!("on purpose")), ExitStatus::Fault);
        let _ = panic::take_hook();
    }
}
