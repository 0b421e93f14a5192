//! What the rulebook names: its tools exist, and arguments whose origin nobody can check are noted.

use std::collections::BTreeSet;

use super::super::draft::Draft;
use super::known_tool;
use crate::diagnostics::codes::catalogue::UNCHECKED_ARGUMENT;
use crate::diagnostics::{Diagnostic, Sink};
use crate::ir::{Condition, FlowKind, Literal, Name, Rulebook, Step, is_tool_name};
use crate::text::{Span, Spanned, quoted};

pub(super) fn check(draft: &Draft<'_>, rulebook: &Rulebook, place: Span, sink: &mut Sink) {
    let governed = rulebook.tools.iter().map(|tool| tool.name.as_str());
    let named: BTreeSet<&str> = governed.chain(compared_tools(rulebook)).collect();
    for tool in named {
        known_tool(draft, &Spanned::new(tool.to_owned(), place), sink);
    }
    unchecked_arguments(rulebook, sink);
}

/// The tools that guards compare the called one with.
fn compared_tools<'r>(rulebook: &'r Rulebook) -> impl Iterator<Item = &'r str> {
    let ifs = rulebook.flows.iter().flat_map(|flow| &flow.ifs);
    let mut pending: Vec<&Condition> = ifs
        .flat_map(|decision| &decision.arms)
        .map(|arm| &arm.condition)
        .collect();
    let mut found = Vec::new();
    let mut take = |literal: &'r Literal| {
        if let Literal::String(tool) = literal {
            found.push(tool.as_str());
        }
    };
    while let Some(condition) = pending.pop() {
        match condition {
            Condition::All(parts) | Condition::Any(parts) => pending.extend(parts),
            Condition::Compare(compare) if is_tool_name(&compare.name) => take(&compare.value),
            Condition::OneOf(one_of) if is_tool_name(&one_of.name) => {
                one_of.values.iter().for_each(&mut take);
            }
            _ => {}
        }
    }
    found.into_iter()
}

fn unchecked_arguments(rulebook: &Rulebook, sink: &mut Sink) {
    let is_supplied = |path: &str| {
        let is_path = |name: &Name| name.join(".") == path;
        rulebook.context.iter().any(|known| is_path(&known.name))
    };
    let mut said = BTreeSet::new();
    let governing = rulebook
        .flows
        .iter()
        .filter(|flow| flow.kind == FlowKind::Governing);
    for branch in governing.flat_map(|flow| &flow.branches) {
        for step in &branch.steps {
            let Step::Execute(run) = step else {
                continue;
            };
            for argument in &run.arguments {
                let (Some(key), Some(path)) = (&argument.name, argument.value.strip_prefix('$'))
                else {
                    continue;
                };
                if is_supplied(path) || !said.insert((&run.tool, key, path)) {
                    continue;
                }
                let message = format!(
                    "{} of {} is not checked unless the host supplies {} ({} runs it with {})",
                    quoted(key),
                    quoted(&run.tool),
                    quoted(&argument.value),
                    quoted(&rulebook.source.file),
                    quoted(&format!("{key}={}", argument.value)),
                );
                let help = format!(
                    "declare {} in `define context`: a call without it is then refused",
                    quoted(&argument.value)
                );
                sink.push(Diagnostic::without_place(&UNCHECKED_ARGUMENT, message).with_help(help));
            }
        }
    }
}
