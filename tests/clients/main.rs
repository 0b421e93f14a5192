//! The gateway before other people's programs: the protocol's conformance suite, and its official
//! clients.
//!
//! `STALWART_CLIENTS` names the folder that `scripts/test-clients` installs them in. Without it
//! these tests say loudly that they were skipped; with `CI=true` they fail.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "tests end at what they did not expect, and say so"
)]

mod cells;
mod conformance;
mod fixture_server;
mod programs;
mod stage;
mod towards_servers;
