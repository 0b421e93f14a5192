//! What an edit of a rulebook changes: for each tool the contexts in which the new version
//! decides otherwise than the old one, as conditions, with the smallest context of each.
//!
//! [`compare`] is exact: the space of both versions is cut into regions ([`crate::regions`]),
//! and a context is in a changed region if and only if its decision changed. Where that passes
//! the bounds, branches of both versions are compared at contexts that take them, and the
//! answer says that it is not exact.

mod human;
mod json;
mod kind;
mod markdown;
mod notes;
mod sample;
mod unchanged;
mod words;

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::decision_space::Called;
use crate::evaluator::Decision;
use crate::ir::Rulebook;
use crate::regions::{Atlas, DEFAULT_STEPS, Place, Term, TooLarge};

pub use human::render_human;
pub use json::{render_json, schema};
pub use kind::{Deny, Kind};
pub use markdown::render_markdown;
pub use notes::{NameChange, WordingChange};
pub use words::Versions;

/// Most steps that all tools together may take.
const MOST_STEPS_IN_ALL: u64 = 40 * DEFAULT_STEPS;

/// What an edit changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Every tool of either version, those that no version names as one, and what is no tool;
    /// those of the new version first, in source order.
    pub tools: Vec<ToolDifference>,
    /// Messages of both versions whose wordings differ.
    pub wordings: Vec<WordingChange>,
    /// Context names that only one version has, or that have another type.
    pub names: Vec<NameChange>,
}

/// What changes for one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolDifference {
    /// The tool.
    pub called: Called,
    /// Which versions have flows that govern it.
    pub governed: Governed,
    /// The changes, those that open most first; none when nothing changes.
    pub changes: Vec<Change>,
    /// How sure it is that these are all.
    pub extent: Extent,
}

/// Which versions govern a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Governed {
    /// Both.
    Both,
    /// The new one only.
    Added,
    /// The old one only.
    Removed,
    /// None: only guards speak on it.
    Neither,
}

/// How far a comparison went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The changes are all there are.
    Exact,
    /// Every kind of change is there, but there are more contexts than those of the conditions.
    Cut,
    /// So many contexts were compared; there may be changes elsewhere.
    Sampled(usize),
}

/// A set of contexts in which the decision changed in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What the change means.
    pub kind: Kind,
    /// The decision of the old version.
    pub old: Decision,
    /// The decision of the new version.
    pub new: Decision,
    /// The contexts: limits on names that hold together, none for every context. Not known where
    /// the comparison is a sample.
    pub terms: Option<Vec<Term>>,
    /// The smallest of the contexts.
    pub example: Map<String, Value>,
    /// Where the old version decides the example.
    pub old_place: Option<Place>,
    /// Where the new version decides it.
    pub new_place: Option<Place>,
}

impl ToolDifference {
    /// Whether there is, or may be, a change of a kind that is denied.
    pub fn is_denied(&self, deny: Deny) -> bool {
        let is_sample = matches!(self.extent, Extent::Sampled(_));
        is_sample || self.changes.iter().any(|change| deny.denies(change.kind))
    }
}

impl Difference {
    /// The tools whose decisions changed, or for which that was not found out.
    pub fn changed(&self) -> impl Iterator<Item = &ToolDifference> {
        let tools = self.tools.iter();
        tools.filter(|tool| !tool.changes.is_empty() || tool.extent != Extent::Exact)
    }

    /// How many changes there are of a kind.
    pub fn count(&self, kind: Kind) -> usize {
        let changes = self.tools.iter().flat_map(|tool| &tool.changes);
        changes.filter(|change| change.kind == kind).count()
    }

    /// Whether all changes were found.
    pub fn is_exact(&self) -> bool {
        self.tools.iter().all(|tool| tool.extent == Extent::Exact)
    }

    /// Whether there is, or may be, a change of a kind that is denied.
    pub fn is_denied(&self, deny: Deny) -> bool {
        self.tools.iter().any(|tool| tool.is_denied(deny))
    }
}

/// How much a comparison may do, and about which tools.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only these tools; all when there are none.
    pub tools: BTreeSet<String>,
    /// Steps for one tool, if not as many as usual.
    pub steps: Option<u64>,
}

/// Compares two versions of a rulebook.
pub fn compare(old: &Rulebook, new: &Rulebook, options: &Options) -> Difference {
    let mut left = MOST_STEPS_IN_ALL;
    let mut tools = Vec::new();
    for called in Called::all(&[new, old], options.tools.iter().map(String::as_str)) {
        let is_wanted = options.tools.is_empty()
            || matches!(&called, Called::Tool(name) if options.tools.contains(name));
        if !is_wanted {
            continue;
        }
        let governs = |rulebook: &Rulebook| {
            called
                .name()
                .is_some_and(|name| rulebook.tool(name).is_some())
        };
        let governed = match (governs(old), governs(new)) {
            (true, true) => Governed::Both,
            (false, true) => Governed::Added,
            (true, false) => Governed::Removed,
            (false, false) => Governed::Neither,
        };
        let (changes, extent) = if unchanged::decide_alike(old, new, &called) {
            (Vec::new(), Extent::Exact)
        } else {
            let steps = options.steps.unwrap_or(DEFAULT_STEPS).min(left);
            changes(old, new, &called, steps, &mut left)
        };
        tools.push(ToolDifference {
            called,
            governed,
            changes,
            extent,
        });
    }
    Difference {
        tools,
        wordings: notes::wordings(old, new),
        names: notes::names(old, new),
    }
}

fn changes(
    old: &Rulebook,
    new: &Rulebook,
    called: &Called,
    steps: u64,
    left: &mut u64,
) -> (Vec<Change>, Extent) {
    let atlas = Atlas::new(&[old, new], called.clone()).with_steps(steps);
    let change = |(decisions, terms, example): ((Decision, Decision), _, Map<String, Value>)| {
        let (old_decision, new_decision) = decisions;
        Change {
            kind: Kind::of(&old_decision, &new_decision),
            old: old_decision,
            new: new_decision,
            terms,
            old_place: Place::of(old, called, &example),
            new_place: Place::of(new, called, &example),
            example,
        }
    };
    let (mut changes, extent): (Vec<Change>, Extent) = match atlas.changes() {
        Ok(found) => {
            *left = left.saturating_sub(found.steps);
            let regions = found.regions.into_iter().map(|region| {
                let decisions = (region.label.old, region.label.new);
                change((decisions, Some(region.terms), region.example))
            });
            let extent = if found.is_complete {
                Extent::Exact
            } else {
                Extent::Cut
            };
            (regions.collect(), extent)
        }
        Err(TooLarge) => {
            *left = left.saturating_sub(steps);
            let (found, compared) = sample::changes(old, new, &atlas);
            let found = found
                .into_iter()
                .map(|(decisions, example)| change((decisions, None, example)));
            (found.collect(), Extent::Sampled(compared))
        }
    };
    changes.sort_by_cached_key(|change| {
        let text = Value::Object(change.example.clone()).to_string();
        (
            change.kind,
            change.example.len(),
            text.chars().count(),
            text,
        )
    });
    (changes, extent)
}
