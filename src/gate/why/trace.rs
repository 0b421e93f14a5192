//! The conditions that a call meets on its way through a flow.

use serde::Serialize;
use serde_json::Value;

use crate::evaluator::{Call, Truth, follow, truth};
use crate::ir::{Condition, Flow, is_tool_name};

/// An arm whose condition was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MetArm {
    /// Line of the `if` that it belongs to.
    pub if_line: usize,
    /// Its own line.
    pub line: usize,
    /// Its condition, with `not` at the leaves; `True` of an `else`.
    pub condition: String,
    /// Whether it is an `else`, which has no condition to be read.
    #[serde(skip)]
    pub is_else: bool,
    /// Whether the condition held, failed, or was neither.
    pub outcome: Outcome,
    /// The leaves of the condition that read a name, from left to right.
    pub leaves: Vec<LeafTrace>,
}

/// A comparison, membership or bare name of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LeafTrace {
    /// As a rulebook writes it.
    pub leaf: String,
    /// The name it reads, dotted.
    pub name: String,
    /// Whether it held, failed, or lacked a value of its type.
    pub outcome: Outcome,
    /// What stands in the call under the name.
    pub seen: Seen,
}

/// The three truths, as of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// True.
    Held,
    /// False.
    Failed,
    /// Neither: a comparison lacks a present value of its literal's type.
    Lacked,
}

/// What a call has under a name: its kind, never its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Seen {
    /// The kind of value.
    pub kind: Kind,
    /// The parent on the way to an absent name that is no object, dotted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below: Option<String>,
}

/// Kinds of JSON values, and absence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// No value.
    Absent,
    /// Null.
    Null,
    /// `true`.
    True,
    /// `false`.
    False,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// The arms whose conditions a call asks on its way through a flow.
pub(super) fn met(flow: &Flow, call: &Call<'_>) -> Vec<MetArm> {
    let mut met = Vec::new();
    follow(flow, |fork| {
        fork.way(|arm| {
            let found = truth(&arm.condition, call);
            let leaves = arm.condition.leaves();
            let is_last = fork
                .decision
                .arms
                .last()
                .is_some_and(|last| std::ptr::eq(last, arm));
            met.push(MetArm {
                if_line: fork.decision.line,
                line: arm.line,
                condition: arm.condition.to_string(),
                is_else: is_last && flow.ends_in_else(fork.decision),
                outcome: found.into(),
                leaves: leaves.filter_map(|leaf| trace(leaf, call)).collect(),
            });
            found
        })
    });
    met
}

fn trace(leaf: &Condition, call: &Call<'_>) -> Option<LeafTrace> {
    let name = leaf.name()?;
    Some(LeafTrace {
        leaf: leaf.to_string(),
        name: name.join("."),
        outcome: truth(leaf, call).into(),
        seen: Seen::of(name, call),
    })
}

impl Seen {
    fn of(name: &[String], call: &Call<'_>) -> Self {
        if is_tool_name(name) {
            let kind = call.tool().map_or(Kind::Absent, |_| Kind::String);
            return Self { kind, below: None };
        }
        let kind = call.json(name).map_or(Kind::Absent, Kind::of);
        let below = parent_that_is_no_object(name, call).map(|parent| parent.join("."));
        Self { kind, below }
    }
}

/// The first parent of a name that is present and no object: the name cannot be below it.
pub(super) fn parent_that_is_no_object<'n>(
    name: &'n [String],
    call: &Call<'_>,
) -> Option<&'n [String]> {
    let parents = (1..name.len()).filter_map(|length| name.get(..length));
    let mut present = parents.filter_map(|parent| Some((parent, call.json(parent)?)));
    present
        .find(|(_, value)| !value.is_object())
        .map(|(parent, _)| parent)
}

impl Kind {
    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(true) => Self::True,
            Value::Bool(false) => Self::False,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    /// As a sentence names it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Null => "null",
            Self::True => "true",
            Self::False => "false",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

impl From<Truth> for Outcome {
    fn from(truth: Truth) -> Self {
        match truth {
            Truth::True => Self::Held,
            Truth::False => Self::Failed,
            Truth::Unknown => Self::Lacked,
        }
    }
}
