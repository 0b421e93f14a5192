//! Why a call is decided as it is, and the smallest change of its context that would allow it
//! (contract section 4). A second function beside deciding: it looks at everything anew and
//! searches, and is never on the way of a call.

mod change;
mod shown;
mod trace;

use serde::Serialize;
use serde_json::Value;

use crate::evaluator::{self, Call, Decision, Verdict, decisive};

use super::Gate;
use super::words::{BranchPlace, FlowPlace, FlowWord, Words};

pub use change::{Change, Edit, NoChange};
pub use trace::{Kind, LeafTrace, MetArm, Outcome, Seen};

/// The value of [`Why::format`].
const FORMAT: &str = "rulebook-why/1";

/// Why a call is decided as it is. `Display` writes it as lines of text; serialised, it has no
/// value of the context, only its kind, beside the new values of the change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Why<'g> {
    /// `rulebook-why/1`.
    pub format: &'static str,
    /// The tool called; none where it is no string.
    pub tool: Option<String>,
    /// The decision.
    #[serde(flatten)]
    pub decision: Decision,
    /// The flow whose word it is; none where no flow speaks.
    pub decided_by: Option<DecidedBy<'g>>,
    /// The guards that speak and the flows that govern the tool, in source order.
    pub flows: Vec<FlowTrace<'g>>,
    /// The smallest change of the context that would allow the call.
    pub change: Change,
}

/// The place that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DecidedBy<'g> {
    /// The flow.
    pub flow: FlowPlace<'g>,
    /// Its branch; none when the flow is undecided.
    pub branch: Option<BranchPlace<'g>>,
    /// The branch's line; of an undecided flow, that of the arm that lacks a value.
    pub line: usize,
}

/// What one flow says, and how it came to that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FlowTrace<'g> {
    /// Its word.
    #[serde(flatten)]
    pub said: FlowWord<'g>,
    /// The arms whose conditions were asked, in the order they were met.
    pub met: Vec<MetArm>,
    /// The line of the arm whose condition is neither true nor false, when the flow is
    /// undecided.
    pub undecided_at: Option<usize>,
}

impl Gate {
    /// Why a call is decided as it is, and the smallest change of its context that would allow
    /// it. A tool that is no string is none; a context that is no object has no names.
    pub fn why<'t>(&self, tool: impl Into<Option<&'t str>>, context: &Value) -> Why<'_> {
        let tool = tool.into();
        let rulebook = self.rulebook();
        let call = Call::of(tool, context);
        let said = evaluator::words(rulebook, &call);
        let words = Words::of(rulebook, &said, tool);
        let decisive = decisive(said.iter().map(|word| word.word));
        let flows: Vec<FlowTrace<'_>> = said
            .iter()
            .zip(words.words)
            .map(|(word, said)| {
                let met = trace::met(word.flow, &call);
                let undecided_at = met
                    .last()
                    .filter(|arm| arm.outcome == Outcome::Lacked)
                    .map(|arm| arm.line);
                FlowTrace {
                    said,
                    met,
                    undecided_at,
                }
            })
            .collect();
        let change = if words.decision.decision == Verdict::Allow {
            Change::Unneeded
        } else {
            change::smallest(rulebook, tool, &call)
        };
        Why {
            format: FORMAT,
            tool: tool.map(str::to_owned),
            decision: words.decision,
            decided_by: decisive
                .and_then(|(at, _)| flows.get(at))
                .map(DecidedBy::of),
            flows,
            change,
        }
    }
}

impl<'g> DecidedBy<'g> {
    fn of(trace: &FlowTrace<'g>) -> Self {
        let FlowWord { flow, branch, .. } = trace.said;
        let line = branch.map(|branch| branch.line).or(trace.undecided_at);
        Self {
            flow,
            branch,
            line: line.unwrap_or(flow.line),
        }
    }
}

/// The document's examples, which the documentation tests run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/deciding.md")]
struct Documented;

#[cfg(test)]
mod tests;
