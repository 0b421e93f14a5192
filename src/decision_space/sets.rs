//! Sets of truths, and sets of a name's classes.

use crate::evaluator::Truth;

/// A set of the three truths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TruthSet(u8);

impl TruthSet {
    /// No truth.
    pub const EMPTY: Self = Self(0);
    /// True only.
    pub const TRUE: Self = Self(1);
    /// False only.
    pub const FALSE: Self = Self(2);
    /// Neither true nor false only.
    pub const UNKNOWN: Self = Self(4);
    /// All but true.
    pub const NOT_TRUE: Self = Self(6);
    /// All but false.
    pub const NOT_FALSE: Self = Self(5);
    /// True or false.
    pub const DECIDED: Self = Self(3);
    /// Every truth.
    pub const ALL: Self = Self(7);

    /// Whether it has this truth.
    pub fn contains(self, truth: Truth) -> bool {
        self.intersects(truth.into())
    }

    /// Whether it has a truth of the other.
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether all its truths are the other's.
    pub fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The truths of either.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The truths of both.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The truths it lacks.
    #[must_use]
    pub fn complement(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

impl From<Truth> for TruthSet {
    fn from(truth: Truth) -> Self {
        match truth {
            Truth::True => Self::TRUE,
            Truth::False => Self::FALSE,
            Truth::Unknown => Self::UNKNOWN,
        }
    }
}

/// A range of classes: its first, and the one behind its last.
type Range = (u32, u32);

/// A set of classes of one name, as ascending ranges that neither touch nor overlap: a condition
/// on a name with thousands of literals takes a few of them, and nearly all sets are one range.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassSet {
    /// The first range; empty in an empty set only.
    first: Range,
    /// The other ranges.
    rest: Vec<Range>,
}

impl ClassSet {
    /// The classes from `start` up to and without `end`.
    pub fn range(start: u32, end: u32) -> Self {
        let mut set = Self::default();
        set.append((start, end));
        set
    }

    /// The set of these ranges, in any order.
    pub fn from_ranges(ranges: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut sorted: Vec<_> = ranges.into_iter().collect();
        sorted.sort_unstable();
        Self::from_sorted(sorted)
    }

    fn from_sorted(ranges: impl IntoIterator<Item = Range>) -> Self {
        let mut set = Self::default();
        ranges.into_iter().for_each(|range| set.append(range));
        set
    }

    /// Adds a range that begins at no class before those of the set.
    fn append(&mut self, (start, end): Range) {
        if start >= end {
            return;
        }
        if self.is_empty() {
            self.first = (start, end);
            return;
        }
        let (_, last) = self.rest.last_mut().unwrap_or(&mut self.first);
        if start <= *last {
            *last = end.max(*last);
        } else {
            self.rest.push((start, end));
        }
    }

    /// Its ranges, ascending, which neither touch nor overlap: the first class of each, and the
    /// one behind its last.
    pub fn ranges(&self) -> impl Iterator<Item = Range> {
        let first = (!self.is_empty()).then_some(self.first);
        first.into_iter().chain(self.rest.iter().copied())
    }

    /// Whether it has no class.
    pub fn is_empty(&self) -> bool {
        self.first.0 >= self.first.1
    }

    /// Number of classes.
    pub fn len(&self) -> u32 {
        self.ranges().map(|(start, end)| end - start).sum()
    }

    /// Whether it has this class.
    pub fn contains(&self, class: u32) -> bool {
        let behind = self.rest.partition_point(|(start, _)| *start <= class);
        let (start, end) = match behind.checked_sub(1) {
            Some(at) => self.rest.get(at).copied().unwrap_or_default(),
            None => self.first,
        };
        start <= class && class < end
    }

    /// Its classes, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.ranges().flat_map(|(start, end)| start..end)
    }

