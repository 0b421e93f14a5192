//! What a gate takes to build, and rulebooks that strain its form.

use std::fmt::Write as _;

use stalwart::gate::Gate;

use super::{agree, gate};

/// The bytes that building a gate leaves allocated, without the rulebook.
fn bytes_of(gate: &Gate) -> u64 {
    let rulebook = gate.rulebook().clone();
    let mut built = None;
    let counted = allocation_counter::measure(|| built = Some(Gate::new(rulebook)));
    drop(built);
    u64::try_from(counted.bytes_current).expect("more is left than before")
}

/// Guards that each ask for names of their own, and flows that each govern a tool of their own.
fn guards_and_tools(count: usize) -> String {
    let mut text = String::new();
    for number in 0..count {
        let _ = write!(
            text,
            "define flow guard {number}\n  if $frozen_{number} and $region_{number} == \"r{number}\"\n    bot refuse {number}\n    stop\n\n\
             define flow {number}\n  if $open_{number}\n    execute tool_{number}\n\n"
        );
    }
    text
}

#[test]
fn memory_grows_with_guards_and_tools_not_with_their_product() {
    let few = bytes_of(&gate(&guards_and_tools(100)));
    let many = bytes_of(&gate(&guards_and_tools(800)));
    assert!(
        many < few * 12,
        "{few} bytes for 100 of each, {many} for 800"
    );
}

#[test]
fn memory_grows_with_a_flow_not_with_its_tools() {
    let text = |count: usize| {
        let mut text = String::from("define flow f\n");
        for number in 0..count {
            let word = if number == 0 { "if" } else { "else if" };
            let _ = write!(text, "  {word} $open_{number}\n    execute tool_{number}\n");
        }
        text
    };
    let few = bytes_of(&gate(&text(100)));
    let many = bytes_of(&gate(&text(800)));
    assert!(many < few * 12, "{few} bytes for 100, {many} for 800");
}

#[test]
fn many_names_of_all_kinds_decide_alike() {
    // Beyond the bits of a word, and beyond what fits on the stack.
    let mut text = String::from("define flow f\n");
    for number in 0..300 {
        let word = if number == 0 { "if" } else { "else if" };
        let _ = write!(
            text,
            "  {word} $b_{number} and not $b_{} and ($n_{number} > {number} or $o.s_{number} in [\"x\", \"y\", \"{number}\"] or $o.b_{number})\n    execute t\n",
            (number * 7 + 1) % 300
        );
    }
    text.push_str("  else\n    bot refuse\n");
    let gate = gate(&text);
    let mut typed = gate.context();
    let mut rules = std::collections::BTreeSet::new();
    for seed in 0..60 {
        let mut dice = super::Dice::of(&format!("seed {seed}"));
        let mut context = serde_json::Map::new();
        let mut nested = serde_json::Map::new();
        for number in 0..300 {
            context.insert(format!("b_{number}"), dice.once_in(300).into());
            context.insert(format!("n_{number}"), dice.below(350).into());
            if !dice.once_in(10) {
                let text = ["x", "y", "z", "7"][dice.below(4)];
                nested.insert(format!("s_{number}"), text.into());
            }
            nested.insert(format!("b_{number}"), dice.once_in(3).into());
        }
        context.insert("o".to_owned(), nested.into());
        let text = serde_json::Value::Object(context).to_string();
        if let Err(difference) = agree(&gate, &mut typed, Some("t"), text.as_bytes()) {
            panic!("{difference}");
        }
        let decision = gate.decide_json("t", text.as_bytes()).expect("JSON");
        rules.insert((decision.decision, decision.rule.to_owned()));
    }
    assert!(rules.len() > 1, "only {rules:?}");
}

#[test]
fn conditions_as_deep_as_they_may_be() {
    let mut condition = "$a".to_owned();
    for level in 0..63 {
        let join = ["and", "or"][level % 2];
        condition = format!("({condition} {join} $n > {level})");
    }
    let gate = gate(&format!(
        "define flow f\n  if {condition}\n    execute t\n  else\n    bot refuse\n"
    ));
    let mut typed = gate.context();
    for a in ["true", "false", "null"] {
        for n in ["-1", "0", "31", "62.5", "63", "null"] {
            let text = format!("{{\"a\":{a},\"n\":{n}}}");
            if let Err(difference) = agree(&gate, &mut typed, Some("t"), text.as_bytes()) {
                panic!("{difference}");
            }
        }
    }
}
