//! The gate decides as the evaluator does, whichever form a context comes in.

mod building;
pub mod dice;
mod flags;
mod odd;
mod typed;

use std::cell::Cell;

use proptest::prelude::*;
use serde_json::{Map, Value};
use stalwart::evaluator::{Call, Decision, HostValue, Verdict, decide};
use stalwart::gate::{Context, ContextValue, Gate};
use stalwart::ir::Rulebook;
use stalwart::json;

use crate::compiled::must_compile;
use crate::properties::over_rulebooks;
use dice::{Dice, edit, write_oddly};

/// The gate of a text.
pub fn gate(text: &str) -> Gate {
    Gate::new(must_compile(text.as_bytes(), "suite.gate").rulebook)
}

/// Sets all names of a rulebook as a value has them.
pub fn fill(context: &mut Context, rulebook: &Rulebook, value: &Value) {
    let empty = Map::new();
    let object = value.as_object().unwrap_or(&empty);
    let call = Call::new(None, object);
    context.clear();
    for name in &rulebook.context {
        let value = match call.value(&name.name) {
            HostValue::Bool(value) => ContextValue::Bool(value),
            HostValue::Number(number) => ContextValue::Number(number.as_str()),
            HostValue::String(text) => ContextValue::String(text),
            HostValue::Other => continue,
        };
        context.set(&name.name.join("."), value);
    }
}

/// The decision of the reference for a tool and a context.
fn reference(rulebook: &Rulebook, tool: Option<&str>, context: &Value) -> Decision {
    let mut input = Map::new();
    input.extend(tool.map(|tool| ("tool".to_owned(), Value::from(tool))));
    input.insert("context".to_owned(), context.clone());
    decide(rulebook, &Value::Object(input))
}

/// Decides a call in every form, and holds all to the reference; says whether it is JSON.
pub fn agree(
    gate: &Gate,
    typed: &mut Context,
    tool: Option<&str>,
    text: &[u8],
) -> Result<bool, String> {
    let shown = String::from_utf8_lossy(text);
    let differs = |form: &str, got: &dyn std::fmt::Debug, want: &dyn std::fmt::Debug| {
        Err(format!(
            "{form}: {got:?}, not {want:?}\n{tool:?} in {shown:.2000}"
        ))
    };
    let from_text = gate.decide_json(tool, text);
    let value = match json::parse(text) {
        Ok(value) => value,
        Err(error) => {
            return match from_text {
                Err(found) if found == error => Ok(false),
                found => differs("error", &found, &error),
            };
        }
    };
    let want = reference(gate.rulebook(), tool, &value);
    match from_text {
        Ok(found) if found == want => {}
        found => return differs("JSON", &found, &want),
    }
    let found = gate.decide_value(tool, &value);
    if found != want {
        return differs("value", &found, &want);
    }
    fill(typed, gate.rulebook(), &value);
    let found = gate.decide(tool, typed);
    if found != want {
        return differs("typed", &found, &want);
    }
    Ok(true)
}

#[test]
fn all_forms_decide_as_the_evaluator_does() {
    let (texts, refused) = (Cell::new(0), Cell::new(0));
    over_rulebooks(250, 30, |source, compiled, calls| {
        let gate = Gate::new(compiled.rulebook.clone());
        let mut typed = gate.context();
        for call in calls {
            let input = call.value();
            prop_assert_eq!(
                compiled.decide(&input),
                gate.decide_input(&input).to_decision()
            );
            let tool = input.get("tool").and_then(Value::as_str);
            let context = input.get("context").cloned().unwrap_or_default();
            let plain = context.to_string();
            let mut dice = Dice::of(&plain);
            let mut odd = String::new();
            write_oddly(&context, &mut dice, &mut odd);
            let read = json::parse(odd.as_bytes()).expect("still JSON");
            prop_assert!(is_within(&context, &read), "{} in {}", plain, odd);
            for text in [
                plain.as_bytes(),
                odd.as_bytes(),
                &edit(&plain, &mut dice),
                &edit(&odd, &mut dice),
            ] {
                match agree(&gate, &mut typed, tool, text) {
                    Ok(true) => texts.set(texts.get() + 1),
                    Ok(false) => refused.set(refused.get() + 1),
                    Err(difference) => {
                        return Err(TestCaseError::fail(format!("{difference}\n{source}")));
                    }
                }
            }
        }
        Ok(())
    });
    println!(
        "{} texts, and {} that are no JSON",
        texts.get(),
        refused.get()
    );
    assert!(texts.get() > 10_000 && refused.get() > 1_000);
}

