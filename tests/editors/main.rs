//! What is in `editors/`: held to the language, and used with the editors' own programs.
//!
//! `STALWART_EDITORS` names the folder that `scripts/test-editors` installs these in. Without it the
//! tests that need one say loudly that they were skipped; with `CI=true` they fail.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests end at what they did not expect, and say so"
)]

mod helix;
mod keywords;
mod neovim;
mod programs;
mod vscode;
