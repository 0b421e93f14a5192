//! What a plain word is, by the core schema of YAML 1.2.

use serde_json::Number;

use super::tree::{Content, Text};
use crate::text::Decimal;

/// What a word without quotes is; none where readers of YAML disagree on which number it is, or
/// whether it is one.
pub(super) fn plain(word: &str) -> Option<Content> {
    Some(match word {
        "" | "~" | "null" | "Null" | "NULL" => Content::Null,
        "true" | "True" | "TRUE" => Content::Bool(true),
        "false" | "False" | "FALSE" => Content::Bool(false),
        _ => match number(word) {
            Some(number) => Content::Number(number),
            None if looks_numeric(word) => return None,
            None => text(word, true),
        },
    })
}

/// Text.
pub(super) fn text(value: &str, is_plain: bool) -> Content {
    Content::Text(Text {
        value: value.to_owned(),
        is_plain,
    })
}

/// A number as JSON writes it, with its digits.
fn number(word: &str) -> Option<Number> {
    Decimal::from_json(word)?;
    word.parse().ok()
}

/// Whether some version of YAML takes a word for a number: a sign `+`, leading zeros, a point
/// without digits at one side, other bases, `_` between digits, infinity, no number.
pub(super) fn looks_numeric(word: &str) -> bool {
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    if [".inf", ".nan"]
        .iter()
        .any(|name| unsigned.eq_ignore_ascii_case(name))
    {
        return true;
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = unsigned.strip_prefix(prefix) {
            let mut digits = digits.chars().filter(|digit| *digit != '_').peekable();
            return digits.peek().is_some() && digits.all(|digit| digit.is_digit(radix));
        }
    }
    if !unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return false;
    }
    let joined: String = unsigned.chars().filter(|letter| *letter != '_').collect();
    let (mantissa, exponent) = match joined.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (joined.as_str(), None),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_mantissa =
        digits(whole) && digits(fraction) && !(whole.is_empty() && fraction.is_empty());
    let is_exponent = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !exponent.is_empty() && digits(exponent)
    });
    is_mantissa && is_exponent
}
