//! The steps, one by one and in their order.

use std::collections::BTreeSet;

use serde_json::json;
use stalwart::catalogue::{Agent, Catalogue, Tool};
use stalwart::tool_check::{Arguments, Context, Examined, Policy, Reason, STEPS, check};

use super::building::{
    BOUNDS, Known, Trial, after, at_most, catalogue, policy, read, refusal_text, with_schema, word,
    write,
};

const RULEBOOK: &str = "\
define flow refunds
  if $order_paid
    execute refund_card(order_id=$order_id)
  else
    bot refuse refund
";

fn shop() -> Catalogue {
    let schema = json!({"type": "object", "properties": {"order_id": {"type": "string"}}});
    let mut catalogue = catalogue(
        RULEBOOK,
        &[
            ("get_order", read()),
            ("charge_card", write()),
            ("refund_card", with_schema(write(), schema)),
        ],
    );
    catalogue.order = vec![
        after("refund_card", "charge_card"),
        at_most("refund_card", 2),
        at_most("get_order", 1),
    ];
    catalogue
}

#[test]
fn a_tool_that_is_not_reached_is_one_that_exists_nowhere() {
    let mut catalogue = shop();
    let other = Agent {
        tools: BTreeSet::from(["get_order".to_owned()]),
        ..Agent::default()
    };
    catalogue.agents.insert("other".to_owned(), other);
    let policy = policy(catalogue);
    let arguments = Arguments::read(None, BOUNDS).unwrap();
    let text = |agent: &str, tool: &str| {
        let call = Examined {
            agent,
            tool,
            arguments: &arguments,
            digest: "d",
            can_be_asked: true,
        };
        let Ok(verdict) = check(&policy, &call, &mut Known::default(), Context::NotAsked);
        (word(&verdict), refusal_text(&verdict).to_owned())
    };
    assert_eq!(
        text("other", "charge_card"),
        ("unknown_tool", "there is no tool `charge_card`".to_owned())
    );
    assert_eq!(
        text("desk", "no\u{1b}where"),
        (
            "unknown_tool",
            "there is no tool `no\\u001bwhere`".to_owned()
        )
    );
    assert_eq!(text("nobody", "get_order").0, "unknown_tool");
    assert!(policy.tool("other", "charge_card").is_none());
    let names: Vec<&str> = policy.tools_of("desk").map(|(name, _)| name).collect();
    assert_eq!(names, ["charge_card", "get_order", "refund_card"]);
    assert_eq!(policy.tools_of("nobody").count(), 0);
}

/// Everything is wrong with a call; what is mended shows the step behind it.
#[test]
fn steps_are_taken_in_the_order_of_the_contract() {
    let policy = policy(shop());
    let mut trial = Trial::of(&policy);
    trial.known = Known {
        declined: true,
        ambiguous: true,
        ..Known::marked()
    };
    trial.can_be_asked = false;
    trial.context = json!({"order_id": "1"});
    let wrong = r#"{"order_id": 1}"#;
    assert_eq!(word(&trial.check("refund", wrong)), "unknown_tool");
    assert_eq!(
        word(&trial.check("refund_card", wrong)),
        "invalid_arguments"
    );
    let unbound = r#"{"order_id": "2"}"#;
    let seen = |trial: &Trial<'_>| word(&trial.check("refund_card", unbound));
    assert_eq!(seen(&trial), "ambiguous_outstanding");
    trial.known.ambiguous = false;
    assert_eq!(seen(&trial), "declined");
    trial.known.declined = false;
    assert_eq!(seen(&trial), "order");
    trial.known.succeeded.insert("charge_card".to_owned());
    trial.known.counts.insert("refund_card".to_owned(), 2);
    assert_eq!(seen(&trial), "order");
    trial.known.counts.insert("refund_card".to_owned(), 1);
    let with = |context| word(&trial.check_with("refund_card", unbound, context));
    assert_eq!(with(Context::NotAsked), "context");
    assert_eq!(with(Context::Unavailable), "context_unavailable");
    assert_eq!(seen(&trial), "rulebook");
    trial.context = json!({"order_paid": true, "order_id": "1"});
    assert_eq!(seen(&trial), "argument_origin");
    trial.context = json!({"order_paid": true, "order_id": "2"});
    assert_eq!(seen(&trial), "confirmation_unavailable");
    trial.can_be_asked = true;
    assert_eq!(seen(&trial), "ask");

    let names: Vec<&str> = STEPS.iter().map(|step| step.as_str()).collect();
    assert_eq!(
        names.join(" "),
        "catalogue arguments ambiguous declined order rulebook marks confirmation"
    );
}

