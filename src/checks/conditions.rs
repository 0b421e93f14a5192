//! Conditions that are always true or false, and arms that no context reaches.

use std::collections::BTreeMap;

use crate::decision_space::TruthSet;
use crate::diagnostics::{Diagnostic, Sink, codes::analyses};
use crate::text::Span;

use super::ways::Ways;
use super::{Subject, not_decided};

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
pub fn check(subject: &Subject<'_>, sink: &mut Sink) {
    // An arm of a subflow is reported only when it is so in every flow that inlines it.
    let mut arms: BTreeMap<Span, Arm> = BTreeMap::new();
    let flows = subject.rulebook.flows.iter().zip(&subject.ways);
    for (index, ((flow, ways), of_flow)) in flows.zip(&subject.places.flows).enumerate() {
        if sink.is_given_up() {
            return;
        }
        let mut found: Vec<Arm> = ways.conditions.iter().map(|_| Arm::default()).collect();
        if !look(subject, index, ways, &mut found) {
            // Once all steps are taken one note says so.
            if !subject.is_exhausted() {
                sink.push(not_decided(
                    of_flow.name,
                    "whether each condition of this flow can be true and false",
                ));
            }
            // Unknown arms count as good ones.
            for arm in &mut found {
                (arm.met, arm.can_be_true, arm.can_be_other) = (true, true, true);
            }
        }
        let mut found = found.into_iter();
        for (decision, of_place) in flow.ifs.iter().zip(&of_flow.ifs) {
            let mut always_true_above = false;
            let mut if_met = false;
            let of_if = found.by_ref().take(decision.arms.len());
            for (index, (arm, span)) in of_if.zip(&of_place.arms).enumerate() {
                if index == 0 {
                    if_met = arm.met;
                }
                let is_else = of_place.has_else && index + 1 == decision.arms.len();
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
fn look(subject: &Subject<'_>, flow: usize, ways: &Ways<'_>, found: &mut [Arm]) -> bool {
    let Some(met) = subject.met(flow) else {
        return false;
    };
    ways.each(|at, requirements| {
        if met.get(at) != Some(&true) {
            return;
        }
        for (condition, truth) in requirements {
            if let Some(arm) = found.get_mut(*condition) {
                arm.met = true;
                arm.can_be_true |= *truth == TruthSet::TRUE;
                arm.can_be_other |= *truth != TruthSet::TRUE;
            }
        }
    });
    true
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
