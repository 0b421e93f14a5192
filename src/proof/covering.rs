//! The covering set of a product that is too large to be evaluated whole: each branch at a point
//! where it holds and with each of its leaves alone changed, each class of each name, and every
//! pair of classes of two names.

use std::collections::BTreeSet;

use super::axes::{Axis, Point};
use super::pairs::covering_array;
use super::targets::Target;
use crate::decision_space::{Answer, Called, Problem, TruthSet, Witness};
use crate::evaluator::Truth;
use crate::ir::{
    Branch, BranchSummary, Compare, Condition, Flow, FlowKind, Literal, Operator, TOOL_NAME, Word,
};

/// Steps of each search for a point of a branch. Where they do not suffice, the branch is met by
/// the other points only.
const BUDGET: u64 = 20_000;

/// Branches of other flows that are tried for each branch, so that their words do not hide its.
const TRIED: usize = 64;

/// A point at which a branch holds.
pub(super) struct BranchPoint<'a> {
    pub(super) point: Point,
    /// The conditions of the branch.
    pub(super) conditions: Vec<&'a Condition>,
}

/// Points at which the branches of a target's flows hold: the smallest of each, and one where
/// the other flows do not refuse before it, if there is one. At most `limit`.
pub(super) fn branch_points<'a>(
    target: &Target<'a>,
    axes: &[Axis],
    limit: usize,
) -> Vec<BranchPoint<'a>> {
    let mut problem = Problem::new(&target.space).with_budget(BUDGET);
    let is_called = Condition::Compare(Compare {
        name: vec![TOOL_NAME.to_owned()],
        op: Operator::Equal,
        value: Literal::String(target.called.name().unwrap_or_default().to_owned()),
    });
    let tool = match target.called {
        Called::Tool(_) | Called::Other(_) => TruthSet::TRUE,
        Called::NoString => TruthSet::UNKNOWN,
    };
    problem.push(&is_called, tool);
    let mut points = Vec::new();
    for flow in &target.flows {
        for branch in &flow.branches {
            if points.len() >= limit {
                return points;
            }
            let conditions = conditions_of(flow, branch);
            let depth = problem.depth();
            if !push_all(&mut problem, &conditions) {
                pop_to(&mut problem, depth);
                continue;
            }
            let mut found = |problem: &mut Problem<'_>| {
                if let Answer::Satisfiable(witness) = problem.solve() {
                    points.push(BranchPoint {
                        point: point_of(axes, &witness),
                        conditions: conditions.clone(),
                    });
                }
            };
            found(&mut problem);
            let quiet = quiet_others(&mut problem, target, flow);
            if quiet {
                found(&mut problem);
            }
            pop_to(&mut problem, depth);
        }
    }
    points
}

fn push_all(problem: &mut Problem<'_>, conditions: &[&Condition]) -> bool {
    let pushed = conditions
        .iter()
        .all(|condition| problem.push(condition, TruthSet::TRUE));
    pushed && problem.is_satisfiable() == Some(true)
}

fn pop_to(problem: &mut Problem<'_>, depth: usize) {
    while problem.depth() > depth {
        problem.pop();
    }
}

/// Requires of each other flow a branch that does not refuse, where that is possible.
fn quiet_others(problem: &mut Problem<'_>, target: &Target<'_>, but: &Flow) -> bool {
    let mut is_changed = false;
    for flow in target.flows.iter().filter(|flow| flow.id != but.id) {
        for branch in flow
            .branches
            .iter()
            .filter(|it| is_quiet(target, flow, it))
            .take(TRIED)
        {
            let depth = problem.depth();
            if push_all(problem, &conditions_of(flow, branch)) {
                is_changed = true;
                break;
            }
            pop_to(problem, depth);
        }
    }
    is_changed
}

fn is_quiet(target: &Target<'_>, flow: &Flow, branch: &Branch) -> bool {
    let summary = BranchSummary::of(branch);
    match (&target.called, flow.kind) {
        (Called::Tool(tool), FlowKind::Governing) => {
            matches!(summary.word(tool), Word::Allow | Word::NoMatch)
        }
        _ => summary.guard_word().is_none(),
    }
}