#[test]
fn the_context_is_asked_only_where_it_may_decide() {
    let policy = policy(shop());
    assert!(policy.needs_context("refund_card"));
    assert!(!policy.needs_context("get_order"));
    let trial = Trial::of(&policy);
    for context in [Context::NotAsked, Context::Unavailable] {
        assert_eq!(word(&trial.check_with("get_order", "{}", context)), "run");
        assert_eq!(word(&trial.check_with("charge_card", "{}", context)), "ask");
    }
    let guarded = super::building::policy(catalogue(
        "define flow frozen\n  if $frozen\n    bot refuse frozen\n    stop\n",
        &[("get_order", read())],
    ));
    assert!(guarded.needs_context("get_order"));
    let trial = Trial::of(&guarded);
    let seen = |context: Context<'_>| word(&trial.check_with("get_order", "{}", context));
    assert_eq!(seen(Context::NotAsked), "context");
    assert_eq!(seen(Context::Unavailable), "context_unavailable");
    assert_eq!(seen(Context::Known(&json!({"frozen": true}))), "rulebook");
    assert_eq!(seen(Context::Known(&json!({}))), "run");
    // One that is no object has no names.
    assert_eq!(seen(Context::Known(&json!([true]))), "run");
}

#[test]
fn order_rules_say_what_is_missing() {
    let policy = policy(shop());
    let mut trial = Trial::of(&policy);
    let verdict = trial.check("refund_card", "{}");
    assert_eq!(
        refusal_text(&verdict),
        "`refund_card` may only be called behind a successful call of `charge_card` in the same run"
    );
    trial.known.has_no_history = true;
    let verdict = trial.check("refund_card", "{}");
    assert!(refusal_text(&verdict).ends_with(
        "this call names no run that remembers one: name a run in `_meta[\"dev.stalwart/run-id\"]`"
    ));
    trial.known.counts.insert("get_order".to_owned(), 1);
    let verdict = trial.check("get_order", "{}");
    assert_eq!(
        refusal_text(&verdict),
        "`get_order` may be called at most 1 time in a run"
    );
}

#[test]
fn an_agents_own_confirmation_counts_for_nothing() {
    let schema = json!({
        "type": "object",
        "properties": {"confirmed": {"type": "boolean"}, "id": {"type": "integer"}},
        "required": ["confirmed"],
        "additionalProperties": false,
    });
    let wipe = with_schema(read(), schema);
    let wipe = Tool {
        require_confirmation: false,
        ..wipe
    };
    let policy = policy(catalogue(
        RULEBOOK,
        &[("wipe", wipe), ("get_order", read())],
    ));
    let trial = Trial::of(&policy);
    // It always asks, is held to its schema as if the member were there, and what the agent wrote
    // is no fault and no yes.
    for text in [
        r#"{"id": 1}"#,
        r#"{"id": 1, "confirmed": true}"#,
        r#"{"confirmed": "yes", "id": 1, "confirmation": [true]}"#,
        r#"{"id": 1, "\u0063onfirmed": true}"#,
    ] {
        let stalwart::tool_check::Verdict::Ask(shown) = trial.check("wipe", text) else {
            panic!("{text} is not asked about");
        };
        assert_eq!(shown.digest, r#"{"id":1}"#, "{text}");
    }
    assert_eq!(
        word(&trial.check("wipe", r#"{"id": "x"}"#)),
        "invalid_arguments"
    );
    assert_eq!(
        word(&trial.check("get_order", r#"{"confirmed": true}"#)),
        "run"
    );
}

#[test]
fn reasons_are_a_closed_list() {
    let words: BTreeSet<&str> = Reason::ALL.into_iter().map(Reason::as_str).collect();
    assert_eq!(words.len(), Reason::ALL.len());
    for reason in Reason::ALL {
        assert_eq!(json!(reason), json!(reason.as_str()));
    }
}

#[test]
fn marks_come_from_all_that_may_hand_off() {
    let mut catalogue = shop();
    let agent = |hand_off: &[&str]| Agent {
        hand_off: hand_off.iter().map(|name| (*name).to_owned()).collect(),
        ..Agent::default()
    };
    for (name, hand_off) in [
        ("a", &["b", "c"][..]),
        ("b", &["d"][..]),
        ("c", &[][..]),
        ("d", &["b", "nobody"][..]),
    ] {
        catalogue.agents.insert(name.to_owned(), agent(hand_off));
    }
    let policy: Policy = policy(catalogue);
    assert_eq!(policy.mark_sources("a"), [] as [&str; 0]);
    assert_eq!(policy.mark_sources("b"), ["a", "b", "d"]);
    assert_eq!(policy.mark_sources("c"), ["a"]);
    assert_eq!(policy.mark_sources("d"), ["a", "b", "d"]);
    assert_eq!(policy.mark_sources("desk"), [] as [&str; 0]);
}
