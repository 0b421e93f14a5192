//! Where in its source a rulebook decides.

use serde_json::{Map, Value};

use crate::decision_space::Called;
use crate::evaluator::{Call, Truth, decisive, follow, truth, words};
use crate::ir::{Flow, FlowKind, Rulebook};

/// Where a decision is said. Places are in the order in which people look for them: guards
/// before the others, then by source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Whether no guard says it.
    is_governing: bool,
    /// The index of the flow.
    pub flow: usize,
    /// Whether the flow is undecided: a value is lacking at the line.
    pub is_undecided: bool,
    /// The line of the branch, or of the condition that lacks a value.
    pub line: usize,
}

impl Place {
    /// The branch of a flow, or the condition at which it is undecided in a context.
    pub(super) fn new(
        rulebook: &Rulebook,
        called: &Called,
        context: &Map<String, Value>,
        flow: usize,
        branch: Option<usize>,
    ) -> Self {
        let found = rulebook.flows.get(flow);
        let line = found.and_then(|flow| match branch {
            Some(branch) => Some(flow.branches.get(branch)?.line),
            None => lacking_line(flow, &Call::new(called.name(), context)),
        });
        Self {
            is_governing: found.is_some_and(|flow| flow.kind != FlowKind::Guard),
            flow,
            is_undecided: branch.is_none(),
            line: line.or(found.map(|flow| flow.line)).unwrap_or_default(),
        }
    }

    /// Where a rulebook decides one call; none where no flow speaks.
    pub fn of(rulebook: &Rulebook, called: &Called, context: &Map<String, Value>) -> Option<Self> {
        let call = Call::new(called.name(), context);
        let words = words(rulebook, &call);
        let (at, _) = decisive(words.iter().map(|said| said.word))?;
        let said = words.get(at)?;
        let flow = index(&rulebook.flows, said.flow)?;
        let branch = said.branch.map(|branch| &branch.id);
        let ids = said.flow.branches.iter().map(|branch| &branch.id);
        let branch = branch.and_then(|branch| ids.clone().position(|id| id == branch));
        Some(Self::new(rulebook, called, context, flow, branch))
    }
}

fn index(flows: &[Flow], flow: &Flow) -> Option<usize> {
    flows.iter().position(|other| other.id == flow.id)
}

/// The line of the condition that is neither true nor false.
fn lacking_line(flow: &Flow, call: &Call<'_>) -> Option<usize> {
    let mut line = None;
    follow(flow, |fork| {
        fork.way(|arm| {
            let truth = truth(&arm.condition, call);
            if truth == Truth::Unknown {
                line = Some(arm.line);
            }
            truth
        })
    });
    line
}
