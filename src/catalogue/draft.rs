//! A policy as it is written, with places: what `agent.yaml` and a catalogue have in common, before
//! it is known to hold together.

use std::collections::BTreeMap;

use super::types::{OperationType, Ungoverned};
use crate::text::{Span, Spanned};
use crate::yaml::{Content, Entry, Node};

/// What is written of agents, tools and the order of calls.
#[derive(Debug, Default)]
pub(super) struct Draft<'n> {
    pub(super) agents: BTreeMap<String, DraftAgent>,
    pub(super) tools: BTreeMap<String, DraftTool<'n>>,
    pub(super) order: Vec<DraftRule>,
    pub(super) ungoverned: Ungoverned,
    /// Where the tools are listed.
    pub(super) tools_place: Span,
}

/// An agent as it is written.
#[derive(Debug)]
pub(super) struct DraftAgent {
    pub(super) name: Span,
    pub(super) hand_off: Vec<Spanned<String>>,
    pub(super) owners: Vec<Spanned<String>>,
    pub(super) tools: Vec<Spanned<String>>,
}

/// A tool as it is written.
#[derive(Debug)]
pub(super) struct DraftTool<'n> {
    pub(super) name: Span,
    pub(super) confirm: Option<Spanned<String>>,
    pub(super) context_arguments: Vec<Spanned<String>>,
    pub(super) input_schema: &'n Node,
    pub(super) operation_type: OperationType,
    pub(super) outside: Option<Spanned<bool>>,
    pub(super) require_confirmation: Option<Spanned<bool>>,
    pub(super) undo: Option<DraftUndo<'n>>,
}

/// The call that undoes another, as it is written.
#[derive(Debug)]
pub(super) struct DraftUndo<'n> {
    pub(super) key: Span,
    pub(super) tool: Spanned<String>,
    /// None where there are no arguments.
    pub(super) arguments: Option<&'n Node>,
}

/// A rule on the order of calls, as it is written.
#[derive(Debug)]
pub(super) struct DraftRule {
    pub(super) place: Span,
    pub(super) tool: Spanned<String>,
    pub(super) wants: Wanted,
}

/// What a rule on the order of calls wants.
#[derive(Debug)]
pub(super) enum Wanted {
    After(Spanned<String>),
    AtMost(Spanned<u64>),
}

impl DraftTool<'_> {
    /// Whether a transactional call of it asks a person.
    pub(super) fn asks(&self) -> bool {
        let said = self.require_confirmation.as_ref().map(|said| said.value);
        said.unwrap_or(self.operation_type == OperationType::Transactional)
    }

    /// Whether it reads the world outside.
    pub(super) fn is_outside(&self) -> bool {
        self.outside.as_ref().is_some_and(|said| said.value)
    }

    /// The properties that its input schema declares at its top.
    pub(super) fn properties<'s>(&'s self) -> impl Iterator<Item = (&'s str, &'s Node)> {
        let properties = member(self.input_schema, "properties");
        let entries = match properties.map(|node| &node.content) {
            Some(Content::Mapping(entries)) => entries.as_slice(),
            _ => &[],
        };
        let pair = |entry: &'s Entry| (entry.key.value.as_str(), &entry.value);
        entries.iter().map(pair)
    }

    /// The names that its input schema requires at its top.
    pub(super) fn required(&self) -> impl Iterator<Item = (&str, Span)> {
        let required = member(self.input_schema, "required");
        let items = match required.map(|node| &node.content) {
            Some(Content::List(items)) => items.as_slice(),
            _ => &[],
        };
        items.iter().filter_map(|item| match &item.content {
            Content::Text(text) => Some((text.value.as_str(), item.place)),
            _ => None,
        })
    }
}

/// The value of a key of a mapping.
pub(super) fn member<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    let Content::Mapping(entries) = &node.content else {
        return None;
    };
    let entry = entries.iter().find(|entry| entry.key.value == key)?;
    Some(&entry.value)
}
