//! Holds the emitted bytes to the evaluator: in the embedded interpreter always, in a real `opa`
//! where `STALWART_OPA` names one.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value, json};

use crate::emitter::emit;
use crate::evaluator::{Decision, decide};
use crate::ir::*;

/// Emits a rulebook, checks the text, and compares decisions at `count` random inputs and at the
/// odd ones. Returns the Rego.
pub fn hold(rulebook: &Rulebook, count: usize) -> String {
    let rego = emit(rulebook).unwrap().rego;
    super::text::check(&rego);
    let inputs = inputs(rulebook, count);
    let wanted = inputs.iter().map(|input| decide(rulebook, input));
    let wanted = wanted.collect::<Vec<_>>();
    let verdicts = wanted
        .iter()
        .map(|one| one.decision)
        .collect::<BTreeSet<_>>();
    assert!(
        rulebook
            .flows
            .iter()
            .all(|flow| flow.kind == FlowKind::Dialogue)
            || verdicts.len() > 1,
        "the inputs tell nothing apart: {verdicts:?}"
    );
    compare("regorus", &inputs, &wanted, &regorus(&rego, &inputs));
    if let Some(opa) = opa() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("Rulebook.rego");
        std::fs::write(&file, &rego).unwrap();
        accepts(&opa, &["check", "--strict"], &file);
        accepts(&opa, &["fmt", "--fail", "--list"], &file);
        let found = opa_decisions(&opa, &rulebook.package, &file, &inputs);
        compare("opa", &inputs, &wanted, &found);
    }
    rego
}

/// The path of a real `opa`; says so where there is none.
fn opa() -> Option<String> {
    let opa = std::env::var("STALWART_OPA")
        .ok()
        .filter(|opa| !opa.is_empty());
    if opa.is_none() {
        // Around the test harness, which keeps what tests that pass print.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: STALWART_OPA is not set, so no real opa looked at the emitted Rego"
        );
    }
    opa
}

fn accepts(opa: &str, arguments: &[&str], file: &Path) {
    let output = Command::new(opa)
        .args(arguments)
        .arg(file)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let kept = || std::fs::copy(file, std::env::temp_dir().join("refused.rego"));
    assert!(
        output.status.success() && said.is_empty(),
        "opa {arguments:?} ({:?}): {said}",
        kept()
    );
}

fn opa_decisions(opa: &str, package: &str, file: &Path, inputs: &[Value]) -> Vec<Value> {
    let data = file.with_file_name("inputs.json");
    std::fs::write(&data, json!({ "inputs": inputs }).to_string()).unwrap();
    let query =
        format!("[d | some i in data.inputs; d := data.{package}.decision with input as i]");
    let output = Command::new(opa)
        .args(["eval", "--format", "raw", "--strict-builtin-errors"])
        .arg("--data")
        .arg(file)
        .arg("--data")
        .arg(data)
        .arg(query)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    serde_json::from_slice::<Vec<Value>>(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {said}{}", String::from_utf8_lossy(&output.stdout))
    })
}

fn regorus(rego: &str, inputs: &[Value]) -> Vec<Value> {
    let (rego, inputs) = (rego.to_owned(), inputs.to_vec());
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(move || {
            let mut engine = regorus::Engine::new();
            engine.set_policy_length_config(regorus::PolicyLengthConfig {
                max_col: NonZeroU32::new(1_024).unwrap(),
                max_file_bytes: NonZeroUsize::new(1 << 25).unwrap(),
                max_lines: NonZeroUsize::new(1 << 24).unwrap(),
            });
            let package = engine.add_policy("Rulebook.rego".to_owned(), rego).unwrap();
            let decide = |input: &Value| {
                engine.set_input_json(&input.to_string()).unwrap();
                let value = engine.eval_rule(format!("{package}.decision")).unwrap();
                serde_json::from_str(&value.to_json_str().unwrap()).unwrap()
            };
            inputs.iter().map(decide).collect()
        })
        .unwrap()
        .join()
        .unwrap()
}

fn compare(engine: &str, inputs: &[Value], wanted: &[Decision], found: &[Value]) {
    assert_eq!(found.len(), wanted.len(), "{engine} left inputs undecided");
    for ((input, wanted), found) in inputs.iter().zip(wanted).zip(found) {
        let wanted = serde_json::to_value(wanted).unwrap();
        assert_eq!(*found, wanted, "{engine} for {input}");
    }
}

