//! Decides a call in process, from the IR (contract section 4). The reference for all others.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ir::Rulebook;

/// The answer to a call: an object of exactly two keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// One of the four.
    pub decision: Verdict,
    /// The message, `stop`, `no_match`, or nothing.
    pub rule: String,
}

/// The four decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The call may go on.
    Allow,
    /// A person is to be asked first.
    Clarify,
    /// The call is refused.
    Refuse,
    /// The rulebook says nothing on this call.
    Silent,
}

/// Decides one call. `input` is the document that OPA would get: `tool` and `context` are read
/// from it, both may be missing or anything. Total: every input gets an answer.
pub fn decide(rulebook: &Rulebook, input: &Value) -> Decision {
    let _ = (rulebook, input);
    Decision {
        decision: Verdict::Silent,
        rule: String::new(),
    }
}
