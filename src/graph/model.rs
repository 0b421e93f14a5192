//! What is drawn of a rulebook, whatever draws it.

mod compared;
mod outcome;
mod scope;
mod tree;

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Flow, FlowKind, Rulebook, Tool};

pub use compared::compared;
pub use outcome::{Kind, Outcome, guard_outcome, outcomes};
pub use scope::Scope;
pub use tree::{Ending, Node};

/// Which part of a rulebook is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection<'a> {
    /// All of it.
    #[default]
    Whole,
    /// The flow of this name.
    Flow(&'a str),
    /// The flows that govern this tool, and the guards that can speak on it.
    Tool(&'a str),
}

/// What is drawn: guards and governing flows with their decision trees, the tools, and the names
/// of the flows that decide nothing.
#[derive(Clone, Debug)]
pub struct Graph<'a> {
    /// Where it comes from.
    pub rulebook: &'a Rulebook,
    /// What it is a part of, if it is a part.
    pub selection: Selection<'a>,
    /// The guards, in source order.
    pub guards: Vec<FlowGraph<'a>>,
    /// The flows that govern a tool, in source order.
    pub governing: Vec<FlowGraph<'a>>,
    /// The flows that decide nothing, in source order.
    pub dialogue: Vec<&'a Flow>,
    /// The governed tools, in the order of their first `execute`.
    pub tools: Vec<ToolEntry<'a>>,
}

/// A governed tool.
#[derive(Clone, Debug)]
pub struct ToolEntry<'a> {
    /// The tool.
    pub tool: &'a Tool,
    /// Its governing flows, in source order.
    pub flows: Vec<&'a Flow>,
}

/// A flow that speaks, with its decision tree.
#[derive(Clone, Debug)]
pub struct FlowGraph<'a> {
    /// The flow.
    pub flow: &'a Flow,
    /// The tools that it governs, as far as they are selected; none for a guard.
    pub tools: Vec<&'a str>,
    /// The calls that a guard can speak on; none for a governing flow.
    pub scope: Option<Scope<'a>>,
    /// Its decision tree, each node before those that it leads to; the first is the root. There
    /// is an end for each branch, in source order.
    pub nodes: Vec<Node<'a>>,
    /// The same with each repeated part once.
    pub folded: Vec<Node<'a>>,
}

impl<'a> Graph<'a> {
    /// What a selection of a rulebook shows. A flow or tool that is not there shows nothing.
    pub fn of(rulebook: &'a Rulebook, selection: Selection<'a>) -> Self {
        let mut governed: BTreeMap<&str, Vec<&Tool>> = BTreeMap::new();
        for tool in &rulebook.tools {
            // What a flow says on other tools would only mislead.
            if matches!(selection, Selection::Tool(name) if tool.name != name) {
                continue;
            }
            for flow in &tool.flows {
                governed.entry(flow).or_default().push(tool);
            }
        }
        let mut graph = Self {
            rulebook,
            selection,
            guards: Vec::new(),
            governing: Vec::new(),
            dialogue: Vec::new(),
            tools: Vec::new(),
        };
        let nothing = Vec::new();
        for flow in &rulebook.flows {
            let tools = governed.get(flow.id.as_str()).unwrap_or(&nothing);
            if matches!(selection, Selection::Flow(name) if flow.name != name) {
                continue;
            }
            match flow.kind {
                FlowKind::Dialogue if matches!(selection, Selection::Tool(_)) => {}
                FlowKind::Dialogue => graph.dialogue.push(flow),
                // Its tools are not selected.
                FlowKind::Governing if tools.is_empty() => {}
                FlowKind::Governing => graph.governing.push(FlowGraph::of(rulebook, flow, tools)),
                FlowKind::Guard => {
                    let guard = FlowGraph::of(rulebook, flow, &[]);
                    if !matches!(selection, Selection::Tool(name) if !guard.speaks_on(name)) {
                        graph.guards.push(guard);
                    }
                }
            }
        }
        graph.list_tools();
        graph
    }

    /// The tools of the flows that are drawn.
    fn list_tools(&mut self) {
        let mut flows: BTreeMap<&str, Vec<&'a Flow>> = BTreeMap::new();
        for drawn in &self.governing {
            for tool in &drawn.tools {
                flows.entry(tool).or_default().push(drawn.flow);
            }
        }
        for tool in &self.rulebook.tools {
            if let Some(flows) = flows.remove(tool.name.as_str()) {
                self.tools.push(ToolEntry { tool, flows });
            }
        }
    }

    /// All tools that flows or conditions name: the governed ones, then those that only a guard
    /// knows of.
    pub fn tool_names(rulebook: &Rulebook) -> Vec<String> {
        let mut names: Vec<String> = rulebook.tools.iter().map(|it| it.name.clone()).collect();
        let governed: BTreeSet<String> = names.iter().cloned().collect();
        let guards = rulebook
            .flows
            .iter()
            .filter(|it| it.kind == FlowKind::Guard);
        let named: BTreeSet<String> = guards
            .flat_map(scope::named_tools)
            .map(str::to_owned)
            .collect();
        names.extend(named.difference(&governed).cloned());
        names
    }

    /// The words that its branches have, each once.
    pub fn kinds(&self) -> BTreeSet<Kind> {
        let endings = self.speaking().flat_map(FlowGraph::endings);
        let outcomes = endings.flat_map(|ending| &ending.outcomes);
        outcomes.map(|outcome| outcome.kind).collect()
    }

    /// All flows that speak: guards first, then those that govern a tool.
    pub fn speaking(&self) -> impl Iterator<Item = &FlowGraph<'a>> {
        self.guards.iter().chain(&self.governing)
    }
}

impl<'a> FlowGraph<'a> {
    fn of(rulebook: &'a Rulebook, flow: &'a Flow, tools: &[&'a Tool]) -> Self {
        let nodes = tree::nodes(rulebook, flow, tools);
        Self {
            flow,
            folded: tree::folded(&nodes),
            tools: tools.iter().map(|tool| tool.name.as_str()).collect(),
            scope: (flow.kind == FlowKind::Guard).then(|| Scope::of(flow, &nodes)),
            nodes,
        }
    }

    /// Whether it is a guard.
    pub fn is_guard(&self) -> bool {
        self.scope.is_some()
    }

    /// Whether it can have a word on a tool.
    pub fn speaks_on(&self, tool: &str) -> bool {
        match &self.scope {
            Some(scope) => scope.includes(tool),
            None => self.tools.contains(&tool),
        }
    }

    /// Whether some condition of it can lack a value.
    pub fn may_lack(&self) -> bool {
        self.folded.iter().any(|node| match node {
            Node::Question { arm, .. } => !compared(&arm.condition).is_empty(),
            Node::Ending(_) | Node::Repeat { .. } => false,
        })
    }

    /// The ends of its tree, one for each branch, in source order.
    pub fn endings(&self) -> impl Iterator<Item = &Ending<'a>> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Ending(ending) => Some(ending),
            Node::Question { .. } | Node::Repeat { .. } => None,
        })
    }
}
