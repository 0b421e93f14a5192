//! Random calls: plain choices, read against the names and literals of a rulebook.

use proptest::prelude::*;
use serde_json::Value;

use super::pools::{self, NAMES, Type, pick};

/// A call as it is drawn.
#[derive(Clone, Debug)]
pub struct Choices {
    tool: u8,
    context: u8,
    /// Whether numbers may need exact decimals.
    far: bool,
    /// One per name.
    values: Vec<(u8, u8)>,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The document as JSON text, numbers as they are written; none for no input at all.
    pub input: Option<String>,
    /// Whether it has a number that `f64` cannot tell from its neighbours.
    pub exact: bool,
}

impl Call {
    /// The document as the evaluator gets it.
    pub fn value(&self) -> Value {
        self.input.as_ref().map_or(Value::Null, |text| {
            serde_json::from_str(text).expect("a call is JSON")
        })
    }
}

/// Random calls.
pub fn calls(count: usize) -> impl Strategy<Value = Vec<Choices>> {
    let values = prop::collection::vec(any::<(u8, u8)>(), NAMES.len());
    let call = (any::<u8>(), any::<u8>(), 0..3_u8, values);
    let call = call.prop_map(|(tool, context, far, values)| Choices {
        tool,
        context,
        far: far == 2,
        values,
    });
    prop::collection::vec(call, count)
}

impl Choices {
    /// The call, for the rulebook with this text. Its number literals are those the call's
    /// numbers lie at, just below and just above.
    pub fn call(&self, source: &str) -> Call {
        if self.tool == 255 {
            return Call {
                input: None,
                exact: false,
            };
        }
        let mut exact = false;
        let mut parts = Vec::new();
        if let Some(tool) = self.tool_text(source) {
            parts.push(format!("\"tool\":{tool}"));
        }
        match self.context % 16 {
            0 => {}
            1 => parts.push(format!("\"context\":{}", pick(WRONG, self.context / 16))),
            // Of duplicate keys the last wins.
            2 => parts.push(format!(
                "\"context\":[1],\"context\":{}",
                self.context_text(source, &mut exact)
            )),
            _ => parts.push(format!(
                "\"context\":{}",
                self.context_text(source, &mut exact)
            )),
        }
        Call {
            input: Some(format!("{{{}}}", parts.join(","))),
            exact,
        }
    }

    fn tool_text(&self, source: &str) -> Option<String> {
        let choice = self.tool / 8;
        let governed: Vec<_> = pools::TOOLS
            .iter()
            .copied()
            .filter(|tool| source.contains(&format!("execute {tool}")))
            .collect();
        Some(match self.tool % 8 {
            0 => match choice % 4 {
                0 => return None,
                1 => "\"other_tool\"".to_owned(),
                2 => json(pick(pools::ODD_TOOLS, choice / 4)),
                _ => pick(WRONG, choice / 4).to_owned(),
            },
            _ if !governed.is_empty() => json(pick(&governed, choice)),
            _ => json(pick(pools::TOOLS, choice)),
        })
    }

    fn context_text(&self, source: &str, exact: &mut bool) -> String {
        let mut root = Tree::default();
        let numbers: Vec<&str> = literals(source);
        for ((name, value_type), (kind, value)) in NAMES.iter().zip(&self.values) {
            let segments: Vec<&str> = name.split('.').collect();
            // Half of the calls lack little.
            let text = match kind % if self.context < 128 { 48 } else { 8 } {
                0 => continue,
                1 => match value % 8 {
                    // A parent that is no object.
                    7 if segments.len() > 1 => {
                        root.put(
                            &segments[..segments.len() - 1],
                            pick(WRONG, value / 8).into(),
                        );
                        continue;
                    }
                    _ => pick(WRONG, *value).to_owned(),
                },
                _ => match value_type {
                    Type::Boolean => (value % 3 != 0).to_string(),
                    Type::String => json(pick(pools::STRINGS, value / 2 * (value % 2))),
                    Type::Number => {
                        let literal = pick(&numbers, *value);
                        let choice = if self.far { value / 16 } else { value / 16 % 5 };
                        let (text, far) = near(literal, choice);
                        *exact |= far;
                        text
                    }
                },
            };
            root.put(&segments, text);
        }
        root.to_string()
    }
}

