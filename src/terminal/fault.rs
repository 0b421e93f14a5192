//! The last line of defence: a panic is a fault of the program, and is reported as one.

use std::io::Write;
use std::panic::{self, AssertUnwindSafe};

use super::ExitStatus;
use crate::diagnostics::Code;

/// Says what a panic is, in place of the language's own message and trace. For the process that
/// runs commands only: it holds for all threads. `fault` is the code of the program's own faults,
/// `with` is what a report should have with it.
pub(crate) fn announce(fault: &'static Code, with: &'static str) {
    panic::set_hook(Box::new(move |info| {
        let place = info
            .location()
            .map(|place| format!(" at {}:{}", place.file(), place.line()))
            .unwrap_or_default();
        // Nothing more can be done where this cannot be written.
        let _ = std::io::stderr().write_all(message(fault, with, &place).as_bytes());
    }));
}

fn message(fault: &Code, with: &str, place: &str) -> String {
    format!(
        "error[{}]: {}{place}\n  help: please report it with {with}\n",
        fault.id, fault.title
    )
}

/// Runs a command; a panic in it ends with a code of its own.
pub(crate) fn guard(command: impl FnOnce() -> ExitStatus) -> ExitStatus {
    panic::catch_unwind(AssertUnwindSafe(command)).unwrap_or(ExitStatus::Fault)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::codes::internal::INTERNAL;

    #[test]
    fn a_panic_is_a_fault() {
        assert_eq!(
            message(&INTERNAL, "the rulebook that shows it", " at a.rs:7"),
            "error[RB0901]: fault of the compiler at a.rs:7\n  help: please report it with the rulebook that shows it\n"
        );
        assert_eq!(guard(|| ExitStatus::No), ExitStatus::No);
        assert_eq!(guard(|| panic!("on purpose")), ExitStatus::Fault);
    }
}
