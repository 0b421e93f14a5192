//! Every shape that a rulebook's decisions can have.

use super::engines::hold;
use super::rulebooks::*;
use super::shop::shop;
use crate::ir::*;

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn the_shop() {
    hold(&shop(), 60);
}

#[test]
fn an_empty_rulebook_is_silent() {
    let rego = hold(&rulebook(Vec::new()), 5);
    assert!(rego.ends_with("default decision := {\"decision\": \"silent\", \"rule\": \"\"}\n"));
    hold(&rulebook(vec![dialogue("greet")]), 5);
}

#[test]
fn every_kind_of_leaf() {
    use Operator::*;
    let numbers = [Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual];
    for op in numbers {
        for literal in ["100", "-5", "0.5", "-0.25"] {
            one_condition(compare("amount", op, number(literal)));
            one_condition(compare("order.total.amount", op, number(literal)));
        }
    }
    for op in [Equal, NotEqual] {
        one_condition(compare("state", op, string("new \"one\"\n")));
        one_condition(compare("a.b", op, string("")));
        one_condition(compare("frozen", op, Literal::Bool(true)));
        one_condition(compare("a.frozen", op, Literal::Bool(false)));
    }
    for negated in [false, true] {
        one_condition(among(
            "tier",
            negated,
            vec![string("gold"), string("silver")],
        ));
        one_condition(among("customer.tier", negated, vec![string("gold")]));
        one_condition(among(
            "amount",
            negated,
            vec![number("1"), number("-2.5"), number("30")],
        ));
        let long = (0..300).map(|n| number(&n.to_string())).collect();
        one_condition(among("a.b.c", negated, long));
    }
    one_condition(is_true("paid"));
    one_condition(not_true("a.b.c.d.e.f.g.h"));
    one_condition(all([is_true("paid"), not_true("frozen")]));
}

/// `if condition` / allow / `else` / refuse, and the decisions that come of it.
fn one_condition(condition: Condition) -> String {
    hold(
        &rulebook(vec![governing(
            "f",
            vec![either(condition, vec![execute("t")], vec![say("refuse")])],
        )]),
        30,
    )
}

#[test]
fn constants_vanish() {
    let never = all([is_true("a"), Condition::Const(false)]);
    let rego = one_condition(any([never, all([Condition::Const(true), is_true("b")])]));
    assert_eq!(count(&rego, "or1"), 0);
    // A condition that never holds leaves a branch that is never taken.
    let flow = vec![
        arms(vec![
            (Condition::Const(false), vec![execute("t")]),
            (is_true("a"), vec![execute("t")]),
        ]),
        say("refuse"),
    ];
    let rego = hold(&rulebook(vec![governing("f", flow)]), 20);
    assert_eq!(count(&rego, "\tfalse\n"), 1);
}

#[test]
fn a_flow_without_conditions_always_decides() {
    let flow = vec![execute("a"), execute("b")];
    let rego = rulebook(vec![
        governing("f", flow.clone()),
        guard("g", guard_block("x", "refuse")),
    ]);
    let rego = hold(&rego, 30);
    assert_eq!(count(&rego, "f1_b1_enclosing := true"), 1);
}

fn guard_block(name: &str, message: &str) -> Block {
    vec![when(is_true(name), vec![say(message), stop()])]
}

fn comparing_guard(name: &str, message: &str) -> Block {
    let condition = compare(name, Operator::GreaterOrEqual, number("10"));
    vec![when(condition, vec![say(message), stop()])]
}

fn simple(condition: &str, tools: &[&str], message: &str) -> Block {
    let runs = tools.iter().map(|tool| execute(tool)).collect();
    vec![either(is_true(condition), runs, vec![say(message)])]
}

#[test]
fn guards_before_between_and_after_flows() {
    let rego = hold(
        &rulebook(vec![
            guard("first", guard_block("frozen", "refuse frozen")),
            governing("refund", simple("paid", &["refund"], "refuse unpaid")),
            guard("second", comparing_guard("risk", "ask a colleague")),
            governing(
                "refund more",
                simple("known", &["refund", "mail"], "ask who"),
            ),
            guard("third", guard_block("closed", "clarify hours")),
            guard("last", vec![when(is_true("late"), vec![stop()])]),
        ]),
        400,
    );
    for name in ["guards_refuse_1 ", "guards_refuse_2 ", "guards_refuse_4 "] {
        assert!(rego.contains(&format!("\n{name}")), "{name}");
    }
    assert!(!rego.contains("guards_refuse_3"));
    assert!(rego.contains("not governed"));
}

#[test]
fn guards_without_any_governed_tool() {
    let rego = hold(
        &rulebook(vec![
            guard("first", guard_block("frozen", "refuse frozen")),
            guard("second", comparing_guard("risk", "ask a colleague")),
        ]),
        80,
    );
    assert!(!rego.contains("governed"));
}

