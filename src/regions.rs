//! Where a rulebook, or a pair of them, decides alike: the space of all contexts cut into
//! *regions*, each a conjunction of limits on names, without a product being listed.
//!
//! An [`Atlas`] is the space of one tool: the names that the rulebooks read for it, each with
//! the classes that the literals of all of them make (contract section 9). [`Atlas::decisions`]
//! cuts it by what decides, [`Atlas::changes`] by what two rulebooks decide differently. Every
//! point lies in exactly one region.

mod cover;
mod diagram;
mod flows;
mod place;
mod terms;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::decision_space::{Called, ClassSet, LACKING, Space, conditions_of};
use crate::evaluator::{Call, Decision, combine};
use crate::ir::{Name, Rulebook, is_tool_name};

use cover::cover;
use diagram::{Diagram, NodeId};
use flows::{Builder, Values};
pub use place::Place;
pub use terms::{Term, conjunction};

/// Most steps that cutting one tool's space takes unless told otherwise: pieces of decision
/// diagrams that are looked at.
pub const DEFAULT_STEPS: u64 = 3_000_000;

/// Most regions with one label.
pub const MOST_REGIONS: usize = 500;

/// The space was not cut within the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// The space of one tool: what the rulebooks read where it is called.
#[derive(Debug)]
pub struct Atlas<'r> {
    rulebooks: Vec<&'r Rulebook>,
    called: Called,
    space: Space,
    /// By index of a name in the space, its level: the order of names, by first use.
    levels: Vec<u32>,
    /// By level, the number of classes.
    counts: Vec<u32>,
    /// By level, the index of the name.
    names: Vec<usize>,
    steps: u64,
}

/// A conjunction of limits on names, in which something is so at every point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region<L> {
    /// What is so.
    pub label: L,
    /// The limits, in the order in which the rulebook reads the names; none for every context.
    pub terms: Vec<Term>,
    /// The smallest context in the region.
    pub example: Map<String, Value>,
    /// By index of the name in the space, the classes it is limited to.
    limits: BTreeMap<usize, ClassSet>,
}

impl<L> Region<L> {
    fn map<M>(self, label: impl FnOnce(L) -> M) -> Region<M> {
        Region {
            label: label(self.label),
            terms: self.terms,
            example: self.example,
            limits: self.limits,
        }
    }

    /// The limits as one condition; none where there are none.
    pub fn condition(&self) -> Option<String> {
        (!self.terms.is_empty()).then(|| conjunction(&self.terms))
    }
}

/// The regions of an atlas that have a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regions<L> {
    /// The regions; no two have a point in common.
    pub regions: Vec<Region<L>>,
    /// Whether every point that has a label lies in one of them. When not, every label has a
    /// region all the same.
    pub is_complete: bool,
    /// How many steps it took to find them.
    pub steps: u64,
}

/// What a rulebook decides in a region, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decided {
    /// The decision.
    pub decision: Decision,
    /// Whether it is the refusal of a flow that lacks a value.
    pub is_undecided: bool,
    /// Where it is said, in one context of the region or another; none where no flow speaks.
    pub places: Vec<Place>,
}

/// What two rulebooks decide differently in a region.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Changed {
    /// By the first rulebook.
    pub old: Decision,
    /// By the second.
    pub new: Decision,
}

impl<'r> Atlas<'r> {
    /// The space of a tool.
    pub fn new(rulebooks: &[&'r Rulebook], called: Called) -> Self {
        let speakers = || {
            let all = rulebooks.iter().rev();
            all.flat_map(|rulebook| called.speakers(rulebook))
        };
        let conditions = || speakers().flat_map(conditions_of);
        let space = Space::of(conditions());
        let mut levels: Vec<Option<u32>> = vec![None; space.names().len()];
        let mut names = Vec::new();
        let read = conditions().flat_map(|condition| condition.leaves());
        for name in read.filter_map(|leaf| leaf.name()) {
            let found = space.names().binary_search(name).ok();
            let level = found.and_then(|at| Some((at, levels.get_mut(at)?)));
            if let Some((at, level @ None)) = level
                && !is_tool_name(name)
            {
                *level = u32::try_from(names.len()).ok();
                names.push(at);
            }
        }
        let all: Vec<u32> = space.iter().map(|(_, classes)| classes.len()).collect();
        let counts = names.iter().map(|at| all.get(*at).copied().unwrap_or(1));
        Self {
            counts: counts.collect(),
            rulebooks: rulebooks.to_vec(),
            called,
            space,
            levels: levels.into_iter().map(Option::unwrap_or_default).collect(),
            names,
            steps: DEFAULT_STEPS,
        }
    }

    /// Sets how many steps cutting the space may take.
    #[must_use]
    pub fn with_steps(mut self, steps: u64) -> Self {
        self.steps = steps;
        self
    }

    /// The tool.
    pub fn called(&self) -> &Called {
        &self.called
    }

    /// The names and classes; `$tool_name` may be among them, and is the tool's.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The names that conditions read, in the order in which they do; not `$tool_name`.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        let names = self.space.names();
        self.names.iter().filter_map(|at| names.get(*at))
    }

