//! Analyses of the decision (contract section 5), on the IR with a side table of places.
//!
//! [`PASSES`] names them. They report warnings and notes only: what makes a rulebook wrong is
//! found by [`crate::lowering`]. They are exact, by solving over leaves; where a bound is
//! passed, a note says what was not decided.

mod conditions;
mod fails_open;
mod guards;
mod speakers;
mod tools;
mod ways;

use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;

use crate::decision_space::{Problem, Smallest};
use crate::diagnostics::{Diagnostic, Sink, codes::analyses};
use crate::ir::{Flow, FlowKind, Rulebook, Tool};
use crate::lowering::Places;
use crate::text::Span;

use ways::Ways;

/// Most steps of solving that one question may take.
const MOST_STEPS: u64 = 1_000_000;
/// What preparing a question counts for.
const STEPS_OF_PREPARATION: u64 = 500;
/// Most steps that all questions on a rulebook may take.
const MOST_STEPS_IN_ALL: u64 = 20_000_000;

/// A named analysis.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name, as profiles show it.
    pub name: &'static str,
    run: fn(&Subject<'_>, &mut Sink),
}

/// A rulebook as the analyses look at it: what more than one of them needs, made once.
#[derive(Debug)]
struct Subject<'r> {
    rulebook: &'r Rulebook,
    places: &'r Places,
    /// By index of the flow, its ways.
    ways: Vec<Ways<'r>>,
    /// The indexes of the guards.
    guards: Vec<usize>,
    /// By id, the index of a flow that governs.
    governing: BTreeMap<&'r str, usize>,
    /// By index of the flow, which of its ways some context takes, once asked.
    met: Vec<OnceCell<Option<Vec<bool>>>>,
    /// Steps that are left to all questions.
    left: Cell<u64>,
}

impl<'r> Subject<'r> {
    fn new(rulebook: &'r Rulebook, places: &'r Places) -> Self {
        let of_kind = |kind| {
            let flows = rulebook.flows.iter().enumerate();
            flows.filter(move |(_, flow)| flow.kind == kind)
        };
        Self {
            rulebook,
            places,
            ways: rulebook.flows.iter().map(Ways::of).collect(),
            guards: of_kind(FlowKind::Guard).map(|(index, _)| index).collect(),
            governing: of_kind(FlowKind::Governing)
                .map(|(index, flow)| (flow.id.as_str(), index))
                .collect(),
            met: rulebook.flows.iter().map(|_| OnceCell::new()).collect(),
            left: Cell::new(MOST_STEPS_IN_ALL),
        }
    }

    /// The steps that the next question may take.
    fn budget(&self) -> u64 {
        self.left.get().min(MOST_STEPS)
    }

    /// Notes what a question took, its preparation included.
    fn spend(&self, steps: u64) {
        let left = self.left.get();
        self.left
            .set(left.saturating_sub(steps.saturating_add(STEPS_OF_PREPARATION)));
    }

    /// Whether no question may take any more steps.
    fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    /// By way of the flow with this index, whether some context takes it, whatever other flows
    /// say; none when that was not found out.
    fn met(&self, flow: usize) -> Option<&[bool]> {
        let (ways, met) = (self.ways.get(flow)?, self.met.get(flow)?);
        let find = || {
            let mut budget = self.budget();
            let given = budget;
            let met = ways.met(&mut budget);
            self.spend(given - budget);
            met
        };
        met.get_or_init(find).as_deref()
    }

    /// The indexes of the flows that govern a tool, in source order.
    fn governing(&self, tool: &Tool) -> impl Iterator<Item = usize> {
        let ids = tool.flows.iter();
        ids.filter_map(|id| self.governing.get(id.as_str()).copied())
    }

    /// The flows that govern a tool, in source order.
    fn flows_of(&self, tool: &Tool) -> impl Iterator<Item = &'r Flow> {
        let flows = &self.rulebook.flows;
        self.governing(tool)
            .filter_map(move |index| flows.get(index))
    }

    /// The indexes of the flows that speak on the tool with this index: the guards and those
    /// that govern it, in source order.
    fn speakers(&self, tool: usize) -> Vec<usize> {
        let tool = self.rulebook.tools.get(tool);
        let governing = tool.into_iter().flat_map(|tool| self.governing(tool));
        let mut speakers: Vec<usize> = self.guards.iter().copied().chain(governing).collect();
        speakers.sort_unstable();
        speakers
    }
}

/// The analyses, in the order they run; none needs another.
pub static PASSES: &[Pass] = &[
    Pass {
        name: "conditions",
        run: conditions::check,
    },
    Pass {
        name: "tools",
        run: tools::check,
    },
    Pass {
        name: "fails open",
        run: fails_open::check,
    },
    Pass {
        name: "guards",
        run: guards::check,
    },
];

/// Runs all analyses, unless the sink is given up.
pub fn run(rulebook: &Rulebook, places: &Places, sink: &mut Sink) {
    let subject = Subject::new(rulebook, places);
    for pass in PASSES {
        if sink.is_given_up() {
            return;
        }
        (pass.run)(&subject, sink);
    }
    if subject.is_exhausted() {
        let first = places.flows.first().map(|flow| flow.name);
        sink.push(not_decided(
            first.unwrap_or_default(),
            "all analyses of this rulebook; what they would have found behind the bound is not said",
        ));
    }
}

/// A context as an example in a message, in the contract's order of smallness.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Example {
    names: usize,
    characters: usize,
    /// The context as compact JSON.
    context: String,
}

impl Example {
    /// The smallest context in which what the problem requires holds; none when it was not found
    /// out which is the smallest.
    fn smallest(problem: &mut Problem<'_>) -> Option<Self> {
        let Smallest::Found {
            mut witness,
            exact: true,
        } = problem.smallest()
        else {
            return None;
        };
        // Names that stand for something else are no host's.
        witness.context.remove("");
        let names = witness.names_present();
        let context = serde_json::Value::Object(witness.context).to_string();
        Some(Self {
            names,
            characters: context.chars().count(),
            context,
        })
    }
}

fn not_decided(place: Span, what: &str) -> Diagnostic {
    Diagnostic::new(
        &analyses::NOT_DECIDED,
        place,
        format!("not found out within the bound: {what}"),
    )
}

/// Rulebooks for the tests of single analyses.
#[cfg(test)]
mod samples {
    use crate::diagnostics::Sink;
    use crate::ir::SourceFile;
    use crate::lowering::{Output, lower};
    use crate::syntax;
    use crate::text::Source;

    /// A source without errors, in the IR and with places.
    pub fn lowered(text: &str) -> Output {
        let (source, faults) = Source::decode("a.co", text.as_bytes());
        let mut sink = Sink::new();
        let tree = syntax::parse(&source, &faults, &mut sink).expect("a rulebook");
        let file = SourceFile {
            file: "a.co".to_owned(),
            sha256: "0".repeat(64),
        };
        lower(&tree, &source, ("stalwart.a".to_owned(), file), &mut sink).expect("no errors")
    }
}
