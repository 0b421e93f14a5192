//! The logical lines of a source and the pieces of a line, for those who work on the text of a
//! rulebook rather than on its meaning.

use std::collections::BTreeSet;

use super::grammar::{self, MarkKind};
use super::layout::{lay_out, opens_string, reads_expressions};
use super::line::{Line, LineKind};
use super::nesting::{closed_string_end, string_end};
use super::report::Report;
use crate::text::{Source, Span};

/// One logical line of a source without errors: no indentation, no comment, no blanks at its
/// end; where it is continued, each `\` with what stands behind it is one blank.
#[derive(Debug)]
pub(crate) struct LogicalLine<'a>(Line<'a>);

/// All logical lines in source order, none of them blank. The source has no errors.
pub(crate) fn logical_lines(source: &Source) -> Vec<LogicalLine<'_>> {
    let layout = lay_out(source, &BTreeSet::new(), &mut Report::new(source));
    layout.lines.into_iter().map(LogicalLine).collect()
}

impl LogicalLine<'_> {
    /// Whether it is documentation. Its text is then what stands between the quotes.
    pub(crate) fn is_documentation(&self) -> bool {
        self.0.kind == LineKind::Documentation
    }

    /// The number of spaces before it.
    pub(crate) fn column(&self) -> usize {
        self.0.column
    }

    /// The text.
    pub(crate) fn text(&self) -> &str {
        self.0.part().text
    }

    /// The place of the whole line, for documentation the quotes included.
    pub(crate) fn whole(&self) -> Span {
        self.0.whole()
    }

    /// The range in the text of a place in the source.
    pub(crate) fn range(&self, span: Span) -> (usize, usize) {
        let start = self.0.position(span.start);
        if span.end <= span.start {
            return (start, start);
        }
        (start, self.0.position(span.end - 1) + 1)
    }

    /// Offsets in the source at which its physical lines begin, blanks before them not counted;
    /// the last may be a blank line. Empty where it is not continued.
    pub(crate) fn physical_starts(&self) -> impl Iterator<Item = usize> {
        self.0.pieces().iter().map(|&(_, start)| start)
    }

    /// Offsets in the text of the blanks that a continuation became.
    pub(crate) fn breaks(&self) -> impl Iterator<Item = usize> {
        let behind = self.0.pieces().iter().skip(1);
        behind.map(|&(at, _)| at.saturating_sub(1))
    }

    /// The ranges of the strings in the text, quotes included.
    pub(crate) fn strings(&self) -> Vec<(usize, usize)> {
        let text = self.text();
        let bytes = text.as_bytes();
        let mut found = Vec::new();
        if !text.contains(['"', '\'']) {
            return found;
        }
        let expression = reads_expressions(text);
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if matches!(byte, b'"' | b'\'') && opens_string(bytes, at, expression) {
                let end = string_end(bytes, at).min(text.len());
                found.push((at, end));
                at = end;
            } else {
                at += 1;
            }
        }
        found
    }
}

/// A piece of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// What it is.
    pub(crate) kind: PieceKind,
    /// Where it begins in the text.
    pub(crate) start: usize,
    /// Where it ends in the text.
    pub(crate) end: usize,
}

/// What a piece of a condition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PieceKind {
    /// `(` or `[`
    Open,
    /// `)` or `]`
    Close,
    /// `,`
    Comma,
    /// A string without a prefix.
    String,
    /// A name, a number, an operator, a word; `not in` is one.
    Word,
}

/// The pieces of a condition that the gate can read; `None` for a text that is no expression.
pub(crate) fn condition_pieces(text: &str) -> Option<Vec<Piece>> {
    let mut marks = Vec::new();
    grammar::expression(text, &mut marks).ok()?;
    let piece = |mark: &grammar::Mark| Piece {
        kind: match mark.kind {
            MarkKind::GroupOpen | MarkKind::ListOpen => PieceKind::Open,
            MarkKind::Close => PieceKind::Close,
            MarkKind::Comma => PieceKind::Comma,
            MarkKind::String => PieceKind::String,
            _ => PieceKind::Word,
        },
        start: mark.start,
        end: mark.end,
    };
    Some(marks.iter().map(piece).collect())
}

/// A text of a line that holds texts only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ListedText {
    /// Where its string begins.
    pub(crate) start: usize,
    /// Where its string ends.
    pub(crate) end: usize,
    /// What joins it with the text before it.
    pub(crate) joint: TextJoint,
}

/// What stands between two texts of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextJoint {
    /// Blanks, or nothing.
    Blank,
    /// `,`
    Comma,
    /// `and`
    And,
}

/// The texts of `"a", "b" and "c"` from `from` to `to`; `None` where anything else stands there.
pub(crate) fn listed_texts(text: &str, from: usize, to: usize) -> Option<Vec<ListedText>> {
    let text = text.get(..to)?;
    let mut texts = Vec::new();
    let mut joint = TextJoint::Blank;
    let mut at = from;
    loop {
        let rest = text.get(at..)?;
        let here = rest.trim_start_matches(' ');
        at += rest.len() - here.len();
        if here.is_empty() {
            return Some(texts);
        }
        if !here.starts_with(['"', '\'']) {
            return None;
        }
        let end = closed_string_end(text.as_bytes(), at)?;
        texts.push(ListedText {
            start: at,
            end,
            joint,
        });
        let rest = text.get(end..)?;
        let behind = rest.trim_start_matches(' ');
        at = end + (rest.len() - behind.len());
        (joint, at) = match behind {
            _ if behind.starts_with(',') => (TextJoint::Comma, at + 1),
            _ if behind.starts_with("and ") => (TextJoint::And, at + 3),
            _ => (TextJoint::Blank, at),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::decode("a.co", text.as_bytes()).0
    }

    #[test]
    fn a_continued_line_knows_its_breaks_and_places() {
        let source = source("define flow a\n  execute t(k=\"a \\\n    b\", \\ # why\n    $c)\n");
        let lines = logical_lines(&source);
        let line = &lines[1];
        assert_eq!(line.text(), "execute t(k=\"a  b\",  $c)");
        assert_eq!(line.breaks().collect::<Vec<_>>(), [15, 20]);
        assert_eq!(line.strings(), [(12, 18)]);
        let at = source.text().find("$c").unwrap();
        assert_eq!(line.range(Span::new(at, at + 2)), (21, 23));
        assert_eq!(line.physical_starts().count(), 3);
        assert_eq!(lines[0].breaks().count(), 0);
    }

    #[test]
    fn texts_of_a_line() {
        let joints = |text: &str| {
            let texts = listed_texts(text, 0, text.len())?;
            Some(texts.iter().map(|text| text.joint).collect::<Vec<_>>())
        };
        use TextJoint::{And, Blank, Comma};
        assert_eq!(
            joints("\"a\" ,'b'and \"c\"\"d\""),
            Some(vec![Blank, Comma, And, Blank])
        );
        assert_eq!(joints("\"a\","), Some(vec![Blank]));
        assert_eq!(joints("\"a\" or"), None);
        assert_eq!(joints("\"a"), None);
    }
}
