//! Kleene's connectives on sets of truths: what children may be, and what they must be.

use super::sets::TruthSet;

/// True and false exchanged: what an `or` is to an `and`.
pub(super) fn dual(truths: TruthSet) -> TruthSet {
    let exchanged = |from: TruthSet, to: TruthSet| {
        if truths.intersects(from) {
            to
        } else {
            TruthSet::EMPTY
        }
    };
    truths
        .intersection(TruthSet::UNKNOWN)
        .union(exchanged(TruthSet::TRUE, TruthSet::FALSE))
        .union(exchanged(TruthSet::FALSE, TruthSet::TRUE))
}

/// The truths that an `and` may have when its children may have these.
pub(super) fn conjunction(children: impl Iterator<Item = TruthSet>) -> TruthSet {
    let (mut all_true, mut all_not_false) = (true, true);
    let (mut some_false, mut some_unknown) = (false, false);
    for truths in children {
        all_true &= truths.intersects(TruthSet::TRUE);
        all_not_false &= truths.intersects(TruthSet::NOT_FALSE);
        some_false |= truths.intersects(TruthSet::FALSE);
        some_unknown |= truths.intersects(TruthSet::UNKNOWN);
    }
    let when = |possible: bool, truths: TruthSet| {
        if possible { truths } else { TruthSet::EMPTY }
    };
    when(all_true, TruthSet::TRUE)
        .union(when(some_false, TruthSet::FALSE))
        .union(when(some_unknown && all_not_false, TruthSet::UNKNOWN))
}

/// What an `and` with these allowed truths demands of all its children, and of some child.
pub(super) fn demands(allowed: TruthSet) -> (Option<TruthSet>, Option<Demand>) {
    match allowed {
        TruthSet::TRUE | TruthSet::NOT_FALSE => (Some(allowed), None),
        TruthSet::FALSE | TruthSet::NOT_TRUE => (None, Some(Demand::Child(allowed))),
        TruthSet::UNKNOWN => (
            Some(TruthSet::NOT_FALSE),
            Some(Demand::Child(TruthSet::UNKNOWN)),
        ),
        TruthSet::DECIDED => (None, Some(Demand::Itself)),
        _ => (None, None),
    }
}

/// What some child must be, or the node itself when it must be true or false.
#[derive(Clone, Copy, Debug)]
pub(super) enum Demand {
    /// Some child must have one of these truths.
    Child(TruthSet),
    /// The node itself must be true or false, which no demand on children says.
    Itself,
}

impl Demand {
    pub(super) fn dual(self) -> Self {
        match self {
            Self::Child(truths) => Self::Child(dual(truths)),
            Self::Itself => Self::Itself,
        }
    }
}
