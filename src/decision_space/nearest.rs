//! The smallest change of a point that is accepted: fewest names changed, then fewest characters
//! of the new values, then byte order.
//!
//! Whoever accepts or rejects points also says *why* it rejects one ([`Reason`]): for some names,
//! the classes within which it would be rejected all the same. So one of these names must leave
//! its classes, and that splits what is left of the space in parts: in the first, the first name
//! leaves; in the second, the first stays and the second leaves; and so on. The cheapest point of
//! a part is known at once, since names are independent, and parts are looked at in the order of
//! their cheapest points: the first that is accepted is the smallest change. Nothing is ever
//! enumerated that no reason speaks of.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde_json::Value;

use crate::evaluator::{Call, Truth};
use crate::ir::{Condition, Name, is_tool_name};

use super::nodes::Nodes;
use super::problem::ConditionId;
use super::reasons::Reason;
use super::sets::{ClassSet, TruthSet};
use super::space::Space;

/// Steps that a search takes at most unless told otherwise; a step looks at one condition.
pub const MOST_STEPS: u64 = 2_000_000;

/// A search for the accepted point that is nearest to a call's.
#[derive(Debug)]
pub struct Nearest<'s> {
    space: &'s Space,
    nodes: Nodes<'s>,
    /// The class of each name in the call.
    present: Vec<u32>,
    budget: u64,
}

/// What came of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NearestPoint {
    /// A point that is accepted.
    Found {
        /// The names changed, sorted.
        changes: Vec<ChangedName>,
        /// Whether no smaller change is accepted; false when the budget ran out before that was
        /// known.
        exact: bool,
    },
    /// No point is accepted.
    None,
    /// Not found out within the budget.
    GaveUp {
        /// How many names a change has at least.
        names: usize,
    },
}

/// A name with its new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedName {
    /// The name.
    pub name: Name,
    /// Its new value; none when it is to be absent.
    pub value: Option<Value>,
}

/// A point that is to be accepted or rejected.
#[derive(Debug)]
pub struct Point<'p> {
    nodes: &'p Nodes<'p>,
    classes: &'p [u32],
    domains: &'p [ClassSet],
    steps: &'p Cell<u64>,
}

impl Point<'_> {
    /// The truth of a condition here.
    pub fn truth(&self, condition: ConditionId) -> Truth {
        let truths = self.nodes.truths_at(condition.index(), self.classes);
        self.count(1);
        match truths {
            TruthSet::TRUE => Truth::True,
            TruthSet::FALSE => Truth::False,
            _ => Truth::Unknown,
        }
    }

    /// Counts steps that whoever judges the point takes beside.
    pub fn count(&self, steps: usize) {
        spend(self.steps, steps);
    }

    /// Adds to a reason what suffices for a condition to keep one of these truths; it must have
    /// one of them here.
    pub fn explain(&self, condition: ConditionId, truths: TruthSet, reason: &mut Reason) {
        self.count(1);
        self.nodes.explain(
            condition.index(),
            truths,
            self.classes,
            self.domains,
            reason,
        );
    }
}

/// What a change costs, or at least costs, in the contract's order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    names: usize,
    characters: usize,
    /// By name changed, the new value's text; none while it is not known, which is before all.
    text: Option<Vec<(usize, Option<String>)>>,
}

/// A part of the space: what is left of another when names up to one are looked at.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// The split that it came of, and the place of the name that leaves in it; none for all.
    from: Option<(usize, usize)>,
}

/// A part split by a reason for which its cheapest point is rejected.
#[derive(Debug)]
struct Split {
    part: Part,
    /// The names of the reason, each with the classes within which it would stay.
    kept: Vec<(usize, ClassSet)>,
}

/// A part to be looked at, cheapest first; of equal ones, the earlier.
type Entry = Reverse<(Cost, usize)>;

/// The search under way.
struct Search<'n, 's> {
    nearest: &'n Nearest<'s>,
    splits: Vec<Split>,
    parts: Vec<Part>,
    steps: Cell<u64>,
}

/// What is said of a part's cheapest point.
enum Judged {
    Accepted(Cost, Vec<ChangedName>),
    Rejected(Vec<(Cost, usize)>),
}

impl<'s> Nearest<'s> {
    /// A search from a call. The space must be that of all conditions to be added.
    pub fn new(space: &'s Space, call: &Call<'_>) -> Self {
        Self {
            space,
            nodes: Nodes::new(space),
            present: space
                .iter()
                .map(|(name, classes)| classes.class_of(call.value(name)))
                .collect(),
            budget: MOST_STEPS,
        }
    }

    /// Sets how many steps the search may take.
    #[must_use]
    pub fn with_budget(mut self, steps: u64) -> Self {
        self.budget = steps;
        self
    }

    /// Reads a condition, so that points can be asked for its truth.
    pub fn add(&mut self, condition: &Condition) -> ConditionId {
        ConditionId::of(self.nodes.add(condition))
    }

