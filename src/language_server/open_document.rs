//! A document that is open: its text, as changes come, and what is shown of it.

use std::sync::Arc;

use lsp_types::TextDocumentContentChangeEvent;

use crate::diagnostics::Diagnostic;

use super::document::Document;
use super::edition::Edition;
use super::findings::Carried;
use super::keystroke::Keystroke;
use super::plain_text::PlainText;

/// Largest text that is read as a whole at each keystroke.
const SMALL: usize = 32 << 10;

/// An open document.
#[derive(Debug)]
pub(super) struct OpenDocument {
    /// As it stands.
    pub(super) document: Document,
    /// Its text, once somebody has asked about it.
    edition: Option<Arc<Edition>>,
    keystroke: Keystroke,
    /// Findings of the last analysis, moved along with the text.
    pub(super) carried: Vec<Carried>,
    /// Whether the errors of this text are yet to be published.
    pub(super) is_unpublished: bool,
}

impl OpenDocument {
    pub(super) fn new(document: Document) -> Self {
        Self {
            document,
            edition: None,
            keystroke: Keystroke::default(),
            carried: Vec::new(),
            is_unpublished: true,
        }
    }

    /// Applies the changes of a client.
    pub(super) fn change(&mut self, changes: &[TextDocumentContentChangeEvent]) {
        for change in changes {
            let document = &mut self.document;
            let Some(range) = change.range else {
                document.text = Arc::new(PlainText::new(change.text.clone()));
                self.carried.clear();
                continue;
            };
            let start = document.text.offset(range.start, document.encoding);
            let end = document.text.offset(range.end, document.encoding);
            let end = end.max(start);
            Arc::make_mut(&mut document.text).replace(start..end, &change.text);
            self.carried
                .retain_mut(|carried| carried.follow(start..end, change.text.len()));
        }
        self.is_unpublished = true;
    }

    /// Takes the text out, which is about to be another. To take it apart is left to whoever
    /// has the time.
    pub(super) fn outdate(&mut self) -> Option<Arc<Edition>> {
        let edition = self.edition.take()?;
        edition.give_up();
        Some(edition)
    }

    /// Its text.
    pub(super) fn edition(&mut self) -> Arc<Edition> {
        let document = &self.document;
        let edition = self
            .edition
            .get_or_insert_with(|| Arc::new(Edition::of(document.clone())));
        Arc::clone(edition)
    }

    /// Whether a text is the one that it has.
    pub(super) fn has(&self, edition: &Arc<Edition>) -> bool {
        let own = self.edition.as_ref();
        own.is_some_and(|own| Arc::ptr_eq(own, edition))
    }

    /// The errors of text and syntax. A small text is read as a whole for them.
    pub(super) fn errors(&mut self) -> Vec<Diagnostic> {
        let edition = self.edition();
        let decoded = &edition.decoded;
        let is_large = self.document.text.as_str().len() > SMALL && decoded.faults.is_empty();
        if edition.known_reading().is_none()
            && is_large
            && let Some(errors) = self.keystroke.errors(&decoded.source)
        {
            return errors;
        }
        edition.reading().errors.clone()
    }
}
