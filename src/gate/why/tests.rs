use serde_json::json;

use super::*;
use crate::ir::example::{
    compare, flow_of_arms, is_true, maximal, not_true, number, one_of, rulebook_of, runs, says,
    string, turn,
};
use crate::ir::{Condition, End, Flow, FlowKind, Operator, Step, TOOL_NAME};

/// The flow of contract section 2, and the guard that it inlines as a subflow.
fn refunds() -> Flow {
    let paid_little = Condition::all(vec![
        is_true("order_paid"),
        compare("amount", Operator::LessOrEqual, number("100")),
    ]);
    let asked = vec![
        says("ask for approval"),
        turn("approve"),
        runs("refund_card"),
    ];
    flow_of_arms(
        1,
        FlowKind::Governing,
        vec![
            (paid_little, vec![runs("refund_card")], End::End),
            (is_true("order_paid"), asked, End::End),
        ],
        (vec![says("refuse")], End::End),
    )
}

fn frozen_guard() -> Flow {
    stopping(2, is_true("account_frozen"), "refuse frozen account")
}

/// A guard that stops where a condition holds.
fn stopping(number: usize, condition: Condition, message: &str) -> Flow {
    let stops = (condition, vec![says(message)], End::Stop);
    flow_of_arms(number, FlowKind::Guard, vec![stops], (Vec::new(), End::End))
}

/// A flow that runs `t` where a condition holds, and else takes other steps.
fn running(condition: Condition, otherwise: Vec<Step>) -> Gate {
    let runs_it = (condition, vec![runs("t")], End::End);
    let flow = flow_of_arms(1, FlowKind::Governing, vec![runs_it], (otherwise, End::End));
    Gate::new(rulebook_of(vec![flow]))
}

/// The edits as `name=value`, or `-name`, and what the changed context is.
fn edits(why: &Why<'_>) -> Vec<String> {
    why.change
        .edits()
        .iter()
        .map(|edit| match &edit.set {
            Some(value) => format!("{}={value}", edit.name.join(".")),
            None => format!("-{}", edit.name.join(".")),
        })
        .collect()
}

#[test]
fn the_refund_example() {
    let gate = Gate::new(rulebook_of(vec![refunds(), frozen_guard()]));
    let tool = Some("refund_card");
    for (context, want) in [
        (json!({"order_paid": true, "amount": 100}), &[][..]),
        (json!({"order_paid": true, "amount": 250}), &["amount=0"]),
        (json!({"order_paid": true}), &["amount=0"]),
        (
            json!({"order_paid": "yes", "amount": 3}),
            &["order_paid=true"],
        ),
        (json!({}), &["amount=0", "order_paid=true"]),
        (json!([1]), &["amount=0", "order_paid=true"]),
        (
            json!({"order_paid": true, "amount": 3, "account_frozen": true}),
            &["-account_frozen"],
        ),
        (
            json!({"account_frozen": true, "amount": "much"}),
            &["-account_frozen", "amount=0", "order_paid=true"],
        ),
    ] {
        let why = gate.why(tool, &context);
        assert_eq!(edits(&why), want, "{context}");
        let changed = why.change.apply(&context);
        let after = gate.words(tool, &changed).decision;
        assert_eq!(after.decision, Verdict::Allow, "{context} to {changed}");
    }
}

#[test]
fn the_text_says_what_was_met() {
    let gate = Gate::new(rulebook_of(vec![refunds(), frozen_guard()]));
    let context = json!({"order_paid": true, "amount": "1\u{1b}", "account_frozen": false});
    let why = gate.why(Some("refund_card"), &context);
    assert_eq!(
        why.to_string(),
        "refuse `no_match`: flow `flow 1`, line 2 (undecided)\n\
         flow `flow 1`, line 1: undecided at line 2\n\
         \x20 line 2: `$order_paid and $amount <= 100` is neither true nor false\n\
         \x20   `$order_paid` held: `$order_paid` is true\n\
         \x20   `$amount <= 100` lacks a value: `$amount` is a string\n\
         the smallest change that would allow it:\n\
         \x20 set `$amount` to `0`"
    );
    let why = gate.why(Some("refund_card"), &json!({"account_frozen": true}));
    assert_eq!(
        why.to_string(),
        "refuse `refuse`: flow `flow 1`, line 1 (branch f1_b3)\n\
         flow `flow 1`, line 1: refuse `refuse`\n\
         \x20 line 2: `$order_paid and $amount <= 100` failed\n\
         \x20   `$order_paid` failed: `$order_paid` is absent\n\
         \x20   `$amount <= 100` lacks a value: `$amount` is absent\n\
         \x20 line 3: `$order_paid` failed\n\
         \x20   `$order_paid` failed: `$order_paid` is absent\n\
         flow `flow 2`, line 1: refuse `refuse frozen account`\n\
         \x20 line 2: `$account_frozen` held\n\
         \x20   `$account_frozen` held: `$account_frozen` is true\n\
         the smallest change that would allow it:\n\
         \x20 remove `$account_frozen`\n\
         \x20 set `$amount` to `0`\n\
         \x20 set `$order_paid` to `true`"
    );
    let why = gate.why(Some("other"), &json!({}));
    assert_eq!(
        why.to_string(),
        "silent: no flow speaks on this call\nno context allows it: no flow governs this tool"
    );
}

