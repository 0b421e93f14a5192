//! Contexts of cases: dotted keys read as nested objects, one context laid over another, names
//! taken away.

use std::collections::BTreeMap;
use std::ops::Bound;

use serde_json::{Map, Value};

use super::SetName;
use crate::decision_space::remove;
use crate::diagnostics::codes::{documents, suites};
use crate::diagnostics::{Diagnostic, Sink};
use crate::text::{Span, is_identifier, quoted};
use crate::yaml::{Content, Entry, MAX_DEPTH, Node};

/// A context as one place of the file says it.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    /// The values.
    pub(super) values: Map<String, Value>,
    /// The names that have a value, with their places.
    pub(super) names: Vec<SetName>,
    /// Where each of the names stands.
    places: BTreeMap<Vec<String>, Span>,
}

impl Said {
    /// A name that has a value and is part of this one, or that this one is part of.
    fn above_or_below(&self, name: &[String]) -> Option<(&Vec<String>, &Span)> {
        let parts = (1..name.len()).filter_map(|length| name.get(..length));
        let above = parts
            .into_iter()
            .find_map(|part| self.places.get_key_value(part));
        above.or_else(|| {
            let mut behind = self
                .places
                .range::<[String], _>((Bound::Excluded(name), Bound::Unbounded));
            behind.next().filter(|(other, _)| other.starts_with(name))
        })
    }
}

/// Reads the entries of a context. A key of identifiers joined by dots means nested objects, as
/// the names of a rulebook do; any other key stands for itself.
pub(super) fn read(entries: &[Entry], sink: &mut Sink) -> Said {
    let mut said = Said::default();
    below(entries, &[], &mut said, sink);
    said
}

/// No deeper than the document.
fn below(entries: &[Entry], parents: &[String], said: &mut Said, sink: &mut Sink) {
    for entry in entries {
        let mut name = parents.to_vec();
        let key = &entry.key.value;
        if key.split('.').all(is_identifier) {
            name.extend(key.split('.').map(str::to_owned));
        } else {
            name.push(key.clone());
        }
        match &entry.value.content {
            Content::Mapping(inner) if !inner.is_empty() => below(inner, &name, said, sink),
            _ => put(name, entry, said, sink),
        }
    }
}

fn put(name: Vec<String>, entry: &Entry, said: &mut Said, sink: &mut Sink) {
    let span = entry.key.span;
    let shown = quoted(&name.join("."));
    if name.len() > MAX_DEPTH {
        sink.push(
            Diagnostic::new(
                &documents::TOO_DEEP,
                span,
                format!("the name has more than {MAX_DEPTH} parts"),
            )
            .with_help("name a value that stands less deep"),
        );
        return;
    }
    if let Some(first) = said.places.get(&name) {
        sink.push(
            Diagnostic::new(
                &documents::DUPLICATE_KEY,
                span,
                format!("the name {shown} stands twice in one context"),
            )
            .with_label("again here")
            .with_other(*first, "first here")
            .with_help("delete one of the two; a key with dots means nested objects"),
        );
        return;
    }
    if let Some((other, place)) = said.above_or_below(&name) {
        let other_shown = quoted(&other.join("."));
        sink.push(
            Diagnostic::new(
                &suites::BAD_CONTEXT,
                span,
                format!("the context has both {shown} and {other_shown}"),
            )
            .with_other(*place, "said here")
            .with_help("a name has a value, or names below it: keep one of the two"),
        );
        return;
    }
    let mut holder = &mut said.values;
    let value = entry.value.to_json();
    if let Some((last, parents)) = name.split_last() {
        for segment in parents {
            let inner = holder
                .entry(segment.clone())
                .or_insert_with(|| Value::Object(Map::new()));
            match inner {
                Value::Object(inner) => holder = inner,
                _ => return,
            }
        }
        holder.insert(last.clone(), value);
    }
    let looks_boolean = match &entry.value.content {
        Content::Text(text) if text.looks_boolean() => Some(entry.value.place),
        _ => None,
    };
    said.places.insert(name.clone(), span);
    said.names.push(SetName {
        name,
        span,
        looks_boolean,
    });
}

/// Lays a context over another: objects key by key, all else as a whole. No deeper than the
/// document.
pub(super) fn lay_over(base: &mut Map<String, Value>, over: &Map<String, Value>) {
    for (key, value) in over {
        match (base.get_mut(key), value) {
            (Some(Value::Object(inner)), Value::Object(value)) => lay_over(inner, value),
            _ => {
                base.insert(key.clone(), value.clone());
            }
        }
    }
}

/// Reads a list of names that are to be absent, and takes them away. A name of the context beside
/// it is none of them.
pub(super) fn take_away(
    node: &Node,
    context: &mut Map<String, Value>,
    beside: &[SetName],
    sink: &mut Sink,
) {
    for item in node.list("`absent`", sink).unwrap_or_default() {
        let Some(name) = item.text("a name in `absent`", sink) else {
            continue;
        };
        let bare = name.value.strip_prefix('$').unwrap_or(&name.value);
        if !bare.split('.').all(is_identifier) {
            let message = format!("{} is no context name", quoted(&name.value));
            sink.push(
                Diagnostic::new(&suites::BAD_CONTEXT, name.span, message)
                    .with_help("write a name, its parts joined by dots: `customer.tier`"),
            );
            continue;
        }
        let segments: Vec<String> = bare.split('.').map(str::to_owned).collect();
        if let Some(set) = beside
            .iter()
            .find(|set| set.name.starts_with(&segments) || segments.starts_with(&set.name))
        {
            sink.push(contradiction(&name.value, name.span, set));
            continue;
        }
        remove(context, &segments);
    }
}

fn contradiction(name: &str, span: Span, set: &SetName) -> Diagnostic {
    Diagnostic::new(
        &suites::BAD_CONTEXT,
        span,
        format!("{} is to be absent, and is set beside it", quoted(name)),
    )
    .with_other(set.span, "set here")
    .with_help("`absent` takes away what is said further out: delete one of the two")
}
