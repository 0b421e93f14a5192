//! Random rulebooks and calls: whoever decides, decides the same.
//!
//! The seed is fixed, so that a run says the same today and tomorrow. To look elsewhere:
//! `STALWART_SEED=n` takes other random choices, `STALWART_CASES=n` multiplies their number.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngSeed, TestCaseResult, TestRunner};
use stalwart::evaluator::{Decision, Verdict};
use stalwart::ir;

use crate::compiled::{Compiled, compile};
use crate::engines::opa::Opa;
use crate::engines::opa_1_20::OpaEngine;
use crate::engines::{Batch, regorus};
use crate::generator::{Call, Choices, Model, calls, rulebooks};
use crate::reference::Kind;

/// A number that the environment may change.
fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is no number"))
    })
}

pub fn runner(cases: u32) -> TestRunner {
    let times = u32::try_from(setting("STALWART_CASES", 1)).expect("a reasonable number");
    TestRunner::new(Config {
        cases: cases * times,
        rng_seed: RngSeed::Fixed(setting("STALWART_SEED", 20_261_130)),
        failure_persistence: None,
        max_shrink_iters: 4_000,
        ..Config::default()
    })
}

/// Rulebooks with calls.
fn cases(count: usize) -> impl Strategy<Value = (Model, Vec<Choices>)> {
    (rulebooks(), calls::calls(count))
}

/// The calls for one text.
fn read(choices: &[Choices], source: &str) -> Vec<Call> {
    choices.iter().map(|choice| choice.call(source)).collect()
}

/// Runs a property over random rulebooks that check, and prints the text of one that fails.
pub fn over_rulebooks(
    cases_wanted: u32,
    calls_each: usize,
    property: impl Fn(&str, &Compiled, &[Call]) -> TestCaseResult,
) {
    let result = runner(cases_wanted).run(&cases(calls_each), |(model, choices)| {
        let source = model.source();
        // A text with errors has no decision: the share of these is a test of its own.
        let Ok(compiled) = compile(source.as_bytes(), "suite.p0") else {
            return Ok(());
        };
        property(&source, &compiled, &read(&choices, &source))
    });
    if let Err(error) = result {
        let text = match &error {
            proptest::test_runner::TestError::Fail(_, (model, _)) => model.source(),
            proptest::test_runner::TestError::Abort(_) => String::new(),
        };
        panic!("{error}\nin:\n{text}");
    }
}

#[test]
fn most_random_rulebooks_check() {
    let mut runner = runner(1);
    let (mut clean, total) = (0, 300);
    let mut found: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for _ in 0..total {
        let model = rulebooks()
            .new_tree(&mut runner)
            .expect("a rulebook")
            .current();
        let source = model.source();
        match compile(source.as_bytes(), "suite.p0") {
            Ok(_) => clean += 1,
            Err(errors) => {
                for error in errors.lines() {
                    let code = error.split(' ').find(|word| word.starts_with("RB"));
                    let entry = found.entry(code.unwrap_or("?").to_owned());
                    let example = || (0, format!("{error}\n{source}"));
                    entry.or_insert_with(example).0 += 1;
                }
            }
        }
    }
    println!("{clean} of {total} check without errors");
    for (code, (count, example)) in &found {
        println!("--- {code}: {count} times, such as {example}");
    }
    assert!(clean * 2 > total, "only {clean} of {total} check");
}

#[test]
fn evaluator_and_reference_walk_agree() {
    let mut verdicts = BTreeMap::new();
    let counter = std::cell::RefCell::new(&mut verdicts);
    over_rulebooks(250, 30, |source, compiled, calls| {
        let reference = compiled.reference();
        let kinds: Vec<_> = compiled
            .rulebook
            .flows
            .iter()
            .map(|flow| flow.kind)
            .collect();
        let expected: Vec<_> = reference
            .kinds()
            .into_iter()
            .map(|kind| match kind {
                Kind::Governing => ir::FlowKind::Governing,
                Kind::Guard => ir::FlowKind::Guard,
                Kind::Dialogue => ir::FlowKind::Dialogue,
            })
            .collect();
        prop_assert_eq!(kinds, expected, "kinds of flows");
        for call in calls {
            let input = call.value();
            let decision = compiled.decide(&input);
            prop_assert_eq!(
                &decision,
                &reference.decide(&input),
                "{:?}\n{}",
                call.input,
                source
            );
            // Where the gate cannot see, every way leads to the same.
            for seed in 0..3 {
                let on_a_way = reference.decide_on_a_way(&input, Some(seed));
                prop_assert_eq!(&decision, &on_a_way, "way {} of {:?}", seed, call.input);
            }
            let mut counter = counter.borrow_mut();
            let rule = match decision.rule.as_str() {
                "" | "no_match" | "stop" => decision.rule.as_str(),
                _ => "a message",
            };
            *counter
                .entry((decision.decision, rule.to_owned()))
                .or_insert(0_usize) += 1;
        }
        Ok(())
    });
    println!("{verdicts:?}");
    for wanted in [
        (Verdict::Allow, ""),
        (Verdict::Clarify, "a message"),
        (Verdict::Refuse, "a message"),
        (Verdict::Refuse, "no_match"),
        (Verdict::Refuse, "stop"),
        (Verdict::Silent, ""),
    ] {
        let count = verdicts.get(&(wanted.0, wanted.1.to_owned()));
        assert!(
            count.is_some_and(|count| *count > 20),
            "hardly ever {wanted:?}"
        );
    }
}

