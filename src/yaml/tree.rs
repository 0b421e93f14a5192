//! The tree of a document.

use serde_json::{Map, Number, Value};

use crate::text::{Span, Spanned};

/// A value and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The whole of it.
    pub span: Span,
    /// What of it stands on its first line: what a message underlines.
    pub place: Span,
    /// What it is.
    pub content: Content,
}

/// The kinds of value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// `null`, `~`, or nothing.
    Null,
    /// `true` or `false`, in lower case, capitals, or with a capital first letter.
    Bool(bool),
    /// A JSON number, with all its digits.
    Number(Number),
    /// Text.
    Text(Text),
    /// A list.
    List(Vec<Node>),
    /// A mapping, in the order it is written; no key stands twice.
    Mapping(Vec<Entry>),
}

/// Text, and how it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The characters.
    pub value: String,
    /// Whether it stands without quotes, so that other readers may take it for something else.
    pub is_plain: bool,
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: Spanned<String>,
    /// Its value.
    pub value: Node,
}

/// What a value is called in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`, or nothing.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// Text.
    Text,
    /// A list.
    List,
    /// A mapping.
    Mapping,
}

impl Kind {
    /// As a sentence names it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool => "`true` or `false`",
            Self::Number => "a number",
            Self::Text => "text",
            Self::List => "a list",
            Self::Mapping => "a mapping",
        }
    }
}

impl Text {
    /// Whether readers of YAML 1.1 take it for a boolean: `yes`, `no`, `on`, `off` without
    /// quotes. Here, as in YAML 1.2, it is text.
    pub fn looks_boolean(&self) -> bool {
        let words = ["yes", "no", "on", "off"];
        self.is_plain
            && words
                .iter()
                .any(|word| self.value.eq_ignore_ascii_case(word))
    }
}

impl Node {
    /// What it is called in a message.
    pub fn kind(&self) -> Kind {
        match self.content {
            Content::Null => Kind::Null,
            Content::Bool(_) => Kind::Bool,
            Content::Number(_) => Kind::Number,
            Content::Text(_) => Kind::Text,
            Content::List(_) => Kind::List,
            Content::Mapping(_) => Kind::Mapping,
        }
    }

    /// The same value as JSON. No deeper than [`super::MAX_DEPTH`].
    pub fn to_json(&self) -> Value {
        match &self.content {
            Content::Null => Value::Null,
            Content::Bool(value) => Value::Bool(*value),
            Content::Number(number) => Value::Number(number.clone()),
            Content::Text(text) => Value::String(text.value.clone()),
            Content::List(items) => Value::Array(items.iter().map(Self::to_json).collect()),
            Content::Mapping(entries) => {
                let mut map = Map::new();
                for entry in entries {
                    map.insert(entry.key.value.clone(), entry.value.to_json());
                }
                Value::Object(map)
            }
        }
    }
}
