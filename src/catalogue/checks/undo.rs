//! Calls that undo others: each is a call that its tool would take, and none goes round in a
//! circle.

use std::collections::BTreeSet;

use super::super::draft::{Draft, DraftTool, DraftUndo};
use super::super::types::OperationType;
use super::{RESERVED, declared, known_tool};
use crate::diagnostics::codes::catalogue::{BAD_UNDO, NO_SUCH_ARGUMENT};
use crate::diagnostics::{Diagnostic, Sink};
use crate::text::{Spanned, quoted};
use crate::yaml::{Content, Node};

pub(super) fn check(draft: &Draft<'_>, sink: &mut Sink) {
    for (name, tool) in &draft.tools {
        let Some(undo) = &tool.undo else {
            continue;
        };
        if tool.operation_type == OperationType::ReadOnly {
            let message = format!("{} is `read_only`: it leaves nothing to undo", quoted(name));
            let help = "delete `undo`, or write `operation_type: transactional`";
            sink.push(Diagnostic::new(&BAD_UNDO, undo.key, message).with_help(help));
        }
        if !known_tool(draft, &undo.tool, sink) {
            continue;
        }
        circle(draft, name, undo, sink);
        if let Some(by) = draft.tools.get(&undo.tool.value) {
            if by.operation_type == OperationType::ReadOnly {
                let message = format!(
                    "{} is `read_only`: it undoes nothing",
                    quoted(&undo.tool.value)
                );
                let help = "name a transactional tool";
                sink.push(Diagnostic::new(&BAD_UNDO, undo.tool.span, message).with_help(help));
            }
            arguments(name, tool, undo, by, sink);
        }
    }
}

fn circle(draft: &Draft<'_>, name: &str, undo: &DraftUndo<'_>, sink: &mut Sink) {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut next = Some(undo.tool.value.as_str());
    while let Some(tool) = next.filter(|tool| seen.insert(tool)) {
        let undo = draft.tools.get(tool).and_then(|tool| tool.undo.as_ref());
        next = undo.map(|undo| undo.tool.value.as_str());
    }
    if seen.contains(name) {
        let message = if undo.tool.value == name {
            format!("{} would undo itself", quoted(name))
        } else {
            format!("{} is undone by a tool that it undoes", quoted(name))
        };
        let help = "let what undoes a call have no `undo` of its own that leads back here";
        sink.push(Diagnostic::new(&BAD_UNDO, undo.tool.span, message).with_help(help));
    }
}

fn arguments(
    name: &str,
    tool: &DraftTool<'_>,
    undo: &DraftUndo<'_>,
    by: &DraftTool<'_>,
    sink: &mut Sink,
) {
    let entries = match undo.arguments.map(|node| &node.content) {
        Some(Content::Mapping(entries)) => entries.as_slice(),
        _ => &[],
    };
    for entry in entries {
        declared(&undo.tool.value, by, &entry.key, sink);
        values(name, tool, &entry.value, sink);
    }
    for (required, _) in by.required() {
        let is_given = entries.iter().any(|entry| entry.key.value == required);
        if !is_given && !RESERVED.contains(&required) {
            let message = format!(
                "{} requires {}, and the `undo` does not give it",
                quoted(&undo.tool.value),
                quoted(required)
            );
            let help = format!("write `{required}: $arguments.…` or a value below `arguments`");
            sink.push(Diagnostic::new(&NO_SUCH_ARGUMENT, undo.key, message).with_help(help));
        }
    }
}

/// Texts with a `$` in front lead to a value of the call that is undone.
fn values(name: &str, tool: &DraftTool<'_>, value: &Node, sink: &mut Sink) {
    let mut pending = vec![value];
    while let Some(node) = pending.pop() {
        match &node.content {
            Content::List(items) => pending.extend(items),
            Content::Mapping(entries) => pending.extend(entries.iter().map(|entry| &entry.value)),
            Content::Text(text) if text.value.starts_with('$') => {
                reference(name, tool, &text.value, node, sink);
            }
            _ => {}
        }
    }
}

fn reference(name: &str, tool: &DraftTool<'_>, text: &str, node: &Node, sink: &mut Sink) {
    let path = |prefix: &str| {
        let path = text.strip_prefix(prefix)?;
        let is_path = !path.is_empty() && path.split('.').all(|segment| !segment.is_empty());
        is_path.then_some(path)
    };
    if let Some(path) = path("$arguments.") {
        let first = path.split('.').next().unwrap_or_default();
        let first = Spanned::new(first.to_owned(), node.place);
        declared(name, tool, &first, sink);
    } else if path("$result.").is_none() {
        let message = format!(
            "{} leads to no value of the call that is undone",
            quoted(text)
        );
        let help = "write `$arguments.PATH` or `$result.PATH`, with `.` between keys, or a text without `$` in front";
        sink.push(Diagnostic::new(&BAD_UNDO, node.place, message).with_help(help));
    }
}
