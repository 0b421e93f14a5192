//! What the gate says about a decision: each flow's word, what was met on the way, and the
//! smallest change that would allow the call, held to the evaluator and to plain enumeration.

use std::cell::RefCell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use serde_json::{Value, json};
use stalwart::decision_space::{Space, Witness};
use stalwart::evaluator::{Call, Truth, Verdict, branch_taken, decide, truth};
use stalwart::gate::{Change, FlowTrace, Gate, MetArm, Outcome, Why, WordKind, Words};
use stalwart::ir::{Arm, Flow, FlowKind, Name, Rulebook, is_tool_name};

use crate::compiled::must_compile;
use crate::properties::over_rulebooks;

/// Most points of a space that are enumerated.
const MOST_POINTS: u128 = 3_000;

/// The gate of a text.
fn gate(text: &str) -> Gate {
    Gate::new(must_compile(text.as_bytes(), "suite.why").rulebook)
}

/// Tool and context of an input document.
fn parts(input: &Value) -> (Option<&str>, Value) {
    let context = input.get("context").cloned().unwrap_or_default();
    (input.get("tool").and_then(Value::as_str), context)
}

/// The decision that words come to, by the order of contract section 4 spelled out.
fn combined(words: &Words<'_>) -> (Verdict, String) {
    let first = |kind| words.words.iter().find(|word| word.word == kind);
    let rule = |word: &stalwart::gate::FlowWord<'_>| word.rule.to_owned();
    if let Some(word) = first(WordKind::Refuse) {
        (Verdict::Refuse, rule(word))
    } else if let Some(word) = first(WordKind::Clarify) {
        (Verdict::Clarify, rule(word))
    } else if first(WordKind::Allow).is_some() {
        (Verdict::Allow, String::new())
    } else if words
        .words
        .iter()
        .any(|word| word.flow.kind == FlowKind::Governing)
    {
        (Verdict::Refuse, "no_match".to_owned())
    } else {
        (Verdict::Silent, String::new())
    }
}

/// Questions of words, by what the contract says of them.
fn questions_hold(words: &Words<'_>) -> Result<(), TestCaseError> {
    for word in &words.words {
        let asks_first = word.questions.first().map(|question| question.rule);
        if word.answerable {
            prop_assert_eq!(word.word, WordKind::Clarify);
            prop_assert_eq!(asks_first, Some(word.rule));
            prop_assert_eq!(word.flow.kind, FlowKind::Governing);
        } else if word.word == WordKind::Clarify || word.word == WordKind::Allow {
            prop_assert_eq!(asks_first, None);
        }
    }
    let clarifies = words
        .words
        .iter()
        .filter(|word| word.word == WordKind::Clarify);
    let all = clarifies.clone().all(|word| word.answerable);
    let is_clarify = words.decision.decision == Verdict::Clarify;
    prop_assert_eq!(words.is_answerable(), is_clarify && all);
    prop_assert_eq!(
        words.questions().count(),
        clarifies.map(|word| word.questions.len()).sum::<usize>()
    );
    Ok(())
}

fn outcome(truth: Truth) -> Outcome {
    match truth {
        Truth::True => Outcome::Held,
        Truth::False => Outcome::Failed,
        Truth::Unknown => Outcome::Lacked,
    }
}

/// An arm as it must be told.
fn told(arm: &Arm, met: &MetArm, call: &Call<'_>) -> Result<(), TestCaseError> {
    prop_assert_eq!(met.line, arm.line);
    prop_assert_eq!(&met.condition, &arm.condition.to_string());
    prop_assert_eq!(met.outcome, outcome(truth(&arm.condition, call)));
    let leaves: Vec<_> = arm
        .condition
        .leaves()
        .filter(|leaf| leaf.name().is_some())
        .collect();
    prop_assert_eq!(leaves.len(), met.leaves.len());
    for (leaf, told) in leaves.into_iter().zip(&met.leaves) {
        prop_assert_eq!(&told.leaf, &leaf.to_string());
        prop_assert_eq!(told.outcome, outcome(truth(leaf, call)));
    }
    Ok(())
}

