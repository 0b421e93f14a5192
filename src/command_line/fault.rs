//! The last line of defence: a panic is a fault of the compiler, and is reported as one.

use std::io::Write;
use std::panic::{self, AssertUnwindSafe};

use super::ExitStatus;
use crate::diagnostics::codes::internal::INTERNAL;

/// Says what a panic is, in place of the language's own message and trace. For the process that
/// runs commands only: it holds for all threads.
pub(super) fn announce() {
    panic::set_hook(Box::new(|info| {
        let place = info
            .location()
            .map(|place| format!(" at {}:{}", place.file(), place.line()))
            .unwrap_or_default();
        // Nothing more can be done where this cannot be written.
        let _ = std::io::stderr().write_all(message(&place).as_bytes());
    }));
}

fn message(place: &str) -> String {
    format!(
        "error[{}]: {}{place}\n  help: please report it with the rulebook that shows it\n",
        INTERNAL.id, INTERNAL.title
    )
}

/// Runs a command; a panic in it ends with a code of its own.
pub(super) fn guard(command: impl FnOnce() -> ExitStatus) -> ExitStatus {
    panic::catch_unwind(AssertUnwindSafe(command)).unwrap_or(ExitStatus::Fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_fault() {
        assert_eq!(
            message(" at a.rs:7"),
            "error[RB0901]: fault of the compiler at a.rs:7\n  help: please report it with the rulebook that shows it\n"
        );
        assert_eq!(guard(|| ExitStatus::No), ExitStatus::No);
        assert_eq!(guard(|| panic!("on purpose")), ExitStatus::Fault);
    }
}
