//! The language server: what an editor asks of a rulebook, over the Language Server Protocol 3.17.
//!
//! One thread talks, one answers requests, one analyses. A keystroke is read at once and its
//! errors of syntax are published, whatever the others are at; what the lowering and the analyses
//! find follows when nobody types for a moment, and is given up where newer text comes. What is
//! published in the end is what `check` finds.
//!
//! Requests are about the text that was there when they came. Where it changes before they are
//! answered, they are answered as modified.

mod analyst;
mod branches;
mod capabilities;
mod completion;
mod document;
mod editing;
mod edition;
mod findings;
mod framing;
mod hover;
mod keystroke;
mod navigation;
mod open_document;
mod outline;
mod plain_text;
mod requests;
mod session;
mod symbols;
mod tokens;
mod tool_names;
mod waiting;

use lsp_server::Connection;

pub use framing::serve_streams;
pub use plain_text::{Encoding, PlainText};

/// How a client took its leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By `shutdown` and `exit`.
    Orderly,
    /// By `exit` without a `shutdown` before it, or by closing the stream.
    WithoutShutdown,
}

/// Serves a client until it takes its leave.
///
/// The channels of the connection should be unbounded: answers are never waited for.
pub fn serve(connection: &Connection) -> Ending {
    session::Session::run(connection)
}
