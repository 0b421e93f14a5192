//! One finding a line as JSON, so that a reader need not wait for the last file.

use super::finding::FileFinding;
use super::json_text::compact;
use super::{FileReport, Report};

/// The findings of `rulebook-check/1`, each with its file.
pub(super) struct JsonLinesReport;

impl Report for JsonLinesReport {
    fn file(&mut self, file: &FileReport) -> String {
        let findings = file.diagnostics.iter();
        findings
            .map(|diagnostic| compact(&FileFinding::of(file, diagnostic)))
            .collect()
    }
}
