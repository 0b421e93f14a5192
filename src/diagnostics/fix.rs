//! What to change in a source so that a finding is gone.

use crate::text::{Span, quoted};

/// A change of the source that a finding proposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as a help says it: ``write `else if` ``.
    pub title: String,
    /// What to change, in the order of places; no two overlap.
    pub edits: Vec<TextEdit>,
}

/// One change: the text of a place, and what stands there afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The place; empty where something is put in.
    pub span: Span,
    /// What stands there afterwards; empty where something goes.
    pub text: String,
}

impl Fix {
    /// Writes `text` in a place.
    pub fn write(span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        let title = format!("write {}", quoted(text.trim()));
        Self::edits(title, [(span, text)])
    }

    /// Puts `text` before what begins at `offset`.
    pub fn insert(offset: usize, text: impl Into<String>) -> Self {
        let text = text.into();
        let title = format!("write {} before it", quoted(text.trim()));
        Self::edits(title, [(Span::new(offset, offset), text)])
    }

    /// Takes a place away, whose text is `text`.
    pub fn delete(span: Span, text: &str) -> Self {
        let title = format!("delete {}", quoted(text.trim()));
        Self::edits(title, [(span, String::new())])
    }

    /// Several changes at once.
    pub fn edits(
        title: impl Into<String>,
        edits: impl IntoIterator<Item = (Span, String)>,
    ) -> Self {
        let edits = edits.into_iter();
        Self {
            title: title.into(),
            edits: edits.map(|(span, text)| TextEdit { span, text }).collect(),
        }
    }
}
