//! Cases for what no case reaches, for the author to judge.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::{Map, Value};

use super::counts::{Coverage, Target};
use super::gaps::{Gaps, Reason, SuggestedCall};
use crate::evaluator::{self, Decision};
use crate::text::{is_identifier, visible};
use crate::yaml::{plain_or_quoted, quoted_text};

/// A case that reaches something no other case does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The first thing that it reaches.
    pub target: Target,
    /// Its name, which no other suggestion for the same flow has.
    pub name: String,
    /// The call.
    pub call: SuggestedCall,
    /// What the rulebook decides now.
    pub decision: Decision,
}

/// The cases that reach everything that is not reached yet, as far as some context does and it is
/// known which. Each has the smallest context for the first thing that it is made for; what the
/// ones before reach gets none of its own.
pub fn suggest(coverage: &Coverage<'_>, gaps: &Gaps) -> Vec<Suggestion> {
    let mut reached = coverage.clone();
    let mut suggestions: Vec<Suggestion> = Vec::new();
    let mut taken = BTreeSet::new();
    for gap in &gaps.all {
        let Reason::Missing(call) = &gap.reason else {
            continue;
        };
        if reached.count(gap.target) > 0 {
            continue;
        }
        reached.record(&call.call());
        let words = evaluator::words(coverage.rulebook, &call.call());
        suggestions.push(Suggestion {
            target: gap.target,
            name: name(coverage, gap.target, &mut taken),
            call: call.clone(),
            decision: evaluator::combine(words.iter().map(|word| word.word)),
        });
    }
    suggestions.sort_by_key(|one| {
        (
            one.target.flow().unwrap_or(usize::MAX),
            coverage.line(one.target),
        )
    });
    suggestions
}

/// A name that no other suggestion for the same flow has.
fn name(
    coverage: &Coverage<'_>,
    target: Target,
    taken: &mut BTreeSet<(Option<usize>, String)>,
) -> String {
    let what = visible(&coverage.describe(target));
    let name = match coverage.line(target) {
        Some(line) => format!("line {line}, {what}"),
        None => what,
    };
    let numbered = (2..).map(|number| format!("{name} ({number})"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names
        .find(|name| taken.insert((target.flow(), name.clone())))
        .unwrap_or(name)
}

/// The suggestions as a tests file of their own, in groups by flow, each marked for the author to
/// judge.
pub fn to_yaml(coverage: &Coverage<'_>, suggestions: &[Suggestion], rulebook: &str) -> String {
    let mut out = String::from(
        "# Suggested cases: each is the smallest call that reaches something no other case does, and\n\
         # wants what the rulebook decides today. Judge each one: is it what you want? If so, delete\n\
         # its mark; if not, the rulebook is wrong, or the case is.\n",
    );
    let _ = writeln!(out, "rulebook: {}", plain_or_quoted(rulebook));
    if suggestions.is_empty() {
        out.push_str("groups: []  # nothing is missing\n");
        return out;
    }
    out.push_str("groups:\n");
    let mut group = None;
    for suggestion in suggestions {
        let flow = suggestion.target.flow();
        if group != Some(flow) {
            group = Some(flow);
            let _ = write!(
                out,
                "  - name: {}\n    cases:\n",
                plain_or_quoted(&title(coverage, flow))
            );
        }
        write_case(suggestion, &mut out);
    }
    out
}

fn title(coverage: &Coverage<'_>, flow: Option<usize>) -> String {
    match flow.and_then(|flow| coverage.flows.get(flow)) {
        Some(counts) => format!("flow {}", counts.flow.name),
        None => "calls of tools".to_owned(),
    }
}

fn write_case(suggestion: &Suggestion, out: &mut String) {
    let tool = match &suggestion.call.tool {
        Some(tool) => plain_or_quoted(tool),
        None => "null".to_owned(),
    };
    let mut context = String::new();
    write_object(&suggestion.call.context, &mut context);
    let decision = suggestion.decision.decision.as_str();
    let want = match suggestion.decision.rule.as_str() {
        "" => decision.to_owned(),
        rule => format!("{{decision: {decision}, rule: {}}}", plain_or_quoted(rule)),
    };
    let name = plain_or_quoted(&suggestion.name);
    let _ = write!(
        out,
        "      # suggested: is this what you want?\n      - name: {name}\n        tool: {tool}\n        \
         context: {context}\n        want: {want}\n"
    );
}

/// In one line, in braces. No deeper than a context name has parts.
fn write_object(object: &Map<String, Value>, out: &mut String) {
    out.push('{');
    for (at, (key, value)) in object.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        let plain = plain_or_quoted(key);
        let key = if is_identifier(key) {
            plain
        } else {
            quoted_text(key)
        };
        let _ = write!(out, "{key}: ");
        match value {
            Value::Object(inner) => write_object(inner, out),
            Value::String(text) => out.push_str(&quoted_text(text)),
            other => {
                let _ = write!(out, "{other}");
            }
        }
    }
    out.push('}');
}
