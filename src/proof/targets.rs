//! The tools that a proof asks for, each with the classes that its decision tells apart.

use std::collections::BTreeSet;

use crate::decision_space::{Space, TruthSet};
use crate::ir::{Condition, Flow, FlowKind, Literal, OneOf, Rulebook, TOOL_NAME, is_tool_name};

/// What stands in the place of the tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Called {
    /// A tool that the rulebook names, or one that it does not.
    Tool(String),
    /// Nothing, or anything but a string.
    NoString,
}

impl Called {
    /// The tool's name; none for what is no string.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Tool(name) => Some(name),
            Self::NoString => None,
        }
    }
}

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

/// The tools of a rulebook (contract section 9): every name in an `execute` or compared with
/// `$tool_name`, and those that only the Rego names; one other, and one that is no string.
pub(super) fn targets(rulebook: &Rulebook, named_in_rego: &BTreeSet<&str>) -> Vec<Called> {
    let mut names: Vec<&str> = Vec::new();
    let executed = rulebook.tools.iter().map(|tool| tool.name.as_str());
    let compared = compared_names(rulebook);
    let mut seen = BTreeSet::new();
    let all = executed
        .chain(compared)
        .chain(named_in_rego.iter().copied());
    names.extend(all.filter(|name| seen.insert(*name)));
    let tools = names.iter().map(|name| (*name).to_owned());
    tools
        .chain(std::iter::once(other_name(&names)))
        .map(Called::Tool)
        .chain(std::iter::once(Called::NoString))
        .collect()
}

/// The names that guards compare `$tool_name` with.
fn compared_names(rulebook: &Rulebook) -> BTreeSet<&str> {
    let conditions = rulebook.flows.iter().flat_map(conditions_of);
    let leaves = conditions.flat_map(Condition::leaves);
    let mut names = BTreeSet::new();
    for leaf in leaves.filter(|leaf| leaf.name().is_some_and(|name| is_tool_name(name))) {
        let literals = match leaf {
            Condition::Compare(compare) => std::slice::from_ref(&compare.value),
            Condition::OneOf(one_of) => one_of.values.as_slice(),
            _ => &[],
        };
        names.extend(literals.iter().filter_map(|literal| match literal {
            Literal::String(text) => Some(text.as_str()),
            Literal::Bool(_) | Literal::Number(_) => None,
        }));
    }
    names
}

/// The conditions of a flow's `if`s.
pub(super) fn conditions_of(flow: &Flow) -> impl Iterator<Item = &Condition> {
    let arms = flow.ifs.iter().flat_map(|decision| &decision.arms);
    arms.map(|arm| &arm.condition)
}

/// `$tool_name` in these names.
fn is_one_of(names: &[&str]) -> Condition {
    let literal = |name: &&str| Literal::String((*name).to_owned());
    Condition::OneOf(OneOf {
        name: vec![TOOL_NAME.to_owned()],
        negated: false,
        values: names.iter().map(literal).collect(),
    })
}

/// The smallest name that is none of the names.
fn other_name(names: &[&str]) -> String {
    let leaf = is_one_of(names);
    let space = Space::of([&leaf]);
    let other = space.iter().next().and_then(|(_, classes)| {
        let others = classes.where_leaf(&leaf, TruthSet::FALSE)?;
        classes.representative(others.iter().next()?)
    });
    let other = other.and_then(|value| value.as_str().map(str::to_owned));
    other.unwrap_or_default()
}

impl<'a> Target<'a> {
    /// The flows and the space of a tool; `leaves` are those of the Rego.
    pub(super) fn of(rulebook: &'a Rulebook, called: Called, leaves: &[&Condition]) -> Self {
        let tool = called.name().and_then(|name| rulebook.tool(name));
        let speaks = |flow: &&Flow| {
            flow.kind == FlowKind::Guard || tool.is_some_and(|tool| tool.is_governed_by(flow))
        };
        let flows: Vec<_> = rulebook.flows.iter().filter(speaks).collect();
        // So that this tool is a class of its own.
        let is_called = is_one_of(&[called.name().unwrap_or_default()]);
        let conditions = flows.iter().copied().flat_map(conditions_of);
        let space = Space::of(conditions.chain([&is_called]).chain(leaves.iter().copied()));
        Self {
            called,
            flows,
            space,
        }
    }
}
