//! Where things of the IR stand in the source: the side table that analyses of the IR place
//! their messages by. It never enters an artifact.

use std::collections::BTreeMap;

use crate::ir::Name;
use crate::text::Span;

/// Places of a whole rulebook.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// By index of the flow, as [`crate::ir::Rulebook::flows`].
    pub flows: Vec<FlowPlaces>,
    /// By tool, its first `execute`.
    pub tools: BTreeMap<String, Span>,
    /// By context name, its declaration or else its first read.
    pub context: BTreeMap<Name, Span>,
}

/// Places of one flow.
#[derive(Clone, Debug, Default)]
pub struct FlowPlaces {
    /// The flow's name in its definition.
    pub name: Span,
    /// By index of the `if`, as [`crate::ir::Flow::ifs`].
    pub ifs: Vec<IfPlaces>,
}

/// Places of one `if`.
#[derive(Clone, Debug, Default)]
pub struct IfPlaces {
    /// By arm, its condition, or its `else`.
    pub arms: Vec<Span>,
    /// The `do` that inlines it, when it is in a subflow.
    pub inlined_by: Option<Span>,
}
