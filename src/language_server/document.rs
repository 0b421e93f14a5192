//! A text as the client has it, with its places in both countings.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use lsp_types::{Position, Uri};

use crate::text::{BYTE_ORDER_MARK, Source, Span};

use super::plain_text::{Encoding, PlainText};
use super::tokens::Painted;

/// A document as it stands at one time. A copy costs little, whatever its size.
#[derive(Clone, Debug)]
pub(super) struct Document {
    /// Its address.
    pub(super) uri: Uri,
    /// Its version, as the client counts.
    pub(super) version: i32,
    /// Its text.
    pub(super) text: Arc<PlainText>,
    /// What its columns count.
    pub(super) encoding: Encoding,
    /// The colours that the client has of it, at whatever time.
    pub(super) painted: Arc<Mutex<Painted>>,
}

impl Document {
    pub(super) fn new(uri: Uri, version: i32, text: String, encoding: Encoding) -> Self {
        Self {
            uri,
            version,
            text: Arc::new(PlainText::new(text)),
            encoding,
            painted: Arc::default(),
        }
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
