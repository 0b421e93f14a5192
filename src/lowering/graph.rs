//! A flow as a graph of its statements, subflows inlined and loops unrolled.
//!
//! It is built from the last statement to the first, so that a node's successors have smaller
//! ids: descending ids are source order and a topological order at once, and every analysis is
//! one pass over the nodes, without recursion.

use crate::ir::{End, is_question, is_refusal};
use crate::syntax::tree::{
    Bot, Execute, FlowDefinition, If, Message, Statement, StatementKind, Trigger, Turn, When, While,
};
use crate::text::Span;

use super::definitions::{Definitions, Place};

/// Index of a node in [`Graph::nodes`].
pub type NodeId = usize;

/// The statements of one flow and the ways between them.
#[derive(Debug)]
pub struct Graph<'t> {
    /// All nodes; successors have smaller ids.
    pub nodes: Vec<Node<'t>>,
    /// Where every path begins: the greatest id.
    pub entry: NodeId,
    /// Whether a `while` is in it, so that its rounds make a difference.
    pub has_loop: bool,
}

/// One statement at one place of the inlined flow.
#[derive(Debug)]
pub struct Node<'t> {
    /// What it does and where it goes on.
    pub kind: NodeKind<'t>,
    /// The statement; none for the end behind the last one.
    pub statement: Option<&'t Statement>,
    /// The `do` of the flow itself that leads here, when the statement is in a subflow.
    pub inlined_by: Option<Span>,
}

/// The kinds of node.
#[derive(Debug)]
pub enum NodeKind<'t> {
    /// A step; then `next`.
    Step {
        /// The step.
        step: StepKind<'t>,
        /// What follows.
        next: NodeId,
    },
    /// Nothing that a path records (an assignment, a label, a `do`, …); then `next`.
    Plain {
        /// What follows.
        next: NodeId,
    },
    /// An `if`.
    If {
        /// The statement.
        branching: &'t If,
        /// The first node of each arm, in source order.
        arms: Vec<NodeId>,
        /// The node of the path that takes no arm; none when the last arm is an `else`.
        passed: Option<NodeId>,
        /// The node behind the whole `if`.
        join: NodeId,
    },
    /// A statement whose way the gate cannot see (`when`, `while`, `goto`).
    Ways {
        /// The first node of every way.
        ways: Vec<NodeId>,
        /// Index of the way that the IR lists when the statement is accepted.
        listed: usize,
    },
    /// `event` or `any`: it comes and the path goes on, or it never comes.
    Event {
        /// The event's name, when it may open a flow.
        opens: Option<&'t str>,
        /// What follows when it comes.
        next: NodeId,
        /// The end, when it never comes.
        never: NodeId,
    },
    /// The end of a path.
    End(End),
}

/// The kinds of step.
#[derive(Clone, Copy, Debug)]
pub enum StepKind<'t> {
    /// `bot`
    Say(&'t Bot),
    /// `user`, or a turn that an arm of `when` waits for.
    Turn(TurnKind<'t>),
    /// `execute`
    Execute(&'t Execute),
}

/// What a turn waits for.
#[derive(Clone, Copy, Debug)]
pub enum TurnKind<'t> {
    /// A turn of the person.
    User(&'t Turn),
    /// A message or an event of `when`.
    Other(&'t str),
}

impl TurnKind<'_> {
    /// What the IR calls the turn.
    pub fn name(&self) -> &str {
        match self {
            Self::User(Turn::Named(name) | Turn::Text(name)) => &name.value,
            Self::User(Turn::Anything) => "...",
            Self::Other(name) => name,
        }
    }
}

impl Graph<'_> {
    /// The nodes from first to last in source order, with their ids.
    pub fn in_order(&self) -> impl Iterator<Item = (NodeId, &Node<'_>)> {
        self.nodes.iter().enumerate().rev()
    }

    /// The successors of a node.
    pub fn successors<'n>(&self, node: &'n Node<'_>) -> impl Iterator<Item = NodeId> + use<'n> {
        let (many, few): (&[NodeId], [Option<NodeId>; 2]) = match &node.kind {
            NodeKind::Step { next, .. } | NodeKind::Plain { next } => (&[], [Some(*next), None]),
            NodeKind::If { arms, passed, .. } => (arms, [*passed, None]),
            NodeKind::Ways { ways, .. } => (ways, [None, None]),
            NodeKind::Event { next, never, .. } => (&[], [Some(*next), Some(*never)]),
            NodeKind::End(_) => (&[], [None, None]),
        };
        many.iter().copied().chain(few.into_iter().flatten())
    }

    /// Which nodes some path reaches.
    pub fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        if let Some(entry) = reached.get_mut(self.entry) {
            *entry = true;
        }
        for (id, node) in self.in_order() {
            if reached.get(id) == Some(&true) {
                for successor in self.successors(node) {
                    if let Some(slot) = reached.get_mut(successor) {
                        *slot = true;
                    }
                }
            }
        }
        reached
    }
}

