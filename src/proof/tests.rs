use std::collections::BTreeSet;

use serde_json::json;

use super::axes::{axes, point_at};
use super::difference::expected;
use super::input::Input;
use super::interpreter::{decision, document};
use super::package::DECISION;
use super::plan::{Part, Plan, Points};
use super::*;
use crate::compiler::{Depth, compile};
use crate::decision_space::Called;
use crate::emitter::emit;
use crate::ir::{Condition, Literal, Number};
use crate::text::Decimal;

/// Checks that a text has no errors: its rulebook and its Rego.
fn emitted(text: &str) -> (Rulebook, String) {
    let compilation = compile("policy.co", text.as_bytes(), "unit.proof", Depth::Errors);
    let Some(rulebook) = compilation.rulebook else {
        panic!("{:?}", compilation.diagnostics);
    };
    let rego = emit(&rulebook).unwrap().rego;
    (rulebook, rego)
}

fn proof_within(rulebook: &Rulebook, rego: &str, points: u64) -> Result<Proof, Failure> {
    let options = Options {
        points,
        opa: None,
        progress: &mut |_| {},
    };
    prove(rulebook, rego, options)
}

fn proof_of(rulebook: &Rulebook, rego: &str) -> Result<Proof, Failure> {
    proof_within(rulebook, rego, DEFAULT_POINTS)
}

