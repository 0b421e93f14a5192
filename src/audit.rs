//! The audit log `qls-decision/1`: one JSON object a line, each chained to the one before by a
//! keyed hash (gateway contract, section 5).

mod entry;

pub use entry::{Entry, Kind};

/// The value of the key `format` of every line.
pub const FORMAT: &str = "qls-decision/1";
