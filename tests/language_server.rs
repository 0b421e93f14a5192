//! The language server, over its protocol: on the streams of the real binary, and in process.

mod answers;
mod changes;
mod client;
mod findings;
mod meaning;
mod positions;
mod renaming;
mod robustness;

use client::Client;
