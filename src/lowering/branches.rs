//! The branches of a flow: how many there are, and what each says and runs (contract section 4).

use crate::diagnostics::{Diagnostic, Sink, codes::artifacts, codes::flows};
use crate::ir::limits::{MAX_ARTIFACT_BYTES, MAX_BRANCHES};
use crate::ir::{self, Choice, Condition, End};
use crate::syntax::tree::{self, Arm, Execute, If, Message};
use crate::text::{Source, Span, quoted};

use super::conditions::is_hidden;
use super::graph::{Graph, Node, NodeId, NodeKind, StepKind};
use super::places::{FlowPlaces, IfPlaces};

/// No step or choice takes fewer bytes than this in the canonical form.
const LEAST_BYTES_OF_STEP: u64 = 60;

/// A flow's graph with what the words do not depend on left out.
#[derive(Debug)]
pub struct Reduced<'g, 't> {
    /// The whole graph.
    pub graph: &'g Graph<'t>,
    /// By node: whether it is an inert `if`.
    pub inert: &'g [bool],
    /// By node: whether it is an `if` with a hidden leaf in a condition.
    pub reads_hidden: &'g [bool],
}

/// What a path does at a node of a [`Reduced`] graph.
enum Move<'n, 't> {
    /// Goes on without a trace.
    Skip(NodeId),
    /// Records a step.
    Step(StepKind<'t>, NodeId),
    /// Records an event, if it is the first step.
    Event(&'t str, NodeId),
    /// Takes one of several ways.
    Split(&'t If, &'n [NodeId], Option<NodeId>),
    /// Ends.
    End(End),
}

/// Whether a condition reads a hidden leaf.
pub fn reads_hidden(condition: &Condition) -> bool {
    condition
        .leaves()
        .filter_map(Condition::name)
        .any(|name| is_hidden(name))
}

impl<'g, 't> Reduced<'g, 't> {
    fn at(&self, id: NodeId, node: &'g Node<'t>) -> Move<'g, 't> {
        match &node.kind {
            NodeKind::Plain { next } => Move::Skip(*next),
            NodeKind::Step { step, next } => match step {
                StepKind::Say(bot) if matches!(bot.message, Message::Unseen(_)) => {
                    Move::Skip(*next)
                }
                step => Move::Step(*step, *next),
            },
            NodeKind::Ways { ways, listed } => {
                Move::Skip(ways.get(*listed).copied().unwrap_or_default())
            }
            NodeKind::Event {
                opens: Some(name),
                next,
                ..
            } => Move::Event(name, *next),
            NodeKind::Event { next, .. } => Move::Skip(*next),
            NodeKind::End(end) => Move::End(*end),
            NodeKind::If {
                branching,
                arms,
                passed,
                join,
            } => {
                if self.inert.get(id) == Some(&true) {
                    return Move::Skip(*join);
                }
                if self.reads_hidden.get(id) == Some(&true) {
                    let no_arm = passed.or(arms.last().copied());
                    return Move::Skip(no_arm.unwrap_or(*join));
                }
                Move::Split(branching, arms, *passed)
            }
        }
    }

    /// Number of branches, or the `if` at which there are more than [`MAX_BRANCHES`].
    pub fn count(&self, name: Span, sink: &mut Sink) -> Option<usize> {
        let nodes = &self.graph.nodes;
        let mut paths = vec![0_u64; nodes.len()];
        let mut total = 1_u64;
        let mut recorded = 0_u64;
        add(&mut paths, self.graph.entry, 1);
        let to_end = self.paths_to_end();
        for (id, node) in nodes.iter().enumerate().rev() {
            let here = paths.get(id).copied().unwrap_or(0);
            if here == 0 {
                continue;
            }
            let through = here.saturating_mul(to_end.get(id).copied().unwrap_or(1));
            match self.at(id, node) {
                Move::Skip(next) => add(&mut paths, next, here),
                Move::Step(_, next) | Move::Event(_, next) => {
                    recorded = recorded.saturating_add(through);
                    add(&mut paths, next, here);
                }
                Move::End(_) => {}
                Move::Split(_, arms, passed) => {
                    recorded = recorded.saturating_add(through);
                    let ways = arms.len() + usize::from(passed.is_some());
                    let more = u64::try_from(ways.saturating_sub(1)).unwrap_or(u64::MAX);
                    total = total.saturating_add(here.saturating_mul(more));
                    if total > MAX_BRANCHES as u64 {
                        sink.push(node.place().label(too_many_branches(node.place().span)));
                        return None;
                    }
                    for way in arms.iter().chain(&passed) {
                        add(&mut paths, *way, here);
                    }
                }
            }
        }
        if recorded.saturating_mul(LEAST_BYTES_OF_STEP) > MAX_ARTIFACT_BYTES as u64 {
            sink.push(
                Diagnostic::new(
                    &artifacts::ARTIFACT_TOO_LARGE,
                    name,
                    "the branches of this flow alone would take more than 16 MiB",
                )
                .with_help("end paths early with `stop`, or say less after the last `if`"),
            );
            return None;
        }
        usize::try_from(total).ok()
    }

    fn paths_to_end(&self) -> Vec<u64> {
        let mut to_end: Vec<u64> = Vec::with_capacity(self.graph.nodes.len());
        for (id, node) in self.graph.nodes.iter().enumerate() {
            let of = |next: NodeId| to_end.get(next).copied().unwrap_or(0);
            let count = match self.at(id, node) {
                Move::End(_) => 1,
                Move::Skip(next) | Move::Step(_, next) | Move::Event(_, next) => of(next),
                Move::Split(_, arms, passed) => arms
                    .iter()
                    .chain(&passed)
                    .fold(0_u64, |sum, way| sum.saturating_add(of(*way))),
            };
            to_end.push(count);
        }
        to_end
    }

    /// Lists all branches, depth-first in source order. The flow's count must be within the
    /// limits. `conditions` has, by node, the conditions of an `if`'s arms, an `else` left out.
    pub fn expand(
        &self,
        conditions: Vec<Vec<Condition>>,
        flow_id: &str,
        definition: &tree::FlowDefinition,
        source: &Source,
    ) -> (Vec<ir::If>, Vec<ir::Branch>, FlowPlaces) {
        let (ifs, if_ids, places) = self.ifs(flow_id, source, definition, conditions);
        let flow_line = source.line_of(definition.head.span.start);
        let mut branches: Vec<ir::Branch> = Vec::new();
        let mut walk = Walk::default();
        let mut open = vec![Resume {
            node: self.graph.entry,
            steps: 0,
            path: 0,
            taken: None,
        }];
        while let Some(resume) = open.pop() {
            walk.steps.truncate(resume.steps);
            walk.path.truncate(resume.path);
            walk.path.extend(resume.taken);
            let mut at = resume.node;
            while let Some(node) = self.graph.nodes.get(at) {
                match self.at(at, node) {
                    Move::Skip(next) => at = next,
                    Move::Step(step, next) => {
                        walk.steps.push(ir_step(step));
                        at = next;
                    }
                    Move::Event(name, next) => {
                        if walk.steps.is_empty() {
                            walk.steps.push(ir::Step::Event(name.to_owned()));
                        }
                        at = next;
                    }
                    Move::End(end) => {
                        let id = format!("{flow_id}_b{}", branches.len() + 1);
                        branches.push(walk.branch(id, end, flow_line, &if_ids));
                        break;
                    }
                    Move::Split(branching, arms, passed) => {
                        let line = source.line_of(node.place().span.start);
                        let resume = |node, arm: Option<usize>, line| Resume {
                            node,
                            steps: walk.steps.len(),
                            path: walk.path.len(),
                            taken: Some(Taken { at, arm, line }),
                        };
                        open.extend(passed.map(|node| resume(node, None, line)));
                        for (index, (node, arm)) in
                            arms.iter().zip(&branching.arms).enumerate().rev()
                        {
                            let line = source.line_of(arm.head.span.start);
                            open.push(resume(*node, Some(index + 1), line));
                        }
                        break;
                    }
                }
            }
        }
        (ifs, branches, places)
    }

    /// The `if`s that some branch meets, in source order; and by node, the `if`'s id.
    fn ifs(
        &self,
        flow_id: &str,
        source: &Source,
        definition: &tree::FlowDefinition,
        mut conditions: Vec<Vec<Condition>>,
    ) -> (Vec<ir::If>, Vec<String>, FlowPlaces) {
        let nodes = &self.graph.nodes;
        let mut met = vec![false; nodes.len()];
        let mut ids = vec![String::new(); nodes.len()];
        let mut ifs = Vec::new();
        let mut places = FlowPlaces {
            name: definition.name.span,
            ifs: Vec::new(),
        };
        mark(&mut met, self.graph.entry);
        for (id, node) in nodes.iter().enumerate().rev() {
            if met.get(id) != Some(&true) {
                continue;
            }
            match self.at(id, node) {
                Move::Skip(next) | Move::Step(_, next) | Move::Event(_, next) => {
                    mark(&mut met, next);
                }
                Move::End(_) => {}
                Move::Split(branching, arms, passed) => {
                    for way in arms.iter().chain(&passed) {
                        mark(&mut met, *way);
                    }
                    let conditions = conditions.get_mut(id).map(std::mem::take);
                    let if_id = format!("{flow_id}_i{}", ifs.len() + 1);
                    ifs.push(ir_if(
                        &if_id,
                        branching,
                        conditions.unwrap_or_default(),
                        node,
                        source,
                    ));
                    places.ifs.push(if_places(branching));
                    if let Some(slot) = ids.get_mut(id) {
                        *slot = if_id;
                    }
                }
            }
        }
        (ifs, ids, places)
    }
}

fn add(paths: &mut [u64], node: NodeId, count: u64) {
    if let Some(slot) = paths.get_mut(node) {
        *slot = slot.saturating_add(count);
    }
}

fn mark(met: &mut [bool], node: NodeId) {
    if let Some(slot) = met.get_mut(node) {
        *slot = true;
    }
}

fn too_many_branches(span: Span) -> Diagnostic {
    Diagnostic::new(
        &flows::TOO_MANY_BRANCHES,
        span,
        "with this `if` the flow has more than 1,000 branches",
    )
    .with_label("the ways multiply here")
    .with_help("end arms with `stop`, or join conditions with `and` and `or`, so that paths do not meet again before the next `if`")
}

/// A place to go on from: the node, and how much of the walk stands.
struct Resume {
    node: NodeId,
    steps: usize,
    path: usize,
    taken: Option<Taken>,
}

/// The way taken at the `if` of a node: an arm, or none.
#[derive(Clone, Copy)]
struct Taken {
    at: NodeId,
    arm: Option<usize>,
    line: usize,
}

#[derive(Default)]
struct Walk {
    steps: Vec<ir::Step>,
    path: Vec<Taken>,
}

impl Walk {
    fn branch(&self, id: String, end: End, flow_line: usize, if_ids: &[String]) -> ir::Branch {
        let last_arm = self.path.iter().rev().find(|taken| taken.arm.is_some());
        let choice = |taken: &Taken| Choice {
            arm: taken.arm,
            if_id: if_ids.get(taken.at).cloned().unwrap_or_default(),
            passed: taken.arm.is_none(),
        };
        let last = last_arm.or(self.path.last());
        ir::Branch {
            end,
            id,
            line: last.map_or(flow_line, |taken| taken.line),
            path: self.path.iter().map(choice).collect(),
            steps: self.steps.clone(),
        }
    }
}

fn ir_if(
    id: &str,
    branching: &If,
    conditions: Vec<Condition>,
    node: &Node<'_>,
    source: &Source,
) -> ir::If {
    let mut conditions = conditions.into_iter();
    let arm = |arm: &Arm| {
        let condition = arm.condition.as_ref().and_then(|_| conditions.next());
        let condition = condition.unwrap_or(Condition::Const(true));
        ir::Arm {
            complement: condition.complement(),
            condition,
            line: source.line_of(arm.head.span.start),
        }
    };
    ir::If {
        arms: branching.arms.iter().map(arm).collect(),
        id: id.to_owned(),
        line: source.line_of(node.place().span.start),
    }
}

fn if_places(branching: &If) -> IfPlaces {
    IfPlaces {
        arms: branching
            .arms
            .iter()
            .map(|arm| match &arm.condition {
                Some(condition) => condition.span.span,
                None => arm.head.span,
            })
            .collect(),
        has_else: branching
            .arms
            .last()
            .is_some_and(|arm| arm.condition.is_none()),
    }
}

/// The step as the IR has it. An unseen message has no such form: it is left out before.
pub fn ir_step(step: StepKind<'_>) -> ir::Step {
    match step {
        StepKind::Say(bot) => match &bot.message {
            Message::Named(name) => ir::Step::Say(name.value.clone()),
            Message::Text(text) | Message::Unseen(text) => ir::Step::SayText(text.value.clone()),
        },
        StepKind::Turn(turn) => ir::Step::Turn(turn.name().to_owned()),
        StepKind::Execute(execute) => ir::Step::Execute(ir_execute(execute)),
    }
}

fn ir_execute(execute: &Execute) -> ir::Execute {
    ir::Execute {
        arguments: execute
            .arguments
            .iter()
            .map(|argument| ir::Argument {
                name: argument.name.clone(),
                value: argument.value.value.clone(),
            })
            .collect(),
        result: execute.result.as_ref().map(|name| name.value.clone()),
        tool: execute.tool.value.clone(),
    }
}

/// The message of a rulebook with more branches in all than it may have.
pub fn too_many_in_all(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &flows::TOO_MANY_BRANCHES,
        span,
        format!(
            "with {} the rulebook has more than 20,000 branches",
            quoted(name)
        ),
    )
    .with_help("split the rulebook in several, each with its own package")
}