    /// Whether a context lies in a region of this atlas.
    pub fn contains<L>(&self, region: &Region<L>, context: &Map<String, Value>) -> bool {
        let call = Call::new(self.called.name(), context);
        let mut names = self.space.iter().enumerate();
        names.all(|(at, (name, classes))| {
            let limit = region.limits.get(&at);
            limit.is_none_or(|set| set.contains(classes.class_of(call.value(name))))
        })
    }

    /// The regions in which the first rulebook decides alike, in source order of what decides:
    /// guards before the others, flow by flow and branch by branch.
    ///
    /// # Errors
    /// When that takes too many steps.
    pub fn decisions(&self) -> Result<Regions<Decided>, TooLarge> {
        let mut diagram = Diagram::new(self.steps);
        let mut values = Values::new();
        let rulebook = *self.rulebooks.first().ok_or(TooLarge)?;
        let decided = self
            .builder(&mut diagram)
            .rulebook(rulebook, true, &mut values)?;
        let decided = self.possible(&mut diagram, decided)?;
        let label = |value: u32| {
            let said = values.get(value)?;
            let is_undecided = said.place.is_some_and(|(_, branch)| branch.is_none());
            Some((combine(said.word), is_undecided))
        };
        let Regions {
            regions,
            is_complete,
            ..
        } = self.regions(&mut diagram, decided, label)?;
        let mut found = Vec::with_capacity(regions.len());
        for region in regions {
            let limit = |level: u32| {
                let at = usize::try_from(level).ok();
                region.limits.get(at.and_then(|at| self.names.get(at))?)
            };
            let inside = diagram.reachable(decided, |level, start, end| {
                limit(level).is_none_or(|set| set.intersects(&ClassSet::range(start, end)))
            });
            diagram.spend(inside.len())?;
            let said = inside.into_iter().filter_map(|node| {
                let (flow, branch) = values.get(diagram.constant(node)?)?.place?;
                Some(Place::new(
                    rulebook,
                    &self.called,
                    &region.example,
                    flow,
                    branch,
                ))
            });
            let mut places: Vec<Place> = said.collect();
            places.sort_unstable();
            places.dedup();
            found.push(region.map(|(decision, is_undecided)| Decided {
                decision,
                is_undecided,
                places,
            }));
        }
        // Silence has no place, and stands last.
        found.sort_by(|one: &Region<Decided>, other| {
            let key = |region: &Region<Decided>| region.label.places.first().cloned().ok_or(());
            key(one).cmp(&key(other))
        });
        Ok(Regions {
            regions: found,
            is_complete,
            steps: self.steps.saturating_sub(diagram.left()),
        })
    }

    /// The regions in which the second rulebook decides otherwise than the first.
    ///
    /// # Errors
    /// When that takes too many steps.
    pub fn changes(&self) -> Result<Regions<Changed>, TooLarge> {
        let [old, new] = self.rulebooks.as_slice() else {
            return Err(TooLarge);
        };
        let mut diagram = Diagram::new(self.steps);
        let mut values = Values::new();
        let mut builder = self.builder(&mut diagram);
        let old = builder.rulebook(old, false, &mut values)?;
        let new = builder.rulebook(new, false, &mut values)?;
        let mut pairs: Values<Option<(u32, u32)>> = Values::new();
        // The word of a flow that is silent among others and silence itself decide alike.
        let decision = |value: u32| values.get(value).map(|said| combine(said.word));
        pairs.number(None);
        let both = diagram.join(old, new, |old, new| {
            let (old, new) = (old?, new?);
            let is_changed = old != new && decision(old) != decision(new);
            Some(pairs.number(is_changed.then_some((old, new))))
        })?;
        let both = self.possible(&mut diagram, both)?;
        self.regions(&mut diagram, both, |pair| {
            let (old, new) = pairs.get(pair)??;
            Some(Changed {
                old: decision(old)?,
                new: decision(new)?,
            })
        })
    }

    fn builder<'g>(&'g self, diagram: &'g mut Diagram) -> Builder<'g> {
        Builder {
            diagram,
            space: &self.space,
            levels: &self.levels,
            called: &self.called,
        }
    }