/// Whether a value has all of another, and else only what nothing reads.
fn is_within(wanted: &Value, found: &Value) -> bool {
    match (wanted, found) {
        (Value::Object(wanted), Value::Object(found)) => wanted
            .iter()
            .all(|(key, wanted)| found.get(key).is_some_and(|found| is_within(wanted, found))),
        (wanted, found) => wanted == found,
    }
}

#[test]
fn threads_share_a_gate() {
    fn is_shared<T: Send + Sync + 'static>(_: &T) {}
    let source =
        std::fs::read_to_string(crate::compiled::root().join("fixtures/clinic/patient_records.co"))
            .expect("a fixture");
    let gate = gate(&source);
    is_shared(&gate);
    is_shared(&gate.context());
    let contexts: Vec<Value> = (0..200)
        .map(|seed| {
            let mut dice = Dice::of(&format!("context {seed}"));
            random_context(gate.rulebook(), &mut dice)
        })
        .collect();
    let tools: Vec<&str> = gate
        .rulebook()
        .tools
        .iter()
        .map(|tool| tool.name.as_str())
        .collect();
    let decide_all = || -> Vec<Decision> {
        let mut typed = gate.context();
        let mut decisions = Vec::new();
        for context in &contexts {
            fill(&mut typed, gate.rulebook(), context);
            let text = context.to_string();
            for tool in &tools {
                let decision = gate.decide(*tool, &typed);
                assert_eq!(decision, gate.decide_value(*tool, context));
                assert_eq!(Ok(decision), gate.decide_json(*tool, text.as_bytes()));
                decisions.push(decision.into());
            }
        }
        decisions
    };
    let want = decide_all();
    let verdicts: std::collections::BTreeSet<_> = want.iter().map(|it| it.decision).collect();
    assert!(verdicts.len() > 1, "only {verdicts:?}");
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16).map(|_| scope.spawn(decide_all)).collect();
        for thread in threads {
            assert!(thread.join().expect("no panic") == want, "other decisions");
        }
    });
}

/// Values of the right types for all names, and some missing.
fn random_context(rulebook: &Rulebook, dice: &mut Dice) -> Value {
    let mut literals = Vec::new();
    for leaf in rulebook
        .flows
        .iter()
        .flat_map(|flow| &flow.ifs)
        .flat_map(|decision| &decision.arms)
        .flat_map(|arm| arm.condition.leaves())
    {
        if let stalwart::ir::Condition::Compare(compare) = leaf {
            literals.push(match &compare.value {
                stalwart::ir::Literal::Bool(value) => Value::Bool(*value),
                stalwart::ir::Literal::Number(number) => {
                    Value::Number(number.0.to_string().parse().expect("a number"))
                }
                stalwart::ir::Literal::String(text) => Value::from(text.as_str()),
            });
        }
    }
    let mut context = Map::new();
    for name in &rulebook.context {
        let value = match dice.below(8) {
            0 => continue,
            1..4 if !literals.is_empty() => literals[dice.below(literals.len())].clone(),
            chosen => Value::Bool(chosen < 7),
        };
        let mut object = &mut context;
        let (last, above) = name.name.split_last().expect("a name");
        for segment in above {
            let entry = object
                .entry(segment.clone())
                .or_insert_with(|| Value::Object(Map::new()));
            object = entry.as_object_mut().expect("only objects above names");
        }
        object.insert(last.clone(), value);
    }
    Value::Object(context)
}

#[test]
fn every_fixture_decides_alike() {
    for path in crate::compiled::files("fixtures", "co") {
        let text = std::fs::read(&path).expect("a fixture");
        let Ok(compiled) = crate::compiled::compile(&text, "suite.gate") else {
            continue;
        };
        let gate = Gate::new(compiled.rulebook);
        let mut typed = gate.context();
        let tools = gate.rulebook().tools.iter();
        let tools = tools.map(|tool| Some(tool.name.as_str()));
        let tools: Vec<_> = tools.chain([Some("other"), None]).collect();
        let mut dice = Dice::of(&path.to_string_lossy());
        for _ in 0..20 {
            let context = random_context(gate.rulebook(), &mut dice);
            let mut odd = String::new();
            write_oddly(&context, &mut dice, &mut odd);
            for text in [context.to_string(), odd] {
                for tool in &tools {
                    if let Err(error) = agree(&gate, &mut typed, *tool, text.as_bytes()) {
                        panic!("{}: {error}", path.display());
                    }
                }
            }
        }
    }
}

#[test]
fn a_decision_is_an_object_of_two_keys() {
    let gate = gate("define flow f\n  if $a\n    execute t\n  else\n    bot refuse it\n");
    let decision = gate.decide_value("t", &Value::Null);
    assert_eq!(decision.decision, Verdict::Refuse);
    assert_eq!(
        serde_json::to_string(&decision).expect("JSON"),
        r#"{"decision":"refuse","rule":"refuse it"}"#
    );
}
