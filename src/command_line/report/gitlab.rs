//! Findings for the Code Quality report of GitLab.

use serde::Serialize;

use super::fingerprint::Fingerprints;
use super::json_text::Items;
use super::region::Region;
use super::{FileReport, Outcome, Report, message_and_help};
use crate::diagnostics::{Diagnostic, Severity};

/// One array, written finding by finding.
pub(super) struct GitlabReport {
    findings: Items,
}

impl Default for GitlabReport {
    fn default() -> Self {
        Self {
            findings: Items::new(0),
        }
    }
}

#[derive(Serialize)]
struct Finding<'a> {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
    end: usize,
}

impl Report for GitlabReport {
    fn head(&mut self) -> String {
        "[".to_owned()
    }

    fn file(&mut self, file: &FileReport) -> String {
        let mut fingerprints = Fingerprints::default();
        let findings = file.diagnostics.iter();
        findings
            .map(|diagnostic| {
                let fingerprint = fingerprints.next(file, diagnostic);
                self.findings.next(&finding(file, diagnostic, fingerprint))
            })
            .collect()
    }

    fn end(&mut self, _outcome: &Outcome<'_>) -> String {
        format!("{}\n", self.findings.end())
    }
}

fn finding<'a>(file: &'a FileReport, diagnostic: &Diagnostic, fingerprint: String) -> Finding<'a> {
    let region = Region::of_finding(file.source.as_ref(), diagnostic);
    Finding {
        description: message_and_help(diagnostic),
        check_name: diagnostic.code.id,
        fingerprint,
        severity: match diagnostic.severity() {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Note => "info",
        },
        location: Location {
            path: &file.file,
            // A line must be given.
            lines: Lines {
                begin: region.map_or(1, |region| region.start.line),
                end: region.map_or(1, |region| region.end.line),
            },
        },
    }
}
