//! Writes the text of a random rulebook in odd ways that mean the same.
//!
//! Lines are those of the generator: none is continued, and documentation is on one line.

use std::fmt::Write as _;

use crate::gate::dice::Dice;

/// A mangled text.
pub struct Mangled {
    pub text: String,
    /// The comments that were put in, in their order, without blanks at their ends.
    pub comments: Vec<String>,
}

/// What is put in beside other spellings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// Nothing: what was one line is one line, and there is one canonical text of both.
    Nothing,
    /// Comments, blank lines and continuations, also CRLF and a byte order mark.
    Everything,
}

/// Mangles a text.
pub fn mangle(text: &str, beside: Beside, dice: &mut Dice) -> Mangled {
    let everything = beside == Beside::Everything;
    let mut mangler = Mangler {
        step: 1 + dice.below(5),
        everything,
        dice,
        out: String::new(),
        comments: Vec::new(),
    };
    let mut free = None;
    for line in text.lines() {
        let content = line.trim_start_matches(' ');
        let depth = (line.len() - content.len()) / 2;
        if content.is_empty() {
            mangler.out.push('\n');
            continue;
        }
        free = free.filter(|head| depth > *head);
        mangler.line(content, depth, free.is_some());
        if content.starts_with("meta") && free.is_none() {
            free = Some(depth);
        }
    }
    let Mangler { out, comments, .. } = mangler;
    let mut text = out;
    if everything && dice.once_in(4) {
        text = text.replace('\n', "\r\n");
    }
    if everything && dice.once_in(8) {
        text.insert(0, '\u{FEFF}');
    }
    Mangled { text, comments }
}

const COMMENTS: &[&str] = &[
    "# why",
    "#",
    "#tight",
    "# a \"quote and 'another",
    "# ends in a \\",
    "## ünï \u{1F512}",
    "#!\t tab  ",
    "# \"\"\"",
];

struct Mangler<'d> {
    step: usize,
    everything: bool,
    dice: &'d mut Dice,
    out: String,
    comments: Vec<String>,
}

