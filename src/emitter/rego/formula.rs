//! Conditions made ready for rules: constants folded, lists flattened, and every `or` placed so
//! that chains of helper rules stay short.
//!
//! A rule can say "any of these lists of statements" by several bodies. So an `or` becomes one
//! helper rule, and an `or` inside an alternative of another becomes a second helper that the
//! first names: one level deeper. Where that would nest too deep, the inner `or` is multiplied
//! out into the bodies of the outer one.
//!
//! Only truth counts here, not the difference between false and neither: a branch holds when its
//! conditions are true, and what must hold when a condition is false is its complement, another
//! condition. That makes the laws of two-valued logic safe to use: in Kleene's logic both sides
//! of each of them are true in the same contexts.

use crate::ir::{Condition, is_tool_name};

/// Levels that are named plainly, one helper rule an `or`, before anything is multiplied out.
const PLAIN_LEVELS: usize = 3;

/// How many statements a helper rule may have after multiplying out, tried in this order. Zero
/// multiplies nothing out.
const SIZES: [u64; 4] = [0, 64, 512, 2_000];

/// A condition without constants inside. `All` and `Any` have at least two members; an `All` holds
/// no `All`, an `Any` no `Any`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula<'a> {
    /// Always or never true.
    Const(bool),
    /// A leaf.
    Leaf(&'a Condition),
    /// All of them.
    All(Vec<Formula<'a>>),
    /// Any of them.
    Any(Choice<'a>),
}

/// An `or`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<'a> {
    /// The alternatives, each a leaf or an `All`.
    pub alternatives: Vec<Formula<'a>>,
    /// How many helper rules stand on the longest way down from this one, itself included.
    level: usize,
    /// Tells the `or`s of one formula from one another.
    id: usize,
}

impl<'a> Formula<'a> {
    /// Reads a condition.
    pub fn of(condition: &'a Condition) -> Self {
        match condition {
            Condition::All(parts) => Self::all(parts.iter().map(Self::of)),
            Condition::Any(parts) => Self::any(parts.iter().map(Self::of)),
            Condition::Const(value) => Self::Const(*value),
            // The name of a tool is a string or nothing, never `true`.
            Condition::IsTrue(name) if is_tool_name(name) => Self::Const(false),
            Condition::NotTrue(name) if is_tool_name(name) => Self::Const(true),
            Condition::Compare(_)
            | Condition::IsTrue(_)
            | Condition::NotTrue(_)
            | Condition::OneOf(_) => Self::Leaf(condition),
        }
    }

    fn all(parts: impl Iterator<Item = Self>) -> Self {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Self::Const(true) => {}
                Self::Const(false) => return Self::Const(false),
                Self::All(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Self::Const(true),
            1 => kept.pop().unwrap_or(Self::Const(true)),
            _ => Self::All(kept),
        }
    }

    fn any(parts: impl Iterator<Item = Self>) -> Self {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Self::Const(false) => {}
                Self::Const(true) => return Self::Const(true),
                Self::Any(inner) => kept.extend(inner.alternatives),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Self::Const(false),
            1 => kept.pop().unwrap_or(Self::Const(false)),
            _ => Self::Any(Choice {
                alternatives: kept,
                level: 0,
                id: 0,
            }),
        }
    }

    /// Gives every `or` its level, so that none is above `allowed`. False where that fails.
    pub fn place(&mut self, allowed: usize) -> bool {
        SIZES.into_iter().any(|size| {
            let bound = if size == 0 {
                allowed.min(PLAIN_LEVELS)
            } else {
                allowed
            };
            self.assign_levels(size, &mut 0) <= bound
        })
    }

    /// Assigns levels bottom-up, multiplying out as long as a helper has at most `size`
    /// statements, and answers the highest level.
    fn assign_levels(&mut self, size: u64, count: &mut usize) -> usize {
        match self {
            Self::Const(_) | Self::Leaf(_) => 0,
            Self::All(parts) => parts
                .iter_mut()
                .map(|part| part.assign_levels(size, count))
                .max()
                .unwrap_or(0),
            Self::Any(choice) => {
                let below = choice
                    .alternatives
                    .iter_mut()
                    .map(|part| part.assign_levels(size, count))
                    .max()
                    .unwrap_or(0);
                let fits = below > 0 && choice.size_at(below).statements <= size;
                choice.level = if fits { below } else { below + 1 };
                choice.id = *count;
                *count += 1;
                choice.level
            }
        }
    }

    /// The size of this formula multiplied out, where helpers below `level` are named.
    fn size_at(&self, level: usize) -> Size {
        match self {
            Self::Const(_) | Self::Leaf(_) => Size::STATEMENT,
            Self::All(parts) => parts
                .iter()
                .map(|part| part.size_at(level))
                .fold(Size::EMPTY_BODY, Size::times),
            Self::Any(choice) if choice.level < level => Size::STATEMENT,
            Self::Any(choice) => choice.size_at(level),
        }
    }
}

impl<'a> Choice<'a> {
    fn size_at(&self, level: usize) -> Size {
        self.alternatives
            .iter()
            .map(|part| part.size_at(level))
            .fold(Size::NO_BODIES, Size::plus)
    }

    /// Tells this `or` from the others of its formula.
    pub fn id(&self) -> usize {
        self.id
    }

    /// The bodies of this `or`'s helper rule: each a list of leaves and of `or`s that have helper
    /// rules of their own.
    pub fn bodies(&self) -> Vec<Vec<Atom<'_, 'a>>> {
        self.alternatives
            .iter()
            .flat_map(|part| bodies(part, self.level))
            .collect()
    }
}

/// What a body lists.
#[derive(Clone, Copy, Debug)]
pub enum Atom<'f, 'a> {
    /// A leaf.
    Leaf(&'a Condition),
    /// An `or` with a helper rule.
    Helper(&'f Choice<'a>),
}

fn bodies<'f, 'a>(part: &'f Formula<'a>, level: usize) -> Vec<Vec<Atom<'f, 'a>>> {
    match part {
        Formula::Const(true) => vec![Vec::new()],
        Formula::Const(false) => Vec::new(),
        Formula::Leaf(leaf) => vec![vec![Atom::Leaf(leaf)]],
        Formula::Any(choice) if choice.level < level => vec![vec![Atom::Helper(choice)]],
        Formula::Any(choice) => choice
            .alternatives
            .iter()
            .flat_map(|alternative| bodies(alternative, level))
            .collect(),
        Formula::All(parts) => parts.iter().fold(vec![Vec::new()], |so_far, part| {
            let further = bodies(part, level);
            so_far
                .iter()
                .flat_map(|before| {
                    further
                        .iter()
                        .map(move |after| before.iter().chain(after).copied().collect())
                })
                .collect()
        }),
    }
}

/// Bodies of a rule, and statements in them all.
#[derive(Clone, Copy, Debug)]
struct Size {
    bodies: u64,
    statements: u64,
}

impl Size {
    const NO_BODIES: Self = Self {
        bodies: 0,
        statements: 0,
    };
    const EMPTY_BODY: Self = Self {
        bodies: 1,
        statements: 0,
    };
    const STATEMENT: Self = Self {
        bodies: 1,
        statements: 1,
    };

    fn plus(self, other: Self) -> Self {
        Self {
            bodies: self.bodies.saturating_add(other.bodies),
            statements: self.statements.saturating_add(other.statements),
        }
    }

    fn times(self, other: Self) -> Self {
        Self {
            bodies: self.bodies.saturating_mul(other.bodies),
            statements: self
                .statements
                .saturating_mul(other.bodies)
                .saturating_add(other.statements.saturating_mul(self.bodies)),
        }
    }
}
