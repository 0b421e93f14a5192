//! Logs: one JSON object a line on standard error. What strangers write stands in JSON strings
//! alone, so that it cannot look like a line of its own; tokens and arguments are never logged.

use std::io;

use tracing::Level;
use tracing_subscriber::fmt;
use tracing_subscriber::fmt::MakeWriter;

/// A subscriber that writes JSON lines.
pub fn subscriber<W>(level: Level, writer: W) -> impl tracing::Subscriber + Send + Sync
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    fmt()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_span_list(false)
        .with_max_level(level)
        .with_writer(writer)
        .finish()
}

/// Writes the logs of this process to standard error. Does nothing where they are written
/// already.
pub fn to_standard_error(level: Level) {
    let _ = tracing::subscriber::set_global_default(subscriber(level, io::stderr));
}