impl Mangler<'_> {
    fn line(&mut self, content: &str, depth: usize, free: bool) {
        while self.everything && self.dice.once_in(9) {
            let blanks = self.dice.below(9);
            self.push_blanks(blanks);
            if self.dice.once_in(2) {
                self.comment();
            }
            self.out.push('\n');
        }
        self.push_blanks(depth * self.step);
        let (code, comment) = match content.split_once(" # yes") {
            Some((code, _)) => (code, Some("# yes")),
            None if content.starts_with('#') => ("", Some(content)),
            None => (content, None),
        };
        if free || code.starts_with("\"\"\"") {
            self.out.push_str(code);
        } else if !code.is_empty() {
            let respelt = self.respelt(code);
            self.spread(&respelt);
        }
        match comment {
            Some(comment) => {
                if !code.is_empty() {
                    self.push_blanks(2);
                }
                self.out.push_str(comment);
                self.comments.push(comment.to_owned());
            }
            None if self.everything && self.dice.once_in(9) => {
                let blanks = self.dice.below(4);
                self.push_blanks(blanks);
                self.comment();
            }
            None => {
                let blanks = self.dice.below(3);
                self.push_blanks(blanks);
            }
        }
        self.out.push('\n');
    }

    fn comment(&mut self) {
        let comment = COMMENTS[self.dice.below(COMMENTS.len())];
        self.out.push_str(comment);
        self.comments.push(comment.trim_end().to_owned());
    }

    fn push_blanks(&mut self, count: usize) {
        let _ = write!(self.out, "{:count$}", "");
    }

    /// The line with other words of the same meaning.
    fn respelt(&mut self, code: &str) -> String {
        let mut text = code.to_owned();
        if let Some(rest) = code.strip_prefix("else if ") {
            if self.dice.once_in(2) {
                text = format!("elif {rest}");
            }
        } else if let Some(rest) = code.strip_prefix("elif ") {
            if self.dice.once_in(2) {
                text = format!("else if {rest}");
            }
        } else if matches!(code, "stop" | "abort") {
            text = ["stop", "abort"][self.dice.below(2)].to_owned();
        } else if let Some((head, list)) = code.split_once("($amount)") {
            text = match self.dice.below(3) {
                0 => format!("{head} with $amount{list}"),
                1 => format!("{head}( $amount , ){list}"),
                _ => text,
            };
        } else if code.contains("execute ") && !code.contains('(') && self.dice.once_in(3) {
            text.push_str("()");
        }
        let keyword = ["if ", "elif ", "else if ", "while "];
        let keyword = keyword.iter().find(|word| text.starts_with(**word));
        if let Some(keyword) = keyword
            && is_readable(&text)
            && let Some(condition) = text.strip_prefix(*keyword).map(str::to_owned)
        {
            let (condition, colon) = match condition.strip_suffix(':') {
                Some(condition) => (condition.to_owned(), ":"),
                None => (condition, ""),
            };
            text = match self.dice.below(4) {
                0 => format!("{keyword}({condition}){colon}"),
                1 => format!("{keyword}(( {condition} ) ){colon}"),
                _ => format!("{keyword}{condition}{colon}"),
            };
        }
        let ends_alone = text.ends_with([':', '\\']);
        let is_text = text.starts_with(['"', '\'']) || is_declaration(&text);
        if !ends_alone && !is_text && self.dice.once_in(4) {
            text.push_str(["", " "][self.dice.below(2)]);
            text.push(':');
        }
        text
    }

    /// Writes a line with other blanks and quotes.
    fn spread(&mut self, code: &str) {
        let readable = is_readable(code);
        let condition = ["if", "el", "wh"].iter().any(|word| code.starts_with(word)) && readable;
        let texts = code.starts_with("bot ") || code.starts_with(['"', '\'']);
        let mut rest = code;
        let mut before = ' ';
        while let Some(first) = rest.chars().next() {
            let opens = matches!(before, ' ' | '(' | '[' | ',' | '=');
            if matches!(first, '"' | '\'') && opens {
                let length = string_length(rest);
                let (string, behind) = rest.split_at(length);
                let inner = string.get(1..length - 1).unwrap_or_default();
                let swappable = !inner.contains(['"', '\'', '\\']) && inner.len() + 2 == length;
                if (condition || texts) && swappable && self.dice.once_in(3) {
                    let quote = ['"', '\''][self.dice.below(2)];
                    let _ = write!(self.out, "{quote}{inner}{quote}");
                } else {
                    self.out.push_str(string);
                }
                rest = behind;
                before = first;
                continue;
            }
            rest = &rest[first.len_utf8()..];
            match first {
                ' ' if condition && operator_at(rest) && self.dice.once_in(3) => {
                    // `$a<= 5`
                }
                ' ' if readable || self.everything => self.blank(),
                '[' | '(' if condition && self.dice.once_in(4) => {
                    self.out.push(first);
                    self.blank();
                }
                ']' | ')' if condition && self.dice.once_in(4) => {
                    self.blank();
                    self.out.push(first);
                }
                ',' if condition && self.dice.once_in(4) => {
                    self.blank();
                    self.out.push_str(",,");
                }
                _ => self.out.push(first),
            }
            before = first;
        }
    }

    fn blank(&mut self) {
        let more = match self.dice.below(5) {
            0 => self.dice.below(4),
            _ => 0,
        };
        self.push_blanks(1 + more);
        if self.everything && self.dice.once_in(25) {
            self.out.push('\\');
            let behind = self.dice.below(3);
            self.push_blanks(behind);
            if self.dice.once_in(3) {
                self.comment();
            }
            self.out.push('\n');
            let indentation = self.dice.below(12);
            self.push_blanks(indentation);
        }
    }
}

/// Whether the gate reads what stands in the line; else its blanks are the author's text.
fn is_readable(code: &str) -> bool {
    let unreadable = ["len(", "[\"k\"]", "is None", "+ 1", "tags=[", "create "];
    !unreadable.iter().any(|part| code.contains(part))
}

fn is_declaration(code: &str) -> bool {
    code.starts_with('$') && !code.contains('=')
}

fn operator_at(rest: &str) -> bool {
    ["==", "!=", "<", ">"]
        .iter()
        .any(|operator| rest.starts_with(operator))
}

fn string_length(text: &str) -> usize {
    let quote = text.chars().next().unwrap_or('"');
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        if character == quote && !escaped {
            return at + 1;
        }
        escaped = character == '\\' && !escaped;
    }
    text.len()
}
