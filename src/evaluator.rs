//! Decides a call in process, from the IR (contract section 4). The reference for all others:
//! plain rather than fast, and total.

mod call;
mod follow;
mod truth;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ir::{Branch, BranchSummary, Flow, FlowKind, RULE_NO_MATCH, Rulebook, UNDECIDED, Word};

pub use call::{Call, HostValue};
pub use follow::{Fork, Way, follow};
pub use truth::{Truth, truth};

/// The answer to a call: an object of exactly two keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// One of the four.
    pub decision: Verdict,
    /// The message, `stop`, `no_match`, or nothing.
    pub rule: String,
}

/// The four decisions.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
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

impl Verdict {
    /// The decision of this word.
    pub fn named(word: &str) -> Option<Self> {
        let all = [Self::Allow, Self::Clarify, Self::Refuse, Self::Silent];
        all.into_iter().find(|verdict| verdict.as_str() == word)
    }

    /// The word in artifacts and answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Clarify => "clarify",
            Self::Refuse => "refuse",
            Self::Silent => "silent",
        }
    }
}

impl Decision {
    fn new(decision: Verdict, rule: &str) -> Self {
        Self {
            decision,
            rule: rule.to_owned(),
        }
    }
}

/// Decides one call. `input` is the document that OPA would get: `tool` and `context` are read
/// from it, both may be missing or anything. Total: every input gets an answer.
pub fn decide(rulebook: &Rulebook, input: &Value) -> Decision {
    let words = words(rulebook, &Call::from_input(input));
    combine(words.iter().map(|flow_word| flow_word.word))
}

/// What one flow says on a call, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowWord<'a> {
    /// The flow: a guard that speaks, or a flow that governs the tool.
    pub flow: &'a Flow,
    /// The branch that holds; none when the flow is undecided.
    pub branch: Option<&'a Branch>,
    /// Its word.
    pub word: Word<'a>,
}

/// The words of all guard flows and of the tool's governing flows, in source order. Guards that
/// are silent are left out.
pub fn words<'a>(rulebook: &'a Rulebook, call: &Call<'_>) -> Vec<FlowWord<'a>> {
    let tool = call.tool().and_then(|name| rulebook.tool(name));
    rulebook
        .flows
        .iter()
        .filter_map(|flow| {
            let governed = tool.filter(|tool| tool.is_governed_by(flow));
            if flow.kind != FlowKind::Guard && governed.is_none() {
                return None;
            }
            let branch = branch_taken(flow, call);
            let word = match (branch.map(BranchSummary::of), governed) {
                (None, _) => UNDECIDED,
                (Some(summary), Some(tool)) => summary.word(&tool.name),
                (Some(summary), None) => summary.guard_word()?,
            };
            Some(FlowWord { flow, branch, word })
        })
        .collect()
}

/// One decision from the words of flows in source order: the first refuse, else the first
/// clarify, else the first allow, else `no_match` when a flow governs the tool, else silence.
pub fn combine<'a>(words: impl IntoIterator<Item = Word<'a>>) -> Decision {
    match decisive(words).map(|(_, word)| word) {
        // A silent guard has no word, so without any no flow governs the tool.
        None => Decision::new(Verdict::Silent, ""),
        Some(Word::Allow) => Decision::new(Verdict::Allow, ""),
        Some(Word::Clarify(rule)) => Decision::new(Verdict::Clarify, rule),
        Some(Word::Refuse(rule)) => Decision::new(Verdict::Refuse, rule),
        Some(Word::NoMatch) => Decision::new(Verdict::Refuse, RULE_NO_MATCH),
    }
}

/// The word that decides among words in source order, and its place; none where there is none.
pub fn decisive<'a>(words: impl IntoIterator<Item = Word<'a>>) -> Option<(usize, Word<'a>)> {
    let mut best: Option<(usize, Word<'a>)> = None;
    for (at, word) in words.into_iter().enumerate() {
        if best.is_none_or(|(_, best)| weight(word) > weight(best)) {
            best = Some((at, word));
        }
    }
    best
}

/// Which word goes before which, whatever their order in the source.
fn weight(word: Word<'_>) -> u8 {
    match word {
        Word::Refuse(_) => 3,
        Word::Clarify(_) => 2,
        Word::Allow => 1,
        Word::NoMatch => 0,
    }
}

/// The branch of a flow that holds for a call; none when the flow is undecided.
pub fn branch_taken<'a>(flow: &'a Flow, call: &Call<'_>) -> Option<&'a Branch> {
    let taken = follow(flow, |fork| fork.way(|arm| truth(&arm.condition, call)))?;
    flow.branches.get(taken)
}

#[cfg(test)]
mod tests;
