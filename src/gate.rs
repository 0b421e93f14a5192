//! The IR compiled for deciding fast (contract section 4): built once, immutable, shared by any
//! number of threads. It decides as [`crate::evaluator`] does, which is its reference.
//!
//! A context comes in one of three forms, each read no more than a decision needs:
//!
//! - [`Context`], made once and used for many calls, has its values as the gate's own: whoever
//!   has typed values sets them. Neither setting nor deciding allocates.
//! - A [`serde_json::Value`]: only the names that are asked for on the way are looked up.
//! - The bytes of a JSON text: read once from front to back, without a tree of values.

mod compiled;
mod conditions;
mod context;
mod flows;
mod json;
mod names;
mod scratch;
mod table;
mod value;
mod why;
mod words;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;
use serde_json::Value;

use crate::evaluator::{Decision, Verdict};
use crate::ir::Rulebook;
use crate::json::JsonError;

use compiled::Compiled;

pub use context::{Context, ContextName, ContextValue};
pub use why::{
    Change, DecidedBy, Edit, FlowTrace, Kind, LeafTrace, MetArm, NoChange, Outcome, Seen, Why,
};
pub use words::{Asked, BranchPlace, FlowPlace, FlowWord, WordKind, Words};

/// A rulebook ready to decide. Clones share what was compiled.
#[derive(Clone, Debug)]
pub struct Gate {
    rulebook: Arc<Rulebook>,
    compiled: Arc<Compiled>,
    /// Tells what belongs to this gate and its clones from what belongs to others.
    stamp: u64,
}

/// A [`Decision`] that borrows its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct DecisionRef<'a> {
    /// One of the four.
    pub decision: Verdict,
    /// The message, `stop`, `no_match`, or nothing.
    pub rule: &'a str,
}

impl DecisionRef<'_> {
    /// The decision with a rule of its own.
    pub fn to_decision(self) -> Decision {
        Decision {
            decision: self.decision,
            rule: self.rule.to_owned(),
        }
    }
}

impl From<DecisionRef<'_>> for Decision {
    fn from(decision: DecisionRef<'_>) -> Self {
        decision.to_decision()
    }
}

impl PartialEq<Decision> for DecisionRef<'_> {
    fn eq(&self, other: &Decision) -> bool {
        self.decision == other.decision && self.rule == other.rule
    }
}

impl PartialEq<DecisionRef<'_>> for Decision {
    fn eq(&self, other: &DecisionRef<'_>) -> bool {
        other == self
    }
}

impl Gate {
    /// Compiles a rulebook. Time and memory are linear in its size, but for sorting.
    pub fn new(rulebook: Rulebook) -> Self {
        static NEXT_STAMP: AtomicU64 = AtomicU64::new(1);
        Self {
            compiled: Arc::new(Compiled::new(&rulebook)),
            rulebook: Arc::new(rulebook),
            stamp: NEXT_STAMP.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// The rulebook it was compiled from.
    pub fn rulebook(&self) -> &Rulebook {
        &self.rulebook
    }

    /// An empty context for this gate, to be filled, and used for any number of calls.
    pub fn context(&self) -> Context {
        Context::new(Arc::clone(&self.compiled), self.stamp)
    }

    /// A context name, segments joined by dots, for [`Context::set_name`]; none when no decision
    /// reads it.
    pub fn name(&self, name: &str) -> Option<ContextName> {
        ContextName::find(&self.compiled, self.stamp, name)
    }

    /// Decides a call from a typed context. A tool that is no string is none. Nothing is
    /// allocated.
    ///
    /// A context of another gate says nothing to this one: the call is refused, `no_match`.
    pub fn decide<'t>(
        &self,
        tool: impl Into<Option<&'t str>>,
        context: &Context,
    ) -> DecisionRef<'_> {
        context::decide(&self.compiled, self.stamp, tool.into(), context)
    }

    /// Decides a call whose context is a JSON value; one that is no object has no names. A tool
    /// that is no string is none.
    pub fn decide_value<'t>(
        &self,
        tool: impl Into<Option<&'t str>>,
        context: &Value,
    ) -> DecisionRef<'_> {
        value::decide(&self.compiled, tool.into(), context)
    }

    /// Decides a call whose context is a JSON text, read as [`crate::json::parse`] reads it; one
    /// that is no object has no names. A tool that is no string is none.
    ///
    /// Time is linear in the length of the text, whatever numbers and depths it has.
    ///
    /// # Errors
    /// The bytes are no JSON: the error is that of [`crate::json::parse`].
    pub fn decide_json<'t>(
        &self,
        tool: impl Into<Option<&'t str>>,
        context: &[u8],
    ) -> Result<DecisionRef<'_>, JsonError> {
        json::decide(&self.compiled, tool.into(), context)
    }

    /// Decides a call given as the document that OPA would get: `tool` and `context` are read
    /// from it, both may be missing or anything.
    pub fn decide_input(&self, input: &Value) -> DecisionRef<'_> {
        let tool = input.get("tool").and_then(Value::as_str);
        self.decide_value(tool, input.get("context").unwrap_or(&Value::Null))
    }
}
