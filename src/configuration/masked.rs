//! The source as it may be shown: what is not known to be no secret is hidden.

use std::collections::BTreeSet;

use crate::text::{Source, Span};
use crate::yaml::{Content, Node};

/// Stands for each byte that is hidden.
const HIDDEN: char = '*';

/// The source with every value hidden that does not begin at one of `shown`, but for variables.
pub(super) fn masked(source: &Source, root: &Node, shown: &BTreeSet<usize>) -> Source {
    let mut secrets: Vec<Span> = Vec::new();
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        match &node.content {
            Content::List(items) => pending.extend(items),
            Content::Mapping(entries) => pending.extend(entries.iter().map(|entry| &entry.value)),
            Content::Null | Content::Bool(_) => {}
            Content::Number(_) | Content::Text(_) => {
                if !shown.contains(&node.place.start) {
                    secrets.push(node.span);
                }
            }
        }
    }
    let is_hidden = |at: usize| secrets.iter().any(|span| span.range().contains(&at));
    with_hidden(source, is_hidden)
}

/// The same of a file that cannot be read: of each line, what stands behind its key is hidden.
pub(super) fn masked_lines(source: &Source) -> Source {
    let mut keys: Vec<Span> = Vec::new();
    for line in 1..=source.line_count() {
        let span = source.line_span(line);
        let text = source.slice(span);
        let end = text.find(':').map_or(0, |at| at + 1);
        keys.push(Span::new(span.start, span.start + end));
    }
    let is_key = |at: usize| keys.iter().any(|span| span.range().contains(&at));
    with_hidden(source, |at| !is_key(at))
}

fn with_hidden(source: &Source, is_hidden: impl Fn(usize) -> bool) -> Source {
    let text = source.text();
    let mut out = String::with_capacity(text.len());
    let mut variable_until = 0;
    for (at, letter) in text.char_indices() {
        let rest = text.get(at..).unwrap_or_default();
        if rest.starts_with("${")
            && let Some(length) = rest.find(['}', '\n'])
        {
            variable_until = at + length + 1;
        }
        let is_structure = letter.is_whitespace() || "\"'{}[],".contains(letter);
        if at < variable_until || is_structure || !is_hidden(at) {
            out.push(letter);
        } else {
            out.extend(std::iter::repeat_n(HIDDEN, letter.len_utf8()));
        }
    }
    Source::decode(source.name(), out.as_bytes()).0
}
