//! The audit log `qls-decision/1`: one JSON object a line, each chained to the one before by a
//! keyed hash (gateway contract, section 5).
//!
//! A line is made within a transaction of the store, by [`append`], which keeps it there with the
//! chain's head; [`Log::write`] then puts it into the file, in order. A crash between the two is
//! mended when the log is opened: the store still has the line. [`verify`](verify()) tells whether
//! a file is as it was written.

mod chain;
mod checkpoint;
mod entry;
mod follow;
mod line;
mod log;
mod reading;
mod schema;
mod stats;
mod verify;

pub use chain::append;
pub use checkpoint::Checkpoint;
pub use entry::{Entry, Kind};
pub use follow::Follower;
pub use line::{Decision, Format, Line};
pub use log::{Log, LogError};
pub use schema::schema;
pub use stats::{Decided, Stats, stats};
pub use verify::{Chain, Fault, Finding, Known, Report, Tail, VerifyError, verify};

/// The value of the key `format` of every line.
pub const FORMAT: &str = "qls-decision/1";
