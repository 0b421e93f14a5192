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

use crate::decision_space::{Problem, Smallest};
use crate::diagnostics::{Diagnostic, Sink, codes::analyses};
use crate::ir::Rulebook;
use crate::lowering::Places;
use crate::text::Span;

/// Most requirements that one question may push.
const BUDGET: usize = 100_000;

/// A named analysis.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name, as profiles show it.
    pub name: &'static str,
    run: fn(&Rulebook, &Places, &mut Sink),
}

impl Pass {
    /// Runs this analysis alone.
    pub fn apply(&self, rulebook: &Rulebook, places: &Places, sink: &mut Sink) {
        (self.run)(rulebook, places, sink);
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

/// Runs all analyses.
pub fn run(rulebook: &Rulebook, places: &Places, sink: &mut Sink) {
    for pass in PASSES {
        pass.apply(rulebook, places, sink);
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