/// The arms told of a flow are those on the path of the branch that holds, up to the arm taken.
fn way_is_told(flow: &Flow, trace: &FlowTrace<'_>, call: &Call<'_>) -> Result<(), TestCaseError> {
    let mut met = trace.met.iter();
    let taken = branch_taken(flow, call);
    prop_assert_eq!(
        trace.said.branch.map(|branch| branch.id),
        taken.map(|branch| branch.id.as_str())
    );
    let Some(branch) = taken else {
        // Undecided: the last arm lacks its value, those before do not.
        let (last, before) = trace
            .met
            .split_last()
            .expect("an undecided flow met an arm");
        prop_assert_eq!(last.outcome, Outcome::Lacked);
        prop_assert_eq!(trace.undecided_at, Some(last.line));
        prop_assert!(before.iter().all(|arm| arm.outcome != Outcome::Lacked));
        let arms = flow.ifs.iter().flat_map(|decision| &decision.arms);
        for met in &trace.met {
            let found = arms
                .clone()
                .any(|arm| arm.line == met.line && told(arm, met, call).is_ok());
            prop_assert!(found, "{:?}", met);
        }
        return Ok(());
    };
    prop_assert_eq!(trace.undecided_at, None);
    for choice in &branch.path {
        let decision = flow.find_if(&choice.if_id).expect("an `if` of the flow");
        let count = choice.arm.unwrap_or(decision.arms.len());
        for arm in decision.arms.iter().take(count) {
            let met = met.next().expect("an arm on the path is told");
            prop_assert_eq!(met.if_line, decision.line);
            told(arm, met, call)?;
        }
    }
    prop_assert_eq!(met.next(), None);
    Ok(())
}

#[test]
fn words_and_ways_are_the_evaluator_s() {
    let seen = RefCell::new(BTreeMap::new());
    over_rulebooks(120, 20, |source, compiled, calls| {
        let gate = Gate::new(compiled.rulebook.clone());
        for call in calls {
            let input = call.value();
            let (tool, context) = parts(&input);
            let decision = compiled.decide(&input);
            let words = gate.words(tool, &context);
            prop_assert_eq!(&words.decision, &decision, "{}\n{}", input, source);
            let (verdict, rule) = combined(&words);
            prop_assert_eq!((verdict, rule), (decision.decision, decision.rule.clone()));
            questions_hold(&words)?;
            let why = gate.why(tool, &context);
            prop_assert_eq!(&why.decision, &decision);
            prop_assert_eq!(why.flows.len(), words.words.len());
            let call = Call::of(tool, &context);
            for (trace, word) in why.flows.iter().zip(&words.words) {
                prop_assert_eq!(&trace.said, word);
                let flows = &compiled.rulebook.flows;
                let flow = flows.iter().find(|flow| flow.id == word.flow.id);
                way_is_told(flow.expect("a flow of the rulebook"), trace, &call)?;
            }
            let decides = why.decided_by.map(|by| by.flow.id);
            let deciding = words.words.iter().find(|word| {
                let kind = match decision.decision {
                    Verdict::Allow => WordKind::Allow,
                    Verdict::Clarify => WordKind::Clarify,
                    Verdict::Refuse | Verdict::Silent => WordKind::Refuse,
                };
                word.word == kind && word.rule == decision.rule
            });
            let deciding = deciding.or(words.words.first()).map(|word| word.flow.id);
            prop_assert_eq!(decides, deciding);
            let key = if words.is_answerable() {
                "answerable"
            } else {
                decision.decision.as_str()
            };
            *seen.borrow_mut().entry(key).or_insert(0) += 1;
        }
        Ok(())
    });
    println!("{seen:?}");
    for wanted in ["answerable", "clarify", "allow", "refuse", "silent"] {
        let count = seen.borrow().get(wanted).copied().unwrap_or(0);
        assert!(count > 10, "hardly ever {wanted}");
    }
}

