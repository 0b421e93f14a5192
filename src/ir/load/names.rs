//! Invariants of names that are free text: of flows, messages, turns and events (contract
//! section 1).

use super::{Fault, ensure};
use crate::text::{fold_blanks, quoted};

/// A name as a definition has it. There it may be quoted, so that any character can be in it, but
/// never blanks at an end or two in a row, which count as one.
pub(super) fn check_defined(
    name: &str,
    what: &str,
    pointer: impl Fn() -> String,
) -> Result<(), Fault> {
    ensure(!name.is_empty(), &pointer, || {
        format!("{what} needs a name")
    })?;
    ensure(fold_blanks(name) == name, pointer, || {
        format!(
            "{} is no name: there is a blank at an end, or two in a row",
            quoted(name)
        )
    })
}

/// A name as a line of a flow has it: there it is not quoted, and the line ends behind it.
pub(super) fn check_written(
    name: &str,
    what: &str,
    pointer: impl Fn() -> String,
) -> Result<(), Fault> {
    check_defined(name, what, &pointer)?;
    ensure(is_on_one_line(name), pointer, || {
        format!("{} is no name: it does not fit in a line", quoted(name))
    })
}

/// The name of a message as `bot` has it: what begins otherwise, or has a `$name` in it, is a text
/// or a value there.
pub(super) fn check_said(name: &str, pointer: impl Fn() -> String) -> Result<(), Fault> {
    check_written(name, "a message", &pointer)?;
    let reads =
        |rest: &str| rest.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic());
    let is_name = !name.starts_with(['"', '\'', '$'])
        && !name.starts_with("...")
        && !name.split('$').skip(1).any(reads);
    ensure(is_name, pointer, || {
        format!(
            "{} is a text or a value behind `bot`, and no name",
            quoted(name)
        )
    })
}

/// Whether no character is in a text that a line of a source cannot have.
pub(super) fn is_on_one_line(text: &str) -> bool {
    !text.contains(['\n', '\r', '\0', '\u{FEFF}'])
}
