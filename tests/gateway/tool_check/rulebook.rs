//! Argument origin: what the host supplied, and nothing else.

use serde_json::{Value, json};

use super::building::{Trial, catalogue, policy, read, refusal_text, word};

fn seen(rulebook: &str, context: Value, arguments: &str) -> &'static str {
    let policy = policy(catalogue(rulebook, &[("pay", read()), ("other", read())]));
    let mut trial = Trial::of(&policy);
    trial.context = context;
    word(&trial.check("pay", arguments))
}

const ONE: &str = "define flow f\n  execute pay(to=$account, note=\"x\", n=5)\n";

#[test]
fn a_bound_argument_is_the_hosts_value_exactly() {
    for (context, arguments, expected) in [
        (json!({"account": "A"}), r#"{"to": "A"}"#, "run"),
        (
            json!({"account": "A"}),
            r#"{"to": "\u0041", "note": "y", "n": 6}"#,
            "run",
        ),
        (json!({"account": "A"}), r#"{"to": "B"}"#, "argument_origin"),
        (
            json!({"account": "A"}),
            r#"{"to": ["A"]}"#,
            "argument_origin",
        ),
        (json!({"account": "A"}), "{}", "argument_origin"),
        (json!({"account": null}), r#"{"to": null}"#, "run"),
        (json!({"account": null}), "{}", "argument_origin"),
        (json!({"account": 1}), r#"{"to": 1.0}"#, "run"),
        (json!({"account": 1}), r#"{"to": "1"}"#, "argument_origin"),
        (
            json!({"account": 9_007_199_254_740_993_u64}),
            r#"{"to": 9007199254740993}"#,
            "run",
        ),
        (
            json!({"account": 9_007_199_254_740_993_u64}),
            r#"{"to": 9007199254740992}"#,
            "argument_origin",
        ),
        (
            json!({"account": {"b": [1, 2], "a": 1}}),
            r#"{"to": {"a": 1e0, "b": [1, 2]}}"#,
            "run",
        ),
        (
            json!({"account": {"b": [1, 2]}}),
            r#"{"to": {"b": [2, 1]}}"#,
            "argument_origin",
        ),
        // Nothing declares it, and the host says nothing of it.
        (json!({}), r#"{"to": "B"}"#, "run"),
        (json!({}), "{}", "run"),
    ] {
        assert_eq!(
            seen(ONE, context.clone(), arguments),
            expected,
            "{context} {arguments}"
        );
    }
}

#[test]
fn a_name_that_the_rulebook_knows_must_be_supplied() {
    let declared =
        "define context\n  $account: string\n\ndefine flow f\n  execute pay(to=$account)\n";
    assert_eq!(
        seen(declared, json!({}), r#"{"to": "B"}"#),
        "argument_origin"
    );
    // The IR lists the names that conditions read, declared or not.
    let used = "define flow f\n  if $account != \"X\"\n    execute pay(to=$account)\n";
    assert_eq!(seen(used, json!({"account": "A"}), r#"{"to": "A"}"#), "run");
    assert_eq!(
        seen(used, json!({"account": "A"}), r#"{"to": "B"}"#),
        "argument_origin"
    );
    let read_elsewhere = "define flow f\n  execute pay(to=$account)\n\n\
                          define flow g\n  if $account\n    execute other\n";
    assert_eq!(
        seen(read_elsewhere, json!({}), r#"{"to": "B"}"#),
        "argument_origin"
    );
    let part = "define flow f\n  execute pay(to=$order.account)\n\n\
                define flow g\n  if $order.paid\n    execute other\n";
    assert_eq!(seen(part, json!({}), r#"{"to": "B"}"#), "run");
    assert_eq!(
        seen(part, json!({"order": {"account": "A"}}), r#"{"to": "B"}"#),
        "argument_origin"
    );
    assert_eq!(
        seen(part, json!({"order": {"account": "A"}}), r#"{"to": "A"}"#),
        "run"
    );
    let whole = "define flow f\n  execute pay(to=$order)\n\n\
                 define flow g\n  if $order.paid\n    execute other\n";
    assert_eq!(seen(whole, json!({}), r#"{"to": "B"}"#), "argument_origin");
}

#[test]
fn some_run_of_every_flow_that_runs_it_must_fit() {
    let two_runs = "define flow f\n  execute pay(to=$a, sum=$x)\n  execute pay(to=$b)\n";
    let context = || json!({"a": "A", "b": "B", "x": 1});
    assert_eq!(seen(two_runs, context(), r#"{"to": "A", "sum": 1}"#), "run");
    assert_eq!(seen(two_runs, context(), r#"{"to": "B", "sum": 7}"#), "run");
    assert_eq!(
        seen(two_runs, context(), r#"{"to": "A", "sum": 7}"#),
        "argument_origin"
    );
    let unbound_run = "define flow f\n  execute pay(to=$a)\n  execute pay\n";
    assert_eq!(seen(unbound_run, context(), r#"{"to": "Z"}"#), "run");
    let two_flows = "define flow f\n  execute pay(to=$a)\n\ndefine flow g\n  execute pay(sum=$x)\n";
    assert_eq!(
        seen(two_flows, context(), r#"{"to": "A", "sum": 1}"#),
        "run"
    );
    assert_eq!(
        seen(two_flows, context(), r#"{"to": "A", "sum": 2}"#),
        "argument_origin"
    );
    assert_eq!(
        seen(two_flows, context(), r#"{"to": "B", "sum": 1}"#),
        "argument_origin"
    );
    // A branch that does not hold, or does not run it, binds nothing.
    let arms = "define flow f\n  if $vip\n    execute pay\n  else\n    execute pay(to=$a)\n";
    assert_eq!(
        seen(arms, json!({"vip": true, "a": "A"}), r#"{"to": "Z"}"#),
        "run"
    );
    assert_eq!(
        seen(arms, json!({"a": "A"}), r#"{"to": "Z"}"#),
        "argument_origin"
    );
}

#[test]
fn questions_are_not_asked_about_foreign_values() {
    let asked = "define flow f\n  bot confirm payment\n  user agree\n  execute pay(to=$account)\n";
    assert_eq!(
        seen(asked, json!({"account": "A"}), r#"{"to": "A"}"#),
        "ask"
    );
    assert_eq!(
        seen(asked, json!({"account": "A"}), r#"{"to": "B"}"#),
        "argument_origin"
    );
}

#[test]
fn the_refusal_names_the_argument_and_no_value() {
    let policy = policy(catalogue(ONE, &[("pay", read()), ("other", read())]));
    let mut trial = Trial::of(&policy);
    trial.context = json!({"account": "secret"});
    assert_eq!(
        refusal_text(&trial.check("pay", r#"{"to": "other secret"}"#)),
        "the argument `to` of `pay` is not the value that the application supplied: use that value \
         and no other"
    );
}
