//! The text of a document as the client has it, and positions in it.
//!
//! The protocol counts lines by `\n`, `\r\n` and `\r`, and columns in code units of the encoding
//! that was agreed on. A position behind a line means its end, one inside of a character the
//! character's beginning.

use std::ops::Range;

use lsp_types::{Position, PositionEncodingKind};

/// What columns count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Code units of two bytes, which every client knows.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// The best of those that a client offers: bytes need no counting.
    pub fn agreed(offered: &[PositionEncodingKind]) -> Self {
        let offers = |kind: PositionEncodingKind| offered.contains(&kind);
        if offers(PositionEncodingKind::UTF8) {
            Self::Utf8
        } else if offers(PositionEncodingKind::UTF32) {
            Self::Utf32
        } else {
            Self::Utf16
        }
    }

    /// As the protocol names it.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    /// How many units a text has.
    pub fn length(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Utf16 if text.is_ascii() => text.len(),
            Self::Utf16 => text.chars().map(char::len_utf16).sum(),
            Self::Utf32 => text.chars().count(),
        }
    }

    fn units(self, character: char) -> usize {
        match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
            Self::Utf32 => 1,
        }
    }
}

/// A text that knows its lines, and is edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainText {
    text: String,
    /// Offsets at which lines begin; the first is 0.
    starts: Vec<usize>,
}

impl PlainText {
    /// Takes a text.
    pub fn new(text: String) -> Self {
        let mut starts = vec![0];
        starts.extend((1..=text.len()).filter(|at| begins_line(text.as_bytes(), *at)));
        Self { text, starts }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The position of an offset in bytes; of one inside of a character, the character's.
    pub fn position(&self, offset: usize, encoding: Encoding) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let content = self.line(line);
        let offset = offset.min(content.end).max(content.start);
        let before = self.text.get(content.start..offset).unwrap_or_default();
        Position {
            line: number(line),
            character: number(encoding.length(before)),
        }
    }

    /// The offset in bytes of a position.
    pub fn offset(&self, position: Position, encoding: Encoding) -> usize {
        let line = usize::try_from(position.line).unwrap_or(usize::MAX);
        if line >= self.starts.len() {
            return self.text.len();
        }
        let content = self.line(line);
        let wanted = usize::try_from(position.character).unwrap_or(usize::MAX);
        let text = self.text.get(content.clone()).unwrap_or_default();
        let mut units = 0;
        for (at, character) in text.char_indices() {
            units += encoding.units(character);
            if units > wanted {
                return content.start + at;
            }
        }
        content.end
    }

    /// The line of an offset, from 0.
    pub fn line_of(&self, offset: usize) -> usize {
        let behind = self.starts.partition_point(|start| *start <= offset);
        behind.saturating_sub(1)
    }

    /// How many lines there are; behind a last line end there is one more.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// The place of a line, from 0, without its end.
    pub fn line(&self, line: usize) -> Range<usize> {
        let start = self.starts.get(line).copied().unwrap_or(self.text.len());
        let next = self.starts.get(line.saturating_add(1));
        let end = next.copied().unwrap_or(self.text.len());
        let whole = self.text.get(start..end).unwrap_or_default();
        let content = match next {
            None => whole,
            Some(_) => whole
                .strip_suffix("\r\n")
                .or_else(|| whole.strip_suffix(['\n', '\r']))
                .unwrap_or(whole),
        };
        start..start + content.len()
    }

    /// Writes `text` in the place of a range of bytes, whose ends are those of characters; what
    /// is no such range is left alone.
    pub fn replace(&mut self, range: Range<usize>, text: &str) {
        if self.text.get(range.clone()).is_none() {
            return;
        }
        let Range { start, end } = range;
        self.text.replace_range(start..end, text);
        let kept = self.starts.partition_point(|at| *at == 0 || *at < start);
        let behind = self.starts.partition_point(|at| *at == 0 || *at <= end);
        let tail: Vec<usize> = self.starts.get(behind..).unwrap_or_default().to_vec();
        self.starts.truncate(kept);
        let bytes = self.text.as_bytes();
        let touched = start.max(1)..=start + text.len();
        self.starts
            .extend(touched.filter(|at| begins_line(bytes, *at)));
        let moved = tail.into_iter().map(|at| at - end + start + text.len());
        self.starts.extend(moved);
    }
}

/// Whether a line begins at `at`, which is not 0.
fn begins_line(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at.wrapping_sub(1)) {
        Some(b'\n') => true,
        Some(b'\r') => bytes.get(at) != Some(&b'\n'),
        _ => false,
    }
}

/// A number of lines or columns as the protocol has it.
pub(super) fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
