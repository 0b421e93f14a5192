//! Schemas: what is held to them, and what a refusal says.

use serde_json::{Value, json};
use stalwart::tool_check::{Policy, PolicyError};

use super::building::{Trial, catalogue, policy, read, refusal_text, with_schema, word};

const SILENT: &str = "define flow other\n  execute other\n";

fn build(schema: Value) -> Result<Policy, PolicyError> {
    let tool = with_schema(read(), schema);
    Policy::new(catalogue(SILENT, &[("t", tool)]), "hash".to_owned())
}

/// A number or another scalar of a schema, which keeps its digits.
fn scalar(text: &str) -> Value {
    stalwart::json::parse(text.as_bytes()).unwrap()
}

/// Whether `{"a": VALUE}` fits a schema of `a`.
fn fits(schema: &str, value: &str) -> bool {
    let properties = json!({"a": scalar(schema)});
    let policy = build(json!({"type": "object", "properties": properties})).unwrap();
    let text = format!("{{\"a\": {value}}}");
    match word(&Trial::of(&policy).check("t", &text)) {
        "run" => true,
        "invalid_arguments" => false,
        other => panic!("{other}"),
    }
}

#[test]
fn numbers_are_compared_exactly() {
    for (schema, good, bad) in [
        (
            r#"{"maximum": 12345678901234567890}"#,
            "12345678901234567890",
            "12345678901234567891",
        ),
        (
            r#"{"maximum": 9007199254740992}"#,
            "9007199254740992.0",
            "9007199254740992.0000000001",
        ),
        (
            r#"{"maximum": 10.1}"#,
            "10.1",
            "10.1000000000000000000000000000001",
        ),
        (r#"{"maximum": 1e400}"#, "9e399", "1.01e400"),
        (
            r#"{"minimum": -12345678901234567890}"#,
            "-12345678901234567890",
            "-12345678901234567891",
        ),
        (
            r#"{"minimum": 0.1}"#,
            "0.1",
            "0.0999999999999999999999999999999",
        ),
        (r#"{"minimum": 1e-400}"#, "1e-400", "1e-401"),
        (
            r#"{"exclusiveMaximum": 9007199254740993}"#,
            "9007199254740992",
            "9007199254740993.0",
        ),
        (
            r#"{"exclusiveMinimum": 9007199254740993}"#,
            "9007199254740994",
            "9007199254740993",
        ),
        (
            r#"{"multipleOf": 3}"#,
            "12345678901234567890",
            "12345678901234567891",
        ),
        (
            r#"{"multipleOf": 0.01}"#,
            "12345678901234567890.01",
            "12345678901234567890.011",
        ),
        (
            r#"{"multipleOf": 12345678901234567891}"#,
            "24691357802469135782",
            "24691357802469135783",
        ),
        (r#"{"multipleOf": 0.01}"#, "1e1000000000", "1e-1000000000"),
        (
            r#"{"const": 9007199254740993}"#,
            "9007199254740993.0",
            "9007199254740992",
        ),
        (
            r#"{"const": [1.10]}"#,
            "[1.1]",
            "[1.1000000000000000000001]",
        ),
        (
            r#"{"enum": [1, 9007199254740993]}"#,
            "9007199254740993",
            "9007199254740992",
        ),
        (r#"{"enum": [{"x": 1e2}]}"#, "{\"x\": 100}", "{\"x\": 1e3}"),
        (
            r#"{"uniqueItems": true}"#,
            "[9007199254740992, 9007199254740993]",
            "[9007199254740993, 9007199254740993.0]",
        ),
        (
            r#"{"type": "integer"}"#,
            "12345678901234567890.000",
            "12345678901234567890.0001",
        ),
        (r#"{"type": "integer"}"#, "1e400", "1e-400"),
        (r#"{"type": "integer"}"#, "1.5e1", "1.55e1"),
        (r#"{"type": ["integer", "null"]}"#, "null", "0.1"),
        (r#"{"type": "number"}"#, "1e-1000000000", "\"1\""),
        (
            r#"{"items": {"type": "integer", "maximum": 9007199254740993}}"#,
            "[9007199254740993]",
            "[9007199254740994]",
        ),
        (
            r#"{"not": {"maximum": 9007199254740992}}"#,
            "9007199254740993",
            "9007199254740992",
        ),
        (
            r#"{"if": {"exclusiveMinimum": 9007199254740992}, "then": {"multipleOf": 2}}"#,
            "9007199254740994",
            "9007199254740993",
        ),
        (
            r#"{"minimum": 1, "maximum": 9007199254740992}"#,
            "9007199254740992",
            "9007199254740993",
        ),
        (
            r#"{"type": "integer", "minimum": 1, "maximum": 2}"#,
            "2",
            "2.00000000000000000000001",
        ),
        (
            r#"{"type": "array", "items": {"type": "integer"}}"#,
            "[1.0]",
            "[1.00000000000000000000001]",
        ),
        (
            r#"{"type": "array", "items": {"enum": [1, 2]}}"#,
            "[1.0]",
            "[1.00000000000000000000001]",
        ),
        (
            r#"{"contains": {"const": 9007199254740993}}"#,
            "[9007199254740993]",
            "[9007199254740992]",
        ),
    ] {
        assert!(fits(schema, good), "{schema} {good}");
        assert!(!fits(schema, bad), "{schema} {bad}");
    }
}

#[test]
fn formats_are_asserted_and_patterns_are_linear() {
    assert!(fits(r#"{"format": "date"}"#, "\"2026-11-30\""));
    assert!(!fits(r#"{"format": "date"}"#, "\"yesterday\""));
    assert!(build(json!({"properties": {"a": {"format": "int64"}}})).is_err());
    let hostile = format!("\"{}!\"", "a".repeat(20_000));
    let started = std::time::Instant::now();
    assert!(!fits(r#"{"pattern": "^(a+)+$"}"#, &hostile));
    assert!(started.elapsed().as_secs() < 20);
    let text = build(json!({"properties": {"a": {"pattern": "(a)\\1"}}}))
        .unwrap_err()
        .to_string();
    assert!(
        text.starts_with("the input schema of `t` cannot be used, at "),
        "{text}"
    );
}

#[test]
fn nothing_is_fetched() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    for reference in [
        format!("http://127.0.0.1:{port}/schema.json"),
        "file:///etc/hostname".to_owned(),
        "other.json".to_owned(),
    ] {
        assert!(build(json!({"$ref": reference})).is_err(), "{reference}");
        assert!(build(json!({"properties": {"a": {"$ref": reference}}})).is_err());
        let _ = build(json!({"$schema": reference, "type": "object"}));
    }
    assert!(listener.accept().is_err());
    let recursive = json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/list"}},
        "$defs": {"list": {"type": "array", "items": {"$ref": "#/$defs/list"}}},
    });
    let policy = build(recursive).unwrap();
    let deep = format!("{{\"a\": {}{}}}", "[".repeat(30), "]".repeat(30));
    assert_eq!(word(&Trial::of(&policy).check("t", &deep)), "run");
    assert_eq!(
        word(&Trial::of(&policy).check("t", r#"{"a": [[1]]}"#)),
        "invalid_arguments"
    );
}

#[test]
fn schemas_that_cannot_be_used_are_found_at_the_start() {
    for schema in [
        json!({"type": "objekt"}),
        json!({"properties": []}),
        json!({"multipleOf": 0}),
        json!({"properties": {"a": {"multipleOf": scalar(&"7".repeat(40))}}}),
        json!({"minimum": "1"}),
        json!({"uniqueItems": 1}),
    ] {
        assert!(build(schema.clone()).is_err(), "{schema}");
    }
    // A schema that only leads to itself ends somehow, and never at the call.
    if let Ok(policy) = build(json!({"$ref": "#"})) {
        let _ = word(&Trial::of(&policy).check("t", "{}"));
    }
}

#[test]
fn defaults_are_never_applied() {
    let policy = build(json!({
        "type": "object",
        "properties": {"a": {"default": 1}},
        "required": ["a"],
    }))
    .unwrap();
    assert_eq!(
        word(&Trial::of(&policy).check("t", "{}")),
        "invalid_arguments"
    );
}

#[test]
fn refusals_name_the_place_and_never_the_value() {
    let schema = json!({
        "type": "object",
        "properties": {
            "order_id": {"type": "string", "pattern": "^[0-9]+$", "maxLength": 10},
            "amount": {"type": "number", "minimum": 1, "maximum": 100.50, "multipleOf": 0.01},
            "kind": {"enum": ["full", "part"]},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2, "uniqueItems": true},
            "when": {"format": "date"},
            "who": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "a/b~c": {"type": "integer"},
        },
        "required": ["order_id"],
        "additionalProperties": false,
    });
    let policy = policy(catalogue(SILENT, &[("t", with_schema(read(), schema))]));
    let trial = Trial::of(&policy);
    for (text, said) in [
        ("{}", "`order_id` is missing"),
        (
            r#"{"order_id": 777777}"#,
            "at `/order_id`, it must be of type string",
        ),
        (
            r#"{"order_id": "secret"}"#,
            "at `/order_id`, it must fit the pattern `^[0-9]+$`",
        ),
        (
            r#"{"order_id": "77777777777"}"#,
            "at `/order_id`, there may be at most 10 characters",
        ),
        (
            r#"{"order_id": "1", "amount": 777777}"#,
            "at `/amount`, it must be at most 100.5",
        ),
        (
            r#"{"order_id": "1", "amount": 0.77}"#,
            "at `/amount`, it must be at least 1",
        ),
        (
            r#"{"order_id": "1", "amount": 7.777}"#,
            "at `/amount`, it must be a multiple of 0.01",
        ),
        (
            r#"{"order_id": "1", "kind": "secret"}"#,
            "at `/kind`, it must be one of \"full\", \"part\"",
        ),
        (
            r#"{"order_id": "1", "tags": ["x", 777777]}"#,
            "at `/tags/1`, it must be of type string",
        ),
        (
            r#"{"order_id": "1", "tags": ["secret", "secret"]}"#,
            "at `/tags`, no two items may be alike",
        ),
        (
            r#"{"order_id": "1", "when": "secret"}"#,
            "at `/when`, it must be of the format `date`",
        ),
        (
            r#"{"order_id": "1", "who": 777777}"#,
            "at `/who`, it fits none of the forms that it may have",
        ),
        (
            r#"{"order_id": "1", "a/b~c": "secret"}"#,
            "at `/a~1b~0c`, it must be of type integer",
        ),
        (
            r#"{"order_id": "1", "extra": "secret"}"#,
            "`extra` is not known",
        ),
        (
            r#"{"order_id": "1", "x1": "secret", "x2": 1, "x3": 1, "x4": 1}"#,
            "`x1`, `x2`, `x3`, others are not known",
        ),
    ] {
        let verdict = trial.check("t", text);
        assert_eq!(
            refusal_text(&verdict),
            format!("the arguments of `t` do not fit its schema: {said}"),
            "{text}"
        );
    }
    let verdict = trial.check("t", r#"{"amount": "secret", "kind": 777777}"#);
    assert_eq!(
        refusal_text(&verdict),
        "the arguments of `t` do not fit its schema: at `/amount`, it must be of type \
         number; at `/kind`, it must be one of \"full\", \"part\"; `order_id` is missing"
    );
    let long = json!({"order_id": "1", "\u{1b}".repeat(5_000): "secret"}).to_string();
    let verdict = trial.check("t", &long);
    let said = refusal_text(&verdict);
    assert!(said.len() < 600 && !said.contains('\u{1b}'), "{said}");
}
