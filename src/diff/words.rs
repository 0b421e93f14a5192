//! How answers name tools, decisions and contexts.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Change, Difference, Extent, Governed, Kind, ToolDifference};
use crate::decision_space::Called;
use crate::evaluator::Decision;
use crate::ir::{RULE_NO_MATCH, ValueType};
use crate::regions::{Place, Term, conjunction};
use crate::text::{escaped, visible};

/// What an answer calls the two versions.
#[derive(Clone, Copy, Debug)]
pub struct Versions<'a> {
    /// The old one.
    pub old: &'a str,
    /// The new one.
    pub new: &'a str,
}

/// What a tool is called in a heading, and whether that is its name.
pub(super) fn title(called: &Called) -> (String, bool) {
    let (title, is_name) = called.title();
    (visible(title), is_name)
}

/// What is to be said of a tool that one version does not govern.
pub(super) fn governed(tool: &ToolDifference) -> Option<&'static str> {
    match tool.governed {
        Governed::Both | Governed::Neither => None,
        Governed::Added => Some("new: the old version does not govern it"),
        Governed::Removed => Some("gone: the new version does not govern it"),
    }
}

/// What is to be said of a tool for which not every context was looked at.
pub(super) fn extent(extent: Extent) -> Option<String> {
    match extent {
        Extent::Exact => None,
        Extent::Cut => Some(
            "not exact: every kind of change is here, but there are more contexts than these"
                .to_owned(),
        ),
        Extent::Sampled(compared) => Some(format!(
            "not exact: too many contexts to look at all of them; {compared} were compared, and there may be changes elsewhere"
        )),
    }
}

/// What all changes of a tool require, where there are several: it is said once. No change
/// requires only that, since no two of them have a context in common.
pub(super) fn common(changes: &[Change]) -> Vec<Term> {
    let terms = |change: &Change| change.terms.clone().unwrap_or_default();
    match changes.split_first() {
        Some((first, others)) if !others.is_empty() => {
            let mut common = terms(first);
            common.retain(|term| others.iter().all(|other| terms(other).contains(term)));
            common
        }
        _ => Vec::new(),
    }
}

/// The contexts of a change as one condition, without what is said already.
pub(super) fn condition(change: &Change, common: &[Term]) -> Option<Condition> {
    let terms = change.terms.as_deref()?;
    let own = terms.iter().filter(|term| !common.contains(term));
    let own: Vec<Term> = own.cloned().collect();
    Some(if own.is_empty() {
        Condition::Always
    } else {
        Condition::When(conjunction(&own))
    })
}

/// Most changes of one tool that people are shown; what opens most comes first.
pub(super) const MOST_SHOWN: usize = 25;

/// What is to be said of changes that are not shown.
pub(super) fn more(changes: &[Change]) -> Option<String> {
    let more = changes.len().checked_sub(MOST_SHOWN)?;
    (more > 0).then(|| format!("and {more} more, which `--format json` tells"))
}

/// In which contexts something is so.
pub(super) enum Condition {
    /// In all of them.
    Always,
    /// Where this holds.
    When(String),
}

/// The rule of a decision, and what is to be said beside it.
pub(super) fn rule<'d>(
    decision: &'d Decision,
    place: Option<&Place>,
) -> (Option<&'d str>, Option<&'static str>) {
    let is_undecided = place.is_some_and(|place| place.is_undecided);
    match decision.rule.as_str() {
        "" => (None, None),
        RULE_NO_MATCH if is_undecided => (Some(RULE_NO_MATCH), Some("a value is lacking")),
        rule => (Some(rule), None),
    }
}

/// Where both versions decide.
pub(super) fn lines(change: &Change) -> String {
    let line = |place: &Option<Place>| match place {
        Some(place) => format!("line {}", place.line),
        None => "nowhere".to_owned(),
    };
    format!("{} → {}", line(&change.old_place), line(&change.new_place))
}

/// A value as JSON on one line, without what could act on a terminal.
pub(super) fn json(value: &impl Serialize) -> String {
    escaped(&serde_json::to_string(value).unwrap_or_default())
}

/// A change as a case of a tests file, whose format takes JSON for values.
pub(super) fn test_case(called: &Called, change: &Change, number: usize) -> String {
    let (name, _) = title(called);
    let name = format!("{name}: {} {number}", change.kind.as_str());
    let context: &Map<String, Value> = &change.example;
    format!(
        "- name: {}\n  tool: {}\n  context: {}\n  want: {}\n",
        json(&name),
        json(&called.name()),
        json(context),
        json(&change.new),
    )
}

/// How many changes of which kind there are.
pub(super) fn summary(difference: &Difference) -> String {
    let changed = difference.changed().count();
    let alike = difference.tools.len() - changed;
    let counts: Vec<String> = Kind::ALL
        .into_iter()
        .map(|kind| (kind, difference.count(kind)))
        .filter(|(_, count)| *count > 0)
        .map(|(kind, count)| format!("{count} {}", kind.as_str()))
        .collect();
    let plural = |count: usize, one: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {one}s"),
    };
    if changed == 0 {
        return "no decision changed".to_owned();
    }
    let mut text = format!("{} changed: {}", plural(changed, "tool"), counts.join(", "));
    if alike > 0 {
        text.push_str(&format!("; {} as before", plural(alike, "tool")));
    }
    text
}

/// A type as a rulebook declares it.
pub(super) fn type_name(value_type: ValueType) -> &'static str {
    match value_type {
        ValueType::Bool => "bool",
        ValueType::Number => "number",
        ValueType::String => "string",
    }
}
