//! Tests of a rulebook: files of cases, each a call and the decision it must get.
//!
//! [`read`] reads a tests file and says what is wrong with it, each with its place;
//! [`examine`] says what in it the rulebook at hand does not know; [`run`] decides its cases, and
//! for each that fails has why the rulebook decides so. The format is published as
//! `schema/rulebook-tests-1.schema.json`, of [`schema`].

mod context;
mod examine;
mod format;
mod read;
mod run;

pub use examine::examine;
pub use format::schema;
pub use read::read;
pub use run::{CaseReport, Outcome, SuiteReport, Totals, decide_case, run};

use serde_json::Value;

use crate::evaluator::{Decision, Verdict};
use crate::text::{Span, Spanned};

/// What a case calls that is about no tool in particular; nothing is said of it where no flow
/// governs it.
pub const ANY_TOOL: &str = "any_tool";

/// A tests file as it was read.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The rulebook that it says it is for, as a path from its own folder.
    pub rulebook: Option<Spanned<String>>,
    /// Its cases, those of groups too, in the order they are written.
    pub cases: Vec<Case>,
}

/// A case: a call, and the decision it must get.
#[derive(Clone, Debug)]
pub struct Case {
    /// The names of the groups around it, outermost first.
    pub groups: Vec<String>,
    /// Its name; no other case of its group has it.
    pub name: Spanned<String>,
    /// The tool called; none where it is no string.
    pub tool: Option<Spanned<String>>,
    /// The whole context, with what the groups and the file around it say.
    pub context: Value,
    /// The names that the case itself sets; the first case of a file or a group has those that
    /// the file or the group sets too, so that each is looked at once.
    pub names: Vec<SetName>,
    /// What it must get.
    pub want: Spanned<Want>,
    /// Why it is not run, if it is not.
    pub skip: Option<String>,
}

impl Case {
    /// Its groups and its name, as reports show it and `--filter` looks at it.
    pub fn title(&self) -> String {
        let mut title = String::new();
        for group in &self.groups {
            title.push_str(group);
            title.push_str(" / ");
        }
        title + &self.name.value
    }

    /// The tool's name.
    pub fn tool_name(&self) -> Option<&str> {
        self.tool.as_ref().map(|tool| tool.value.as_str())
    }
}

/// A name that a context sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetName {
    /// Its segments.
    pub name: Vec<String>,
    /// Where it is set.
    pub span: Span,
    /// Where its value stands, if that is text that other readers of YAML take for a boolean.
    pub looks_boolean: Option<Span>,
}

/// The decision that a case must get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Want {
    /// The decision.
    pub decision: Verdict,
    /// The rule, where the case says one.
    pub rule: Option<String>,
}

impl Want {
    /// Whether a decision is the wanted one.
    pub fn is_met_by(&self, got: &Decision) -> bool {
        self.decision == got.decision && self.rule.as_ref().is_none_or(|rule| *rule == got.rule)
    }
}
