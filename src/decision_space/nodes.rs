//! Conditions as a problem reads them: their leaves resolved in a space.

use crate::evaluator::Truth;
use crate::ir::Condition;

use super::kleene::{Demand, conjunction, dual};
use super::sets::{ClassSet, TruthSet};
use super::space::Space;

/// Conditions and their parts; parts stand before what they are parts of.
#[derive(Debug)]
pub(super) struct Nodes<'s> {
    space: &'s Space,
    nodes: Vec<Node>,
}

/// A condition or a part of one.
#[derive(Debug)]
pub(super) enum Node {
    Const(bool),
    Leaf(Leaf),
    All(Joined),
    Any(Joined),
    /// A leaf that the space was not made for.
    Foreign,
}

/// The classes of a name on which a leaf has each truth.
#[derive(Debug)]
pub(super) struct Leaf {
    pub(super) name: usize,
    holds: ClassSet,
    fails: ClassSet,
    lacks: ClassSet,
}

/// The parts of an `and` or `or`, and the names that they read, ascending.
#[derive(Debug)]
pub(super) struct Joined {
    pub(super) children: Vec<usize>,
    pub(super) names: Vec<usize>,
}

/// A node and the truths it may have.
pub(super) type Goal = (usize, TruthSet);

impl<'s> Nodes<'s> {
    /// No nodes yet; the space must be that of all conditions to be added.
    pub(super) fn new(space: &'s Space) -> Self {
        Self {
            space,
            nodes: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn get(&self, node: usize) -> Option<&Node> {
        self.nodes.get(node)
    }

    /// Forgets all nodes but the first ones.
    pub(super) fn truncate(&mut self, length: usize) {
        self.nodes.truncate(length);
    }

    /// Adds a condition.
    pub(super) fn add(&mut self, condition: &Condition) -> usize {
        let node = match condition {
            Condition::All(inner) => Node::All(self.join(inner)),
            Condition::Any(inner) => Node::Any(self.join(inner)),
            Condition::Const(value) => Node::Const(*value),
            leaf => self.leaf(leaf).map_or(Node::Foreign, Node::Leaf),
        };
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn join(&mut self, inner: &[Condition]) -> Joined {
        let children: Vec<usize> = inner.iter().map(|inner| self.add(inner)).collect();
        let names = self.names_of(children.iter().copied());
        Joined { children, names }
    }

    fn leaf(&self, leaf: &Condition) -> Option<Leaf> {
        let name = self.space.index(leaf.name()?)?;
        let classes = self.space.classes_at(name)?;
        let [holds, fails] = classes.truths_of(leaf)?;
        Some(Leaf {
            name,
            lacks: holds.union(&fails).complement(classes.len()),
            holds,
            fails,
        })
    }

    /// The names that nodes read, ascending.
    pub(super) fn names_of(&self, nodes: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut names = Vec::new();
        for node in nodes {
            match self.nodes.get(node) {
                Some(Node::Leaf(leaf)) => names.push(leaf.name),
                Some(Node::All(joined) | Node::Any(joined)) => names.extend(&joined.names),
                Some(Node::Const(_) | Node::Foreign) | None => {}
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The truths that a node may have when each of its names has a class left to it; children
    /// are taken as independent, so these may be too many, never too few.
    pub(super) fn possible(&self, node: usize, domains: &[ClassSet], steps: &mut u64) -> TruthSet {
        *steps += 1;
        match self.nodes.get(node) {
            Some(Node::Const(value)) => TruthSet::from(Truth::from(*value)),
            Some(Node::Leaf(leaf)) => domains
                .get(leaf.name)
                .map_or(TruthSet::ALL, |domain| leaf.truths_on(domain)),
            Some(Node::All(Joined { children, .. })) => conjunction(
                children
                    .iter()
                    .map(|child| self.possible(*child, domains, steps)),
            ),
            Some(Node::Any(Joined { children, .. })) => dual(conjunction(
                children
                    .iter()
                    .map(|child| dual(self.possible(*child, domains, steps))),
            )),
            Some(Node::Foreign) | None => TruthSet::ALL,
        }
    }

    /// The truth of a node at a point, as a set of one; every truth when it is not known.
    pub(super) fn truths_at(&self, node: usize, point: &[u32]) -> TruthSet {
        match self.nodes.get(node) {
            Some(Node::Const(value)) => TruthSet::from(Truth::from(*value)),
            Some(Node::Leaf(leaf)) => match point.get(leaf.name) {
                Some(class) if leaf.holds.contains(*class) => TruthSet::TRUE,
                Some(class) if leaf.fails.contains(*class) => TruthSet::FALSE,
                Some(_) => TruthSet::UNKNOWN,
                None => TruthSet::ALL,
            },
            Some(Node::All(Joined { children, .. })) => {
                conjunction(children.iter().map(|child| self.truths_at(*child, point)))
            }
            Some(Node::Any(Joined { children, .. })) => dual(conjunction(
                children
                    .iter()
                    .map(|child| dual(self.truths_at(*child, point))),
            )),
            Some(Node::Foreign) | None => TruthSet::ALL,
        }
    }
}

impl Leaf {
    /// The truths that it has on the classes of a domain.
    fn truths_on(&self, domain: &ClassSet) -> TruthSet {
        let when = |classes: &ClassSet, truths: TruthSet| {
            if domain.intersects(classes) {
                truths
            } else {
                TruthSet::EMPTY
            }
        };
        when(&self.holds, TruthSet::TRUE)
            .union(when(&self.fails, TruthSet::FALSE))
            .union(when(&self.lacks, TruthSet::UNKNOWN))
    }

    /// The part of a domain on which it has an allowed truth.
    pub(super) fn narrow(&self, domain: &ClassSet, allowed: TruthSet) -> ClassSet {
        let (holds, fails, lacks) = (&self.holds, &self.fails, &self.lacks);
        match (
            allowed.intersects(TruthSet::TRUE),
            allowed.intersects(TruthSet::FALSE),
            allowed.intersects(TruthSet::UNKNOWN),
        ) {
            (true, false, false) => domain.intersection(holds),
            (false, true, false) => domain.intersection(fails),
            (false, false, true) => domain.intersection(lacks),
            (true, true, false) => domain.intersection(&holds.union(fails)),
            (true, false, true) => domain.intersection(&holds.union(lacks)),
            (false, true, true) => domain.intersection(&fails.union(lacks)),
            (true, true, true) => domain.clone(),
            (false, false, false) => ClassSet::default(),
        }
    }
}

/// The goals of which one must be met for what is demanded of some child.
pub(super) fn alternatives_of(node: usize, children: &[usize], some: Demand) -> Vec<Goal> {
    match some {
        Demand::Child(truths) => children.iter().map(|child| (*child, truths)).collect(),
        Demand::Itself => vec![(node, TruthSet::TRUE), (node, TruthSet::FALSE)],
    }
}
