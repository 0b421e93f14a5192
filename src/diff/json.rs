//! A difference as JSON: `rulebook-diff/1`.

use schemars::{JsonSchema, schema_for};
use serde::Serialize;
use serde_json::{Map, Value};

use super::words::{self, Versions};
use super::{Change, Difference, Extent, Governed, Kind, ToolDifference};
use crate::decision_space::Called;
use crate::evaluator::{Decision, Verdict};
use crate::regions::Place;
use crate::text::escaped_lines;

/// A difference between two versions of a rulebook, `rulebook-diff/1`.
#[derive(JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Difference of two rulebooks")]
struct Report<'a> {
    /// `rulebook-diff/1`.
    format: &'static str,
    /// The old version, as it was named.
    old: &'a str,
    /// The new version, as it was named.
    new: &'a str,
    /// Whether the changes are all there are.
    exact: bool,
    /// Number of changes of each kind.
    summary: Summary,
    /// The tools whose decisions changed, or for which that was not found out.
    tools: Vec<Tool<'a>>,
    /// Messages of both versions whose wordings differ.
    wordings: Vec<Wording<'a>>,
    /// Context names that only one version has, or whose type changed.
    context: Vec<ContextName>,
}

#[derive(JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
struct Summary {
    widening: usize,
    loosening: usize,
    other_rule: usize,
    tightening: usize,
    narrowing: usize,
    /// Tools whose decisions are as before.
    unchanged_tools: usize,
}

/// A tool and its changes.
#[derive(JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
struct Tool<'a> {
    /// The tool's name; for `other` one that stands for all others, for `no_string` null.
    tool: Option<&'a str>,
    /// `tool`, `other` for every tool that is named nowhere, `no_string` for a tool that is none.
    called: &'static str,
    /// Which versions have flows that govern it: `both`, `new`, `old` or `neither`.
    governed: &'static str,
    /// `exact`; `cut` where there are more contexts than those of the conditions; `sampled`
    /// where there may be other changes.
    extent: &'static str,
    /// The changes, those that open most first.
    changes: Vec<Changed<'a>>,
}

#[derive(JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
struct Changed<'a> {
    /// `widening`, `loosening`, `other rule`, `tightening` or `narrowing`.
    kind: &'static str,
    old: Decided<'a>,
    new: Decided<'a>,
    /// The contexts as a condition; empty for every context, null where it is not known.
    when: Option<String>,
    /// The same by context name: the values that each may have.
    values: Option<Vec<NameValues>>,
    /// The smallest of the contexts.
    context: &'a Map<String, Value>,
}

#[derive(JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
struct Decided<'a> {
    decision: Verdict,
    rule: &'a str,
    /// Line of the branch that decides, or of the condition that lacks a value; null where no
    /// flow speaks.
    line: Option<usize>,
    /// Whether the flow that decides lacks a value.
    undecided: bool,
}

#[derive(JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
struct NameValues {
    /// The name, dotted.
    name: String,
    /// The values it may have.
    values: String,
}

#[derive(JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
struct Wording<'a> {
    message: &'a str,
    /// Without any, the message's name is the wording.
    old: &'a [String],
    new: &'a [String],
}

#[derive(JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
struct ContextName {
    /// The name, dotted.
    name: String,
    /// Its type in the old version; null where it is not there.
    old: Option<&'static str>,
    /// Its type in the new version; null where it is not there.
    new: Option<&'static str>,
}

/// The JSON Schema of the format.
pub fn schema() -> String {
    format!("{:#}\n", schema_for!(Report<'_>).to_value())
}

/// The difference as one JSON object, with its line end.
pub fn render_json(difference: &Difference, versions: Versions<'_>) -> String {
    let count = |kind| difference.count(kind);
    let report = Report {
        format: "rulebook-diff/1",
        old: versions.old,
        new: versions.new,
        exact: difference.is_exact(),
        summary: Summary {
            widening: count(Kind::Widening),
            loosening: count(Kind::Loosening),
            other_rule: count(Kind::OtherRule),
            tightening: count(Kind::Tightening),
            narrowing: count(Kind::Narrowing),
            unchanged_tools: difference.tools.len() - difference.changed().count(),
        },
        tools: difference.changed().map(tool).collect(),
        wordings: difference
            .wordings
            .iter()
            .map(|wording| Wording {
                message: &wording.message,
                old: &wording.old,
                new: &wording.new,
            })
            .collect(),
        context: difference
            .names
            .iter()
            .map(|name| ContextName {
                name: name.name.join("."),
                old: name.old.map(words::type_name),
                new: name.new.map(words::type_name),
            })
            .collect(),
    };
    let text = serde_json::to_string_pretty(&report).unwrap_or_default();
    // What acts on a terminal stands in strings only, where an escape means the same.
    format!("{}\n", escaped_lines(&text))
}

fn tool(tool: &ToolDifference) -> Tool<'_> {
    Tool {
        tool: tool.called.name(),
        called: match tool.called {
            Called::Tool(_) => "tool",
            Called::Other(_) => "other",
            Called::NoString => "no_string",
        },
        governed: match tool.governed {
            Governed::Both => "both",
            Governed::Added => "new",
            Governed::Removed => "old",
            Governed::Neither => "neither",
        },
        extent: match tool.extent {
            Extent::Exact => "exact",
            Extent::Cut => "cut",
            Extent::Sampled(_) => "sampled",
        },
        changes: tool.changes.iter().map(changed).collect(),
    }
}

fn changed(change: &Change) -> Changed<'_> {
    let when = change.terms.as_deref().map(crate::regions::conjunction);
    let values = change.terms.as_ref().map(|terms| {
        let each = terms.iter().map(|term| NameValues {
            name: term.name.join("."),
            values: term.cell(),
        });
        each.collect()
    });
    Changed {
        kind: change.kind.as_str(),
        old: decided(&change.old, change.old_place.as_ref()),
        new: decided(&change.new, change.new_place.as_ref()),
        when,
        values,
        context: &change.example,
    }
}

fn decided<'a>(decision: &'a Decision, place: Option<&Place>) -> Decided<'a> {
    Decided {
        decision: decision.decision,
        rule: &decision.rule,
        line: place.map(|place| place.line),
        undecided: place.is_some_and(|place| place.is_undecided),
    }
}
