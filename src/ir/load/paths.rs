//! Invariants of paths: they form a decision tree, listed depth-first and in full, so that
//! exactly one branch holds wherever none of the conditions met is undecided.

use super::super::{Branch, Choice, Condition, Flow, If};
use super::rulebook::check_line;
use super::{Fault, ensure};
use crate::text::quoted;

/// An `if` with its number, and whether a path can pass it.
struct Decision<'a> {
    decision: &'a If,
    number: usize,
    passable: bool,
    met: bool,
}

/// Checks the branches of a flow whose `if`s are right.
pub(super) fn check(flow: &Flow, pointer: &dyn Fn() -> String) -> Result<(), Fault> {
    let mut decisions: Vec<Decision<'_>> = flow
        .ifs
        .iter()
        .enumerate()
        .map(|(number, decision)| Decision {
            decision,
            number,
            passable: must_be_passable(decision),
            met: false,
        })
        .collect();
    for branch in &flow.branches {
        for choice in &branch.path {
            let met = flow.if_index(&choice.if_id);
            if let Some(decision) = met.and_then(|number| decisions.get_mut(number)) {
                decision.met = true;
                // An `else if True` and an `else` look alike; only the latter cannot be passed.
                decision.passable |= choice.passed;
            }
        }
    }
    let mut last: Option<&Branch> = None;
    for (at, branch) in flow.branches.iter().enumerate() {
        let place = || format!("{}/branches/{at}", pointer());
        check_head(branch, at, flow, &place)?;
        check_choices(branch, flow, &decisions, &place)?;
        check_succession(last, branch, flow, &decisions, &place)?;
        check_branch_line(branch, flow, &place)?;
        last = Some(branch);
    }
    if let Some(branch) = last {
        ensure(
            is_last_from(&branch.path, flow, &decisions),
            || format!("{}/branches", pointer()),
            || "the last branches are missing: not every way of an `if` is listed".to_owned(),
        )?;
    }
    for decision in &decisions {
        ensure(
            decision.met,
            || format!("{}/ifs/{}", pointer(), decision.number),
            || format!("no branch meets the `if` {}", quoted(&decision.decision.id)),
        )?;
    }
    Ok(())
}

fn must_be_passable(decision: &If) -> bool {
    let ends_in_else = decision.arms.len() > 1
        && decision
            .arms
            .last()
            .is_some_and(|arm| arm.condition == Condition::Const(true));
    !ends_in_else
}

fn check_head(
    branch: &Branch,
    at: usize,
    flow: &Flow,
    place: &dyn Fn() -> String,
) -> Result<(), Fault> {
    let want = format!("{}_b{}", flow.id, at + 1);
    ensure(
        branch.id == want,
        || format!("{}/id", place()),
        || {
            format!(
                "the branch is {}, not {}",
                quoted(&want),
                quoted(&branch.id)
            )
        },
    )
}

fn find<'d, 'a>(
    choice: &Choice,
    flow: &Flow,
    decisions: &'d [Decision<'a>],
) -> Option<&'d Decision<'a>> {
    decisions.get(flow.if_index(&choice.if_id)?)
}

fn check_choices(
    branch: &Branch,
    flow: &Flow,
    decisions: &[Decision<'_>],
    place: &dyn Fn() -> String,
) -> Result<(), Fault> {
    let mut last = None;
    for (at, choice) in branch.path.iter().enumerate() {
        let place = || format!("{}/path/{at}", place());
        let decision = find(choice, flow, decisions);
        ensure(decision.is_some(), place, || {
            format!("there is no `if` {} in the flow", quoted(&choice.if_id))
        })?;
        let number = decision.map(|decision| decision.number);
        ensure(last < number, place, || {
            "a path meets `if`s in source order, each once".to_owned()
        })?;
        last = number;
        let arms = decision.map_or(0, |decision| decision.decision.arms.len());
        ensure(
            choice.arm.is_none_or(|arm| (1..=arms).contains(&arm)),
            place,
            || {
                format!(
                    "the `if` {} has no arm {}",
                    quoted(&choice.if_id),
                    choice.arm.unwrap_or_default()
                )
            },
        )?;
    }
    Ok(())
}

/// The way that comes behind this one at an `if`: the next arm, then past it.
fn next_way(choice: &Choice, decision: &Decision<'_>) -> Option<Option<usize>> {
    let arm = choice.arm?;
    if arm < decision.decision.arms.len() {
        Some(Some(arm + 1))
    } else {
        decision.passable.then_some(None)
    }
}

fn is_last_from(path: &[Choice], flow: &Flow, decisions: &[Decision<'_>]) -> bool {
    path.iter().all(|choice| {
        find(choice, flow, decisions).is_none_or(|decision| next_way(choice, decision).is_none())
    })
}

/// A branch goes the ways of the one before it up to some `if`, there the next way, and behind
/// it every first way; the one before it went every last way behind that `if`.
fn check_succession(
    last: Option<&Branch>,
    branch: &Branch,
    flow: &Flow,
    decisions: &[Decision<'_>],
    place: &dyn Fn() -> String,
) -> Result<(), Fault> {
    let path_place = || format!("{}/path", place());
    let starts_new = |path: &[Choice]| path.iter().all(|choice| choice.arm == Some(1));
    let Some(last) = last else {
        return ensure(starts_new(&branch.path), path_place, || {
            "the first branch takes the first arm of every `if`".to_owned()
        });
    };
    let common = last
        .path
        .iter()
        .zip(&branch.path)
        .take_while(|(before, now)| before == now)
        .count();
    let tails = last
        .path
        .split_at_checked(common)
        .zip(branch.path.split_at_checked(common));
    let parts =
        tails.and_then(|((_, before), (_, now))| before.split_first().zip(now.split_first()));
    let Some(((before, before_rest), (now, now_rest))) = parts else {
        return ensure(false, path_place, || {
            format!(
                "the branch does not exclude the one before it, {}",
                quoted(&last.id)
            )
        });
    };
    ensure(before.if_id == now.if_id, path_place, || {
        format!(
            "behind the same ways {} meets another `if` than this branch",
            quoted(&last.id)
        )
    })?;
    let next = find(before, flow, decisions).and_then(|decision| next_way(before, decision));
    ensure(
        next == Some(now.arm) && starts_new(now_rest) && is_last_from(before_rest, flow, decisions),
        path_place,
        || {
            format!(
                "branches are missing between {} and this one, or out of order",
                quoted(&last.id)
            )
        },
    )
}

fn check_branch_line(
    branch: &Branch,
    flow: &Flow,
    place: &dyn Fn() -> String,
) -> Result<(), Fault> {
    let line_place = || format!("{}/line", place());
    check_line(branch.line, line_place)?;
    let line_of = |choice: &Choice| {
        let decision = flow.find_if(&choice.if_id)?;
        match choice.arm {
            Some(arm) => decision.arms.get(arm.checked_sub(1)?).map(|arm| arm.line),
            None => Some(decision.line),
        }
    };
    let mut choices = branch.path.iter().rev();
    let last_arm = choices.clone().find(|choice| !choice.passed);
    let want = last_arm
        .or_else(|| choices.next())
        .and_then(line_of)
        .unwrap_or(flow.line);
    ensure(branch.line == want, line_place, || {
        format!(
            "the branch's line is {want}: that of the last arm taken, else of the last `if`, else of the flow"
        )
    })
}
