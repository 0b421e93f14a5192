//! Whether conditions can have wanted truths together, exactly and without a product.
//!
//! A requirement is pushed down to the leaves, where it narrows its name's set of classes. What
//! needs *some* child of an `and` or `or` stays open as a list of alternatives; the search
//! decides these one after another, and an alternative that failed is excluded from then on.
//! Names are independent, so when no list is open and no set is empty, any choice satisfies.

use std::collections::BTreeSet;

use crate::evaluator::Truth;
use crate::ir::Condition;

use super::kleene::{Demand, conjunction, demands, dual};
use super::sets::{ClassSet, TruthSet};
use super::space::{Space, Witness};

/// Steps that a search takes at most unless told otherwise; a step looks at one condition.
pub const DEFAULT_BUDGET: u64 = 2_000_000;

/// What came of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A call in which all requirements hold.
    Satisfiable(Witness),
    /// There is none.
    Unsatisfiable,
    /// Not found out within the budget, or a requirement reads what the space does not have.
    GaveUp,
}

/// Requirements on one call: conditions, each with the truths it may have. They are pushed and
/// popped like a stack, so that a walk over a tree of conditions shares its work.
#[derive(Debug)]
pub struct Problem<'s> {
    pub(super) space: &'s Space,
    budget: u64,
    pub(super) steps: u64,
    nodes: Vec<Node>,
    /// The classes left to each name.
    pub(super) domains: Vec<ClassSet>,
    pub(super) choices: Vec<Choice>,
    /// For each name, the choices that read it.
    watchers: Vec<Vec<usize>>,
    trail: Vec<Change>,
    levels: Vec<Level>,
    state: State,
    goals: Vec<Goal>,
    /// Names whose set was narrowed since their choices were looked at.
    narrowed: Vec<usize>,
}

/// A condition, its leaves resolved in the space.
#[derive(Debug)]
enum Node {
    Const(bool),
    Leaf {
        name: usize,
        holds: ClassSet,
        fails: ClassSet,
    },
    All(Vec<usize>),
    Any(Vec<usize>),
    /// A leaf that the space was not made for.
    Foreign,
}

/// A node and the truths it may have.
pub(super) type Goal = (usize, TruthSet);

/// A list of goals of which one must be met.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) alternatives: Vec<Goal>,
    /// The names that the alternatives read.
    pub(super) names: Vec<usize>,
    pub(super) open: bool,
}

/// What is known of an open choice.
enum Standing {
    Impossible,
    Only(Goal),
    Open,
    Met,
}

#[derive(Debug)]
enum Change {
    Narrowed(usize, ClassSet),
    Closed(usize),
}

/// What the requirements so far are known to come to.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    contradictory: bool,
    /// Some requirement could not be applied.
    foreign: bool,
}

/// A point to return to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    trail: usize,
    choices: usize,
    state: State,
}

#[derive(Debug)]
struct Level {
    mark: Mark,
    nodes: usize,
}

impl<'s> Problem<'s> {
    /// A problem without requirements. The space must be that of all conditions to be pushed.
    pub fn new(space: &'s Space) -> Self {
        Self {
            space,
            budget: DEFAULT_BUDGET,
            steps: 0,
            nodes: Vec::new(),
            domains: space.iter().map(|(_, classes)| classes.all()).collect(),
            choices: Vec::new(),
            watchers: vec![Vec::new(); space.names().len()],
            trail: Vec::new(),
            levels: Vec::new(),
            state: State::default(),
            goals: Vec::new(),
            narrowed: Vec::new(),
        }
    }

    /// Sets how many steps each search may take.
    #[must_use]
    pub fn with_budget(mut self, steps: u64) -> Self {
        self.budget = steps;
        self
    }

    /// Requires a condition to have one of these truths. False when that is known at once to
    /// contradict the rest; true does not promise a solution, [`Problem::solve`] tells.
    pub fn push(&mut self, condition: &Condition, allowed: TruthSet) -> bool {
        self.levels.push(Level {
            mark: self.mark(),
            nodes: self.nodes.len(),
        });
        if !self.state.contradictory {
            let node = self.compile(condition);
            self.goals.push((node, allowed));
            self.settle();
        }
        !self.state.contradictory
    }

    /// Takes back the last requirement.
    pub fn pop(&mut self) {
        if let Some(level) = self.levels.pop() {
            self.undo(level.mark);
            self.nodes.truncate(level.nodes);
        }
    }

