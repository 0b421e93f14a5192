//! Places as editors and servers know them.

use crate::diagnostics::Diagnostic;
use crate::text::{Position, Source, Span};

/// A place by lines and columns, both from 1, columns in characters; the end is behind the last
/// character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    /// Where it starts.
    pub(super) start: Position,
    /// Where it ends.
    pub(super) end: Position,
}

impl Region {
    /// The place of a span. One behind the last line end is the end of the last line: programs
    /// that show a report know no line behind it.
    pub(super) fn of(source: &Source, span: Span) -> Self {
        let last = source.line_span(source.line_count().max(1)).end;
        let position = |offset: usize| {
            if source.line_of(offset) > source.line_count() {
                source.position(last)
            } else {
                source.position(offset)
            }
        };
        Self {
            start: position(span.start),
            end: position(span.end),
        }
    }

    /// The place of a finding, if it has one.
    pub(super) fn of_finding(source: Option<&Source>, diagnostic: &Diagnostic) -> Option<Self> {
        Some(Self::of(source?, diagnostic.span()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_in_a_line() {
        for text in ["", "\n", "é", "a\n", "a\n\n", "ab\nç"] {
            let (source, _) = Source::decode("a.co", text.as_bytes());
            for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let region = Region::of(&source, Span::new(offset, text.len()));
                for position in [region.start, region.end] {
                    assert!(position.line <= source.line_count().max(1), "{text:?}");
                    let line = source.slice(source.line_span(position.line));
                    assert!(position.column <= line.chars().count() + 1, "{text:?}");
                }
                assert!(region.start <= region.end, "{text:?}");
            }
        }
    }
}
