//! Reads JSON to a tree that knows its lines. Unlike a derived reader it tells keys that stand
//! twice, needs no stack for depth, and speaks of the file instead of the types.

use std::collections::BTreeMap;

use crate::text::BYTE_ORDER_MARK;

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
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Reader {
            rest: text,
            line: 1,
        }
        .document(),
        Err(error) => {
            let (valid, _) = bytes
                .split_at_checked(error.valid_up_to())
                .unwrap_or((bytes, &[]));
            let breaks = valid.iter().filter(|byte| **byte == b'\n').count();
            Err(JsonFault {
                line: 1 + breaks,
                message: "the file is not UTF-8".to_owned(),
            })
        }
    }
}

/// An array or object that is not closed yet.
enum Open {
    Array(usize, Vec<Node>),
    /// Line, fields, and the key whose value is read.
    Object(usize, BTreeMap<String, Node>, String),
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

impl Reader<'_> {
    fn fault<T>(&self, message: &str) -> Result<T, JsonFault> {
        Err(JsonFault {
            line: self.line,
            message: message.to_owned(),
        })
    }

    fn skip_blanks(&mut self) {
        let blanks = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
        let rest = self.rest.trim_start_matches(blanks);
        let (skipped, _) = self
            .rest
            .split_at_checked(self.rest.len() - rest.len())
            .unwrap_or_default();
        self.line += skipped.bytes().filter(|byte| *byte == b'\n').count();
        self.rest = rest;
    }

    fn eat(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn document(mut self) -> Result<Node, JsonFault> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let Some(value) = self.begin_value(&mut open)? else {
                continue;
            };
            if let Some(document) = self.end_value(value, &mut open)? {
                self.skip_blanks();
                if !self.rest.is_empty() {
                    return self.fault("there is more behind the end of the JSON value");
                }
                return Ok(document);
            }
        }
    }

    /// Reads a scalar or an empty container; opens one that is not empty, and gives none.
    fn begin_value(&mut self, open: &mut Vec<Open>) -> Result<Option<Node>, JsonFault> {
        self.skip_blanks();
        let line = self.line;
        let value = if self.eat("{") {
            self.skip_blanks();
            if !self.eat("}") {
                let key = self.key()?;
                open.push(Open::Object(line, BTreeMap::new(), key));
                return self.check_depth(open).map(|()| None);
            }
            Json::Object(BTreeMap::new())
        } else if self.eat("[") {
            self.skip_blanks();
            if !self.eat("]") {
                open.push(Open::Array(line, Vec::new()));
                return self.check_depth(open).map(|()| None);
            }
            Json::Array(Vec::new())
        } else if self.rest.starts_with('"') {
            Json::String(self.string()?)
        } else if self.eat("true") {
            Json::Bool(true)
        } else if self.eat("false") {
            Json::Bool(false)
        } else if self.eat("null") {
            Json::Null
        } else {
            Json::Number(self.number()?)
        };
        Ok(Some(Node { line, value }))
    }

    fn check_depth(&self, open: &[Open]) -> Result<(), JsonFault> {
        if open.len() > MAX_DEPTH {
            return self.fault("the file nests deeper than any rulebook");
        }
        Ok(())
    }

    /// Puts a value where it belongs, and closes what ends behind it; gives the document when
    /// that was the last.
    fn end_value(
        &mut self,
        mut value: Node,
        open: &mut Vec<Open>,
    ) -> Result<Option<Node>, JsonFault> {
        loop {
            self.skip_blanks();
            match open.pop() {
                None => return Ok(Some(value)),
                Some(Open::Array(line, mut items)) => {
                    items.push(value);
                    if self.eat(",") {
                        open.push(Open::Array(line, items));
                        return Ok(None);
                    }
                    if !self.eat("]") {
                        return self.fault("`,` or `]` is missing behind a value");
                    }
                    value = Node {
                        line,
                        value: Json::Array(items),
                    };
                }
                Some(Open::Object(line, mut fields, key)) => {
                    fields.insert(key, value);
                    if self.eat(",") {
                        self.skip_blanks();
                        let key = self.key()?;
                        if fields.contains_key(&key) {
                            let key = crate::text::quoted(&key);
                            return self
                                .fault(&format!("the key {key} stands twice in one object"));
                        }
                        open.push(Open::Object(line, fields, key));
                        return Ok(None);
                    }
                    if !self.eat("}") {
                        return self.fault("`,` or `}` is missing behind a value");
                    }
                    value = Node {
                        line,
                        value: Json::Object(fields),
                    };
                }
            }
        }
    }

    fn key(&mut self) -> Result<String, JsonFault> {
        if !self.rest.starts_with('"') {
            return self.fault("a key in `\"` is missing");
        }
        let key = self.string()?;
        self.skip_blanks();
        if !self.eat(":") {
            return self.fault("`:` is missing behind a key");
        }
        Ok(key)
    }

    fn string(&mut self) -> Result<String, JsonFault> {
        let mut escaped = false;
        let inside = self.rest.bytes().skip(1);
        let length = inside.map_while(|byte| {
            let closes = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            (!closes).then_some(())
        });
        let token = self.rest.split_at_checked(length.count() + 2);
        let Some((token, rest)) = token else {
            return self.fault("a string is not closed");
        };
        match serde_json::from_str(token) {
            Ok(text) => {
                self.rest = rest;
                Ok(text)
            }
            Err(_) => self.fault("a string has an escape or a character that JSON does not allow"),
        }
    }

    fn number(&mut self) -> Result<String, JsonFault> {
        let rest = self.rest.trim_start_matches(|c: char| {
            c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.')
        });
        let (token, _) = self
            .rest
            .split_at_checked(self.rest.len() - rest.len())
            .unwrap_or_default();
        if crate::text::Decimal::from_json(token).is_none() {
            return self.fault(if self.rest.is_empty() {
                "the file ends where a value is missing"
            } else {
                "a value is missing, or is none that JSON has"
            });
        }
        self.rest = rest;
        Ok(token.to_owned())
    }
}