    /// Searches for the smallest change of the call's context such that `reasons` has none
    /// against the point. The tool called stays.
    ///
    /// Each reason must suffice for the rejection of all points that it speaks of.
    pub fn search(&self, reasons: impl Fn(&Point<'_>) -> Vec<Reason>) -> NearestPoint {
        let mut search = Search {
            nearest: self,
            splits: Vec::new(),
            parts: vec![Part { from: None }],
            steps: Cell::new(0),
        };
        let all = Cost {
            names: 0,
            characters: 0,
            text: None,
        };
        let mut heap: BinaryHeap<Entry> = BinaryHeap::from([Reverse((all, 0))]);
        // Parts whose cheapest point is accepted: the cheapest of these so far.
        let mut best: Option<(Cost, Vec<ChangedName>)> = None;
        while let Some(Reverse((cost, part))) = heap.pop() {
            if let Some((_, changes)) = best.take_if(|(best, _)| *best <= cost) {
                return NearestPoint::Found {
                    changes,
                    exact: true,
                };
            }
            if search.steps.get() > self.budget {
                let changes = match best {
                    Some((_, changes)) => Some(changes),
                    None => search.dive(part, &heap, &reasons),
                };
                return match changes {
                    Some(changes) => NearestPoint::Found {
                        changes,
                        exact: false,
                    },
                    None => NearestPoint::GaveUp { names: cost.names },
                };
            }
            match search.judge(part, &cost, &reasons) {
                Judged::Accepted(cost, changes) => {
                    if best.as_ref().is_none_or(|(best, _)| cost < *best) {
                        best = Some((cost, changes));
                    }
                }
                Judged::Rejected(parts) => heap.extend(parts.into_iter().map(Reverse)),
            }
        }
        match best {
            Some((_, changes)) => NearestPoint::Found {
                changes,
                exact: true,
            },
            None => NearestPoint::None,
        }
    }

    /// The cheapest class of a set for a name; none in an empty set. The present one costs
    /// nothing.
    fn cheapest(&self, name: usize, domain: &ClassSet) -> Option<u32> {
        let present = self.present.get(name)?;
        if domain.contains(*present) {
            return Some(*present);
        }
        self.space.classes_at(name)?.smallest(domain)
    }

    /// What a class of a name costs: names, and characters of the new value.
    fn cost(&self, name: usize, class: u32) -> (usize, usize) {
        if self.present.get(name) == Some(&class) {
            return (0, 0);
        }
        let value = self.value(name, class);
        let characters = value.map_or(0, |value| value.to_string().chars().count());
        (1, characters)
    }

    fn value(&self, name: usize, class: u32) -> Option<Value> {
        self.space.classes_at(name)?.representative(class)
    }

    /// All classes of each name; of the tool, the one called.
    fn domains(&self) -> Vec<ClassSet> {
        let names = self.space.iter().zip(&self.present);
        names
            .map(|((name, classes), present)| {
                if is_tool_name(name) {
                    ClassSet::range(*present, *present + 1)
                } else {
                    classes.all()
                }
            })
            .collect()
    }
}

impl Search<'_, '_> {
    /// The classes that are left to each name in a part.
    fn domains(&self, part: usize) -> Vec<ClassSet> {
        let mut domains = self.nearest.domains();
        let mut from = self.parts.get(part).and_then(|part| part.from);
        while let Some((split, place)) = from {
            let Some(split) = self.splits.get(split) else {
                break;
            };
            for (at, (name, kept)) in split.kept.iter().enumerate().take(place + 1) {
                if let Some(domain) = domains.get_mut(*name) {
                    *domain = if at == place {
                        without(domain, kept)
                    } else {
                        domain.intersection(kept)
                    };
                }
            }
            from = split.part.from;
        }
        domains
    }

