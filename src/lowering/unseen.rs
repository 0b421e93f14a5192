//! What the gate cannot see: accepted only where no word depends on it (contract section 3).
//!
//! Every place of the graph is judged together with what the words depend on of the steps
//! before it ([`StepState`]). From the ends backwards each such pair gets a *residue*: a tree
//! over conditions with words at its leaves, shared where equal. A statement whose way cannot
//! be seen is accepted when the residues of all its ways are equal in every context.

use std::collections::{BTreeMap, BTreeSet};

use crate::decision_space::{Answer, Problem, Space, TruthSet};
use crate::diagnostics::{Diagnostic, Sink, codes::flows};
use crate::ir::{Condition, End, FlowKind, Step, StepState, UNDECIDED, Word};
use crate::syntax::tree::Message;
use crate::text::{Span, quoted};

use super::branches::ir_step;
use super::conditions::Hidden;
use super::graph::{Graph, Node, NodeId, NodeKind, StepKind};
use super::unseen_messages as messages;

/// Most states that are judged beyond one for each place.
const MOST_STATES: usize = 10_000;
/// Most tools in all these states together, those of each place counted again.
const MOST_RUNS: usize = 1_000_000;
/// Most steps of one comparison of two residues.
const MOST_COMPARISONS: usize = 50_000;

/// A flow to be judged.
#[derive(Debug)]
pub struct Judged<'g, 't> {
    /// Its graph, `while` unrolled to two rounds.
    pub graph: &'g Graph<'t>,
    /// By node: whether it is an inert `if`.
    pub inert: &'g [bool],
    /// By node: the conditions of an `if`'s arms.
    pub conditions: &'g [Vec<Condition>],
    /// By node: whether one of these conditions has a hidden leaf.
    pub reads_hidden: &'g [bool],
    /// The hidden leaves of these conditions.
    pub hidden: &'g [Hidden<'t>],
    /// Governing or guard; of a dialogue flow no word depends on anything.
    pub kind: FlowKind,
    /// The tools it governs.
    pub tools: &'g [&'t str],
    /// The flow's name.
    pub name: Span,
}

type Residue = usize;
type State = StepState;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Residual {
    /// By tool, the word; of a guard, its one word, `NoMatch` standing for silence.
    Words(Vec<OwnedWord>),
    /// The arms' residues in order, then the one of no arm.
    Split(NodeId, Vec<Residue>, Option<Residue>),
}

type OwnedWord = (u8, String);

fn owned(word: Word<'_>) -> OwnedWord {
    let kind = match word {
        Word::Allow => 0,
        Word::Clarify(_) => 1,
        Word::Refuse(_) => 2,
        Word::NoMatch => 3,
    };
    (kind, word.rule().to_owned())
}

/// Marks the name of a message that the gate cannot see; no name begins with it.
const UNSEEN_MESSAGE: char = '\0';

/// Judges a flow: an error for each statement that a word depends on and the gate cannot see.
/// Returns the starts of these statements.
pub fn judge(judged: &Judged<'_, '_>, sink: &mut Sink) -> BTreeSet<usize> {
    if judged.kind == FlowKind::Dialogue || !judged.has_unseen() {
        return BTreeSet::new();
    }
    let Some(states) = judged.states() else {
        sink.push(
            Diagnostic::new(
                &flows::TOO_MANY_WAYS,
                judged.name,
                "this flow has too many ways through what the gate cannot see",
            )
            .with_help("take what the host can find out beforehand out of the flow, and let it pass the result as a context value"),
        );
        return BTreeSet::new();
    };
    let space = Space::of(judged.conditions.iter().flatten());
    let mut residues = Residues {
        judged,
        space: &space,
        known: Vec::new(),
        ids: BTreeMap::new(),
        same: BTreeSet::new(),
        reported: BTreeSet::new(),
        undecided: 0,
    };
    residues.undecided = residues.undecided();
    residues.all(&states, sink);
    residues.reported
}

