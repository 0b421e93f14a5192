//! What kind a flow is, and which of its `if`s are inert (contract section 4).

use crate::ir::{End, FlowKind, is_refusal};
use crate::syntax::tree::{Bot, Message, Statement, StatementKind, Turn};

use super::definitions::Definitions;
use super::graph::{Graph, NodeKind, StepKind, TurnKind, is_remark};
use super::inlining::blocks_of;

/// The kind of a flow, from its whole text, subflows inlined.
pub fn kind_of(graph: &Graph<'_>) -> FlowKind {
    let mut specific_turn = false;
    for node in &graph.nodes {
        match &node.kind {
            NodeKind::Step {
                step: StepKind::Execute(_),
                ..
            } => return FlowKind::Governing,
            NodeKind::Step {
                step: StepKind::Turn(TurnKind::User(turn)),
                ..
            } => {
                let of_when = matches!(
                    node.statement.map(|statement| &statement.kind),
                    Some(StatementKind::When(_))
                );
                specific_turn |= of_when || !matches!(turn, Turn::Anything);
            }
            _ => {}
        }
    }
    if !specific_turn && stops_behind_an_if(graph) {
        FlowKind::Guard
    } else {
        FlowKind::Dialogue
    }
}

/// Whether some path meets an `if` and ends in `stop`.
fn stops_behind_an_if(graph: &Graph<'_>) -> bool {
    // By node: reached without an `if` before, reached with one.
    let mut reached = vec![(false, false); graph.nodes.len()];
    if let Some(entry) = reached.get_mut(graph.entry) {
        entry.0 = true;
    }
    for (id, node) in graph.in_order() {
        let Some(&(without, with)) = reached.get(id) else {
            continue;
        };
        if with && matches!(node.kind, NodeKind::End(End::Stop)) {
            return true;
        }
        let is_if = matches!(node.kind, NodeKind::If { .. });
        for successor in graph.successors(node) {
            if let Some(slot) = reached.get_mut(successor) {
                slot.0 |= without && !is_if;
                slot.1 |= with || (without && is_if);
            }
        }
    }
    false
}

/// By node, whether it is an inert `if`: its arms hold remarks and inert `if`s only, and every
/// path behind it meets an `execute` before a turn and before its end.
pub fn inert(graph: &Graph<'_>, definitions: &Definitions<'_>) -> Vec<bool> {
    let mut meets_execute = vec![false; graph.nodes.len()];
    let mut inert = vec![false; graph.nodes.len()];
    // From last to first: successors are judged before the node.
    for (id, node) in graph.nodes.iter().enumerate() {
        let met = |successor: usize| meets_execute.get(successor) == Some(&true);
        let meets = match &node.kind {
            NodeKind::Step {
                step: StepKind::Execute(_),
                ..
            } => true,
            NodeKind::Step {
                step: StepKind::Turn(_),
                ..
            }
            | NodeKind::Event { .. }
            | NodeKind::End(_) => false,
            NodeKind::If { join, .. } => {
                let remarks = node
                    .statement
                    .is_some_and(|statement| only_remarks_in_arms(statement, definitions));
                if let Some(slot) = inert.get_mut(id) {
                    *slot = remarks && met(*join);
                }
                graph.successors(node).all(met)
            }
            NodeKind::Step { .. } | NodeKind::Plain { .. } | NodeKind::Ways { .. } => {
                graph.successors(node).all(met)
            }
        };
        if let Some(slot) = meets_execute.get_mut(id) {
            *slot = meets;
        }
    }
    inert
}

/// Recursion over blocks and `do`s, both of which [`super::inlining`] has bounded.
fn only_remarks_in_arms(statement: &Statement, definitions: &Definitions<'_>) -> bool {
    match &statement.kind {
        StatementKind::If(branching) => branching.arms.iter().all(|arm| {
            arm.body
                .iter()
                .all(|statement| is_remark_or_inert(statement, definitions))
        }),
        _ => false,
    }
}

fn is_remark_or_inert(statement: &Statement, definitions: &Definitions<'_>) -> bool {
    match &statement.kind {
        StatementKind::Bot(bot) => is_remark(bot),
        StatementKind::If(_) => only_remarks_in_arms(statement, definitions),
        StatementKind::Do(name) => definitions
            .subflow_by_name
            .get(name.value.as_str())
            .and_then(|index| definitions.subflows.get(*index))
            .is_some_and(|subflow| {
                subflow
                    .body
                    .iter()
                    .all(|statement| is_remark_or_inert(statement, definitions))
            }),
        _ => false,
    }
}

/// The first refusal or `stop` that a flow has under a condition, subflows inlined: in a dialogue
/// flow it guards nothing.
pub fn refusal_under_condition<'t>(
    body: &'t [Statement],
    definitions: &Definitions<'t>,
    conditional: bool,
) -> Option<&'t Statement> {
    body.iter().find_map(|statement| match &statement.kind {
        StatementKind::Stop if conditional => Some(statement),
        StatementKind::Bot(Bot {
            message: Message::Named(name),
            ..
        }) if conditional && is_refusal(&name.value) => Some(statement),
        StatementKind::Do(name) => {
            let index = definitions.subflow_by_name.get(name.value.as_str())?;
            let subflow = definitions.subflows.get(*index)?;
            refusal_under_condition(&subflow.body, definitions, conditional)
        }
        kind => {
            let conditional = conditional || matches!(kind, StatementKind::If(_));
            blocks_of(statement)
                .into_iter()
                .find_map(|block| refusal_under_condition(block, definitions, conditional))
        }
    })
}
