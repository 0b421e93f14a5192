//! Syntax errors as they are found: one a line, fifty a run.

use std::collections::BTreeSet;

use crate::diagnostics::{Diagnostic, Sink, codes::syntax};
use crate::text::Source;

/// Most syntax errors that one run shows.
pub(super) const MAX_ERRORS: usize = 50;

/// Collects syntax errors. The first one of a line counts, later ones may follow from it.
pub(super) struct Report<'a> {
    source: &'a Source,
    lines: BTreeSet<usize>,
    found: Vec<Diagnostic>,
}

impl<'a> Report<'a> {
    pub(super) fn new(source: &'a Source) -> Self {
        Self {
            source,
            lines: BTreeSet::new(),
            found: Vec::new(),
        }
    }

    /// Adds an error, unless its line has one.
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        let line = diagnostic
            .span()
            .map_or(0, |span| self.source.line_of(span.start));
        if self.lines.insert(line) {
            self.found.push(diagnostic);
        }
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Hands the errors over, sorted by place; what is beyond the limit is counted by one last
    /// error at the first place that is not shown.
    pub(super) fn finish(self, sink: &mut Sink) {
        sink.extend(limited(self.found));
    }
}

/// At most [`MAX_ERRORS`] by place, and one that counts the rest.
pub(super) fn limited(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    found.sort_by_key(Diagnostic::span);
    if found.len() <= MAX_ERRORS {
        return found;
    }
    let rest = found.split_off(MAX_ERRORS);
    let count = rest.len();
    if let Some(span) = rest.first().and_then(Diagnostic::span) {
        let message = match count {
            1 => "1 more error is not shown".to_owned(),
            _ => format!("{count} more errors are not shown"),
        };
        found.push(
            Diagnostic::new(&syntax::MORE_ERRORS, span, message)
                .with_label("the first of them is here")
                .with_help("correct the errors above, then check again"),
        );
    }
    found
}
