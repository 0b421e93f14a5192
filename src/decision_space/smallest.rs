//! The smallest witness: fewest names present, then fewest characters, then byte order
//! (contract section 5), by branch and bound.
//!
//! While choices are open, the smallest class of each name bounds what is still possible from
//! below; where that point meets the open choices too, it is the smallest. Names that no open
//! choice ties together, nor a common parent object, are minimised apart.

use std::collections::BTreeMap;

use super::nodes::Goal;
use super::problem::{Answer, Mark, Problem};
use super::space::Witness;
use crate::ir::is_tool_name;

/// Names that are looked at in the time of a condition.
const NAMES_A_STEP: usize = 16;

/// What came of a search for the smallest witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Smallest {
    /// A witness.
    Found {
        /// The call.
        witness: Witness,
        /// Whether it is known to be the smallest; false when the budget ran out before.
        exact: bool,
    },
    /// No call meets the requirements.
    Unsatisfiable,
    /// Not found out within the budget, or a requirement reads what the space does not have.
    GaveUp,
}

/// The size of a witness, in the contract's order; of the tool at last.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Size {
    names: usize,
    characters: usize,
    text: String,
    tool: Option<(usize, String)>,
}

/// A choice under way: which of its alternatives come next, smallest bound first.
struct Frame {
    mark: Mark,
    choice: usize,
    rest: Vec<(Size, usize)>,
    /// Alternatives that were tried, which need not be met any more.
    tried: Vec<Goal>,
}

/// What is known of a state of the search.
struct Bound {
    size: Size,
    /// The smallest class of each name of the part.
    point: Vec<u32>,
    /// An open choice that the point does not meet.
    unmet: Option<usize>,
}

