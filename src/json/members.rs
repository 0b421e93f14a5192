//! The members of an object, each with where it stands in the text: so that a text is passed on
//! byte for byte, but for the members that are cut out or put in.

use std::ops::Range;

use super::reader::{Event, Reader};
use super::{JsonError, decode};

/// An object's text, and where its members stand.
#[derive(Clone, Debug)]
pub struct Members<'a> {
    text: &'a str,
    members: Vec<Member<'a>>,
    /// Where the closing brace stands.
    close: usize,
}

/// A member of an object.
#[derive(Clone, Debug)]
pub struct Member<'a> {
    /// The key, behind its escapes.
    pub key: String,
    /// The value, as it is written.
    pub value: &'a str,
    /// Where the key begins.
    start: usize,
    /// Where the value ends.
    end: usize,
}

impl Member<'_> {
    /// Where the value stands in the text.
    pub fn place(&self) -> Range<usize> {
        self.end - self.value.len()..self.end
    }
}

impl<'a> Members<'a> {
    /// Reads an object; none for a value that is none. Members keep their order; of keys that
    /// stand twice, each is a member ([`super::parse_strict`] refuses such texts).
    ///
    /// # Errors
    /// The text is no JSON.
    pub fn read(text: &'a str) -> Result<Option<Self>, JsonError> {
        let mut reader = Reader::new(text);
        let mut members: Vec<Member<'a>> = Vec::new();
        let mut depth = 0_usize;
        let mut key: Option<(String, usize)> = None;
        let mut value_start = 0;
        let mut is_object = false;
        let mut close = 0;
        let fail = |fault| JsonError::of(fault, text);
        while let Some(event) = reader.next().map_err(fail)? {
            let start = reader.start();
            match event {
                Event::Begin(container) => {
                    if depth == 0 {
                        is_object = container == super::Container::Object;
                    } else if depth == 1 {
                        value_start = start;
                    }
                    depth += 1;
                    continue;
                }
                Event::Key(next) if depth == 1 => {
                    key = Some((next.text.into_owned(), start));
                    continue;
                }
                Event::Key(_) => continue,
                Event::End => {
                    depth -= 1;
                    if depth == 0 {
                        close = start;
                    }
                }
                Event::Scalar(_) if depth == 1 => value_start = start,
                Event::Scalar(_) => continue,
            }
            if depth == 1
                && let Some((key, start)) = key.take()
            {
                let end = reader.end_of_event();
                members.push(Member {
                    key,
                    value: text.get(value_start..end).unwrap_or_default(),
                    start,
                    end,
                });
            }
        }
        Ok(is_object.then_some(Self {
            text,
            members,
            close,
        }))
    }

    /// Reads an object from bytes.
    ///
    /// # Errors
    /// The bytes are not UTF-8, or no JSON.
    pub fn read_bytes(bytes: &'a [u8]) -> Result<Option<Self>, JsonError> {
        Self::read(decode(bytes).map_err(JsonError::NotUtf8)?)
    }

    /// The members, in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = &Member<'a>> {
        self.members.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The value of a key, as it is written.
    pub fn get(&self, key: &str) -> Option<&'a str> {
        let member = self.members.iter().find(|member| member.key == key)?;
        Some(member.value)
    }

    /// The text without the members that `drop` chooses, and with `added` (keys, and values as
    /// JSON text) behind the last member that stays. All other bytes stay as they are, blanks
    /// too: a member that goes takes the comma and the blanks behind it along or, where no other
    /// is left behind it, those before it.
    pub fn edited(&self, drop: impl Fn(&str) -> bool, added: &[(&str, &str)]) -> String {
        let piece = |from: usize, to: usize| self.text.get(from..to).unwrap_or_default();
        let first = self.members.first().map_or(self.close, |first| first.start);
        let last = self.members.last().map_or(self.close, |last| last.end);
        let mut out = piece(0, first).to_owned();
        // What stands between the last member that stayed and the one behind it.
        let mut gap = None;
        for (index, member) in self.members.iter().enumerate() {
            if drop(&member.key) {
                continue;
            }
            out.push_str(gap.unwrap_or_default());
            out.push_str(piece(member.start, member.end));
            let next = self.members.get(index + 1);
            gap = Some(next.map_or("", |next| piece(member.end, next.start)));
        }
        let mut is_first = gap.is_none();
        for (key, value) in added {
            if !is_first {
                out.push_str(", ");
            }
            is_first = false;
            out.push_str(&serde_json::Value::from(*key).to_string());
            out.push_str(": ");
            out.push_str(value);
        }
        out.push_str(piece(last, self.text.len()));
        out
    }
}
