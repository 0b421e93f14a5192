//! JSON as text: nothing in it acts on a terminal, and documents that are written in pieces look
//! as if they had been written at once.

use std::fmt::Write;

use serde::Serialize;

use crate::text::is_invisible;

/// One value on one line, with its line end.
pub(in crate::command_line) fn compact(value: &impl Serialize) -> String {
    let mut text = escape_invisible(&serde_json::to_string(value).unwrap_or_default());
    text.push('\n');
    text
}

/// One value on several lines, all but the first of them indented by `depth` steps of two
/// blanks. No line end behind it.
pub(in crate::command_line) fn pretty(value: &impl Serialize, depth: usize) -> String {
    // Strings, numbers and what holds them: nothing in it that could fail.
    let text = escape_invisible(&serde_json::to_string_pretty(value).unwrap_or_default());
    // A line feed inside of a string is escaped, so that each is one of the layout.
    text.replace('\n', &line_start(depth))
}

/// The items of an array that stands `depth` steps deep and is written in pieces.
#[derive(Debug)]
pub(super) struct Items {
    depth: usize,
    count: usize,
}

impl Items {
    /// No items so far, behind a `[` that has been written.
    pub(super) fn new(depth: usize) -> Self {
        Self { depth, count: 0 }
    }

    /// The next item.
    pub(super) fn next(&mut self, value: &impl Serialize) -> String {
        let comma = if self.count == 0 { "" } else { "," };
        self.count += 1;
        let start = line_start(self.depth + 1);
        format!("{comma}{start}{}", pretty(value, self.depth + 1))
    }

    /// The end of the array, without a line end.
    pub(super) fn end(&self) -> String {
        if self.count == 0 {
            "]".to_owned()
        } else {
            format!("{}]", line_start(self.depth))
        }
    }
}

fn line_start(depth: usize) -> String {
    format!("\n{}", "  ".repeat(depth))
}

/// serde_json leaves some characters as they are that act on a terminal. They stand in strings
/// only, where an escape means the same.
fn escape_invisible(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        if is_invisible(character) && character != '\n' {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(character);
        }
    }
    out
}
