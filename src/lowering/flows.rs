//! One flow from its definition to the IR.

use std::collections::BTreeSet;

use crate::diagnostics::{Diagnostic, Sink, codes::flows};
use crate::ir::{self, Condition, FlowKind};
use crate::syntax::tree::{FlowDefinition, StatementKind, Value};
use crate::text::{Source, quoted};

use super::branches::{Reduced, reads_hidden};
use super::conditions::{Reader, ToolNameScope, Use};
use super::definitions::Definitions;
use super::graph::{Graph, NodeKind, StepKind, build};
use super::inlining::MAX_STATEMENTS;
use super::kinds::{inert, kind_of, refusal_under_condition};
use super::places::FlowPlaces;
use super::unseen::{Judged, judge};
use super::values::Values;
use super::{left_out, paths};

/// What came of one flow.
#[derive(Debug, Default)]
pub struct Lowered<'t> {
    /// The flow's `if`s, branches and places; empty for dialogue flows.
    pub ifs: Vec<ir::If>,
    /// Its branches.
    pub branches: Vec<ir::Branch>,
    /// Where they stand.
    pub places: FlowPlaces,
    /// The tools it executes, in order of the first `execute`, with the first place of each.
    pub tools: Vec<(&'t str, crate::text::Span)>,
    /// All reads of host values in its conditions.
    pub uses: Vec<Use<'t>>,
    /// Starts of all statements that some path reaches.
    pub reached: Vec<usize>,
    /// Whether it has a `goto`, so that labels are reached in ways not looked at.
    pub has_goto: bool,
}

/// Which definition is lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The flow with this index.
    Flow(usize),
    /// A subflow that no flow uses: looked at alone, for its mistakes only.
    UnusedSubflow,
}

/// Lowers one flow whose extent is within the limits; `unrolled` counts its statements with the
/// body of each `while` twice.
pub fn lower<'t>(
    definitions: &Definitions<'t>,
    definition: &'t FlowDefinition,
    role: Role,
    unrolled: usize,
    source: &Source,
    sink: &mut Sink,
) -> (FlowKind, Lowered<'t>) {
    let shape = build(definitions, definition, 1);
    let kind = match role {
        Role::Flow(_) => kind_of(&shape),
        Role::UnusedSubflow => FlowKind::Dialogue,
    };
    // Loops matter to words only: twice round is enough for these, once for all else.
    let speaks = kind != FlowKind::Dialogue;
    let graph = if speaks && shape.has_loop {
        if unrolled > MAX_STATEMENTS {
            sink.push(
                Diagnostic::new(
                    &flows::TOO_MUCH_INLINED,
                    definition.name.span,
                    format!(
                        "{} has more than 100,000 statements once each `while` is written out twice",
                        quoted(&definition.name.value)
                    ),
                )
                .with_help("a call is decided once: let the host pass what the loops would find out as context values"),
            );
            let lowered = Lowered {
                reached: reached(&shape, &shape.reached()),
                has_goto: has_goto(&shape),
                ..Lowered::default()
            };
            return (kind, lowered);
        }
        build(definitions, definition, 2)
    } else {
        shape
    };
    let inert = inert(&graph, definitions);
    let values = Values::follow(&graph, definitions);
    let tool_name = match (kind, role) {
        (FlowKind::Guard, _) | (_, Role::UnusedSubflow) => ToolNameScope::Allowed,
        _ => ToolNameScope::Refused,
    };
    let mut reader = Reader::new(&values, tool_name);
    let is_reached = graph.reached();
    let conditions = read_conditions(&graph, &is_reached, &mut reader, sink);
    let reads_hidden: Vec<bool> = conditions
        .iter()
        .map(|of_if| of_if.iter().any(reads_hidden))
        .collect();
    check_assignments(&graph, definitions, sink);
    let mut lowered = Lowered {
        tools: tools(&graph),
        reached: reached(&graph, &is_reached),
        has_goto: has_goto(&graph),
        ..Lowered::default()
    };
    let errors_before = sink.has_errors();
    let mut refused = BTreeSet::new();
    match kind {
        FlowKind::Dialogue => {
            if let (Role::Flow(_), Some(statement)) = (
                role,
                refusal_under_condition(&definition.body, definitions, false),
            ) {
                sink.push(
                    Diagnostic::new(
                        &flows::GUARDS_NOTHING,
                        definition.name.span,
                        "this flow refuses or stops under a condition, but it guards no tool",
                    )
                    .with_other(statement.head.span, "here")
                    .with_help("to guard every call, let the flow wait for `user ...` or for nothing, and end the path with `stop`"),
                );
            }
        }
        FlowKind::Governing | FlowKind::Guard => {
            refuse_goto(&graph, sink);
            paths::check_runs(&graph, &inert, sink);
            let tools: Vec<&str> = lowered.tools.iter().map(|(tool, _)| *tool).collect();
            refused = judge(
                &Judged {
                    graph: &graph,
                    inert: &inert,
                    conditions: &conditions,
                    reads_hidden: &reads_hidden,
                    hidden: &reader.hidden,
                    kind,
                    tools: &tools,
                    name: definition.name.span,
                },
                sink,
            );
            let reduced = Reduced {
                graph: &graph,
                inert: &inert,
                reads_hidden: &reads_hidden,
            };
            let countable = reduced.count(definition.name.span, sink).is_some();
            // With errors there will be no IR; only what later checks read is still wanted.
            if let (true, false, Role::Flow(index)) = (countable, errors_before, role) {
                let id = format!("f{}", index + 1);
                let (ifs, branches, places) = reduced.expand(conditions, &id, definition, source);
                lowered.ifs = ifs;
                lowered.branches = branches;
                lowered.places = places;
            }
        }
    }
    left_out::note(&graph, &reads_hidden, &inert, kind, &refused, sink);
    lowered.places.name = definition.name.span;
    lowered.uses = reader.uses;
    (kind, lowered)
}

