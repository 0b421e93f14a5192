//! One text of a document, and what is found out about it: each thing once, by the first thread
//! that needs it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::diagnostics::{Diagnostic, Sink};
use crate::lowering::Output;
use crate::syntax::{self, tree};
use crate::text::{Source, TextFault};

use super::document::Document;
use super::symbols::Symbols;

/// One text behind its normalisation.
#[derive(Debug)]
pub(super) struct Decoded {
    /// The text.
    pub(super) source: Source,
    /// What is wrong with the text itself.
    pub(super) faults: Vec<TextFault>,
}

impl Decoded {
    pub(super) fn of(text: &str) -> Self {
        let (source, faults) = Source::decode(String::new(), text.as_bytes());
        Self { source, faults }
    }
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

/// One text of a document.
#[derive(Debug)]
pub(super) struct Edition {
    /// The document with this text.
    pub(super) document: Document,
    /// The text behind its normalisation.
    pub(super) decoded: Arc<Decoded>,
    reading: OnceLock<Reading>,
    analysis: OnceLock<Analysis>,
    outdated: Arc<AtomicBool>,
}

impl Edition {
    pub(super) fn of(document: Document) -> Self {
        let decoded = Decoded::of(document.text.as_str());
        Self {
            document,
            decoded: Arc::new(decoded),
            reading: OnceLock::new(),
            analysis: OnceLock::new(),
            outdated: Arc::default(),
        }
    }

    /// What is read in it. Who asks first reads it; who asks meanwhile waits.
    pub(super) fn reading(&self) -> &Reading {
        self.reading
            .get_or_init(|| Reading::of(Arc::clone(&self.decoded)))
    }

    /// What is read in it, if it has been read.
    pub(super) fn known_reading(&self) -> Option<&Reading> {
        self.reading.get()
    }

    /// What was found in it, if it has been looked at to the end.
    pub(super) fn analysis(&self) -> Option<&Analysis> {
        self.analysis.get()
    }

    pub(super) fn set_analysis(&self, analysis: Analysis) {
        // Only one thread looks further, and once.
        let _ = self.analysis.set(analysis);
    }

    /// There is a newer text, or the document is closed.
    pub(super) fn give_up(&self) {
        self.outdated.store(true, Ordering::Release);
    }

    pub(super) fn is_outdated(&self) -> bool {
        self.outdated.load(Ordering::Acquire)
    }

    /// Findings for as long as somebody wants to know them.
    pub(super) fn sink(&self) -> Sink {
        Sink::until(Arc::clone(&self.outdated))
    }
}
