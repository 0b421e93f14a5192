//! From physical lines to logical ones: indentation measured, continuations joined, comments
//! and documentation set apart, strings closed (contract section 1).

use std::collections::BTreeSet;

use super::fixes;
use super::line::{Line, LineKind};
use super::report::Report;
use super::tree::Comment;
use crate::diagnostics::{Diagnostic, Fix, codes::syntax};
use crate::text::{Source, Span, Spanned, is_word, word_length};

/// What the layout pass makes of a source.
#[derive(Debug, Default)]
pub(super) struct Layout<'a> {
    /// Logical lines in source order, none of them blank.
    pub(super) lines: Vec<Line<'a>>,
    /// Comments in source order.
    pub(super) comments: Vec<Comment>,
}

const DOCUMENTATION_QUOTES: &str = "\"\"\"";

/// Lays out a source. `faulty` holds the numbers of the lines with a fault of the text itself:
/// it has been said, so nothing more is said about them.
pub(super) fn lay_out<'a>(
    source: &'a Source,
    faulty: &BTreeSet<usize>,
    report: &mut Report<'_>,
) -> Layout<'a> {
    let mut pass = Pass {
        text: source.text(),
        at: 0,
        number: 0,
        no_closing_quotes: false,
        faulty,
        report,
        layout: Layout::default(),
    };
    while let Some((start, line)) = pass.next_line() {
        pass.logical_line(start, line);
    }
    pass.layout
}

struct Pass<'a, 'p, 's> {
    text: &'a str,
    /// Offset of the next physical line.
    at: usize,
    /// Number of the last physical line that was read.
    number: usize,
    /// No `"""` stands behind the place where one was last looked for.
    no_closing_quotes: bool,
    faulty: &'p BTreeSet<usize>,
    report: &'p mut Report<'s>,
    layout: Layout<'a>,
}

/// How one physical line ends.
enum Ending {
    /// The logical line ends with it; the offset is where its content ends.
    Here(usize),
    /// It goes on; the offset is that of the `\`.
    Continued(usize),
}

/// The state of the scan that lasts over continuations.
#[derive(Default)]
struct Scan {
    /// The open string's quote and place.
    string: Option<(u8, usize)>,
    /// Whether a quote may have a prefix, as in `f"…"`: known at the first quote.
    expression: Option<bool>,
    broken: bool,
}

impl<'a> Pass<'a, '_, '_> {
    fn next_line(&mut self) -> Option<(usize, &'a str)> {
        if self.at >= self.text.len() {
            return None;
        }
        let start = self.at;
        let (_, rest) = self.text.split_at_checked(start)?;
        let line = rest.split('\n').next().unwrap_or_default();
        self.at = start + line.len() + 1;
        self.number += 1;
        Some((start, line))
    }

    fn is_faulty(&self) -> bool {
        !self.faulty.is_empty() && self.faulty.contains(&self.number)
    }

    fn logical_line(&mut self, start: usize, line: &'a str) {
        let content = line.trim_start_matches(' ');
        let column = line.len() - content.len();
        let begin = start + column;
        match content.bytes().next() {
            None => return,
            Some(b'#') => return self.comment(begin, content, true),
            Some(b'"') if content.starts_with(DOCUMENTATION_QUOTES) => {
                return self.documentation(column, begin, content);
            }
            Some(_) => {}
        }
        let mut scan = Scan {
            broken: self.is_faulty(),
            ..Scan::default()
        };
        if let Some((blank, width)) = leading_blank(content) {
            let fix = fixes::indentation(self.text, begin, column);
            self.blank_character(blank, Span::new(begin, begin + width), Some(fix));
            if content.trim().is_empty() {
                return;
            }
            let text = content.trim_start();
            let begin = begin + (content.len() - text.len());
            let kind = LineKind::Broken {
                column_known: false,
            };
            let line = Line::plain(kind, column, text.trim_end(), begin);
            self.layout.lines.push(line);
            return;
        }
        match self.scan(content, begin, content, &mut scan) {
            Ending::Here(end) => {
                let text = content
                    .get(..end - begin)
                    .unwrap_or_default()
                    .trim_end_matches(' ');
                let kind = self.finish(&scan, begin + text.len());
                self.layout
                    .lines
                    .push(Line::plain(kind, column, text, begin));
            }
            Ending::Continued(break_at) => {
                self.continued_line(column, begin, content, break_at, scan);
            }
        }
    }

