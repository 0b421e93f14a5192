//! Findings on paper: for people, and as JSON.

mod human;
mod json;
mod shown_source;
mod summary;

pub(super) use human::HumanRenderer;
pub(super) use json::{compact, render as render_json};
pub(super) use summary::{Summary, plural};

use crate::diagnostics::Diagnostic;
use crate::text::Source;

/// What was found in one file.
#[derive(Debug)]
pub(super) struct FileReport {
    /// The file's path as it is recorded: relative, with `/`, not escaped.
    pub(super) file: String,
    /// The text that places refer to; none when the file could not be read.
    pub(super) source: Option<Source>,
    /// The findings, sorted.
    pub(super) diagnostics: Vec<Diagnostic>,
}
