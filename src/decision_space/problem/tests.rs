use proptest::prelude::*;

use super::super::samples::{condition, points};
use super::*;
use crate::decision_space::Smallest;
use crate::evaluator::{Truth, truth};
use crate::ir::Operator;
use crate::ir::example::{compare, is_true, not_true, number, string};

fn meets(witness: &Witness, requirements: &[(Condition, TruthSet)]) -> bool {
    requirements
        .iter()
        .all(|(condition, allowed)| allowed.contains(truth(condition, &witness.call())))
}

type Size = (usize, usize, String, Option<(usize, String)>);

fn size(witness: &Witness) -> Size {
    let text = serde_json::to_string(&witness.context).unwrap();
    (
        witness.names_present(),
        text.chars().count(),
        text,
        witness
            .tool
            .clone()
            .map(|tool| (tool.chars().count(), tool)),
    )
}

fn truths() -> impl Strategy<Value = TruthSet> {
    prop::sample::select(vec![
        TruthSet::TRUE,
        TruthSet::TRUE,
        TruthSet::FALSE,
        TruthSet::UNKNOWN,
        TruthSet::NOT_TRUE,
        TruthSet::NOT_FALSE,
        TruthSet::DECIDED,
        TruthSet::ALL,
        TruthSet::EMPTY,
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn search_agrees_with_enumeration(
        requirements in prop::collection::vec((condition(), truths()), 1..5)
    ) {
        let space = Space::of(requirements.iter().map(|(condition, _)| condition));
        prop_assume!(space.points().unwrap() <= 20_000);
        let best = points(&space)
            .filter(|witness| meets(witness, &requirements))
            .min_by_key(size);
        let mut problem = Problem::new(&space);
        let mut possible = true;
        for (condition, allowed) in &requirements {
            possible &= problem.push(condition, *allowed);
        }
        let answer = problem.solve();
        let smallest = problem.smallest();
        match best {
            Some(best) => {
                prop_assert!(possible, "pushed away a solution: {:?}", best);
                let Answer::Satisfiable(witness) = answer else {
                    panic!("{answer:?}, but {best:?}");
                };
                prop_assert!(meets(&witness, &requirements), "{:?}", witness);
                prop_assert_eq!(smallest, Smallest::Found { witness: best, exact: true });
            }
            None => {
                prop_assert_eq!(answer, Answer::Unsatisfiable);
                prop_assert_eq!(smallest, Smallest::Unsatisfiable);
            }
        }
    }

    #[test]
    fn requiring_what_was_added_agrees_with_enumeration(
        conditions in prop::collection::vec(condition(), 1..3),
        wanted in prop::collection::vec((0..3_usize, truths()), 1..6),
    ) {
        let space = Space::of(&conditions);
        prop_assume!(space.points().unwrap() <= 20_000);
        let mut problem = Problem::new(&space);
        let ids = problem.add_all(&conditions.iter().collect::<Vec<_>>());
        let wanted: Vec<_> = wanted
            .into_iter()
            .map(|(index, allowed)| (index % conditions.len(), allowed))
            .collect();
        let requirements: Vec<_> = wanted
            .iter()
            .map(|(index, allowed)| (conditions[*index].clone(), *allowed))
            .collect();
        for _ in 0..2 {
            for (index, allowed) in &wanted {
                problem.require(ids[*index], *allowed);
            }
            let best = points(&space)
                .filter(|witness| meets(witness, &requirements))
                .min_by_key(size);
            prop_assert_eq!(problem.is_satisfiable(), Some(best.is_some()));
            match best {
                Some(best) => {
                    prop_assert!(problem.least_names() <= best.names_present());
                    let smallest = problem.smallest();
                    prop_assert_eq!(smallest, Smallest::Found { witness: best, exact: true });
                }
                None => prop_assert_eq!(problem.solve(), Answer::Unsatisfiable),
            }
            // All is taken back: the second round is the first again.
            wanted.iter().for_each(|_| problem.pop());
            prop_assert!(problem.required.iter().all(|required| *required == TruthSet::ALL));
        }
    }

    #[test]
    fn popping_takes_back_all(
        base in prop::collection::vec((condition(), truths()), 0..3),
        more in prop::collection::vec((condition(), truths()), 1..3),
    ) {
        let space = Space::of(base.iter().chain(&more).map(|(condition, _)| condition));
        let mut straight = Problem::new(&space);
        let mut around = Problem::new(&space);
        for (condition, allowed) in &base {
            straight.push(condition, *allowed);
            around.push(condition, *allowed);
        }
        for (condition, allowed) in &more {
            around.push(condition, *allowed);
            around.solve();
            around.smallest();
        }
        for _ in &more {
            around.pop();
        }
        prop_assert_eq!(around.depth(), base.len());
        prop_assert_eq!(around.solve(), straight.solve());
        prop_assert_eq!(around.smallest(), straight.smallest());
        prop_assert_eq!(format!("{:?}", around.domains), format!("{:?}", straight.domains));
        prop_assert_eq!(format!("{:?}", around.watchers), format!("{:?}", straight.watchers));
        prop_assert_eq!(around.nodes.len(), straight.nodes.len());
    }
}

#[test]
fn a_contradiction_is_seen_when_pushed() {
    let low = compare("n", Operator::Less, number("5"));
    let high = compare("n", Operator::Greater, number("7"));
    let space = Space::of([&low, &high]);
    let mut problem = Problem::new(&space);
    assert!(problem.push(&low, TruthSet::TRUE));
    assert!(!problem.push(&high, TruthSet::TRUE));
    assert!(!problem.push(&low, TruthSet::TRUE));
    assert_eq!(problem.solve(), Answer::Unsatisfiable);
    problem.pop();
    problem.pop();
    assert!(problem.push(&high, TruthSet::NOT_TRUE));
    assert!(matches!(problem.solve(), Answer::Satisfiable(_)));
}

#[test]
fn what_the_space_lacks_is_not_guessed() {
    let known = is_true("a");
    let unknown = is_true("b");
    let space = Space::of([&known]);
    let mut problem = Problem::new(&space);
    problem.push(&unknown, TruthSet::TRUE);
    assert_eq!(problem.solve(), Answer::GaveUp);
    assert_eq!(problem.smallest(), Smallest::GaveUp);
    problem.push(&known, TruthSet::TRUE);
    problem.push(&known, TruthSet::FALSE);
    assert_eq!(problem.solve(), Answer::Unsatisfiable);
    problem.pop();
    problem.pop();
    problem.pop();
    assert!(matches!(problem.solve(), Answer::Satisfiable(_)));
}

/// More pigeons than holes: no short refutation by search, so the budget ends it.
#[test]
fn the_budget_ends_a_search() {
    let place = |pigeon: usize, hole: usize| is_true(&format!("p{pigeon}_{hole}"));
    let mut conditions: Vec<Condition> = (0..9)
        .map(|pigeon| Condition::any((0..8).map(|hole| place(pigeon, hole)).collect()))
        .collect();
    for hole in 0..8 {
        for pigeon in 0..9 {
            for other in 0..pigeon {
                conditions.push(Condition::any(vec![
                    place(pigeon, hole).complement(),
                    place(other, hole).complement(),
                ]));
            }
        }
    }
    let space = Space::of(&conditions);
    let mut problem = Problem::new(&space).with_budget(50_000);
    for condition in &conditions {
        problem.push(condition, TruthSet::TRUE);
    }
    assert_eq!(problem.solve(), Answer::GaveUp);
    assert_eq!(problem.smallest(), Smallest::GaveUp);
    // Without one pigeon there is a solution, and the search is as it was.
    let mut fewer = Problem::new(&space);
    for condition in conditions.iter().skip(1) {
        fewer.push(condition, TruthSet::TRUE);
    }
    assert!(matches!(fewer.solve(), Answer::Satisfiable(_)));
}

#[test]
fn many_open_choices_do_not_multiply() {
    let conditions: Vec<Condition> = (0..400)
        .map(|at| {
            Condition::any(vec![
                is_true(&format!("a{at:03}")),
                is_true(&format!("b{at:03}")),
            ])
        })
        .collect();
    let space = Space::of(&conditions);
    assert_eq!(space.points(), None);
    let mut problem = Problem::new(&space);
    for condition in &conditions {
        assert!(problem.push(condition, TruthSet::TRUE));
    }
    assert!(matches!(problem.solve(), Answer::Satisfiable(_)));
    let Smallest::Found { witness, exact } = problem.smallest() else {
        panic!("there is a solution");
    };
    assert!(exact);
    assert_eq!(witness.names_present(), 400);
    assert!(witness.context.keys().all(|key| key.starts_with('a')));
}

#[test]
fn the_smallest_prefers_fewer_names_to_fewer_characters() {
    let long = compare("name", Operator::Equal, string("a long text indeed"));
    let condition = Condition::any(vec![Condition::all(vec![is_true("a"), is_true("b")]), long]);
    let space = Space::of([&condition]);
    let mut problem = Problem::new(&space);
    problem.push(&condition, TruthSet::TRUE);
    let Smallest::Found { witness, exact } = problem.smallest() else {
        panic!("there is a solution");
    };
    assert!(exact);
    assert_eq!(
        serde_json::to_string(&witness.context).unwrap(),
        r#"{"name":"a long text indeed"}"#
    );
}

/// The deepest condition the language allows, on the smallest stack it must work on.
#[test]
fn deep_conditions_on_a_small_stack() {
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(|| {
            let mut condition = is_true("a");
            for depth in 0..65 {
                let name = format!("n{depth}");
                condition = Condition::all(vec![is_true("x"), condition]);
                condition = Condition::any(vec![not_true(&name), condition]);
            }
            let space = Space::of([&condition]);
            let mut problem = Problem::new(&space);
            problem.push(&condition, TruthSet::FALSE);
            let Answer::Satisfiable(witness) = problem.solve() else {
                panic!("there is a solution");
            };
            assert_eq!(truth(&condition, &witness.call()), Truth::False);
            assert!(matches!(
                problem.smallest(),
                Smallest::Found { exact: true, .. }
            ));
        })
        .unwrap()
        .join()
        .unwrap();
}

/// A flow of a thousand branches, walked as the analyses do: each arm under what was passed.
#[test]
fn a_long_chain_of_arms() {
    let arms: Vec<Condition> = (0..1_000)
        .map(|at: usize| {
            Condition::any(vec![
                compare("n", Operator::Equal, number(&at.to_string())),
                Condition::all(vec![
                    is_true(&format!("a{}", at % 50)),
                    compare("s", Operator::Equal, string(&at.to_string())),
                ]),
            ])
        })
        .collect();
    let space = Space::of(&arms);
    let mut problem = Problem::new(&space);
    for arm in &arms {
        assert!(problem.push(arm, TruthSet::TRUE));
        let Answer::Satisfiable(witness) = problem.solve() else {
            panic!("{arm:?} is reached");
        };
        assert_eq!(truth(arm, &witness.call()), Truth::True);
        problem.pop();
        assert!(problem.push(arm, TruthSet::FALSE));
    }
    assert!(matches!(problem.solve(), Answer::Satisfiable(_)));
    // What was passed cannot be taken any more.
    assert!(!problem.push(&arms[7], TruthSet::TRUE));
}
