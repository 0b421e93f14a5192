//! The smallest change of a call's context that would allow it: fewest names changed, then
//! fewest characters of the new values, then byte order.
//!
//! A call is allowed when no flow refuses or asks, and one allows. Of each flow that stands
//! against that, the conditions on its way which keep it there are the reason; the search for
//! the nearest point does the rest.

use std::ops::Range;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::decision_space::{
    ChangedName, ConditionId, Nearest, NearestPoint, Point, Reason, Space, TruthSet,
};
use crate::evaluator::{Call, Fork, Truth, follow};
use crate::ir::{BranchSummary, Flow, FlowKind, Name, Rulebook, Tool, Word};

use super::trace::parent_that_is_no_object;

/// What would allow a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Change {
    /// It is allowed as it is.
    Unneeded,
    /// The smallest change: fewest names, then fewest characters of new values (a name that is
    /// removed has none), then byte order, name by name.
    Smallest {
        /// The names to change, sorted.
        edits: Vec<Edit>,
    },
    /// A change that allows, not known to be the smallest: the search has its bounds.
    NotExact {
        /// The names to change, sorted.
        edits: Vec<Edit>,
    },
    /// No context allows this tool.
    None {
        /// Why there is none.
        because: NoChange,
    },
    /// Not found out within the bounds of the search.
    NotFound {
        /// How many names would have to change at least.
        at_least: usize,
    },
}

/// Why no context allows a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoChange {
    /// No flow governs it.
    NotGoverned,
    /// Whatever the context, some flow refuses or asks, or none allows.
    NeverAllowed,
}

/// A name to change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Edit {
    /// The name, dotted.
    #[serde(serialize_with = "dotted")]
    pub name: Name,
    /// Its new value; none when it is to be removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<Value>,
    /// Whether it is to be removed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub remove: bool,
    /// The parent that is no object, dotted: an object takes its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
}

fn dotted<S: Serializer>(name: &Name, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&name.join("."))
}

impl Change {
    /// The names to change; none when there is no change to make, or none that is known.
    pub fn edits(&self) -> &[Edit] {
        match self {
            Self::Smallest { edits } | Self::NotExact { edits } => edits,
            Self::Unneeded | Self::None { .. } | Self::NotFound { .. } => &[],
        }
    }

    /// A context with the change made; all other names stay.
    #[must_use]
    pub fn apply(&self, context: &Value) -> Value {
        let edits = self.edits();
        if edits.is_empty() {
            return context.clone();
        }
        let mut changed = context.as_object().cloned().unwrap_or_default();
        for edit in edits {
            edit.apply(&mut changed);
        }
        Value::Object(changed)
    }
}

impl Edit {
    fn apply(&self, context: &mut Map<String, Value>) {
        let Some((last, parents)) = self.name.split_last() else {
            return;
        };
        let mut holder = context;
        for segment in parents {
            let parent = holder.entry(segment).or_insert(Value::Null);
            if !parent.is_object() {
                *parent = Value::Object(Map::new());
            }
            match parent {
                Value::Object(inner) => holder = inner,
                _ => return,
            }
        }
        match &self.set {
            Some(value) => holder.insert(last.clone(), value.clone()),
            None => holder.remove(last),
        };
    }
}

/// The smallest change of the context that would allow the call.
pub(super) fn smallest(rulebook: &Rulebook, tool: Option<&str>, call: &Call<'_>) -> Change {
    let Some(tool) = tool.and_then(|name| rulebook.tool(name)) else {
        return Change::None {
            because: NoChange::NotGoverned,
        };
    };
    let flows = || {
        let flows = rulebook.flows.iter();
        flows.filter(|flow| flow.kind == FlowKind::Guard || tool.is_governed_by(flow))
    };
    let ifs = flows().flat_map(|flow| &flow.ifs);
    let arms = ifs.flat_map(|decision| &decision.arms);
    let space = Space::of(arms.map(|arm| &arm.condition));
    let mut nearest = Nearest::new(&space, call);
    let speakers: Vec<Speaker<'_>> = flows()
        .map(|flow| Speaker::new(flow, tool, &mut nearest))
        .collect();
    let edits = |changes: Vec<ChangedName>| {
        let edits = changes.into_iter().map(|change| Edit {
            replaces: parent_that_is_no_object(&change.name, call).map(|parent| parent.join(".")),
            remove: change.value.is_none(),
            set: change.value,
            name: change.name,
        });
        edits.collect()
    };
    match nearest.search(|point| reasons_against(&speakers, point)) {
        NearestPoint::Found {
            changes,
            exact: true,
        } => Change::Smallest {
            edits: edits(changes),
        },
        NearestPoint::Found {
            changes,
            exact: false,
        } => Change::NotExact {
            edits: edits(changes),
        },
        NearestPoint::None => Change::None {
            because: NoChange::NeverAllowed,
        },
        NearestPoint::GaveUp { names } => Change::NotFound { at_least: names },
    }
}