#[test]
fn guards_by_tool() {
    let called = |op, tool: &str| compare(TOOL_NAME, op, string(tool));
    let one_of = |negated| {
        let tools = vec![string("refund"), string("other")];
        among(TOOL_NAME, negated, tools)
    };
    let message = |text: &str| vec![say(text), stop()];
    hold(
        &rulebook(vec![
            guard(
                "equal",
                vec![when(
                    all([called(Operator::Equal, "refund"), is_true("frozen")]),
                    message("refuse frozen"),
                )],
            ),
            guard(
                "unequal",
                vec![when(
                    all([called(Operator::NotEqual, "refund"), is_true("closed")]),
                    message("ask hours"),
                )],
            ),
            guard(
                "one of",
                vec![when(
                    all([one_of(false), is_true("busy")]),
                    message("refuse busy"),
                )],
            ),
            guard(
                "none of",
                vec![when(
                    all([one_of(true), is_true("idle")]),
                    message("refuse idle"),
                )],
            ),
            governing("refund", simple("paid", &["refund"], "refuse unpaid")),
        ]),
        300,
    );
}

#[test]
fn several_flows_on_one_tool() {
    let rego = hold(
        &rulebook(vec![
            governing("a", simple("a", &["t"], "refuse a")),
            governing(
                "b",
                vec![when(
                    compare("n", Operator::Less, number("5")),
                    vec![execute("t")],
                )],
            ),
            dialogue("c"),
            governing("d", simple("d", &["t"], "ask d")),
            governing("e", simple("e", &["u"], "refuse e")),
        ]),
        300,
    );
    // The last flow decides alone.
    assert!(rego.contains("\tinput.tool == \"u\"\n\tf5_b1_first\n"));
}

#[test]
fn one_flow_of_several_tools() {
    hold(
        &rulebook(vec![governing(
            "all",
            vec![
                arms(vec![
                    (is_true("a"), vec![execute("t"), execute("u")]),
                    (
                        is_true("b"),
                        vec![say("how much"), turn("that much"), execute("u")],
                    ),
                    (
                        compare("n", Operator::Less, number("5")),
                        vec![say("refuse")],
                    ),
                    (is_true("c"), vec![say("sure"), turn("yes")]),
                    (is_true("d"), vec![]),
                    (is_true("e"), vec![stop()]),
                ]),
                say_text("unnamed"),
            ],
        )]),
        400,
    );
}

#[test]
fn questions_and_unnamed_messages() {
    for (block, rule) in [
        (
            vec![say("ask for it"), turn("yes"), execute("t")],
            "ask for it",
        ),
        (
            vec![say_text("What?"), turn("yes"), execute("t")],
            "\"ask\"",
        ),
        (vec![say_text("No.")], "\"refuse\""),
        (vec![say("so what"), turn("yes")], "so what"),
        (vec![stop()], "\"stop\""),
    ] {
        let flow = vec![either(is_true("a"), block, vec![execute("t")])];
        let rego = hold(&rulebook(vec![governing("f", flow)]), 20);
        assert!(rego.contains(rule), "{rule}");
    }
}

#[test]
fn joined_ifs() {
    let flow = vec![
        turn("please"),
        when(is_true("a"), vec![execute("t")]),
        either(
            any([is_true("b"), compare("n", Operator::Greater, number("3"))]),
            vec![say("one")],
            vec![when(not_true("c"), vec![say("two"), stop()]), say("three")],
        ),
        when(
            compare("s", Operator::Equal, string("x")),
            vec![execute("u")],
        ),
    ];
    hold(&rulebook(vec![governing("f", flow)]), 400);
}

#[test]
fn an_or_is_a_rule_that_branches_share() {
    let either_of = any([
        is_true("a"),
        all([
            is_true("b"),
            any([not_true("c"), compare("n", Operator::Equal, number("1"))]),
        ]),
    ]);
    let flow = vec![
        arms(vec![
            (either_of, vec![execute("t")]),
            (is_true("d"), vec![say("refuse one")]),
            (is_true("e"), vec![say("refuse two")]),
        ]),
        say("refuse three"),
    ];
    let rego = hold(&rulebook(vec![governing("f", flow)]), 300);
    // Two bodies each; the complement of the whole is a conjunction of one `or`.
    assert_eq!(count(&rego, "\nf1_i1_a1_or1 if"), 2);
    assert_eq!(count(&rego, "\nf1_i1_a1_or2 if"), 2);
    assert_eq!(count(&rego, "\nf1_i1_a1_not_or1 if"), 2);
    assert_eq!(count(&rego, "\tf1_i1_a1_not_or1\n"), 3);
}
