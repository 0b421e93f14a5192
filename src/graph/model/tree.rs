//! The decision tree of a flow, with one question for each arm of an `if`: yes leads into the
//! arm, no to the next arm or past the `if`.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::ir::{Arm, Branch, Condition, Flow, FlowKind, If, Rulebook, Tool};

use crate::palette::Tone;

use super::outcome::{Outcome, guard_outcome, outcomes};

/// A place in a decision tree.
#[derive(Clone, Debug)]
pub enum Node<'a> {
    /// An arm's condition is asked for.
    Question {
        /// The arm.
        arm: &'a Arm,
        /// Index of the node where it is true.
        yes: usize,
        /// Index of the node where it is false; none where that cannot be.
        no: Option<usize>,
    },
    /// A branch ends.
    Ending(Ending<'a>),
    /// It goes on as at an earlier node; only in a folded tree.
    Repeat {
        /// Index of the earlier node.
        of: usize,
        /// The branches that end behind it.
        branches: Vec<&'a Branch>,
    },
}

/// The end of a branch.
#[derive(Clone, Debug)]
pub struct Ending<'a> {
    /// The branch.
    pub branch: &'a Branch,
    /// What it says, on all tools of the flow; at least one.
    pub outcomes: Vec<Outcome<'a>>,
}

impl Ending<'_> {
    /// How it looks, by the first of its words.
    pub fn tone(&self) -> Tone {
        let first = self.outcomes.first();
        first.map_or(Tone::Silent, |outcome| outcome.kind.tone())
    }
}

/// Branches that are still possible, at the arm with this index of the `if` at this depth.
struct Place<'a> {
    branches: Range<usize>,
    depth: usize,
    arm: usize,
    /// The question that leads here, and its answer.
    from: Option<(usize, bool)>,
    decision: Option<&'a If>,
}

/// The nodes of a flow's tree, each before those that it leads to.
pub fn nodes<'a>(rulebook: &'a Rulebook, flow: &'a Flow, tools: &[&'a Tool]) -> Vec<Node<'a>> {
    let mut nodes: Vec<Node<'a>> = Vec::with_capacity(2 * flow.branches.len());
    let mut open = vec![Place {
        branches: 0..flow.branches.len(),
        depth: 0,
        arm: 0,
        from: None,
        decision: None,
    }];
    while let Some(mut place) = open.pop() {
        let Some(first) = flow.branches.get(place.branches.start) else {
            continue;
        };
        if place.decision.is_none() {
            let choice = first.path.get(place.depth);
            place.decision = choice.and_then(|choice| flow.find_if(&choice.if_id));
        }
        let question = place.decision.and_then(|it| it.arms.get(place.arm));
        let Some(arm) = question.filter(|_| !is_else(flow, &place)) else {
            if place.decision.is_some() {
                // Past the last arm, or in an `else`: the way is clear to what comes behind.
                open.push(Place {
                    depth: place.depth + 1,
                    arm: 0,
                    decision: None,
                    ..place
                });
                continue;
            }
            lead(&mut nodes, place.from);
            let outcomes = match flow.kind {
                FlowKind::Guard => vec![guard_outcome(rulebook, first)],
                FlowKind::Governing | FlowKind::Dialogue => outcomes(rulebook, first, tools),
            };
            nodes.push(Node::Ending(Ending {
                branch: first,
                outcomes,
            }));
            continue;
        };
        let number = Some(place.arm + 1);
        let end = place.branches.end;
        let inside = flow
            .branches
            .get(place.branches.clone())
            .unwrap_or_default()
            .iter()
            .take_while(|branch| arm_taken(branch, place.depth) == Some(number))
            .count();
        let split = place.branches.start + inside;
        let here = nodes.len();
        lead(&mut nodes, place.from);
        nodes.push(Node::Question {
            arm,
            // Both are set when the nodes that they lead to are made.
            yes: here,
            no: None,
        });
        // The last one is taken up first: nodes stand in source order.
        open.push(Place {
            branches: split..end,
            depth: place.depth,
            arm: place.arm + 1,
            from: Some((here, false)),
            decision: place.decision,
        });
        open.push(Place {
            branches: place.branches.start..split,
            depth: place.depth + 1,
            arm: 0,
            from: Some((here, true)),
            decision: None,
        });
    }
    nodes
}

