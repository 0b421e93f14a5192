//! What engines are asked, and how their answers are read.

use serde::Deserialize;
use stalwart::evaluator::{Decision, Verdict};

/// A compiled rulebook and the inputs to ask it, as JSON text; none for no input at all.
#[derive(Clone)]
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
pub fn read_decision(text: &str) -> Result<Decision, String> {
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
