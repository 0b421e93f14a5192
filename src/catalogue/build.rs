//! From a draft that holds together to a catalogue.

use std::collections::BTreeSet;

use super::draft::{Draft, DraftUndo, Wanted};
use super::types::{Agent, Catalogue, FORMAT, OrderRule, SourceHash, Tool, Undo};
use crate::ir::Rulebook;
use crate::text::Spanned;
use crate::yaml::{Content, Entry};

/// A catalogue without pins.
pub(super) fn catalogue(
    draft: &Draft<'_>,
    rulebook: Rulebook,
    sources: Vec<SourceHash>,
) -> Catalogue {
    let agents = draft.agents.iter().map(|(name, agent)| {
        let agent = Agent {
            hand_off: set(&agent.hand_off),
            owners: set(&agent.owners),
            tools: set(&agent.tools),
        };
        (name.clone(), agent)
    });
    let tools = draft.tools.iter().map(|(name, tool)| {
        let tool = Tool {
            confirm: tool.confirm.as_ref().map(|confirm| confirm.value.clone()),
            context_arguments: set(&tool.context_arguments),
            input_schema: tool.input_schema.to_json(),
            operation_type: tool.operation_type,
            outside: tool.is_outside(),
            require_confirmation: tool.asks(),
            undo: tool.undo.as_ref().map(undo),
        };
        (name.clone(), tool)
    });
    let order = draft.order.iter().map(|rule| {
        let tool = rule.tool.value.clone();
        match &rule.wants {
            Wanted::After(after) => OrderRule::After {
                after: after.value.clone(),
                tool,
            },
            Wanted::AtMost(at_most) => OrderRule::AtMost {
                at_most: at_most.value,
                tool,
            },
        }
    });
    Catalogue {
        agents: agents.collect(),
        format: FORMAT.to_owned(),
        order: order.collect(),
        pins: None,
        rulebook,
        sources,
        tools: tools.collect(),
        ungoverned: draft.ungoverned,
    }
}

fn set(names: &[Spanned<String>]) -> BTreeSet<String> {
    names.iter().map(|name| name.value.clone()).collect()
}

fn undo(undo: &DraftUndo<'_>) -> Undo {
    let entries = match undo.arguments.map(|node| &node.content) {
        Some(Content::Mapping(entries)) => entries.as_slice(),
        _ => &[],
    };
    let argument = |entry: &Entry| (entry.key.value.clone(), entry.value.to_json());
    Undo {
        arguments: entries.iter().map(argument).collect(),
        tool: undo.tool.value.clone(),
    }
}
