//! The IR compiled for deciding fast (contract section 4): built once, immutable, shared by any
//! number of threads. It decides as [`crate::evaluator`] does, which is its reference.

mod why;
mod words;

use crate::ir::Rulebook;

pub use why::{
    Change, DecidedBy, Edit, FlowTrace, Kind, LeafTrace, MetArm, NoChange, Outcome, Seen, Why,
};
pub use words::{Asked, BranchPlace, FlowPlace, FlowWord, WordKind, Words};

/// A rulebook ready to decide.
#[derive(Debug)]
pub struct Gate {
    rulebook: Rulebook,
}

impl Gate {
    /// Compiles a rulebook.
    pub fn new(rulebook: Rulebook) -> Self {
        Self { rulebook }
    }

    /// The rulebook it was compiled from.
    pub fn rulebook(&self) -> &Rulebook {
        &self.rulebook
    }
}