    /// Looks at the cheapest point of a part: it is accepted, or the part is split.
    fn judge(
        &mut self,
        part: usize,
        known: &Cost,
        reasons: &impl Fn(&Point<'_>) -> Vec<Reason>,
    ) -> Judged {
        let domains = self.domains(part);
        let point: Vec<u32> = domains
            .iter()
            .enumerate()
            .map(|(name, domain)| self.nearest.cheapest(name, domain).unwrap_or_default())
            .collect();
        spend(&self.steps, domains.len());
        let reasons = reasons(&Point {
            nodes: &self.nearest.nodes,
            classes: &point,
            domains: &domains,
            steps: &self.steps,
        });
        if reasons.is_empty() {
            let (cost, changes) = self.changes(&point);
            return Judged::Accepted(cost, changes);
        }
        Judged::Rejected(self.split(part, &domains, &point, known, reasons))
    }

    /// Splits a part by the shortest of the reasons. Those that have no name in common each cost
    /// something of their own.
    fn split(
        &mut self,
        part: usize,
        domains: &[ClassSet],
        point: &[u32],
        known: &Cost,
        mut reasons: Vec<Reason>,
    ) -> Vec<(Cost, usize)> {
        // The cheapest way for each name of a reason to leave: names, characters, the name.
        let ways = |reason: &Reason| {
            let mut ways: Vec<((usize, usize), usize)> = Vec::new();
            for (name, kept) in &reason.kept {
                let Some((domain, now)) = domains.get(*name).zip(point.get(*name)) else {
                    continue;
                };
                if let Some(class) = self.nearest.cheapest(*name, &without(domain, kept)) {
                    let (now, then) = (
                        self.nearest.cost(*name, *now),
                        self.nearest.cost(*name, class),
                    );
                    ways.push((
                        (then.0.saturating_sub(now.0), then.1.saturating_sub(now.1)),
                        *name,
                    ));
                }
            }
            ways.sort_unstable();
            ways
        };
        reasons.sort_by_key(|reason| reason.kept.len());
        let (mut all_names, mut all_characters) = (0, 0);
        let mut used = vec![false; domains.len()];
        let mut first = None;
        for reason in reasons {
            let ways = ways(&reason);
            let Some(((names, characters), _)) = ways.first().copied() else {
                // It stays rejected whatever changes: nothing of this part is accepted.
                return Vec::new();
            };
            let is_apart = ways.iter().all(|(_, name)| used.get(*name) == Some(&false));
            if is_apart {
                all_names += names;
                all_characters += characters;
                for (_, name) in &ways {
                    if let Some(used) = used.get_mut(*name) {
                        *used = true;
                    }
                }
            }
            first.get_or_insert((ways, reason));
        }
        let Some((ways, mut reason)) = first else {
            return Vec::new();
        };
        let Some(&parent) = self.parts.get(part) else {
            return Vec::new();
        };
        let (now, _) = self.changes(point);
        let at_least = Cost {
            names: now.names + all_names,
            characters: now.characters + all_characters,
            text: None,
        };
        let at_least = at_least.max(Cost {
            text: None,
            ..known.clone()
        });
        let number = self.splits.len();
        let mut kept = Vec::with_capacity(ways.len());
        let mut parts = Vec::with_capacity(ways.len());
        for (place, ((names, characters), name)) in ways.into_iter().enumerate() {
            kept.push((name, reason.kept.remove(&name).unwrap_or_default()));
            let cost = Cost {
                names: now.names + names,
                characters: now.characters + characters,
                text: None,
            };
            parts.push((cost.max(at_least.clone()), self.parts.len()));
            self.parts.push(Part {
                from: Some((number, place)),
            });
        }
        self.splits.push(Split { part: parent, kept });
        spend(&self.steps, parts.len());
        parts
    }

    /// What a point changes, and what that costs.
    fn changes(&self, point: &[u32]) -> (Cost, Vec<ChangedName>) {
        let mut changes = Vec::new();
        let mut text = Vec::new();
        let mut characters = 0;
        let names = self.nearest.space.names().iter().zip(&self.nearest.present);
        for ((index, (name, present)), class) in names.enumerate().zip(point) {
            if class == present {
                continue;
            }
            let value = self.nearest.value(index, *class);
            let shown = value.as_ref().map(Value::to_string);
            characters += shown.as_ref().map_or(0, |shown| shown.chars().count());
            text.push((index, shown));
            changes.push(ChangedName {
                name: name.clone(),
                value,
            });
        }
        let cost = Cost {
            names: changes.len(),
            characters,
            text: Some(text),
        };
        (cost, changes)
    }

    /// Any change that is accepted, by going deep where it is cheapest, within a budget of its
    /// own.
    fn dive(
        &mut self,
        part: usize,
        heap: &BinaryHeap<Entry>,
        reasons: &impl Fn(&Point<'_>) -> Vec<Reason>,
    ) -> Option<Vec<ChangedName>> {
        self.steps.set(0);
        let mut others: Vec<&Entry> = heap.iter().collect();
        // The cheapest is taken from the end.
        others.sort_unstable();
        let others = others.into_iter().map(|Reverse(entry)| entry.clone());
        let mut rest: Vec<(Cost, usize)> = others.collect();
        let none = Cost {
            names: 0,
            characters: 0,
            text: None,
        };
        rest.push((none, part));
        while let Some((cost, part)) = rest.pop() {
            if self.steps.get() > self.nearest.budget {
                return None;
            }
            match self.judge(part, &cost, reasons) {
                Judged::Accepted(_, changes) => return Some(changes),
                Judged::Rejected(mut parts) => {
                    parts.sort_unstable_by(|one, other| other.cmp(one));
                    rest.extend(parts);
                }
            }
        }
        None
    }
}

fn spend(counter: &Cell<u64>, steps: usize) {
    let steps = u64::try_from(steps).unwrap_or(u64::MAX);
    counter.set(counter.get().saturating_add(steps));
}

/// The classes of a domain that are not kept.
fn without(domain: &ClassSet, kept: &ClassSet) -> ClassSet {
    domain.intersection(&kept.complement(u32::MAX))
}

#[cfg(test)]
mod tests;
