//! The ways through a flow as requirements on its conditions, and a walk over those that some
//! context takes.

use std::ops::ControlFlow;

use crate::decision_space::{ConditionId, Problem, Space, TruthSet};
use crate::ir::{BranchSummary, Choice, Condition, Flow, FlowKind, UNDECIDED, Word};

/// What a condition must be on a way: its index in [`Ways::conditions`], and its truths.
pub type Requirement = (usize, TruthSet);

/// All ways through a flow. They stand depth-first, so that neighbours share requirements.
#[derive(Debug)]
pub struct Ways<'r> {
    /// Whether the flow speaks, and how.
    pub kind: FlowKind,
    /// The conditions of all arms of all `if`s, in order.
    pub conditions: Vec<&'r Condition>,
    ways: Vec<Way<'r>>,
}

/// One way through a flow.
#[derive(Debug)]
struct Way<'r> {
    /// How many requirements it shares with the way before.
    shared: usize,
    /// The further ones.
    further: Vec<Requirement>,
    outcome: Outcome<'r>,
}

/// Where a way leads.
#[derive(Debug)]
pub enum Outcome<'r> {
    /// To the end of a branch.
    Branch(BranchSummary<'r>),
    /// To a condition that is neither true nor false.
    Undecided,
}

impl<'r> Outcome<'r> {
    /// The word on a tool, `NoMatch` standing for a guard's silence too.
    pub fn word(&self, kind: FlowKind, tool: &str) -> Word<'r> {
        match (self, kind) {
            (Self::Undecided, _) => UNDECIDED,
            (Self::Branch(branch), FlowKind::Guard) => branch.guard_word().unwrap_or(Word::NoMatch),
            (Self::Branch(branch), _) => branch.word(tool),
        }
    }
}

impl<'r> Ways<'r> {
    /// Lists the ways through a flow.
    pub fn of(flow: &'r Flow) -> Self {
        let mut conditions = Vec::new();
        // By `if`, the index of its first condition.
        let mut firsts = Vec::with_capacity(flow.ifs.len());
        for decision in &flow.ifs {
            firsts.push(conditions.len());
            conditions.extend(decision.arms.iter().map(|arm| &arm.condition));
        }
        let mut listing = Listing {
            conditions: &conditions,
            ways: Vec::with_capacity(flow.branches.len()),
            taken: Vec::new(),
            kept: 0,
        };
        let mut before: &[Choice] = &[];
        // By choice of the branch before: how many requirements stand before it.
        let mut starts: Vec<usize> = Vec::new();
        for branch in &flow.branches {
            let both = before.iter().zip(&branch.path);
            let shared = both.take_while(|(a, b)| a == b).count();
            for (depth, choice) in branch.path.iter().enumerate().skip(shared) {
                let Some((first, decision)) = flow
                    .if_index(&choice.if_id)
                    .and_then(|at| Some((*firsts.get(at)?, flow.ifs.get(at)?)))
                else {
                    continue;
                };
                let sibling = before
                    .get(depth)
                    .filter(|before| depth == shared && before.if_id == choice.if_id);
                if sibling.is_none() {
                    starts.truncate(depth);
                    starts.push(listing.taken.len());
                }
                // A later arm of the same `if` shares the arms above the one before.
                let start = starts.get(depth).copied().unwrap_or_default();
                let arms_above = sibling
                    .and_then(|before| before.arm)
                    .map_or(0, |arm| arm - 1);
                listing.keep(start + arms_above);
                let last = choice.arm.unwrap_or(decision.arms.len() + 1);
                for arm in arms_above..last.min(decision.arms.len()) {
                    let is_new = sibling.is_none() || arm > arms_above;
                    listing.arm(first + arm, is_new, arm + 1 == last);
                }
            }
            listing.push(Outcome::Branch(BranchSummary::of(branch)), &[]);
            before = &branch.path;
        }
        let ways = listing.ways;
        Self {
            kind: flow.kind,
            conditions,
            ways,
        }
    }
}