/// A change in the contract's order: names, characters, then the values name by name.
type Size = (usize, usize, Vec<(Name, Option<String>)>);

fn size(changes: Vec<(Name, Option<String>)>) -> Size {
    let texts = changes.iter().flat_map(|(_, text)| text);
    let characters = texts.map(|text| text.chars().count()).sum();
    (changes.len(), characters, changes)
}

/// The classes of all that a decision on a tool reads.
fn space(rulebook: &Rulebook, tool: &str) -> Space {
    let tool = rulebook.tool(tool);
    let speaks = |flow: &&Flow| {
        flow.kind == FlowKind::Guard || tool.is_some_and(|tool| tool.is_governed_by(flow))
    };
    let flows = rulebook.flows.iter().filter(speaks);
    let ifs = flows.flat_map(|flow| &flow.ifs);
    Space::of(ifs.flat_map(|decision| decision.arms.iter().map(|arm| &arm.condition)))
}

/// All points of a space, by counting through the classes.
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

/// The smallest change that allows, by trying every point.
fn by_enumeration(rulebook: &Rulebook, space: &Space, tool: &str, call: &Call<'_>) -> Option<Size> {
    let allowed = points(space).filter(|point| {
        let input = json!({"tool": tool, "context": point.context});
        decide(rulebook, &input).decision == Verdict::Allow
    });
    let sizes = allowed.map(|point| {
        let then = Call::new(Some(tool), &point.context);
        let changes = space.iter().filter_map(|(name, classes)| {
            let class = classes.class_of(then.value(name));
            let is_changed = class != classes.class_of(call.value(name)) && !is_tool_name(name);
            let text = classes.representative(class).map(|value| value.to_string());
            is_changed.then(|| (name.clone(), text))
        });
        size(changes.collect())
    });
    sizes.min()
}

fn edits(why: &Why<'_>) -> Vec<(Name, Option<String>)> {
    let edits = why.change.edits().iter();
    edits
        .map(|edit| (edit.name.clone(), edit.set.as_ref().map(Value::to_string)))
        .collect()
}

#[test]
fn the_smallest_change_allows_and_none_is_smaller() {
    let seen = RefCell::new(BTreeMap::new());
    over_rulebooks(150, 6, |source, compiled, calls| {
        let gate = Gate::new(compiled.rulebook.clone());
        for call in calls {
            let input = call.value();
            let (tool, context) = parts(&input);
            let why = gate.why(tool, &context);
            let allows = gate.rulebook().tool(tool.unwrap_or_default()).is_some();
            let found = match &why.change {
                Change::Unneeded => {
                    prop_assert_eq!(why.decision.decision, Verdict::Allow);
                    "unneeded".to_owned()
                }
                Change::Smallest { edits } => {
                    let changed = why.change.apply(&context);
                    let after = gate.words(tool, &changed).decision.decision;
                    prop_assert_eq!(after, Verdict::Allow, "{}\n{}\n{}", input, changed, source);
                    format!("{} names", edits.len().min(4))
                }
                Change::None { .. } => "none".to_owned(),
                other => return Err(TestCaseError::fail(format!("{other:?}\n{source}"))),
            };
            *seen.borrow_mut().entry(found).or_insert(0) += 1;
            let Some(tool) = tool.filter(|_| allows) else {
                let is_none = matches!(why.change, Change::None { .. });
                prop_assert!(is_none, "{}", why);
                continue;
            };
            let space = space(gate.rulebook(), tool);
            if space.points().is_none_or(|points| points > MOST_POINTS) {
                continue;
            }
            *seen
                .borrow_mut()
                .entry("enumerated".to_owned())
                .or_insert(0) += 1;
            let call = Call::of(Some(tool), &context);
            let best = by_enumeration(gate.rulebook(), &space, tool, &call);
            let found = (!matches!(why.change, Change::None { .. })).then(|| size(edits(&why)));
            prop_assert_eq!(found, best, "{}\n{}", input, source);
        }
        Ok(())
    });
    println!("{seen:?}");
    for wanted in ["unneeded", "1 names", "2 names", "none", "enumerated"] {
        let count = seen.borrow().get(wanted).copied().unwrap_or(0);
        assert!(count > 10, "hardly ever {wanted}");
    }
}

