//! Ways through a flow as conditions, to be required of a call.

use crate::ir::{BranchSummary, Choice, Condition, Flow, FlowKind, Word};

use super::counts::FlowCoverage;

/// Most leaves that ways are written out into for one question. An arm's condition is written out
/// once for every way that it lies on, and may be as long as the author likes.
pub(super) const MOST_LEAVES: usize = 20_000;

/// What an arm's condition has to be: the arm's index in the flow's arms, and whether it holds.
pub(super) type Required = (usize, bool);

/// What has to be so of a path's arms, in the order they are met.
pub(crate) fn requirements(flow: &FlowCoverage<'_>, path: &[Choice]) -> Vec<Required> {
    let mut required = Vec::new();
    for choice in path {
        let Some(first) = flow.first_arm(&choice.if_id) else {
            continue;
        };
        let arms = flow
            .flow
            .find_if(&choice.if_id)
            .map_or(0, |decision| decision.arms.len());
        let failing = choice.arm.map_or(arms, |arm| arm.saturating_sub(1));
        required.extend((first..first + failing).map(|arm| (arm, false)));
        if choice.arm.is_some() {
            required.push((first + failing, true));
        }
    }
    required
}

/// What holds when a call comes to an `if`, by whatever path. None where that is longer than
/// `left`, the number of leaves that may still be written out.
pub(super) fn reaching(
    flow: &FlowCoverage<'_>,
    if_id: &str,
    left: &mut usize,
) -> Option<Condition> {
    let mut before: Option<&[Choice]> = None;
    let mut ways = Vec::new();
    for branch in &flow.flow.branches {
        let Some(at) = branch.path.iter().position(|choice| choice.if_id == if_id) else {
            continue;
        };
        let path = branch.path.get(..at).unwrap_or_default();
        // Branches stand depth-first, so those that share a way to here are neighbours.
        if before != Some(path) {
            ways.push(all_of(flow, path, left)?);
        }
        before = Some(path);
    }
    Some(Condition::any(ways))
}

fn all_of(flow: &FlowCoverage<'_>, path: &[Choice], left: &mut usize) -> Option<Condition> {
    let mut conditions = Vec::new();
    for (arm, holds) in requirements(flow, path) {
        let Some(counts) = flow.arms.get(arm) else {
            continue;
        };
        // A condition without a leaf takes its place too.
        *left = left.checked_sub(counts.leaves.len().max(1))?;
        conditions.push(if holds {
            counts.arm.condition.clone()
        } else {
            counts.arm.complement.clone()
        });
    }
    Some(Condition::all(conditions))
}

/// What holds when a flow does not stand in the way of what others say on a tool: a guard is
/// silent, a flow that governs neither refuses nor asks. None where that is longer than `left`,
/// the number of leaves that may still be written out.
pub(crate) fn out_of_the_way(
    flow: &FlowCoverage<'_>,
    tool: Option<&str>,
    left: &mut usize,
) -> Option<Condition> {
    aside(flow, tool, left, |word| {
        matches!(word, Word::Allow | Word::NoMatch)
    })
}

/// What holds when a flow says nothing on a tool. None as for [`out_of_the_way`].
pub(crate) fn quiet(
    flow: &FlowCoverage<'_>,
    tool: Option<&str>,
    left: &mut usize,
) -> Option<Condition> {
    aside(flow, tool, left, |word| word == Word::NoMatch)
}

fn aside(
    flow: &FlowCoverage<'_>,
    tool: Option<&str>,
    left: &mut usize,
    is_aside: impl Fn(Word<'_>) -> bool,
) -> Option<Condition> {
    let lets = |flow: &Flow, summary: BranchSummary<'_>| match flow.kind {
        FlowKind::Guard => summary.guard_word().is_none(),
        _ => tool.is_none_or(|tool| is_aside(summary.word(tool))),
    };
    let branches = flow.flow.branches.iter();
    let ways = branches.filter(|branch| lets(flow.flow, BranchSummary::of(branch)));
    let ways: Option<Vec<Condition>> = ways
        .map(|branch| all_of(flow, &branch.path, left))
        .collect();
    ways.map(Condition::any)
}
