//! Comparing two versions at some contexts, where their space is too large to be cut: at
//! smallest contexts for each branch and each condition, and for pairs of branches.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::decision_space::{Problem, Smallest, Space, TruthSet};
use crate::evaluator::{Call, Decision, combine, words};
use crate::ir::{Branch, Condition, Flow, Rulebook};
use crate::regions::Atlas;

/// Steps of solving that all contexts together may take.
const MOST_STEPS: u64 = 2_000_000;
/// Steps that one context may take.
const STEPS_OF_ONE: u64 = 20_000;
/// Most changes that are told.
const MOST_CHANGES: usize = 100;

/// Decisions of the old and the new version that differ.
type Decisions = (Decision, Decision);
/// A context for each pair of decisions.
type Found = Vec<(Decisions, Map<String, Value>)>;
/// Conditions with the truths they must have.
type Requirements<'r> = Vec<(&'r Condition, TruthSet)>;

/// For each pair of different decisions that was found, the smallest context found; and how
/// many contexts were compared.
pub(super) fn changes(old: &Rulebook, new: &Rulebook, atlas: &Atlas<'_>) -> (Found, usize) {
    let called = atlas.called();
    let mut contexts = Contexts {
        space: atlas.space(),
        found: BTreeMap::new(),
        left: MOST_STEPS,
    };
    contexts.add(&Vec::new());
    let branches = |rulebook| -> Vec<Requirements<'_>> {
        let flows = called.speakers(rulebook).into_iter();
        flows.flat_map(ways).collect()
    };
    let (olds, news) = (branches(old), branches(new));
    for way in olds.iter().chain(&news) {
        contexts.add(way);
    }
    for one in &olds {
        for other in &news {
            if contexts.left == 0 {
                break;
            }
            contexts.add(&one.iter().chain(other).copied().collect());
        }
    }
    let compared = contexts.found.len();
    let mut changes: BTreeMap<Decisions, Map<String, Value>> = BTreeMap::new();
    for context in contexts.found.into_values() {
        let call = Call::new(called.name(), &context);
        let decide = |rulebook| combine(words(rulebook, &call).iter().map(|said| said.word));
        let decisions = (decide(old), decide(new));
        if decisions.0 != decisions.1 && changes.len() < MOST_CHANGES {
            changes.entry(decisions).or_insert(context);
        }
    }
    (changes.into_iter().collect(), compared)
}

/// What each branch of a flow requires, and each condition on its way that lacks a value.
fn ways(flow: &Flow) -> Vec<Requirements<'_>> {
    let mut ways = BTreeSet::new();
    for branch in &flow.branches {
        let all = requirements(flow, branch);
        for (at, (condition, _)) in all.iter().enumerate() {
            if condition.can_be_undecided() {
                let mut lacking: Requirements<'_> = all.iter().take(at).copied().collect();
                lacking.push((condition, TruthSet::UNKNOWN));
                ways.insert(lacking);
            }
        }
        ways.insert(all);
    }
    ways.into_iter().collect()
}

fn requirements<'r>(flow: &'r Flow, branch: &Branch) -> Requirements<'r> {
    let mut all = Vec::new();
    for choice in &branch.path {
        let Some(decision) = flow.find_if(&choice.if_id) else {
            continue;
        };
        let taken = choice.arm.unwrap_or(usize::MAX);
        for (arm, number) in decision.arms.iter().zip(1..=taken) {
            let truths = if number == taken {
                TruthSet::TRUE
            } else {
                TruthSet::FALSE
            };
            all.push((&arm.condition, truths));
        }
    }
    all
}

/// The contexts that were found, smallest first.
struct Contexts<'s> {
    space: &'s Space,
    found: BTreeMap<(usize, usize, String), Map<String, Value>>,
    left: u64,
}

impl Contexts<'_> {
    /// Adds the smallest context in which all that is required holds, if there is one.
    fn add(&mut self, required: &Requirements<'_>) {
        if self.left == 0 {
            return;
        }
        let mut problem = Problem::new(self.space).with_budget(STEPS_OF_ONE.min(self.left));
        let mut is_possible = true;
        for (condition, truths) in required {
            is_possible = is_possible && problem.push(condition, *truths);
        }
        if is_possible && let Smallest::Found { witness, .. } = problem.smallest() {
            let names = witness.names_present();
            let text = Value::Object(witness.context.clone()).to_string();
            let size = (names, text.chars().count(), text);
            self.found.insert(size, witness.context);
        }
        // What preparing it takes counts too.
        let prepared = self.space.names().len() + 50 * required.len() + 200;
        let prepared = u64::try_from(prepared).unwrap_or(u64::MAX);
        let spent = problem.take_spent().saturating_add(prepared);
        self.left = self.left.saturating_sub(spent);
    }
}
