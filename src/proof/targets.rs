//! The tools that a proof asks for, each with the classes that its decision tells apart.

use crate::decision_space::{Called, Space, conditions_of};
use crate::ir::{Condition, Flow, Rulebook};

/// A tool with the names and classes that the words on it depend on.
#[derive(Debug)]
pub(super) struct Target<'a> {
    /// The tool.
    pub(super) called: Called,
    /// The flows that have a word on it, in source order.
    pub(super) flows: Vec<&'a Flow>,
    /// The names of those flows' conditions and of the Rego's comparisons, and `$tool_name`.
    pub(super) space: Space,
}

impl<'a> Target<'a> {
    /// The flows and the space of a tool; `leaves` are those of the Rego.
    pub(super) fn of(rulebook: &'a Rulebook, called: Called, leaves: &[&Condition]) -> Self {
        let flows = called.speakers(rulebook);
        let is_called = called.condition();
        let conditions = flows.iter().copied().flat_map(conditions_of);
        let space = Space::of(conditions.chain([&is_called]).chain(leaves.iter().copied()));
        Self {
            called,
            flows,
            space,
        }
    }
}