    /// Number of requirements.
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// The classes left to a name by what is known without a search.
    pub fn domain(&self, name: &[String]) -> Option<&ClassSet> {
        self.space
            .index(name)
            .and_then(|index| self.domains.get(index))
    }

    /// Searches for a call in which all requirements hold. The requirements stay as they are.
    pub fn solve(&mut self) -> Answer {
        let base = self.mark();
        self.steps = 0;
        let mut taken: Vec<(Mark, usize, usize)> = Vec::new();
        let answer = loop {
            if self.is_exhausted() {
                break Answer::GaveUp;
            }
            if self.state.contradictory {
                let Some((mark, choice, alternative)) = taken.pop() else {
                    break Answer::Unsatisfiable;
                };
                self.undo(mark);
                self.exclude(choice, alternative);
                continue;
            }
            // Most choices are met by absence; the search is about the others only.
            self.steps += u64::try_from(self.choices.len()).unwrap_or(u64::MAX / 2);
            let point = self.smallest_point();
            let unmet = self.unmet_choices(&point).next();
            let Some((choice, alternative)) = unmet else {
                break if self.state.foreign {
                    Answer::GaveUp
                } else {
                    Answer::Satisfiable(self.space.witness(&point))
                };
            };
            taken.push((self.mark(), choice, alternative));
            self.take(choice, alternative);
        };
        self.undo(base);
        answer
    }

    /// The smallest class left to each name.
    pub(super) fn smallest_point(&self) -> Vec<u32> {
        self.space
            .iter()
            .zip(&self.domains)
            .map(|((_, classes), domain)| classes.smallest(domain).unwrap_or_default())
            .collect()
    }

    /// The open choices that are not met at a point, each with its first alternative that is
    /// still possible.
    fn unmet_choices(&self, point: &[u32]) -> impl Iterator<Item = (usize, usize)> {
        let unmet = self
            .choices
            .iter()
            .enumerate()
            .filter(|(_, choice)| choice.open && !self.is_met_at(choice, point));
        unmet.map(|(at, choice)| {
            let possible = choice
                .alternatives
                .iter()
                .position(|(node, allowed)| self.possible(*node, &mut 0).intersects(*allowed));
            (at, possible.unwrap_or_default())
        })
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.steps > self.budget
    }

    pub(super) fn is_contradictory(&self) -> bool {
        self.state.contradictory
    }

