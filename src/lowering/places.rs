//! Where things of the IR stand in the source: the side table that analyses of the IR place
//! their messages by. It never enters an artifact.

use std::collections::{BTreeMap, BTreeSet};

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
    /// By context name, its reads in conditions.
    pub reads: BTreeMap<Name, BTreeSet<Span>>,
}

impl Places {
    /// The first read of a name within a condition; the condition where there is none.
    pub fn read_in(&self, name: &Name, condition: Span) -> Span {
        let reads = self.reads.get(name).into_iter().flatten();
        reads
            .copied()
            .find(|read| condition.start <= read.start && read.end <= condition.end)
            .unwrap_or(condition)
    }
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
    /// Whether its last arm is an `else`, which the IR cannot tell from a condition `True`.
    pub has_else: bool,
}
