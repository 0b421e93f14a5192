//! What a catalogue decides by, compiled once.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use crate::catalogue::{Agent, Catalogue, OrderRule, SchemaFault, Tool};
use crate::gate::Gate;
use crate::ir::{FlowKind, Rulebook};
use crate::text::{quoted, visible};

use super::rulebook::{binding, runs_of};
use super::schema::Schema;

/// A catalogue ready to check calls; shared by any number of threads.
#[derive(Debug)]
pub struct Policy {
    catalogue: Catalogue,
    hash: String,
    gate: Gate,
    has_guards: bool,
    /// By tool.
    rules: BTreeMap<String, Rules>,
    /// By agent: those that may hand off to it.
    mark_sources: BTreeMap<String, Vec<String>>,
}

/// What holds for the calls of one tool.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) schema: Schema,
    /// The order rules on it, as they are written.
    pub(super) order: Vec<OrderRule>,
    /// Whether a flow governs it.
    is_governed: bool,
    /// Whether the rulebook binds an argument of it to a name of the context.
    pub(super) is_bound: bool,
}

/// Why a catalogue cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// A tool's schema is none that calls can be held to.
    #[error(
        "the input schema of {} cannot be used, at {}: {}",
        quoted(.tool), quoted(&.fault.pointer), visible(&.fault.message)
    )]
    Schema {
        /// The tool.
        tool: String,
        /// What is wrong with its schema.
        fault: SchemaFault,
    },
}

impl Policy {
    /// Compiles a catalogue. `hash` is what tells this policy from others: of rulebook, catalogue
    /// and all else that decides.
    ///
    /// # Errors
    /// A tool's schema is no JSON Schema 2020-12, refers to another document, or has a pattern
    /// that takes more than linear time.
    pub fn new(catalogue: Catalogue, hash: String) -> Result<Self, PolicyError> {
        let mut rules = BTreeMap::new();
        for (name, tool) in &catalogue.tools {
            rules.insert(name.clone(), Rules::new(&catalogue, name, tool)?);
        }
        let flows = &catalogue.rulebook.flows;
        let has_guards = flows.iter().any(|flow| flow.kind == FlowKind::Guard);
        Ok(Self {
            gate: Gate::new(catalogue.rulebook.clone()),
            has_guards,
            rules,
            mark_sources: mark_sources(&catalogue.agents),
            hash,
            catalogue,
        })
    }

    /// What tells this policy from others.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The catalogue that it was compiled from.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    pub(super) fn gate(&self) -> &Gate {
        &self.gate
    }

    /// A tool that an agent may call.
    pub fn tool(&self, agent: &str, name: &str) -> Option<&Tool> {
        self.reach(agent, name).map(|(tool, _)| tool)
    }

    /// The tools that an agent may call, sorted by name.
    pub fn tools_of(&self, agent: &str) -> impl Iterator<Item = (&str, &Tool)> {
        let names = self.catalogue.agents.get(agent).map(|agent| &agent.tools);
        let tools = &self.catalogue.tools;
        names
            .into_iter()
            .flatten()
            .filter_map(|name| Some((name.as_str(), tools.get(name)?)))
    }

    /// Whether what the host says may decide on a tool: a flow governs it, or there is a guard.
    pub fn needs_context(&self, tool: &str) -> bool {
        self.has_guards || self.rules.get(tool).is_some_and(|rules| rules.is_governed)
    }

    /// All agents that may hand off to an agent, at first or second hand, sorted; itself only where
    /// it may hand off to itself that way. Its shared run carries the marks of their runs.
    pub fn mark_sources(&self, agent: &str) -> &[String] {
        self.mark_sources.get(agent).map_or(&[], Vec::as_slice)
    }

    pub(super) fn reach(&self, agent: &str, tool: &str) -> Option<(&Tool, &Rules)> {
        let agent = self.catalogue.agents.get(agent)?;
        let name = agent.tools.get(tool)?;
        Some((self.catalogue.tools.get(name)?, self.rules.get(name)?))
    }
}

impl Rules {
    fn new(catalogue: &Catalogue, name: &str, tool: &Tool) -> Result<Self, PolicyError> {
        let schema = Schema::new(&tool.input_schema).map_err(|fault| PolicyError::Schema {
            tool: name.to_owned(),
            fault,
        })?;
        let is_of_tool = |rule: &&OrderRule| match rule {
            OrderRule::After { tool, .. } | OrderRule::AtMost { tool, .. } => tool == name,
        };
        Ok(Self {
            schema,
            order: catalogue.order.iter().filter(is_of_tool).cloned().collect(),
            is_governed: catalogue.rulebook.tool(name).is_some(),
            is_bound: is_bound(&catalogue.rulebook, name),
        })
    }
}

fn is_bound(rulebook: &Rulebook, tool: &str) -> bool {
    rulebook
        .flows
        .iter()
        .flat_map(|flow| &flow.branches)
        .flat_map(|branch| runs_of(&branch.steps, tool))
        .flat_map(|run| &run.arguments)
        .any(|argument| binding(argument).is_some())
}

/// Of each agent, those from which hand-offs lead to it.
fn mark_sources(agents: &BTreeMap<String, Agent>) -> BTreeMap<String, Vec<String>> {
    let mut sources: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in agents.keys() {
        let mut open: Vec<&str> = vec![source];
        while let Some(next) = open.pop() {
            for target in agents
                .get(next)
                .into_iter()
                .flat_map(|agent| &agent.hand_off)
            {
                let of_target = sources.entry(target.clone()).or_default();
                if of_target.insert(source.clone()) {
                    open.push(target);
                }
            }
        }
    }
    sources
        .into_iter()
        .map(|(agent, sources)| (agent, sources.into_iter().collect()))
        .collect()
}
