//! Whether conditions can have wanted truths together, exactly and without a product.
//!
//! A requirement is pushed down to the leaves, where it narrows its name's set of classes. What
//! needs *some* child of an `and` or `or` stays open as a list of alternatives; the search
//! decides these one after another, and an alternative that failed is excluded from then on.
//! Names are independent, so when no list is open and no set is empty, any choice satisfies.

use crate::ir::{Condition, is_tool_name};

use super::classes::LACKING;
use super::kleene::{Demand, demands, dual};
use super::nodes::{Goal, Node, Nodes, alternatives_of};
use super::sets::{ClassSet, TruthSet};
use super::space::{Space, Witness};

/// Steps that a search takes at most unless told otherwise; a step looks at one condition.
pub const DEFAULT_BUDGET: u64 = 500_000;

/// A search was not finished within its budget, or a requirement could not be applied.
struct GaveUp;

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
    /// Steps of searches before the last one, since they were last asked for.
    spent: u64,
    nodes: Nodes<'s>,
    /// The truths that the requirements leave to each node; leaves and constants keep all.
    required: Vec<TruthSet>,
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

/// A condition that a problem has read, to be required as often as wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConditionId(usize);

impl ConditionId {
    pub(super) fn of(node: usize) -> Self {
        Self(node)
    }