impl Node<'_> {
    /// The node's place: its statement's head.
    pub fn place(&self) -> Place {
        Place {
            span: self
                .statement
                .map_or(Span::default(), |statement| statement.head.span),
            inlined_by: self.inlined_by,
        }
    }
}

/// Builds the graph of a flow whose extent is within the limits. `rounds` is how often the body
/// of a `while` may run: two for judging words (contract section 4, fine print), one suffices
/// for what a flow contains.
pub fn build<'t>(
    definitions: &Definitions<'t>,
    flow: &'t FlowDefinition,
    rounds: usize,
) -> Graph<'t> {
    let mut builder = Builder {
        definitions,
        rounds,
        nodes: Vec::new(),
        end: 0,
        has_loop: false,
    };
    builder.end = builder.push(NodeKind::End(End::End), None, None);
    let scope = Scope {
        return_to: builder.end,
        round: None,
        inlined_by: None,
    };
    let entry = builder.block(&flow.body, builder.end, scope);
    Graph {
        nodes: builder.nodes,
        entry,
        has_loop: builder.has_loop,
    }
}

struct Builder<'d, 't> {
    definitions: &'d Definitions<'t>,
    rounds: usize,
    nodes: Vec<Node<'t>>,
    end: NodeId,
    has_loop: bool,
}

#[derive(Clone, Copy)]
struct Scope {
    return_to: NodeId,
    round: Option<Round>,
    inlined_by: Option<Span>,
}

#[derive(Clone, Copy)]
struct Round {
    break_to: NodeId,
    continue_to: NodeId,
}

