//! Tools on which both versions have the same words, told by looking at their flows only.

use crate::decision_space::Called;
use crate::ir::{Branch, Flow, Rulebook};

/// Whether the flows that speak on a tool are the same, but for names and lines.
pub(super) fn decide_alike(old: &Rulebook, new: &Rulebook, called: &Called) -> bool {
    let (old, new) = (called.speakers(old), called.speakers(new));
    let mut both = old.iter().zip(&new);
    old.len() == new.len() && both.all(|(old, new)| same_flow(old, new))
}

fn same_flow(old: &Flow, new: &Flow) -> bool {
    let conditions = |flow: &'_ Flow| -> Vec<_> {
        let each = flow.ifs.iter();
        each.map(|decision| {
            let arms = decision.arms.iter();
            arms.map(|arm| arm.condition.clone()).collect::<Vec<_>>()
        })
        .collect()
    };
    let mut branches = old.branches.iter().zip(&new.branches);
    old.kind == new.kind
        && old.branches.len() == new.branches.len()
        && conditions(old) == conditions(new)
        && branches.all(|(one, other)| same_branch((old, one), (new, other)))
}

fn same_branch((old, one): (&Flow, &Branch), (new, other): (&Flow, &Branch)) -> bool {
    let mut choices = one.path.iter().zip(&other.path);
    one.end == other.end
        && one.steps == other.steps
        && one.path.len() == other.path.len()
        && choices.all(|(one, other)| {
            one.arm == other.arm && old.if_index(&one.if_id) == new.if_index(&other.if_id)
        })
}
