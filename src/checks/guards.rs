//! Guards that never fire, and guards that refuse every call unless the host sends a name.

use std::ops::ControlFlow;

use serde_json::Map;

use crate::decision_space::{Problem, Space, compared_tools};
use crate::diagnostics::{Diagnostic, Sink, codes::analyses};
use crate::evaluator::{Call, branch_taken};
use crate::ir::{BranchSummary, Flow, FlowKind};
use crate::text::{Span, quoted};

use super::ways::{Outcome, Ways, walk};
use super::{Example, Subject, not_decided};

/// Reports guards that guard nothing, or everything.
pub fn check(subject: &Subject<'_>, sink: &mut Sink) {
    let flows = subject.rulebook.flows.iter().zip(&subject.ways);
    for ((flow, ways), place) in flows.zip(&subject.places.flows) {
        if sink.is_given_up() {
            return;
        }
        if flow.kind == FlowKind::Guard && !subject.is_exhausted() {
            never_fires(subject, flow, ways, place.name, sink);
            refuses_by_default(subject, flow, ways, place.name, sink);
        }
    }
}

fn never_fires(subject: &Subject<'_>, flow: &Flow, ways: &Ways<'_>, name: Span, sink: &mut Sink) {
    let space = Space::of(ways.conditions.iter().copied());
    let mut problem = Problem::new(&space);
    let ids = problem.add_all(&ways.conditions);
    let mut budget = subject.budget();
    let given = budget;
    let fires = walk(
        ways,
        &ids,
        &mut problem,
        &mut budget,
        &mut |_, _, outcome, _| match outcome {
            Outcome::Branch(branch) if branch.guard_word().is_some() => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        },
    );
    subject.spend(given - budget);
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

/// A guard that refuses or asks in an empty context, whatever the tool.
fn refuses_by_default(
    subject: &Subject<'_>,
    flow: &Flow,
    ways: &Ways<'_>,
    name: Span,
    sink: &mut Sink,
) {
    let nothing = Map::new();
    let stops = |tool: &str| {
        let taken = branch_taken(flow, &Call::new(Some(tool), &nothing)).map(BranchSummary::of);
        taken.is_none_or(|summary| summary.guard_word().is_some())
    };
    // The tools that the guard tells apart, and one that it does not name: no tool's name is empty.
    let mut compared = ways.conditions.iter().copied().flat_map(compared_tools);
    if !stops("") || !compared.all(stops) {
        return;
    }
    let message = format!(
        "the guard {} refuses every call unless the host sends the values it reads",
        quoted(&flow.name)
    );
    let diagnostic = Diagnostic::new(&analyses::GUARD_REFUSES_BY_DEFAULT, name, message);
    sink.push(match smallest_silent(subject, ways) {
        ControlFlow::Continue(Some(context)) => diagnostic.with_help(format!(
            "the smallest context in which it lets a call through: {}; a rail of a chat that is to guard no tool call has no place in a rulebook",
            quoted(&context)
        )),
        ControlFlow::Continue(None) => diagnostic
            .with_help("there is no context in which it lets a call through: with this guard nothing is ever allowed"),
        ControlFlow::Break(()) => not_decided(name, "in which context this guard lets a call through"),
    });
}

/// The smallest context in which the guard lets a call of some tool through; a break when that
/// was not found out.
fn smallest_silent(subject: &Subject<'_>, ways: &Ways<'_>) -> ControlFlow<(), Option<String>> {
    let space = Space::of(ways.conditions.iter().copied());
    let mut problem = Problem::new(&space);
    let ids = problem.add_all(&ways.conditions);
    let mut budget = subject.budget();
    let given = budget;
    let mut best: Option<Example> = None;
    let searched = walk::<()>(
        ways,
        &ids,
        &mut problem,
        &mut budget,
        &mut |problem, _, outcome, _| {
            if let Outcome::Branch(branch) = outcome
                && branch.guard_word().is_none()
            {
                let Some(smallest) = Example::smallest(problem) else {
                    return ControlFlow::Break(());
                };
                if best.as_ref().is_none_or(|best| smallest < *best) {
                    best = Some(smallest);
                }
            }
            ControlFlow::Continue(())
        },
    );
    subject.spend(given - budget);
    match searched {
        ControlFlow::Continue(()) => ControlFlow::Continue(best.map(|example| example.context)),
        ControlFlow::Break(_) => ControlFlow::Break(()),
    }
}
