//! The engines that run emitted Rego: a real OPA, and `regorus`.

pub mod opa;
pub mod regorus;

use serde::Deserialize;
use stalwart::evaluator::{Decision, Verdict};

/// A compiled rulebook and the inputs to ask it, as JSON text; none for no input at all.
pub struct Batch {
    /// The package its Rego declares.
    pub package: String,
    /// Its Rego.
    pub rego: String,
    /// The inputs.
    pub inputs: Vec<Option<String>>,
}

/// Reads a decision that an engine gave; anything but an object of exactly the two keys is an
/// error.
fn read_decision(text: &str) -> Result<Decision, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Given {
        decision: Verdict,
        rule: String,
    }
    match serde_json::from_str(text) {
        Ok(Given { decision, rule }) => Ok(Decision { decision, rule }),
        Err(error) => Err(format!("no decision: {text}: {error}")),
    }
}

/// A small package by hand, to test the harnesses with.
#[cfg(test)]
mod sample {
    use super::*;

    pub const REGO: &str = r#"package suite.sample

import rego.v1

default decision := {"decision": "silent", "rule": ""}

decision := {"decision": "allow", "rule": ""} if {
	input.tool == "t"
	is_number(input.context.amount)
	input.context.amount <= 100
}

decision := {"decision": "refuse", "rule": "late\"\u202e"} if {
	input.tool == "t"
	is_number(input.context.amount)
	input.context.amount > 100
}

decision := {"decision": "clarify", "rule": "a"} if input.tool == "conflict"

decision := {"decision": "clarify", "rule": "b"} if input.tool == "conflict"
"#;

    pub fn batch(inputs: &[Option<&str>]) -> Batch {
        Batch {
            package: "suite.sample".to_owned(),
            rego: REGO.to_owned(),
            inputs: inputs
                .iter()
                .map(|input| input.map(str::to_owned))
                .collect(),
        }
    }

    pub fn decision(decision: Verdict, rule: &str) -> Decision {
        Decision {
            decision,
            rule: rule.to_owned(),
        }
    }
}
