//! A source as a terminal may see it: stand-ins for what would act on it, and lines of bounded
//! length.

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::text::{MAX_LINE_CHARACTERS, Source, Span, escaped, is_invisible};

/// Stands behind what is shown of a line that is too long.
const CUT: &str = "…";

/// The lines of a source, ready to be shown.
pub(super) struct ShownSource {
    name: String,
    text: String,
    lines: Vec<Line>,
}

struct Line {
    /// Where the line starts in the source's text.
    source_start: usize,
    /// Where it starts in the shown text.
    start: usize,
    /// Bytes of it that are shown, which are as many as in the source: a stand-in has the
    /// length of what it stands for.
    length: usize,
    /// Where it ends in the shown text, its line end not counted.
    end: usize,
}

impl ShownSource {
    pub(super) fn new(source: &Source) -> Self {
        let mut text = String::with_capacity(source.text().len());
        let mut lines = Vec::with_capacity(source.line_count());
        for number in 1..=source.line_count().max(1) {
            let span = source.line_span(number);
            let whole = source.slice(span);
            let shown = whole
                .char_indices()
                .nth(MAX_LINE_CHARACTERS)
                .and_then(|(at, _)| whole.get(..at))
                .unwrap_or(whole);
            let start = text.len();
            text.extend(shown.chars().map(stand_in));
            if shown.len() < whole.len() {
                text.push_str(CUT);
            }
            lines.push(Line {
                source_start: span.start,
                start,
                length: shown.len(),
                end: text.len(),
            });
            text.push('\n');
        }
        Self {
            name: escaped(source.name()),
            text,
            lines,
        }
    }

    /// A place of the source in the shown text. One that lies behind the last line stands at
    /// that line's end, so that there is a line to show it in.
    pub(super) fn place(&self, span: Span) -> SourceSpan {
        let start = self.offset(span.start, false);
        let end = self.offset(span.end, true).max(start);
        SourceSpan::new(start.into(), end - start)
    }

    fn offset(&self, offset: usize, is_end: bool) -> usize {
        let after = self
            .lines
            .partition_point(|line| line.source_start <= offset);
        let Some(line) = self.lines.get(after.saturating_sub(1)) else {
            return 0;
        };
        let within = offset.saturating_sub(line.source_start);
        let is_cut = line.end > line.start + line.length;
        if within > line.length && is_end && is_cut {
            return line.end;
        }
        line.start + within.min(line.length)
    }

    /// The index of the line that holds an offset of the shown text.
    fn line_at(&self, offset: usize) -> usize {
        self.lines
            .partition_point(|line| line.start <= offset)
            .saturating_sub(1)
    }
}

fn stand_in(character: char) -> char {
    if character == '\t' || !is_invisible(character) {
        return character;
    }
    match character.len_utf8() {
        1 => '?',
        2 => '¿',
        3 => char::REPLACEMENT_CHARACTER,
        _ => '\u{1FBC4}',
    }
}

impl SourceCode for ShownSource {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        context_lines_before: usize,
        context_lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let last_byte = (span.offset() + span.len().saturating_sub(1)).max(span.offset());
        let holding = self.line_at(span.offset());
        let first = holding.saturating_sub(context_lines_before);
        let last = (self.line_at(last_byte) + context_lines_after).min(self.lines.len() - 1);
        let (Some(from), Some(to)) = (self.lines.get(first), self.lines.get(last)) else {
            return Err(MietteError::OutOfBounds);
        };
        let Some(shown) = self.text.get(from.start..to.end) else {
            return Err(MietteError::OutOfBounds);
        };
        // The column is asked for with the line alone, for the head of the report.
        let column = if context_lines_before == 0 {
            let before = self.text.get(from.start..span.offset()).unwrap_or_default();
            before.chars().count()
        } else {
            0
        };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            shown.as_bytes(),
            SourceSpan::new(from.start.into(), shown.len()),
            first,
            column,
            last - first + 1,
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> ShownSource {
        ShownSource::new(&Source::decode("a.co", text.as_bytes()).0)
    }

    #[test]
    fn stand_ins_keep_every_place() {
        let text = "a\u{1b}[31m\tb\u{85}\u{202e}é\n";
        let source = shown(text);
        assert_eq!(source.text, "a?[31m\tb¿\u{FFFD}é\n");
        assert_eq!(source.text.len(), text.len());
    }

    #[test]
    fn long_lines_are_cut_and_places_behind_the_cut_stand_at_it() {
        let text = format!("{}\nsecond\n", "é".repeat(5_000));
        let source = shown(&text);
        let cut = 2 * MAX_LINE_CHARACTERS;
        assert_eq!(source.lines[0].end, cut + CUT.len());
        let span = |start, end| {
            let span = source.place(Span::new(start, end));
            (span.offset(), span.len())
        };
        assert_eq!(span(cut, 10_000), (cut, CUT.len()));
        assert_eq!(span(6_000, 7_000), (cut, CUT.len()));
        let second = source.lines[1].start;
        assert_eq!(span(10_001, 10_007), (second, 6));
    }

    #[test]
    fn every_place_of_every_text_can_be_read() {
        for text in ["", "\n", "a", "a\n", "a\n\n", "\n\na", "é\n\u{202e}\n"] {
            let source = shown(text);
            for start in 0..=text.len() + 2 {
                for end in start..=text.len() + 2 {
                    let place = source.place(Span::new(start, end));
                    for lines in [0, 1, 3] {
                        let contents = source.read_span(&place, lines, lines).unwrap();
                        assert!(std::str::from_utf8(contents.data()).is_ok());
                    }
                }
            }
        }
    }
}