#[test]
fn the_shape_of_the_json() {
    let below = compare("customer.tier", Operator::Equal, string("gold"));
    let gate = running(below, Vec::new());
    let why = gate.why(Some("t"), &json!({"customer": "bob"}));
    let json = serde_json::to_string_pretty(&why).unwrap();
    insta::assert_snapshot!(json);
    assert_eq!(
        why.change.apply(&json!({"customer": "bob", "x": 1})),
        json!({"customer": {"tier": "gold"}, "x": 1})
    );
}

#[test]
fn what_no_context_allows() {
    let never = |gate: &Gate, tool: Option<&str>, because: NoChange| {
        let why = gate.why(tool, &json!({"a": true}));
        assert_eq!(why.change, Change::None { because });
        assert_eq!(why.change.apply(&json!({"a": true})), json!({"a": true}));
    };
    let both = Condition::all(vec![is_true("a"), not_true("a")]);
    never(
        &running(both, Vec::new()),
        Some("t"),
        NoChange::NeverAllowed,
    );
    let gate = running(is_true("b"), Vec::new());
    for tool in [None, Some("other"), Some("")] {
        never(&gate, tool, NoChange::NotGoverned);
    }
    // The guard stands against this tool only, whatever the context.
    let guard = stopping(
        2,
        compare(TOOL_NAME, Operator::Equal, string("t")),
        "refuse t",
    );
    let mut flows = gate.rulebook().flows.clone();
    flows.push(guard);
    never(
        &Gate::new(rulebook_of(flows)),
        Some("t"),
        NoChange::NeverAllowed,
    );
}

#[test]
fn fewer_names_go_before_fewer_characters() {
    let long = compare("name", Operator::Equal, string("a long text indeed"));
    let short = Condition::all(vec![is_true("a"), is_true("b")]);
    let gate = running(Condition::any(vec![short, long]), vec![says("refuse")]);
    let changes = |context: Value| edits(&gate.why(Some("t"), &context));
    assert_eq!(changes(json!({})), ["name=\"a long text indeed\""]);
    assert_eq!(changes(json!({"a": true})), ["b=true"]);
    // Of two numbers in the list the shorter, of two as short the first in byte order.
    let gate = running(
        one_of("n", &[number("12"), number("7"), number("3")]),
        vec![],
    );
    assert_eq!(edits(&gate.why(Some("t"), &json!({"n": 8}))), ["n=3"]);
    // A value that is removed has no characters.
    let gate = running(Condition::any(vec![is_true("a"), not_true("z")]), vec![]);
    assert_eq!(edits(&gate.why(Some("t"), &json!({"z": true}))), ["-z"]);
}

#[test]
fn dotted_names_are_set_and_removed_in_their_objects() {
    let gate = running(
        Condition::all(vec![
            not_true("customer.frozen"),
            is_true("customer.verified"),
            compare("order.total", Operator::Greater, number("0")),
        ]),
        Vec::new(),
    );
    let context = json!({"customer": {"frozen": true, "age": 7}, "order": [1], "other": null});
    let why = gate.why(Some("t"), &context);
    assert_eq!(
        edits(&why),
        [
            "-customer.frozen",
            "customer.verified=true",
            "order.total=1"
        ]
    );
    let replaced: Vec<_> = why
        .change
        .edits()
        .iter()
        .map(|edit| edit.replaces.as_deref())
        .collect();
    assert_eq!(replaced, [None, None, Some("order")]);
    assert_eq!(
        why.change.apply(&context),
        json!({"customer": {"age": 7, "verified": true}, "order": {"total": 1}, "other": null})
    );
    let total = &why.flows[0].met[0].leaves[2];
    assert_eq!(
        (total.outcome, total.seen.kind),
        (Outcome::Lacked, Kind::Absent)
    );
    assert_eq!(total.seen.below.as_deref(), Some("order"));
}

