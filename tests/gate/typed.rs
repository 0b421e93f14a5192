//! The typed context: what setting a name does, and that nothing is allocated.

use stalwart::evaluator::Verdict;
use stalwart::gate::ContextValue;

use super::gate;

const RULEBOOK: &str = r#"define flow guard
  if $frozen == True and $tool_name != "unfreeze"
    bot refuse frozen
    stop

define flow pay
  if $paid and not $blocked and $customer.tier in ["gold", "silver"] and $amount <= 100.50
    execute pay
  else if $customer.region == "north" or $amount > 9000
    bot ask a person
  else
    bot refuse
"#;

#[test]
fn names_are_set_and_cleared() {
    let gate = gate(RULEBOOK);
    let mut context = gate.context();
    let amount = gate.name("amount").expect("it is read");
    let verdict = |context: &_| gate.decide("pay", context).decision;
    assert_eq!(
        gate.decide("pay", &context).rule,
        "no_match",
        "nothing is set"
    );
    context.set("frozen", false);
    context.set("paid", true);
    context.set("blocked", false);
    context.set("customer.tier", "gold");
    context.set("customer.region", "south");
    context.set("a name that nothing reads", true);
    for (value, want) in [
        (ContextValue::Integer(100), Verdict::Allow),
        (ContextValue::Number("100.50"), Verdict::Allow),
        (ContextValue::Number("1005e-1"), Verdict::Allow),
        (
            ContextValue::Number("100.5000000000000000000001"),
            Verdict::Refuse,
        ),
        (ContextValue::Integer(i128::MIN), Verdict::Allow),
        (ContextValue::Integer(i128::MAX), Verdict::Clarify),
        (ContextValue::Number("9e999999999999"), Verdict::Clarify),
        (ContextValue::from(9_000), Verdict::Refuse),
        (ContextValue::from(9_001_u64), Verdict::Clarify),
    ] {
        context.set_name(amount, value);
        assert_eq!(verdict(&context), want, "{value:?}");
    }
    for value in [
        ContextValue::Bool(true),
        ContextValue::String("100"),
        ContextValue::Number("100 "),
        ContextValue::Number("0x1"),
        ContextValue::Other,
    ] {
        context.set_name(amount, value);
        assert_eq!(gate.decide("pay", &context).rule, "no_match", "{value:?}");
    }
    context.set_name(amount, 1);
    context.set("frozen", true);
    assert_eq!(gate.decide("pay", &context).rule, "refuse frozen");
    assert_eq!(verdict(&context.clone()), Verdict::Refuse);
    assert_eq!(gate.decide("unfreeze", &context).decision, Verdict::Silent);
    assert_eq!(gate.decide(None::<&str>, &context).rule, "no_match");
    context.set("frozen", "no");
    assert_eq!(gate.decide("other", &context).rule, "no_match");
    context.clear();
    assert_eq!(gate.decide("pay", &context).rule, "no_match");
}

#[test]
fn names_that_no_decision_reads_are_none() {
    let gate = gate(RULEBOOK);
    for name in [
        "customer",
        "tier",
        "customer.tier.x",
        "",
        ".",
        "amount.",
        "tool_name",
    ] {
        assert_eq!(gate.name(name), None, "{name}");
    }
    for name in ["customer.tier", "amount", "paid"] {
        assert!(gate.name(name).is_some(), "{name}");
    }
}

#[test]
fn what_belongs_to_another_gate_is_refused() {
    let allows = "define flow f\n  if not $a\n    execute pay\n";
    let (one, other) = (gate(allows), gate(allows));
    let mut context = one.context();
    assert_eq!(one.decide("pay", &context).decision, Verdict::Allow);
    assert_eq!(one.clone().decide("pay", &context).decision, Verdict::Allow);
    assert_eq!(other.decide("pay", &context).rule, "no_match");
    context.set_name(other.name("a").expect("it is read"), false);
    assert_eq!(one.decide("pay", &context).rule, "no_match");
    assert_eq!(other.decide("pay", &context).rule, "no_match");
    context.clear();
    assert_eq!(one.decide("pay", &context).decision, Verdict::Allow);
}

#[test]
fn setting_and_deciding_allocate_nothing() {
    let gate = gate(RULEBOOK);
    let mut context = gate.context();
    let amount = gate.name("amount").expect("it is read");
    let mut verdicts = [Verdict::Silent; 4];
    let counted = allocation_counter::measure(|| {
        context.set("frozen", false);
        context.set("paid", true);
        context.set("customer.tier", "gold");
        context.set_name(amount, 100);
        verdicts[0] = gate.decide("pay", &context).decision;
        context.set_name(amount, ContextValue::Number("1e1000000000"));
        verdicts[1] = gate.decide("pay", &context).decision;
        verdicts[2] = gate.decide("other", &context).decision;
        context.clear();
        verdicts[3] = gate.decide("pay", &context).decision;
    });
    assert_eq!(counted.count_total, 0, "allocations");
    let want = [
        Verdict::Allow,
        Verdict::Clarify,
        Verdict::Silent,
        Verdict::Refuse,
    ];
    assert_eq!(verdicts, want);
    // The counter counts.
    let boxed = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(boxed.count_total, 1);
}

#[test]
fn reading_a_plain_text_allocates_nothing() {
    let gate = gate(RULEBOOK);
    let text = br#"{"frozen": false, "paid": true, "customer": {"tier": "gold", "tags": ["a", {}]},
        "amount": 99.5, "note": "quotes \" and \u00e9", "blocked": false}"#;
    let value = stalwart::json::parse(text).expect("JSON");
    let mut verdicts = [Verdict::Silent; 2];
    let counted = allocation_counter::measure(|| {
        let decision = gate.decide_json("pay", text);
        verdicts[0] = decision.map_or(Verdict::Silent, |decision| decision.decision);
        verdicts[1] = gate.decide_value("pay", &value).decision;
    });
    assert_eq!(verdicts, [Verdict::Allow; 2]);
    assert_eq!(counted.count_total, 0, "allocations");
}