impl Ways<'_> {
    /// Where each way leads.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome<'_>> {
        self.ways.iter().map(|way| &way.outcome)
    }

    /// Calls `visit` for each way with its index and all its requirements.
    pub fn each(&self, mut visit: impl FnMut(usize, &[Requirement])) {
        let mut requirements: Vec<Requirement> = Vec::new();
        for (at, way) in self.ways.iter().enumerate() {
            requirements.truncate(way.shared);
            requirements.extend(&way.further);
            visit(at, &requirements);
        }
    }

    /// By condition, whether all ways through its arm lead where `leads` wants.
    pub fn arms_that(&self, leads: impl Fn(&Outcome<'_>) -> bool) -> Vec<bool> {
        let leads: Vec<bool> = self.outcomes().map(leads).collect();
        let mut arms = vec![true; self.conditions.len()];
        self.each(|at, requirements| {
            if leads.get(at) == Some(&true) {
                return;
            }
            for (condition, truth) in requirements {
                if *truth == TruthSet::TRUE
                    && let Some(arm) = arms.get_mut(*condition)
                {
                    *arm = false;
                }
            }
        });
        arms
    }

    /// Which ways some context takes, whatever other flows say; none when the budget is spent.
    pub fn met(&self, budget: &mut u64) -> Option<Vec<bool>> {
        let space = Space::of(self.conditions.iter().copied());
        let mut problem = Problem::new(&space);
        let ids = problem.add_all(&self.conditions);
        let mut met = vec![false; self.ways.len()];
        let walked = walk::<()>(self, &ids, &mut problem, budget, &mut |_, at, _, _| {
            if let Some(way) = met.get_mut(at) {
                *way = true;
            }
            ControlFlow::Continue(())
        });
        walked.is_continue().then_some(met)
    }
}

/// Ways as they are listed.
struct Listing<'l, 'r> {
    conditions: &'l [&'r Condition],
    ways: Vec<Way<'r>>,
    /// The requirements of the way under way.
    taken: Vec<Requirement>,
    /// How many of them the last listed way has too.
    kept: usize,
}

impl<'r> Listing<'_, 'r> {
    /// Goes back to the first requirements.
    fn keep(&mut self, count: usize) {
        self.taken.truncate(count);
        self.kept = self.kept.min(count);
    }

    /// Goes by an arm or into it; where that is new and its condition can be neither true nor
    /// false, a way ends there.
    fn arm(&mut self, condition: usize, is_new: bool, is_taken: bool) {
        let can_lack = self
            .conditions
            .get(condition)
            .is_some_and(|condition| condition.can_be_undecided());
        if is_new && can_lack {
            self.push(Outcome::Undecided, &[(condition, TruthSet::UNKNOWN)]);
        }
        let truth = if is_taken {
            TruthSet::TRUE
        } else {
            TruthSet::FALSE
        };
        self.taken.push((condition, truth));
    }

    fn push(&mut self, outcome: Outcome<'r>, last: &[Requirement]) {
        let (_, further) = self.taken.split_at_checked(self.kept).unwrap_or_default();
        self.ways.push(Way {
            shared: self.kept,
            further: further.iter().chain(last).copied().collect(),
            outcome,
        });
        self.kept = self.taken.len();
    }
}

/// What is called at each way that some context takes: with the problem as it stands there, the
/// way's index and outcome, and what is left of the budget.
pub type Visit<'v, 'r, B> =
    dyn FnMut(&mut Problem<'_>, usize, &Outcome<'r>, &mut u64) -> ControlFlow<B> + 'v;