    /// The classes of both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self::from_sorted(Overlaps::new(self, other))
    }

    /// Whether it has a class of the other.
    pub fn intersects(&self, other: &Self) -> bool {
        Overlaps::new(self, other).next().is_some()
    }

    /// Whether all its classes are the other's.
    pub fn is_subset(&self, other: &Self) -> bool {
        let common: u32 = Overlaps::new(self, other)
            .map(|(start, end)| end - start)
            .sum();
        common == self.len()
    }

    /// The classes of either.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let (mut mine, mut theirs) = (self.ranges().peekable(), other.ranges().peekable());
        let merged = std::iter::from_fn(|| match (mine.peek(), theirs.peek()) {
            (Some(left), Some(right)) if left <= right => mine.next(),
            (Some(_), None) => mine.next(),
            _ => theirs.next(),
        });
        Self::from_sorted(merged)
    }

    /// The classes below `count` that it lacks.
    #[must_use]
    pub fn complement(&self, count: u32) -> Self {
        let starts = std::iter::once(0).chain(self.ranges().map(|(_, end)| end));
        let ends = self.ranges().map(|(start, _)| start);
        Self::from_sorted(starts.zip(ends.chain(std::iter::once(count))))
    }
}

/// The overlaps of the ranges of two sets, ascending.
struct Overlaps<'a> {
    left: Range,
    left_rest: &'a [Range],
    right: Range,
    right_rest: &'a [Range],
}

impl<'a> Overlaps<'a> {
    fn new(left: &'a ClassSet, right: &'a ClassSet) -> Self {
        Self {
            left: left.first,
            left_rest: &left.rest,
            right: right.first,
            right_rest: &right.rest,
        }
    }
}

impl Iterator for Overlaps<'_> {
    type Item = Range;

    fn next(&mut self) -> Option<Self::Item> {
        // An empty range stands behind the last one.
        while self.left.0 < self.left.1 && self.right.0 < self.right.1 {
            let overlap = (self.left.0.max(self.right.0), self.left.1.min(self.right.1));
            let (side, rest) = if self.left.1 <= self.right.1 {
                (&mut self.left, &mut self.left_rest)
            } else {
                (&mut self.right, &mut self.right_rest)
            };
            (*side, *rest) = match rest.split_first() {
                Some((next, others)) => (*next, others),
                None => (Range::default(), *rest),
            };
            if overlap.0 < overlap.1 {
                return Some(overlap);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COUNT: u32 = 20;

    fn set() -> impl Strategy<Value = ClassSet> {
        prop::collection::vec((0..COUNT, 0..=COUNT), 0..6).prop_map(ClassSet::from_ranges)
    }

    proptest! {
        #[test]
        fn sets_are_sets(a in set(), b in set()) {
            for class in 0..COUNT {
                let (in_a, in_b) = (a.contains(class), b.contains(class));
                prop_assert_eq!(a.intersection(&b).contains(class), in_a && in_b);
                prop_assert_eq!(a.union(&b).contains(class), in_a || in_b);
                prop_assert_eq!(a.complement(COUNT).contains(class), !in_a);
                prop_assert_eq!(a.iter().any(|other| other == class), in_a);
            }
            prop_assert_eq!(a.intersects(&b), !a.intersection(&b).is_empty());
            prop_assert_eq!(a.is_subset(&b), a.iter().all(|class| b.contains(class)));
            prop_assert_eq!(usize::try_from(a.len()).unwrap(), a.iter().count());
            prop_assert_eq!(a.complement(COUNT).complement(COUNT), a);
        }
    }

    #[test]
    fn truths() {
        for truth in [Truth::True, Truth::False, Truth::Unknown] {
            let only = TruthSet::from(truth);
            assert!(TruthSet::ALL.contains(truth) && !TruthSet::EMPTY.contains(truth));
            assert!(!only.complement().contains(truth));
            assert_eq!(only.union(only.complement()), TruthSet::ALL);
        }
        assert_eq!(TruthSet::TRUE.complement(), TruthSet::NOT_TRUE);
        assert_eq!(TruthSet::FALSE.complement(), TruthSet::NOT_FALSE);
        assert_eq!(TruthSet::UNKNOWN.complement(), TruthSet::DECIDED);
        assert!(TruthSet::TRUE.is_subset(TruthSet::DECIDED));
        assert!(!TruthSet::NOT_TRUE.is_subset(TruthSet::DECIDED));
    }
}
