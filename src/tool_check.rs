//! The tool check: whether a call may go on to its server, must be asked about, or is refused
//! (gateway contract, section 3). It is pure: what it needs of the run, the context and the time
//! is passed in, and it changes nothing.

mod reason;

pub use reason::Reason;