/// Calls `visit` for each way that some context takes, under what the problem requires
/// already; `visit` finds the way's requirements pushed. `ids` has the ways' conditions in the
/// problem. Every step that the problem takes costs one of `budget`.
///
/// # Errors
/// What `visit` breaks with; and `None` when the budget is spent.
pub fn walk<'r, B>(
    ways: &Ways<'r>,
    ids: &[ConditionId],
    problem: &mut Problem<'_>,
    budget: &mut u64,
    visit: &mut Visit<'_, 'r, B>,
) -> ControlFlow<Option<B>> {
    let depth = problem.depth();
    // How many requirements of the way can hold together, when not all.
    let mut possible: Option<usize> = None;
    let mut result = ControlFlow::Continue(());
    for (at, way) in ways.ways.iter().enumerate() {
        while problem.depth() > depth + way.shared {
            problem.pop();
        }
        possible = possible.filter(|possible| *possible < way.shared);
        for (number, &(condition, truth)) in (way.shared..).zip(&way.further) {
            if possible.is_none()
                && let Some(id) = ids.get(condition)
                && !problem.require(*id, truth)
            {
                possible = Some(number);
            }
        }
        *budget = budget.saturating_sub(problem.take_spent());
        if *budget == 0 {
            result = ControlFlow::Break(None);
            break;
        }
        if possible.is_some() {
            continue;
        }
        match problem.is_satisfiable() {
            Some(false) => {}
            None => {
                result = ControlFlow::Break(None);
                break;
            }
            Some(true) => {
                if let ControlFlow::Break(found) = visit(problem, at, &way.outcome, budget) {
                    result = ControlFlow::Break(Some(found));
                    break;
                }
            }
        }
    }
    *budget = budget.saturating_sub(problem.take_spent());
    while problem.depth() > depth {
        problem.pop();
    }
    result
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::super::samples::lowered;
    use super::*;
    use crate::decision_space::Space;
    use crate::ir::Rulebook;

    fn compiled(text: &str) -> Rulebook {
        lowered(text).rulebook
    }

    /// The numbers of requirements of the ways that some context takes.
    fn taken(ways: &Ways<'_>) -> Vec<usize> {
        let space = Space::of(ways.conditions.iter().copied());
        let mut problem = Problem::new(&space);
        let ids = problem.add_all(&ways.conditions);
        let (mut counts, mut lengths) = (Vec::new(), Vec::new());
        ways.each(|_, requirements| counts.push(requirements.len()));
        let mut budget = 10_000;
        let result = walk::<()>(
            ways,
            &ids,
            &mut problem,
            &mut budget,
            &mut |problem, at, _, _| {
                lengths.push(problem.depth());
                assert_eq!(counts.get(at), lengths.last());
                ControlFlow::Continue(())
            },
        );
        assert_eq!(result, ControlFlow::Continue(()));
        assert_eq!(problem.depth(), 0);
        lengths
    }

    #[test]
    fn a_long_chain_of_arms_takes_linear_time() {
        let mut text = String::from("define flow f\n");
        for arm in 0..500 {
            let word = if arm == 0 { "if" } else { "else if" };
            let _ = write!(text, "  {word} $a == {arm}\n    execute t\n");
        }
        let rulebook = compiled(&text);
        let ways = Ways::of(&rulebook.flows[0]);
        let pushed: usize = ways.ways.iter().map(|way| way.further.len()).sum();
        // An arm is passed, taken and undecided once each.
        assert!(pushed <= 3 * 500, "{pushed} requirements");
        // Only the first arm can be undecided: behind it `$a` is a number.
        let lengths = taken(&ways);
        let arms = (1..=500).chain([500]);
        assert_eq!(lengths, [1].into_iter().chain(arms).collect::<Vec<_>>());
    }

    #[test]
    fn nested_and_joined_ifs_are_walked_once_each() {
        let text = "define flow f\n  if $a\n    if $b == 1\n      execute t\n  else if $c\n    execute u\n  if $d\n    execute v\n";
        let rulebook = compiled(text);
        let ways = Ways::of(&rulebook.flows[0]);
        // a: b undecided, (b, not b) x (d, not d); not a, c: d, not d; neither: d, not d.
        assert_eq!(taken(&ways), [2, 3, 3, 3, 3, 3, 3, 3, 3]);
    }

    #[test]
    fn arms_are_judged_by_all_ways_through_them() {
        let text = "define flow f\n  if $a\n    if $b\n      execute t\n    else\n      bot refuse\n  else if $c\n    execute t\n";
        let rulebook = compiled(text);
        let ways = Ways::of(&rulebook.flows[0]);
        let allows = ways.arms_that(|outcome| outcome.word(ways.kind, "t") == Word::Allow);
        let names: Vec<_> = ways.conditions.iter().map(|one| one.name()).collect();
        let shown: Vec<_> = names
            .iter()
            .map(|name| name.map(|name| name.join(".")))
            .collect();
        let shown: Vec<_> = shown.iter().map(Option::as_deref).zip(allows).collect();
        assert_eq!(
            shown,
            [
                (Some("a"), false),
                (Some("c"), true),
                (Some("b"), true),
                (None, false)
            ]
        );
    }
}
