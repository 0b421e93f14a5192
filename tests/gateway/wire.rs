//! Messages, headers and `_meta` on raw text.

use stalwart::json::Bounds;
use stalwart::mcp::wire::{
    ErrorCode, Id, Message, MessageError, Outcome, decode_mirrored, encode_mirrored, is_own_key,
    read_message, with_meta, without_own_meta, write_error, write_notification, write_request,
    write_result,
};

const BOUNDS: Bounds = Bounds {
    bytes: 1_000,
    depth: 10,
};

fn read(text: &str) -> Result<Message<'_>, MessageError> {
    read_message(text.as_bytes(), BOUNDS)
}

#[test]
fn messages_keep_the_texts_of_their_params() {
    let text = r#" {"jsonrpc": "2.0", "id": "a\u0062", "method": "tools/call", "params": { "x" : 40.0 }} "#;
    let expected = Message::Request {
        id: Id::of_string("ab"),
        method: "tools/call".to_owned(),
        params: Some(r#"{ "x" : 40.0 }"#),
    };
    assert_eq!(read(text), Ok(expected));

    let text = r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#;
    let expected = Message::Notification {
        method: "notifications/progress".to_owned(),
        params: None,
    };
    assert_eq!(read(text), Ok(expected));

    let text = r#"{"jsonrpc":"2.0","id":-7,"result":{"big": 123456789012345678901234567890}}"#;
    let expected = Message::Response {
        id: Id::of_json("-7"),
        outcome: Outcome::Result(r#"{"big": 123456789012345678901234567890}"#),
    };
    assert_eq!(read(text), Ok(expected));

    let text = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#;
    let expected = Message::Response {
        id: None,
        outcome: Outcome::Error(r#"{"code":-32700,"message":"no"}"#),
    };
    assert_eq!(read(text), Ok(expected));
}

#[test]
fn what_is_no_message_is_refused() {
    let cases = [
        ("", -32700),
        ("{", -32700),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}"#, -32700),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":{"b":1,"b":1}}}"#,
            -32700,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"#, -32700),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[[[[[[[[[1]]]]]]]]]}}"#,
            -32700,
        ),
        ("[]", -32600),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"m"}]"#, -32600),
        ("1", -32600),
        ("{}", -32600),
        (r#"{"id":1,"method":"m"}"#, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"m"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (r#"{"jsonrpc":"2.0"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"m"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1.0,"method":"m"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1e3,"method":"m"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":true,"method":"m"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":[1],"method":"m"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":1}"#, -32600),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}"#,
            -32600,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","result":{}}"#,
            -32600,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}"#,
            -32600,
        ),
        (r#"{"jsonrpc":"2.0","result":{}}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"result":1}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#, -32600),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":""}}"#,
            -32600,
        ),
    ];
    for (text, code) in cases {
        let error = read(text).expect_err(text);
        assert_eq!(error.code().number(), code, "{text}");
    }
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#,
        "m".repeat(1_000)
    );
    assert_eq!(read(&long).unwrap_err().code(), ErrorCode::Parse);
    let id = format!(
        r#"{{"jsonrpc":"2.0","id":"{}","method":"m"}}"#,
        "i".repeat(600)
    );
    assert_eq!(read(&id).unwrap_err().code(), ErrorCode::InvalidRequest);
}

#[test]
fn written_messages_are_read_again() {
    let id = Id::of_number(3);
    let request = write_request(&id, "tools/list", Some(r#"{"cursor":"\n"}"#));
    assert_eq!(
        request,
        r#"{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"\n"}}"#
    );
    assert!(matches!(read(&request), Ok(Message::Request { .. })));
    let notification = write_notification("notifications/initialized", None);
    assert!(matches!(
        read(&notification),
        Ok(Message::Notification { .. })
    ));
    let result = write_result(&id, "{}");
    assert!(matches!(read(&result), Ok(Message::Response { .. })));
    let error = write_error(None, ErrorCode::InvalidParams, "a \"b\"", Some("[1]"));
    assert_eq!(
        error,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"a \"b\"","data":[1]}}"#
    );
    assert!(matches!(read(&error), Ok(Message::Response { .. })));
}

#[test]
fn mirrored_values_come_back() {
    for (text, value) in [
        ("us-west1", "us-west1"),
        ("two words", "two words"),
        ("", ""),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("a\tb", "=?base64?YQli?="),
    ] {
        assert_eq!(encode_mirrored(text), value);
        assert_eq!(decode_mirrored(value).as_deref(), Some(text));
    }
    for value in ["=?base64?%%%?=", "=?base64?/w==?=", "ä", "a\tb", "a\u{7f}"] {
        assert_eq!(decode_mirrored(value), None, "{value:?}");
    }
    let overlapping = encode_mirrored("=?base64?=");
    assert_eq!(decode_mirrored(&overlapping).as_deref(), Some("=?base64?="));
}

#[test]
fn the_gateways_own_keys_do_not_pass() {
    for own in [
        "dev.stalwart/run-id",
        "dev.stalwart/",
        "stalwart",
        "idempotency_key",
        "approval_status",
    ] {
        assert!(is_own_key(own), "{own}");
    }
    for foreign in [
        "dev.stalwart",
        "progressToken",
        "dev.stalwarts/x",
        "traceparent",
    ] {
        assert!(!is_own_key(foreign), "{foreign}");
    }
    let untouched = r#"{ "content":[ ],  "_meta":{"traceparent" : "x"} , "n":1.50 }"#;
    assert_eq!(without_own_meta(untouched), untouched);
    let stripped = without_own_meta(
        r#"{"content":[1.0],"_meta":{"st\u0061lwart":{"refused":"allow"},"traceparent":"x","approval_status":1}}"#,
    );
    assert_eq!(
        stripped,
        r#"{"content":[1.0], "_meta": {"traceparent":"x"}}"#
    );
    assert_eq!(without_own_meta(r#"{"_meta":5}"#), r#"{"_meta":5}"#);
    assert_eq!(without_own_meta("[]"), "[]");
}

#[test]
fn meta_is_added_to_and_replaced() {
    assert_eq!(with_meta("{}", &[("a", "1")]), r#"{"_meta": {"a": 1}}"#);
    assert_eq!(
        with_meta(r#"{"x":1.0,"_meta":{"a":2,"b":3}}"#, &[("a", "1")]),
        r#"{"x":1.0, "_meta": {"b":3, "a": 1}}"#
    );
    assert_eq!(
        with_meta(r#"{"_meta":7}"#, &[("a", "1")]),
        r#"{"_meta": {"a": 1}}"#
    );
    assert_eq!(with_meta(r#"{"_meta":7}"#, &[]), r#"{"_meta":7}"#);
}