    pub(super) fn index(self) -> usize {
        self.0
    }
}

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
    Required(usize, TruthSet),
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
            spent: 0,
            nodes: Nodes::new(space),
            required: Vec::new(),
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

    /// The steps taken since this was last asked, by pushes and by searches.
    pub fn take_spent(&mut self) -> u64 {
        self.begin();
        std::mem::take(&mut self.spent)
    }

    /// Begins to count the steps of a search.
    pub(super) fn begin(&mut self) {
        self.spent = self.spent.saturating_add(std::mem::take(&mut self.steps));
    }

    /// Sets how many steps each search may take.
    #[must_use]
    pub fn with_budget(mut self, steps: u64) -> Self {
        self.budget = steps;
        self
    }

    /// Reads a condition, so that it can be required again and again. To be called before the
    /// first requirement.
    pub fn add(&mut self, condition: &Condition) -> ConditionId {
        ConditionId(self.read(condition))
    }

    /// [`Problem::add`] of several.
    pub fn add_all(&mut self, conditions: &[&Condition]) -> Vec<ConditionId> {
        conditions
            .iter()
            .map(|condition| self.add(condition))
            .collect()
    }

    /// Requires a condition to have one of these truths. False when that is known at once to
    /// contradict the rest; true does not promise a solution, [`Problem::solve`] tells.
    pub fn push(&mut self, condition: &Condition, allowed: TruthSet) -> bool {
        self.open_level();
        if !self.state.contradictory {
            let node = self.read(condition);
            self.goals.push((node, allowed));
            self.settle();
        }
        !self.state.contradictory
    }

    /// [`Problem::push`] of a condition that was added.
    pub fn require(&mut self, condition: ConditionId, allowed: TruthSet) -> bool {
        self.open_level();
        if !self.state.contradictory {
            self.goals.push((condition.0, allowed));
            self.settle();
        }
        !self.state.contradictory
    }

    fn read(&mut self, condition: &Condition) -> usize {
        let node = self.nodes.add(condition);
        self.required.resize(self.nodes.len(), TruthSet::ALL);
        node
    }

    fn open_level(&mut self) {
        self.levels.push(Level {
            mark: self.mark(),
            nodes: self.nodes.len(),
        });
    }

    /// Takes back the last requirement.
    pub fn pop(&mut self) {
        if let Some(level) = self.levels.pop() {
            self.undo(level.mark);
            self.nodes.truncate(level.nodes);
            self.required.truncate(level.nodes);
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
        match self.search() {
            Ok(Some(point)) => Answer::Satisfiable(self.space.witness(&point)),
            Ok(None) => Answer::Unsatisfiable,
            Err(GaveUp) => Answer::GaveUp,
        }
    }

    /// Whether some call meets all requirements; none when that was not found out. For those
    /// who do not ask for a call, cheaper than [`Problem::solve`].
    pub fn is_satisfiable(&mut self) -> Option<bool> {
        let is_settled = self.choices.iter().all(|choice| !choice.open);
        if is_settled && !self.state.foreign {
            return Some(!self.state.contradictory);
        }
        self.search().map(|point| point.is_some()).ok()
    }

    /// The lowest number of names that are present in a call that meets the requirements, as
    /// far as it is known without a search; the tool and names that stand for something else
    /// do not count.
    pub fn least_names(&self) -> usize {
        let names = self.space.names().iter().zip(&self.domains);
        names
            .filter(|(name, domain)| {
                !domain.contains(LACKING)
                    && !is_tool_name(name)
                    && name.first().is_some_and(|root| !root.is_empty())
            })
            .count()
    }

    /// A point that meets all requirements, or none when there is none.
    fn search(&mut self) -> Result<Option<Vec<u32>>, GaveUp> {
        let base = self.mark();
        self.begin();
        let mut taken: Vec<(Mark, usize, usize)> = Vec::new();
        let answer = loop {
            if self.is_exhausted() {
                break Err(GaveUp);
            }
            if self.state.contradictory {
                let Some((mark, choice, alternative)) = taken.pop() else {
                    break Ok(None);
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
                    Err(GaveUp)
                } else {
                    Ok(Some(point))
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
            let possible = choice.alternatives.iter().position(|(node, allowed)| {
                self.nodes
                    .possible(*node, &self.domains, &mut 0)
                    .intersects(*allowed)
            });
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
                Change::Required(node, before) => {
                    if let Some(required) = self.required.get_mut(node) {
                        *required = before;
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
        let names = self.nodes.names_of(rest.iter().map(|(node, _)| *node));
        self.close(choice);
        self.add_choice(rest, names);
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
        let mut choice = None;
        match self.nodes.get(node) {
            _ if allowed == TruthSet::EMPTY => self.state.contradictory = true,
            _ if allowed == TruthSet::ALL => {}
            Some(Node::Const(value)) => {
                self.state.contradictory |= !allowed.contains((*value).into());
            }
            Some(Node::Leaf(leaf)) => {
                let Some(domain) = self.domains.get_mut(leaf.name) else {
                    return;
                };
                let narrowed = leaf.narrow(domain, allowed);
                if narrowed.len() < domain.len() {
                    self.state.contradictory |= narrowed.is_empty();
                    let before = std::mem::replace(domain, narrowed);
                    self.trail.push(Change::Narrowed(leaf.name, before));
                    self.narrowed.push(leaf.name);
                }
            }
            Some(joined @ (Node::All(of) | Node::Any(of))) => {
                // What is required already needs no work: walks over neighbouring ways, and
                // over copies of them, require the same again and again.
                let Some(required) = self.required.get_mut(node) else {
                    return;
                };
                let allowed = required.intersection(allowed);
                if allowed == *required {
                    return;
                }
                self.trail.push(Change::Required(node, *required));
                *required = allowed;
                if allowed == TruthSet::EMPTY {
                    self.state.contradictory = true;
                    return;
                }
                let (all, some) = match joined {
                    Node::All(_) => demands(allowed),
                    _ => {
                        let (all, some) = demands(dual(allowed));
                        (all.map(dual), some.map(Demand::dual))
                    }
                };
                if let Some(truths) = all {
                    let goals = of.children.iter().map(|child| (*child, truths));
                    self.goals.extend(goals);
                }
                choice =
                    some.map(|some| (alternatives_of(node, &of.children, some), of.names.clone()));
            }
            Some(Node::Foreign) | None => self.state.foreign = true,
        }
        if let Some((alternatives, names)) = choice {
            self.add_choice(alternatives, names);
        }
    }

    fn add_choice(&mut self, alternatives: Vec<Goal>, names: Vec<usize>) {
        self.steps += u64::try_from(names.len()).unwrap_or(u64::MAX / 2);
        let choice = self.choices.len();
        for name in &names {
            if let Some(watchers) = self.watchers.get_mut(*name) {
                watchers.push(choice);
            }
        }
        self.choices.push(Choice {
            alternatives,
            names,
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
            let truths = self.nodes.possible(goal.0, &self.domains, &mut steps);
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

    /// Whether a choice is met at a point.
    pub(super) fn is_met_at(&self, choice: &Choice, point: &[u32]) -> bool {
        choice
            .alternatives
            .iter()
            .any(|(node, allowed)| self.nodes.truths_at(*node, point).is_subset(*allowed))
    }
}

#[cfg(test)]
mod tests;
