use serde_json::json;

use super::*;
use crate::ir::example::{compare, is_true, maximal, not_true, number, one_of, string};
use crate::ir::{Condition, Literal, Operator, TOOL_NAME};

fn decided(rulebook: &Rulebook, input: &Value) -> (Verdict, String) {
    let Decision { decision, rule } = decide(rulebook, input);
    (decision, rule)
}

fn of(condition: &Condition, input: &str) -> Truth {
    let input: Value = serde_json::from_str(input).unwrap();
    truth(condition, &Call::from_input(&input))
}

#[test]
fn a_bare_name_is_true_for_true_only() {
    for (value, want) in [
        (r#"{"context":{"p":true}}"#, Truth::True),
        (r#"{"context":{"p":false}}"#, Truth::False),
        (r#"{"context":{"p":null}}"#, Truth::False),
        (r#"{"context":{"p":1}}"#, Truth::False),
        (r#"{"context":{"p":"true"}}"#, Truth::False),
        (r#"{"context":{"p":[true]}}"#, Truth::False),
        (r#"{"context":{"p":{}}}"#, Truth::False),
        (r#"{"context":{"q":true}}"#, Truth::False),
        (r#"{"context":[true]}"#, Truth::False),
        (r#"{"context":null}"#, Truth::False),
        (r#"{"p":true}"#, Truth::False),
        (r"[]", Truth::False),
        (r#""p""#, Truth::False),
    ] {
        assert_eq!(of(&is_true("p"), value), want, "{value}");
        let negation = if want == Truth::True {
            Truth::False
        } else {
            Truth::True
        };
        assert_eq!(of(&not_true("p"), value), negation, "not: {value}");
    }
}

#[test]
fn comparisons_need_a_value_of_the_type() {
    use Truth::{False, True, Unknown};
    let below = compare("n", Operator::LessOrEqual, number("100"));
    let equal = compare("n", Operator::Equal, number("100"));
    let state = compare("n", Operator::NotEqual, string("new"));
    let no = compare("n", Operator::Equal, Literal::Bool(false));
    let list = one_of("n", &[number("1"), number("100")]);
    let names = one_of("n", &[string("new"), string("old")]);
    for (value, want) in [
        ("100", [True, True, Unknown, Unknown, True, Unknown]),
        ("1e2", [True, True, Unknown, Unknown, True, Unknown]),
        ("100.00", [True, True, Unknown, Unknown, True, Unknown]),
        (
            "100.000000000000000000000000000001",
            [False, False, Unknown, Unknown, False, Unknown],
        ),
        (
            "-1e999999999999",
            [True, False, Unknown, Unknown, False, Unknown],
        ),
        ("\"100\"", [Unknown, Unknown, True, Unknown, Unknown, False]),
        ("\"new\"", [Unknown, Unknown, False, Unknown, Unknown, True]),
        ("\"New\"", [Unknown, Unknown, True, Unknown, Unknown, False]),
        ("true", [Unknown, Unknown, Unknown, False, Unknown, Unknown]),
        ("false", [Unknown, Unknown, Unknown, True, Unknown, Unknown]),
        ("null", [Unknown; 6]),
        ("[100]", [Unknown; 6]),
        ("{}", [Unknown; 6]),
    ] {
        let input = format!("{{\"context\":{{\"n\":{value}}}}}");
        let leaves = [&below, &equal, &state, &no, &list, &names];
        assert_eq!(leaves.map(|leaf| of(leaf, &input)), want, "{value}");
        for leaf in leaves {
            // The complement is true where the leaf is false, and needs the value as well.
            let sum = [of(leaf, &input), of(&leaf.complement(), &input)];
            assert!(
                matches!(sum, [True, False] | [False, True] | [Unknown, Unknown]),
                "{value}"
            );
        }
    }
    assert_eq!(of(&below, "{}"), Unknown);
}

#[test]
fn connectives_are_kleene_s() {
    use Truth::{False, True, Unknown};
    let leaf = |truth| match truth {
        True => Condition::Const(true),
        False => Condition::Const(false),
        Unknown => compare("absent", Operator::Equal, number("1")),
    };
    for a in [False, Unknown, True] {
        for b in [False, Unknown, True] {
            let and = Condition::All(vec![leaf(a), leaf(b)]);
            let or = Condition::Any(vec![leaf(a), leaf(b)]);
            let want_and = match (a, b) {
                (False, _) | (_, False) => False,
                (True, True) => True,
                _ => Unknown,
            };
            let want_or = match (a, b) {
                (True, _) | (_, True) => True,
                (False, False) => False,
                _ => Unknown,
            };
            assert_eq!(of(&and, "{}"), want_and, "{a:?} and {b:?}");
            assert_eq!(of(&or, "{}"), want_or, "{a:?} or {b:?}");
        }
    }
}

#[test]
fn dotted_paths_read_nested_objects() {
    let leaf = is_true("a.b.c");
    assert_eq!(
        of(&leaf, r#"{"context":{"a":{"b":{"c":true}}}}"#),
        Truth::True
    );
    for input in [
        r#"{"context":{"a":{"b":true}}}"#,
        r#"{"context":{"a":[{"b":{"c":true}}]}}"#,
        r#"{"context":{"a":"b"}}"#,
        r#"{"context":{"a.b.c":true}}"#,
        r#"{"context":{"c":true}}"#,
    ] {
        assert_eq!(of(&leaf, input), Truth::False, "{input}");
    }
}

#[test]
fn the_tool_s_name_is_no_context_name() {
    let leaf = compare(TOOL_NAME, Operator::Equal, string("t"));
    assert_eq!(of(&leaf, r#"{"tool":"t"}"#), Truth::True);
    assert_eq!(
        of(&leaf, r#"{"tool":"u","context":{"tool_name":"t"}}"#),
        Truth::False
    );
    assert_eq!(
        of(&leaf, r#"{"tool":7,"context":{"tool_name":"t"}}"#),
        Truth::Unknown
    );
}

#[test]
fn the_maximal_example() {
    let rulebook = maximal();
    let ask = |tool: &str, context: &Value| {
        decided(&rulebook, &json!({"tool": tool, "context": context}))
    };
    let paid = json!({"order_paid": true, "amount": 100, "customer": {"tier": "gold"}});
    assert_eq!(ask("refund_card", &paid), (Verdict::Allow, String::new()));
    assert_eq!(ask("send/receipt", &paid), (Verdict::Allow, String::new()));
    // Passed by the second `if`: the flow runs the other tool, and not this one.
    let mut small = paid.clone();
    small["amount"] = json!(0.5);
    assert_eq!(ask("refund_card", &small), (Verdict::Allow, String::new()));
    assert_eq!(
        ask("send/receipt", &small),
        (Verdict::Refuse, "no_match".to_owned())
    );
    // The second arm asks before the run; the other tool does not run there.
    let open = json!({"open": true});
    assert_eq!(
        ask("refund_card", &open),
        // The guard lacks the amount for this tool, and is undecided.
        (Verdict::Refuse, "no_match".to_owned())
    );
    let open = json!({"open": true, "amount": 3});
    assert_eq!(
        ask("refund_card", &open),
        (Verdict::Clarify, "ask for approval".to_owned())
    );
    assert_eq!(
        ask("send/receipt", &open),
        (Verdict::Refuse, "no_match".to_owned())
    );
    let large = json!({"open": true, "amount": 1000});
    assert_eq!(
        ask("refund_card", &large),
        (Verdict::Refuse, "refuse large amount".to_owned())
    );
    // An unnamed message refuses under the rule `refuse`.
    let none = json!({"open": false, "state": "new", "amount": 0.2, "customer": {"age": 40}});
    let mut closed = none.clone();
    closed["amount"] = json!(-1);
    assert_eq!(
        ask("send/receipt", &closed),
        (Verdict::Refuse, "refuse".to_owned())
    );
    // Other tools: the guard passes by, or lacks nothing since its first part is false.
    assert_eq!(ask("other", &large), (Verdict::Silent, String::new()));
    assert_eq!(ask("other", &json!(null)), (Verdict::Silent, String::new()));
    // No string for a tool: the guard cannot compare it.
    assert_eq!(
        decided(&rulebook, &json!({"tool": 7, "context": large})),
        (Verdict::Refuse, "no_match".to_owned())
    );
    assert_eq!(
        decided(&rulebook, &json!({"tool": 7, "context": {"amount": 1}})),
        (Verdict::Silent, String::new())
    );
}

#[test]
fn words_combine_in_the_contract_s_order() {
    use Word::{Allow, Clarify, NoMatch, Refuse};
    for (words, want) in [
        (&[][..], (Verdict::Silent, "")),
        (&[NoMatch], (Verdict::Refuse, "no_match")),
        (&[NoMatch, Allow, Allow], (Verdict::Allow, "")),
        (
            &[Allow, Clarify("a"), Clarify("b")],
            (Verdict::Clarify, "a"),
        ),
        (
            &[Clarify("a"), Refuse("b"), Refuse("c")],
            (Verdict::Refuse, "b"),
        ),
        (&[UNDECIDED, Refuse("b")], (Verdict::Refuse, "no_match")),
    ] {
        let decision = combine(words.iter().copied());
        assert_eq!((decision.decision, decision.rule.as_str()), want);
    }
}

#[test]
fn a_word_names_its_branch() {
    let rulebook = maximal();
    let input = json!({"tool": "refund_card", "context": {"open": true, "amount": 1000}});
    let words = words(&rulebook, &Call::from_input(&input));
    let told: Vec<_> = words
        .iter()
        .map(|word| {
            (
                word.flow.id.as_str(),
                word.branch.map(|branch| branch.id.as_str()),
            )
        })
        .collect();
    assert_eq!(told, [("f1", Some("f1_b3")), ("f2", Some("f2_b1"))]);
}

#[test]
fn a_decision_is_an_object_of_two_keys() {
    let decision = decide(&maximal(), &json!(null));
    assert_eq!(
        serde_json::to_string(&decision).unwrap(),
        // The guard cannot compare a missing tool, and lacks the amount.
        r#"{"decision":"refuse","rule":"no_match"}"#
    );
}

#[test]
fn the_longest_name_is_read_and_what_lies_deeper_is_no_value() {
    let run = || {
        let name = vec!["a".to_owned(); 512];
        for (leaf, want) in [
            ("true".to_owned(), HostValue::Bool(true)),
            ("\"x\"".to_owned(), HostValue::String("x")),
            ("[".repeat(9_000) + &"]".repeat(9_000), HostValue::Other),
            (
                "{\"a\":".repeat(9_000) + "1" + &"}".repeat(9_000),
                HostValue::Other,
            ),
        ] {
            let text = format!(
                "{{\"context\":{}{leaf}{}}}",
                "{\"a\":".repeat(512),
                "}".repeat(512)
            );
            let value = crate::json::parse(text.as_bytes()).unwrap();
            assert_eq!(Call::from_input(&value).value(&name), want);
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(run);
    thread.unwrap().join().unwrap();
}
