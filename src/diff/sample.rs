//! Comparing two versions at some contexts, where their space is too large to be cut: at
//! smallest contexts for each branch and each condition, and for pairs of branches.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::decision_space::{Called, Problem, Smallest, Space, TruthSet};
use crate::evaluator::{Call, Decision, combine, words};
use crate::ir::{Branch, BranchSummary, Condition, Flow, FlowKind, Rulebook, Word};
use crate::regions::Atlas;

/// Steps of solving that all contexts together may take.
const MOST_STEPS: u64 = 2_000_000;
/// Steps that one context may take.
const STEPS_OF_ONE: u64 = 20_000;
/// Most changes that are told.
const MOST_CHANGES: usize = 100;

/// Decisions of the old and the new version that differ.
type Decisions = (Decision, Decision);
/// What is decided differently in a context.
type Found = (Decisions, Map<String, Value>);
/// Conditions with the truths they must have.
type Requirements<'r> = Vec<(&'r Condition, TruthSet)>;

/// For each pair of different decisions that was found, the smallest context found; and how
/// many contexts were compared.
pub(super) fn changes(old: &Rulebook, new: &Rulebook, atlas: &Atlas<'_>) -> (Vec<Found>, usize) {
    let called = atlas.called();
    let mut contexts = Contexts {
        space: atlas.space(),
        quiet: Vec::new(),
        found: BTreeMap::new(),
        left: MOST_STEPS,
    };
    contexts.add(&[]);
    let flows = |rulebook| -> Vec<Vec<Way<'_>>> {
        let speakers = called.speakers(rulebook).into_iter();
        speakers.map(|flow| ways(flow, called)).collect()
    };
    let (olds, news) = (flows(old), flows(new));
    contexts.quiet = olds.iter().chain(&news).map(|ways| quiet(ways)).collect();
    let (olds, news): (Vec<_>, Vec<_>) = (
        olds.iter().flatten().collect(),
        news.iter().flatten().collect(),
    );
    for way in olds.iter().chain(&news) {
        contexts.add(&way.required);
    }
    for one in &olds {
        for other in &news {
            if contexts.left == 0 {
                break;
            }
            let both: Requirements<'_> = one
                .required
                .iter()
                .chain(&other.required)
                .copied()
                .collect();
            contexts.add(&both);
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

/// A way through a flow.
struct Way<'r> {
    required: Requirements<'r>,
    /// Whether it leaves the call to other flows.
    is_quiet: bool,
}

/// What each branch of a flow requires, and each condition on its way that lacks a value.
fn ways<'r>(flow: &'r Flow, called: &Called) -> Vec<Way<'r>> {
    let mut ways = BTreeMap::new();
    for branch in &flow.branches {
        let all = requirements(flow, branch);
        for (at, (condition, _)) in all.iter().enumerate() {
            if condition.can_be_undecided() {
                let mut lacking: Requirements<'_> = all.iter().take(at).copied().collect();
                lacking.push((condition, TruthSet::UNKNOWN));
                ways.insert(lacking, false);
            }
        }
        let summary = BranchSummary::of(branch);
        let is_quiet = match (flow.kind, called.name()) {
            (FlowKind::Governing, Some(tool)) => {
                matches!(summary.word(tool), Word::Allow | Word::NoMatch)
            }
            _ => summary.guard_word().is_none(),
        };
        ways.insert(all, is_quiet);
    }
    let all = ways.into_iter();
    all.map(|(required, is_quiet)| Way { required, is_quiet })
        .collect()
}

/// What the quiet ways of a flow require.
fn quiet<'r>(ways: &[Way<'r>]) -> Vec<Requirements<'r>> {
    let quiet = ways.iter().filter(|way| way.is_quiet);
    quiet.map(|way| way.required.clone()).collect()
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
struct Contexts<'s, 'r> {
    space: &'s Space,
    /// By flow, what its quiet ways require.
    quiet: Vec<Vec<Requirements<'r>>>,
    found: BTreeMap<(usize, usize, String), Map<String, Value>>,
    left: u64,
}

impl Contexts<'_, '_> {
    /// Adds the smallest context in which all that is required holds, if there is one, and the
    /// smallest in which other flows leave the call alone besides, as far as they do: what a
    /// guard refuses tells nothing of the flows behind it.
    fn add(&mut self, required: &[(&Condition, TruthSet)]) {
        if self.left == 0 {
            return;
        }
        let mut problem = Problem::new(self.space).with_budget(STEPS_OF_ONE.min(self.left));
        let mut pushed = required.len();
        if push_all(&mut problem, required) {
            self.keep(problem.smallest());
            for ways in &self.quiet {
                for way in ways {
                    pushed += way.len();
                    let depth = problem.depth();
                    if push_all(&mut problem, way) && problem.is_satisfiable() == Some(true) {
                        break;
                    }
                    while problem.depth() > depth {
                        problem.pop();
                    }
                }
            }
            self.keep(problem.smallest());
        }
        // What preparing it takes counts too.
        let prepared = self.space.names().len() + 50 * pushed + 200;
        let prepared = u64::try_from(prepared).unwrap_or(u64::MAX);
        let spent = problem.take_spent().saturating_add(prepared);
        self.left = self.left.saturating_sub(spent);
    }

    fn keep(&mut self, smallest: Smallest) {
        if let Smallest::Found { witness, .. } = smallest {
            let names = witness.names_present();
            let text = Value::Object(witness.context.clone()).to_string();
            let size = (names, text.chars().count(), text);
            self.found.insert(size, witness.context);
        }
    }
}

/// Requires all; false when that is known at once to be impossible.
fn push_all(problem: &mut Problem<'_>, required: &[(&Condition, TruthSet)]) -> bool {
    let mut all = required.iter();
    all.all(|(condition, truths)| problem.push(condition, *truths))
}
