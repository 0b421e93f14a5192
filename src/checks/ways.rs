//! The ways through a flow as requirements on its conditions, and a walk over those that some
//! context takes.

use std::ops::ControlFlow;

use crate::decision_space::{Answer, Problem, TruthSet};
use crate::ir::{Branch, BranchSummary, Choice, Condition, Flow, FlowKind, UNDECIDED, Word};

/// By `if` of a flow, the conditions of its arms.
pub type Conditions = Vec<Vec<Condition>>;

/// The conditions of a flow as they stand.
pub fn conditions_of(flow: &Flow) -> Conditions {
    flow.ifs
        .iter()
        .map(|decision| {
            let arms = decision.arms.iter();
            arms.map(|arm| arm.condition.clone()).collect()
        })
        .collect()
}

/// What a condition must be on a way.
pub type Requirement<'c> = (&'c Condition, TruthSet);

/// One way through a flow. Ways stand depth-first, so that neighbours share requirements.
#[derive(Debug)]
pub struct Way<'f, 'c> {
    /// How many choices it shares with the way before.
    shared: usize,
    /// The further choices: what each requires.
    choices: Vec<Vec<Requirement<'c>>>,
    /// The choices up to its end, or up to the `if` at which it is undecided.
    pub path: &'f [Choice],
    /// Where it leads.
    pub outcome: Outcome<'f>,
}

/// Where a way leads.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<'f> {
    /// To the end of a branch.
    Branch(&'f Branch),
    /// To the condition of this arm (index of the `if`, index of the arm), which is neither
    /// true nor false.
    Undecided(usize, usize),
}

impl Outcome<'_> {
    /// The word on a tool, `NoMatch` standing for a guard's silence too.
    pub fn word(&self, kind: FlowKind, tool: &str) -> Word<'_> {
        match (self, kind) {
            (Self::Undecided(..), _) => UNDECIDED,
            (Self::Branch(branch), FlowKind::Guard) => BranchSummary::of(branch)
                .guard_word()
                .unwrap_or(Word::NoMatch),
            (Self::Branch(branch), _) => BranchSummary::of(branch).word(tool),
        }
    }
}

/// Lists the ways through a flow whose `if`s have these conditions.
pub fn ways<'f, 'c>(flow: &'f Flow, conditions: &'c Conditions) -> Vec<Way<'f, 'c>> {
    let mut ways = Vec::new();
    let mut before: &[Choice] = &[];
    // How many choices of the way before the next one keeps.
    let mut kept = 0;
    for branch in &flow.branches {
        let shared = before
            .iter()
            .zip(&branch.path)
            .take_while(|(a, b)| a == b)
            .count();
        kept = shared.min(kept);
        let mut choices = Vec::new();
        for (depth, choice) in branch.path.iter().enumerate().skip(shared) {
            let Some(index) = flow.if_index(&choice.if_id) else {
                continue;
            };
            let arms = conditions.get(index).map_or(&[][..], Vec::as_slice);
            let is_new =
                depth > shared || before.get(depth).is_none_or(|b| b.if_id != choice.if_id);
            if is_new {
                for arm in 0..arms.len() {
                    let undecided = requirements(arms, arm, TruthSet::UNKNOWN);
                    let mut choices = std::mem::take(&mut choices);
                    let new = choices.len();
                    choices.push(undecided);
                    ways.push(Way {
                        shared: kept,
                        choices,
                        path: branch.path.get(..depth).unwrap_or_default(),
                        outcome: Outcome::Undecided(index, arm),
                    });
                    kept += new;
                }
            }
            choices.push(match choice.arm {
                Some(number) => requirements(arms, number - 1, TruthSet::TRUE),
                None => requirements(arms, arms.len(), TruthSet::TRUE),
            });
        }
        let new = choices.len();
        ways.push(Way {
            shared: kept,
            choices,
            path: &branch.path,
            outcome: Outcome::Branch(branch),
        });
        kept += new;
        before = &branch.path;
    }
    ways
}

/// All conditions before the arm false, and the arm's own as wanted.
fn requirements(arms: &[Condition], arm: usize, wanted: TruthSet) -> Vec<Requirement<'_>> {
    arms.iter()
        .take(arm + 1)
        .enumerate()
        .map(|(at, condition)| (condition, if at == arm { wanted } else { TruthSet::FALSE }))
        .collect()
}

/// Calls `visit` for each way that some context takes, under what the problem requires
/// already; `visit` finds the way's requirements pushed. Every push costs one of `budget`.
///
/// # Errors
/// What `visit` breaks with; and `None` when the budget is spent.
pub fn walk<'f, 'c, B>(
    ways: &[Way<'f, 'c>],
    problem: &mut Problem<'_>,
    budget: &mut usize,
    visit: &mut dyn FnMut(&mut Problem<'_>, &Way<'f, 'c>, &mut usize) -> ControlFlow<B>,
) -> ControlFlow<Option<B>> {
    // By choice: how many requirements were pushed, and whether they can hold.
    let mut levels: Vec<(usize, bool)> = Vec::new();
    let mut result = ControlFlow::Continue(());
    for way in ways {
        while levels.len() > way.shared {
            if let Some((pushed, _)) = levels.pop() {
                (0..pushed).for_each(|_| problem.pop());
            }
        }
        for choice in &way.choices {
            let mut possible = levels.last().is_none_or(|(_, possible)| *possible);
            let mut pushed = 0;
            for (condition, truth) in choice {
                if !possible {
                    break;
                }
                *budget = budget.saturating_sub(1);
                pushed += 1;
                possible = problem.push(condition, *truth);
            }
            levels.push((pushed, possible));
        }
        if *budget == 0 {
            result = ControlFlow::Break(None);
            break;
        }
        if levels.last().is_some_and(|(_, possible)| !*possible) {
            continue;
        }
        match problem.solve() {
            Answer::Unsatisfiable => {}
            Answer::GaveUp => {
                result = ControlFlow::Break(None);
                break;
            }
            Answer::Satisfiable(_) => {
                if let ControlFlow::Break(found) = visit(problem, way, budget) {
                    result = ControlFlow::Break(Some(found));
                    break;
                }
            }
        }
    }
    for (pushed, _) in levels {
        (0..pushed).for_each(|_| problem.pop());
    }
    result
}
