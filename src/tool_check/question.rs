//! What a person is shown, and what a yes answers (gateway contract, section 3, *Questions*).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::json::{Container, Event, Reader, Scalar};
use crate::text::{escaped, quoted_for_decision};

use super::arguments::Arguments;

/// Most bytes of a question.
pub const MAX_QUESTION_BYTES: usize = 8 * 1024;

/// What a person is shown. A yes answers exactly this: where a check behind it comes to another
/// one, the person is asked anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// The rulebook's questions, in order.
    pub wordings: Vec<String>,
    /// The tool's own question.
    pub confirm: Option<String>,
    /// The marks of the call.
    pub marks: BTreeSet<String>,
    /// The digest of its arguments.
    pub digest: String,
    /// The hash of the policy.
    pub policy: String,
}

/// A question that is longer than a person can be shown: the call is refused, and nothing is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the question would be longer than 8 KiB: call the tool with shorter arguments")]
pub struct TooLong;

impl Shown {
    /// The text of the question. Several marks in its first line are joined by `, `, as in the line
    /// of the marks. Arguments stand as the client wrote them, without the reserved members; what
    /// would deceive the eye is escaped.
    ///
    /// # Errors
    /// It would have more than [`MAX_QUESTION_BYTES`].
    pub fn text(&self, tool: &str, arguments: &Arguments) -> Result<String, TooLong> {
        let marks: Vec<String> = self.marks.iter().map(|mark| escaped(mark)).collect();
        let marks = marks.join(", ");
        let tool = escaped(tool);
        let mut text = self.first_words(&tool);
        if !marks.is_empty() {
            text.push_str(&format!(
                " This call was proposed after reading {marks} from outside."
            ));
        }
        let marks = if marks.is_empty() { "none" } else { &marks };
        text.push_str(&format!("\n\nTool: {tool}\nMarks: {marks}\nArguments:\n"));
        write_indented(arguments.text(), &mut text).ok_or(TooLong)?;
        if text.len() > MAX_QUESTION_BYTES {
            return Err(TooLong);
        }
        Ok(text)
    }

    fn first_words(&self, tool: &str) -> String {
        if !self.wordings.is_empty() {
            let lines: Vec<String> = self.wordings.iter().map(|text| one_line(text)).collect();
            return lines.join(" ");
        }
        match &self.confirm {
            Some(confirm) => one_line(confirm),
            None => format!("Run {tool}?"),
        }
    }
}

/// A message on one line, whole.
fn one_line(wording: &str) -> String {
    let lines: Vec<&str> = wording.lines().collect();
    escaped(&lines.join(" "))
}

/// Writes a JSON text with one member or item a line, scalars as they are written but for escapes;
/// none where it becomes longer than a question may be.
fn write_indented(text: &str, out: &mut String) -> Option<()> {
    let mut reader = Reader::new(text);
    // Of each open container, whether it has an entry.
    let mut open: Vec<(Container, bool)> = Vec::new();
    let mut is_behind_key = false;
    while let Some(event) = reader.next().ok()? {
        if out.len() > MAX_QUESTION_BYTES {
            return None;
        }
        let ends = matches!(event, Event::End);
        let depth = open.len() - usize::from(ends);
        let last = open.last_mut();
        let has_entries = last.as_ref().is_some_and(|(_, has_entries)| *has_entries);
        if ends && has_entries || !ends && !is_behind_key && last.is_some() {
            if !ends && has_entries {
                out.push(',');
            }
            out.push('\n');
            out.push_str(&"  ".repeat(depth));
        }
        if !ends && let Some((_, has_entries)) = last {
            *has_entries = true;
        }
        is_behind_key = matches!(event, Event::Key(_));
        match event {
            Event::Begin(container) => {
                out.push(if container == Container::Array {
                    '['
                } else {
                    '{'
                });
                open.push((container, false));
            }
            Event::End => {
                let container = open.pop().map(|(container, _)| container);
                out.push(if container == Some(Container::Array) {
                    ']'
                } else {
                    '}'
                });
            }
            Event::Key(key) => {
                out.push_str(&quoted_for_decision(&key.text));
                out.push_str(": ");
            }
            Event::Scalar(Scalar::String(string)) => {
                out.push_str(&quoted_for_decision(&string.text));
            }
            Event::Scalar(Scalar::Number(digits)) => out.push_str(digits),
            Event::Scalar(Scalar::Bool(value)) => {
                out.push_str(if value { "true" } else { "false" })
            }
            Event::Scalar(Scalar::Null) => out.push_str("null"),
        }
    }
    Some(())
}
