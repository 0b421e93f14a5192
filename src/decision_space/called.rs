//! The tools that a call can name, as far as rulebooks tell them apart (contract section 9).

use std::collections::BTreeSet;

use crate::ir::{Condition, Flow, FlowKind, Literal, OneOf, Rulebook, TOOL_NAME, is_tool_name};

use super::sets::TruthSet;
use super::space::Space;

/// What stands in the place of the tool.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Called {
    /// A tool that a rulebook names.
    Tool(String),
    /// Every tool that is named nowhere; the smallest of their names stands for them.
    Other(String),
    /// Nothing, or anything but a string.
    NoString,
}

impl Called {
    /// The tool's name; none for what is no string.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Tool(name) | Self::Other(name) => Some(name),
            Self::NoString => None,
        }
    }

    /// What it is called in a heading, and whether that is the tool's name.
    pub fn title(&self) -> (&str, bool) {
        match self {
            Self::Tool(name) => (name, true),
            Self::Other(_) => ("every other tool", false),
            Self::NoString => ("a tool that is no string", false),
        }
    }

    /// Every tool that rulebooks run or compare with `$tool_name`, or that is named besides, in
    /// this order; then one other, and one that is no string.
    pub fn all<'a>(
        rulebooks: &[&'a Rulebook],
        named: impl IntoIterator<Item = &'a str>,
    ) -> Vec<Self> {
        let each = || rulebooks.iter().copied();
        let run = each().flat_map(|rulebook| &rulebook.tools);
        let compared: BTreeSet<&str> = each()
            .flat_map(|rulebook| &rulebook.flows)
            .flat_map(conditions_of)
            .flat_map(compared_tools)
            .collect();
        let all = run
            .map(|tool| tool.name.as_str())
            .chain(compared)
            .chain(named);
        let mut seen = BTreeSet::new();
        let names: Vec<&str> = all.filter(|name| seen.insert(*name)).collect();
        let tools = names.iter().map(|name| Self::Tool((*name).to_owned()));
        tools
            .chain([Self::Other(other_name(&names)), Self::NoString])
            .collect()
    }

    /// The flows of a rulebook that have a word on this tool, in source order.
    pub fn speakers<'a>(&self, rulebook: &'a Rulebook) -> Vec<&'a Flow> {
        let tool = self.name().and_then(|name| rulebook.tool(name));
        let speaks = |flow: &&Flow| {
            flow.kind == FlowKind::Guard || tool.is_some_and(|tool| tool.is_governed_by(flow))
        };
        rulebook.flows.iter().filter(speaks).collect()
    }

    /// The condition that this tool is called, by which it is a class of its own.
    pub fn condition(&self) -> Condition {
        is_one_of(&[self.name().unwrap_or_default()])
    }
}

/// The conditions of a flow's `if`s.
pub fn conditions_of(flow: &Flow) -> impl Iterator<Item = &Condition> {
    let arms = flow.ifs.iter().flat_map(|decision| &decision.arms);
    arms.map(|arm| &arm.condition)
}

/// The names that a condition compares `$tool_name` with.
pub fn compared_tools(condition: &Condition) -> impl Iterator<Item = &str> {
    condition
        .leaves()
        .filter(|leaf| leaf.name().is_some_and(|name| is_tool_name(name)))
        .flat_map(|leaf| match leaf {
            Condition::Compare(compare) => std::slice::from_ref(&compare.value),
            Condition::OneOf(one_of) => one_of.values.as_slice(),
            _ => &[],
        })
        .filter_map(|literal| match literal {
            Literal::String(text) => Some(text.as_str()),
            Literal::Bool(_) | Literal::Number(_) => None,
        })
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
