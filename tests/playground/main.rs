//! The playground: that its compiler answers as the programs do, and that its page does in a real
//! browser what it is for.
//!
//! `STALWART_PLAYGROUND` names the folder that `scripts/playground` builds,
//! `STALWART_PLAYGROUND_MODULES` the one that it prints with `--install-only`, `STALWART_BROWSER`
//! the browser that `scripts/browser` prints. Without them these tests say loudly that they were
//! skipped; with `CI=true` they fail.
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

mod browser;
mod built;
mod page;
mod parity;