    /// A function with a value of its own where no context is: names of two rulebooks may be
    /// such that the value of one is the parent object of the other.
    fn possible(&self, diagram: &mut Diagram, function: NodeId) -> Result<NodeId, TooLarge> {
        let mut function = function;
        let names = self.space.names();
        for (parent, name) in names.iter().enumerate() {
            let below = names.iter().enumerate().skip(parent + 1);
            for (child, _) in below.take_while(|(_, other)| other.starts_with(name)) {
                let levels = (self.level(parent), self.level(child));
                let (Some(parent), Some(child)) = levels else {
                    continue;
                };
                let (first, second) = (parent.min(child), parent.max(child));
                let (yes, no) = (diagram.value(1)?, diagram.value(0)?);
                let count = |(level, _): (u32, usize)| {
                    let found = usize::try_from(level).ok();
                    found
                        .and_then(|at| self.counts.get(at))
                        .copied()
                        .unwrap_or(1)
                };
                let lower = diagram.fork(second.0, [(LACKING + 1, yes), (count(second), no)])?;
                let possible =
                    diagram.fork(first.0, [(LACKING + 1, yes), (count(first), lower)])?;
                function = diagram.join(function, possible, |value, possible| match possible {
                    Some(0) => Some(IMPOSSIBLE),
                    Some(_) => value,
                    None => None,
                })?;
            }
        }
        Ok(function)
    }

    /// The level of a name, by its index in the space; none of `$tool_name`.
    fn level(&self, name: usize) -> Option<(u32, usize)> {
        let level = *self.levels.get(name)?;
        let at = usize::try_from(level).ok()?;
        (self.names.get(at) == Some(&name)).then_some((level, name))
    }

    /// The regions of the values that have a label, in the order of labels.
    fn regions<L: Ord + Clone>(
        &self,
        diagram: &mut Diagram,
        function: NodeId,
        label: impl Fn(u32) -> Option<L>,
    ) -> Result<Regions<L>, TooLarge> {
        // Several values may have one label.
        let mut numbers: BTreeMap<L, u32> = BTreeMap::new();
        let nodes = diagram.reachable(function, |_, _, _| true);
        let found: Vec<u32> = nodes
            .iter()
            .filter_map(|id| diagram.constant(*id))
            .collect();
        for value in found {
            if let Some(label) = label(value) {
                let next = u32::try_from(numbers.len()).unwrap_or(IMPOSSIBLE);
                numbers.entry(label).or_insert(next);
            }
        }
        let numbered = diagram.map(function, |value| {
            let number = label(value).and_then(|label| numbers.get(&label).copied());
            number.unwrap_or(IMPOSSIBLE)
        })?;
        let (mut regions, mut is_complete) = (Vec::new(), true);
        // So that every label gets its share of the steps.
        let mut labels = u64::try_from(numbers.len()).unwrap_or(u64::MAX);
        for (label, number) in numbers {
            let bounds = (MOST_REGIONS, diagram.left() / labels.max(1));
            labels = labels.saturating_sub(1);
            let (cubes, all) = cover(diagram, numbered, number, &self.counts, bounds)?;
            is_complete &= all;
            for cube in cubes {
                let limits = cube.into_iter().filter_map(|(level, set)| {
                    let at = usize::try_from(level).ok()?;
                    Some((*self.names.get(at)?, set))
                });
                regions.push(self.region(label.clone(), limits.collect()));
            }
        }
        Ok(Regions {
            regions,
            is_complete,
            steps: self.steps.saturating_sub(diagram.left()),
        })
    }

    /// A region from its limits, in the order of levels.
    fn region<L>(&self, label: L, limits: Vec<(usize, ClassSet)>) -> Region<L> {
        let name = |at: usize| self.space.iter().nth(at);
        let terms = limits
            .iter()
            .filter_map(|(at, set)| name(*at).map(|(name, classes)| Term::of(name, classes, set)))
            .collect();
        let limits: BTreeMap<usize, ClassSet> = limits.into_iter().collect();
        // Names are independent, so the smallest context has the smallest class of each.
        let point: Vec<u32> = self
            .space
            .iter()
            .enumerate()
            .map(|(at, (_, classes))| {
                let smallest = limits.get(&at).and_then(|set| classes.smallest(set));
                smallest.unwrap_or(LACKING)
            })
            .collect();
        Region {
            label,
            terms,
            example: self.space.witness(&point).context,
            limits,
        }
    }
}

/// The value where no context is.
const IMPOSSIBLE: u32 = u32::MAX;