impl<'t> Judged<'_, 't> {
    fn is_unseen(&self, id: NodeId, node: &Node<'_>) -> bool {
        match &node.kind {
            NodeKind::Ways { .. } | NodeKind::Event { .. } => true,
            NodeKind::If { .. } => self.inert.get(id) != Some(&true) && self.reads_hidden(id),
            NodeKind::Step {
                step: StepKind::Say(bot),
                ..
            } => matches!(bot.message, Message::Unseen(_)),
            _ => false,
        }
    }

    fn reads_hidden(&self, id: NodeId) -> bool {
        self.reads_hidden.get(id) == Some(&true)
    }

    fn of(&self, id: NodeId) -> &[Condition] {
        self.conditions.get(id).map_or(&[], Vec::as_slice)
    }

    fn has_unseen(&self) -> bool {
        self.graph
            .in_order()
            .any(|(id, node)| self.is_unseen(id, node))
    }

    /// By node, the states that some path brings to it; none when there are too many.
    fn states(&self) -> Option<Vec<BTreeSet<State>>> {
        let mut states = vec![BTreeSet::new(); self.graph.nodes.len()];
        states.get_mut(self.graph.entry)?.insert(State::new());
        let (mut count, mut runs) = (0, 0);
        for (id, node) in self.graph.in_order() {
            let here = std::mem::take(states.get_mut(id)?);
            count += here.len().saturating_sub(1);
            for state in &here {
                runs += state.tools().count();
                if count > MOST_STATES || runs > MOST_RUNS {
                    return None;
                }
                for (successor, after) in self.successors(id, node, state) {
                    states.get_mut(successor)?.insert(after);
                }
            }
            *states.get_mut(id)? = here;
        }
        Some(states)
    }

    fn successors(&self, id: NodeId, node: &Node<'t>, state: &State) -> Vec<(NodeId, State)> {
        match &node.kind {
            NodeKind::Step { step, next } => {
                let mut after = state.clone();
                after.step(&step_of(id, *step));
                vec![(*next, after)]
            }
            NodeKind::Event {
                opens: Some(name),
                next,
                ..
            } if state.is_empty() => {
                let mut after = state.clone();
                after.step(&Step::Event((*name).to_owned()));
                vec![(*next, after)]
            }
            NodeKind::If { join, .. } if self.inert.get(id) == Some(&true) => {
                vec![(*join, state.clone())]
            }
            _ => self
                .graph
                .successors(node)
                .map(|successor| (successor, state.clone()))
                .collect(),
        }
    }
}

fn step_of(id: NodeId, step: StepKind<'_>) -> Step {
    match step {
        StepKind::Say(bot) if matches!(bot.message, Message::Unseen(_)) => {
            Step::Say(format!("{UNSEEN_MESSAGE}{id}"))
        }
        step => ir_step(step),
    }
}

struct Residues<'j, 'g, 't> {
    judged: &'j Judged<'g, 't>,
    /// The classes of all names that the flow's conditions read.
    space: &'j Space,
    known: Vec<Residual>,
    ids: BTreeMap<Residual, Residue>,
    /// Pairs that are equal in every context.
    same: BTreeSet<(Residue, Residue)>,
    /// Starts of the statements that were reported.
    reported: BTreeSet<usize>,
    undecided: Residue,
}

/// How two residues compare.
enum Comparison {
    Same,
    /// They differ; the index of the first tool whose word does.
    Differ(usize),
    GaveUp,
}

impl<'t> Residues<'_, '_, 't> {
    fn id(&mut self, residual: Residual) -> Residue {
        if let Some(id) = self.ids.get(&residual) {
            return *id;
        }
        let id = self.known.len();
        self.known.push(residual.clone());
        self.ids.insert(residual, id);
        id
    }

    fn undecided(&mut self) -> Residue {
        let words = match self.judged.kind {
            FlowKind::Guard => 1,
            _ => self.judged.tools.len(),
        };
        self.id(Residual::Words(vec![owned(UNDECIDED); words]))
    }