/// Why a point is not allowed: one reason for each flow that refuses or asks, and one for all
/// that govern when none of them allows. None when it is allowed.
fn reasons_against(speakers: &[Speaker<'_>], point: &Point<'_>) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let mut is_allowed = false;
    let mut none_allows = Reason::default();
    for speaker in speakers {
        let (met, branch) = speaker.way(point);
        if !speaker.lets_pass.has(branch) {
            let mut reason = Reason::default();
            speaker.explain(&met, &speaker.lets_pass, point, &mut reason);
            reasons.push(reason);
        }
        if speaker.allows.has(branch) {
            is_allowed = true;
        } else if !is_allowed {
            speaker.explain(&met, &speaker.allows, point, &mut none_allows);
        }
    }
    if !is_allowed {
        reasons.push(none_allows);
    }
    reasons
}

/// A flow that speaks on the tool.
struct Speaker<'g> {
    flow: &'g Flow,
    /// By index of the `if`, its conditions.
    conditions: Vec<Vec<ConditionId>>,
    /// The branches that neither refuse nor ask.
    lets_pass: Branches,
    /// The branches that allow.
    allows: Branches,
}

/// An `if` that a way meets, with the truths of the arms asked.
struct Met<'g> {
    fork: Fork<'g>,
    arms: Vec<(ConditionId, Truth)>,
}

impl<'g> Speaker<'g> {
    fn new(flow: &'g Flow, tool: &Tool, nearest: &mut Nearest<'_>) -> Self {
        let words: Vec<Option<Word<'_>>> = flow
            .branches
            .iter()
            .map(|branch| {
                let summary = BranchSummary::of(branch);
                if flow.kind == FlowKind::Guard {
                    summary.guard_word()
                } else {
                    Some(summary.word(&tool.name))
                }
            })
            .collect();
        let stands_against = |word: &Word<'_>| matches!(word, Word::Refuse(_) | Word::Clarify(_));
        let conditions = flow.ifs.iter().map(|decision| {
            let arms = decision.arms.iter();
            arms.map(|arm| nearest.add(&arm.condition)).collect()
        });
        Self {
            flow,
            conditions: conditions.collect(),
            lets_pass: Branches::of(
                words
                    .iter()
                    .map(|word| !word.as_ref().is_some_and(stands_against)),
            ),
            allows: Branches::of(words.iter().map(|word| *word == Some(Word::Allow))),
        }
    }

    /// The `if`s met at a point, and the index of the branch that holds; none when the flow is
    /// undecided.
    fn way(&self, point: &Point<'_>) -> (Vec<Met<'g>>, Option<usize>) {
        let mut met = Vec::new();
        let branch = follow(self.flow, |fork| {
            let at = self.flow.if_index(&fork.decision.id)?;
            let mut conditions = self.conditions.get(at)?.iter();
            let mut arms = Vec::new();
            let way = fork.way(|_| {
                let Some(condition) = conditions.next() else {
                    return Truth::Unknown;
                };
                let truth = point.truth(*condition);
                arms.push((*condition, truth));
                truth
            });
            met.push(Met {
                fork: fork.clone(),
                arms,
            });
            way
        });
        (met, branch)
    }

    /// Adds to a reason what suffices for the flow not to come to a wanted branch: a condition
    /// matters only where some other truth of it leads to one.
    fn explain(&self, met: &[Met<'_>], wanted: &Branches, point: &Point<'_>, reason: &mut Reason) {
        for Met { fork, arms } in met {
            let mut by_arm = vec![false; fork.decision.arms.len()];
            let mut is_wanted_behind = false;
            for (way, branches) in fork.ways() {
                point.count(branches.len());
                let is_wanted = wanted.any(branches);
                match way.and_then(|arm| by_arm.get_mut(arm - 1)) {
                    Some(place) => *place |= is_wanted,
                    None => is_wanted_behind |= is_wanted,
                }
            }
            // From the last arm on: whether a wanted branch lies behind each.
            let behind: Vec<bool> = by_arm
                .iter()
                .rev()
                .scan(is_wanted_behind, |behind, into| {
                    let before = *behind;
                    *behind |= into;
                    Some(before)
                })
                .collect();
            let ways = by_arm.iter().zip(behind.iter().rev());
            for ((condition, truth), (into, behind)) in arms.iter().zip(ways) {
                // Undecided is never wanted.
                let unwanted = |is_wanted: bool, truths| {
                    if is_wanted { TruthSet::EMPTY } else { truths }
                };
                let kept = TruthSet::UNKNOWN
                    .union(TruthSet::from(*truth))
                    .union(unwanted(*into, TruthSet::TRUE))
                    .union(unwanted(*behind, TruthSet::FALSE));
                point.explain(*condition, kept, reason);
            }
        }
    }
}

/// A set of the branches of a flow.
struct Branches {
    /// By index, how many branches before it are in the set.
    before: Vec<usize>,
}

impl Branches {
    fn of(members: impl Iterator<Item = bool>) -> Self {
        let mut before = vec![0];
        let mut count = 0;
        before.extend(members.map(|is_member| {
            count += usize::from(is_member);
            count
        }));
        Self { before }
    }

    /// Whether it has a branch of these.
    fn any(&self, branches: Range<usize>) -> bool {
        self.before.get(branches.start) < self.before.get(branches.end)
    }

    /// Whether it has this branch; an undecided flow comes to none.
    fn has(&self, branch: Option<usize>) -> bool {
        branch.is_some_and(|branch| self.any(branch..branch + 1))
    }
}
