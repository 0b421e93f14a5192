//! Requests that try to have a server run what the gate did not see.

use serde_json::{Value, json};

use super::proxies::Case;
use super::requests::{Request, call};

const REFUND: &str =
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"refund_card"}}"#;

fn edited(edit: impl Fn(&mut Value)) -> Request {
    let mut message = call("get_order");
    edit(&mut message);
    Request::post(&message.to_string())
}

fn text(body: &str) -> Request {
    Request::post(body)
}

/// Hostile requests, of the agent whose refund is allowed.
pub fn cases() -> Vec<Case> {
    let mut cases = bodies();
    cases.extend(messages());
    cases.extend(headers());
    cases
}

fn bodies() -> Vec<Case> {
    let with = |edit: fn(&mut Request)| {
        let mut request = Request::call("get_order");
        edit(&mut request);
        request
    };
    let large = |length: usize| {
        let mut message = call("get_order").to_string();
        message.push_str(&" ".repeat(length - message.len()));
        text(&message)
    };
    let get = |edit: fn(&mut Request)| {
        let mut request = Request::without_body("GET");
        edit(&mut request);
        request
    };
    vec![
        (
            "no body",
            with(|it| (it.raw, it.parsed) = (None, None)),
            Err("body"),
        ),
        ("not parsed", with(|it| it.parsed = None), Err("body")),
        ("parsed alone", with(|it| it.shows_raw = false), Ok(())),
        ("an array", text(&format!("[{REFUND}]")), Err("body")),
        (
            "two messages",
            text(&format!("{REFUND}\n{REFUND}")),
            Err("body"),
        ),
        ("a string", text("\"tools/call\""), Err("body")),
        ("null", text("null"), Err("body")),
        (
            "many texts",
            text(
                &call("get_order")
                    .to_string()
                    .replace('5', &format!("[{}1]", "\"\",".repeat(2_050))),
            ),
            Err("body_size"),
        ),
        (
            "an array beside an object",
            with(|it| it.parsed = Some(json!([call("get_order")]))),
            Err("body"),
        ),
        (
            "raw is no json",
            with(|it| it.raw = Some("{".to_owned())),
            Err("body"),
        ),
        (
            "a byte order mark",
            with(|it| it.raw = Some(format!("\u{feff}{REFUND}"))),
            Err("body"),
        ),
        ("as large as can be", large(65_536), Ok(())),
        ("too large", large(65_537), Err("body_size")),
        (
            "too large, and not shown",
            Request {
                shows_raw: false,
                ..large(65_537)
            },
            Err("body_size"),
        ),
        (
            "a name twice, behind a quotation mark",
            text(
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"a":"\""},"name":"refund_card","name":"get_order"}}"#,
            ),
            Err("duplicate_key"),
        ),
        (
            "parsed is another",
            with(|it| it.raw = Some(REFUND.to_owned())),
            Err("two_readings"),
        ),
        (
            "raw is another",
            with(|it| it.parsed = serde_json::from_str(REFUND).ok()),
            Err("two_readings"),
        ),
        (
            "a name twice",
            text(
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"refund_card","name":"get_order"}}"#,
            ),
            Err("duplicate_key"),
        ),
        (
            "a name twice, once escaped",
            text(
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"n\u0061me":"refund_card","name":"get_order"}}"#,
            ),
            Err("duplicate_key"),
        ),
        (
            "params twice",
            text(
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"refund_card"},"params":{"name":"get_order"}}"#,
            ),
            Err("duplicate_key"),
        ),
        (
            "a method twice",
            text(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","method" : "ping"}"#),
            Err("duplicate_key"),
        ),
        (
            "a key twice, deep down",
            text(
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_order","arguments":{"a":[{"b":1,"b":2}]}}}"#,
            ),
            Err("duplicate_key"),
        ),
        (
            "texts that look like keys",
            text(
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_order","arguments":{"a":"\"b\":","<>":["c:",":"]}}}"#,
            ),
            Ok(()),
        ),
        (
            "GET with a body",
            get(|it| it.raw = Some(REFUND.to_owned())),
            Err("body"),
        ),
        (
            "GET with a parsed body",
            get(|it| it.parsed = Some(json!({}))),
            Err("body"),
        ),
        (
            "GET with a length",
            get(|it| it.headers.push(("content-length", json!("5")))),
            Err("body"),
        ),
        (
            "GET with no length",
            get(|it| it.headers.push(("Content-Length", json!("0")))),
            Ok(()),
        ),
        (
            "GET with chunks",
            get(|it| it.headers.push(("transfer-encoding", json!("chunked")))),
            Err("body"),
        ),
        ("PUT", with(|it| it.method = "PUT"), Err("http_method")),
        ("HEAD", with(|it| it.method = "HEAD"), Err("http_method")),
        ("post", with(|it| it.method = "post"), Err("http_method")),
    ]
}

