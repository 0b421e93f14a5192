//! Loads an IR (contract section 6): what comes out satisfies every invariant that the checker
//! guarantees, so a file that someone edited is as good as a compiled one, or is refused.

mod conditions;
mod flows;
mod names;
mod node;
mod paths;
mod rulebook;
mod shape;

use std::fmt;

use super::Rulebook;
use super::limits::MAX_ARTIFACT_BYTES;
use crate::diagnostics::{Code, Diagnostic, codes::artifacts};

/// Why an IR is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    code: &'static Code,
    /// Line of the file, from 1.
    pub line: usize,
    /// The JSON pointer of the part that is wrong; empty for the file as a whole.
    pub pointer: String,
    /// What is wrong, without the place.
    pub message: String,
}

impl fmt::Display for LoadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            write!(formatter, "line {}: {}", self.line, self.message)
        } else {
            write!(
                formatter,
                "line {}, at {}: {}",
                self.line,
                crate::text::visible(&self.pointer),
                self.message
            )
        }
    }
}

impl std::error::Error for LoadError {}

impl LoadError {
    /// The error as a diagnostic. It has no place in a source; the message tells line and
    /// pointer.
    pub fn to_diagnostic(&self) -> Diagnostic {
        let help = if self.code == &artifacts::IR_OTHER_FORMAT {
            "emit the rulebook again with this version"
        } else {
            "emit it again from its source: the file is generated, and is not meant to be edited"
        };
        Diagnostic::without_place(self.code, self.to_string()).with_help(help)
    }
}

/// Reads the bytes of an IR.
///
/// # Errors
/// The first thing that is wrong: no JSON, another format, a key that is unknown, missing or
/// there twice, or an invariant that does not hold.
pub fn from_bytes(bytes: &[u8]) -> Result<Rulebook, LoadError> {
    let whole = |line, message: String| LoadError {
        code: &artifacts::IR_NOT_JSON,
        line,
        pointer: String::new(),
        message,
    };
    if bytes.len() > MAX_ARTIFACT_BYTES {
        return Err(LoadError {
            code: &artifacts::IR_TOO_LARGE,
            ..whole(1, "the file is larger than 16 MiB".to_owned())
        });
    }
    let node = node::read(bytes).map_err(|fault| whole(fault.line, fault.message))?;
    let place = |fault: Fault, code| LoadError {
        code,
        line: node.line_at(&fault.pointer),
        pointer: fault.pointer,
        message: fault.message,
    };
    shape::check_format(&node).map_err(|fault| place(fault, &artifacts::IR_OTHER_FORMAT))?;
    let rulebook = shape::rulebook(&node).map_err(|fault| place(fault, &artifacts::IR_SHAPE))?;
    rulebook::check(&rulebook).map_err(|fault| place(fault, &artifacts::IR_INVARIANT))?;
    Ok(rulebook)
}

/// Something wrong at a JSON pointer.
#[derive(Debug)]
struct Fault {
    pointer: String,
    message: String,
}

/// Fails with a message at a pointer unless the condition holds. Both are made only then.
fn ensure(
    holds: bool,
    pointer: impl FnOnce() -> String,
    message: impl FnOnce() -> String,
) -> Result<(), Fault> {
    if holds {
        return Ok(());
    }
    Err(Fault {
        pointer: pointer(),
        message: message(),
    })
}

#[cfg(test)]
mod tests;
