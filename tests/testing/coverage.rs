//! Coverage: suggested cases reach all that can be reached, and what is said to be impossible is.

use std::cell::RefCell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use stalwart::coverage::{Coverage, Gaps, Reason, Target, suggest, to_yaml};
use stalwart::decision_space::{Space, Witness};
use stalwart::diagnostics::Sink;
use stalwart::diagnostics::text_faults::decode_document;
use stalwart::evaluator::Call;
use stalwart::gate::Gate;
use stalwart::ir::Rulebook;
use stalwart::test_suite::{self, Suite};

use crate::compiled::{compile, files, must_compile};
use crate::properties::over_rulebooks;

/// Most points of a space that are enumerated.
const MOST_POINTS: u128 = 2_000;

fn read(text: &str, rulebook: &Rulebook) -> Result<Suite, TestCaseError> {
    let (source, faults) = decode_document("policy.test.yaml", text.as_bytes());
    prop_assert!(faults.is_empty());
    let mut sink = Sink::new();
    let suite = test_suite::read(&source, &mut sink);
    if let Some(suite) = &suite {
        test_suite::examine(suite, rulebook, &mut sink);
    }
    prop_assert!(sink.found().is_empty(), "{:?}\n{}", sink.found(), text);
    Ok(suite.expect("no errors"))
}

/// The suggested cases are read back, pass, and leave nothing that can be reached.
fn suggestions_are_whole(rulebook: &Rulebook) -> Result<usize, TestCaseError> {
    let mut coverage = Coverage::of(rulebook);
    let gaps = coverage.gaps();
    let suggestions = suggest(&coverage, &gaps);
    if suggestions.is_empty() {
        prop_assert!(gaps.all.iter().all(|gap| gap.reason == Reason::Impossible));
        return Ok(0);
    }
    let text = to_yaml(&coverage, &suggestions, "policy.co");
    prop_assert_eq!(
        &text,
        &to_yaml(
            &coverage,
            &suggest(&coverage, &coverage.gaps()),
            "policy.co"
        )
    );
    let suite = read(&text, rulebook)?;
    prop_assert_eq!(suite.cases.len(), suggestions.len());
    let gate = Gate::new(rulebook.clone());
    let report = test_suite::run(&suite, &gate, None);
    prop_assert_eq!(report.totals().passed, suggestions.len(), "{}", text);
    for case in &suite.cases {
        coverage.record(&Call::of(case.tool_name(), &case.context));
    }
    let after = coverage.gaps();
    let left: Vec<_> = after
        .all
        .iter()
        .filter(|gap| gap.reason != Reason::Impossible)
        .collect();
    prop_assert!(left.is_empty(), "{:?}\n{}", left, text);
    let (figures, _) = coverage.figures(&after);
    prop_assert!(
        figures.branches.is_whole() && figures.outcomes.is_whole() && figures.tools.is_whole()
    );
    prop_assert!(suggest(&coverage, &after).is_empty());
    Ok(suggestions.len())
}