    /// Joins the lines behind a `\`: it becomes a blank, and their indentation goes.
    fn continued_line(
        &mut self,
        column: usize,
        begin: usize,
        first: &'a str,
        break_at: usize,
        mut scan: Scan,
    ) {
        let mut text = first.get(..break_at - begin).unwrap_or_default().to_owned();
        let mut pieces = vec![(0, begin)];
        let mut last_break = break_at;
        loop {
            text.push(' ');
            let Some((start, line)) = self.next_line() else {
                let place = Span::new(last_break, last_break + 1);
                self.report.push(
                    Diagnostic::new(
                        &syntax::NOTHING_CONTINUES,
                        place,
                        "no line follows this `\\`",
                    )
                    .with_help("delete the `\\`"),
                );
                scan.broken = true;
                break;
            };
            scan.broken |= self.is_faulty();
            let content = line.trim_start_matches(' ');
            let begin = start + (line.len() - content.len());
            pieces.push((text.len(), begin));
            match self.scan(content, begin, first, &mut scan) {
                Ending::Here(end) => {
                    text.push_str(content.get(..end - begin).unwrap_or_default());
                    break;
                }
                Ending::Continued(break_at) => {
                    text.push_str(content.get(..break_at - begin).unwrap_or_default());
                    last_break = break_at;
                }
            }
        }
        text.truncate(text.trim_end_matches(' ').len());
        let end = pieces.last().map_or(begin, |&(at, source)| {
            source + text.len().saturating_sub(at)
        });
        let kind = self.finish(&scan, end);
        let line = Line::continued(kind, column, text, pieces);
        self.layout.lines.push(line);
    }

    /// The kind of a line whose scan has ended.
    fn finish(&mut self, scan: &Scan, end: usize) -> LineKind {
        if let Some((quote, open)) = scan.string {
            let quote = char::from(quote);
            self.report.push(
                Diagnostic::new(
                    &syntax::UNCLOSED_STRING,
                    Span::new(open, end),
                    "string is not closed on its line",
                )
                .with_label(format!("opened by this `{quote}`"))
                .with_help(format!("write `{quote}` where the string ends")),
            );
        }
        if scan.broken || scan.string.is_some() {
            LineKind::Broken { column_known: true }
        } else {
            LineKind::Code
        }
    }

