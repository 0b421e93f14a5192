//! The tool check: whether a call may go on to its server, must be asked about, or is refused
//! (gateway contract, section 3). It is pure: what it needs of the run, the context and the time
//! is passed in, and it changes nothing.
//!
//! A [`Policy`] is built once from a catalogue. A call's [`Arguments`] are read from the client's
//! text, and [`check`] goes through the [steps](STEPS) in order. What it says holds only for
//! the state that [`Facts`] showed: whoever forwards a call checks it in the transaction that
//! records it, and after every answer of a person the whole check runs again.

mod arguments;
pub mod confirm;
mod examination;
mod facts;
mod policy;
mod question;
mod reason;
mod refusal;
mod rulebook;
mod schema;
mod steps;

pub use arguments::{Arguments, ArgumentsError, RESERVED};
pub use confirm::Answer;
pub use examination::{Context, Examined, Verdict, check};
pub use facts::Facts;
pub use policy::{Policy, PolicyError};
pub use question::{MAX_QUESTION_BYTES, Shown, TooLong};
pub use reason::Reason;
pub use refusal::Refusal;
pub use steps::{STEPS, Step};
