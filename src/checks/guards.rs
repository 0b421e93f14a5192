//! Guards that never fire, and guards that refuse every call unless the host sends a name.

use std::ops::ControlFlow;

use serde_json::Map;

use crate::decision_space::{Problem, Space};
use crate::diagnostics::{Diagnostic, Sink, codes::analyses};
use crate::evaluator::{Call, branch_taken};
use crate::ir::{BranchSummary, Flow, FlowKind, Rulebook, Word};
use crate::lowering::Places;
use crate::text::{Span, quoted};

use super::ways::{Conditions, Outcome, conditions_of, walk, ways};
use super::{BUDGET, Example, not_decided};

/// Reports guards that guard nothing, or everything.
pub fn check(rulebook: &Rulebook, places: &Places, sink: &mut Sink) {
    for (flow, place) in rulebook.flows.iter().zip(&places.flows) {
        if flow.kind == FlowKind::Guard {
            let conditions = conditions_of(flow);
            never_fires(flow, &conditions, place.name, sink);
            refuses_by_default(flow, &conditions, place.name, sink);
        }
    }
}

fn never_fires(flow: &Flow, conditions: &Conditions, name: Span, sink: &mut Sink) {
    let space = Space::of(conditions.iter().flatten());
    let mut budget = BUDGET;
    let fires = walk(
        &ways(flow, conditions),
        &mut Problem::new(&space),
        &mut budget,
        &mut |_, way, _| match way.outcome {
            Outcome::Branch(branch) if BranchSummary::of(branch).guard_word().is_some() => {
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        },
    );
    match fires {
        ControlFlow::Break(Some(())) => {}
        ControlFlow::Break(None) => sink.push(not_decided(name, "whether this guard ever fires")),
        ControlFlow::Continue(()) => sink.push(
            Diagnostic::new(
                &analyses::GUARD_NEVER_FIRES,
                name,
                format!(
                    "the guard {} stops no call in any context",
                    quoted(&flow.name)
                ),
            )
            .with_help(
                "correct the conditions of the paths that end in `stop`, or delete the flow",
            ),
        ),
    }
}

fn refuses_by_default(flow: &Flow, conditions: &Conditions, name: Span, sink: &mut Sink) {
    let nothing = Map::new();
    // A tool that no guard compares with: the empty name is no tool's.
    let call = Call::new(Some(""), &nothing);
    let taken = branch_taken(flow, &call).map(BranchSummary::of);
    let word = match &taken {
        None => Word::Refuse(crate::ir::RULE_NO_MATCH),
        Some(summary) => summary.guard_word().unwrap_or(Word::NoMatch),
    };
    if word == Word::NoMatch {
        return;
    }
    let message = format!(
        "the guard {} refuses every call unless the host sends the values it reads",
        quoted(&flow.name)
    );
    let diagnostic = Diagnostic::new(&analyses::GUARD_REFUSES_BY_DEFAULT, name, message);
    sink.push(match smallest_silent(flow, conditions) {
        Some(context) => diagnostic.with_help(format!(
            "the smallest context in which it lets a call through: {}; a rail of a chat that is to guard no tool call has no place in a rulebook",
            quoted(&context)
        )),
        None => diagnostic.with_help("no context was found in which it is silent: with this guard nothing is ever allowed"),
    });
}

/// The smallest context in which the guard lets a call of some tool through.
fn smallest_silent(flow: &Flow, conditions: &Conditions) -> Option<String> {
    let space = Space::of(conditions.iter().flatten());
    let mut budget = BUDGET;
    let mut best: Option<Example> = None;
    let _ = walk::<()>(
        &ways(flow, conditions),
        &mut Problem::new(&space),
        &mut budget,
        &mut |problem, way, _| {
            if let Outcome::Branch(branch) = way.outcome
                && BranchSummary::of(branch).guard_word().is_none()
                && let Some(smallest) = Example::smallest(problem)
                && best.as_ref().is_none_or(|best| smallest < *best)
            {
                best = Some(smallest);
            }
            ControlFlow::Continue(())
        },
    );
    best.map(|example| example.context)
}
