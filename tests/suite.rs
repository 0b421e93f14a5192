//! All integration tests, in one binary.
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

mod architecture;
mod command_line;
mod compiled;
mod conformance;
mod determinism;
mod diagnostics;
mod difference;
mod docs;
mod engines;
mod formatting;
mod fuzz_bodies;
mod gate;
mod generator;
mod graph;
mod language_server;
mod limits;
mod loading;
mod mutants;
mod odd_json;
mod pipelines;
mod proof;
mod properties;
mod reference;
mod regions;
mod scale;
mod schema;
mod table;
mod testing;
mod verdicts;
mod verification;
mod why;
