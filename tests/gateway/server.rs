//! The side that agents connect to, and the process around it: through real sockets, before a
//! scripted core.

mod both_eras;
mod peer;
mod process;
mod scripted;
mod session_bounds;
mod session_era;
mod stateless_era;
