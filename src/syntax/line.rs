//! Logical lines and parts of them, with their places in the source.

use std::borrow::Cow;

use crate::text::{Span, fold_blanks, word_length};

/// What a logical line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// A definition's head, a statement, a text, a declaration.
    Code,
    /// `"""…"""`; the text is what stands between the quotes.
    Documentation,
    /// Something is wrong with the line itself, and has been said.
    Broken {
        /// Whether its indentation could be measured.
        column_known: bool,
    },
}

/// One logical line: no indentation, no comment, no blanks at its end, continuations joined.
#[derive(Debug)]
pub(super) struct Line<'a> {
    pub(super) kind: LineKind,
    /// Number of spaces before it.
    pub(super) column: usize,
    text: Cow<'a, str>,
    /// Offset of the text in the source.
    start: usize,
    /// Of a continued line: where in the text each physical line begins, and where in the
    /// source. Empty otherwise.
    pieces: Vec<(usize, usize)>,
    /// The whole line, for documentation the quotes included.
    whole: Span,
}

impl<'a> Line<'a> {
    /// A line that stands in the source as it is.
    pub(super) fn plain(kind: LineKind, column: usize, text: &'a str, start: usize) -> Self {
        Self {
            kind,
            column,
            text: Cow::Borrowed(text),
            start,
            pieces: Vec::new(),
            whole: Span::new(start, start + text.len()),
        }
    }

    /// A line joined from several; see [`Line`] for `pieces`.
    pub(super) fn continued(
        kind: LineKind,
        column: usize,
        text: String,
        pieces: Vec<(usize, usize)>,
    ) -> Self {
        let start = pieces.first().map_or(0, |&(_, start)| start);
        let mut line = Self {
            kind,
            column,
            text: Cow::Owned(text),
            start,
            pieces,
            whole: Span::default(),
        };
        line.whole = line.span(0, line.text.len());
        line
    }

    /// A documentation line: `inner` begins at `start`, the quotes are part of `whole`.
    pub(super) fn documentation(column: usize, inner: &'a str, start: usize, whole: Span) -> Self {
        Self {
            kind: LineKind::Documentation,
            column,
            text: Cow::Borrowed(inner),
            start,
            pieces: Vec::new(),
            whole,
        }
    }

    /// The place of the whole line.
    pub(super) fn whole(&self) -> Span {
        self.whole
    }

    /// The line as a part.
    pub(super) fn part(&self) -> Part<'_> {
        Part {
            text: &self.text,
            at: 0,
        }
    }

    fn offset(&self, at: usize) -> usize {
        let index = self.pieces.partition_point(|&(begin, _)| begin <= at);
        match index.checked_sub(1).and_then(|last| self.pieces.get(last)) {
            Some(&(begin, source)) => source + (at - begin),
            None => self.start + at,
        }
    }

    /// The offset in the line's text of a place in the source.
    pub(super) fn position(&self, offset: usize) -> usize {
        let index = self.pieces.partition_point(|&(_, start)| start <= offset);
        match index.checked_sub(1).and_then(|last| self.pieces.get(last)) {
            Some(&(begin, start)) => begin + (offset - start),
            None => offset.saturating_sub(self.start),
        }
    }

    /// Where in the text each physical line of a continued line begins, and where in the
    /// source; empty for a line that is not continued.
    pub(super) fn pieces(&self) -> &[(usize, usize)] {
        &self.pieces
    }

    /// The place of a range of bytes of the line's text.
    pub(super) fn span(&self, from: usize, to: usize) -> Span {
        let start = self.offset(from);
        if to <= from {
            return Span::new(start, start);
        }
        Span::new(start, self.offset(to - 1) + 1)
    }

    /// The place of a part of the line.
    pub(super) fn place(&self, part: Part<'_>) -> Span {
        self.span(part.at, part.end())
    }
}

/// A part of a line's text that knows where in it it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'l> {
    pub(super) text: &'l str,
    /// Offset in the line's text.
    pub(super) at: usize,
}

impl<'l> Part<'l> {
    /// Offset behind it in the line's text.
    pub(super) fn end(self) -> usize {
        self.at + self.text.len()
    }

    pub(super) fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// Without blanks at its ends.
    pub(super) fn trim(self) -> Self {
        let front = self.text.trim_start_matches(' ');
        Self {
            text: front.trim_end_matches(' '),
            at: self.at + (self.text.len() - front.len()),
        }
    }

    /// The first `count` bytes, and the rest; all of it when that is no place between characters.
    pub(super) fn split(self, count: usize) -> (Self, Self) {
        let (first, second) = self.text.split_at_checked(count).unwrap_or((self.text, ""));
        (
            Self {
                text: first,
                at: self.at,
            },
            Self {
                text: second,
                at: self.at + first.len(),
            },
        )
    }

    /// The run of ASCII word characters it begins with, and the rest without blanks around it.
    pub(super) fn word(self) -> (Self, Self) {
        let (word, rest) = self.split(word_length(self.text));
        (word, rest.trim())
    }

    /// Up to the first blank, and the rest without blanks around it.
    pub(super) fn until_blank(self) -> (Self, Self) {
        let (first, rest) = self.split(self.text.find(' ').unwrap_or(self.text.len()));
        (first, rest.trim())
    }

    /// Whether it begins with a quote, typographic ones not counted.
    pub(super) fn begins_with_quote(self) -> bool {
        self.text.starts_with(['"', '\''])
    }

    /// Without one `:` at its end, and blanks before that.
    pub(super) fn without_colon(self) -> Self {
        match self.text.strip_suffix(':') {
            Some(text) => Self { text, at: self.at }.trim(),
            None => self,
        }
    }

    /// Blanks at the ends dropped, runs of blanks inside made one.
    pub(super) fn folded(self) -> String {
        fold_blanks(self.text)
    }
}
