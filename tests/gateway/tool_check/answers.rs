//! What counts as a yes.

use stalwart::tool_check::Answer::{Cancelled, No, Unusable, Yes};
use stalwart::tool_check::confirm::{REQUESTED_SCHEMA, answer};

#[test]
fn a_yes_is_exactly_accept_with_confirm_true() {
    for (result, expected) in [
        (r#"{"action":"accept","content":{"confirm":true}}"#, Yes),
        (
            r#"{"_meta":{},"content":{"confirm":true},"action":"accept"}"#,
            Yes,
        ),
        (r#"{"action":"accept","content":{"confirm":false}}"#, No),
        (r#"{"action":"decline"}"#, No),
        (r#"{"action":"decline","content":{"confirm":true}}"#, No),
        (r#"{"action":"cancel"}"#, Cancelled),
        (
            r#"{"action":"cancel","content":{"confirm":true}}"#,
            Cancelled,
        ),
        (r#"{"action":"accept"}"#, Unusable),
        (r#"{"action":"accept","content":{}}"#, Unusable),
        (r#"{"action":"accept","content":null}"#, Unusable),
        (
            r#"{"action":"accept","content":{"confirm":"true"}}"#,
            Unusable,
        ),
        (r#"{"action":"accept","content":{"confirm":1}}"#, Unusable),
        (
            r#"{"action":"accept","content":{"confirm":null}}"#,
            Unusable,
        ),
        (
            r#"{"action":"accept","content":{"Confirm":true}}"#,
            Unusable,
        ),
        (
            r#"{"action":"accept","content":[{"confirm":true}]}"#,
            Unusable,
        ),
        (
            r#"{"action":"accept","content":{"confirm":true,"amount":1}}"#,
            Unusable,
        ),
        (
            r#"{"action":"accept","content":{"confirm":false,"confirm":true}}"#,
            Unusable,
        ),
        (
            r#"{"action":"decline","action":"accept","content":{"confirm":true}}"#,
            Unusable,
        ),
        (
            r#"{"action":"Accept","content":{"confirm":true}}"#,
            Unusable,
        ),
        (
            r#"{"action":["accept"],"content":{"confirm":true}}"#,
            Unusable,
        ),
        (r#"{"content":{"confirm":true}}"#, Unusable),
        (r#""accept""#, Unusable),
        ("", Unusable),
        ("{\"action\":\"accept\"", Unusable),
    ] {
        assert_eq!(answer(result), expected, "{result}");
    }
    let deep = format!(
        r#"{{"action":"accept","content":{{"confirm":true}},"_meta":{}{}}}"#,
        "[".repeat(1_000),
        "]".repeat(1_000)
    );
    assert_eq!(answer(&deep), Unusable);
}

#[test]
fn what_is_asked_for_is_one_box() {
    let schema: serde_json::Value = serde_json::from_str(REQUESTED_SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(validator.is_valid(&serde_json::json!({"confirm": true})));
    assert!(!validator.is_valid(&serde_json::json!({})));
    assert!(!validator.is_valid(&serde_json::json!({"confirm": "true"})));
}
