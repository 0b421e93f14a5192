//! Canonical JSON: RFC 8785, with exact numbers.

use proptest::prelude::*;
use serde_json::Value;
use stalwart::json::{canonical, parse};

fn of(text: &str) -> String {
    canonical(&parse(text.as_bytes()).unwrap())
}

#[test]
fn strings_and_keys_are_as_in_the_rfc() {
    // The example of section 3.2.2, its numbers aside.
    assert_eq!(
        of(r#"{
            "numbers": [4.50, 2e-3],
            "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
            "literals": [null, true, false]
        }"#),
        "{\"literals\":[null,true,false],\"numbers\":[4.5,0.002],\
         \"string\":\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}"
    );
    // The example of section 3.2.3: keys by their UTF-16 code units.
    assert_eq!(
        of(r#"{
            "\u20ac": "Euro Sign",
            "\r": "Carriage Return",
            "\ufb33": "Hebrew Letter Dalet With Dagesh",
            "1": "One",
            "\ud83d\ude00": "Emoji: Grinning Face",
            "\u0080": "Control",
            "\u00f6": "Latin Small Letter O With Diaeresis"
        }"#),
        "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\
         \"\u{f6}\":\"Latin Small Letter O With Diaeresis\",\"\u{20ac}\":\"Euro Sign\",\
         \"\u{1f600}\":\"Emoji: Grinning Face\",\"\u{fb33}\":\"Hebrew Letter Dalet With Dagesh\"}"
    );
    assert_eq!(
        of(r#""\u0000\u0008\u0009\u000c\u001f\u007f\u2028/""#),
        "\"\\u0000\\b\\t\\f\\u001f\u{7f}\u{2028}/\""
    );
    assert_eq!(of(" [ ] "), "[]");
    assert_eq!(of("{ }"), "{}");
    assert_eq!(
        of(r#"{"b":[{},[[]]],"a":{"":0}}"#),
        r#"{"a":{"":0},"b":[{},[[]]]}"#
    );
}

#[test]
fn integers_that_a_double_holds_are_as_in_the_rfc() {
    for number in [
        "0",
        "-1",
        "9007199254740991",
        "-9007199254740991",
        "333333333",
        "100000",
    ] {
        assert_eq!(of(number), number);
    }
    for (written, text) in [
        ("-0", "0"),
        ("1E2", "100"),
        ("40.0", "40"),
        ("-1.50", "-1.5"),
    ] {
        assert_eq!(of(written), text);
    }
}

#[test]
fn numbers_are_told_apart_at_any_length() {
    let alike = [
        &[
            "9007199254740992",
            "9007199254740992.0",
            "9.007199254740992e15",
        ][..],
        &["9007199254740993"][..],
        &["1e1000000000", "10e999999999", "0.1E1000000001"][..],
        &["1e1000000001"][..],
        &["1.00000000000000000000000000000000000000001"][..],
        &["1", "1.0", "10e-1", "0.0001e4"][..],
        &["0", "-0", "0e7", "0.000"][..],
        &["1e-1000000000"][..],
    ];
    for (index, group) in alike.iter().enumerate() {
        let text = of(group[0]);
        assert!(text.len() < 60, "{text}");
        for (other, others) in alike.iter().enumerate() {
            for written in *others {
                assert_eq!(
                    of(written) == text,
                    index == other,
                    "{written} {}",
                    group[0]
                );
            }
        }
    }
}

#[test]
fn any_depth_is_written() {
    let deep = "[".repeat(500) + &"]".repeat(500);
    let thread = std::thread::Builder::new().stack_size(1 << 16);
    let value = parse(deep.as_bytes()).unwrap();
    let text = std::thread::scope(|scope| {
        let thread = thread.spawn_scoped(scope, || canonical(&value)).unwrap();
        thread.join().unwrap()
    });
    assert_eq!(text, deep);
}

pub fn values() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,9})?"
            .prop_map(|digits| Value::Number(digits.parse().unwrap())),
        any::<String>().prop_map(Value::String),
    ];
    scalar.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            proptest::collection::btree_map("[ab\u{e9}\u{1f600}\u{fb33}\"\\\\]{0,2}", inner, 0..5)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(super::building::config(300))]

    #[test]
    fn canonical_text_is_json_and_its_own_canonical_text(value in values()) {
        let text = canonical(&value);
        let again = parse(text.as_bytes()).unwrap();
        prop_assert_eq!(canonical(&again), text);
    }
}
