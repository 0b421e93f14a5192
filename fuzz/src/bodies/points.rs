//! Questions to a rulebook, at its own literals and around, asked of the evaluator, of
//! the gate and of the interpreter.

use serde_json::{Map, Value, json};
use stalwart::emitter::emit;
use stalwart::evaluator::decide;
use stalwart::gate::Gate;
use stalwart::ir::{Rulebook, to_bytes};
use stalwart::json::parse;

use crate::engines::{Batch, regorus};

/// The longest package that is given to the interpreter, which takes milliseconds a question
/// for long ones.
const MOST_REGO: usize = 200_000;

/// Values that are near to no literal.
const OTHERS: [&str; 9] = [
    "true", "false", "null", "0", "-1.5", "1000000", "\"\"", "[true]", "{}",
];

/// Choices that depend on the bytes only.
pub fn seed(bytes: &[u8]) -> u64 {
    let mix = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

/// Emits the rulebook, and holds what is emitted to the evaluator.
///
/// # Panics
/// They differ, or one of them has no answer.
pub fn hold(rulebook: &Rulebook, seed: u64, count: usize) {
    // What cannot be emitted says why: an artifact is too long, or too deep.
    let Ok(artifacts) = emit(rulebook) else {
        return;
    };
    assert_eq!(artifacts.ir, to_bytes(rulebook));
    let inputs = Points::of(rulebook, seed).take(count);
    let decisions: Vec<_> = inputs.iter().map(|it| decide(rulebook, it)).collect();
    let gate = Gate::new(rulebook.clone());
    for (input, decision) in inputs.iter().zip(&decisions) {
        assert_eq!(&gate.decide_input(input).to_decision(), decision, "{input}");
    }
    if artifacts.rego.len() > MOST_REGO {
        return;
    }
    let answers = regorus::decide(Batch {
        package: rulebook.package.clone(),
        rego: artifacts.rego.clone(),
        inputs: inputs.iter().map(|it| Some(it.to_string())).collect(),
    });
    for ((input, decision), answer) in inputs.iter().zip(decisions).zip(answers) {
        assert_eq!(answer, Ok(decision), "{input}\n{}", artifacts.rego);
    }
}

struct Points<'a> {
    rulebook: &'a Rulebook,
    state: u64,
    /// Literals of the rulebook, and values near to none.
    values: Vec<Value>,
}

impl<'a> Points<'a> {
    fn of(rulebook: &'a Rulebook, seed: u64) -> Self {
        let mut values: Vec<Value> = OTHERS
            .iter()
            .filter_map(|it| parse(it.as_bytes()).ok())
            .collect();
        let document = parse(&to_bytes(rulebook)).expect("an IR is JSON");
        let mut rest = vec![&document];
        while let Some(value) = rest.pop() {
            match value {
                Value::Array(items) => rest.extend(items),
                Value::Object(fields) => {
                    for key in ["value", "values"] {
                        literals(fields.get(key), &mut values);
                    }
                    rest.extend(fields.values());
                }
                _ => {}
            }
        }
        Self {
            rulebook,
            state: seed | 1,
            values,
        }
    }

    fn take(mut self, count: usize) -> Vec<Value> {
        (0..count).map(|_| self.input()).collect()
    }

    fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state >> 33).unwrap_or(0) % limit.max(1)
    }

    fn value(&mut self) -> Value {
        let at = self.below(self.values.len());
        self.values[at].clone()
    }

    fn input(&mut self) -> Value {
        let tools = &self.rulebook.tools;
        let tool = match self.below(tools.len() + 2) {
            0 => self.value(),
            1 => Value::from("other"),
            at => Value::from(tools[at - 2].name.as_str()),
        };
        let mut context = Map::new();
        for name in &self.rulebook.context {
            // Half of the names have a value that the leaves ask for, most often true.
            let value = match self.below(8) {
                0 => continue,
                1..3 => Value::Bool(true),
                _ => self.value(),
            };
            put(&mut context, &name.name, value);
        }
        match self.below(32) {
            0 => json!({ "tool": tool }),
            1 => json!({ "tool": tool, "context": self.value() }),
            2 => self.value(),
            _ => json!({ "tool": tool, "context": context }),
        }
    }
}

/// The literals of a leaf: numbers stand as text.
fn literals(found: Option<&Value>, values: &mut Vec<Value>) {
    match found {
        Some(Value::Array(items)) => items.iter().for_each(|it| literals(Some(it), values)),
        Some(Value::Object(fields)) => fields.values().for_each(|it| literals(Some(it), values)),
        Some(Value::String(text)) => {
            values.push(Value::from(text.as_str()));
            if let Ok(number @ Value::Number(_)) = parse(text.as_bytes()) {
                values.push(number);
            }
        }
        _ => {}
    }
}

fn put(context: &mut Map<String, Value>, name: &[String], value: Value) {
    match name {
        [] => {}
        [last] => {
            context.insert(last.clone(), value);
        }
        [first, rest @ ..] => {
            let inner = context
                .entry(first.clone())
                .or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}
