//! `lsp`: serves an editor.

use std::io;

use super::arguments::LspArguments;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::internal::INTERNAL;
use crate::language_server::{Ending, serve_streams};
use crate::terminal::{Console, ExitStatus};

/// Standard output is the conversation's alone.
pub(super) fn run(_: &LspArguments, console: &mut Console) -> ExitStatus {
    match serve_streams(io::stdin(), io::stdout()) {
        Ok(Ending::Orderly) => ExitStatus::Ok,
        Ok(Ending::WithoutShutdown) => ExitStatus::No,
        Err(error) => {
            let message = format!("no thread could be started: {error}");
            console.complain(&Diagnostic::without_place(&INTERNAL, message));
            ExitStatus::Fault
        }
    }
}
