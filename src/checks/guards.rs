//! Guards that never fire, and guards that refuse every call unless the host sends a name.

use std::ops::ControlFlow;

use serde_json::Map;

use crate::decision_space::{Problem, Space};
use crate::diagnostics::{Diagnostic, Sink, codes::analyses};
use crate::evaluator::{Call, branch_taken};
use crate::ir::{BranchSummary, Flow, FlowKind, Word};
use crate::text::{Span, quoted};

use super::ways::{Outcome, Ways, walk};
use super::{BUDGET, Example, Subject, not_decided};

/// Reports guards that guard nothing, or everything.
pub fn check(subject: &Subject<'_>, sink: &mut Sink) {
    let flows = subject.rulebook.flows.iter().zip(&subject.ways);
    for ((flow, ways), place) in flows.zip(&subject.places.flows) {
        if flow.kind == FlowKind::Guard {
            never_fires(flow, ways, place.name, sink);
            refuses_by_default(flow, ways, place.name, sink);
        }
    }
}

fn never_fires(flow: &Flow, ways: &Ways<'_>, name: Span, sink: &mut Sink) {
    let space = Space::of(ways.conditions.iter().copied());
    let mut problem = Problem::new(&space);
    let ids = problem.add_all(&ways.conditions);
    let mut budget = BUDGET;
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

fn refuses_by_default(flow: &Flow, ways: &Ways<'_>, name: Span, sink: &mut Sink) {
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
        "the guard {} refuses every call unless the host sends more than nothing",
        quoted(&flow.name)
    );
    let diagnostic = Diagnostic::new(&analyses::GUARD_REFUSES_BY_DEFAULT, name, message);
    sink.push(match smallest_silent(ways) {
        Some(context) => diagnostic.with_help(format!(
            "with {} it is silent; input and output rails read as guards too: a flow that is to guard no tool call has no place in a rulebook",
            quoted(&context)
        )),
        None => diagnostic.with_help("no context was found in which it is silent: with this guard nothing is ever allowed"),
    });
}

/// The smallest context in which the guard lets a call of some tool through.
fn smallest_silent(ways: &Ways<'_>) -> Option<String> {
    let space = Space::of(ways.conditions.iter().copied());
    let mut problem = Problem::new(&space);
    let ids = problem.add_all(&ways.conditions);
    let mut budget = BUDGET;
    let mut best: Option<Example> = None;
    let _ = walk::<()>(
        ways,
        &ids,
        &mut problem,
        &mut budget,
        &mut |problem, _, outcome, _| {
            if let Outcome::Branch(branch) = outcome
                && branch.guard_word().is_none()
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
