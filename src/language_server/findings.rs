//! Findings as the protocol has them, and findings that move along with the text.

use std::ops::Range;

use lsp_types::{
    DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString,
};

use crate::diagnostics::codes::analyses::UNREACHABLE_ARM;
use crate::diagnostics::codes::flows::UNREACHABLE_STEP;
use crate::diagnostics::codes::names::{UNUSED_NAME, UNUSED_SUBFLOW};
use crate::diagnostics::codes::{syntax, text};
use crate::diagnostics::{Code, Diagnostic, Severity};
use crate::text::Source;

use super::document::Document;

/// What the client shows as the origin of a finding.
pub(super) const ORIGIN: &str = "rulebook";

/// Codes of what has no effect: shown faded.
static UNNECESSARY: [&Code; 4] = [
    &UNREACHABLE_ARM,
    &UNREACHABLE_STEP,
    &UNUSED_NAME,
    &UNUSED_SUBFLOW,
];

/// A finding with the bytes of its places.
#[derive(Clone, Debug)]
pub(super) struct Carried {
    pub(super) diagnostic: Diagnostic,
    /// By label.
    places: Vec<Range<usize>>,
}

impl Carried {
    pub(super) fn new(diagnostic: &Diagnostic, document: &Document, source: &Source) -> Self {
        let labels = diagnostic.labels.iter();
        Self {
            places: labels
                .map(|label| document.bytes(source, label.span))
                .collect(),
            diagnostic: diagnostic.clone(),
        }
    }

    /// Moves it behind an edit; false where the edit is in one of its places, so that it may no
    /// longer hold.
    pub(super) fn follow(&mut self, edited: Range<usize>, written: usize) -> bool {
        for place in &mut self.places {
            if place.start >= edited.end
                && !(place.start == place.end && edited.start == place.start)
            {
                place.start = place.start - edited.end + edited.start + written;
                place.end = place.end - edited.end + edited.start + written;
            } else if place.end > edited.start {
                return false;
            }
        }
        true
    }

    /// Whether it is about text or syntax, which is read anew at each keystroke.
    pub(super) fn is_of_syntax(&self) -> bool {
        let code = self.diagnostic.code;
        text::ALL.contains(&code) || syntax::ALL.contains(&code)
    }

    /// As the protocol has it.
    pub(super) fn shown(&self, document: &Document) -> lsp_types::Diagnostic {
        let code = self.diagnostic.code;
        let mut places = self
            .places
            .iter()
            .map(|bytes| document.range_of_bytes(bytes));
        let range = places.next().unwrap_or_default();
        let labels = self.diagnostic.labels.iter();
        let related: Vec<_> = labels
            .skip(1)
            .zip(places)
            .map(|(label, range)| DiagnosticRelatedInformation {
                location: Location::new(document.uri.clone(), range),
                message: label.text.clone(),
            })
            .collect();
        let is_unnecessary = UNNECESSARY.contains(&code);
        lsp_types::Diagnostic {
            range,
            severity: Some(severity(self.diagnostic.severity())),
            code: Some(NumberOrString::String(code.id.to_owned())),
            code_description: None,
            source: Some(ORIGIN.to_owned()),
            message: message(&self.diagnostic),
            related_information: (!related.is_empty()).then_some(related),
            tags: is_unnecessary.then(|| vec![DiagnosticTag::UNNECESSARY]),
            data: None,
        }
    }
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Note => DiagnosticSeverity::INFORMATION,
    }
}

/// The message, what stands at the place, and what to write instead.
fn message(diagnostic: &Diagnostic) -> String {
    let mut message = diagnostic.message.clone();
    let label = diagnostic.labels.first().map(|label| label.text.as_str());
    if let Some(label) = label.filter(|label| !label.is_empty()) {
        message.push_str(": ");
        message.push_str(label);
    }
    if let Some(help) = &diagnostic.help {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    message
}
