//! The tests before they are written: each call once, with what the rulebook decides on it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::evaluator::{self, Call, Decision};
use crate::ir::Rulebook;

/// Most characters of a part of a test's name.
const MOST_CHARACTERS: usize = 48;

/// A call of a tool, or of what is no string, in a context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The tool; none where it is no string.
    pub tool: Option<String>,
    /// The context.
    pub context: Map<String, Value>,
}

impl Made {
    /// The call.
    pub fn call(&self) -> Call<'_> {
        Call::new(self.tool.as_deref(), &self.context)
    }

    fn input(&self) -> Value {
        let mut input = Map::new();
        input.insert("context".to_owned(), Value::Object(self.context.clone()));
        let tool = self.tool.clone().map(Value::String);
        input.insert("tool".to_owned(), tool.unwrap_or_default());
        Value::Object(input)
    }
}

/// A test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The index of the flow that it is about in the rulebook; none where it is about no flow.
    pub flow: Option<usize>,
    /// The line of the rulebook that it is about.
    pub line: usize,
    /// Its name, without `test_`.
    pub name: String,
    /// The input as JSON; none for no input at all.
    pub input: Option<String>,
    /// What the rulebook decides.
    pub decision: Decision,
}

/// All tests of a rulebook.
pub struct Cases<'r> {
    rulebook: &'r Rulebook,
    all: Vec<Case>,
    inputs: BTreeSet<Option<String>>,
    /// Names that are taken, each with the last number behind it.
    names: BTreeMap<String, usize>,
    /// Bytes of all inputs and names.
    bytes: usize,
}

impl<'r> Cases<'r> {
    /// None yet.
    pub fn of(rulebook: &'r Rulebook) -> Self {
        Self {
            rulebook,
            all: Vec::new(),
            inputs: BTreeSet::new(),
            names: BTreeMap::new(),
            bytes: 0,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Bytes of all inputs and names: what is written is at most a few times as long.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds a call, if it is not there yet. Its name is made of the flow's, the line, what is said
    /// of it, and the tool's.
    pub fn add(&mut self, flow: Option<usize>, line: usize, what: &str, made: &Made) -> bool {
        let about = flow.and_then(|flow| self.rulebook.flows.get(flow));
        let mut parts = Vec::new();
        if let Some(flow) = about {
            let name = snake(&flow.name);
            parts.push(if name.is_empty() {
                flow.id.clone()
            } else {
                name
            });
            parts.push(format!("line_{line}"));
        }
        parts.push(snake(what));
        let tool = made.tool.as_deref().map_or_else(
            || "no_tool".to_owned(),
            |tool| match snake(tool) {
                name if name.is_empty() => "other_tool".to_owned(),
                name => name,
            },
        );
        parts.push(tool);
        parts.retain(|part| !part.is_empty());
        self.add_input(flow, line, parts.join("_"), Some(&made.input()))
    }

    /// Adds an input of any shape, under a name that is made unique.
    pub fn add_input(
        &mut self,
        flow: Option<usize>,
        line: usize,
        name: String,
        input: Option<&Value>,
    ) -> bool {
        let text = input.map(ToString::to_string);
        if !self.inputs.insert(text.clone()) {
            return false;
        }
        let name = self.unique(name);
        let decision = evaluator::decide(self.rulebook, input.unwrap_or(&Value::Null));
        self.bytes += text.as_ref().map_or(0, String::len) + name.len() + decision.rule.len();
        self.all.push(Case {
            flow,
            line,
            name,
            input: text,
            decision,
        });
        true
    }

    fn unique(&mut self, name: String) -> String {
        let mut number = self.names.get(&name).copied().unwrap_or(0);
        loop {
            number += 1;
            let candidate = match number {
                1 => name.clone(),
                _ => format!("{name}_{number}"),
            };
            if number == 1 || !self.names.contains_key(&candidate) {
                self.names.insert(name, number);
                self.names.entry(candidate.clone()).or_insert(1);
                return candidate;
            }
        }
    }

    /// All of them by flow and line, those about no flow at last.
    pub fn into_sorted(self) -> Vec<Case> {
        let mut all = self.all;
        all.sort_by_key(|case| (case.flow.unwrap_or(usize::MAX), case.line));
        all
    }
}

/// A text as a part of a rule's name: ASCII letters and digits, all else as one `_`. A sign and a
/// point of a number are words, so that numbers stay apart.
pub fn snake(text: &str) -> String {
    let mut out = String::new();
    let mut gap = false;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if out.len() >= MOST_CHARACTERS {
            break;
        }
        let is_digit_next = letters.peek().is_some_and(char::is_ascii_digit);
        if letter.is_ascii_alphanumeric() {
            if gap && !out.is_empty() {
                out.push('_');
            }
            gap = false;
            out.push(letter.to_ascii_lowercase());
        } else {
            if letter == '-' && is_digit_next && (gap || out.is_empty()) {
                if !out.is_empty() {
                    out.push('_');
                }
                out.push_str("minus");
            }
            gap = true;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_snake_case() {
        for (text, want) in [
            ("refunds", "refunds"),
            ("Check  the Account!", "check_the_account"),
            ("política", "pol_tica"),
            ("amount below -1.5", "amount_below_minus_1_5"),
            ("-3", "minus_3"),
            ("…", ""),
            ("a/b.c-d", "a_b_c_d"),
        ] {
            assert_eq!(snake(text), want, "{text}");
        }
        assert!(snake(&"x y ".repeat(200)).len() <= MOST_CHARACTERS + 8);
    }
}