impl<'t> Builder<'_, 't> {
    fn push(
        &mut self,
        kind: NodeKind<'t>,
        statement: Option<&'t Statement>,
        inlined_by: Option<Span>,
    ) -> NodeId {
        self.nodes.push(Node {
            kind,
            statement,
            inlined_by,
        });
        self.nodes.len() - 1
    }

    /// Recursion over blocks and `do`s, both of which [`super::inlining`] has bounded.
    fn block(&mut self, body: &'t [Statement], next: NodeId, scope: Scope) -> NodeId {
        body.iter().rev().fold(next, |next, statement| {
            self.statement(statement, next, scope)
        })
    }

    fn statement(&mut self, statement: &'t Statement, next: NodeId, scope: Scope) -> NodeId {
        let kind = match &statement.kind {
            StatementKind::Execute(execute) => NodeKind::Step {
                step: StepKind::Execute(execute),
                next,
            },
            StatementKind::Bot(bot) => NodeKind::Step {
                step: StepKind::Say(bot),
                next,
            },
            StatementKind::User(turn) => NodeKind::Step {
                step: StepKind::Turn(TurnKind::User(turn)),
                next,
            },
            StatementKind::If(branching) => self.branching(branching, next, scope),
            StatementKind::When(when) => self.when(when, statement, next, scope),
            StatementKind::While(round) => return self.rounds(round, statement, next, scope),
            StatementKind::Do(name) => {
                let subflow = self
                    .definitions
                    .subflow_by_name
                    .get(name.value.as_str())
                    .and_then(|index| self.definitions.subflows.get(*index).copied());
                let inner = Scope {
                    return_to: next,
                    round: None,
                    inlined_by: scope.inlined_by.or(Some(statement.head.span)),
                };
                let next = match subflow {
                    Some(subflow) => self.block(&subflow.body, next, inner),
                    None => next,
                };
                NodeKind::Plain { next }
            }
            StatementKind::Stop => NodeKind::End(End::Stop),
            StatementKind::Return => NodeKind::Plain {
                next: scope.return_to,
            },
            StatementKind::Break => NodeKind::Plain {
                next: scope.round.map_or(next, |round| round.break_to),
            },
            StatementKind::Continue => NodeKind::Plain {
                next: scope.round.map_or(next, |round| round.continue_to),
            },
            StatementKind::Event(name) => NodeKind::Event {
                opens: Some(&name.value),
                next,
                never: self.end,
            },
            StatementKind::Any => NodeKind::Event {
                opens: None,
                next,
                never: self.end,
            },
            StatementKind::Goto(_) => NodeKind::Ways {
                ways: vec![next, self.end],
                listed: 0,
            },
            StatementKind::Assign(_)
            | StatementKind::CreateEvent(_)
            | StatementKind::Label(_)
            | StatementKind::Meta
            | StatementKind::Priority => NodeKind::Plain { next },
        };
        self.push(kind, Some(statement), scope.inlined_by)
    }

    fn branching(&mut self, branching: &'t If, next: NodeId, scope: Scope) -> NodeKind<'t> {
        let mut arms: Vec<NodeId> = branching
            .arms
            .iter()
            .rev()
            .map(|arm| self.block(&arm.body, next, scope))
            .collect();
        arms.reverse();
        let has_else = branching
            .arms
            .last()
            .is_some_and(|arm| arm.condition.is_none());
        NodeKind::If {
            branching,
            arms,
            passed: (!has_else).then_some(next),
            join: next,
        }
    }

    fn when(
        &mut self,
        when: &'t When,
        statement: &'t Statement,
        next: NodeId,
        scope: Scope,
    ) -> NodeKind<'t> {
        let mut ways = Vec::new();
        for arm in when.arms.iter().rev() {
            let body = self.block(&arm.body, next, scope);
            let turn = match &arm.trigger {
                None => None,
                Some(Trigger::User(turn)) => Some(TurnKind::User(turn)),
                Some(Trigger::Bot(name) | Trigger::Event(name)) => {
                    Some(TurnKind::Other(&name.value))
                }
            };
            ways.push(match turn {
                Some(turn) => self.push(
                    NodeKind::Step {
                        step: StepKind::Turn(turn),
                        next: body,
                    },
                    Some(statement),
                    scope.inlined_by,
                ),
                None => body,
            });
        }
        ways.reverse();
        let otherwise = when.arms.iter().position(|arm| arm.trigger.is_none());
        NodeKind::Ways {
            ways,
            listed: otherwise.unwrap_or(0),
        }
    }

    fn rounds(
        &mut self,
        round: &'t While,
        statement: &'t Statement,
        next: NodeId,
        scope: Scope,
    ) -> NodeId {
        self.has_loop = true;
        let mut again = next;
        for _ in 0..self.rounds {
            let inner = Scope {
                round: Some(Round {
                    break_to: next,
                    continue_to: again,
                }),
                ..scope
            };
            let body = self.block(&round.body, again, inner);
            again = self.push(
                NodeKind::Ways {
                    ways: vec![next, body],
                    listed: 0,
                },
                Some(statement),
                scope.inlined_by,
            );
        }
        again
    }
}

/// Whether a `bot` line is a remark: seen, and neither a refusal nor a question.
pub fn is_remark(bot: &Bot) -> bool {
    match &bot.message {
        Message::Named(name) => !is_question(&name.value) && !is_refusal(&name.value),
        Message::Text(_) => true,
        Message::Unseen(_) => false,
    }
}