fn messages() -> Vec<Case> {
    vec![
        (
            "no jsonrpc",
            edited(|it| it["jsonrpc"] = Value::Null),
            Err("message"),
        ),
        (
            "jsonrpc 1",
            edited(|it| it["jsonrpc"] = json!("1.0")),
            Err("message"),
        ),
        (
            "jsonrpc 2",
            edited(|it| it["jsonrpc"] = json!(2.0)),
            Err("message"),
        ),
        (
            "a key in another case",
            edited(|it| it["Method"] = json!("ping")),
            Err("message"),
        ),
        (
            "a method in two cases",
            text(
                r#"{"jsonrpc":"2.0","id":1,"method":"ping","METHOD":"tools/call","params":{"name":"refund_card"}}"#,
            ),
            Err("message"),
        ),
        (
            "an answer",
            text(r#"{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}"#),
            Err("message"),
        ),
        (
            "no method",
            text(r#"{"jsonrpc":"2.0","id":1}"#),
            Err("method"),
        ),
        (
            "a method that is a list",
            edited(|it| it["method"] = json!(["tools/call"])),
            Err("method"),
        ),
        (
            "no id",
            text(r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"get_order"}}"#),
            Err("id"),
        ),
        ("a null id", edited(|it| it["id"] = Value::Null), Err("id")),
        (
            "an object as id",
            edited(|it| it["id"] = json!({})),
            Err("id"),
        ),
        (
            "a notification with an id",
            text(r#"{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}"#),
            Err("id"),
        ),
        (
            "no params",
            text(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#),
            Err("params"),
        ),
        (
            "params that are a list",
            edited(|it| it["params"] = json!(["get_order"])),
            Err("params"),
        ),
        (
            "params that are null",
            text(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#),
            Err("params"),
        ),
        (
            "no name",
            edited(|it| it["params"] = json!({})),
            Err("params"),
        ),
        (
            "a name that is none",
            edited(|it| it["params"]["name"] = json!(5)),
            Err("params"),
        ),
        (
            "an empty name",
            edited(|it| it["params"]["name"] = json!("")),
            Err("params"),
        ),
        (
            "a long name",
            edited(|it| it["params"]["name"] = json!("x".repeat(257))),
            Err("params"),
        ),
        (
            "a blank behind",
            edited(|it| it["params"]["name"] = json!("refund_card ")),
            Err("params"),
        ),
        (
            "a line behind",
            edited(|it| it["params"]["name"] = json!("refund_card\n")),
            Err("params"),
        ),
        (
            "a zero behind",
            edited(|it| it["params"]["name"] = json!("refund_card\0")),
            Err("params"),
        ),
        (
            "a look-alike",
            edited(|it| it["params"]["name"] = json!("r\u{435}fund_card")),
            Err("params"),
        ),
        (
            "half a character",
            Request {
                raw: Some(REFUND.replace("_card", "_card\\ud800")),
                ..text(&REFUND.replace("_card", "_card\u{fffd}"))
            },
            Err("params"),
        ),
        (
            "a name in another case",
            edited(|it| it["params"]["Name"] = json!("refund_card")),
            Err("params"),
        ),
        (
            "a task",
            edited(|it| it["params"]["task"] = json!({})),
            Err("params"),
        ),
        (
            "arguments that are a list",
            edited(|it| it["params"]["arguments"] = json!([])),
            Err("params"),
        ),
        (
            "a context of its own",
            edited(|it| {
                it["params"]["name"] = json!("refund_card");
                it["params"]["_meta"] = json!({"order_paid": true, "amount": 1});
                it["params"]["arguments"] = json!({"context": {"order_paid": true, "amount": 1}});
            })
            .by("unpaid")
            .with("order_paid", "true")
            .with("x-consumer-username", "small"),
            Err("rulebook"),
        ),
    ]
}

fn headers() -> Vec<Case> {
    let call = || Request::call("get_order");
    vec![
        (
            "no content type",
            Request {
                headers: Vec::new(),
                ..call()
            },
            Err("content_type"),
        ),
        (
            "text",
            call().with("content-type", "text/plain"),
            Err("content_type"),
        ),
        (
            "json among others",
            call().with("content-type", "text/plain, application/json"),
            Err("content_type"),
        ),
        (
            "json lines",
            call().with("content-type", "application/json-seq"),
            Err("content_type"),
        ),
        (
            "half a quoted charset",
            call().with("content-type", "application/json; charset=\"utf-8"),
            Err("content_type"),
        ),
        (
            "another charset",
            call().with("content-type", "application/json; charset=utf-16"),
            Err("content_type"),
        ),
        (
            "two content types",
            call().with("Content-Type", "text/plain"),
            Err("content_type"),
        ),
        (
            "two content types, the other way round",
            Request {
                headers: vec![
                    ("Content-Type", json!("application/json")),
                    ("content-type", json!("text/plain")),
                ],
                ..call()
            },
            Err("content_type"),
        ),
        (
            "a list of types",
            call().with("content-type", json!(["application/json"])),
            Err("content_type"),
        ),
        (
            "compressed",
            call().with("content-encoding", "gzip"),
            Err("content_encoding"),
        ),
        (
            "compressed, in another case",
            call().with("Content-Encoding", "br"),
            Err("content_encoding"),
        ),
        (
            "compressed twice",
            call().with("content-encoding", json!(["identity", "gzip"])),
            Err("content_encoding"),
        ),
        (
            "as it is",
            call().with("content-encoding", "identity"),
            Ok(()),
        ),
        (
            "another method mirrored",
            call().with("mcp-method", "tools/list"),
            Err("mirrored_header"),
        ),
        (
            "another name mirrored",
            call().with("mcp-name", "refund_card"),
            Err("mirrored_header"),
        ),
        (
            "two names mirrored",
            call().with("mcp-name", json!(["get_order", "refund_card"])),
            Err("mirrored_header"),
        ),
        (
            "another name, coded",
            call().with("mcp-name", "=?base64?cmVmdW5kX2NhcmQ=?="),
            Err("mirrored_header"),
        ),
        (
            "a broken code",
            call().with("mcp-name", "=?base64?!?="),
            Err("mirrored_header"),
        ),
    ]
}
