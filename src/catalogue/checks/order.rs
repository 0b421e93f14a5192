//! Rules on the order of calls: each can be satisfied by someone.

use std::collections::{BTreeMap, BTreeSet};

use super::super::draft::{Draft, DraftAgent, DraftRule, Wanted};
use super::known_tool;
use crate::diagnostics::codes::catalogue::{AGENT_NEVER, LISTED_TWICE, ORDER_NEVER};
use crate::diagnostics::{Diagnostic, Sink};
use crate::text::{Span, quoted};

pub(super) fn check(draft: &Draft<'_>, sink: &mut Sink) {
    let mut after: BTreeMap<&str, Vec<&DraftRule>> = BTreeMap::new();
    let mut most: BTreeMap<&str, Span> = BTreeMap::new();
    for rule in &draft.order {
        if !known_tool(draft, &rule.tool, sink) {
            continue;
        }
        let tool = rule.tool.value.as_str();
        match &rule.wants {
            Wanted::After(other) => {
                if !known_tool(draft, other, sink) {
                    continue;
                }
                let rules = after.entry(tool).or_default();
                let first = rules
                    .iter()
                    .find(|rule| waits_for(rule) == Some(&other.value));
                match first {
                    Some(first) => sink.push(twice(rule, first.place)),
                    None => rules.push(rule),
                }
            }
            Wanted::AtMost(count) => {
                match most.get(tool) {
                    Some(first) => sink.push(twice(rule, *first)),
                    None => {
                        most.insert(tool, rule.place);
                    }
                }
                if count.value == 0 {
                    let message = format!("no call of {} could ever pass", quoted(tool));
                    let help = "delete the rule, and leave the tool out of the agents' `tools`";
                    sink.push(Diagnostic::new(&ORDER_NEVER, count.span, message).with_help(help));
                }
            }
        }
    }
    circles(&after, sink);
    for rules in after.values() {
        for rule in rules {
            agents(draft, rule, sink);
        }
    }
}

/// The tool that a rule wants before its own.
fn waits_for(rule: &DraftRule) -> Option<&String> {
    match &rule.wants {
        Wanted::After(other) => Some(&other.value),
        Wanted::AtMost(_) => None,
    }
}

fn twice(rule: &DraftRule, first: Span) -> Diagnostic {
    let message = format!(
        "a second rule of this kind for {}",
        quoted(&rule.tool.value)
    );
    Diagnostic::new(&LISTED_TWICE, rule.place, message)
        .with_label("again here")
        .with_other(first, "first here")
        .with_help("delete one of the two")
}

/// A tool that, over however many rules, waits for itself.
fn circles(after: &BTreeMap<&str, Vec<&DraftRule>>, sink: &mut Sink) {
    for (tool, rules) in after {
        for rule in rules {
            let Some(first) = waits_for(rule) else {
                continue;
            };
            let mut seen: BTreeSet<&str> = BTreeSet::new();
            let mut pending = vec![first.as_str()];
            while let Some(next) = pending.pop() {
                if seen.insert(next) {
                    let rules = after.get(next).into_iter().flatten();
                    pending.extend(rules.filter_map(|rule| waits_for(rule).map(String::as_str)));
                }
            }
            if seen.contains(tool) {
                let message = if first == tool {
                    format!("{} waits for itself", quoted(tool))
                } else {
                    format!(
                        "{} waits for {}, which waits for it",
                        quoted(tool),
                        quoted(first)
                    )
                };
                let help = "delete one of the rules: as they stand, none of these tools could ever be called";
                sink.push(Diagnostic::new(&ORDER_NEVER, rule.place, message).with_help(help));
            }
        }
    }
}

/// A run belongs to one agent: who has the tool has to have the other one too.
fn agents(draft: &Draft<'_>, rule: &DraftRule, sink: &mut Sink) {
    let Some(other) = waits_for(rule) else {
        return;
    };
    let tool = &rule.tool.value;
    if other == tool {
        return;
    }
    let has =
        |agent: &DraftAgent, tool: &String| agent.tools.iter().any(|listed| listed.value == *tool);
    let with_tool: Vec<_> = draft
        .agents
        .iter()
        .filter(|(_, agent)| has(agent, tool))
        .collect();
    let stuck: Vec<_> = with_tool
        .iter()
        .filter(|(_, agent)| !has(agent, other))
        .collect();
    if stuck.len() == with_tool.len() && !stuck.is_empty() {
        let message = format!(
            "no agent may call both {} and {}, so no call of {} could ever pass",
            quoted(other),
            quoted(tool),
            quoted(tool)
        );
        let help = format!(
            "list {} at an agent that has {}; a hand-off passes no history on",
            quoted(other),
            quoted(tool)
        );
        sink.push(Diagnostic::new(&ORDER_NEVER, rule.place, message).with_help(help));
        return;
    }
    for (name, agent) in stuck {
        let message = format!(
            "{} can never call {}: it may not call {} before",
            quoted(name),
            quoted(tool),
            quoted(other)
        );
        let help = format!(
            "list {} at this agent too, or take {} from it",
            quoted(other),
            quoted(tool)
        );
        sink.push(
            Diagnostic::new(&AGENT_NEVER, agent.name, message)
                .with_other(rule.place, "by this rule")
                .with_help(help),
        );
    }
}
