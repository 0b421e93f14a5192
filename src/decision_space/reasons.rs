//! Why a condition has the truth it has: few leaves that suffice for it.

use std::collections::BTreeMap;

use crate::evaluator::Truth;

use super::kleene::dual;
use super::nodes::{Joined, Node, Nodes};
use super::sets::{ClassSet, TruthSet};

/// What suffices for something that is so at a point: for some names, the classes within which
/// it stays so, whatever becomes of all others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reason {
    /// By index of the name.
    pub(super) kept: BTreeMap<usize, ClassSet>,
}

impl Reason {
    /// Whether it stays so whatever becomes of any name.
    pub fn is_always(&self) -> bool {
        self.kept.is_empty()
    }

    fn keep(&mut self, name: usize, within: ClassSet) {
        self.kept
            .entry(name)
            .and_modify(|kept| *kept = kept.intersection(&within))
            .or_insert(within);
    }
}

impl Nodes<'_> {
    /// Adds to a reason what suffices for a node to keep one of these truths, of which it has
    /// one at the point. Names have the classes of their domains only.
    pub(super) fn explain(
        &self,
        node: usize,
        truths: TruthSet,
        point: &[u32],
        domains: &[ClassSet],
        reason: &mut Reason,
    ) {
        match self.get(node) {
            Some(Node::Leaf(leaf)) => {
                if let Some(domain) = domains.get(leaf.name) {
                    let within = leaf.narrow(domain, truths);
                    if within != *domain {
                        reason.keep(leaf.name, within);
                    }
                }
            }
            Some(Node::All(of)) => self.explain_all(of, truths, point, domains, reason, |it| it),
            Some(Node::Any(of)) => self.explain_all(of, truths, point, domains, reason, dual),
            Some(Node::Const(_) | Node::Foreign) | None => {}
        }
    }

    /// The same for an `and`; for an `or` through its `side`, where true and false are exchanged.
    fn explain_all(
        &self,
        of: &Joined,
        truths: TruthSet,
        point: &[u32],
        domains: &[ClassSet],
        reason: &mut Reason,
        side: fn(TruthSet) -> TruthSet,
    ) {
        let truths = side(truths);
        if truths == TruthSet::ALL {
            return;
        }
        let truth_at = |child: &usize| side(self.truths_at(*child, point));
        // An `and` is no truer than each child: one that is false, or not true, suffices.
        let enough = [TruthSet::FALSE, TruthSet::NOT_TRUE]
            .into_iter()
            .rfind(|enough| enough.is_subset(truths));
        let one = enough.and_then(|enough| {
            let children = of.children.iter();
            let fits = children.filter(|child| truth_at(child).is_subset(enough));
            let child = fits.min_by_key(|child| self.open_names(**child, domains))?;
            Some((*child, enough))
        });
        if let Some((child, enough)) = one {
            self.explain(child, side(enough), point, domains, reason);
            return;
        }
        // Not false is kept by all children together, true by all that are.
        let all = if TruthSet::NOT_FALSE.is_subset(truths) || !truths.contains(Truth::True) {
            TruthSet::NOT_FALSE
        } else {
            TruthSet::TRUE
        };
        let lacks = |child: &&usize| truth_at(child) == TruthSet::UNKNOWN;
        // Neither true nor false takes one that is neither, beside those that are not false.
        let neither = (!truths.contains(Truth::True))
            .then(|| of.children.iter().find(lacks))
            .flatten();
        for child in &of.children {
            let wanted = if Some(child) == neither {
                TruthSet::UNKNOWN
            } else {
                all
            };
            self.explain(*child, side(wanted), point, domains, reason);
        }
    }

    /// Number of names of a node that can have another class.
    fn open_names(&self, node: usize, domains: &[ClassSet]) -> usize {
        let names = self.names_of(std::iter::once(node));
        let is_open = |name: &&usize| domains.get(**name).is_some_and(|domain| domain.len() > 1);
        names.iter().filter(is_open).count()
    }
}
