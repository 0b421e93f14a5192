use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::Witness;
use super::super::samples::{condition, points};
use super::*;
use crate::evaluator::truth;
use crate::ir::example::{compare, is_true, not_true, number, string};
use crate::ir::{Operator, TOOL_NAME};

/// The nearest point at which all conditions are true.
fn nearest(conditions: &[Condition], call: &Call<'_>) -> NearestPoint {
    let space = Space::of(conditions);
    let mut nearest = Nearest::new(&space, call);
    let ids: Vec<ConditionId> = conditions.iter().map(|one| nearest.add(one)).collect();
    search(&nearest, &ids)
}

fn search(nearest: &Nearest<'_>, ids: &[ConditionId]) -> NearestPoint {
    nearest.search(|point| {
        let untrue = ids.iter().filter(|id| point.truth(**id) != Truth::True);
        untrue
            .map(|id| {
                let mut reason = Reason::default();
                point.explain(*id, TruthSet::NOT_TRUE, &mut reason);
                reason
            })
            .collect()
    })
}

fn found(point: NearestPoint) -> Vec<(String, Option<Value>)> {
    let NearestPoint::Found {
        changes,
        exact: true,
    } = point
    else {
        panic!("{point:?}")
    };
    changes
        .into_iter()
        .map(|change| (change.name.join("."), change.value))
        .collect()
}

/// The contract's order over changes.
type Size = (usize, usize, Vec<(Name, Option<String>)>);

/// What is changed from a call to a point of its space, in classes.
fn size(space: &Space, call: &Call<'_>, point: &Witness) -> Size {
    let then = point.call();
    let changed = space.iter().filter(|(name, classes)| {
        !is_tool_name(name)
            && classes.class_of(call.value(name)) != classes.class_of(then.value(name))
    });
    let texts: Vec<(Name, Option<String>)> = changed
        .map(|(name, classes)| {
            let value = classes.representative(classes.class_of(then.value(name)));
            (name.clone(), value.map(|value| value.to_string()))
        })
        .collect();
    let characters = texts.iter().flat_map(|(_, text)| text);
    let characters = characters.map(|text| text.chars().count()).sum();
    (texts.len(), characters, texts)
}

