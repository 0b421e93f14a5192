//! Random conditions for the tests of this layer, and all points of small spaces.

use proptest::prelude::*;

use super::{Space, Witness};
use crate::ir::example::{compare, is_true, not_true, number, one_of, string};
use crate::ir::{Condition, Literal, Operator, TOOL_NAME};

/// All points of a space, by counting through the classes.
pub fn points(space: &Space) -> impl Iterator<Item = Witness> {
    let counts: Vec<u32> = space.iter().map(|(_, classes)| classes.len()).collect();
    let total = space.points().unwrap();
    (0..total).map(move |mut number| {
        let point: Vec<u32> = counts
            .iter()
            .map(|count| {
                let class = number % u128::from(*count);
                number /= u128::from(*count);
                u32::try_from(class).unwrap()
            })
            .collect();
        space.witness(&point)
    })
}

fn leaf() -> impl Strategy<Value = Condition> {
    let operator = prop::sample::select(vec![
        Operator::Equal,
        Operator::NotEqual,
        Operator::Less,
        Operator::LessOrEqual,
        Operator::Greater,
        Operator::GreaterOrEqual,
    ]);
    let literal = prop::sample::select(vec!["0", "1", "1.5", "-3"]);
    let boolean = prop::sample::select(vec!["a", "b", "q.a", "q.b", "q.c"]);
    let text = prop::sample::select(vec!["", "x", "y"]);
    prop_oneof![
        4 => boolean.clone().prop_map(is_true),
        4 => boolean.prop_map(not_true),
        1 => any::<bool>().prop_map(|value| compare("a", Operator::Equal, Literal::Bool(value))),
        3 => (operator, literal).prop_map(|(op, literal)| compare("n", op, number(literal))),
        1 => any::<bool>().prop_map(|negated| {
            let leaf = one_of("n", &[number("0"), number("2")]);
            if negated { leaf.complement() } else { leaf }
        }),
        2 => (any::<bool>(), text.clone()).prop_map(|(equal, literal)| {
            let op = if equal { Operator::Equal } else { Operator::NotEqual };
            compare("r.s", op, string(literal))
        }),
        1 => text.prop_map(|literal| compare(TOOL_NAME, Operator::Equal, string(literal))),
        1 => any::<bool>().prop_map(Condition::Const),
    ]
}

/// Random conditions.
pub fn condition() -> impl Strategy<Value = Condition> {
    leaf().prop_recursive(4, 16, 4, |inner| {
        (prop::collection::vec(inner, 2..4), any::<bool>()).prop_map(|(inner, all)| {
            if all {
                Condition::all(inner)
            } else {
                Condition::any(inner)
            }
        })
    })
}
