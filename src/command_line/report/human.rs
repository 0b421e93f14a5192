//! Findings for people, and how many there are.

use super::{FileReport, Outcome, Report, words};
use crate::diagnostics::Deny;
use crate::terminal::HumanRenderer;
use crate::text::escaped;

/// The findings of all files, and how many there are.
pub(super) struct HumanReport {
    renderer: HumanRenderer,
    denied: Vec<Deny>,
}

impl HumanReport {
    /// An empty report.
    pub(super) fn new(renderer: HumanRenderer) -> Self {
        Self {
            renderer,
            denied: Vec::new(),
        }
    }
}

impl Report for HumanReport {
    fn file(&mut self, file: &FileReport) -> String {
        for deny in file.denied() {
            if !self.denied.contains(&deny) {
                self.denied.push(deny);
            }
        }
        self.renderer
            .render(file.source.as_ref(), &file.diagnostics)
    }

    fn end(&mut self, outcome: &Outcome<'_>) -> String {
        let summary = outcome.summary;
        let denied = match self.denied.as_slice() {
            [] => String::new(),
            denied => format!(" ({})", words(denied)),
        };
        let name = outcome.only_file.map(escaped);
        format!("{}{denied}\n", summary.line(name.as_deref()))
    }
}