/// Values of every kind.
const WRONG: &[&str] = &[
    "null",
    "true",
    "false",
    "1",
    "0",
    "\"x\"",
    "\"\"",
    "[]",
    "[true]",
    "{}",
    "{\"tier\":1}",
    "-1.5",
];

fn json(text: &str) -> String {
    serde_json::to_string(text).expect("a string is JSON")
}

/// The number literals that stand in the source, and two more.
fn literals(source: &str) -> Vec<&'static str> {
    let mut found: Vec<_> = pools::NUMBERS
        .iter()
        .copied()
        .filter(|number| source.contains(number))
        .collect();
    found.extend(["0", "100"]);
    found
}

/// A number at or near a literal, and whether it takes exact decimals to tell.
fn near(literal: &str, choice: u8) -> (String, bool) {
    // 15 digits and one more do not fit in a `f64`.
    let long = literal.bytes().filter(u8::is_ascii_digit).count() > 13;
    match choice {
        0 => (literal.to_owned(), false),
        1 => (beside(literal, 1, 1), long),
        2 => (beside(literal, 1, -1), long),
        3 => (beside(literal, 0, 1), false),
        4 => (beside(literal, 0, -1), false),
        5 => (beside(literal, 20, 1), true),
        6 => (beside(literal, 20, -1), true),
        7 => (format!("{}e0", beside(literal, 0, 0)), false),
        8 => (format!("{}E+2", beside(literal, 2, 0)), false),
        9 => ("1e400".to_owned(), true),
        10 => ("-1e400".to_owned(), true),
        11 => ("1e-400".to_owned(), true),
        12 => (format!("{}.5", "9".repeat(100)), true),
        13 => (format!("0.{}1", "0".repeat(100)), true),
        14 => ("18446744073709551617".to_owned(), true),
        _ => ("-0.0".to_owned(), false),
    }
}

/// `literal` with `more` further digits behind its last one, and `step` added to the last.
fn beside(literal: &str, more: usize, step: i128) -> String {
    let (whole, fraction) = literal.split_once('.').unwrap_or((literal, ""));
    let places = fraction.len() + more;
    let digits = format!("{whole}{fraction}{}", "0".repeat(more));
    let scaled: i128 = digits.parse::<i128>().expect("at most 35 digits") + step;
    let sign = if scaled < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", scaled.unsigned_abs(), width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    if places == 0 {
        format!("{sign}{whole}")
    } else {
        format!("{sign}{whole}.{fraction}")
    }
}

/// An object that is being written.
#[derive(Default)]
struct Tree(Vec<(String, Node)>);

enum Node {
    Text(String),
    Object(Tree),
}

impl Tree {
    /// Puts a value at a path; where a parent is no object, it stays one.
    fn put(&mut self, segments: &[&str], text: String) {
        let Some((first, rest)) = segments.split_first() else {
            return;
        };
        if !self.0.iter().any(|(key, _)| key == first) {
            let node = if rest.is_empty() {
                Node::Text(text.clone())
            } else {
                Node::Object(Self::default())
            };
            self.0.push(((*first).to_owned(), node));
        }
        for (key, node) in &mut self.0 {
            if let (true, Node::Object(inner)) = (key == first, node) {
                inner.put(rest, text.clone());
            }
        }
    }
}

impl std::fmt::Display for Tree {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("{")?;
        for (index, (key, node)) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(formatter, "{comma}{}:", json(key))?;
            match node {
                Node::Text(text) => formatter.write_str(text)?,
                Node::Object(inner) => write!(formatter, "{inner}")?,
            }
        }
        formatter.write_str("}")
    }
}

#[test]
fn numbers_beside_a_literal_are_exact() {
    assert_eq!(beside("100.50", 1, 1), "100.501");
    assert_eq!(beside("100.50", 1, -1), "100.499");
    assert_eq!(beside("0.001", 0, -1), "0.000");
    assert_eq!(beside("-5", 1, 1), "-4.9");
    assert_eq!(beside("-0.25", 0, -1), "-0.26");
    assert_eq!(beside("0", 20, -1), "-0.00000000000000000001");
    assert_eq!(beside("999999999999999", 0, 1), "1000000000000000");
}