impl Problem<'_> {
    /// Searches for the smallest call in which all requirements hold, of those made of smallest
    /// members of classes. The requirements stay as they are.
    pub fn smallest(&mut self) -> Smallest {
        if self.is_contradictory() {
            return Smallest::Unsatisfiable;
        }
        if self.is_foreign() {
            return Smallest::GaveUp;
        }
        self.begin();
        let mut point = self.smallest_point();
        let mut exact = true;
        for part in self.parts() {
            match self.smallest_part(&part) {
                (Some(found), part_exact) => {
                    exact &= part_exact;
                    for name in part {
                        if let (Some(place), Some(class)) = (point.get_mut(name), found.get(name)) {
                            *place = *class;
                        }
                    }
                }
                (None, true) => return Smallest::Unsatisfiable,
                (None, false) => return self.any_witness(),
            }
        }
        Smallest::Found {
            witness: self.space.witness(&point),
            exact,
        }
    }

    fn any_witness(&mut self) -> Smallest {
        match self.solve() {
            Answer::Satisfiable(witness) => Smallest::Found {
                witness,
                exact: false,
            },
            Answer::Unsatisfiable => Smallest::Unsatisfiable,
            Answer::GaveUp => Smallest::GaveUp,
        }
    }

    /// The names that open choices read, in parts that can be minimised apart.
    fn parts(&self) -> Vec<Vec<usize>> {
        let names = self.space.names();
        let mut part_of: Vec<usize> = (0..names.len()).collect();
        let mut join = |first: usize, second: usize| {
            let (first, second) = (root(&part_of, first), root(&part_of, second));
            if let Some(place) = part_of.get_mut(first.max(second)) {
                *place = first.min(second);
            }
        };
        // Names are sorted, so those of one parent object are neighbours.
        for (at, pair) in names.windows(2).enumerate() {
            if let [first, second] = pair
                && first.first() == second.first()
            {
                join(at, at + 1);
            }
        }
        let open = || self.choices.iter().filter(|choice| choice.open);
        for choice in open() {
            for pair in choice.names.windows(2) {
                if let [first, second] = pair {
                    join(*first, *second);
                }
            }
        }
        let roots = open()
            .filter_map(|choice| choice.names.first())
            .map(|name| root(&part_of, *name));
        let mut parts: BTreeMap<usize, Vec<usize>> = roots.map(|root| (root, Vec::new())).collect();
        for name in 0..names.len() {
            if let Some(part) = parts.get_mut(&root(&part_of, name)) {
                part.push(name);
            }
        }
        parts.into_values().collect()
    }

    /// The smallest point of a part, and whether the search was complete.
    fn smallest_part(&mut self, part: &[usize]) -> (Option<Vec<u32>>, bool) {
        let base = self.mark();
        let mut best: Option<(Size, Vec<u32>)> = None;
        let mut frames: Vec<Frame> = Vec::new();
        let mut complete = true;
        loop {
            if self.is_exhausted() {
                complete = false;
                break;
            }
            self.descend(part, &mut best, &mut frames);
            if !self.advance(best.as_ref().map(|(size, _)| size), &mut frames) {
                break;
            }
        }
        self.undo(base);
        (best.map(|(_, point)| point), complete)
    }

    /// Looks at the present state: a new best, nothing better, or a choice to make.
    fn descend(
        &mut self,
        part: &[usize],
        best: &mut Option<(Size, Vec<u32>)>,
        frames: &mut Vec<Frame>,
    ) {
        if self.is_contradictory() {
            return;
        }
        let bound = self.bound(part);
        if best.as_ref().is_some_and(|(size, _)| bound.size >= *size) {
            return;
        }
        let Some(choice) = bound.unmet else {
            *best = Some((bound.size, bound.point));
            return;
        };
        let mark = self.mark();
        let count = self
            .choices
            .get(choice)
            .map_or(0, |choice| choice.alternatives.len());
        let mut rest = Vec::new();
        for alternative in 0..count {
            self.take(choice, alternative);
            if !self.is_contradictory() {
                rest.push((self.bound(part).size, alternative));
            }
            self.undo(mark);
            if self.is_exhausted() {
                break;
            }
        }
        // The smallest bound is taken from the end.
        rest.sort_unstable_by(|a, b| b.cmp(a));
        frames.push(Frame {
            mark,
            choice,
            rest,
            tried: Vec::new(),
        });
    }

    /// Goes on to the next alternative that can be better; false when there is none.
    fn advance(&mut self, best: Option<&Size>, frames: &mut Vec<Frame>) -> bool {
        while let Some(frame) = frames.last_mut() {
            self.undo(frame.mark);
            let next = frame
                .rest
                .pop()
                .filter(|(size, _)| best.is_none_or(|best| size < best));
            let Some((_, alternative)) = next else {
                frames.pop();
                continue;
            };
            let goal = self.alternative(frame.choice, alternative);
            let choice = frame.choice;
            let tried = frame.tried.clone();
            frame.tried.extend(goal);
            for goal in tried {
                self.refute(goal);
            }
            if !self.is_contradictory() {
                self.take(choice, alternative);
            }
            return true;
        }
        false
    }

    fn smallest_classes(&self, part: &[usize]) -> Vec<u32> {
        let mut point = vec![0; self.domains.len()];
        let names = self.space.iter().zip(&self.domains);
        let mut wanted = part.iter().peekable();
        for ((index, place), ((_, classes), domain)) in point.iter_mut().enumerate().zip(names) {
            if wanted.next_if_eq(&&index).is_some() {
                *place = classes.smallest(domain).unwrap_or_default();
            }
        }
        point
    }

    /// Bounds the size of all points of the present state from below.
    fn bound(&mut self, part: &[usize]) -> Bound {
        let point = self.smallest_classes(part);
        let witness = self.space.witness(&point);
        let text = serde_json::Value::Object(witness.context.clone()).to_string();
        let mut size = Size {
            names: witness.names_present(),
            characters: text.chars().count(),
            text,
            tool: witness.tool.map(|tool| (tool.chars().count(), tool)),
        };
        // Choices of which no two share a name each need a change of their own.
        let mut changed = vec![false; self.domains.len()];
        let mut unmet = None;
        let (mut names, mut characters) = (0, 0);
        let mut looked_at = 0;
        for (at, choice) in self.choices.iter().enumerate() {
            let in_part = choice
                .names
                .first()
                .is_some_and(|name| part.binary_search(name).is_ok());
            if !choice.open || !in_part || self.is_met_at(choice, &point) {
                continue;
            }
            looked_at += choice.alternatives.len();
            unmet = unmet.or(Some(at));
            let is_changed = |name: &usize| changed.get(*name).copied().unwrap_or(true);
            if choice.names.iter().any(is_changed) {
                continue;
            }
            let cheapest = choice
                .names
                .iter()
                .map(|name| self.cheapest_change(*name, &point))
                .min()
                .unwrap_or_default();
            names += cheapest.0;
            characters += cheapest.1;
            for name in &choice.names {
                if let Some(place) = changed.get_mut(*name) {
                    *place = true;
                }
            }
        }
        // A witness is made of all names.
        let made = self.domains.len() / NAMES_A_STEP;
        self.steps += u64::try_from(looked_at + made).unwrap_or(u64::MAX / 2);
        if unmet.is_some() {
            // The first entry of an empty object needs no comma.
            let comma = usize::from(size.names == 0 && names > 0);
            size.names += names;
            size.characters = (size.characters + characters).saturating_sub(comma);
            size.text.clear();
            size.tool = None;
        }
        Bound { size, point, unmet }
    }

    /// The least that another class of a name adds: names, then characters.
    fn cheapest_change(&self, name: usize, point: &[u32]) -> (usize, usize) {
        let found = (|| {
            let key = self.space.names().get(name)?;
            let classes = self.space.classes(key)?;
            let class = *point.get(name)?;
            let others = self
                .domains
                .get(name)?
                .intersection(&super::ClassSet::range(class, class + 1).complement(classes.len()));
            let cost = |class| {
                let value = classes.representative(class)?;
                Some(value.to_string().chars().count())
            };
            let other = cost(classes.smallest(&others)?)?;
            Some(match cost(class) {
                _ if is_tool_name(key) => (0, 0),
                Some(present) => (0, other.saturating_sub(present)),
                // `"key":value` and a comma.
                None => (1, key.last()?.len() + 3 + other + 1),
            })
        })();
        // A name that cannot change does not; it must not count for nothing.
        found.unwrap_or((usize::from(u8::MAX), 0))
    }
}

fn root(part_of: &[usize], mut name: usize) -> usize {
    while let Some(&parent) = part_of.get(name) {
        if parent == name {
            break;
        }
        name = parent;
    }
    name
}
