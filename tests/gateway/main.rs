//! The integration tests of the gateway, in one binary.
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

mod agents;
mod audit;
mod calls;
mod client;
mod configuration;
mod context_url;
mod deploy;
mod event_stream;
mod example;
mod guide;
mod harness;
mod keys;
mod pinning;
mod random_calls;
mod server;
mod store;
mod tool_check;
mod wire;