/// Inputs: odd ones, then random ones from the values that the rulebook's leaves tell apart.
fn inputs(rulebook: &Rulebook, count: usize) -> Vec<Value> {
    let values = values(rulebook);
    let mut tools = rulebook
        .tools
        .iter()
        .map(|tool| json!(tool.name))
        .collect::<Vec<_>>();
    let odd_tools = [
        json!("other"),
        json!(7),
        json!([]),
        Value::Null,
        json!(true),
    ];
    tools.extend(
        values
            .get(&vec![TOOL_NAME.to_owned()])
            .into_iter()
            .flatten()
            .cloned(),
    );
    let mut inputs = vec![Value::Null, json!({}), json!([]), json!("x"), json!(3)];
    for tool in tools.iter().chain(&odd_tools).take(40) {
        inputs.push(json!({ "tool": tool }));
        for context in [
            Value::Null,
            json!([true]),
            json!("x"),
            json!({}),
            json!(true),
        ] {
            inputs.push(json!({ "tool": tool, "context": context }));
        }
    }
    tools.extend(odd_tools);
    let mut random = Random(42);
    for round in 0..count {
        // Most rounds give most names a value of the expected kind, so that long paths are met.
        let plain = round % 3 > 0;
        let mut context = Value::Object(Map::new());
        for (name, values) in &values {
            if is_tool_name(name) {
                continue;
            }
            let choice = random.below(values.len() + if plain { 0 } else { ODD_VALUES });
            let value = values
                .get(choice)
                .cloned()
                .or_else(|| odd_value(choice - values.len()));
            if let Some(value) = value {
                put(&mut context, name, value, random.below(40) == 0 && !plain);
            }
        }
        let tool = &tools[random.below(tools.len())];
        inputs.push(json!({ "tool": tool, "context": context }));
    }
    inputs
}

const ODD_VALUES: usize = 8;

fn odd_value(number: usize) -> Option<Value> {
    [
        Some(Value::Null),
        Some(json!(1)),
        Some(json!("")),
        Some(json!([true])),
        Some(json!({})),
        Some(json!(false)),
        Some(json!(true)),
        None,
    ]
    .into_iter()
    .nth(number)
    .flatten()
}

/// Puts a value under a name; `broken` makes its parent no object.
fn put(context: &mut Value, name: &[String], value: Value, broken: bool) {
    let mut place = context;
    for (index, segment) in name.iter().enumerate() {
        let Some(object) = place.as_object_mut() else {
            return;
        };
        let is_last = index + 1 == name.len();
        place = object.entry(segment.clone()).or_insert_with(|| json!({}));
        if is_last {
            *place = value;
            return;
        }
        if broken {
            *place = json!("no object");
            return;
        }
    }
}

/// For each name, values on both sides of each of its literals.
fn values(rulebook: &Rulebook) -> BTreeMap<Name, Vec<Value>> {
    let mut values = BTreeMap::<Name, Vec<Value>>::new();
    let arms = rulebook
        .flows
        .iter()
        .flat_map(|flow| &flow.ifs)
        .flat_map(|one| &one.arms);
    for leaf in arms.flat_map(|arm| arm.condition.leaves()) {
        let Some(name) = leaf.name() else { continue };
        let known = values.entry(name.clone()).or_default();
        let literals = match leaf {
            Condition::Compare(compare) => std::slice::from_ref(&compare.value),
            Condition::OneOf(one_of) => &one_of.values,
            _ => &[],
        };
        let mut add = |value| {
            if !known.contains(&value) {
                known.push(value);
            }
        };
        if literals.is_empty() {
            add(json!(true));
            add(json!(false));
        }
        for literal in literals.iter().take(40) {
            match literal {
                Literal::Bool(_) => {
                    add(json!(true));
                    add(json!(false));
                }
                Literal::Number(number) => {
                    let digits = number.0.to_string();
                    let value = digits.parse::<i64>().map_or_else(
                        |_| serde_json::from_str(&digits).unwrap(),
                        |whole| json!(whole),
                    );
                    add(value);
                    if let Ok(whole) = digits.parse::<i64>() {
                        add(json!(whole - 1));
                        add(json!(whole + 1));
                    }
                }
                Literal::String(text) => {
                    add(json!(text));
                    add(json!(format!("{text}x")));
                }
            }
        }
    }
    values
}

/// A small generator of numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound.max(1)
    }
}