/// Which arm a branch takes of the `if` at this depth of its path: none inside when it passes.
fn arm_taken(branch: &Branch, depth: usize) -> Option<Option<usize>> {
    branch.path.get(depth).map(|choice| choice.arm)
}

/// Whether the place is at an arm that nothing goes past: an `else`, or `if True`.
fn is_else(flow: &Flow, place: &Place<'_>) -> bool {
    let arm = place.decision.and_then(|it| it.arms.get(place.arm));
    let last = place.branches.end.checked_sub(1);
    let last = last.and_then(|last| flow.branches.get(last));
    place.arm > 0
        && arm.is_some_and(|arm| arm.condition == Condition::Const(true))
        && last.is_some_and(|last| arm_taken(last, place.depth) == Some(Some(place.arm + 1)))
}

/// Fewest ends of a tree that is worth a reference.
const LEAST_REPEATED: usize = 3;

/// What two trees have in common that ask and say the same, wherever they stand.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Meaning<'n, 'a> {
    Question(&'a Condition, usize, Option<usize>),
    Ending(&'n [Outcome<'a>]),
}

/// The same tree with each repeated part drawn once: where it stands again, a reference leads to
/// the first. The flows of people who write check after check repeat what comes behind each.
pub fn folded<'a>(nodes: &[Node<'a>]) -> Vec<Node<'a>> {
    let (meanings, ends) = meanings(nodes);
    let mut folded: Vec<Node<'a>> = Vec::new();
    let mut firsts: BTreeMap<usize, usize> = BTreeMap::new();
    let mut open = vec![(0, None)];
    while let Some((at, from)) = open.pop() {
        let (Some(node), Some(meaning), Some(ends)) =
            (nodes.get(at), meanings.get(at), ends.get(at))
        else {
            continue;
        };
        let here = folded.len();
        lead(&mut folded, from);
        match (node, firsts.get(meaning)) {
            (Node::Question { .. }, Some(first)) if *ends >= LEAST_REPEATED => {
                let behind = nodes.get(at..).unwrap_or_default().iter();
                let branches = behind.filter_map(|node| match node {
                    Node::Ending(ending) => Some(ending.branch),
                    _ => None,
                });
                folded.push(Node::Repeat {
                    of: *first,
                    branches: branches.take(*ends).collect(),
                });
                continue;
            }
            _ => {}
        }
        firsts.entry(*meaning).or_insert(here);
        match node {
            Node::Question { arm, yes, no } => {
                folded.push(Node::Question {
                    arm,
                    yes: here,
                    no: None,
                });
                open.extend(no.map(|no| (no, Some((here, false)))));
                open.push((*yes, Some((here, true))));
            }
            other => folded.push(other.clone()),
        }
    }
    folded
}

/// A number for each node, equal for equal trees, and how many ends its tree has.
fn meanings(nodes: &[Node<'_>]) -> (Vec<usize>, Vec<usize>) {
    let mut known: BTreeMap<Meaning<'_, '_>, usize> = BTreeMap::new();
    let mut meanings = vec![0; nodes.len()];
    let mut ends = vec![1; nodes.len()];
    for (at, node) in nodes.iter().enumerate().rev() {
        let of = |list: &[usize], index: usize| list.get(index).copied().unwrap_or(0);
        let (meaning, count) = match node {
            Node::Question { arm, yes, no } => (
                Meaning::Question(
                    &arm.condition,
                    of(&meanings, *yes),
                    no.map(|no| of(&meanings, no)),
                ),
                of(&ends, *yes) + no.map_or(0, |no| of(&ends, no)),
            ),
            Node::Ending(ending) => (Meaning::Ending(&ending.outcomes), 1),
            Node::Repeat { branches, .. } => (Meaning::Ending(&[]), branches.len()),
        };
        let next = known.len();
        let number = *known.entry(meaning).or_insert(next);
        if let (Some(meaning), Some(ends)) = (meanings.get_mut(at), ends.get_mut(at)) {
            (*meaning, *ends) = (number, count);
        }
    }
    (meanings, ends)
}

/// Lets a question lead to the node that is made next.
fn lead(nodes: &mut [Node<'_>], from: Option<(usize, bool)>) {
    let next = nodes.len();
    let Some((question, answer)) = from else {
        return;
    };
    if let Some(Node::Question { yes, no, .. }) = nodes.get_mut(question) {
        if answer {
            *yes = next;
        } else {
            *no = Some(next);
        }
    }
}
