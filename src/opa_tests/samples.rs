//! Values of a name that stand on both sides of what a leaf asks of it.

use serde_json::{Value, json};

use crate::decision_space::{insert, remove};
use crate::ir::{Compare, Condition, Literal, OneOf, is_tool_name};

use super::cases::Made;

/// Digits behind the point that scaled integers keep: a literal has at most 14, and what lies
/// beside it two more.
const SCALE: usize = 17;

/// How many values of a name are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Those that the leaf tells apart.
    Narrow,
    /// Those, and values of other types.
    Wide,
}

/// A change of one name of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// What it is, in words for the name of a test.
    pub what: String,
    /// The value; none where the name is absent.
    value: Option<Value>,
    /// Whether the value stands in the place of the object that the name lies in.
    is_parent: bool,
}

impl Sample {
    fn new(what: impl Into<String>, value: Value) -> Self {
        Self {
            what: what.into(),
            value: Some(value),
            is_parent: false,
        }
    }

    /// The call with the name of `leaf` changed so; none where that is no change that can be made.
    pub fn applied(&self, leaf: &Condition, call: &Made) -> Option<Made> {
        let name = leaf.name()?;
        if is_tool_name(name) {
            let tool = self.value.as_ref().map(|value| value.as_str());
            return Some(Made {
                tool: tool.flatten().map(str::to_owned),
                context: call.context.clone(),
            });
        }
        let mut context = call.context.clone();
        let parent = name.split_last().map(|(_, parents)| parents);
        let name = parent.filter(|_| self.is_parent).unwrap_or(name);
        match &self.value {
            Some(value) => insert(&mut context, name, value.clone()),
            None => remove(&mut context, name),
        }
        Some(Made {
            tool: call.tool.clone(),
            context,
        })
    }
}

/// The values to try for the name of a leaf.
pub fn samples(leaf: &Condition, range: Range) -> Vec<Sample> {
    let mut found = Vec::new();
    match leaf {
        Condition::IsTrue(_) | Condition::NotTrue(_) => {
            found.push(Sample::new("true", json!(true)));
            found.push(Sample::new("false", json!(false)));
        }
        Condition::Compare(Compare { value, .. }) => beside(value, true, &mut found),
        Condition::OneOf(OneOf { values, .. }) => {
            for value in values {
                beside(value, false, &mut found);
            }
            if let Some(last) = values.last() {
                let mut around = Vec::new();
                beside(last, true, &mut around);
                around.retain(|sample| found.iter().all(|known| known.value != sample.value));
                // What lies beside one member may be another.
                let is_member = |value: &Value| {
                    values.iter().any(|member| match (member, value) {
                        (Literal::String(text), Value::String(other)) => text == other,
                        _ => false,
                    })
                };
                around.retain(|sample| !sample.value.as_ref().is_some_and(is_member));
                found.extend(around);
            }
        }
        Condition::All(_) | Condition::Any(_) | Condition::Const(_) => return found,
    }
    found.push(Sample {
        what: "absent".to_owned(),
        value: None,
        is_parent: false,
    });
    if range == Range::Wide {
        found.extend(others(leaf));
        if leaf.name().is_some_and(|name| name.len() > 1) {
            found.push(Sample {
                is_parent: true,
                ..Sample::new("under no object", json!("x"))
            });
        }
    }
    found
}

/// A literal, and with `around` what lies next to it.
fn beside(literal: &Literal, around: bool, found: &mut Vec<Sample>) {
    match literal {
        Literal::Bool(_) => {
            found.push(Sample::new("true", json!(true)));
            found.push(Sample::new("false", json!(false)));
        }
        Literal::Number(number) => {
            let text = number.0.to_string();
            let neighbours = around.then(|| neighbours(&text)).flatten();
            let sample = |what: &str, value: &str| {
                let value = value.parse().ok().map(Value::Number)?;
                Some(Sample::new(format!("{what} {text}"), value))
            };
            if let Some((below, above)) = &neighbours {
                found.extend(sample("below", below));
                found.extend(sample("at", &text));
                found.extend(sample("above", above));
            } else {
                found.extend(sample("at", &text));
            }
        }
        Literal::String(text) => {
            found.push(Sample::new(format!("is {text}"), json!(text)));
            if around {
                // Not by its first or last letter alone: a prefix is no equal.
                found.push(Sample::new("other", json!(format!("{text} x"))));
            }
        }
    }
}

