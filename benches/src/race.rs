//! Measures entrants beside each other: the same calls, in turns, in one run.

use std::hint::black_box;
use std::time::{Duration, Instant};

use stalwart::evaluator::Verdict;

use crate::workload::Workload;

/// A round of an entrant takes about this long, short beside the slices of time that a busy machine
/// gives to a program: most rounds then have no interruption in them.
const ROUND: Duration = Duration::from_micros(500);
/// Rounds of each entrant; slow ones have fewer, but at least [`FEWEST`].
const ROUNDS: usize = 501;
const FEWEST: usize = 11;
/// An entrant is measured for about this long at most.
const ENOUGH: Duration = Duration::from_secs(2);
/// A pass that takes longer is cut to [`FEW_CALLS`].
const LONG_PASS: Duration = Duration::from_millis(200);
const FEW_CALLS: usize = 16;

/// What an entrant answered, as far as it can tell.
#[derive(Debug, PartialEq, Eq)]
pub enum Seen {
    Decision(Verdict, String),
    /// Allow or not.
    Allowed(bool),
}

/// What is raced: named, and able to decide all calls of a workload one after the other.
pub struct Entrant<'a> {
    pub name: String,
    pub kind: Kind,
    run: Box<dyn Run + 'a>,
}

/// What an entrant's time is compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What can be reached at all.
    Floor,
    /// The same from the shelf: `serde_json` and std's hash maps.
    PlainFloor,
    /// The gate with a context in its own type, or from JSON text.
    Gate,
    /// The gate with a context of another type.
    GateOfOther,
    /// Another of this project: shown, not compared.
    Other,
    Peer,
    /// A peer with known wrong answers: shown, not compared.
    UnsoundPeer,
}

impl Kind {
    /// Whether it is the gate in one form or another.
    pub fn is_of_gate(self) -> bool {
        matches!(self, Self::Gate | Self::GateOfOther)
    }
}

trait Run {
    fn answer(&mut self, call: usize) -> Seen;
    fn pass(&mut self, calls: usize);
}

/// A closure that decides a call by its number, and another that reads its answer, which is not
/// part of the measurement.
struct Decider<D, S> {
    decide: D,
    seen: S,
}

impl<R, D: FnMut(usize) -> R, S: Fn(R) -> Seen> Run for Decider<D, S> {
    fn answer(&mut self, call: usize) -> Seen {
        (self.seen)((self.decide)(call))
    }

    fn pass(&mut self, calls: usize) {
        for call in 0..calls {
            black_box((self.decide)(black_box(call)));
        }
    }
}

impl<'a> Entrant<'a> {
    /// An entrant that decides call number `n` by `decide(n)`.
    pub fn new<R: 'a>(
        name: impl Into<String>,
        kind: Kind,
        decide: impl FnMut(usize) -> R + 'a,
        seen: impl Fn(R) -> Seen + 'a,
    ) -> Self {
        Self {
            name: name.into(),
            kind,
            run: Box::new(Decider { decide, seen }),
        }
    }

    /// Compares its answer to each call with the evaluator's.
    ///
    /// # Panics
    /// Where they differ: then there is nothing to measure.
    pub fn check(&mut self, workload: &Workload) {
        for (number, call) in workload.calls.iter().enumerate() {
            let expected = &call.decision;
            let seen = self.run.answer(number);
            let right = match &seen {
                Seen::Decision(verdict, rule) => {
                    (*verdict, rule) == (expected.decision, &expected.rule)
                }
                Seen::Allowed(allowed) => *allowed == (expected.decision == Verdict::Allow),
            };
            assert!(
                right,
                "{} answers {seen:?} to {} of {}; right is {expected:?}",
                self.name, call.json, call.tool
            );
        }
    }

    fn timed(&mut self, passes: u32, calls: usize) -> Duration {
        let start = Instant::now();
        for _ in 0..passes {
            self.run.pass(calls);
        }
        start.elapsed()
    }
}

/// An entrant's time for one decision, in nanoseconds.
pub struct Time {
    pub name: String,
    pub kind: Kind,
    pub median: f64,
    /// The middle half of the rounds lies between these.
    pub quartiles: (f64, f64),
}

/// Checks and then measures all entrants, a round of each in turn, so that what else the machine
/// does meets all of them alike.
pub fn race(workload: &Workload, entrants: Vec<Entrant<'_>>) -> Vec<Time> {
    struct Runner<'a> {
        entrant: Entrant<'a>,
        passes: u32,
        calls: usize,
        rounds: usize,
        times: Vec<f64>,
    }
    let mut runners: Vec<Runner<'_>> = entrants
        .into_iter()
        .map(|mut entrant| {
            entrant.check(workload);
            let mut calls = workload.calls.len();
            let mut once = entrant.timed(1, calls).max(Duration::from_nanos(1));
            if once > LONG_PASS {
                calls = FEW_CALLS;
                once = entrant.timed(1, calls);
            }
            let passes = (ROUND.as_nanos() / once.as_nanos()).clamp(1, 10_000) as u32;
            // Again, warm.
            let round = entrant.timed(passes, calls).max(Duration::from_nanos(1));
            let rounds = ENOUGH.as_nanos() / round.as_nanos();
            Runner {
                entrant,
                passes,
                calls,
                rounds: (rounds as usize).clamp(FEWEST, ROUNDS),
                times: Vec::new(),
            }
        })
        .collect();
    for round in 0..ROUNDS {
        for runner in &mut runners {
            // Fewer rounds are spread over all.
            if round * runner.rounds % ROUNDS < runner.rounds {
                let time = runner.entrant.timed(runner.passes, runner.calls);
                let decisions = f64::from(runner.passes) * runner.calls as f64;
                runner.times.push(time.as_nanos() as f64 / decisions);
            }
        }
    }
    runners
        .into_iter()
        .map(|mut runner| {
            runner.times.sort_by(f64::total_cmp);
            let at = |share: usize| runner.times[(runner.times.len() - 1) * share / 4];
            Time {
                name: runner.entrant.name,
                kind: runner.entrant.kind,
                median: at(2),
                quartiles: (at(1), at(3)),
            }
        })
        .collect()
}
