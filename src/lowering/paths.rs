//! What must not happen on any path of a flow: a refusal or an open question before a tool
//! runs, a turn without a question, steps that no path reaches (contract sections 3 and 4).

use std::collections::BTreeSet;

use crate::diagnostics::{Diagnostic, Sink, codes::flows};
use crate::ir::{is_question, is_refusal};
use crate::syntax::tree::{Message, Statement, StatementKind};
use crate::text::{Span, quoted};

use super::definitions::Place;
use super::graph::{Graph, NodeId, NodeKind, StepKind};
use super::inlining::blocks_of;

/// What some path brings to a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Facts {
    /// A refusal was said: its node.
    refused: Option<NodeId>,
    /// A question was asked, and no turn came since: its node.
    asked: Option<NodeId>,
    /// A later turn had no question: its node.
    unasked_turn: Option<NodeId>,
    /// The ways a path may have begun, as a set; see [`Begun`].
    begun: u8,
}

/// Bits of [`Facts::begun`].
struct Begun;

impl Begun {
    /// No step so far.
    const NO_STEP: u8 = 1;
    /// A step, and no message since the last turn or the start.
    const NO_MESSAGE: u8 = 2;
    /// A message since the last turn or the start.
    const MESSAGE: u8 = 4;
}

impl Facts {
    fn join(&mut self, other: &Self) {
        self.refused = self.refused.or(other.refused);
        self.asked = self.asked.or(other.asked);
        self.unasked_turn = self.unasked_turn.or(other.unasked_turn);
        self.begun |= other.begun;
    }
}

/// Reports, per `execute`, what may stand before it on a path and must not. `inert` tells the
/// `if`s whose remarks are no steps.
pub fn check_runs(graph: &Graph<'_>, inert: &[bool], sink: &mut Sink) {
    let mut at: Vec<Option<Facts>> = vec![None; graph.nodes.len()];
    if let Some(entry) = at.get_mut(graph.entry) {
        *entry = Some(Facts {
            begun: Begun::NO_STEP,
            ..Facts::default()
        });
    }
    let mut reported: BTreeSet<(usize, &'static str)> = BTreeSet::new();
    for (id, node) in graph.in_order() {
        let Some(mut facts) = at.get(id).copied().flatten() else {
            continue;
        };
        match &node.kind {
            NodeKind::Step { step, .. } => match step {
                StepKind::Say(bot) => {
                    if let Message::Named(name) = &bot.message {
                        if is_refusal(&name.value) {
                            facts.refused = Some(id);
                        }
                        if is_question(&name.value) {
                            facts.asked = Some(id);
                        }
                    }
                    facts.begun = Begun::MESSAGE;
                }
                StepKind::Turn(_) => {
                    if facts.begun & Begun::NO_MESSAGE != 0 {
                        facts.unasked_turn = Some(id);
                    }
                    facts.asked = None;
                    facts.begun = Begun::NO_MESSAGE;
                }
                StepKind::Execute(execute) => {
                    for finding in findings(graph, &facts, node.place(), &execute.tool.value) {
                        if reported.insert((node.place().span.start, finding.code.id)) {
                            sink.push(finding);
                        }
                    }
                    if facts.begun & Begun::NO_STEP != 0 {
                        facts.begun = (facts.begun & !Begun::NO_STEP) | Begun::NO_MESSAGE;
                    }
                }
            },
            NodeKind::Event { .. } if facts.begun & Begun::NO_STEP != 0 => {
                facts.begun = (facts.begun & !Begun::NO_STEP) | Begun::NO_MESSAGE;
            }
            _ => {}
        }
        match &node.kind {
            NodeKind::If { join, .. } if inert.get(id) == Some(&true) => {
                arrive(&mut at, *join, &facts);
            }
            _ => graph
                .successors(node)
                .for_each(|successor| arrive(&mut at, successor, &facts)),
        }
    }
}

fn arrive(at: &mut [Option<Facts>], node: NodeId, facts: &Facts) {
    match at.get_mut(node) {
        Some(Some(known)) => known.join(facts),
        Some(unknown) => *unknown = Some(*facts),
        None => {}
    }
}

fn findings(graph: &Graph<'_>, facts: &Facts, place: Place, tool: &str) -> Vec<Diagnostic> {
    let span_of = |id: NodeId| {
        graph
            .nodes
            .get(id)
            .map_or(Span::default(), |node| node.place().span)
    };
    if (facts.refused, facts.asked, facts.unasked_turn) == (None, None, None) {
        return Vec::new();
    }
    let tool = quoted(tool);
    let mut found = Vec::new();
    if let Some(refusal) = facts.refused {
        found.push(
            Diagnostic::new(
                &flows::REFUSED_THEN_RUN,
                place.span,
                format!("{tool} runs behind a refusal"),
            )
            .with_label("this still runs")
            .with_other(span_of(refusal), "refused here")
            .with_help(
                "end the path behind the refusal with `stop`, or move the `execute` into an `else`",
            ),
        );
    }
    if let Some(question) = facts.asked {
        found.push(
            Diagnostic::new(
                &flows::ASKED_THEN_RUN,
                place.span,
                format!("{tool} runs without waiting for the answer to a question"),
            )
            .with_label("this runs at once")
            .with_other(span_of(question), "asked here")
            .with_help(
                "write the turn that answers between the two, such as `user approve` or `user ...`",
            ),
        );
    }
    if let Some(turn) = facts.unasked_turn {
        found.push(
            Diagnostic::new(
                &flows::TURN_WITHOUT_QUESTION,
                place.span,
                format!("{tool} runs behind a turn that answers no question"),
            )
            .with_label("what is the person to be asked before this?")
            .with_other(span_of(turn), "no message stands before this turn")
            .with_help("say what is asked before the turn, such as `bot ask for approval`"),
        );
    }
    found
        .into_iter()
        .map(|finding| place.label(finding))
        .collect()
}

/// Reports the first statement of each run of statements that no path reaches. `reached` holds
/// the start of every statement that some flow reaches, ascending.
pub fn check_reached(body: &[Statement], reached: &[usize], sink: &mut Sink) {
    let mut before: Option<&Statement> = None;
    for statement in body {
        let is_reached = reached.binary_search(&statement.head.span.start).is_ok();
        if let (false, Some(last)) = (is_reached, before)
            && !matches!(
                statement.kind,
                StatementKind::Label(_) | StatementKind::Meta | StatementKind::Priority
            )
        {
            sink.push(
                Diagnostic::new(
                    &flows::UNREACHABLE_STEP,
                    statement.head.span,
                    "no path reaches this",
                )
                .with_other(last.head.span, "every way ends here")
                .with_help("delete it, or move it before the line where every way ends"),
            );
            return;
        }
        for block in blocks_of(statement) {
            if is_reached {
                check_reached(block, reached, sink);
            }
        }
        before = Some(statement);
    }
}
