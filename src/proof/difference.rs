//! A difference, and the smallest input that shows it.

use serde_json::Value;

use super::axes::value_of_each_kind;
use super::input::{Context, Input};
use super::interpreter::{Interpreter, decision, document};
use super::plan::Plan;
use crate::evaluator::{Call, Decision, combine, decide, words};
use crate::ir::Rulebook;

/// Evaluations that are spent on making an input smaller.
const MAX_TRIED: usize = 5_000;

/// An input on which the two differ.
#[derive(Clone, Debug)]
pub(super) struct Difference {
    pub(super) input: Input,
    /// What the rulebook decides.
    pub(super) rulebook: Decision,
    /// What the Rego gives, as JSON, or in words.
    pub(super) rego: String,
    /// Which engine evaluated it.
    pub(super) engine: &'static str,
    size: (usize, usize, String),
}

/// What the rulebook decides on an input.
pub(super) fn expected(rulebook: &Rulebook, document: Option<&Value>) -> Decision {
    match document {
        Some(document) => decide(rulebook, document),
        None => {
            let words = words(rulebook, &Call::from_input(&Value::Null));
            combine(words.iter().map(|word| word.word))
        }
    }
}

/// A decision as JSON.
pub(super) fn as_json(decision: &Decision) -> String {
    serde_json::to_string(decision).unwrap_or_default()
}

impl Difference {
    /// The difference on an input, if there is one.
    pub(super) fn on(
        input: &Input,
        rulebook: &Decision,
        rego: &Result<Decision, String>,
        engine: &'static str,
    ) -> Option<Self> {
        if rego.as_ref() == Ok(rulebook) {
            return None;
        }
        Some(Self {
            size: input.size(),
            input: input.clone(),
            rulebook: rulebook.clone(),
            rego: rego.as_ref().map_or_else(String::clone, as_json),
            engine,
        })
    }

    /// The smaller of two.
    pub(super) fn least(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) => {
                let is_first = (&one.size, one.engine) <= (&other.size, other.engine);
                Some(if is_first { one } else { other })
            }
            (one, other) => one.or(other),
        }
    }

    /// Drops and replaces names for as long as the two still differ.
    pub(super) fn shrink(self, plan: &Plan<'_>, interpreter: &mut Interpreter, path: &str) -> Self {
        let mut least = self;
        let mut tried = 0;
        let mut is_done = false;
        while !is_done {
            is_done = true;
            for candidate in simpler(plan, &least.input) {
                if tried >= MAX_TRIED || candidate.size() >= least.size {
                    continue;
                }
                tried += 1;
                let json = candidate.document();
                interpreter.set_input(document(json.as_ref()));
                let rego = decision(&interpreter.value(path));
                let rulebook = expected(plan.rulebook, json.as_ref());
                if let Some(found) = Self::on(&candidate, &rulebook, &rego, least.engine) {
                    least = found;
                    is_done = false;
                    break;
                }
            }
        }
        least
    }
}

/// Inputs that may be smaller.
fn simpler(plan: &Plan<'_>, input: &Input) -> Vec<Input> {
    let Input::Call {
        tool,
        context: Context::Names(names),
    } = input
    else {
        return Vec::new();
    };
    let with = |context| Input::Call {
        tool: tool.clone(),
        context,
    };
    let mut simpler = Vec::new();
    if names.is_empty() {
        simpler.push(with(Context::Absent));
    }
    for (place, (name, value)) in names.iter().enumerate() {
        let mut fewer = names.clone();
        fewer.remove(place);
        simpler.push(with(Context::Names(fewer)));
        let axes = plan.parts.iter().flat_map(|part| &part.axes);
        let axis = axes.into_iter().find(|axis| axis.name == *name);
        let values = axis.into_iter().flat_map(|axis| axis.told_values());
        for other in values.cloned().chain(value_of_each_kind()) {
            if other != *value {
                let mut names = names.clone();
                if let Some((_, value)) = names.get_mut(place) {
                    *value = other;
                }
                simpler.push(with(Context::Names(names)));
            }
        }
    }
    simpler
}
