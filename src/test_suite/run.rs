//! Running the cases of a suite.

use super::{Case, Suite};
use crate::evaluator::{self, Call, Decision};
use crate::gate::{Gate, Why};
use crate::ir::Rulebook;

/// What came of the cases of one suite, in their order.
#[derive(Debug)]
pub struct SuiteReport<'s, 'g> {
    /// The cases that were asked for.
    pub cases: Vec<CaseReport<'s, 'g>>,
}

/// What came of one case.
#[derive(Debug)]
pub struct CaseReport<'s, 'g> {
    /// The case.
    pub case: &'s Case,
    /// What it got; of a case that is not run too, so that reports can show it.
    pub got: Decision,
    /// What that means.
    pub outcome: Outcome<'g>,
}

/// What a decision means for its case.
#[derive(Debug)]
pub enum Outcome<'g> {
    /// It is the wanted one.
    Passed,
    /// It is another one: why.
    Failed(Box<Why<'g>>),
    /// The case is not run, for a reason that it gives.
    Skipped,
}

/// How many cases came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Cases that got what they want.
    pub passed: usize,
    /// Cases that did not.
    pub failed: usize,
    /// Cases that were not run.
    pub skipped: usize,
}

impl Totals {
    /// The sum of two.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
        }
    }

    /// Cases that were run.
    pub fn run(self) -> usize {
        self.passed + self.failed
    }
}

impl SuiteReport<'_, '_> {
    /// How many cases came to what.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for case in &self.cases {
            match case.outcome {
                Outcome::Passed => totals.passed += 1,
                Outcome::Failed(_) => totals.failed += 1,
                Outcome::Skipped => totals.skipped += 1,
            }
        }
        totals
    }
}

/// The decision of the evaluator on a case.
pub fn decide_case(rulebook: &Rulebook, case: &Case) -> Decision {
    let call = Call::of(case.tool_name(), &case.context);
    let words = evaluator::words(rulebook, &call);
    evaluator::combine(words.iter().map(|word| word.word))
}

/// Runs the cases whose title has `filter` in it, all without one.
pub fn run<'s, 'g>(suite: &'s Suite, gate: &'g Gate, filter: Option<&str>) -> SuiteReport<'s, 'g> {
    let wanted = suite
        .cases
        .iter()
        .filter(|case| filter.is_none_or(|filter| case.title().contains(filter)));
    let cases = wanted.map(|case| run_case(case, gate)).collect();
    SuiteReport { cases }
}

fn run_case<'s, 'g>(case: &'s Case, gate: &'g Gate) -> CaseReport<'s, 'g> {
    let got = decide_case(gate.rulebook(), case);
    let outcome = if case.skip.is_some() {
        Outcome::Skipped
    } else if case.want.value.is_met_by(&got) {
        Outcome::Passed
    } else {
        Outcome::Failed(Box::new(gate.why(case.tool_name(), &case.context)))
    };
    CaseReport { case, got, outcome }
}
