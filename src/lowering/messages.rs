//! The messages of a rulebook with their wordings, and notes on what is never defined.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::{Diagnostic, Sink, codes::names};
use crate::ir;
use crate::syntax::tree::{FlowDefinition, Message, StatementKind, Trigger, Turn};
use crate::text::{Span, Spanned, quoted};

use super::definitions::Definitions;
use super::inlining::each_statement;

/// All messages by name: those of `define bot`, and those that flows say. Texts of several
/// definitions are merged, as Colang does.
pub fn collect(definitions: &Definitions<'_>, sink: &mut Sink) -> Vec<ir::Message> {
    let mut wordings: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for definition in &definitions.messages {
        wordings
            .entry(&definition.name.value)
            .or_default()
            .extend(definition.texts.iter().map(|text| text.value.clone()));
    }
    let mut first_said: BTreeMap<&str, Span> = BTreeMap::new();
    let mut first_turn: BTreeMap<&str, Span> = BTreeMap::new();
    for flow in all_flows(definitions) {
        each_statement(&flow.body, &mut |statement| match &statement.kind {
            StatementKind::Bot(bot) => {
                if let Message::Named(name) = &bot.message {
                    let said = &mut wordings;
                    if !said.contains_key(name.value.as_str()) {
                        first_said.entry(&name.value).or_insert(name.span);
                    }
                    said.entry(&name.value)
                        .or_default()
                        .extend(bot.wordings.iter().map(|text| text.value.clone()));
                }
            }
            StatementKind::User(Turn::Named(name)) => note_turn(name, &mut first_turn),
            StatementKind::When(when) => {
                for arm in &when.arms {
                    if let Some(Trigger::User(Turn::Named(name))) = &arm.trigger {
                        note_turn(name, &mut first_turn);
                    }
                }
            }
            _ => {}
        });
    }
    for (name, span) in first_said {
        if wordings.get(name).is_some_and(Vec::is_empty) {
            sink.push(Diagnostic::new(
                &names::UNDEFINED_MESSAGE,
                span,
                format!(
                    "no `define bot` words {}: its name is its wording",
                    quoted(name)
                ),
            ));
        }
    }
    let defined: BTreeSet<&str> = definitions
        .turns
        .iter()
        .map(|turn| turn.name.value.as_str())
        .collect();
    for (name, span) in first_turn {
        if !defined.contains(name) {
            sink.push(Diagnostic::new(
                &names::UNDEFINED_TURN,
                span,
                format!("no `define user` gives samples of {}", quoted(name)),
            ));
        }
    }
    wordings
        .into_iter()
        .map(|(name, wordings)| ir::Message {
            name: name.to_owned(),
            wordings,
        })
        .collect()
}

fn note_turn<'t>(name: &'t Spanned<String>, first: &mut BTreeMap<&'t str, Span>) {
    first.entry(&name.value).or_insert(name.span);
}

/// Flows and subflows, in source order within each.
pub fn all_flows<'t>(definitions: &Definitions<'t>) -> impl Iterator<Item = &'t FlowDefinition> {
    definitions
        .flows
        .clone()
        .into_iter()
        .chain(definitions.subflows.clone())
}
