//! Notes of what the gate leaves out of a flow (contract section 3: "accepted, noted").

use std::collections::BTreeSet;

use crate::diagnostics::{Diagnostic, Sink, codes::flows};
use crate::ir::FlowKind;
use crate::syntax::tree::{Message, StatementKind};
use crate::text::quoted;

use super::graph::{Graph, Node, NodeKind, StepKind};

/// Notes each statement that is left out, once; those that start at one of `refused` have an
/// error already.
pub fn note(
    graph: &Graph<'_>,
    reads_hidden: &[bool],
    inert: &[bool],
    kind: FlowKind,
    refused: &BTreeSet<usize>,
    sink: &mut Sink,
) {
    let mut noted = refused.clone();
    for (id, node) in graph.in_order() {
        let hidden = reads_hidden.get(id) == Some(&true);
        let inert = inert.get(id) == Some(&true);
        let Some(what) = left_out(node, hidden, inert, kind) else {
            continue;
        };
        if noted.insert(node.place().span.start) {
            let note = Diagnostic::new(&flows::LEFT_OUT, node.place().span, what);
            sink.push(match (&node.kind, hidden) {
                (NodeKind::If { .. }, true) => note.with_help(
                    "if it should decide, let the host pass the value, and read it by a name that is not assigned",
                ),
                (NodeKind::If { .. }, false) => note.with_help(
                    "to say no, begin the message's name with `refuse` and end the path with `stop`; to ask, begin it with `ask`",
                ),
                _ => note,
            });
        }
    }
}

fn left_out(node: &Node<'_>, hidden: bool, inert: bool, kind: FlowKind) -> Option<String> {
    let statement = node.statement?;
    let what = match (&node.kind, &statement.kind) {
        (NodeKind::If { .. }, _) if hidden => {
            "the gate cannot see this condition, and no word depends on it: the `if` is left out"
        }
        (NodeKind::If { .. }, _) if inert && kind == FlowKind::Governing => {
            "this `if` only chooses between remarks before a tool runs: the gate leaves it out"
        }
        (NodeKind::Ways { .. }, StatementKind::When(_)) => {
            "the gate cannot see which turn comes next, and no word depends on it"
        }
        (NodeKind::Ways { .. }, StatementKind::While(_)) => {
            "the gate cannot see how often this runs, and no word depends on it"
        }
        (NodeKind::Ways { .. }, StatementKind::Goto(_)) => "the gate does not follow a `goto`",
        (NodeKind::Event { opens: None, .. }, _) => {
            "the gate cannot see which of these comes, and no word depends on it"
        }
        (NodeKind::Event { .. }, _) => "the gate does not see events",
        (
            NodeKind::Step {
                step: StepKind::Say(bot),
                ..
            },
            _,
        ) if matches!(bot.message, Message::Unseen(_)) => {
            "the gate cannot see what is said here, and no word depends on it"
        }
        (_, StatementKind::CreateEvent(_)) => "the gate raises no events: this is left out",
        (_, StatementKind::Label(name)) => {
            return Some(format!(
                "a label decides nothing: {} is left out",
                quoted(&name.value)
            ));
        }
        (_, StatementKind::Meta) => "`meta` decides nothing here: it is left out",
        (_, StatementKind::Priority) => {
            "`priority` decides nothing here: the first refusal wins, whatever its flow"
        }
        _ => return None,
    };
    Some(what.to_owned())
}