#[test]
fn a_question_is_no_way_to_be_allowed() {
    // Neither the asked run nor the question of the flow that does not run it.
    let asked = vec![says("ask a"), turn("yes"), runs("t")];
    let flow = flow_of_arms(
        1,
        FlowKind::Governing,
        vec![
            (is_true("a"), asked, End::End),
            (is_true("b"), vec![says("ask b")], End::End),
            (is_true("c"), vec![runs("t")], End::End),
        ],
        (vec![runs("u")], End::End),
    );
    let gate = Gate::new(rulebook_of(vec![flow]));
    let changes = |context: Value| edits(&gate.why(Some("t"), &context));
    assert_eq!(changes(json!({})), ["c=true"]);
    assert_eq!(
        changes(json!({"a": true, "b": true})),
        ["-a", "-b", "c=true"]
    );
    let why = gate.why(Some("t"), &json!({"b": true}));
    assert!(
        why.to_string()
            .contains("clarify `ask b`, and nothing runs behind it")
    );
    let silent = gate.why(Some("t"), &json!({}));
    assert_eq!(silent.decision.rule, "no_match");
    assert!(
        silent
            .to_string()
            .contains("line 1: says nothing on this tool")
    );
}

#[test]
fn every_kind_is_told() {
    let gate = running(compare("n", Operator::Less, number("1")), Vec::new());
    for (value, kind) in [
        (json!(null), Kind::Null),
        (json!(true), Kind::True),
        (json!(false), Kind::False),
        (json!(2), Kind::Number),
        (json!("x"), Kind::String),
        (json!([]), Kind::Array),
        (json!({}), Kind::Object),
    ] {
        let why = gate.why(Some("t"), &json!({"n": value}));
        assert_eq!(
            why.flows[0].met[0].leaves[0].seen,
            Seen { kind, below: None }
        );
        assert_eq!(edits(&why), ["n=0"], "{value}");
    }
    let guard = stopping(
        1,
        compare(TOOL_NAME, Operator::Equal, string("t")),
        "refuse",
    );
    let gate = Gate::new(rulebook_of(vec![guard]));
    let seen = |tool: Option<&str>| {
        gate.why(tool, &json!({"tool_name": 7})).flows[0].met[0].leaves[0]
            .seen
            .kind
    };
    assert_eq!(seen(Some("t")), Kind::String);
    assert_eq!(seen(None), Kind::Absent);
}

#[test]
fn the_maximal_example_can_be_allowed() {
    let gate = Gate::new(maximal());
    for tool in ["refund_card", "send/receipt"] {
        for context in [
            json!(null),
            json!({"amount": 1e3, "vip": true, "open": true}),
        ] {
            let why = gate.why(Some(tool), &context);
            let changed = why.change.apply(&context);
            let after = gate.words(Some(tool), &changed).decision.decision;
            assert_eq!(after, Verdict::Allow, "{why}");
        }
    }
}

/// A thousand arms, and a thousand names: no more than some seconds in a debug build.
#[test]
fn long_flows_are_searched() {
    let arms = (0..999).map(|at| {
        let steps = if at == 998 {
            vec![runs("t")]
        } else {
            vec![says("refuse")]
        };
        (
            compare("n", Operator::Equal, number(&at.to_string())),
            steps,
            End::End,
        )
    });
    let flow = flow_of_arms(1, FlowKind::Governing, arms.collect(), (vec![], End::End));
    let gate = Gate::new(rulebook_of(vec![flow]));
    for context in [json!({}), json!({"n": 5}), json!({"n": "x"})] {
        assert_eq!(edits(&gate.why(Some("t"), &context)), ["n=998"]);
    }
    let wide = Condition::all((0..300).map(|at| is_true(&format!("n{at:03}"))).collect());
    let why = running(wide, vec![says("refuse")]);
    assert_eq!(edits(&why.why(Some("t"), &json!({}))).len(), 300);
}