    /// Scans one physical line from its first character that is no space. `first` is the
    /// content of the logical line's first physical line.
    fn scan(&mut self, content: &'a str, begin: usize, first: &str, scan: &mut Scan) -> Ending {
        let bytes = content.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if let Some((quote, _)) = scan.string {
                if byte == quote {
                    scan.string = None;
                } else if byte == b'\\' {
                    if is_blank_to_the_end(bytes, at + 1) {
                        return Ending::Continued(begin + at);
                    }
                    at += 1;
                }
                at += 1;
                continue;
            }
            match byte {
                b'#' => {
                    let (_, comment) = content.split_at_checked(at).unwrap_or_default();
                    self.comment(begin + at, comment, false);
                    return Ending::Here(begin + at);
                }
                b'"' | b'\'' => {
                    let expression = *scan
                        .expression
                        .get_or_insert_with(|| reads_expressions(first));
                    if opens_string(bytes, at, expression) {
                        scan.string = Some((byte, begin + at));
                    }
                }
                b'\\' if is_blank_to_the_end(bytes, at + 1) => {
                    return Ending::Continued(begin + at);
                }
                b'\\' if bytes.iter().skip(at + 1).find(|next| **next != b' ') == Some(&b'#') => {
                    let (_, rest) = content.split_at_checked(at).unwrap_or_default();
                    let (_, comment) = rest
                        .split_at_checked(rest.find('#').unwrap_or(0))
                        .unwrap_or_default();
                    let comment_at = begin + at + (rest.len() - comment.len());
                    self.comment(comment_at, comment, false);
                    return Ending::Continued(begin + at);
                }
                b'\t' | 0x0B | 0x0C | 0x80.. => {
                    let rest = content.get(at..).unwrap_or_default();
                    let character = rest.chars().next().unwrap_or_default();
                    if is_foreign_blank(character) {
                        let place = Span::new(begin + at, begin + at + character.len_utf8());
                        self.blank_character(character, place, None);
                        scan.broken = true;
                    }
                    at += character.len_utf8();
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        Ending::Here(begin + content.len())
    }

    fn comment(&mut self, start: usize, text: &str, own_line: bool) {
        let text = text.trim_end();
        let span = Span::new(start, start + text.len());
        self.layout.comments.push(Comment {
            text: Spanned::new(text.to_owned(), span),
            own_line,
        });
    }

    fn documentation(&mut self, column: usize, begin: usize, content: &'a str) {
        let inner_start = begin + DOCUMENTATION_QUOTES.len();
        let rest = self.text.get(inner_start..).unwrap_or_default();
        let found = if self.no_closing_quotes {
            None
        } else {
            rest.find(DOCUMENTATION_QUOTES)
        };
        let Some(length) = found else {
            // Looked for once to the end of the text: a later opening finds none either, and a
            // file of openings is still read in linear time.
            self.no_closing_quotes = true;
            let text = content.trim_end_matches(' ');
            let place = Span::new(begin, begin + text.len());
            self.report.push(
                Diagnostic::new(
                    &syntax::UNCLOSED_DOCUMENTATION,
                    place,
                    "documentation is not closed",
                )
                .with_help("write `\"\"\"` where it ends"),
            );
            let kind = LineKind::Broken { column_known: true };
            self.layout
                .lines
                .push(Line::plain(kind, column, text, begin));
            return;
        };
        let inner = rest.get(..length).unwrap_or_default();
        let end = inner_start + length + DOCUMENTATION_QUOTES.len();
        self.number += inner.bytes().filter(|byte| *byte == b'\n').count();
        let behind = self.text.get(end..).unwrap_or_default();
        let behind = behind.split('\n').next().unwrap_or_default();
        self.at = end + behind.len() + 1;
        self.layout.lines.push(Line::documentation(
            column,
            inner,
            inner_start,
            Span::new(begin, end),
        ));
        let trailing = behind.trim_start_matches(' ');
        let trailing_at = end + (behind.len() - trailing.len());
        match trailing.chars().next() {
            None => {}
            Some('#') => self.comment(trailing_at, trailing, false),
            Some(character) if is_foreign_blank(character) => {
                let place = Span::new(trailing_at, trailing_at + character.len_utf8());
                self.blank_character(character, place, None);
            }
            Some(_) => self.report.push(
                Diagnostic::new(
                    &syntax::TRAILING_TEXT,
                    Span::new(trailing_at, trailing_at + trailing.trim_end().len()),
                    "nothing may stand behind documentation on its line",
                )
                .with_help("put it on a line of its own"),
            ),
        }
    }

    /// `indentation`: it stands there, and what to write instead.
    fn blank_character(&mut self, character: char, place: Span, indentation: Option<Option<Fix>>) {
        let name = blank_name(character);
        let fix = match &indentation {
            Some(fix) => fix.clone(),
            None => fixes::blank(self.text, character, place),
        };
        let indentation = indentation.is_some();
        let message = match indentation {
            true => format!("indentation holds {name}"),
            false => format!("{name} stands outside a string and a comment"),
        };
        let help = match (character, indentation) {
            ('\t', true) => "indent with spaces only; set the editor to write spaces for a tab",
            (_, true) => "indent with spaces only",
            (_, false) => "write a space",
        };
        self.report.push(
            Diagnostic::new(&syntax::FOREIGN_BLANK, place, message)
                .with_help(help)
                .with_fix(fix),
        );
    }
}

/// The first character, when it is a blank other than the space.
fn leading_blank(content: &str) -> Option<(char, usize)> {
    let first = content.chars().next()?;
    is_foreign_blank(first).then(|| (first, first.len_utf8()))
}

/// A blank that is not the space: tabs, no-break spaces, and the rest of Unicode's. Those of
/// width zero are among them, since nobody sees them either.
fn is_foreign_blank(character: char) -> bool {
    (character.is_whitespace() && character != ' ')
        || matches!(character, '\u{180E}' | '\u{200B}' | '\u{2060}')
}

fn blank_name(character: char) -> String {
    let name = match character {
        '\t' => return "a tab".to_owned(),
        '\u{A0}' => "a no-break space",
        '\u{3000}' => "an ideographic space",
        '\u{200B}' => "a zero-width space",
        '\u{0C}' => "a form feed",
        '\u{0B}' => "a vertical tab",
        _ => "a blank that is no space",
    };
    format!("{name} (U+{:04X})", u32::from(character))
}

fn is_blank_to_the_end(bytes: &[u8], from: usize) -> bool {
    bytes.iter().skip(from).all(|byte| *byte == b' ')
}

/// Whether the inside of a line is an expression or arguments, where strings may have a
/// prefix, and not the free text of a name.
pub(super) fn reads_expressions(content: &str) -> bool {
    let (word, _) = content
        .split_at_checked(word_length(content))
        .unwrap_or_default();
    word.is_empty() && content.starts_with('$')
        || matches!(
            word,
            "if" | "else" | "elif" | "while" | "execute" | "event" | "create"
        )
}

/// Whether the quote at `at` stands at the start of a word (contract section 1).
pub(super) fn opens_string(bytes: &[u8], at: usize, expression: bool) -> bool {
    let Some(before) = at.checked_sub(1) else {
        return true;
    };
    let Some(&previous) = bytes.get(before) else {
        return true;
    };
    if !expression {
        return matches!(previous, b' ' | b'(' | b'[' | b'{' | b',' | b'=' | b':');
    }
    if !is_word(previous) && previous < 0x80 {
        return true;
    }
    let front = bytes.get(..at).unwrap_or_default();
    let letters = front
        .iter()
        .rev()
        .take_while(|byte| is_word(**byte) || **byte >= 0x80)
        .count();
    let prefix = front.get(at - letters..).unwrap_or_default();
    letters <= 2 && is_string_prefix(prefix) && front.iter().rev().nth(letters) != Some(&b'$')
}

fn is_string_prefix(letters: &[u8]) -> bool {
    match letters.to_ascii_lowercase().as_slice() {
        [b'f' | b'r' | b'b' | b'u'] => true,
        [first, second] => matches!([*first, *second], [b'r', b'b' | b'f'] | [b'b' | b'f', b'r']),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
