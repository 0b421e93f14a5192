//! JSON as a gateway reads it from strangers: bounded, and without anything that two readers
//! might read in two ways.

use std::collections::BTreeSet;

use serde_json::Value;
use thiserror::Error;

use super::reader::{Event, Reader, Scalar};
use super::{JsonError, decode, parse};

/// Bounds of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Most bytes.
    pub bytes: usize,
    /// Most levels of arrays and objects, no more than 500.
    pub depth: usize,
}

/// Why a text is not read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StrictError {
    /// It is no JSON.
    #[error(transparent)]
    NotJson(#[from] JsonError),
    /// A key stands twice in one object. Its line, from 1.
    #[error("a key stands twice in one object, at line {0}")]
    DuplicateKey(usize),
    /// A string has half of a surrogate pair. Its line, from 1.
    #[error("a string has half of a surrogate pair, at line {0}")]
    HalfPair(usize),
    /// It is longer than its bound.
    #[error("longer than {0} bytes")]
    TooLong(usize),
    /// It is deeper than its bound.
    #[error("deeper than {0} levels")]
    TooDeep(usize),
}

/// Reads one JSON value; duplicate keys and half surrogate pairs are refused, numbers keep every
/// digit.
///
/// # Errors
/// The bytes are no JSON, or break one of these rules or a bound.
pub fn parse_strict(bytes: &[u8], bounds: Bounds) -> Result<Value, StrictError> {
    check_strict(bytes, bounds)?;
    Ok(parse(bytes)?)
}

/// As [`parse_strict`], but builds no value: the text, without a byte order mark at its start.
///
/// # Errors
/// As [`parse_strict`].
pub fn check_strict(bytes: &[u8], bounds: Bounds) -> Result<&str, StrictError> {
    if bytes.len() > bounds.bytes {
        return Err(StrictError::TooLong(bounds.bytes));
    }
    let text = decode(bytes).map_err(JsonError::NotUtf8)?;
    let mut reader = Reader::new(text);
    let mut keys: Vec<BTreeSet<String>> = Vec::new();
    while let Some(event) = reader.next().map_err(|fault| JsonError::of(fault, text))? {
        match event {
            Event::Begin(_) if keys.len() >= bounds.depth => {
                return Err(StrictError::TooDeep(bounds.depth));
            }
            Event::Begin(_) => keys.push(BTreeSet::new()),
            Event::End => {
                keys.pop();
            }
            Event::Key(key) => {
                if key.has_half_pair {
                    return Err(StrictError::HalfPair(reader.line()));
                }
                let is_new = keys
                    .last_mut()
                    .is_none_or(|known| known.insert(key.text.into_owned()));
                if !is_new {
                    return Err(StrictError::DuplicateKey(reader.line()));
                }
            }
            Event::Scalar(Scalar::String(string)) if string.has_half_pair => {
                return Err(StrictError::HalfPair(reader.line()));
            }
            Event::Scalar(_) => {}
        }
    }
    Ok(text)
}
