//! Arguments: what is read, what is refused, and that the client's bytes are what is forwarded.

use proptest::prelude::*;
use serde_json::json;
use stalwart::catalogue::Tool;
use stalwart::json::{Bounds, Members, parse_strict};
use stalwart::tool_check::{Arguments, RESERVED};

use super::building::{BOUNDS, arguments, digest, read, with_schema};
use super::canonical::values;

fn declaring(members: &[&str]) -> Tool {
    let properties: serde_json::Map<String, serde_json::Value> = members
        .iter()
        .map(|member| ((*member).to_owned(), json!({"type": "boolean"})))
        .collect();
    with_schema(read(), json!({"type": "object", "properties": properties}))
}

fn error(text: &str) -> String {
    Arguments::read(Some(text), BOUNDS).unwrap_err().to_string()
}

#[test]
fn absent_arguments_are_an_empty_object() {
    let absent = Arguments::read(None, BOUNDS).unwrap();
    assert_eq!(absent, arguments("{}"));
    assert_eq!(absent.forwarded(&read(), false), "{}");
    assert_eq!(
        absent.forwarded(&declaring(&["confirmed"]), true),
        r#"{"confirmed": true}"#
    );
}

#[test]
fn what_is_no_strict_object_is_refused_without_its_values() {
    for text in ["null", "[]", "\"secret\"", "4111", "true"] {
        assert_eq!(error(text), "the arguments must be a JSON object", "{text}");
    }
    for text in [
        r#"{"a": 1, "a": 2}"#,
        r#"{"a": 1, "\u0061": 2}"#,
        r#"{"x": [{"a": 1, "a": 2}]}"#,
        r#"{"confirmed": true, "confirmed": true}"#,
    ] {
        assert_eq!(
            error(text),
            "the arguments cannot be read: a key stands twice in one object, at line 1"
        );
    }
    assert!(error(r#"{"a": "\ud800"}"#).contains("half of a surrogate pair"));
    assert!(error("{\"a\": 1").contains("not complete"));
    assert!(error("{'a': 1}").contains("not JSON at line 1"));
    let deep = format!("{{\"a\": {}{}}}", "[".repeat(40), "]".repeat(40));
    assert!(error(&deep).contains("deeper than 32 levels"));
    let long = format!("{{\"a\": \"{}\"}}", "secret".repeat(20_000));
    assert!(error(&long).contains("longer than 65536 bytes"));
    let bounds = Bounds { bytes: 7, depth: 1 };
    assert!(Arguments::read(Some(r#"{"a":1}"#), bounds).is_ok());
    assert!(Arguments::read(Some(r#"{"a":12}"#), bounds).is_err());
}

#[test]
fn numbers_that_could_not_be_told_apart_are_refused() {
    let long = |digits: usize| format!("{{\"a\": [1E-{}]}}", "9".repeat(digits));
    assert!(Arguments::read(Some(&long(18)), BOUNDS).is_ok());
    assert!(error(&long(19)).contains("an exponent of more than 18 digits"));
    assert!(Arguments::read(Some("{\"a\": 1e+0000000000000000000000001}"), BOUNDS).is_ok());
    // Text that looks like one is text.
    assert!(Arguments::read(Some(r#"{"a": "1e9999999999999999999999"}"#), BOUNDS).is_ok());
}

#[test]
fn the_clients_bytes_are_forwarded() {
    let plain = read();
    let declaring = declaring(&["confirmation", "confirmed"]);
    for (text, refused, confirmed) in [
        ("{}", "{}", r#"{"confirmed": true, "confirmation": true}"#),
        (
            r#"{"amount":40.0}"#,
            r#"{"amount":40.0}"#,
            r#"{"amount":40.0, "confirmed": true, "confirmation": true}"#,
        ),
        (
            " { \"b\" : 1E2 ,\n\t\"a\":\"\\u00e9\" }\n",
            " { \"b\" : 1E2 ,\n\t\"a\":\"\\u00e9\" }\n",
            " { \"b\" : 1E2 ,\n\t\"a\":\"\\u00e9\", \"confirmed\": true, \"confirmation\": true }\n",
        ),
        (
            r#"{ "confirmed": false , "a": 1 }"#,
            r#"{ "a": 1 }"#,
            r#"{ "a": 1, "confirmed": true, "confirmation": true }"#,
        ),
        (
            r#"{ "a": 1 , "confirmed": [1, {"confirmed": 2}] }"#,
            r#"{ "a": 1 }"#,
            r#"{ "a": 1, "confirmed": true, "confirmation": true }"#,
        ),
        (
            r#"{"confirmation":1,"a":{"confirmed":true},"confirmed":2,"b":[]  }"#,
            r#"{"a":{"confirmed":true},"b":[]  }"#,
            r#"{"a":{"confirmed":true},"b":[], "confirmed": true, "confirmation": true  }"#,
        ),
        (
            r#"{ "\u0063onfirmed" : true }"#,
            "{  }",
            r#"{  "confirmed": true, "confirmation": true}"#,
        ),
    ] {
        let read = arguments(text);
        assert_eq!(read.forwarded(&plain, false), refused);
        assert_eq!(read.forwarded(&plain, true), refused);
        assert_eq!(read.forwarded(&declaring, false), refused);
        assert_eq!(read.forwarded(&declaring, true), confirmed);
    }
}

#[test]
fn digests_see_every_digit_and_no_spelling() {
    let of = |text: &str| digest(&arguments(text));
    assert_eq!(
        of(r#"{"b":1.0,"a":"\u0041"}"#),
        of(r#" {"a": "A", "b": 10e-1} "#)
    );
    assert_eq!(of(r#"{"a":1,"confirmed":true}"#), of(r#"{"a":1}"#));
    assert_ne!(
        of(r#"{"a":9007199254740993}"#),
        of(r#"{"a":9007199254740992}"#)
    );
    assert_ne!(of(r#"{"a":1e400}"#), of(r#"{"a":1e401}"#));
    assert_ne!(of(r#"{"a":"1"}"#), of(r#"{"a":1}"#));
    assert_ne!(of(r#"{"a":{"confirmed":true}}"#), of(r#"{"a":{}}"#));
}

/// A piece of blanks, as JSON has them.
fn blanks() -> impl Strategy<Value = String> {
    "[ \t\r\n]{0,2}"
}

/// An object's text with odd blanks, and its members in order.
fn texts() -> impl Strategy<Value = (String, Vec<(String, String)>)> {
    let key = prop_oneof![
        Just("confirmed".to_owned()),
        Just("confirmation".to_owned()),
        "[a-c\u{e9}\"\\\\]{0,2}",
    ];
    let value = prop_oneof![
        values().prop_map(|value| value.to_string()),
        values().prop_map(|value| serde_json::to_string_pretty(&value).unwrap()),
    ];
    let member = (key, value, blanks(), blanks(), blanks(), blanks());
    let members = proptest::collection::vec(member, 0..6);
    (members, blanks(), blanks(), blanks()).prop_map(|(members, before, inside, behind)| {
        let mut known = std::collections::BTreeSet::new();
        let mut pairs = Vec::new();
        let mut pieces = Vec::new();
        for (key, value, a, b, c, d) in members {
            if known.insert(key.clone()) {
                let key_text = json!(key).to_string();
                pieces.push(format!("{a}{key_text}{b}:{c}{value}{d}"));
                pairs.push((key, value));
            }
        }
        let inside = if pieces.is_empty() {
            inside
        } else {
            pieces.join(",")
        };
        (format!("{before}{{{inside}}}{behind}"), pairs)
    })
}

/// Whether `part` is `whole` with some bytes left out.
fn is_left_of(part: &str, whole: &str) -> bool {
    let mut rest = whole.bytes();
    part.bytes().all(|byte| rest.any(|other| other == byte))
}

proptest! {
    #![proptest_config(super::building::config(500))]

    #[test]
    fn edits_take_the_members_and_nothing_else((text, pairs) in texts()) {
        let read = Arguments::read(Some(&text), Bounds { bytes: 1 << 20, depth: 32 }).unwrap();
        let plain = super::building::read();
        let forwarded = read.forwarded(&plain, true);

        let mut expected = parse_strict(text.as_bytes(), BOUNDS).unwrap();
        for member in RESERVED {
            expected.as_object_mut().unwrap().remove(member);
        }
        prop_assert_eq!(&parse_strict(forwarded.as_bytes(), BOUNDS).unwrap(), &expected);
        prop_assert_eq!(read.value(), &expected);

        // Each member that stays is there as it was written, in its place; nothing else came in.
        let kept: Vec<&(String, String)> =
            pairs.iter().filter(|(key, _)| !RESERVED.contains(&key.as_str())).collect();
        let members = Members::read(&forwarded).unwrap().unwrap();
        let written: Vec<(&str, &str)> =
            members.iter().map(|member| (member.key.as_str(), member.value)).collect();
        let kept_values: Vec<(&str, &str)> =
            kept.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        prop_assert_eq!(written, kept_values);
        prop_assert!(is_left_of(&forwarded, &text));
        if kept.len() == pairs.len() {
            prop_assert_eq!(&forwarded, &text);
        }

        // Behind a yes: the same with the members put in before the brace, which cut out again
        // leave what was there.
        let confirmed = read.forwarded(&declaring(&["confirmed"]), true);
        expected.as_object_mut().unwrap().insert("confirmed".to_owned(), json!(true));
        prop_assert_eq!(parse_strict(confirmed.as_bytes(), BOUNDS).unwrap(), expected);
        let again = Arguments::read(Some(&confirmed), BOUNDS).unwrap();
        prop_assert_eq!(again.forwarded(&plain, false), forwarded);
        prop_assert_eq!(digest(&again), digest(&read));
    }
}
