//! Canonical JSON: equal values have one text, so that texts can be hashed and compared.

use serde_json::{Map, Value};

use crate::text::Decimal;

/// What is still to be written.
enum Part<'a> {
    Value(&'a Value),
    Key(&'a str),
    Mark(&'static str),
}

/// The canonical text of a value: RFC 8785, with numbers in their exact decimal form in place of
/// the shortest double (contract section 3, *Digest*).
///
/// No blanks; keys in the order of their UTF-16 code units; in strings nothing is escaped that need
/// not be. Equal numbers have one text whatever they were written as (`40.0`, `4e1` and `40`), and
/// different ones two, however many digits tell them apart; exponents stay exponents, so the text
/// is no longer than the value's own but for a few characters a number. For integers below 2^53
/// the text is that of RFC 8785.
pub fn canonical(value: &Value) -> String {
    write_parts(vec![Part::Value(value)])
}

/// The same of an object of which only the members that `keep` chooses count.
pub fn canonical_members(object: &Map<String, Value>, keep: impl Fn(&str) -> bool) -> String {
    let mut open = Vec::new();
    let kept = object.iter().filter(|(key, _)| keep(key.as_str()));
    push_members(kept, &mut open);
    write_parts(open)
}

/// Writes parts, the last first.
fn write_parts(mut open: Vec<Part<'_>>) -> String {
    let mut out = String::new();
    while let Some(part) = open.pop() {
        match part {
            Part::Mark(mark) => out.push_str(mark),
            Part::Key(key) => {
                push_string(key, &mut out);
                out.push(':');
            }
            Part::Value(Value::Null) => out.push_str("null"),
            Part::Value(Value::Bool(value)) => out.push_str(if *value { "true" } else { "false" }),
            Part::Value(Value::Number(number)) => match Decimal::from_json(number.as_str()) {
                Some(decimal) => out.push_str(&decimal.to_string()),
                None => out.push_str(number.as_str()),
            },
            Part::Value(Value::String(text)) => push_string(text, &mut out),
            Part::Value(Value::Array(items)) => {
                open.push(Part::Mark("]"));
                for (index, item) in items.iter().enumerate().rev() {
                    open.push(Part::Value(item));
                    if index > 0 {
                        open.push(Part::Mark(","));
                    }
                }
                open.push(Part::Mark("["));
            }
            Part::Value(Value::Object(members)) => push_members(members.iter(), &mut open),
        }
    }
    out
}

fn push_members<'a>(
    members: impl Iterator<Item = (&'a String, &'a Value)>,
    open: &mut Vec<Part<'a>>,
) {
    let mut members: Vec<(&String, &Value)> = members.collect();
    members.sort_by(|(left, _), (right, _)| left.encode_utf16().cmp(right.encode_utf16()));
    open.push(Part::Mark("}"));
    for (index, (key, value)) in members.into_iter().enumerate().rev() {
        open.push(Part::Value(value));
        open.push(Part::Key(key));
        if index > 0 {
            open.push(Part::Mark(","));
        }
    }
    open.push(Part::Mark("{"));
}

/// A string as RFC 8785 writes it: the escapes of one letter, `\u00xx` for other controls, and all
/// else as it is.
fn push_string(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            control if control < ' ' => {
                out.push_str("\\u00");
                let unit = u32::from(control);
                let digits = [unit >> 4, unit & 0xf];
                out.extend(
                    digits
                        .into_iter()
                        .filter_map(|digit| char::from_digit(digit, 16)),
                );
            }
            other => out.push(other),
        }
    }
    out.push('"');
}
