//! Conditions in three values (contract section 3, *Truth*).

use std::cmp::Ordering;

use crate::ir::{Condition, Literal, Operator};
use crate::text::Decimal;

use super::{Call, HostValue};

/// Kleene's three values, in the order that makes `and` the least and `or` the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Truth {
    /// False.
    False,
    /// Neither: a comparison lacks a present value of its literal's type.
    Unknown,
    /// True.
    True,
}

impl From<bool> for Truth {
    fn from(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }
}

/// The truth of a condition for a call.
pub fn truth(condition: &Condition, call: &Call<'_>) -> Truth {
    match condition {
        Condition::All(inner) => inner
            .iter()
            .map(|inner| truth(inner, call))
            .min()
            .unwrap_or(Truth::True),
        Condition::Any(inner) => inner
            .iter()
            .map(|inner| truth(inner, call))
            .max()
            .unwrap_or(Truth::False),
        Condition::Const(value) => Truth::from(*value),
        Condition::IsTrue(name) => Truth::from(call.value(name) == HostValue::Bool(true)),
        Condition::NotTrue(name) => Truth::from(call.value(name) != HostValue::Bool(true)),
        Condition::Compare(compare) => match order(call.value(&compare.name), &compare.value) {
            Some(order) => Truth::from(compare.op.admits(order)),
            None => Truth::Unknown,
        },
        Condition::OneOf(one_of) => {
            let value = Operand::of(call.value(&one_of.name));
            let mut orders = one_of.values.iter().map(|member| value.order(member));
            // The members are of one type, so one that cannot be compared tells of all.
            let found = orders.try_fold(false, |found, order| {
                order.map(|order| found | order.is_eq())
            });
            found.map_or(Truth::Unknown, |found| Truth::from(found != one_of.negated))
        }
    }
}

impl Operator {
    /// Whether the operator holds of a left side that stands so to the right side.
    pub(crate) fn admits(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }
}

fn order(value: HostValue<'_>, literal: &Literal) -> Option<Ordering> {
    Operand::of(value).order(literal)
}

/// A host's value, its number read once.
enum Operand<'a> {
    Bool(bool),
    Number(Decimal),
    String(&'a str),
    Lacking,
}

impl<'a> Operand<'a> {
    fn of(value: HostValue<'a>) -> Self {
        match value {
            HostValue::Bool(value) => Self::Bool(value),
            HostValue::Number(number) => {
                Decimal::from_json(number.as_str()).map_or(Self::Lacking, Self::Number)
            }
            HostValue::String(text) => Self::String(text),
            HostValue::Other => Self::Lacking,
        }
    }

    /// How the value stands to a literal; none when it is not of the literal's type.
    fn order(&self, literal: &Literal) -> Option<Ordering> {
        match (self, literal) {
            (Self::Bool(value), Literal::Bool(literal)) => Some(value.cmp(literal)),
            (Self::Number(value), Literal::Number(literal)) => Some(value.cmp(&literal.0)),
            (Self::String(value), Literal::String(literal)) => Some((*value).cmp(literal.as_str())),
            _ => None,
        }
    }
}
