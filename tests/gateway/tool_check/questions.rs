//! What a person is shown.

use std::collections::BTreeSet;

use serde_json::json;
use stalwart::tool_check::{MAX_QUESTION_BYTES, Shown, TooLong};

use super::building::arguments;

fn shown(wordings: &[&str], confirm: Option<&str>, marks: &[&str]) -> Shown {
    Shown {
        wordings: wordings.iter().map(|text| (*text).to_owned()).collect(),
        confirm: confirm.map(str::to_owned),
        marks: marks.iter().map(|mark| (*mark).to_owned()).collect(),
        digest: "d".to_owned(),
        policy: "p".to_owned(),
    }
}

fn text(shown: &Shown, text: &str) -> String {
    shown.text("charge_card", &arguments(text)).unwrap()
}

#[test]
fn the_question_of_the_example() {
    assert_eq!(
        text(
            &shown(&[], None, &[]),
            r#"{"order_id":"4411","amount":40.0}"#
        ),
        "Run charge_card?\n\nTool: charge_card\nMarks: none\nArguments:\n\
         {\n  \"order_id\": \"4411\",\n  \"amount\": 40.0\n}"
    );
    assert_eq!(
        text(
            &shown(&[], None, &["read_inbox"]),
            r#"{"order_id":"4412","amount":12.50}"#
        ),
        "Run charge_card? This call was proposed after reading read_inbox from outside.\n\n\
         Tool: charge_card\nMarks: read_inbox\nArguments:\n\
         {\n  \"order_id\": \"4412\",\n  \"amount\": 12.50\n}"
    );
}

#[test]
fn wordings_go_before_the_tools_own_question() {
    let first_line = |shown: &Shown| text(shown, "{}").lines().next().unwrap().to_owned();
    assert_eq!(
        first_line(&shown(&[], Some("Charge\nthe card?"), &[])),
        "Charge the card?"
    );
    assert_eq!(
        first_line(&shown(
            &["Is it\r\nurgent?", "Sure?"],
            Some("Charge?"),
            &["b", "a"]
        )),
        "Is it urgent? Sure? This call was proposed after reading a, b from outside."
    );
    assert_eq!(
        first_line(&shown(&["\u{202e}Sure?\u{1b}[2J"], None, &[])),
        "\\u202eSure?\\u001b[2J"
    );
    let long = "long ".repeat(100);
    assert_eq!(first_line(&shown(&[&long], None, &[])), long);
}

#[test]
fn arguments_are_indented_as_the_client_wrote_them() {
    let none = shown(&[], None, &[]);
    let of = |written: &str| {
        let text = text(&none, written);
        text.split_once("Arguments:\n").unwrap().1.to_owned()
    };
    assert_eq!(of(" { } "), "{}");
    assert_eq!(
        of(r#"{"z":1E+2,"a":[],"b":[1,-0.00,{"c":null,"d":{}}],"confirmed":true,"e":"\u00e9\/"}"#),
        "{\n  \"z\": 1E+2,\n  \"a\": [],\n  \"b\": [\n    1,\n    -0.00,\n    {\n      \"c\": null,\n      \
         \"d\": {}\n    }\n  ],\n  \"e\": \"é/\"\n}"
    );
    // What is shown is JSON of the same value.
    let written = r#"{"a":[[],[{}],{"b":[true,false]}],"c":"x\"y\\z"}"#;
    let shown: serde_json::Value = serde_json::from_str(&of(written)).unwrap();
    assert_eq!(shown, *arguments(written).value());
}

#[test]
fn hostile_characters_are_escaped_in_keys_and_values() {
    let none = shown(&[], None, &[]);
    let hostile = "\u{0}\u{1b}\u{7f}\u{9b}\u{ad}\u{61c}\u{200b}\u{200d}\u{200e}\u{202e}\u{2028}\
                   \u{2060}\u{2066}\u{2800}\u{3164}\u{a0}\u{3000}\u{fe0f}\u{feff}\u{e0041}\u{e0100}";
    let written =
        json!({hostile: hostile, "nl": "a\nTool: other\r\tb", "é": "日本 😀"}).to_string();
    let text = text(&none, &written);
    for character in text.chars().filter(|character| *character != '\n') {
        assert!(
            !hostile.contains(character),
            "{:x} is shown",
            u32::from(character)
        );
        assert!(!character.is_control());
    }
    assert!(
        text.contains("\\u200b\\u200d\\u200e\\u202e\\u2028\\u2060"),
        "{text}"
    );
    assert!(text.contains("\\udb40\\udc41\\udb40\\udd00"), "{text}");
    assert!(
        text.contains("\"nl\": \"a\\nTool: other\\r\\tb\""),
        "{text}"
    );
    assert!(text.contains("\"é\": \"日本 😀\""), "{text}");
    assert_eq!(text.matches("\nTool: ").count(), 1);
    // It still is JSON of the same value.
    let shown: serde_json::Value =
        serde_json::from_str(text.split_once("Arguments:\n").unwrap().1).unwrap();
    assert_eq!(shown, *arguments(&written).value());
}

#[test]
fn a_question_that_is_too_long_is_none() {
    let none = shown(&[], None, &[]);
    let ask = |length: usize| {
        let arguments = arguments(&json!({"a": "x".repeat(length)}).to_string());
        none.text("charge_card", &arguments)
    };
    let frame = ask(0).unwrap().len();
    let longest = ask(MAX_QUESTION_BYTES - frame).unwrap();
    assert_eq!(longest.len(), MAX_QUESTION_BYTES);
    assert_eq!(ask(MAX_QUESTION_BYTES - frame + 1), Err(TooLong));
    // Escapes count.
    let written = json!({"a": "\u{200b}".repeat(2_000)}).to_string();
    assert_eq!(none.text("t", &arguments(&written)), Err(TooLong));
}

#[test]
fn what_is_shown_is_kept_as_json() {
    let shown = shown(&["Sure?"], Some("Charge?"), &["read_inbox"]);
    let kept = serde_json::to_string(&shown).unwrap();
    assert_eq!(serde_json::from_str::<Shown>(&kept).unwrap(), shown);
    assert_eq!(shown.marks, BTreeSet::from(["read_inbox".to_owned()]));
}
