//! The language server, over its protocol: on the streams of the real binary, and in process.

mod client;
mod findings;

use client::Client;