    fn all(&mut self, states: &[BTreeSet<State>], sink: &mut Sink) {
        let mut residues: Vec<BTreeMap<&State, Residue>> = Vec::with_capacity(states.len());
        for (id, here) in states.iter().enumerate() {
            let mut of_node = BTreeMap::new();
            if let Some(node) = self.judged.graph.nodes.get(id) {
                for state in here {
                    let after: Vec<Residue> = self
                        .judged
                        .successors(id, node, state)
                        .iter()
                        .filter_map(|(successor, after)| {
                            residues.get(*successor)?.get(after).copied()
                        })
                        .collect();
                    of_node.insert(state, self.residue(id, node, state, &after, sink));
                }
            }
            residues.push(of_node);
        }
    }

    fn residue(
        &mut self,
        id: NodeId,
        node: &Node<'t>,
        state: &State,
        after: &[Residue],
        sink: &mut Sink,
    ) -> Residue {
        let first = after.first().copied().unwrap_or(self.undecided);
        match &node.kind {
            NodeKind::End(end) => self.words(state, *end, sink),
            NodeKind::Ways { listed, .. } => {
                let kept = after.get(*listed).copied().unwrap_or(first);
                self.require_same(kept, after, node, None, sink);
                kept
            }
            NodeKind::Event { .. } => {
                self.require_same(first, after, node, None, sink);
                first
            }
            NodeKind::If { arms, passed, .. } if after.len() > 1 || passed.is_none() => {
                let (of_arms, of_passed) = match passed {
                    Some(_) => {
                        let (last, arms) = after.split_last().unwrap_or((&first, &[]));
                        (arms.to_vec(), Some(*last))
                    }
                    None => (after.to_vec(), None),
                };
                if of_arms.len() != arms.len() {
                    return first;
                }
                let no_arm = of_passed.or(of_arms.last().copied()).unwrap_or(first);
                let mut conditions = self.judged.of(id).iter();
                let decided = !conditions.any(Condition::can_be_undecided);
                if decided && after.iter().all(|residue| *residue == no_arm) {
                    return no_arm;
                }
                let split = self.id(Residual::Split(id, of_arms, of_passed));
                if !self.judged.reads_hidden(id) {
                    return split;
                }
                self.require_same(no_arm, &[split], node, Some(id), sink);
                no_arm
            }
            _ => first,
        }
    }

