//! `regorus`, which evaluates the emitted bytes.

use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroUsize};

use regorus::{Engine, PolicyLengthConfig, Value};

use super::package::{self, Fault, Package};
use crate::evaluator::{Decision, Verdict};

/// The interpreter recurses over rules and expressions.
pub(super) const STACK: usize = 64 << 20;

/// What an evaluation gave.
pub(super) type Answer = Result<Value, String>;

/// A package that is loaded.
pub(super) struct Interpreter {
    engine: Engine,
}

impl Interpreter {
    /// Loads a text.
    ///
    /// # Errors
    /// What the interpreter says of a text that it cannot read.
    pub(super) fn load(rego: String) -> Result<Self, String> {
        let mut engine = Engine::new();
        engine.set_policy_length_config(PolicyLengthConfig {
            max_col: NonZeroU32::MAX,
            max_file_bytes: NonZeroUsize::MAX,
            max_lines: NonZeroUsize::MAX,
        });
        engine.set_strict_builtin_errors(true);
        engine
            .add_policy("Rulebook.rego".to_owned(), rego)
            .map_err(|error| one_line(&error.to_string()))?;
        Ok(Self { engine })
    }

    /// The package as a tree.
    ///
    /// # Errors
    /// What is not of the vocabulary of the emitted Rego.
    pub(super) fn package(&mut self, name: &str) -> Result<Package, Fault> {
        match self.engine.get_modules().first() {
            Some(module) => package::read(module, name.to_owned()),
            None => Err("there is no package".to_owned()),
        }
    }

    /// Sets the input of the evaluations that follow.
    pub(super) fn set_input(&mut self, input: Value) {
        self.engine.set_input(input);
    }

    /// The values of all rules, by package.
    pub(super) fn all_values(&mut self) -> Answer {
        self.engine
            .eval_modules(false)
            .map_err(|error| one_line(&error.to_string()))
    }

    /// The value of a rule by its whole path; undefined is a value.
    pub(super) fn value(&mut self, path: &str) -> Answer {
        self.engine
            .eval_rule(path.to_owned())
            .map_err(|error| one_line(&error.to_string()))
    }
}

/// The last line that says something: the interpreter shows the source above it.
fn one_line(message: &str) -> String {
    let lines = message.lines().map(str::trim);
    let mut said = lines.filter_map(|line| line.strip_prefix("error: "));
    said.next_back()
        .unwrap_or_else(|| message.lines().next().unwrap_or_default())
        .to_owned()
}

/// An input document as the interpreter holds it; none for no input at all.
pub(super) fn document(document: Option<&serde_json::Value>) -> Value {
    document.map_or(Value::Undefined, value)
}

/// Contexts nest as deep as names have segments, which a line of a source bounds.
fn value(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(value) => Value::Bool(*value),
        serde_json::Value::Number(number) => {
            Value::from_json_str(&number.to_string()).unwrap_or(Value::Undefined)
        }
        serde_json::Value::String(text) => Value::from(text.as_str()),
        serde_json::Value::Array(items) => Value::from(items.iter().map(value).collect::<Vec<_>>()),
        serde_json::Value::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(key, field)| (Value::from(key.as_str()), value(field)));
            Value::from(fields.collect::<BTreeMap<_, _>>())
        }
    }
}

/// The decision that a value is.
///
/// # Errors
/// The value as JSON, or the error of its evaluation.
pub(super) fn decision(answer: &Answer) -> Result<Decision, String> {
    let value = answer.as_ref().map_err(String::clone)?;
    let text = |key: &str| Some(value.as_object().ok()?.get(&Value::from(key))?.clone());
    let read = || {
        let [verdict, rule] = ["decision", "rule"].map(text);
        let (verdict, rule) = (verdict?, rule?);
        if value.as_object().ok()?.len() != 2 {
            return None;
        }
        Some(Decision {
            decision: Verdict::named(verdict.as_string().ok()?)?,
            rule: rule.as_string().ok()?.to_string(),
        })
    };
    read().ok_or_else(|| match value {
        Value::Undefined => "undefined".to_owned(),
        other => {
            let json = other.to_json_str().ok();
            let json = json.and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
            json.map_or_else(|| "no JSON".to_owned(), |it| it.to_string())
        }
    })
}