const SHOP: &str = r#"define bot ask for approval
  "May this be refunded?"

define subflow check account
  if $account_frozen
    bot refuse frozen account
    stop

define flow refunds
  user ask refund
  do check account
  if $order_paid and $amount <= 100
    execute refund_card(order_id=$order_id)
  else if $order_paid
    bot ask for approval
    user approve
    execute refund_card
  else
    bot refuse
"#;

#[test]
fn the_contract_s_example_says_its_lines() {
    let gate = gate(SHOP);
    let why = gate.why("refund_card", &json!({"order_paid": true, "amount": 250}));
    assert_eq!(
        why.to_string(),
        "clarify `ask for approval`: flow `refunds`, line 14 (branch f1_b3)\n\
         flow `refunds`, line 9: clarify `ask for approval`\n\
         \x20 line 5: `$account_frozen` failed\n\
         \x20   `$account_frozen` failed: `$account_frozen` is absent\n\
         \x20 line 12: `$order_paid and $amount <= 100` failed\n\
         \x20   `$order_paid` held: `$order_paid` is true\n\
         \x20   `$amount <= 100` failed: `$amount` is a number\n\
         \x20 line 14: `$order_paid` held\n\
         \x20   `$order_paid` held: `$order_paid` is true\n\
         the smallest change that would allow it:\n\
         \x20 set `$amount` to `0`"
    );
    let words = gate.words("refund_card", &json!({"order_paid": true, "amount": 250}));
    assert!(words.is_answerable());
    let shown: Vec<_> = words.questions().map(|one| one.wording).collect();
    assert_eq!(shown, ["May this be refunded?"]);
}

#[test]
fn two_questions_of_a_branch_are_both_asked() {
    let gate = gate(
        "define flow two\n  user hello\n  bot ask a\n  user yes\n  bot \"Really?\"\n  user yes\n  execute t\n",
    );
    let words = gate.words("t", &json!({}));
    assert!(words.is_answerable());
    let shown: Vec<_> = words
        .questions()
        .map(|one| (one.rule, one.wording))
        .collect();
    assert_eq!(shown, [("ask a", "ask a"), ("ask", "Really?")]);
    // No context lifts a question.
    let why = gate.why("t", &json!({}));
    assert!(matches!(why.change, Change::None { .. }), "{why}");
}

#[test]
fn a_clarify_whose_branch_does_not_run_the_tool() {
    let gate =
        gate("define flow one\n  if $known\n    execute t\n  else\n    bot ask who you are\n");
    let words = gate.words("t", &json!({}));
    assert_eq!(words.decision.decision, Verdict::Clarify);
    assert!(!words.is_answerable());
    assert_eq!(words.questions().count(), 0);
    assert_eq!(words.words[0].wording, Some("ask who you are"));
    let why = gate.why("t", &json!({"known": 1}));
    assert_eq!(
        edits(&why),
        [(vec!["known".to_owned()], Some("true".to_owned()))]
    );
}

#[test]
fn every_fixture_says_why() {
    for path in crate::compiled::files("fixtures", "co") {
        let text = std::fs::read(&path).expect("a fixture is read");
        let Ok(compiled) = crate::compiled::compile(&text, "suite.why") else {
            continue;
        };
        let gate = Gate::new(compiled.rulebook);
        for tool in &gate.rulebook().tools {
            let why = gate.why(tool.name.as_str(), &json!({}));
            assert!(
                !matches!(
                    why.change,
                    Change::NotExact { .. } | Change::NotFound { .. }
                ),
                "{}: {why}",
                path.display()
            );
            if !why.change.edits().is_empty() {
                let changed = why.change.apply(&json!({}));
                let after = gate.words(tool.name.as_str(), &changed).decision.decision;
                assert_eq!(after, Verdict::Allow, "{}: {why}", path.display());
            }
        }
    }
}
