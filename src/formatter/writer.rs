//! Writes one logical line: its pieces one after the other, with the breaks that the author
//! continued it by where they were.

use crate::syntax::lines::LogicalLine;

/// How much deeper than its line a continuation stands.
const CONTINUATION: usize = 4;

/// A `\` of the author's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Break<'a> {
    /// Offset in the line's text of the blank that it is.
    pub(super) at: usize,
    /// The comment behind it.
    pub(super) comment: Option<&'a str>,
}

/// A line as it is written: physical lines without indentation of the first, and the comment at
/// the end of the last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Written {
    /// The physical lines; the first begins behind its indentation.
    pub(super) lines: Vec<String>,
    /// A comment that belongs behind the last, since nothing stands behind its `\` any more.
    pub(super) comment: Option<String>,
}

/// Writes one line.
pub(super) struct Writer<'l> {
    line: &'l LogicalLine<'l>,
    breaks: std::iter::Peekable<std::slice::Iter<'l, Break<'l>>>,
    indentation: String,
    done: Vec<String>,
    current: String,
}

impl<'l> Writer<'l> {
    /// Begins `line`, which stands at `column`.
    pub(super) fn new(line: &'l LogicalLine<'l>, breaks: &'l [Break<'l>], column: usize) -> Self {
        Self {
            line,
            breaks: breaks.iter().peekable(),
            indentation: " ".repeat(column + CONTINUATION),
            done: Vec::new(),
            current: String::new(),
        }
    }

    /// The text of the line that is written.
    pub(super) fn source(&self) -> &'l str {
        self.line.text()
    }

    /// Writes something that need not stand in the source.
    pub(super) fn text(&mut self, text: &str) {
        self.current.push_str(text);
    }

    /// Writes what stands between the last piece and the next one, which begins at `to` in the
    /// source: the author's breaks if there are any, else `separator`. Of several breaks without
    /// a comment, one is enough, and none before all pieces.
    pub(super) fn gap(&mut self, to: usize, separator: &str) {
        let mut plain = false;
        let mut commented = false;
        while let Some(found) = self.breaks.next_if(|found| found.at < to) {
            if found.comment.is_some() {
                self.new_line(found, true);
                commented = true;
            } else {
                plain = true;
            }
        }
        let begun = !self.current.is_empty() || !self.done.is_empty();
        if commented {
            return;
        }
        if plain && begun {
            let plain = Break {
                at: to,
                comment: None,
            };
            self.new_line(&plain, true);
        } else {
            self.text(separator);
        }
    }

    /// Writes a part of the source as it is, breaks in it included.
    pub(super) fn verbatim(&mut self, from: usize, to: usize) {
        let mut at = from;
        let source = self.source();
        while let Some(found) = self.breaks.next_if(|found| found.at < to) {
            if found.at >= from {
                self.text(source.get(at..found.at).unwrap_or_default());
                self.new_line(found, false);
                at = found.at + 1;
            }
        }
        self.text(source.get(at..to).unwrap_or_default());
    }

    /// Writes a string literal of the source with double quotes, unless it has such in it.
    pub(super) fn string(&mut self, from: usize, to: usize) {
        let source = self.source();
        let literal = source.get(from..to).unwrap_or_default();
        let inner = literal
            .strip_prefix('\'')
            .and_then(|rest| rest.strip_suffix('\''));
        if inner.is_none_or(has_bare_quote) {
            return self.verbatim(from, to);
        }
        let (mut at, end) = (from + 1, to - 1);
        self.text("\"");
        while let Some(escape) = source.get(at..end).and_then(|rest| rest.find('\\')) {
            let escape = at + escape;
            // `\'` needs no escape between double quotes.
            if source.as_bytes().get(escape + 1) == Some(&b'\'') {
                self.verbatim(at, escape);
                self.text("'");
            } else {
                self.verbatim(at, escape + 2);
            }
            at = escape + 2;
        }
        self.verbatim(at, end);
        self.text("\"");
    }

    fn new_line(&mut self, found: &Break<'_>, behind_blank: bool) {
        let blank = behind_blank && !self.current.is_empty() && !self.current.ends_with(' ');
        let mut line = std::mem::replace(&mut self.current, self.indentation.clone());
        if blank {
            line.push(' ');
        }
        line.push('\\');
        if let Some(comment) = found.comment {
            line.push_str("  ");
            line.push_str(comment);
        }
        self.done.push(line);
    }

    /// Ends the line. Breaks behind which nothing stands are dropped; `commented` says whether
    /// a comment stands behind the line.
    pub(super) fn finish(mut self, commented: bool) -> Written {
        let mut left: Vec<&Break<'_>> = self.breaks.by_ref().collect();
        left.retain(|found| found.comment.is_some());
        let mut comment = None;
        if !commented {
            comment = left.pop().and_then(|last| last.comment).map(str::to_owned);
        }
        for found in left {
            self.new_line(found, true);
        }
        self.done.push(self.current);
        Written {
            lines: self.done,
            comment,
        }
    }
}

/// Whether a text between single quotes has a `"` without a `\` before it.
fn has_bare_quote(inner: &str) -> bool {
    let mut escaped = false;
    inner.bytes().any(|byte| {
        let bare = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        bare
    })
}