#[test]
fn suggested_cases_of_every_fixture_reach_all_that_can_be_reached() {
    let mut cases = 0;
    for path in files("fixtures", "co") {
        let text = std::fs::read(&path).unwrap();
        let Ok(compiled) = compile(&text, "suite.coverage") else {
            continue;
        };
        match suggestions_are_whole(&compiled.rulebook) {
            Ok(count) => cases += count,
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
    assert!(cases > 300, "{cases}");
}

#[test]
fn suggested_cases_of_random_rulebooks_reach_all_that_can_be_reached() {
    let cases = RefCell::new(0);
    over_rulebooks(120, 0, |source, compiled, _| {
        match suggestions_are_whole(&compiled.rulebook) {
            Ok(count) => *cases.borrow_mut() += count,
            Err(error) => return Err(TestCaseError::fail(format!("{error}\n{source}"))),
        }
        Ok(())
    });
    assert!(*cases.borrow() > 500, "{cases:?}");
}

fn points(space: &Space) -> impl Iterator<Item = Witness> {
    let counts: Vec<u32> = space.iter().map(|(_, classes)| classes.len()).collect();
    let total = space.points().expect("few points");
    (0..total).map(move |mut number| {
        let class_of = |count: &u32| {
            let class = number % u128::from(*count);
            number /= u128::from(*count);
            u32::try_from(class).expect("a class")
        };
        let point: Vec<u32> = counts.iter().map(class_of).collect();
        space.witness(&point)
    })
}

/// Everything that some call reaches, by trying every point with every tool; none where there
/// are too many.
fn by_enumeration(rulebook: &Rulebook) -> Option<BTreeMap<Target, u64>> {
    let arms = rulebook.flows.iter().flat_map(|flow| &flow.ifs);
    let arms = arms.flat_map(|decision| &decision.arms);
    let space = Space::of(arms.map(|arm| &arm.condition));
    space.points().filter(|points| *points <= MOST_POINTS)?;
    let mut coverage = Coverage::of(rulebook);
    for witness in points(&space) {
        let tools = rulebook.tools.iter().map(|tool| Some(tool.name.as_str()));
        for tool in tools.chain([None, witness.tool.as_deref()]) {
            coverage.record(&Call::new(tool, &witness.context));
        }
    }
    Some(coverage.targets().into_iter().collect())
}

/// What is said of each target: whether it can be reached.
fn agrees(
    gaps: &Gaps,
    reachable: &BTreeMap<Target, u64>,
    source: &str,
) -> Result<[usize; 2], TestCaseError> {
    let mut counts = [0, 0];
    for gap in &gaps.all {
        let is_reached = reachable.get(&gap.target).is_some_and(|count| *count > 0);
        match gap.reason {
            Reason::Missing(_) => {
                prop_assert!(is_reached, "{:?}\n{}", gap, source);
                counts[0] += 1;
            }
            Reason::Impossible => {
                prop_assert!(!is_reached, "{:?}\n{}", gap, source);
                counts[1] += 1;
            }
            Reason::NotDecided => return Err(TestCaseError::fail(format!("{gap:?}\n{source}"))),
        }
    }
    Ok(counts)
}

#[test]
fn what_cannot_happen_is_what_enumeration_never_meets() {
    let counts = RefCell::new([0, 0]);
    over_rulebooks(300, 0, |source, compiled, _| {
        let Some(reachable) = by_enumeration(&compiled.rulebook) else {
            return Ok(());
        };
        let gaps = Coverage::of(&compiled.rulebook).gaps();
        let [missing, impossible] = agrees(&gaps, &reachable, source)?;
        counts.borrow_mut()[0] += missing;
        counts.borrow_mut()[1] += impossible;
        Ok(())
    });
    let [missing, impossible] = *counts.borrow();
    assert!(missing > 500 && impossible > 50, "{missing} {impossible}");
}

#[test]
fn a_call_counts_what_it_meets_and_nothing_else() {
    let rulebook = must_compile(super::RULES.as_bytes(), "suite.coverage").rulebook;
    let mut coverage = Coverage::of(&rulebook);
    let context = serde_json::json!({"order_paid": true, "amount": 40});
    coverage.record(&Call::of(Some("refund_card"), &context));
    coverage.record(&Call::of(Some("other"), &context));
    let reached: Vec<String> = coverage
        .targets()
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(target, count)| format!("{count} {}", coverage.describe(target)))
        .collect();
    assert_eq!(
        reached,
        [
            "1 $order_paid and $amount <= 100 holds",
            "2 past the `if` of line 2",
            "1 $order_paid is true",
            "1 $amount <= 100 is true",
            "2 $account_frozen is false",
            "1 a call of refund_card",
        ]
    );
}

#[test]
fn the_smallest_call_is_one_that_the_flow_decides() {
    let source = "define flow guard\n  if $frozen == True\n    stop\n\ndefine flow f\n  if $a\n    execute t\n";
    let rulebook = must_compile(source.as_bytes(), "suite.coverage").rulebook;
    let coverage = Coverage::of(&rulebook);
    let suggestions = suggest(&coverage, &coverage.gaps());
    let allowing = suggestions
        .iter()
        .find(|one| one.decision.decision.as_str() == "allow")
        .expect("one that is allowed");
    assert_eq!(
        serde_json::Value::Object(allowing.call.context.clone()).to_string(),
        r#"{"a":true,"frozen":false}"#
    );
}

#[test]
fn a_long_chain_of_arms_is_decided() {
    let mut source = String::from("define flow f\n");
    for arm in 0..60 {
        let word = if arm == 0 { "if" } else { "else if" };
        source += &format!(
            "  {word} $a == {arm} and $b{} != {arm}\n    execute t\n",
            arm % 7
        );
    }
    let rulebook = must_compile(source.as_bytes(), "suite.coverage").rulebook;
    let gaps = Coverage::of(&rulebook).gaps();
    let branches = gaps
        .all
        .iter()
        .filter(|gap| matches!(gap.target, Target::Branch { .. }));
    assert!(
        branches
            .clone()
            .all(|gap| matches!(gap.reason, Reason::Missing(_)))
    );
    assert_eq!(branches.count(), 61);
    assert!(gaps.all.iter().all(|gap| gap.reason != Reason::NotDecided));
}

/// Ways that all go through one long condition: each would be written out with it.
#[test]
fn ways_that_are_too_long_to_be_written_out_are_left_undecided() {
    let wide: Vec<String> = (0..300).map(|name| format!("$a{name}")).collect();
    let mut source = format!(
        "define flow f\n  if {}\n    bot noted\n    user ...\n",
        wide.join(" \\\n    or ")
    );
    for name in 0..8 {
        source += &format!("  if $b{name}\n    bot noted {name}\n    user ...\n");
    }
    source += "  execute t\n";
    let rulebook = must_compile(source.as_bytes(), "suite.coverage").rulebook;
    let coverage = Coverage::of(&rulebook);
    let gaps = coverage.gaps();
    let undecided = gaps
        .all
        .iter()
        .filter(|gap| gap.reason == Reason::NotDecided)
        .map(|gap| coverage.describe(gap.target))
        .collect::<Vec<_>>();
    assert!(
        undecided.contains(&"$b7 is true".to_owned()),
        "{undecided:?}"
    );
    assert!(
        gaps.all
            .iter()
            .any(|gap| matches!(gap.reason, Reason::Missing(_)))
    );
}
