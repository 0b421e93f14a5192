//! Conditions: how they are joined, negated and read.

use super::{Compare, Condition, Name, OneOf, Operator};

impl Operator {
    /// Whether it is `==` or `!=`, which booleans and strings have too.
    pub(crate) fn is_equality(self) -> bool {
        matches!(self, Self::Equal | Self::NotEqual)
    }

    /// The operator that holds, of a present value of the type, exactly when this one does not.
    #[must_use]
    pub fn complement(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
        }
    }
}

impl Condition {
    /// All of the conditions, flattened; the condition itself when there is one.
    #[must_use]
    pub fn all(conditions: Vec<Self>) -> Self {
        Self::join(conditions, true)
    }

    /// Any of the conditions, flattened; the condition itself when there is one.
    #[must_use]
    pub fn any(conditions: Vec<Self>) -> Self {
        Self::join(conditions, false)
    }

    fn join(conditions: Vec<Self>, conjunction: bool) -> Self {
        let mut joined = Vec::with_capacity(conditions.len());
        for condition in conditions {
            match condition {
                Self::All(inner) if conjunction => joined.extend(inner),
                Self::Any(inner) if !conjunction => joined.extend(inner),
                other => joined.push(other),
            }
        }
        match (joined.pop(), joined.is_empty(), conjunction) {
            (None, _, _) => Self::Const(conjunction),
            (Some(only), true, _) => only,
            (Some(last), false, true) => {
                joined.push(last);
                Self::All(joined)
            }
            (Some(last), false, false) => {
                joined.push(last);
                Self::Any(joined)
            }
        }
    }

    /// Its `not`, pushed down to the leaves: true exactly where the condition is false, neither
    /// exactly where the condition is neither. Order is kept.
    #[must_use]
    pub fn complement(&self) -> Self {
        match self {
            Self::All(inner) => Self::Any(inner.iter().map(Self::complement).collect()),
            Self::Any(inner) => Self::All(inner.iter().map(Self::complement).collect()),
            Self::Compare(compare) => Self::Compare(Compare {
                op: compare.op.complement(),
                ..compare.clone()
            }),
            Self::Const(value) => Self::Const(!value),
            Self::IsTrue(name) => Self::NotTrue(name.clone()),
            Self::NotTrue(name) => Self::IsTrue(name.clone()),
            Self::OneOf(one_of) => Self::OneOf(OneOf {
                negated: !one_of.negated,
                ..one_of.clone()
            }),
        }
    }

    /// Whether `other` is this condition's complement, without building it.
    pub fn is_complement_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::All(mine), Self::Any(theirs)) | (Self::Any(mine), Self::All(theirs)) => {
                mine.len() == theirs.len()
                    && mine
                        .iter()
                        .zip(theirs)
                        .all(|(mine, theirs)| mine.is_complement_of(theirs))
            }
            (Self::Compare(mine), Self::Compare(theirs)) => {
                mine.op == theirs.op.complement()
                    && mine.name == theirs.name
                    && mine.value == theirs.value
            }
            (Self::Const(mine), Self::Const(theirs)) => mine != theirs,
            (Self::IsTrue(mine), Self::NotTrue(theirs))
            | (Self::NotTrue(mine), Self::IsTrue(theirs)) => mine == theirs,
            (Self::OneOf(mine), Self::OneOf(theirs)) => {
                mine.negated != theirs.negated
                    && mine.name == theirs.name
                    && mine.values == theirs.values
            }
            _ => false,
        }
    }

    /// Whether it is neither true nor false in some context, as far as its leaves tell apart:
    /// a comparison lacks its value where the host sends none.
    pub fn can_be_undecided(&self) -> bool {
        self.leaves()
            .any(|leaf| matches!(leaf, Self::Compare(_) | Self::OneOf(_)))
    }

    /// Its leaves, constants included, from left to right.
    pub fn leaves(&self) -> impl Iterator<Item = &Self> {
        let mut rest = vec![self];
        std::iter::from_fn(move || {
            loop {
                match rest.pop()? {
                    Self::All(inner) | Self::Any(inner) => rest.extend(inner.iter().rev()),
                    leaf => return Some(leaf),
                }
            }
        })
    }

    /// The name that a leaf reads; none for constants and for what is no leaf.
    pub fn name(&self) -> Option<&Name> {
        match self {
            Self::All(_) | Self::Any(_) | Self::Const(_) => None,
            Self::Compare(compare) => Some(&compare.name),
            Self::IsTrue(name) | Self::NotTrue(name) => Some(name),
            Self::OneOf(one_of) => Some(&one_of.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Literal;
    use super::*;

    fn is_true(name: &str) -> Condition {
        Condition::IsTrue(vec![name.to_owned()])
    }

    fn one_of() -> Condition {
        Condition::OneOf(OneOf {
            name: vec!["t".to_owned()],
            negated: false,
            values: vec![Literal::String("x".to_owned())],
        })
    }

    #[test]
    fn joining_flattens_its_own_kind_only() {
        let (a, b, c) = (is_true("a"), is_true("b"), is_true("c"));
        let ab = Condition::all(vec![a.clone(), b.clone()]);
        assert_eq!(ab, Condition::All(vec![a.clone(), b.clone()]));
        assert_eq!(
            Condition::all(vec![ab.clone(), c.clone()]),
            Condition::All(vec![a.clone(), b, c.clone()])
        );
        assert_eq!(
            Condition::any(vec![ab.clone(), c.clone()]),
            Condition::Any(vec![ab, c])
        );
        assert_eq!(Condition::any(vec![a.clone()]), a);
        assert_eq!(Condition::all(Vec::new()), Condition::Const(true));
        assert_eq!(Condition::any(Vec::new()), Condition::Const(false));
    }

    #[test]
    fn the_complement_is_pushed_down_and_undoes_itself() {
        let compare = Condition::Compare(Compare {
            name: vec!["n".to_owned()],
            op: Operator::Less,
            value: Literal::Bool(true),
        });
        let condition = Condition::any(vec![
            Condition::all(vec![is_true("a"), compare]),
            one_of(),
            Condition::Const(false),
        ]);
        let complement = condition.complement();
        assert!(complement.is_complement_of(&condition));
        assert!(condition.is_complement_of(&complement));
        assert!(!condition.is_complement_of(&condition));
        assert_eq!(complement.complement(), condition);
        let Condition::All(inner) = &complement else {
            panic!("{complement:?}")
        };
        assert!(matches!(&inner[0], Condition::Any(leaves) if leaves[0]
            == Condition::NotTrue(vec!["a".to_owned()])
            && matches!(&leaves[1], Condition::Compare(c) if c.op == Operator::GreaterOrEqual)));
        assert!(matches!(&inner[1], Condition::OneOf(one_of) if one_of.negated));
        assert_eq!(inner[2], Condition::Const(true));
    }

    #[test]
    fn leaves_come_from_left_to_right() {
        let condition = Condition::any(vec![
            is_true("a"),
            Condition::all(vec![is_true("b"), one_of()]),
            is_true("c"),
        ]);
        let names: Vec<_> = condition
            .leaves()
            .filter_map(Condition::name)
            .map(|name| name.join("."))
            .collect();
        assert_eq!(names, ["a", "b", "t", "c"]);
    }
}