    pub(super) fn is_foreign(&self) -> bool {
        self.state.foreign
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            trail: self.trail.len(),
            choices: self.choices.len(),
            state: self.state,
        }
    }

    pub(super) fn undo(&mut self, mark: Mark) {
        self.goals.clear();
        self.narrowed.clear();
        while self.choices.len() > mark.choices {
            let Some(choice) = self.choices.pop() else {
                break;
            };
            for name in choice.names {
                if let Some(watchers) = self.watchers.get_mut(name) {
                    watchers.pop();
                }
            }
        }
        for change in self.trail.drain(mark.trail.min(self.trail.len())..).rev() {
            match change {
                Change::Narrowed(name, before) => {
                    if let Some(domain) = self.domains.get_mut(name) {
                        *domain = before;
                    }
                }
                Change::Closed(choice) => {
                    if let Some(choice) = self.choices.get_mut(choice) {
                        choice.open = true;
                    }
                }
            }
        }
        self.state = mark.state;
    }

    /// Meets one alternative of an open choice.
    pub(super) fn take(&mut self, choice: usize, alternative: usize) {
        let goal = self.alternative(choice, alternative);
        self.close(choice);
        self.goals.extend(goal);
        self.settle();
    }

    /// Goes on without one alternative of an open choice: it is not met, another one is.
    pub(super) fn exclude(&mut self, choice: usize, alternative: usize) {
        let Some(found) = self.choices.get(choice) else {
            return;
        };
        let mut rest = found.alternatives.clone();
        if alternative >= rest.len() {
            return;
        }
        let (node, allowed) = rest.remove(alternative);
        self.close(choice);
        self.add_choice(rest);
        self.goals.push((node, allowed.complement()));
        self.settle();
    }

    /// Does not meet a goal.
    pub(super) fn refute(&mut self, (node, allowed): Goal) {
        self.goals.push((node, allowed.complement()));
        self.settle();
    }

    pub(super) fn alternative(&self, choice: usize, alternative: usize) -> Option<Goal> {
        self.choices
            .get(choice)?
            .alternatives
            .get(alternative)
            .copied()
    }

    fn close(&mut self, choice: usize) {
        if let Some(found) = self.choices.get_mut(choice).filter(|found| found.open) {
            found.open = false;
            self.trail.push(Change::Closed(choice));
        }
    }

    fn compile(&mut self, condition: &Condition) -> usize {
        let node = match condition {
            Condition::All(inner) => {
                Node::All(inner.iter().map(|inner| self.compile(inner)).collect())
            }
            Condition::Any(inner) => {
                Node::Any(inner.iter().map(|inner| self.compile(inner)).collect())
            }
            Condition::Const(value) => Node::Const(*value),
            leaf => self.compile_leaf(leaf).unwrap_or(Node::Foreign),
        };
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn compile_leaf(&self, leaf: &Condition) -> Option<Node> {
        let name = self.space.index(leaf.name()?)?;
        let classes = self.space.classes(leaf.name()?)?;
        let [holds, fails] = classes.truths_of(leaf)?;
        Some(Node::Leaf { name, holds, fails })
    }

    /// Pushes all goals down, and looks at the choices that this may have decided.
    fn settle(&mut self) {
        loop {
            if self.state.contradictory {
                self.goals.clear();
                self.narrowed.clear();
                return;
            }
            if let Some((node, allowed)) = self.goals.pop() {
                self.meet(node, allowed);
            } else if let Some(name) = self.narrowed.pop() {
                let count = self.watchers.get(name).map_or(0, Vec::len);
                for at in 0..count {
                    let watcher = self.watchers.get(name).and_then(|all| all.get(at).copied());
                    if let Some(choice) = watcher {
                        self.examine(choice);
                    }
                }
            } else {
                return;
            }
        }
    }

    fn meet(&mut self, node: usize, allowed: TruthSet) {
        self.steps += 1;
        let mut alternatives = None;
        match self.nodes.get(node) {
            _ if allowed == TruthSet::EMPTY => self.state.contradictory = true,
            _ if allowed == TruthSet::ALL => {}
            Some(Node::Const(value)) => {
                self.state.contradictory |= !allowed.contains((*value).into());
            }
            Some(Node::Leaf { name, holds, fails }) => {
                let Some(domain) = self.domains.get_mut(*name) else {
                    return;
                };
                let narrowed = narrow(domain, holds, fails, allowed);
                if narrowed.len() < domain.len() {
                    self.state.contradictory |= narrowed.is_empty();
                    let before = std::mem::replace(domain, narrowed);
                    self.trail.push(Change::Narrowed(*name, before));
                    self.narrowed.push(*name);
                }
            }
            Some(Node::All(children)) => {
                let (all, some) = demands(allowed);
                push_down(&mut self.goals, children, all);
                alternatives = some.map(|some| alternatives_of(node, children, some));
            }
            Some(Node::Any(children)) => {
                let (all, some) = demands(dual(allowed));
                push_down(&mut self.goals, children, all.map(dual));
                alternatives = some.map(|some| alternatives_of(node, children, some.dual()));
            }
            Some(Node::Foreign) | None => self.state.foreign = true,
        }
        if let Some(alternatives) = alternatives {
            self.add_choice(alternatives);
        }
    }

    fn add_choice(&mut self, alternatives: Vec<Goal>) {
        let mut names = BTreeSet::new();
        let mut rest: Vec<usize> = alternatives.iter().map(|(node, _)| *node).collect();
        while let Some(node) = rest.pop() {
            self.steps += 1;
            match self.nodes.get(node) {
                Some(Node::Leaf { name, .. }) => {
                    names.insert(*name);
                }
                Some(Node::All(children) | Node::Any(children)) => rest.extend(children),
                Some(Node::Const(_) | Node::Foreign) | None => {}
            }
        }
        let choice = self.choices.len();
        for name in &names {
            if let Some(watchers) = self.watchers.get_mut(*name) {
                watchers.push(choice);
            }
        }
        self.choices.push(Choice {
            alternatives,
            names: names.into_iter().collect(),
            open: true,
        });
        self.examine(choice);
    }

    /// Closes a choice that is met anyway or has one alternative left; one without any is a
    /// contradiction. Stops at the second that is possible: then the choice stays open.
    fn examine(&mut self, choice: usize) {
        let Some(found) = self.choices.get(choice).filter(|found| found.open) else {
            return;
        };
        let mut steps = 0;
        let mut standing = Standing::Impossible;
        for goal in &found.alternatives {
            let truths = self.possible(goal.0, &mut steps);
            if truths.is_subset(goal.1) {
                standing = Standing::Met;
                break;
            }
            if truths.intersects(goal.1) {
                if matches!(standing, Standing::Only(_)) {
                    standing = Standing::Open;
                    break;
                }
                standing = Standing::Only(*goal);
            }
        }
        self.steps += steps;
        match standing {
            Standing::Impossible => self.state.contradictory = true,
            Standing::Met => self.close(choice),
            Standing::Only(goal) => {
                self.close(choice);
                self.goals.push(goal);
            }
            Standing::Open => {}
        }
    }

    /// The truths that a node may have when each of its names has a class left to it; children
    /// are taken as independent, so these may be too many, never too few.
    fn possible(&self, node: usize, steps: &mut u64) -> TruthSet {
        *steps += 1;
        match self.nodes.get(node) {
            Some(Node::Const(value)) => TruthSet::from(Truth::from(*value)),
            Some(Node::Leaf { name, holds, fails }) => self
                .domains
                .get(*name)
                .map_or(TruthSet::ALL, |domain| truths_on(domain, holds, fails)),
            Some(Node::All(children)) => {
                conjunction(children.iter().map(|child| self.possible(*child, steps)))
            }
            Some(Node::Any(children)) => dual(conjunction(
                children
                    .iter()
                    .map(|child| dual(self.possible(*child, steps))),
            )),
            Some(Node::Foreign) | None => TruthSet::ALL,
        }
    }

    /// Whether a choice is met at a point.
    pub(super) fn is_met_at(&self, choice: &Choice, point: &[u32]) -> bool {
        choice
            .alternatives
            .iter()
            .any(|(node, allowed)| self.truths_at(*node, point).is_subset(*allowed))
    }

    /// The truth of a node at a point, as a set of one; every truth when it is not known.
    fn truths_at(&self, node: usize, point: &[u32]) -> TruthSet {
        match self.nodes.get(node) {
            Some(Node::Const(value)) => TruthSet::from(Truth::from(*value)),
            Some(Node::Leaf { name, holds, fails }) => match point.get(*name) {
                Some(class) if holds.contains(*class) => TruthSet::TRUE,
                Some(class) if fails.contains(*class) => TruthSet::FALSE,
                Some(_) => TruthSet::UNKNOWN,
                None => TruthSet::ALL,
            },
            Some(Node::All(children)) => {
                conjunction(children.iter().map(|child| self.truths_at(*child, point)))
            }
            Some(Node::Any(children)) => dual(conjunction(
                children
                    .iter()
                    .map(|child| dual(self.truths_at(*child, point))),
            )),
            Some(Node::Foreign) | None => TruthSet::ALL,
        }
    }
}

