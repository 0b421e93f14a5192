//! From flows to diagrams: conditions in three values, decision trees, and the words of all
//! flows combined as contract section 4 says.

use std::collections::BTreeMap;

use serde_json::Map;

use crate::decision_space::{Called, Space, TruthSet};
use crate::evaluator::{Call, Fork, Truth, Way, decisive, truth};
use crate::ir::{
    BranchSummary, Condition, Flow, FlowKind, If, Rulebook, UNDECIDED, Word, is_tool_name,
};

use super::TooLarge;
use super::diagram::{Diagram, NodeId};

/// The values of a condition in a diagram, in Kleene's order.
const FALSE: u32 = 0;
const UNKNOWN: u32 = 1;
const TRUE: u32 = 2;

/// The value of an arm of an `if` that is not taken.
const NOTHING: u32 = u32::MAX - 1;

/// What decides a call: a word, and where it was said as far as that is told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Said<'r> {
    /// The word; none when no flow speaks.
    pub(super) word: Option<Word<'r>>,
    /// The index of the flow and, where one holds, that of its branch.
    pub(super) place: Option<(usize, Option<usize>)>,
}

/// Numbers for what stands at the ends of a diagram.
#[derive(Debug)]
pub(super) struct Values<T> {
    all: Vec<T>,
    numbers: BTreeMap<T, u32>,
}

impl<T: Ord + Copy> Values<T> {
    pub(super) fn new() -> Self {
        Self {
            all: Vec::new(),
            numbers: BTreeMap::new(),
        }
    }

    pub(super) fn number(&mut self, value: T) -> u32 {
        let next = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        *self.numbers.entry(value).or_insert_with(|| {
            self.all.push(value);
            next
        })
    }

    pub(super) fn get(&self, number: u32) -> Option<T> {
        self.all.get(usize::try_from(number).ok()?).copied()
    }
}

/// Makes diagrams of flows.
pub(super) struct Builder<'g> {
    pub(super) diagram: &'g mut Diagram,
    pub(super) space: &'g Space,
    /// By index of a name in the space, its level.
    pub(super) levels: &'g [u32],
    pub(super) called: &'g Called,
}

/// An `if` some of whose ways are made already.
struct Open<'r> {
    decision: &'r If,
    depth: usize,
    rest: std::vec::IntoIter<(Way, std::ops::Range<usize>)>,
    /// The way that is made now.
    way: Way,
    made: BTreeMap<Way, NodeId>,
}

