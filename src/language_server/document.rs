//! One open document: its text, what was read in it, and what was found.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use lsp_types::{Position, TextDocumentContentChangeEvent, Uri};

use crate::diagnostics::{Diagnostic, Sink};
use crate::lowering::Output;
use crate::syntax::{self, tree};
use crate::text::{BYTE_ORDER_MARK, Source, Span, TextFault};

use super::findings::Carried;
use super::keystroke::Keystroke;
use super::plain_text::{Encoding, PlainText};
use super::symbols::Symbols;

/// Largest text that is read as a whole at each keystroke.
const SMALL: usize = 32 << 10;

/// One text behind its normalisation.
#[derive(Debug)]
pub(super) struct Decoded {
    /// The text.
    pub(super) source: Source,
    /// What is wrong with the text itself.
    pub(super) faults: Vec<TextFault>,
}

/// What was read in one text.
#[derive(Debug)]
pub(super) struct Reading {
    decoded: Arc<Decoded>,
    /// The tree; none where nothing could be read.
    pub(super) tree: Option<tree::Rulebook>,
    /// Errors of text and syntax, in the order of finding.
    pub(super) errors: Vec<Diagnostic>,
    symbols: OnceLock<Symbols>,
}

impl Reading {
    /// Reads a whole text.
    pub(super) fn of(decoded: Arc<Decoded>) -> Self {
        let mut sink = Sink::new();
        let tree = syntax::parse(&decoded.source, &decoded.faults, &mut sink);
        Self {
            errors: sink.found().to_vec(),
            decoded,
            tree,
            symbols: OnceLock::new(),
        }
    }

    /// The text behind its normalisation.
    pub(super) fn source(&self) -> &Source {
        &self.decoded.source
    }

    /// The names in it.
    pub(super) fn symbols(&self) -> &Symbols {
        self.symbols.get_or_init(|| match &self.tree {
            Some(tree) => Symbols::of(tree, self.source()),
            None => Symbols::default(),
        })
    }
}

/// What was found in one text, in the end.
#[derive(Debug)]
pub(super) struct Analysis {
    /// All findings, sorted by place.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The rulebook and its places; none where there are errors.
    pub(super) output: Option<Output>,
}

/// An open document.
#[derive(Debug)]
pub(super) struct Document {
    /// Its address.
    pub(super) uri: Uri,
    /// Its version, as the client counts.
    pub(super) version: i32,
    /// How often its text was another, over all documents: no two texts share one.
    pub(super) generation: u64,
    /// Its text.
    pub(super) text: PlainText,
    /// The text behind its normalisation, unless it has changed since.
    decoded: Option<Arc<Decoded>>,
    /// What was read in the text, unless it has changed since.
    pub(super) reading: Option<Arc<Reading>>,
    keystroke: Keystroke,
    /// What was found in the text, unless it has changed since.
    pub(super) analysis: Option<Arc<Analysis>>,
    /// Findings of the last analysis, moved along with the text.
    pub(super) carried: Vec<Carried>,
    /// Whether the errors of this text are yet to be published.
    pub(super) is_unpublished: bool,
    /// What its columns count.
    pub(super) encoding: Encoding,
}

impl Document {
    pub(super) fn new(uri: Uri, version: i32, text: String, encoding: Encoding) -> Self {
        Self {
            uri,
            version,
            generation: 0,
            text: PlainText::new(text),
            decoded: None,
            reading: None,
            keystroke: Keystroke::default(),
            analysis: None,
            carried: Vec::new(),
            is_unpublished: true,
            encoding,
        }
    }

    /// Applies a change of the client.
    pub(super) fn change(&mut self, change: &TextDocumentContentChangeEvent) {
        self.decoded = None;
        self.reading = None;
        self.analysis = None;
        self.is_unpublished = true;
        let Some(range) = change.range else {
            self.text = PlainText::new(change.text.clone());
            self.carried.clear();
            return;
        };
        let start = self.text.offset(range.start, self.encoding);
        let end = self.text.offset(range.end, self.encoding).max(start);
        self.text.replace(start..end, &change.text);
        self.carried
            .retain_mut(|carried| carried.follow(start..end, change.text.len()));
    }

    /// The text behind its normalisation.
    pub(super) fn decoded(&mut self) -> Arc<Decoded> {
        let text = &self.text;
        let decoded = self.decoded.get_or_insert_with(|| {
            let (source, faults) = Source::decode(String::new(), text.as_str().as_bytes());
            Arc::new(Decoded { source, faults })
        });
        Arc::clone(decoded)
    }

    /// Reads the text as a whole, unless that takes long.
    pub(super) fn read_if_small(&mut self) {
        if self.reading.is_none() && self.text.as_str().len() <= SMALL {
            self.reading = Some(Arc::new(Reading::of(self.decoded())));
        }
    }

    /// The errors of text and syntax. A small text is read as a whole for them.
    pub(super) fn errors(&mut self) -> Vec<Diagnostic> {
        let decoded = self.decoded();
        let is_large = self.text.as_str().len() > SMALL && decoded.faults.is_empty();
        if self.reading.is_none()
            && is_large
            && let Some(errors) = self.keystroke.errors(&decoded.source)
        {
            return errors;
        }
        let reading = self
            .reading
            .get_or_insert_with(|| Arc::new(Reading::of(decoded)));
        reading.errors.clone()
    }

    /// How long its byte order mark is.
    pub(super) fn mark(&self) -> usize {
        match self.text.as_str().as_bytes().starts_with(BYTE_ORDER_MARK) {
            true => BYTE_ORDER_MARK.len(),
            false => 0,
        }
    }

    /// The bytes of the text that a span of the source stands for.
    pub(super) fn bytes(&self, source: &Source, span: Span) -> Range<usize> {
        let at = |offset| self.mark() + source.original_offset(offset);
        at(span.start)..at(span.end)
    }

    /// The range of bytes as the client counts.
    pub(super) fn range_of_bytes(&self, bytes: &Range<usize>) -> lsp_types::Range {
        lsp_types::Range {
            start: self.text.position(bytes.start, self.encoding),
            end: self.text.position(bytes.end, self.encoding),
        }
    }

    /// The range of a span of the source.
    pub(super) fn range(&self, source: &Source, span: Span) -> lsp_types::Range {
        self.range_of_bytes(&self.bytes(source, span))
    }

    /// The offset in the source of a position.
    pub(super) fn source_offset(&self, source: &Source, position: Position) -> usize {
        let wanted = self.text.offset(position, self.encoding);
        let wanted = wanted.saturating_sub(self.mark());
        // The first offset that does not stand before it, by halves.
        let (mut low, mut high) = (0, source.text().len());
        while low < high {
            let middle = low.midpoint(high);
            if source.original_offset(middle) < wanted {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut offset = low;
        while !source.text().is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}