fn truths_on(domain: &ClassSet, holds: &ClassSet, fails: &ClassSet) -> TruthSet {
    let mut truths = TruthSet::EMPTY;
    if domain.intersects(holds) {
        truths = truths.union(TruthSet::TRUE);
    }
    if domain.intersects(fails) {
        truths = truths.union(TruthSet::FALSE);
    }
    if !domain.is_subset(&holds.union(fails)) {
        truths = truths.union(TruthSet::UNKNOWN);
    }
    truths
}

/// The part of a domain on which a leaf has an allowed truth.
fn narrow(domain: &ClassSet, holds: &ClassSet, fails: &ClassSet, allowed: TruthSet) -> ClassSet {
    let end = domain.end();
    match (
        allowed.intersects(TruthSet::TRUE),
        allowed.intersects(TruthSet::FALSE),
        allowed.intersects(TruthSet::UNKNOWN),
    ) {
        (true, false, false) => domain.intersection(holds),
        (false, true, false) => domain.intersection(fails),
        (true, true, false) => domain.intersection(&holds.union(fails)),
        (true, false, true) => domain.intersection(&fails.complement(end)),
        (false, true, true) => domain.intersection(&holds.complement(end)),
        (false, false, true) => domain.intersection(&holds.union(fails).complement(end)),
        (true, true, true) => domain.clone(),
        (false, false, false) => ClassSet::default(),
    }
}

fn push_down(goals: &mut Vec<Goal>, children: &[usize], truths: Option<TruthSet>) {
    if let Some(truths) = truths {
        goals.extend(children.iter().map(|child| (*child, truths)));
    }
}

fn alternatives_of(node: usize, children: &[usize], some: Demand) -> Vec<Goal> {
    match some {
        Demand::Child(truths) => children.iter().map(|child| (*child, truths)).collect(),
        Demand::Itself => vec![(node, TruthSet::TRUE), (node, TruthSet::FALSE)],
    }
}

#[cfg(test)]
mod tests;