/// A plan and its package, on a stack that the interpreter fits on.
fn with_plan(rulebook: &Rulebook, rego: &str, points: u64, look: impl FnOnce(&Run<'_>) + Send) {
    let looked = run::on_large_stack(|| {
        let mut interpreter = run::load(rego.to_owned())?;
        let package = interpreter.package(&rulebook.package).unwrap();
        let plan = plan::plan(rulebook, &package, points)?;
        look(&Run {
            plan: &plan,
            package: &package,
            rego,
        });
        Ok(())
    });
    looked.unwrap();
}

/// The part of a tool.
fn part_of<'p, 'a>(plan: &'p Plan<'a>, tool: &str) -> &'p Part<'a> {
    let called = Called::Tool(tool.to_owned());
    let found = plan.parts.iter().find(|part| part.target.called == called);
    found.unwrap_or_else(|| panic!("no {tool}"))
}

const MIXED: &str = "\
define context
  $paid: bool
  $blocked: bool
  $amount: number
  $tier: string
  $a.b.c: bool

define flow guard
  if $blocked == True
    bot refuse blocked
    stop
  if $tool_name == \"audit\"
    bot ask auditor
    stop

define flow refunds
  if $paid and $amount <= 100
    execute refund
  else if $paid and $amount > 5000.5 and $tier in [\"gold\", \"silver\"]
    execute refund
  else if $a.b.c
    bot ask why
  else
    bot refuse

define flow notes
  if not $paid
    execute note
";

#[test]
fn names_have_the_classes_of_their_leaves() {
    let (rulebook, rego) = emitted(MIXED);
    with_plan(&rulebook, &rego, DEFAULT_POINTS, |run| {
        let counts = |tool: &str| -> Vec<(String, usize)> {
            let axes = &part_of(run.plan, tool).axes;
            axes.iter()
                .map(|axis| (axis.name.join("."), axis.values.len()))
                .collect()
        };
        let named = |counts: &[(&str, usize)]| -> Vec<(String, usize)> {
            counts
                .iter()
                .map(|(name, count)| ((*name).to_owned(), *count))
                .collect()
        };
        // A boolean 2, 3 when compared; a number 2k+2; a string s+2; the tool is no axis.
        assert_eq!(
            counts("refund"),
            named(&[
                ("a.b.c", 2),
                ("amount", 6),
                ("blocked", 3),
                ("paid", 2),
                ("tier", 4)
            ])
        );
        assert_eq!(counts("note"), named(&[("blocked", 3), ("paid", 2)]));
        assert_eq!(counts("audit"), named(&[("blocked", 3)]));
        let called: Vec<_> = run
            .plan
            .parts
            .iter()
            .map(|part| &part.target.called)
            .collect();
        let tool = |name: &str| Called::Tool(name.to_owned());
        let want = [
            tool("refund"),
            tool("note"),
            tool("audit"),
            Called::Other(String::new()),
            Called::NoString,
        ];
        assert_eq!(called, want.iter().collect::<Vec<_>>());
        let points: Vec<u64> = run
            .plan
            .parts
            .iter()
            .map(|part| part.points.len())
            .collect();
        assert_eq!(points, [288, 6, 3, 3, 3]);
    });
}

#[test]
fn a_product_has_each_point_once() {
    let (rulebook, rego) = emitted(MIXED);
    with_plan(&rulebook, &rego, DEFAULT_POINTS, |run| {
        let part = part_of(run.plan, "refund");
        let mut at = point_at(&part.axes, 0);
        let mut seen = BTreeSet::new();
        for number in 0..288 {
            assert_eq!(at, point_at(&part.axes, number));
            assert!(
                at.iter()
                    .zip(&part.axes)
                    .all(|(value, axis)| (*value as usize) < axis.values.len())
            );
            assert!(seen.insert(at.clone()));
            super::axes::advance(&part.axes, &mut at);
        }
    });
}

/// What a slice gives, directly and with what is known from other points, is what the whole
/// package gives.
#[test]
fn slices_and_known_combinations_keep_decisions() {
    let (rulebook, rego) = emitted(MIXED);
    with_plan(&rulebook, &rego, DEFAULT_POINTS, |run| {
        let path = format!("data.{}.{DECISION}", run.package.name);
        let mut whole = run::load(rego.clone()).unwrap();
        for part in &run.plan.parts {
            assert!(!part.slice.is_whole);
            let text = run.text(part);
            assert!(text.len() < rego.len());
            let mut evaluation = super::evaluation::Evaluation::new(
                run::load(text).unwrap(),
                run.package,
                &part.slice,
                &run.plan.reads,
                &part.target.called,
                &part.axes,
            );
            for number in 0..part.len() {
                let input = part.input(number).unwrap();
                let json = document(input.document().as_ref());
                whole.set_input(json.clone());
                let want = decision(&whole.value(&path));
                assert_eq!(decision(&evaluation.answer(json)), want, "{input:?}");
                if let Some(point) = part.points.get(&part.axes, number) {
                    assert_eq!(evaluation.decide(&point), &want, "{input:?}");
                }
            }
        }
    });
}

#[test]
fn a_slice_has_no_rules_of_other_tools() {
    let (rulebook, rego) = emitted(MIXED);
    with_plan(&rulebook, &rego, DEFAULT_POINTS, |run| {
        let names = |tool: &str| -> BTreeSet<&str> {
            let rules = &part_of(run.plan, tool).slice.rules;
            rules
                .iter()
                .map(|rule| run.package.rules[*rule].name.as_str())
                .collect()
        };
        assert!(names("refund").contains("f2_b1_holds"));
        assert!(!names("refund").iter().any(|name| name.starts_with("f3_")));
        assert!(names("note").contains("f3_b1_holds"));
        assert!(!names("note").iter().any(|name| name.starts_with("f2_")));
        assert!(names("note").contains("f1_any"));
    });
}

#[test]
fn a_covering_set_covers() {
    let (rulebook, rego) = emitted(MIXED);
    with_plan(&rulebook, &rego, 302, |run| {
        assert!(!run.plan.is_whole);
        let part = part_of(run.plan, "refund");
        let Points::Set(points) = &part.points else {
            panic!("the product is not whole");
        };
        assert!(points.len() <= 150, "{}", points.len());
        let unique: BTreeSet<_> = points.iter().collect();
        assert_eq!(unique.len(), points.len());
        // Every pair of values of two axes.
        for (left, left_axis) in part.axes.iter().enumerate() {
            for (right, right_axis) in part.axes.iter().enumerate().skip(left + 1) {
                for a in 0..left_axis.values.len() {
                    for b in 0..right_axis.values.len() {
                        let has = |point: &Vec<u32>| {
                            point[left] as usize == a && point[right] as usize == b
                        };
                        assert!(points.iter().any(has), "{left} {a} {right} {b}");
                    }
                }
            }
        }
        // Every branch, at a point where no other flow hides its word.
        let mut decisions = BTreeSet::new();
        for number in 0..part.len() {
            let input = part.input(number).unwrap().document();
            decisions.insert(expected(&rulebook, input.as_ref()));
        }
        let rules: BTreeSet<&str> = decisions.iter().map(|it| it.rule.as_str()).collect();
        let want = ["", "ask why", "no_match", "refuse", "refuse blocked"];
        assert_eq!(rules, BTreeSet::from(want));
    });
}

#[test]
fn points_are_bounded_by_their_number() {
    let (rulebook, rego) = emitted(MIXED);
    for limit in [1, 2, 5, 17, 100, 303] {
        let proof = proof_within(&rulebook, &rego, limit).unwrap();
        let Proof::Sampled { points, .. } = proof else {
            panic!("{limit}: {proof}");
        };
        assert!(points <= limit, "{limit}: {points}");
        assert!(points >= limit.min(5), "{limit}: {points}");
    }
}

#[test]
fn proofs_in_words() {
    let proved = Proof::Proved { points: 72_879 };
    assert_eq!(proved.to_string(), "proved (72,879 points)");
    let sampled = |numbers: &[&str]| Proof::Sampled {
        points: 1_234,
        of: Count::from(5_000_000),
        numbers: numbers
            .iter()
            .map(|name| name.split('.').map(str::to_owned).collect())
            .collect(),
    };
    assert_eq!(
        sampled(&[]).to_string(),
        "sampled (1,234 points of 5,000,000)"
    );
    assert_eq!(
        sampled(&["amount", "order.total"]).to_string(),
        "sampled (1,234 points of 5,000,000; numbers not told apart: $amount, $order.total)"
    );
}

#[test]
fn a_difference_is_shown_with_the_smallest_call() {
    let (rulebook, rego) = emitted(MIXED);
    let broken = rego.replace(
        "number_at_most(\"amount\", 100)",
        "number_below(\"amount\", 100)",
    );
    assert_ne!(broken, rego);
    let broken = format!(
        "{broken}\nnumber_below(name, literal) if {{\n\tis_number(input.context[name])\n\tinput.context[name] < literal\n}}\n"
    );
    let failure = proof_of(&rulebook, &broken).unwrap_err();
    let Failure::Mismatch {
        input,
        rego,
        engine,
        ..
    } = &failure
    else {
        panic!("{failure:?}");
    };
    assert_eq!(
        *input,
        Some(json!({"context": {"amount": 100, "blocked": false, "paid": true}, "tool": "refund"}))
    );
    assert_eq!(rego, r#"{"decision":"refuse","rule":"no_match"}"#);
    assert_eq!(*engine, "regorus");
    let finding = failure.to_diagnostic();
    assert_eq!(
        finding.message,
        "the rulebook decides `{\"decision\":\"allow\",\"rule\":\"\"}`, and the Rego \
         `{\"decision\":\"refuse\",\"rule\":\"no_match\"}` in regorus"
    );
    assert_eq!(
        finding.help.as_deref(),
        Some(
            "the smallest such call, for `eval --input`: \
             `{\"context\":{\"amount\":100,\"blocked\":false,\"paid\":true},\"tool\":\"refund\"}`"
        )
    );
}

/// Literals beyond those of a source: an IR made by hand.
fn with_amounts(low: &str, high: &str) -> (Rulebook, String) {
    let (mut rulebook, _) = emitted(
        "define flow f\n  if $amount <= 1\n    execute t\n  else if $amount > 2\n    bot ask\n",
    );
    for (arm, text) in rulebook.flows[0].ifs[0].arms.iter_mut().zip([low, high]) {
        for condition in [&mut arm.condition, &mut arm.complement] {
            let Condition::Compare(compare) = condition else {
                panic!("{condition:?}");
            };
            compare.value = Literal::Number(Number(Decimal::from_json(text).unwrap()));
        }
    }
    let rego = emit(&rulebook).unwrap().rego;
    (rulebook, rego)
}

#[test]
fn numbers_are_told_apart_or_it_is_said() {
    for (low, high) in [
        ("0.1", "0.10000000000001"),
        ("999999999999998", "999999999999999"),
        ("-0.00000000000001", "0.00000000000001"),
        ("99999999999999.8", "99999999999999.9"),
    ] {
        let (rulebook, rego) = with_amounts(low, high);
        let proof = proof_of(&rulebook, &rego).unwrap();
        assert!(
            matches!(proof, Proof::Proved { .. }),
            "{low} {high}: {proof}"
        );
    }
    let (rulebook, rego) = with_amounts("0.5", "0.50000000000000000001");
    with_plan(&rulebook, &rego, DEFAULT_POINTS, |run| {
        assert_eq!(
            run.plan.names_not_told(),
            BTreeSet::from([vec!["amount".to_owned()]])
        );
        assert!(run.inputs_not_told().count() > 0);
        assert_eq!(
            run.told_inputs() + run.inputs_not_told().count() as u64,
            run.inputs()
        );
        let mut inputs: Vec<Input> = run.inputs_not_told().collect();
        inputs.dedup();
        assert_eq!(inputs.len(), run.inputs_not_told().count());
    });
}

#[test]
fn a_number_that_rounds_to_a_literal_is_replaced() {
    let (rulebook, rego) = emitted("define flow f\n  if $amount < 5\n    execute t\n");
    with_plan(&rulebook, &rego, DEFAULT_POINTS, |run| {
        let part = part_of(run.plan, "t");
        let mut axis = axes(&part.target, &BTreeSet::new()).remove(0);
        // Absent, below, the literal, above.
        axis.values[1] = Some(serde_json::from_str("4.99999999999999999999").unwrap());
        super::numbers::Calibration::default()
            .calibrate(&mut axis)
            .unwrap();
        assert!(axis.not_told.is_empty());
        let Some(Some(number)) = axis.values.get(1) else {
            panic!("{axis:?}");
        };
        assert!(
            Decimal::from_json(&number.to_string()).unwrap() < Decimal::from_json("5").unwrap()
        );
        assert_ne!(number.to_string(), "4.99999999999999999999");
    });
}

/// The Rego reads what the rulebook does not: found, though no class of the rulebook shows it.
#[test]
fn what_only_the_rego_reads_is_asked_too() {
    let (rulebook, rego) = emitted(MIXED);
    for (from, to, shows) in [
        (
            "\tinput.tool == \"note\"\n",
            "\tinput.tool == \"note\"\n\tnot ctx(\"friday\")\n",
            json!({"context": {"friday": true}, "tool": "note"}),
        ),
        (
            "governed if input.tool == \"note\"\n",
            "governed if input.tool == \"note\"\n\ngoverned if input.tool == \"tone\"\n",
            json!({"tool": "tone"}),
        ),
        (
            "\tis_number(input.context[name])\n\tinput.context[name] > literal",
            "\tinput.context[name] > literal",
            json!({
                "context": {"amount": {}, "blocked": false, "paid": true, "tier": ""},
                "tool": "refund"
            }),
        ),
    ] {
        let broken = rego.replace(from, to);
        assert_ne!(broken, rego, "{from}");
        match proof_of(&rulebook, &broken) {
            Err(Failure::Mismatch { input, .. }) => assert_eq!(input, Some(shows), "{to}"),
            other => panic!("{to}: {other:?}"),
        }
    }
}

/// Two flows read the same names, so that a kind of value that is tried once, at a point where it
/// counts, is not tried at all the points where it counts.
const TWICE: &str = "\
define flow refunds
  if $paid and ($amount < 5 or $amount >= 5)
    execute refund
  else if $known and ($amount < 5 or $amount >= 5) and $tier == \"zebra\"
    execute refund
  else
    bot refuse
";

/// Rego that decides otherwise by what no leaf of a rulebook tells apart: never called proved.
#[test]
fn what_no_leaf_tells_apart_is_found_or_refused() {
    let (rulebook, rego) = emitted(TWICE);
    assert!(matches!(
        proof_of(&rulebook, &rego),
        Ok(Proof::Proved { .. })
    ));
    let first = "f1_i1_a1_or1 if number_below(\"amount\", 5)\n";
    let second = "f1_i1_a2_or1 if number_below(\"amount\", 5)\n\n\
                  f1_i1_a2_or1 if number_at_least(\"amount\", 5)\n";
    let allow = |body: &str| {
        format!(
            "decision := {{\"decision\": \"allow\", \"rule\": \"\"}} if {{\n{body}\tctx(\"paid\")\n\tctx(\"known\")\n}}\n"
        )
    };
    let replaced = |from: &str, to: &str| {
        let broken = rego.replacen(from, to, 1);
        assert_ne!(broken, rego, "{from}");
        broken
    };
    for broken in [
        // Names of which only the kind is asked.
        replaced(
            first,
            &format!("{first}\nf1_i1_a1_or1 if is_number(input.context.other)\n"),
        ),
        replaced(
            first,
            &format!("{first}\nf1_i1_a1_or1 if input.context.other\n"),
        ),
        replaced(
            "string_equal(\"tier\", \"zebra\")",
            "not is_string(input.context.other)\n\tstring_equal(\"tier\", \"zebra\")",
        ),
        // Orders of strings, which no class shows.
        replaced("name] != literal", "name] < literal"),
        format!(
            "{rego}\n{}",
            allow("\tis_string(input.tool)\n\tinput.tool < \"refund\"\n\tinput.tool > \"r\"\n")
        ),
        // Kinds of a tool.
        format!("{rego}\n{}", allow("\tis_number(input.tool)\n")),
        format!(
            "{rego}\nkind if is := is_string(input.tool)\n\n{}",
            allow("\tkind\n\tnot is_string(input.tool)\n")
        ),
        // Falsehood that counts for more than its absence.
        replaced(
            second,
            "f1_i1_a2_or1 if {\n\tis := input.context.amount == 5\n}\n",
        ),
        replaced(
            second,
            "one(is) := 1\n\nf1_i1_a2_or1 if one(input.context.amount == 5)\n",
        ),
        replaced(
            second,
            "f1_i1_a2_or1 if is_boolean(input.context.amount == 5)\n",
        ),
        // A value that is compared elsewhere.
        replaced(
            first,
            &format!(
                "{first}\namount := input.context.amount if ctx(\"known\")\n\n\
                 f1_i1_a1_not_or1 if amount == 7777\n"
            ),
        ),
    ] {
        match proof_of(&rulebook, &broken) {
            Err(Failure::Mismatch { .. } | Failure::NotEvaluated(_)) => {}
            other => panic!("{other:?} for {broken}"),
        }
    }
}

#[test]
fn what_no_translator_writes_is_not_evaluated() {
    let (rulebook, rego) = emitted("define flow f\n  if $a\n    execute t\n");
    let with = |more: &str| format!("{rego}\n{more}\n");
    for (text, want) in [
        (String::new(), ""),
        ("package".to_owned(), ""),
        (
            rego.replace("unit.proof", "unit.other"),
            "the package is not `unit.proof`",
        ),
        (
            rego.replace("decision", "verdict"),
            "the package has no rule `decision`",
        ),
        (with("import data.x"), ""),
        (with("p if some x in input.context"), "`some`"),
        (with("p if every x in input.context { x }"), "`every`"),
        (with("p := count(input.context)"), "is no function"),
        (with("p := [x | x := 1]"), "an expression"),
        (with("p := 1 + 1"), "an expression"),
        (with("p if ctx(\"a\") with input as {}"), "`with`"),
        (with("p if q\n\nq if p"), "needs itself"),
        (with("p if data.x"), "nothing defines"),
        (with("p := input.context.a"), ""),
        (
            with("p if input.context.a == input.context.b"),
            "no literal",
        ),
        (with("p if input.context == 1"), "no name of the context"),
        (
            with("f(x) if g(x)\n\ng(x) if x == 1\n\np if f(input.context.a)"),
            "calls another",
        ),
        (
            with("p := {\"decision\": input.context.a}"),
            "makes a value of the input",
        ),
        ("(".repeat(100_000), ""),
        (
            format!("package unit.proof\n\nx := {}", "[\n".repeat(100_000)),
            "too many brackets",
        ),
        (
            format!("package unit.proof\n\nx := 1{}", " ==\n1".repeat(100_000)),
            "goes on",
        ),
        (
            format!("package unit.proof\n\nx := 1{}", "\n== 1".repeat(100_000)),
            "goes on",
        ),
    ] {
        match proof_of(&rulebook, &text) {
            Err(Failure::NotEvaluated(reason)) => {
                assert!(reason.contains(want), "{reason} for {text:.300}");
            }
            // Reading more than is needed is no fault.
            Ok(Proof::Proved { .. }) if text.ends_with("input.context.a\n") => {}
            other => panic!("{other:?} for {text:.300}"),
        }
    }
}
