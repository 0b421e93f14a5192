//! The JSON of a file as a tree that knows its lines and has no key twice.

use std::collections::BTreeMap;

use crate::json::{self, Container, Event, Fault, JsonString, Problem, Reader, Scalar};
use crate::text::quoted;

/// Deepest nesting of a file. A condition nests at most 130 deep (64 parentheses, each of them
/// an `or` in an `and`), at two levels each, below a dozen others.
const MAX_DEPTH: usize = 300;

/// A value and the line it begins on.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) line: usize,
    pub(super) value: Json,
}

/// A JSON value.
#[derive(Debug)]
pub(super) enum Json {
    Null,
    Bool(bool),
    /// Its text; the IR has counts only.
    Number(String),
    String(String),
    Array(Vec<Node>),
    Object(BTreeMap<String, Node>),
}

/// Why a text is not read.
#[derive(Debug)]
pub(super) struct JsonFault {
    pub(super) line: usize,
    pub(super) message: String,
}

impl Node {
    /// The line of the deepest part that a pointer reaches.
    pub(super) fn line_at(&self, pointer: &str) -> usize {
        let mut node = self;
        for segment in pointer.split('/').skip(1) {
            let next = match &node.value {
                Json::Array(items) => segment.parse().ok().and_then(|at: usize| items.get(at)),
                Json::Object(fields) => fields.get(&unescaped(segment)),
                _ => None,
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        node.line
    }
}

/// A key as a segment of a JSON pointer (RFC 6901).
pub(super) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

fn unescaped(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// Reads one JSON text. A byte order mark before it is dropped, as before a source.
pub(super) fn read(bytes: &[u8]) -> Result<Node, JsonFault> {
    let text = json::decode(bytes).map_err(|offset| {
        let breaks = bytes.iter().take(offset).filter(|byte| **byte == b'\n');
        JsonFault {
            line: 1 + breaks.count(),
            message: "the file is not UTF-8".to_owned(),
        }
    })?;
    build(Reader::new(text))
}

/// An array or object that is not closed yet, and the line it begins on.
enum Open {
    Array(usize, Vec<Node>),
    /// With the key whose value comes next.
    Object(usize, BTreeMap<String, Node>, String),
}

fn build(mut reader: Reader<'_>) -> Result<Node, JsonFault> {
    let mut open: Vec<Open> = Vec::new();
    let mut document = None;
    while let Some(event) = reader.next()? {
        let line = reader.line();
        let fault = |message: &str| JsonFault {
            line,
            message: message.to_owned(),
        };
        let node = match event {
            Event::Begin(_) if open.len() == MAX_DEPTH => {
                return Err(fault("the file nests deeper than any rulebook"));
            }
            Event::Begin(Container::Array) => {
                open.push(Open::Array(line, Vec::new()));
                continue;
            }
            Event::Begin(Container::Object) => {
                open.push(Open::Object(line, BTreeMap::new(), String::new()));
                continue;
            }
            Event::Key(string) => {
                let next = whole(string).ok_or_else(|| fault(STRING_PART))?;
                if let Some(Open::Object(_, fields, key)) = open.last_mut() {
                    if fields.contains_key(&next) {
                        let key = quoted(&next);
                        return Err(fault(&format!("the key {key} stands twice in one object")));
                    }
                    *key = next;
                }
                continue;
            }
            Event::End => match open.pop() {
                Some(Open::Array(line, items)) => Node {
                    line,
                    value: Json::Array(items),
                },
                Some(Open::Object(line, fields, _)) => Node {
                    line,
                    value: Json::Object(fields),
                },
                None => continue,
            },
            Event::Scalar(scalar) => Node {
                line,
                value: match scalar {
                    Scalar::Null => Json::Null,
                    Scalar::Bool(value) => Json::Bool(value),
                    Scalar::Number(digits) => Json::Number(digits.to_owned()),
                    Scalar::String(string) => {
                        Json::String(whole(string).ok_or_else(|| fault(STRING_PART))?)
                    }
                },
            },
        };
        match open.last_mut() {
            Some(Open::Array(_, items)) => items.push(node),
            Some(Open::Object(_, fields, key)) => {
                fields.insert(std::mem::take(key), node);
            }
            None => document = Some(node),
        }
    }
    document.ok_or_else(|| JsonFault {
        line: reader.line(),
        message: VALUE_AT_END.to_owned(),
    })
}

const STRING_PART: &str = "a string has an escape or a character that JSON does not allow";
const VALUE_AT_END: &str = "the file ends where a value is missing";

/// A string that says exactly what the file says: half a surrogate pair is no character.
fn whole(string: JsonString<'_>) -> Option<String> {
    (!string.has_half_pair).then(|| string.text.into_owned())
}

impl From<Fault> for JsonFault {
    fn from(fault: Fault) -> Self {
        let message = match fault.problem {
            Problem::Value if fault.is_end => VALUE_AT_END,
            Problem::Value => "a value is missing, or is none that JSON has",
            Problem::Key => "a key in `\"` is missing",
            Problem::Colon => "`:` is missing behind a key",
            Problem::Separator(Container::Array) => "`,` or `]` is missing behind a value",
            Problem::Separator(Container::Object) => "`,` or `}` is missing behind a value",
            Problem::OpenString => "a string is not closed",
            Problem::StringPart => STRING_PART,
            Problem::More => "there is more behind the end of the JSON value",
        };
        Self {
            line: fault.line,
            message: message.to_owned(),
        }
    }
}
