//! One source text: decoded, normalised, measured (contract section 1).

use super::Span;

/// Most bytes a source may have.
pub const MAX_BYTES: usize = 1 << 20;
/// Most lines a source may have.
pub const MAX_LINES: usize = 20_000;
/// Most characters a line may have, its end not counted.
pub const MAX_LINE_CHARACTERS: usize = 1_024;

/// A byte order mark in UTF-8: the first one of a file is dropped.
pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A source text behind its normalisation: one BOM at offset 0 dropped, CRLF read as LF.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<usize>,
    /// Offsets in `text` of the line feeds that a carriage return stood before.
    removed_returns: Vec<usize>,
}

/// A line and a column, both counted from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters (Unicode scalar values), from 1.
    pub column: usize,
}

/// What is wrong with a text before any line of it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextFault {
    /// What it is.
    pub kind: TextFaultKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of [`TextFault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextFaultKind {
    /// More than [`MAX_BYTES`].
    TooManyBytes,
    /// More than [`MAX_LINES`].
    TooManyLines,
    /// A line of more than [`MAX_LINE_CHARACTERS`].
    LineTooLong,
    /// A byte that is not UTF-8.
    NotUtf8,
    /// A carriage return without a line feed behind it.
    LoneCarriageReturn,
    /// A NUL character.
    Nul,
    /// A byte order mark that is not the first character.
    ByteOrderMark,
}

impl Source {
    /// Decodes and normalises `bytes`. `name` is what messages call the source: a relative
    /// path with `/`. The text is always there, with U+FFFD for what could not be decoded, so
    /// that faults can be shown in it; it may be compiled only when there are no faults.
    pub fn decode(name: impl Into<String>, bytes: &[u8]) -> (Self, Vec<TextFault>) {
        Self::decode_up_to(MAX_BYTES, name, bytes)
    }

    /// The same with another limit than [`MAX_BYTES`], for files that are generated.
    pub fn decode_up_to(
        most: usize,
        name: impl Into<String>,
        bytes: &[u8],
    ) -> (Self, Vec<TextFault>) {
        let mut faults = Vec::new();
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let oversized = bytes.len() > most;
        let bytes = bytes.get(..most).unwrap_or(bytes);
        let mut text = String::with_capacity(bytes.len());
        let mut removed_returns = Vec::new();
        for chunk in bytes.utf8_chunks() {
            push_normalised(chunk.valid(), &mut text, &mut removed_returns, &mut faults);
            let cut_off = oversized && text.len() + 4 > most;
            if !chunk.invalid().is_empty() && !cut_off {
                let start = text.len();
                text.push(char::REPLACEMENT_CHARACTER);
                faults.push(TextFault {
                    kind: TextFaultKind::NotUtf8,
                    span: Span::new(start, text.len()),
                });
            }
        }
        // A carriage return at the end of one chunk and a line feed at the start of the next
        // cannot happen: chunks are cut at invalid bytes only.
        let line_starts = line_starts(&text);
        let source = Self {
            name: name.into(),
            text,
            line_starts,
            removed_returns,
        };
        if oversized {
            faults = vec![TextFault {
                kind: TextFaultKind::TooManyBytes,
                span: Span::new(0, 0),
            }];
        } else {
            source.measure(&mut faults);
        }
        (source, faults)
    }

    fn measure(&self, faults: &mut Vec<TextFault>) {
        if let Some(&start) = self.line_starts.get(MAX_LINES)
            && start < self.text.len()
        {
            faults.push(TextFault {
                kind: TextFaultKind::TooManyLines,
                span: Span::new(start, start),
            });
        }
        for line in 1..=self.line_count() {
            let span = self.line_span(line);
            if span.end - span.start > MAX_LINE_CHARACTERS
                && let Some((offset, _)) = self.slice(span).char_indices().nth(MAX_LINE_CHARACTERS)
            {
                faults.push(TextFault {
                    kind: TextFaultKind::LineTooLong,
                    span: Span::new(span.start + offset, span.end),
                });
            }
        }
    }

    /// What messages call the source.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text: no BOM, LF line ends.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The part of the text that `span` covers; empty when the span is not in the text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Number of lines; a final line end does not open another.
    pub fn line_count(&self) -> usize {
        match self.line_starts.last() {
            Some(&last) if last == self.text.len() && last > 0 => self.line_starts.len() - 1,
            _ => self.line_starts.len(),
        }
    }

    /// The span of line `line` (from 1) without its end; empty when there is no such line.
    pub fn line_span(&self, line: usize) -> Span {
        let start = self.line_start(line);
        let end = match self.line_starts.get(line) {
            Some(next) => next - 1,
            None => self.text.len(),
        };
        Span::new(start, end)
    }

    fn line_start(&self, line: usize) -> usize {
        let index = line.saturating_sub(1);
        self.line_starts
            .get(index)
            .copied()
            .unwrap_or(self.text.len())
    }

    /// The line (from 1) that holds `offset`.
    pub fn line_of(&self, offset: usize) -> usize {
        self.line_starts
            .partition_point(|&start| start <= offset)
            .max(1)
    }

    /// Line and column of `offset`.
    pub fn position(&self, offset: usize) -> Position {
        let line = self.line_of(offset);
        let before = Span::new(self.line_start(line), offset.min(self.text.len()));
        Position {
            line,
            column: self.slice(before).chars().count() + 1,
        }
    }

    /// The offset in the file's own bytes, counted behind a BOM: carriage returns that were
    /// dropped count again.
    pub fn original_offset(&self, offset: usize) -> usize {
        offset + self.removed_returns.partition_point(|&at| at < offset)
    }
}

fn push_normalised(
    valid: &str,
    text: &mut String,
    removed_returns: &mut Vec<usize>,
    faults: &mut Vec<TextFault>,
) {
    let suspicious = |c: char| matches!(c, '\r' | '\0' | '\u{FEFF}');
    let mut rest = valid;
    while let Some(at) = rest.find(suspicious) {
        let (before, from) = rest.split_at(at);
        text.push_str(before);
        if let Some(after) = from.strip_prefix("\r\n") {
            removed_returns.push(text.len());
            text.push('\n');
            rest = after;
            continue;
        }
        let mut characters = from.chars();
        if let Some(character) = characters.next() {
            let start = text.len();
            text.push(character);
            let kind = match character {
                '\r' => TextFaultKind::LoneCarriageReturn,
                '\0' => TextFaultKind::Nul,
                _ => TextFaultKind::ByteOrderMark,
            };
            faults.push(TextFault {
                kind,
                span: Span::new(start, text.len()),
            });
        }
        rest = characters.as_str();
    }
    text.push_str(rest);
}

fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    std::iter::once(0)
        .chain(ends.map(|(at, _)| at + 1))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crlf_and_a_bom_are_normalised_and_offsets_can_be_mapped_back() {
        let (source, faults) = Source::decode("a.co", b"\xEF\xBB\xBFab\r\ncd\r\n");
        assert!(faults.is_empty());
        assert_eq!(source.text(), "ab\ncd\n");
        assert_eq!(source.line_count(), 2);
        assert_eq!(source.original_offset(2), 2);
        assert_eq!(source.original_offset(3), 4);
        assert_eq!(source.position(4), Position { line: 2, column: 2 });
    }

    #[test]
    fn faults_have_a_place() {
        let (_, faults) = Source::decode("a.co", b"a\rb\0c\xFFd\xEF\xBB\xBF");
        let kinds: Vec<_> = faults
            .iter()
            .map(|fault| (fault.kind, fault.span.start))
            .collect();
        assert_eq!(
            kinds,
            [
                (TextFaultKind::LoneCarriageReturn, 1),
                (TextFaultKind::Nul, 3),
                (TextFaultKind::NotUtf8, 5),
                (TextFaultKind::ByteOrderMark, 9),
            ]
        );
    }

    #[test]
    fn limits_hold_at_the_limit_and_one_beyond() {
        let line = |n: usize| "x".repeat(n) + "\n";
        assert!(Source::decode("a", line(1_024).as_bytes()).1.is_empty());
        assert_eq!(
            Source::decode("a", line(1_025).as_bytes()).1[0].kind,
            TextFaultKind::LineTooLong
        );
        assert!(
            Source::decode("a", "\n".repeat(20_000).as_bytes())
                .1
                .is_empty()
        );
        assert_eq!(
            Source::decode("a", ("\n".repeat(20_000) + "x").as_bytes()).1[0].kind,
            TextFaultKind::TooManyLines
        );
        let big = "x\n".repeat(1 << 20);
        assert_eq!(
            Source::decode("a", big.as_bytes()).1[0].kind,
            TextFaultKind::TooManyBytes
        );
    }
}
