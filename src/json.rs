//! Reads JSON: the one reader for what hosts and callers pass, and for IR files.
//!
//! It is written here since no library serves. `serde_json` stops at 128 levels, or else recurses
//! as deep as its input says; it refuses the escape of half a surrogate pair, which OPA reads;
//! where it keeps numbers exact, an object whose first key is the library's own marker *becomes*
//! a number, so that a caller could pass an object, which OPA refuses, as an amount; and it tells
//! neither of keys that stand twice nor of the place of a value, which the loader of an IR needs.
//!
//! The grammar is that of RFC 8259, without exception. Nothing here recurses, and the time is
//! linear in the length of the text.

mod canonical;
mod items;
mod members;
mod reader;
mod strict;

use serde_json::{Map, Number, Value};
use thiserror::Error;

pub use canonical::{canonical, canonical_members};
pub use items::items;
pub use members::{Member, Members};
pub use strict::{Bounds, StrictError, check_strict, parse_strict};

pub(crate) use reader::{Container, Event, Fault, JsonString, Problem, Reader, Scalar, is_blank};

/// How many levels of arrays and objects [`parse`] keeps.
///
/// A leaf reads a name of at most 512 segments, since a line has 1,024 characters, in a context
/// that is one key of the input. No leaf reads below 600 levels, and none tells an array or an
/// object at their end from null.
const KEPT_LEVELS: usize = 600;

/// Why bytes are no JSON.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum JsonError {
    /// Not UTF-8; the offset of the first byte that is not.
    #[error("not UTF-8 at byte {0}")]
    NotUtf8(usize),
    /// Nothing but blanks.
    #[error("there is no JSON value")]
    Empty,
    /// Ends before the value does.
    #[error("the JSON value is not complete")]
    Incomplete,
    /// Not JSON at this place.
    #[error("not JSON at line {line}, column {column}")]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Column in bytes, from 1, of the first byte that cannot stand there.
        column: usize,
    },
}

/// Reads one JSON value as OPA reads it (contract section 4). A byte order mark before it is
/// dropped; of duplicate keys the last wins; numbers keep every digit; half a surrogate pair is
/// the character U+FFFD.
///
/// Arrays and objects may nest to any depth. Those below 600 levels, which no name reaches, are
/// kept as null, so that the value can be walked and dropped on a stack of 1 MiB.
///
/// # Errors
/// The bytes are not UTF-8, or not one JSON value.
pub fn parse(bytes: &[u8]) -> Result<Value, JsonError> {
    let text = decode(bytes).map_err(JsonError::NotUtf8)?;
    let mut reader = Reader::new(text);
    build(&mut reader).map_err(|fault| JsonError::of(fault, text))
}

/// Reads JSON values that stand one behind the other, as in files that are joined or in JSON
/// lines; each as [`parse`] reads it.
///
/// # Errors
/// The bytes are not UTF-8, or no JSON values; nothing but blanks is none.
pub fn parse_sequence(bytes: &[u8]) -> Result<Vec<Value>, JsonError> {
    let text = decode(bytes).map_err(JsonError::NotUtf8)?;
    let mut reader = Reader::of_sequence(text);
    let mut values = Vec::new();
    loop {
        values.push(build(&mut reader).map_err(|fault| JsonError::of(fault, text))?);
        if !reader.begin_next() {
            return Ok(values);
        }
    }
}

impl JsonError {
    /// What a fault of a text is called.
    pub(crate) fn of(fault: Fault, text: &str) -> Self {
        if !fault.is_end {
            Self::Syntax {
                line: fault.line,
                column: fault.column,
            }
        } else if text.bytes().all(is_blank) {
            Self::Empty
        } else {
            Self::Incomplete
        }
    }
}

/// The text of bytes, without a byte order mark at its start; or the offset of the first byte
/// that is not UTF-8.
pub(crate) fn decode(bytes: &[u8]) -> Result<&str, usize> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.valid_up_to())?;
    Ok(text.strip_prefix('\u{FEFF}').unwrap_or(text))
}

/// An array or object that is not closed yet.
enum Open {
    Array(Vec<Value>),
    /// The entries, and the key whose value comes next.
    Object(Map<String, Value>, String),
}

fn build(reader: &mut Reader<'_>) -> Result<Value, Fault> {
    let mut open: Vec<Open> = Vec::new();
    // Levels below those that are kept.
    let mut skipped: usize = 0;
    let mut document = Value::Null;
    while let Some(event) = reader.next()? {
        let value = match event {
            Event::Begin(_) if open.len() == KEPT_LEVELS => {
                skipped += 1;
                continue;
            }
            Event::End if skipped > 0 => {
                skipped -= 1;
                if skipped > 0 {
                    continue;
                }
                Value::Null
            }
            _ if skipped > 0 => continue,
            Event::Begin(container) => {
                open.push(match container {
                    Container::Array => Open::Array(Vec::new()),
                    Container::Object => Open::Object(Map::new(), String::new()),
                });
                continue;
            }
            Event::Key(next) => {
                if let Some(Open::Object(_, key)) = open.last_mut() {
                    *key = next.text.into_owned();
                }
                continue;
            }
            Event::End => match open.pop() {
                Some(Open::Array(items)) => Value::Array(items),
                Some(Open::Object(entries, _)) => Value::Object(entries),
                None => continue,
            },
            Event::Scalar(scalar) => scalar_value(scalar),
        };
        match open.last_mut() {
            Some(Open::Array(items)) => items.push(value),
            Some(Open::Object(entries, key)) => {
                entries.insert(std::mem::take(key), value);
            }
            None => document = value,
        }
    }
    Ok(document)
}

fn scalar_value(scalar: Scalar<'_>) -> Value {
    match scalar {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => Value::Bool(value),
        // The library takes any number of the grammar, and keeps its digits as text.
        Scalar::Number(digits) => digits
            .parse()
            .map_or(Value::Null, |number: Number| Value::Number(number)),
        Scalar::String(string) => Value::String(string.text.into_owned()),
    }
}

#[cfg(test)]
mod tests;
