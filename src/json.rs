//! Reads JSON that a host or a caller wrote.
//!
//! Not `serde_json::from_slice::<Value>`: there, an object whose first key is the library's own
//! marker for exact numbers *becomes* a number. A caller could so pass an object as an amount
//! that OPA, which sees an object, refuses. Here such an object stays an object.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use thiserror::Error;

/// The key under which serde_json hands a number that fits no machine integer to a visitor.
const NUMBER_MARKER: &str = "$serde_json::private::Number";

/// Why bytes are no JSON.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum JsonError {
    /// Not UTF-8; the offset of the first byte that is not.
    #[error("not UTF-8 at byte {0}")]
    NotUtf8(usize),
    /// Nothing but blanks.
    #[error("there is no JSON value")]
    Empty,
    /// Arrays and objects nest deeper than 127 levels.
    #[error("arrays and objects nest deeper than 127 levels")]
    TooDeep,
    /// Ends before the value does.
    #[error("the JSON value is not complete")]
    Incomplete,
    /// Not JSON at this place.
    #[error("not JSON at line {line}, column {column}")]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Column in bytes, from 1.
        column: usize,
    },
}

/// Reads one JSON value. A byte order mark before it is dropped; of duplicate keys the last
/// wins; numbers keep every digit.
///
/// # Errors
/// The bytes are not UTF-8, not one JSON value, or nest too deep.
pub fn parse(bytes: &[u8]) -> Result<Value, JsonError> {
    let text =
        std::str::from_utf8(bytes).map_err(|error| JsonError::NotUtf8(error.valid_up_to()))?;
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if text.trim_ascii().is_empty() {
        return Err(JsonError::Empty);
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    Json.deserialize(&mut reader)
        .and_then(|value| reader.end().map(|()| value))
        .map_err(|error| fault(&error))
}

fn fault(error: &serde_json::Error) -> JsonError {
    // The library has no other way to tell this case.
    if error.to_string().starts_with("recursion limit exceeded") {
        return JsonError::TooDeep;
    }
    if error.is_eof() {
        return JsonError::Incomplete;
    }
    JsonError::Syntax {
        line: error.line(),
        column: error.column().max(1),
    }
}

struct Json;

impl<'de> DeserializeSeed<'de> for Json {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Json {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut out = Vec::new();
        while let Some(item) = items.next_element_seed(Json)? {
            out.push(item);
        }
        Ok(Value::Array(out))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut out = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = if out.is_empty() && key == NUMBER_MARKER {
                match entries.next_value_seed(Marked)? {
                    MarkedValue::Number(number) => return Ok(Value::Number(number)),
                    MarkedValue::Json(value) => value,
                }
            } else {
                entries.next_value_seed(Json)?
            };
            out.insert(key, value);
        }
        Ok(Value::Object(out))
    }
}

/// What stands under the marker: the digits of a number, which the library hands over as an
/// owned string, or the value of a caller's key of that name, whose strings are borrowed.
struct Marked;

enum MarkedValue {
    Number(Number),
    Json(Value),
}

impl<'de> DeserializeSeed<'de> for Marked {
    type Value = MarkedValue;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<MarkedValue, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Marked {
    type Value = MarkedValue;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_string<E: serde::de::Error>(self, digits: String) -> Result<MarkedValue, E> {
        digits
            .parse()
            .map(MarkedValue::Number)
            .map_err(|_| E::custom("not a number"))
    }

    fn visit_unit<E>(self) -> Result<MarkedValue, E> {
        Ok(MarkedValue::Json(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<MarkedValue, E> {
        Ok(MarkedValue::Json(Value::Bool(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<MarkedValue, E> {
        Ok(MarkedValue::Json(Value::from(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<MarkedValue, E> {
        Ok(MarkedValue::Json(Value::from(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<MarkedValue, E> {
        Ok(MarkedValue::Json(Value::String(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<MarkedValue, A::Error> {
        Json.visit_seq(items).map(MarkedValue::Json)
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<MarkedValue, A::Error> {
        Json.visit_map(entries).map(MarkedValue::Json)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Value, JsonError> {
        parse(text.as_bytes())
    }

    #[test]
    fn ordinary_json_is_read_as_serde_json_reads_it() {
        for text in [
            "null",
            " true ",
            "[1, -0, 1.50, 1e2, 123456789012345678901234567890.5]",
            r#"{"a": {"b": [true, "x\u00e9\n"]}, "a": 2}"#,
            "\"\"",
            "-12",
        ] {
            let expected: Value = serde_json::from_str(text).unwrap();
            assert_eq!(read(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn numbers_keep_their_digits_and_the_last_duplicate_wins() {
        assert_eq!(
            read(r#"{"a": 1, "a": 500.00000000000000000000001}"#)
                .unwrap()
                .to_string(),
            r#"{"a":500.00000000000000000000001}"#
        );
        assert_eq!(read("1e999999999").unwrap().to_string(), "1e+999999999");
    }

    #[test]
    fn an_object_that_poses_as_a_number_stays_an_object() {
        for text in [
            r#"{"$serde_json::private::Number": "50"}"#,
            r#"{"\u0024serde_json::private::Number": "50"}"#,
            r#"{"$serde_json::private::Number": "5\u0030"}"#,
            r#"{"$serde_json::private::Number": 50}"#,
            r#"{"$serde_json::private::Number": [50], "b": 1}"#,
            r#"[{"$serde_json::private::Number": "50", "b": 1}]"#,
            r#"{"$serde_json::private::Number": {"$serde_json::private::Number": "50"}}"#,
        ] {
            let value = read(text).unwrap();
            let object = value.get(0).unwrap_or(&value);
            assert!(object.is_object(), "{text} became {value:?}");
        }
        assert!(
            read(r#"{"$serde_json::private::RawValue": "50"}"#)
                .unwrap()
                .is_object()
        );
    }

    #[test]
    fn faults_are_told_apart() {
        assert_eq!(read(""), Err(JsonError::Empty));
        assert_eq!(read(" \n"), Err(JsonError::Empty));
        assert_eq!(read("{\"a\": "), Err(JsonError::Incomplete));
        assert_eq!(read("{,}"), Err(JsonError::Syntax { line: 1, column: 2 }));
        assert!(matches!(read("1 2"), Err(JsonError::Syntax { .. })));
        assert!(matches!(read("NaN"), Err(JsonError::Syntax { .. })));
        assert!(matches!(read("01"), Err(JsonError::Syntax { .. })));
        assert_eq!(parse(b"\"\xFF\""), Err(JsonError::NotUtf8(1)));
        assert_eq!(parse(b"\xEF\xBB\xBF1"), Ok(Value::from(1)));
    }

    #[test]
    fn depth_is_limited_and_does_not_overflow_the_stack() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        let run = std::thread::Builder::new()
            .stack_size(1 << 20)
            .spawn(move || (read(&nested(127)).is_ok(), read(&nested(100_000))))
            .unwrap();
        assert_eq!(run.join().unwrap(), (true, Err(JsonError::TooDeep)));
    }
}
