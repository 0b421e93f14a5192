//! Reading mappings key by key, with a finding for whatever is not as it should be.

use serde_json::Number;

use super::tree::{Content, Entry, Kind, Node};
use crate::diagnostics::codes::documents;
use crate::diagnostics::{Diagnostic, Sink};
use crate::text::{Spanned, quoted};

/// Edits that a misspelt word may be away from the one that was meant.
const MOST_EDITS: usize = 2;

/// The entries of one mapping, of which each is taken once.
#[derive(Debug)]
pub struct Fields<'n> {
    node: &'n Node,
    /// What the mapping is, as a sentence names it: `a case`.
    what: &'static str,
    /// The entries that were not asked for.
    rest: Vec<&'n Entry>,
    /// The keys that were asked for.
    known: Vec<&'static str>,
}

impl<'n> Fields<'n> {
    /// The entries of a node that has to be a mapping; anything else is reported.
    pub fn of(node: &'n Node, what: &'static str, sink: &mut Sink) -> Option<Self> {
        let Content::Mapping(entries) = &node.content else {
            sink.push(wrong_kind(node, what, Kind::Mapping));
            return None;
        };
        Some(Self {
            node,
            what,
            rest: entries.iter().collect(),
            known: Vec::new(),
        })
    }

    /// Takes the entry of a key, if it is there.
    pub fn take(&mut self, key: &'static str) -> Option<&'n Entry> {
        self.known.push(key);
        let at = self.rest.iter().position(|entry| entry.key.value == key)?;
        Some(self.rest.remove(at))
    }

    /// Takes the entry of a key that has to be there; its absence is reported, with `help`.
    pub fn require(&mut self, key: &'static str, help: &str, sink: &mut Sink) -> Option<&'n Entry> {
        let found = self.take(key);
        if found.is_none() {
            self.missing(key, help, sink);
        }
        found
    }

    /// Reports that a key is missing.
    pub fn missing(&self, key: &str, help: &str, sink: &mut Sink) {
        let message = format!("{} without {}", self.what, quoted(key));
        sink.push(
            Diagnostic::new(&documents::MISSING_KEY, self.node.place, message).with_help(help),
        );
    }

    /// Reports the keys that nobody asked for, each with the known key it looks like.
    pub fn finish(self, sink: &mut Sink) {
        for entry in &self.rest {
            let key = &entry.key.value;
            let message = format!("{} has no key {}", self.what, quoted(key));
            let help = match nearest(key, self.known.iter().copied()) {
                Some(near) => format!("did you mean {}?", quoted(near)),
                None => {
                    let known: Vec<String> = self.known.iter().map(|key| quoted(key)).collect();
                    format!("its keys are {}", known.join(", "))
                }
            };
            sink.push(
                Diagnostic::new(&documents::UNKNOWN_KEY, entry.key.span, message).with_help(help),
            );
        }
    }
}

impl Node {
    /// The text of a node that has to be text, not empty; anything else is reported.
    pub fn text(&self, what: &str, sink: &mut Sink) -> Option<Spanned<String>> {
        match &self.content {
            Content::Text(text) if text.value.trim().is_empty() => {
                let message = format!("{what} is empty");
                sink.push(
                    Diagnostic::new(&documents::WRONG_KIND, self.place, message)
                        .with_help("write at least one word"),
                );
                None
            }
            Content::Text(text) => Some(Spanned::new(text.value.clone(), self.place)),
            _ => {
                sink.push(wrong_kind(self, what, Kind::Text));
                None
            }
        }
    }

    /// The boolean of a node that has to be one; anything else is reported.
    pub fn boolean(&self, what: &str, sink: &mut Sink) -> Option<bool> {
        if let Content::Bool(value) = self.content {
            return Some(value);
        }
        sink.push(wrong_kind(self, what, Kind::Bool));
        None
    }

    /// The number of a node that has to be one; anything else is reported.
    pub fn number(&self, what: &str, sink: &mut Sink) -> Option<&Number> {
        if let Content::Number(number) = &self.content {
            return Some(number);
        }
        sink.push(wrong_kind(self, what, Kind::Number));
        None
    }

    /// The items of a node that has to be a list; anything else is reported.
    pub fn list(&self, what: &str, sink: &mut Sink) -> Option<&[Self]> {
        if let Content::List(items) = &self.content {
            return Some(items);
        }
        sink.push(wrong_kind(self, what, Kind::List));
        None
    }

    /// The entries of a node that has to be a mapping with keys of the author's own; anything
    /// else is reported.
    pub fn mapping(&self, what: &str, sink: &mut Sink) -> Option<&[Entry]> {
        if let Content::Mapping(entries) = &self.content {
            return Some(entries);
        }
        sink.push(wrong_kind(self, what, Kind::Mapping));
        None
    }
}

fn wrong_kind(node: &Node, what: &str, wanted: Kind) -> Diagnostic {
    let message = format!(
        "{what} is {}, and here stands {}",
        wanted.as_str(),
        node.kind().as_str()
    );
    let help = match (wanted, &node.content) {
        (Kind::Bool, Content::Text(text)) if text.looks_boolean() => {
            "`yes`, `no`, `on` and `off` are text: write `true` or `false`"
        }
        (Kind::Text, Content::Number(_) | Content::Bool(_)) => "put it in quotes",
        (Kind::Number, Content::Text(_)) => "write it without quotes",
        (Kind::Bool, _) => "write `true` or `false`",
        (Kind::Text, _) => "write one line of text",
        (Kind::Number, _) => "write a number as JSON does, such as `1000` or `0.5`",
        (Kind::List, _) => "write each item on a line of its own behind `- `, or all in `[…]`",
        (Kind::Mapping, _) => "write `key: value` on lines of their own, or all in `{…}`",
        (Kind::Null, _) => "delete it",
    };
    Diagnostic::new(&documents::WRONG_KIND, node.place, message).with_help(help)
}

/// The word among `candidates` that a misspelt one was probably meant to be; the first of those
/// that are as near.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let lower = word.to_lowercase();
    let near = candidates.into_iter().filter_map(|candidate| {
        let distance = strsim::osa_distance(&lower, &candidate.to_lowercase());
        // Of short words, all are near to one another.
        let most = MOST_EDITS.min(candidate.chars().count().div_ceil(3));
        (distance <= most).then_some((distance, candidate))
    });
    near.min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