    fn words(&mut self, state: &State, end: End, sink: &mut Sink) -> Residue {
        let judged = self.judged;
        let words: Vec<Word<'_>> = match judged.kind {
            FlowKind::Guard => vec![state.guard_word(end).unwrap_or(Word::NoMatch)],
            _ => judged
                .tools
                .iter()
                .map(|tool| state.word(end, tool))
                .collect(),
        };
        for word in &words {
            if let Some(node) = word
                .rule()
                .strip_prefix(UNSEEN_MESSAGE)
                .and_then(|id| id.parse::<usize>().ok())
                .and_then(|id| judged.graph.nodes.get(id))
            {
                self.report(messages::unseen_message(node), node, sink);
            }
        }
        let words = words.into_iter().map(owned).collect();
        self.id(Residual::Words(words))
    }

    fn report(&mut self, diagnostic: Diagnostic, node: &Node<'_>, sink: &mut Sink) {
        if self.reported.insert(node.place().span.start) {
            sink.push(node.place().label(diagnostic));
        }
    }

    /// Reports the node unless all `others` are equal to `kept` in every context.
    fn require_same(
        &mut self,
        kept: Residue,
        others: &[Residue],
        node: &Node<'t>,
        condition_of: Option<NodeId>,
        sink: &mut Sink,
    ) {
        if self.reported.contains(&node.place().span.start) {
            return;
        }
        for other in others {
            let on = match self.compare(kept, *other) {
                Comparison::Same => continue,
                Comparison::GaveUp => "a tool (as far as could be found out)".to_owned(),
                Comparison::Differ(index) => match self.judged.tools.get(index) {
                    Some(tool) => quoted(tool),
                    None => "calls".to_owned(),
                },
            };
            let hidden = condition_of.and_then(|id| self.first_hidden(id));
            let diagnostic = match hidden {
                Some(hidden) => messages::hidden_leaf(hidden, node, &on),
                None => messages::unseen_way(node, &on),
            };
            self.report(diagnostic, node, sink);
            return;
        }
    }

    fn first_hidden(&self, id: NodeId) -> Option<&Hidden<'t>> {
        let conditions = self.judged.of(id);
        let name = conditions
            .iter()
            .flat_map(Condition::leaves)
            .filter_map(Condition::name)
            .find(|name| super::conditions::is_hidden(name))?;
        let index = name.get(1)?.parse::<usize>().ok()?;
        self.judged.hidden.get(index)
    }

    fn compare(&mut self, left: Residue, right: Residue) -> Comparison {
        if self.is_same(left, right) {
            return Comparison::Same;
        }
        let mut problem = Problem::new(self.space);
        let mut budget = MOST_COMPARISONS;
        let mut tasks = vec![Task::Visit(left, right)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Pop(count) => (0..count).for_each(|_| problem.pop()),
                Task::Visit(left, right) if left == right => {}
                Task::Visit(left, right) => match (self.known.get(left), self.known.get(right)) {
                    (Some(Residual::Words(mine)), Some(Residual::Words(theirs))) => {
                        let index = mine.iter().zip(theirs).position(|(a, b)| a != b);
                        match problem.solve() {
                            Answer::Unsatisfiable => {}
                            Answer::Satisfiable(_) => {
                                return Comparison::Differ(index.unwrap_or(0));
                            }
                            Answer::GaveUp => return Comparison::GaveUp,
                        }
                    }
                    (Some(Residual::Split(..)), _) => {
                        tasks.extend(self.ways(left).map(|(way, to)| Task::Way(way, to, right)));
                    }
                    _ => {
                        tasks.extend(self.ways(right).map(|(way, to)| Task::Way(way, to, left)));
                    }
                },
                Task::Way(way, left, right) => {
                    budget = budget.saturating_sub(1);
                    if budget == 0 {
                        return Comparison::GaveUp;
                    }
                    let mut pushed = 0;
                    let possible = self
                        .requirements(way)
                        .into_iter()
                        .all(|(condition, truth)| {
                            pushed += 1;
                            problem.push(condition, truth)
                        });
                    tasks.push(Task::Pop(pushed));
                    if possible {
                        tasks.push(Task::Visit(left, right));
                    }
                }
            }
        }
        self.same.insert((left, right));
        Comparison::Same
    }

    /// Whether two residues are known to be equal: the same, or found so before.
    fn is_same(&self, left: Residue, right: Residue) -> bool {
        left == right || self.same.contains(&(left, right)) || self.same.contains(&(right, left))
    }

    /// The ways of a split, each with the residue it leads to.
    fn ways(&self, residue: Residue) -> impl Iterator<Item = (Way, Residue)> + use<> {
        let mut ways = Vec::new();
        if let Some(Residual::Split(node, arms, passed)) = self.known.get(residue) {
            let conditions = self.judged.of(*node).len();
            for (index, arm) in arms.iter().enumerate() {
                ways.push((Way::Arm(*node, index), *arm));
            }
            for index in 0..conditions {
                ways.push((Way::Undecided(*node, index), self.undecided));
            }
            ways.extend(passed.map(|passed| (Way::Arm(*node, conditions), passed)));
        }
        ways.into_iter()
    }

    /// What holds of the node's conditions on a way.
    fn requirements(&self, way: Way) -> Vec<(&Condition, TruthSet)> {
        let (node, index, last) = match way {
            Way::Arm(node, index) => (node, index, TruthSet::TRUE),
            Way::Undecided(node, index) => (node, index, TruthSet::UNKNOWN),
        };
        let conditions = self.judged.of(node).iter();
        conditions
            .take(index + 1)
            .enumerate()
            .map(|(at, condition)| (condition, if at == index { last } else { TruthSet::FALSE }))
            .collect()
    }
}

enum Task {
    Visit(Residue, Residue),
    Way(Way, Residue, Residue),
    Pop(usize),
}

/// A way through an `if`: the arm with this index (the one behind the last condition is the
/// `else`, or no arm), or the condition with this index being neither true nor false.
#[derive(Clone, Copy)]
enum Way {
    Arm(NodeId, usize),
    Undecided(NodeId, usize),
}