/// By node, the conditions of an `if`'s arms.
fn read_conditions<'t>(
    graph: &Graph<'t>,
    is_reached: &[bool],
    reader: &mut Reader<'_, 't>,
    sink: &mut Sink,
) -> Vec<Vec<Condition>> {
    let mut conditions = vec![Vec::new(); graph.nodes.len()];
    for (id, node) in graph.nodes.iter().enumerate().rev() {
        // A second round that no path reaches knows nothing of what the first assigned.
        if is_reached.get(id) != Some(&true) {
            continue;
        }
        if let NodeKind::If { branching, .. } = &node.kind {
            let place = node.place();
            let arms = branching.arms.iter();
            let of_arms = arms
                .filter_map(|arm| arm.condition.as_ref())
                .map(|condition| reader.read(condition, id, place, sink))
                .collect();
            if let Some(slot) = conditions.get_mut(id) {
                *slot = of_arms;
            }
        }
    }
    conditions
}

fn tools<'t>(graph: &Graph<'t>) -> Vec<(&'t str, crate::text::Span)> {
    let mut seen = BTreeSet::new();
    let mut tools = Vec::new();
    for node in graph.nodes.iter().rev() {
        if let NodeKind::Step {
            step: StepKind::Execute(execute),
            ..
        } = &node.kind
            && seen.insert(execute.tool.value.as_str())
        {
            tools.push((execute.tool.value.as_str(), execute.tool.span));
        }
    }
    tools
}

/// The starts of the statements whose nodes are reached.
fn reached(graph: &Graph<'_>, is_reached: &[bool]) -> Vec<usize> {
    graph
        .nodes
        .iter()
        .zip(is_reached)
        .filter(|(_, is_reached)| **is_reached)
        .filter_map(|(node, _)| node.statement)
        .map(|statement| statement.head.span.start)
        .collect()
}

fn has_goto(graph: &Graph<'_>) -> bool {
    graph.nodes.iter().any(is_goto)
}

fn is_goto(node: &super::graph::Node<'_>) -> bool {
    matches!(
        node.statement.map(|statement| &statement.kind),
        Some(StatementKind::Goto(_))
    )
}

fn refuse_goto(graph: &Graph<'_>, sink: &mut Sink) {
    for (_, node) in graph.in_order().filter(|(_, node)| is_goto(node)) {
        sink.push(
            node.place().label(
                Diagnostic::new(
                    &flows::GOTO,
                    node.place().span,
                    "`goto` cannot stand in a flow that governs or guards tools",
                )
                .with_help("write out what follows, or put it in a subflow and `do` it"),
            ),
        );
    }
}

/// `$tool_name` and declared names belong to the caller and the host: no flow assigns them. An
/// assigned call that looks like a forgotten `execute` is told too.
fn check_assignments(graph: &Graph<'_>, definitions: &Definitions<'_>, sink: &mut Sink) {
    let mut seen = BTreeSet::new();
    for (_, node) in graph.in_order() {
        let name = match (&node.kind, node.statement.map(|statement| &statement.kind)) {
            (
                NodeKind::Step {
                    step: StepKind::Execute(execute),
                    ..
                },
                _,
            ) => execute.result.as_ref(),
            (NodeKind::Plain { .. }, Some(StatementKind::Assign(assign))) => {
                if let Value::Unreadable(expression) = &assign.value
                    && let Some(tool) = &expression.bare_call
                    && seen.insert(assign.name.span.start)
                {
                    sink.push(
                        node.place()
                            .label(forgotten_execute(expression.text.span, tool)),
                    );
                }
                Some(&assign.name)
            }
            _ => None,
        };
        if let Some(name) = name {
            super::names::refuse_assignment(name, definitions, node.place(), sink);
        }
    }
}

fn forgotten_execute(span: crate::text::Span, tool: &str) -> Diagnostic {
    let shown = crate::text::visible(tool);
    Diagnostic::new(
        &flows::FORGOTTEN_EXECUTE,
        span,
        format!("`{shown}(…)` is an expression here, and runs no tool"),
    )
    .with_help(format!("did you mean `execute {shown}(…)`?"))
}