/// Values of other types: some that Rego orders before the literal's, and some behind.
fn others(leaf: &Condition) -> Vec<Sample> {
    let literal = match leaf {
        Condition::Compare(Compare { value, .. }) => Some(value),
        Condition::OneOf(OneOf { values, .. }) => values.first(),
        _ => None,
    };
    let null = Sample::new("null", Value::Null);
    let array = Sample::new("an array", json!([true]));
    match literal {
        None => vec![
            Sample::new("a string", json!("true")),
            Sample::new("a number", json!(1)),
            null,
        ],
        Some(Literal::Bool(value)) => {
            vec![null, Sample::new("a string", json!(value.to_string()))]
        }
        Some(Literal::Number(number)) => {
            let text = number.0.to_string();
            vec![null, Sample::new("a string", json!(text)), array]
        }
        Some(Literal::String(_)) => vec![null, Sample::new("a number", json!(1)), array],
    }
}

/// The decimals next to a literal, of two digits more than it has behind the point where it has
/// none, of one more elsewhere: `99.99` and `100.01` beside `100`. No other literal lies as near
/// to one that has no fewer digits.
fn neighbours(text: &str) -> Option<(String, String)> {
    let digits = text.split_once('.').map_or(0, |(_, behind)| behind.len());
    let unit = power(SCALE.checked_sub(digits.max(1) + 1)?)?;
    let value = scaled(text)?;
    Some((
        unscaled(value.checked_sub(unit)?),
        unscaled(value.checked_add(unit)?),
    ))
}

fn power(exponent: usize) -> Option<i128> {
    10_i128.checked_pow(u32::try_from(exponent).ok()?)
}

fn scaled(text: &str) -> Option<i128> {
    let (whole, behind) = text.split_once('.').unwrap_or((text, ""));
    let missing = power(SCALE.checked_sub(behind.len())?)?;
    let digits: i128 = format!("{whole}{behind}").parse().ok()?;
    digits.checked_mul(missing)
}

fn unscaled(value: i128) -> String {
    let width = SCALE + 1;
    let digits = format!("{:0width$}", value.unsigned_abs());
    let (whole, behind) = digits
        .split_at_checked(digits.len().saturating_sub(SCALE))
        .unwrap_or((&digits, ""));
    let behind = behind.trim_end_matches('0');
    let sign = if value < 0 { "-" } else { "" };
    match behind {
        "" => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{behind}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Operator;
    use crate::ir::example::{compare, is_true, number, one_of, string};

    #[test]
    fn decimals_next_to_a_literal_are_exact() {
        for (literal, below, above) in [
            ("0", "-0.01", "0.01"),
            ("100", "99.99", "100.01"),
            ("19.9", "19.89", "19.91"),
            ("-0.005", "-0.0051", "-0.0049"),
            (
                "999999999999999",
                "999999999999998.99",
                "999999999999999.01",
            ),
            ("0.00000000000001", "0.000000000000009", "0.000000000000011"),
        ] {
            let found = neighbours(literal).unwrap();
            assert_eq!(found, (below.to_owned(), above.to_owned()), "{literal}");
        }
    }

    fn words(leaf: &Condition, range: Range) -> Vec<String> {
        let found = samples(leaf, range).into_iter();
        found.map(|sample| sample.what).collect()
    }

    #[test]
    fn each_kind_of_leaf_has_its_values() {
        let at_most = compare("n", Operator::LessOrEqual, number("5"));
        assert_eq!(
            words(&at_most, Range::Wide),
            [
                "below 5", "at 5", "above 5", "absent", "null", "a string", "an array"
            ]
        );
        assert_eq!(
            words(&is_true("a"), Range::Narrow),
            ["true", "false", "absent"]
        );
        let text = compare("s", Operator::Equal, string("gold"));
        assert_eq!(words(&text, Range::Narrow), ["is gold", "other", "absent"]);
        let list = one_of("s", &[string("a"), string("a x"), string("b")]);
        assert_eq!(
            words(&list, Range::Narrow),
            ["is a", "is a x", "is b", "other", "absent"]
        );
    }

    #[test]
    fn a_change_leaves_the_rest_of_the_call() {
        let call = Made {
            tool: Some("t".to_owned()),
            context: json!({"q": {"a": true, "b": 1}})
                .as_object()
                .unwrap()
                .clone(),
        };
        let leaf = is_true("q.a");
        let all = samples(&leaf, Range::Narrow);
        let contexts: Vec<Value> = all
            .iter()
            .map(|sample| Value::Object(sample.applied(&leaf, &call).unwrap().context))
            .collect();
        assert_eq!(
            contexts,
            [
                json!({"q": {"a": true, "b": 1}}),
                json!({"q": {"a": false, "b": 1}}),
                json!({"q": {"b": 1}})
            ]
        );
    }
}
