//! The way down a flow's decision tree, `if` by `if`.

use std::ops::Range;

use crate::ir::{Arm, Flow, If};

use super::Truth;

/// The way taken at an `if`: the number of an arm from 1 or, as none, past all of them.
pub type Way = Option<usize>;

/// An `if` that a walk down a flow has come to.
#[derive(Clone, Debug)]
pub struct Fork<'a> {
    /// The `if`.
    pub decision: &'a If,
    flow: &'a Flow,
    /// How many `if`s lie before it.
    depth: usize,
    /// The indexes of the branches that come here.
    reached: Range<usize>,
}

impl<'a> Fork<'a> {
    /// The `if` that these branches come to behind their first `depth` choices; none where they
    /// end.
    pub fn at(flow: &'a Flow, depth: usize, reached: Range<usize>) -> Option<Self> {
        let choice = flow.branches.get(reached.start)?.path.get(depth)?;
        Some(Self {
            decision: flow.find_if(&choice.if_id)?,
            flow,
            depth,
            reached,
        })
    }

    /// The way taken here when the arms have these truths; none when a condition met is neither
    /// true nor false. Arms are asked for in order, up to the first that is not false.
    pub fn way(&self, mut truth: impl FnMut(&'a Arm) -> Truth) -> Option<Way> {
        for (arm, number) in self.decision.arms.iter().zip(1..) {
            match truth(arm) {
                Truth::True => return Some(Some(number)),
                Truth::False => {}
                Truth::Unknown => return None,
            }
        }
        Some(None)
    }

    /// The indexes of the branches that take a way from here. Branches stand depth-first, so
    /// these are neighbours.
    pub fn branches_by(&self, way: Way) -> Range<usize> {
        let Range { start, end } = self.reached;
        let first = (start..end).find(|index| self.way_of(*index) == Some(way));
        self.neighbours(way, first.unwrap_or(end))
    }

    /// All ways that branches take from here, each with the indexes of its branches.
    pub fn ways(&self) -> impl Iterator<Item = (Way, Range<usize>)> {
        let mut start = self.reached.start;
        std::iter::from_fn(move || {
            let way = self.way_of(start).filter(|_| start < self.reached.end)?;
            let branches = self.neighbours(way, start);
            start = branches.end;
            Some((way, branches))
        })
    }

    /// The branches that take a way, from one of them or the end.
    fn neighbours(&self, way: Way, first: usize) -> Range<usize> {
        let rest = first..self.reached.end;
        let count = rest
            .take_while(|index| self.way_of(*index) == Some(way))
            .count();
        first..first + count
    }

    fn way_of(&self, branch: usize) -> Option<Way> {
        let branch = self.flow.branches.get(branch)?;
        branch.path.get(self.depth).map(|choice| choice.arm)
    }
}

/// Follows a flow from its first step on: at each `if` met, `way` says which way it goes on, or
/// by none that it does not. The index of the branch at whose end it arrives; none when it does
/// not get there.
///
/// The paths form a decision tree, so each `if` met narrows the range of branches still possible,
/// and no other `if` is asked about.
pub fn follow<'a>(flow: &'a Flow, mut way: impl FnMut(&Fork<'a>) -> Option<Way>) -> Option<usize> {
    let mut reached = 0..flow.branches.len();
    for depth in 0.. {
        if flow.branches.get(reached.start)?.path.len() <= depth {
            break;
        }
        let fork = Fork::at(flow, depth, reached)?;
        reached = fork.branches_by(way(&fork)?);
        if reached.is_empty() {
            return None;
        }
    }
    Some(reached.start)
}
