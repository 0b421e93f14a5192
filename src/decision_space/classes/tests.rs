use serde_json::Map;

use super::*;
use crate::decision_space::Space;
use crate::evaluator::{Call, truth};
use crate::ir::example::{compare, is_true, not_true, number, one_of, string};

fn classes_of(leaves: &[Condition]) -> Space {
    Space::of(leaves)
}

/// The leaf's truth on every class, by the evaluator on the class' representative.
fn evaluated(space: &Space, leaf: &Condition) -> Vec<Truth> {
    let name = leaf.name().unwrap();
    let classes = space.classes(name).unwrap();
    (0..classes.len())
        .map(|class| {
            let mut context = Map::new();
            if let Some(value) = classes.representative(class) {
                context.insert(name[0].clone(), value);
            }
            truth(leaf, &Call::new(None, &context))
        })
        .collect()
}

#[test]
fn counts_are_the_contract_s() {
    let count = |leaves: &[Condition]| {
        let space = classes_of(leaves);
        let (_, classes) = space.iter().next().unwrap();
        classes.len()
    };
    assert_eq!(count(&[is_true("n")]), 2);
    assert_eq!(count(&[not_true("n"), is_true("n")]), 2);
    let no = compare("n", Operator::Equal, Literal::Bool(false));
    assert_eq!(count(std::slice::from_ref(&no)), 3);
    assert_eq!(count(&[is_true("n"), no]), 3);
    let below = |literal: &str| compare("n", Operator::Less, number(literal));
    assert_eq!(count(&[below("1")]), 4);
    assert_eq!(count(&[below("1"), below("2"), below("1")]), 6);
    assert_eq!(count(&[one_of("n", &[string("a"), string("b")])]), 4);
}

#[test]
fn truth_sets_agree_with_the_evaluator_on_representatives() {
    let operators = [
        Operator::Equal,
        Operator::NotEqual,
        Operator::Less,
        Operator::LessOrEqual,
        Operator::Greater,
        Operator::GreaterOrEqual,
    ];
    let mut leaves = vec![
        is_true("n"),
        not_true("n"),
        compare("n", Operator::Equal, Literal::Bool(false)),
        compare("n", Operator::NotEqual, Literal::Bool(true)),
        compare("n", Operator::Equal, string("b")),
        compare("n", Operator::NotEqual, string("")),
        one_of("n", &[number("2"), number("-1.5")]),
        one_of("n", &[number("2"), number("3")]).complement(),
        one_of("n", &[string("a"), string("b")]),
        one_of("n", &[string(" "), string("b")]).complement(),
    ];
    leaves.extend(operators.map(|op| compare("n", op, number("2"))));
    // All kinds on one name: more than a rulebook may do, and so every boundary of the layout.
    let space = classes_of(&leaves);
    let classes = space.classes(&["n".to_owned()]).unwrap();
    for leaf in &leaves {
        let want = evaluated(&space, leaf);
        let got: Vec<_> = (0..classes.len())
            .map(|class| classes.truth(leaf, class).unwrap())
            .collect();
        assert_eq!(got, want, "{leaf:?}");
        for truths in [TruthSet::TRUE, TruthSet::NOT_FALSE, TruthSet::UNKNOWN] {
            let set = classes.where_leaf(leaf, truths).unwrap();
            for (class, truth) in (0..).zip(&want) {
                assert_eq!(
                    set.contains(class),
                    truths.contains(*truth),
                    "{leaf:?} {class}"
                );
            }
        }
    }
    assert_eq!(
        classes.truth(&compare("n", Operator::Less, number("7")), 1),
        None,
        "a literal that the classes do not know"
    );
}

#[test]
fn representatives_are_the_smallest() {
    let leaves = [
        compare("n", Operator::Less, number("0")),
        compare("n", Operator::Less, number("1")),
        compare("s", Operator::Equal, string("x")),
        compare("t", Operator::Equal, string("")),
        compare("t", Operator::Equal, string(" ")),
        is_true("b"),
    ];
    let space = classes_of(&leaves);
    let members = |name: &str| -> Vec<String> {
        let classes = space.classes(&[name.to_owned()]).unwrap();
        (0..classes.len())
            .map(|class| {
                classes
                    .representative(class)
                    .map_or("absent".to_owned(), |value| value.to_string())
            })
            .collect()
    };
    assert_eq!(members("b"), ["absent", "true"]);
    assert_eq!(members("n"), ["absent", "-1", "0", "0.1", "1", "2"]);
    assert_eq!(members("s"), ["absent", "\"x\"", "\"\""]);
    assert_eq!(members("t"), ["absent", "\"\"", "\" \"", "\"!\""]);
    let numbers = space.classes(&["n".to_owned()]).unwrap();
    assert_eq!(numbers.smallest(&numbers.all()), Some(0));
    // Of -1, 0, 0.1, 1 and 2 the smallest text is `0`, then `1`.
    assert_eq!(numbers.smallest(&ClassSet::range(1, 6)), Some(2));
    assert_eq!(numbers.smallest(&ClassSet::range(3, 5)), Some(4));
    assert_eq!(numbers.smallest(&ClassSet::default()), None);
}

#[test]
fn thousands_of_literals() {
    let leaves: Vec<_> = (0..5000)
        .map(|literal| compare("n", Operator::Equal, number(&literal.to_string())))
        .collect();
    let space = classes_of(&leaves);
    let classes = space.classes(&["n".to_owned()]).unwrap();
    assert_eq!(classes.len(), 10_002);
    let set = classes.where_leaf(&leaves[4321], TruthSet::TRUE).unwrap();
    let class = classes.smallest(&set).unwrap();
    assert_eq!(classes.representative(class), Some(serde_json::json!(4321)));
}
