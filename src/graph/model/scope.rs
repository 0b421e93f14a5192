//! Which calls a guard can speak on, as far as that depends on the tool's name.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Compare, Condition, Flow, Literal, OneOf, Operator, is_tool_name};

use super::outcome::Kind;
use super::tree::Node;

/// The tools that a guard can speak on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope<'a> {
    /// The tools that its conditions name, by name, each with whether it can speak on it.
    pub named: BTreeMap<&'a str, bool>,
    /// Whether it can speak on any other tool.
    pub others: bool,
}

impl<'a> Scope<'a> {
    /// What follows from the conditions on `$tool_name` in a guard's tree; whatever else is asked
    /// may be true, false or lack its value. An undecided guard refuses, and so speaks.
    pub fn of(flow: &'a Flow, nodes: &[Node<'_>]) -> Self {
        let named = named_tools(flow).into_iter();
        Self {
            named: named
                .map(|name| (name, speaks(nodes, Some(name))))
                .collect(),
            others: speaks(nodes, None),
        }
    }

    /// Whether the guard can speak on this tool.
    pub fn includes(&self, tool: &str) -> bool {
        self.named.get(tool).copied().unwrap_or(self.others)
    }

    /// What goes before the exceptions, in a picture.
    pub fn words(&self) -> &'static str {
        match (self.others, self.exceptions().next()) {
            (true, None) => "stands before every tool",
            (true, Some(_)) => "stands before every tool but",
            (false, None) => "never speaks",
            (false, Some(_)) => "stands before",
        }
    }

    /// The named tools that are treated unlike all others.
    pub fn exceptions(&self) -> impl Iterator<Item = &'a str> {
        let unlike = self
            .named
            .iter()
            .filter(|(_, speaks)| **speaks != self.others);
        unlike.map(|(name, _)| *name)
    }
}

/// The tools that a guard's conditions name.
pub fn named_tools(flow: &Flow) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for arm in flow.ifs.iter().flat_map(|decision| &decision.arms) {
        collect(&arm.condition, &mut names);
    }
    names
}

/// Conditions nest no deeper than the language lets them.
fn collect<'a>(condition: &'a Condition, names: &mut BTreeSet<&'a str>) {
    let mut add = |literal: &'a Literal| {
        if let Literal::String(name) = literal {
            names.insert(name);
        }
    };
    match condition {
        Condition::All(parts) | Condition::Any(parts) => {
            for part in parts {
                collect(part, names);
            }
        }
        Condition::Compare(compare) if is_tool_name(&compare.name) => add(&compare.value),
        Condition::OneOf(one_of) if is_tool_name(&one_of.name) => {
            one_of.values.iter().for_each(add);
        }
        Condition::Compare(_)
        | Condition::OneOf(_)
        | Condition::Const(_)
        | Condition::IsTrue(_)
        | Condition::NotTrue(_) => {}
    }
}

/// Whether some call of a tool, or of one that is not named, gets a word.
fn speaks(nodes: &[Node<'_>], tool: Option<&str>) -> bool {
    let mut open = vec![0];
    while let Some(node) = open.pop().and_then(|at| nodes.get(at)) {
        match node {
            Node::Question { arm, yes, no } => {
                let possible = possible(&arm.condition, tool);
                if possible.neither {
                    return true;
                }
                open.extend(possible.yes.then_some(*yes));
                open.extend(no.filter(|_| possible.no));
            }
            Node::Ending(ending) => {
                let mut outcomes = ending.outcomes.iter();
                if outcomes.any(|outcome| outcome.kind != Kind::Passes) {
                    return true;
                }
            }
            Node::Repeat { of, .. } => open.push(*of),
        }
    }
    false
}

/// What a condition can be.
#[derive(Clone, Copy)]
struct Possible {
    yes: bool,
    no: bool,
    neither: bool,
}

const TRUE: Possible = Possible {
    yes: true,
    no: false,
    neither: false,
};
const FALSE: Possible = Possible {
    yes: false,
    no: true,
    neither: false,
};

fn known(truth: bool) -> Possible {
    if truth { TRUE } else { FALSE }
}

/// What a condition can be in a call of a tool; of one that no condition names without one.
/// Parts are taken for independent, so that it may be called possible where it is not.
fn possible(condition: &Condition, tool: Option<&str>) -> Possible {
    let is_called = |literal: &Literal| matches!((literal, tool), (Literal::String(name), Some(tool)) if name == tool);
    match condition {
        Condition::All(parts) => parts.iter().fold(TRUE, |all, part| {
            let part = possible(part, tool);
            Possible {
                yes: all.yes && part.yes,
                no: all.no || part.no,
                neither: (all.neither && (part.yes || part.neither))
                    || (part.neither && (all.yes || all.neither)),
            }
        }),
        Condition::Any(parts) => parts.iter().fold(FALSE, |any, part| {
            let part = possible(part, tool);
            Possible {
                yes: any.yes || part.yes,
                no: any.no && part.no,
                neither: (any.neither && (part.no || part.neither))
                    || (part.neither && (any.no || any.neither)),
            }
        }),
        Condition::Const(truth) => known(*truth),
        Condition::Compare(Compare { name, op, value }) if is_tool_name(name) => {
            known(is_called(value) == (*op == Operator::Equal))
        }
        Condition::OneOf(OneOf {
            name,
            values,
            negated,
        }) if is_tool_name(name) => known(values.iter().any(is_called) != *negated),
        Condition::IsTrue(_) | Condition::NotTrue(_) => Possible {
            yes: true,
            no: true,
            neither: false,
        },
        Condition::Compare(_) | Condition::OneOf(_) => Possible {
            yes: true,
            no: true,
            neither: true,
        },
    }
}
