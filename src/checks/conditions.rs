//! Conditions that are always true or false, and arms that no context reaches.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::decision_space::{Problem, Space};
use crate::diagnostics::{Diagnostic, Sink, codes::analyses};
use crate::ir::{Condition, Flow, Rulebook};
use crate::lowering::Places;
use crate::text::Span;

use super::ways::{Conditions, Outcome, conditions_of, walk, ways};
use super::{BUDGET, not_decided};

/// What contexts make of one arm, over all flows that inline it.
#[derive(Debug, Default)]
struct Arm {
    /// Its condition is met in some context.
    met: bool,
    /// It is met and true.
    can_be_true: bool,
    /// It is met and false, or neither.
    can_be_other: bool,
    /// It is an `else`, which has no condition of its own.
    is_else: bool,
    /// An arm above it in its `if` explains why it is never met.
    explained: bool,
}

/// Reports conditions that have no choice.
pub fn check(rulebook: &Rulebook, places: &Places, sink: &mut Sink) {
    // An arm of a subflow is reported only when it is so in every flow that inlines it.
    let mut arms: BTreeMap<Span, Arm> = BTreeMap::new();
    for (flow, of_flow) in rulebook.flows.iter().zip(&places.flows) {
        let conditions = conditions_of(flow);
        let mut found: Vec<Vec<Arm>> = conditions
            .iter()
            .map(|of_if| of_if.iter().map(|_| Arm::default()).collect())
            .collect();
        if !look(flow, &conditions, &mut found) {
            sink.push(not_decided(
                of_flow.name,
                "whether each condition of this flow can be true and false",
            ));
            // Unknown arms count as good ones.
            for arm in found.iter_mut().flatten() {
                (arm.met, arm.can_be_true, arm.can_be_other) = (true, true, true);
            }
        }
        for ((of_if, decision), of_place) in found.into_iter().zip(&flow.ifs).zip(&of_flow.ifs) {
            let mut always_true_above = false;
            let if_met = of_if.first().is_some_and(|arm| arm.met);
            for (index, (arm, span)) in of_if.into_iter().zip(&of_place.arms).enumerate() {
                let last = index + 1 == decision.arms.len();
                let is_else = last
                    && index > 0
                    && decision
                        .arms
                        .get(index)
                        .is_some_and(|arm| arm.condition == Condition::Const(true));
                let explained = always_true_above || !if_met;
                always_true_above |= arm.met && arm.can_be_true && !arm.can_be_other;
                let known = arms.entry(*span).or_insert(Arm {
                    explained: true,
                    ..Arm::default()
                });
                known.met |= arm.met;
                known.can_be_true |= arm.can_be_true;
                known.can_be_other |= arm.can_be_other;
                known.is_else = is_else;
                known.explained &= explained;
            }
        }
    }
    for (span, arm) in arms {
        report(span, &arm, sink);
    }
}

/// Whether it was found out within the budget.
fn look(flow: &Flow, conditions: &Conditions, found: &mut [Vec<Arm>]) -> bool {
    let space = Space::of(conditions.iter().flatten());
    let mut problem = Problem::new(&space);
    let mut budget = BUDGET;
    let result = walk::<()>(
        &ways(flow, conditions),
        &mut problem,
        &mut budget,
        &mut |_, way, _| {
            for choice in way.path {
                let of_if = flow
                    .if_index(&choice.if_id)
                    .and_then(|at| found.get_mut(at));
                mark(of_if, choice.arm.map(|number| number - 1), true);
            }
            if let Outcome::Undecided(index, arm) = way.outcome {
                mark(found.get_mut(index), Some(arm), false);
            }
            ControlFlow::Continue(())
        },
    );
    matches!(result, ControlFlow::Continue(()))
}

/// Notes that the arms up to `taken` are met: those above are false, it itself is true or not.
fn mark(of_if: Option<&mut Vec<Arm>>, taken: Option<usize>, is_true: bool) {
    for (at, arm) in of_if.into_iter().flatten().enumerate() {
        match taken {
            Some(taken) if at > taken => break,
            Some(taken) if at == taken && is_true => arm.can_be_true = true,
            _ => arm.can_be_other = true,
        }
        arm.met = true;
    }
}

fn report(span: Span, arm: &Arm, sink: &mut Sink) {
    let diagnostic = if !arm.met && !arm.explained {
        Diagnostic::new(
            &analyses::UNREACHABLE_ARM,
            span,
            "no context leads to this arm",
        )
        .with_help("the conditions before it leave nothing over: delete it, or correct one of them")
    } else if arm.met && arm.is_else {
        return;
    } else if arm.met && !arm.can_be_other {
        Diagnostic::new(&analyses::ALWAYS_TRUE, span, "this condition is always true here")
            .with_help("whenever it is met, what was tested before decides it: write `else`, or leave the `if` out")
    } else if arm.met && !arm.can_be_true {
        Diagnostic::new(
            &analyses::ALWAYS_FALSE,
            span,
            "this condition is never true here",
        )
        .with_help(
            "no context satisfies it together with what was tested before: correct or delete it",
        )
    } else {
        return;
    };
    sink.push(diagnostic);
}