impl Builder<'_> {
    /// What decides calls of the tool. With `places` it is told apart where it was said.
    pub(super) fn rulebook<'r>(
        &mut self,
        rulebook: &'r Rulebook,
        places: bool,
        values: &mut Values<Said<'r>>,
    ) -> Result<NodeId, TooLarge> {
        let tool = self.called.name().and_then(|name| rulebook.tool(name));
        let nothing = Said {
            word: None,
            place: None,
        };
        let mut all = vec![self.diagram.value(values.number(nothing))?];
        for (index, flow) in rulebook.flows.iter().enumerate() {
            let governed = tool.filter(|tool| tool.is_governed_by(flow));
            if flow.kind != FlowKind::Guard && governed.is_none() {
                continue;
            }
            let said = |word: Option<Word<'r>>, branch| Said {
                word,
                place: word.filter(|_| places).map(|_| (index, branch)),
            };
            let undecided = values.number(said(Some(UNDECIDED), None));
            let words: Vec<u32> = flow
                .branches
                .iter()
                .enumerate()
                .map(|(branch, found)| {
                    let summary = BranchSummary::of(found);
                    let word = match governed {
                        Some(tool) => Some(summary.word(&tool.name)),
                        None => summary.guard_word(),
                    };
                    values.number(said(word, Some(branch)))
                })
                .collect();
            all.push(self.flow(flow, &words, undecided)?);
        }
        self.diagram
            .join_all(all, |before, now| combined(values, before, now))
    }

    /// A flow, from the values of its branches and that of its being undecided.
    fn flow(&mut self, flow: &Flow, words: &[u32], undecided: u32) -> Result<NodeId, TooLarge> {
        let undecided = self.diagram.value(undecided)?;
        let mut open: Vec<Open<'_>> = Vec::new();
        let mut reached = 0..flow.branches.len();
        let mut depth = 0;
        loop {
            let mut made = None;
            match Fork::at(flow, depth, reached.clone()) {
                Some(fork) => open.push(Open {
                    decision: fork.decision,
                    depth,
                    rest: fork.ways().collect::<Vec<_>>().into_iter(),
                    way: None,
                    made: BTreeMap::new(),
                }),
                None => {
                    made = Some(match words.get(reached.start) {
                        Some(word) => self.diagram.value(*word)?,
                        None => undecided,
                    });
                }
            }
            loop {
                let Some(top) = open.last_mut() else {
                    return Ok(made.unwrap_or(undecided));
                };
                if let Some(made) = made.take() {
                    top.made.insert(top.way, made);
                }
                if let Some((way, branches)) = top.rest.next() {
                    top.way = way;
                    reached = branches;
                    depth = top.depth + 1;
                    break;
                }
                if let Some(top) = open.pop() {
                    made = Some(self.decide(&top, undecided)?);
                }
            }
        }
    }

    /// An `if` whose ways are all made.
    fn decide(&mut self, of: &Open<'_>, undecided: NodeId) -> Result<NodeId, TooLarge> {
        let way = |way: Way| of.made.get(&way).copied().unwrap_or(undecided);
        let nothing = self.diagram.value(NOTHING)?;
        let mut arms = Vec::with_capacity(of.decision.arms.len() + 1);
        for (arm, number) in of.decision.arms.iter().zip(1..) {
            let condition = self.condition(&arm.condition)?;
            // In the order of the values of a condition.
            let ways = [nothing, undecided, way(Some(number))];
            arms.push(self.diagram.select(condition, ways)?);
        }
        arms.push(way(None));
        self.diagram.join_all(arms, |first, second| match first {
            Some(NOTHING) => second,
            Some(first) => Some(first),
            None => None,
        })
    }

    /// A condition in three values.
    fn condition(&mut self, condition: &Condition) -> Result<NodeId, TooLarge> {
        let (parts, decisive, otherwise) = match condition {
            Condition::All(parts) => (parts, FALSE, TRUE),
            Condition::Any(parts) => (parts, TRUE, FALSE),
            leaf => return self.leaf(leaf),
        };
        let mut all = Vec::with_capacity(parts.len() + 1);
        for part in parts {
            all.push(self.condition(part)?);
        }
        all.push(self.diagram.value(otherwise)?);
        self.diagram.join_all(all, |left, right| {
            if left == Some(decisive) || right == Some(decisive) {
                return Some(decisive);
            }
            let (left, right) = (left?, right?);
            Some(match decisive {
                FALSE => left.min(right),
                _ => left.max(right),
            })
        })
    }

    fn leaf(&mut self, leaf: &Condition) -> Result<NodeId, TooLarge> {
        let Some(name) = leaf.name().filter(|name| !is_tool_name(name)) else {
            // A constant, or known from the tool.
            let nothing = Map::new();
            let value = truth(leaf, &Call::new(self.called.name(), &nothing));
            return self.diagram.value(number(value));
        };
        let found = self.space.names().binary_search(name).ok();
        let classes = self.space.classes(name).ok_or(TooLarge)?;
        let level = *found.and_then(|at| self.levels.get(at)).ok_or(TooLarge)?;
        let mut pieces = Vec::new();
        for truths in [Truth::True, Truth::False, Truth::Unknown] {
            let set = classes
                .where_leaf(leaf, TruthSet::from(truths))
                .ok_or(TooLarge)?;
            let value = self.diagram.value(number(truths))?;
            pieces.extend(set.ranges().map(|(_, end)| (end, value)));
        }
        pieces.sort_unstable();
        self.diagram.fork(level, pieces)
    }
}

fn number(truth: Truth) -> u32 {
    match truth {
        Truth::False => FALSE,
        Truth::Unknown => UNKNOWN,
        Truth::True => TRUE,
    }
}

/// The one of two that decides, the first being said by an earlier flow.
fn combined(values: &Values<Said<'_>>, before: Option<u32>, now: Option<u32>) -> Option<u32> {
    let said = |number: Option<u32>| number.and_then(|number| values.get(number));
    if let Some(Word::Refuse(_)) = said(before).and_then(|said| said.word) {
        // The first refusal wins.
        return before;
    }
    let (first, second) = (said(before)?, said(now)?);
    let words = [first.word, second.word].into_iter().zip([before, now]);
    let spoken: Vec<_> = words.filter_map(|(word, of)| Some((word?, of))).collect();
    match decisive(spoken.iter().map(|(word, _)| *word)) {
        Some((at, _)) => spoken.get(at).and_then(|(_, of)| *of),
        None => before,
    }
}