#[test]
fn evaluator_and_regorus_agree() {
    over_rulebooks(80, 30, |source, compiled, calls| {
        let calls: Vec<_> = calls.iter().filter(|call| !call.exact).collect();
        let answers = regorus::decide(Batch {
            package: "suite.p0".to_owned(),
            rego: compiled.emit().rego,
            inputs: calls.iter().map(|call| call.input.clone()).collect(),
        });
        for (call, answer) in calls.iter().zip(answers) {
            let decision = compiled.decide(&call.value());
            prop_assert_eq!(Ok(decision), answer, "{:?}\n{}", call.input, source);
        }
        Ok(())
    });
}

/// One drawn case for an engine behind a process.
struct Drawn {
    batch: Batch,
    source: String,
    decisions: Vec<Decision>,
}

fn draw(model: &Model, choices: &[Choices], package: &str) -> Option<Drawn> {
    let source = model.source();
    let compiled = compile(source.as_bytes(), package).ok()?;
    let calls = read(choices, &source);
    Some(Drawn {
        decisions: calls
            .iter()
            .map(|call| compiled.decide(&call.value()))
            .collect(),
        batch: Batch {
            package: package.to_owned(),
            rego: compiled.emit().rego,
            inputs: calls.into_iter().map(|call| call.input).collect(),
        },
        source,
    })
}

/// The answers to the inputs of some batches, or why the whole run failed.
type Answers = Result<Vec<Vec<Result<Decision, String>>>, String>;

/// Asks an engine; the error says what differs first.
fn compare(
    engine: impl Fn(&[Batch]) -> Answers,
    drawn: &[Drawn],
) -> Result<usize, (usize, String)> {
    let batches: Vec<_> = drawn.iter().map(|one| one.batch.clone()).collect();
    let answers = engine(&batches).map_err(|error| (usize::MAX, error))?;
    let mut points = 0;
    for (index, (one, answers)) in drawn.iter().zip(answers).enumerate() {
        let inputs = one.batch.inputs.iter().zip(&one.decisions);
        for ((input, decision), answer) in inputs.zip(answers) {
            points += 1;
            if answer.as_ref() != Ok(decision) {
                let input = input.as_deref().unwrap_or("no input");
                return Err((
                    index,
                    format!(
                        "{input}\nevaluator: {decision:?}\nOPA: {answer:?}\nin:\n{}\n{}",
                        one.source, one.batch.rego
                    ),
                ));
            }
        }
    }
    Ok(points)
}

/// Holds an engine that is asked through a process to the evaluator: all rulebooks in one, and
/// where they differ, the smallest that still does.
fn over_one_process(rulebooks: usize, engine: impl Fn(&[Batch]) -> Answers) {
    let mut runner = runner(1);
    let strategy = cases(50);
    let mut trees = Vec::new();
    while trees.len() < rulebooks {
        let tree = strategy.new_tree(&mut runner).expect("a case");
        let (model, choices) = tree.current();
        let package = format!("suite.p{}", trees.len());
        if let Some(drawn) = draw(&model, &choices, &package) {
            trees.push((tree, drawn));
        }
    }
    let (mut trees, drawn): (Vec<_>, Vec<_>) = trees.into_iter().unzip();
    let (index, mut message) = match compare(&engine, &drawn) {
        Ok(points) => {
            println!("{points} points asked");
            return;
        }
        // An error of the process is looked for one by one.
        Err((index, message)) => drawn
            .iter()
            .enumerate()
            .find_map(|(at, one)| {
                compare(&engine, std::slice::from_ref(one))
                    .err()
                    .map(|(_, error)| (at, error))
            })
            .unwrap_or((index, message)),
    };
    // The smallest rulebook that still differs, a process for each try.
    if let Some(tree) = trees.get_mut(index) {
        let mut tries = 0;
        let mut more = tree.simplify();
        while more && tries < 150 {
            tries += 1;
            let (model, choices) = tree.current();
            let failure =
                draw(&model, &choices, "suite.p0").and_then(|one| compare(&engine, &[one]).err());
            more = match failure {
                Some((_, smaller)) => {
                    message = smaller;
                    tree.simplify()
                }
                None => tree.complicate(),
            };
        }
    }
    panic!("{message}");
}

#[test]
fn evaluator_and_opa_agree() {
    let Some(opa) = Opa::find() else { return };
    over_one_process(40, |batches| {
        let packages: Vec<_> = batches
            .iter()
            .map(|batch| (batch.package.clone(), batch.rego.clone()))
            .collect();
        opa.accepts(&packages)?;
        opa.decide(batches)
    });
}

#[test]
fn evaluator_and_opa_1_20_agree() {
    let Some(opa) = OpaEngine::find() else { return };
    over_one_process(80, |batches| Ok(opa.decide(batches)));
}

#[test]
fn other_line_ends_give_the_same_artifacts() {
    over_rulebooks(60, 0, |source, compiled, _| {
        let artifacts = compiled.emit();
        let again = |text: &str| compile(text.as_bytes(), "suite.p0").map(|it| it.emit());
        prop_assert_eq!(again(source), Ok(artifacts.clone()), "a second time");
        let crlf = source.replace('\n', "\r\n");
        prop_assert_eq!(again(&crlf), Ok(artifacts.clone()), "CRLF");
        let marked = format!("\u{feff}{source}");
        prop_assert_eq!(again(&marked), Ok(artifacts.clone()), "a BOM");
        let commented = format!("# one more line\n{source}");
        let shifted = again(&commented).map_err(TestCaseError::fail)?;
        let plain = crate::determinism::without_places(&artifacts, 0);
        prop_assert_eq!(
            crate::determinism::without_places(&shifted, 1),
            plain,
            "a comment"
        );
        Ok(())
    });
}