/// Values of every kind for the names of [`condition`].
fn contexts() -> impl Strategy<Value = Map<String, Value>> {
    let value = prop::sample::select(vec![
        Value::Null,
        json!(true),
        json!(false),
        json!(0),
        json!(1.2),
        json!(-3),
        json!(7),
        json!(""),
        json!("x"),
        json!("z"),
        json!([true]),
    ]);
    prop::collection::vec(prop::option::of(value), 8).prop_map(|values| {
        let mut context = Map::new();
        let names = ["a", "b", "n", "q.a", "q.b", "q.c", "r.s", "r"];
        for (name, value) in names.iter().zip(values) {
            let Some(value) = value else { continue };
            match name.split_once('.') {
                None => _ = context.insert((*name).to_owned(), value),
                Some((parent, last)) => {
                    let parent = context.entry(parent).or_insert_with(|| json!({}));
                    parent[last] = value;
                }
            }
        }
        context
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn the_nearest_agrees_with_enumeration(
        conditions in prop::collection::vec(condition(), 1..5),
        context in contexts(),
        tool in prop::sample::select(vec![None, Some(""), Some("x"), Some("t")]),
    ) {
        let space = Space::of(&conditions);
        prop_assume!(space.points().unwrap() <= 20_000);
        let call = Call::new(tool, &context);
        let tool_class = |call: &Call<'_>| {
            let name = [TOOL_NAME.to_owned()];
            space.classes(&name).map(|classes| classes.class_of(call.value(&name)))
        };
        let best = points(&space)
            .filter(|point| tool_class(&point.call()) == tool_class(&call))
            .filter(|point| {
                conditions.iter().all(|one| truth(one, &point.call()) == Truth::True)
            })
            .map(|point| size(&space, &call, &point))
            .min();
        match (nearest(&conditions, &call), best) {
            (NearestPoint::None, None) => {}
            (NearestPoint::Found { changes, exact: true }, Some(best)) => {
                let texts: Vec<_> = changes
                    .into_iter()
                    .map(|change| (change.name, change.value.map(|value| value.to_string())))
                    .collect();
                prop_assert_eq!(texts, best.2);
            }
            (found, best) => prop_assert!(false, "{:?}, but {:?}", found, best),
        }
    }

    #[test]
    fn values_lie_in_the_class_that_no_leaf_tells_them_from(
        conditions in prop::collection::vec(condition(), 1..4),
        context in contexts(),
    ) {
        let space = Space::of(&conditions);
        let call = Call::new(None, &context);
        for leaf in conditions.iter().flat_map(Condition::leaves) {
            if let Some(name) = leaf.name() {
                let classes = space.classes(name).unwrap();
                let class = classes.class_of(call.value(name));
                prop_assert_eq!(classes.truth(leaf, class), Some(truth(leaf, &call)), "{}", leaf);
            }
        }
    }
}

#[test]
fn what_is_present_costs_nothing() {
    let context = json!({"amount": "much", "frozen": true, "tier": "gold"});
    let context = context.as_object().unwrap();
    let call = Call::new(None, context);
    let tier = compare("tier", Operator::NotEqual, string("silver"));
    let conditions = [tier.clone(), not_true("frozen")];
    // Removing costs no characters.
    assert_eq!(
        found(nearest(&conditions, &call)),
        [("frozen".to_owned(), None)]
    );
    let amount = compare("amount", Operator::Greater, number("99"));
    assert_eq!(
        found(nearest(&[amount, tier.clone()], &call)),
        [("amount".to_owned(), Some(json!(100)))]
    );
    assert_eq!(found(nearest(&[tier], &call)), []);
    let impossible = [is_true("frozen"), not_true("frozen")];
    assert_eq!(nearest(&impossible, &call), NearestPoint::None);
}

#[test]
fn many_open_choices_do_not_multiply() {
    let pairs = |count: usize| {
        (0..count).map(|at| {
            Condition::any(vec![
                is_true(&format!("b{at:03}")),
                is_true(&format!("a{at:03}")),
            ])
        })
    };
    let nothing = Map::new();
    let conditions: Vec<Condition> = pairs(12).collect();
    let changes = found(nearest(&conditions, &Call::new(None, &nothing)));
    assert_eq!(changes.len(), 12);
    assert!(
        changes.iter().all(|(name, _)| name.starts_with('a')),
        "{changes:?}"
    );
    // One condition of a thousand names is one reason.
    let wide = Condition::any((0..1000).map(|at| is_true(&format!("n{at:04}"))).collect());
    let changes = found(nearest(&[wide], &Call::new(None, &nothing)));
    assert_eq!(changes, [("n0000".to_owned(), Some(json!(true)))]);
}

/// More pigeons than holes: no short refutation, so the budget ends it.
#[test]
fn the_budget_ends_a_search() {
    let place = |pigeon: usize, hole: usize| is_true(&format!("p{pigeon}_{hole}"));
    let mut conditions: Vec<Condition> = (0..9)
        .map(|pigeon| Condition::any((0..8).map(|hole| place(pigeon, hole)).collect()))
        .collect();
    for hole in 0..8 {
        for pigeon in 0..9 {
            for other in 0..pigeon {
                let alone = [
                    place(pigeon, hole).complement(),
                    place(other, hole).complement(),
                ];
                conditions.push(Condition::any(alone.to_vec()));
            }
        }
    }
    let space = Space::of(&conditions);
    let nothing = Map::new();
    let mut nearest = Nearest::new(&space, &Call::new(None, &nothing)).with_budget(100_000);
    let ids: Vec<ConditionId> = conditions.iter().map(|one| nearest.add(one)).collect();
    let NearestPoint::GaveUp { names } = search(&nearest, &ids) else {
        panic!("there is no solution")
    };
    assert!(names >= 9, "every pigeon needs a hole: {names}");
    // Without one pigeon there is a solution, found or not known to be the smallest.
    let nearest = nearest.with_budget(30_000);
    let fewer = search(&nearest, &ids[1..]);
    let NearestPoint::Found { changes, .. } = fewer else {
        panic!("{fewer:?}")
    };
    assert!(changes.len() >= 8);
}