/// The conditions that must hold for a path: of each `if` met, the arm taken and the complements
/// of the arms above it, or of all where none is taken.
fn conditions_of<'a>(flow: &'a Flow, branch: &Branch) -> Vec<&'a Condition> {
    let mut conditions = Vec::new();
    for choice in &branch.path {
        let Some(decision) = flow.find_if(&choice.if_id) else {
            continue;
        };
        let taken = choice.arm.unwrap_or(usize::MAX);
        for (arm, number) in decision.arms.iter().zip(1..) {
            if number < taken {
                conditions.push(&arm.complement);
            } else if number == taken {
                conditions.push(&arm.condition);
            }
        }
    }
    conditions
}

/// The point of a witness, which has the representatives of classes.
fn point_of(axes: &[Axis], witness: &Witness) -> Point {
    axes.iter()
        .map(|axis| {
            let mut names = axis.name.iter();
            let root = names.next().and_then(|name| witness.context.get(name));
            let value = names.fold(root, |value, name| value?.get(name));
            let place = axis.values.iter().position(|it| it.as_ref() == value);
            place
                .and_then(|place| u32::try_from(place).ok())
                .unwrap_or(0)
        })
        .collect()
}

/// The covering set, at most `limit` points, each once.
pub(super) fn covering_set(
    target: &Target<'_>,
    axes: &[Axis],
    branches: &[BranchPoint<'_>],
    limit: usize,
) -> Vec<Point> {
    let mut set = Points {
        points: Vec::new(),
        seen: BTreeSet::new(),
        limit,
    };
    set.add(vec![0; axes.len()]);
    for branch in branches {
        set.add(branch.point.clone());
    }
    for branch in branches {
        for (axis, values) in changes(target, axes, branch) {
            for value in values {
                set.add(changed(&branch.point, axis, value));
            }
        }
    }
    let start = vec![0; axes.len()];
    for (at, axis) in axes.iter().enumerate() {
        for value in 0..u32::try_from(axis.values.len()).unwrap_or(0) {
            if set.is_full() {
                break;
            }
            set.add(changed(&start, at, value));
        }
    }
    let counts: Vec<u32> = axes
        .iter()
        .map(|axis| u32::try_from(axis.values.len()).unwrap_or(u32::MAX))
        .collect();
    if !set.is_full() {
        for point in covering_array(&counts, limit) {
            set.add(point);
        }
    }
    set.points
}

struct Points {
    points: Vec<Point>,
    seen: BTreeSet<Point>,
    limit: usize,
}

impl Points {
    fn is_full(&self) -> bool {
        self.points.len() >= self.limit
    }

    fn add(&mut self, point: Point) {
        if !self.is_full() && self.seen.insert(point.clone()) {
            self.points.push(point);
        }
    }
}

/// A point with another value of one axis.
pub(super) fn changed(point: &[u32], axis: usize, value: u32) -> Point {
    let mut changed = point.to_vec();
    if let Some(place) = changed.get_mut(axis) {
        *place = value;
    }
    changed
}

/// For each leaf of a branch's conditions, values that alone change the leaf's truth.
fn changes(target: &Target<'_>, axes: &[Axis], branch: &BranchPoint<'_>) -> Vec<(usize, Vec<u32>)> {
    let leaves = branch
        .conditions
        .iter()
        .flat_map(|condition| condition.leaves());
    let mut found = Vec::new();
    for leaf in leaves {
        let Some(name) = leaf.name() else { continue };
        let Some(axis) = axes.iter().position(|axis| axis.name == *name) else {
            continue;
        };
        let (Some(classes), Some(class)) = (target.space.classes(name), branch.point.get(axis))
        else {
            continue;
        };
        let now = classes.truth(leaf, *class);
        let others = [Truth::True, Truth::False, Truth::Unknown];
        let values = others.into_iter().filter(|truth| Some(*truth) != now);
        let values = values.filter_map(|truth| {
            let set = classes.where_leaf(leaf, truth.into())?;
            classes.smallest(&set)
        });
        found.push((axis, values.collect()));
    }
    found
}
