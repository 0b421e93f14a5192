//! What a request is on its way to a proxy and back: the table of the documents, case by case.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stalwart::adapters::Adapter;

use super::requests::{Request, call};
use super::{BUILDS, GATE, Gate, ask, document, put, verdict};
use crate::engines::opa::Opa;
use crate::engines::opa_1_20::OpaEngine;

/// A request, and whether it passes, in the build that lets pass what is silent.
pub type Case = (&'static str, Request, Result<(), &'static str>);

const PROXIES: [Adapter; 3] = [Adapter::Kong, Adapter::Envoy, Adapter::AgentGateway];

fn message(method: &str) -> Request {
    Request::post(&json!({"jsonrpc": "2.0", "id": "a", "method": method}).to_string())
}

fn notification(method: &str) -> Request {
    Request::post(&json!({"jsonrpc": "2.0", "method": method}).to_string())
}

/// What ordinary agents send.
fn ordinary() -> Vec<Case> {
    let mut cases = vec![
        ("allowed", Request::call("refund_card"), Ok(())),
        (
            "asked about",
            Request::call("refund_card").by("large"),
            Err("clarify"),
        ),
        (
            "refused",
            Request::call("refund_card").by("unpaid"),
            Err("rulebook"),
        ),
        (
            "known twice",
            Request::call("refund_card").by("double"),
            Err("context"),
        ),
        (
            "not known",
            Request::call("refund_card").by("stranger"),
            Err("rulebook"),
        ),
        ("silent", Request::call("get_order"), Ok(())),
        ("a stream", Request::without_body("GET"), Ok(())),
        ("an end", Request::without_body("DELETE"), Ok(())),
        ("a listing", message("tools/list"), Ok(())),
        (
            "a new era",
            Request::call("refund_card")
                .with("mcp-method", "tools/call")
                .with("mcp-name", "refund_card"),
            Ok(()),
        ),
        (
            "a coded name",
            Request::call("refund_card").with("mcp-name", "=?base64?cmVmdW5kX2NhcmQ=?="),
            Ok(()),
        ),
        (
            "a charset",
            Request::call("refund_card")
                .with("content-type", "Application/JSON; charset=\"UTF-8\""),
            Ok(()),
        ),
    ];
    for method in [
        "initialize",
        "ping",
        "server/discover",
        "subscriptions/listen",
    ] {
        cases.push(("harmless", message(method), Ok(())));
    }
    for method in ["initialized", "cancelled", "progress", "roots/list_changed"] {
        let method = format!("notifications/{method}");
        cases.push(("harmless", notification(&method), Ok(())));
    }
    for method in [
        "resources/read",
        "prompts/get",
        "tools/Call",
        "completion/complete",
        "",
    ] {
        cases.push(("another method", message(method), Err("method")));
    }
    cases
}

/// Ordinary requests and hostile ones.
pub fn all() -> Vec<Case> {
    let mut cases = ordinary();
    cases.extend(super::hostile::cases());
    cases
}

#[test]
fn ordinary_requests_and_hostile_ones_are_answered_as_documented() {
    let gate = Gate::new(GATE);
    let cases = all();
    let wanted = |want: &Result<(), &str>| want.map_err(str::to_owned);
    if let Some(engine) = OpaEngine::find() {
        for one in PROXIES {
            let inputs: Vec<String> = cases
                .iter()
                .map(|case| case.1.input(one).to_string())
                .collect();
            let answers = gate.engine(&engine, Some(&document()), "passing", one, &inputs);
            for ((name, request, want), answer) in cases.iter().zip(&answers) {
                assert_eq!(
                    verdict(one, answer),
                    wanted(want),
                    "{one:?} {name} {request:?}"
                );
            }
        }
    }
    let Some(opa) = Opa::find() else { return };
    let server = gate.serve(&opa);
    put(&server, Some(&document()));
    for (name, request, want) in &cases {
        for one in PROXIES {
            let input = request.input(one).to_string();
            let answer = ask(&server, "passing", one, &input);
            assert_eq!(
                verdict(one, &answer),
                wanted(want),
                "{one:?} {name} {request:?}"
            );
            let strict = ask(&server, "denying", one, &input);
            // What passes and is no refund that is allowed passes because it is silent.
            let is_silent = request
                .raw
                .as_deref()
                .is_some_and(|raw| raw.contains("get_order"));
            let want = match want {
                Ok(()) if is_silent => Err("silent".to_owned()),
                _ => wanted(want),
            };
            assert_eq!(verdict(one, &strict), want, "{one:?} {name} {request:?}");
        }
    }
}

/// An answer says what was decided, and gives back no value of the caller's but a short id.
#[test]
fn a_denial_tells_the_decision_and_nothing_of_the_caller() {
    let Some(opa) = Opa::find() else { return };
    let gate = Gate::new(GATE);
    let server = gate.serve(&opa);
    put(&server, Some(&document()));
    let body = |request: &Request| -> Value {
        let input = request.input(Adapter::Kong).to_string();
        ask(&server, BUILDS[0].1, Adapter::Kong, &input)["message"].take()
    };
    let refused = body(&Request::call("refund_card").by("unpaid"));
    assert_eq!(refused["id"], 7);
    assert_eq!(
        refused["error"]["data"],
        json!({"decision": "refuse", "rule": "refuse unpaid order", "reason": "rulebook"})
    );
    let with_id = |id: Value| {
        let mut message = call("refund_card");
        message["id"] = id;
        Request::post(&message.to_string()).by("unpaid")
    };
    let longest = "é".repeat(256);
    for (id, shown) in [
        (json!("a"), json!("a")),
        (json!(longest), json!(longest)),
        (json!("x".repeat(257)), Value::Null),
        (json!(1.5), json!(1.5)),
        (
            json!(-9_007_199_254_740_993_i64),
            json!(-9_007_199_254_740_993_i64),
        ),
        (json!({"a": 1}), Value::Null),
        (json!(null), Value::Null),
    ] {
        assert_eq!(body(&with_id(id.clone()))["id"], shown, "{id}");
    }
    let digits = format!(
        r#"{{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"refund_card"}}}}"#,
        "1".repeat(33)
    );
    assert_eq!(
        body(&Request::post(&digits).by("unpaid"))["id"],
        Value::Null
    );
    let secret = "s3cr3t";
    let mut message = call(secret);
    message["method"] = json!(secret);
    message["params"]["arguments"] = json!({secret: secret});
    let request = Request::post(&message.to_string()).with("x-secret", secret);
    assert!(!body(&request).to_string().contains(secret));
}

/// Numbers and depths at which OPA's own comparisons end, or take all of the time.
#[test]
fn what_readers_break_at_is_answered_in_time() {
    let gate = Gate::new(GATE);
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let message = |id: &str, argument: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"refund_card","arguments":{{"a":{argument}}}}}}}"#
        )
    };
    let huge = "1e1000000000";
    let cases = [
        (message("1", huge), Ok(())),
        (message(huge, huge), Ok(())),
        (message("1", &deep(9_000)), Ok(())),
        (message(&deep(9_000), "1"), Err("id")),
        (
            message("1", &format!("[{}1]", "{},".repeat(20_000))),
            Ok(()),
        ),
        (
            message("1", &format!("[{}1]", "\"\",".repeat(2_030))),
            Ok(()),
        ),
        (
            message("1", &format!("[{}1]", "\"\",".repeat(2_050))),
            Err("body_size"),
        ),
        (message("1", &format!("[{}1]", "1,".repeat(32_000))), Ok(())),
    ];
    let inputs = cases.each_ref().map(|(text, _)| {
        let raw = Value::from(text.as_str());
        format!(
            r#"{{"request":{{"http":{{"method":"POST","headers":{{"content-type":"application/json"}},
            "body":{raw},"parsed_body":{text}}}}},"consumer":{{"username":"small"}}}}"#
        )
    });
    let wanted = |want: &Result<(), &str>| want.map_err(str::to_owned);
    if let Some(engine) = OpaEngine::find() {
        let known = document();
        let answers = gate.engine(&engine, Some(&known), "passing", Adapter::Kong, &inputs);
        for (answer, (text, want)) in answers.iter().zip(&cases) {
            assert_eq!(verdict(Adapter::Kong, answer), wanted(want), "{text:.200}");
        }
    }
    let Some(opa) = Opa::find() else { return };
    let server = gate.serve(&opa);
    put(&server, Some(&document()));
    for (input, (text, want)) in inputs.iter().zip(&cases) {
        let start = Instant::now();
        let path = "/v1/data/passing/kong/answer/allow";
        let (status, said) = server.ask("POST", path, &format!("{{\"input\":{input}}}"));
        assert_eq!(status, 200, "{text:.200}: {said}");
        assert_eq!(said.contains("true"), want.is_ok(), "{text:.200}: {said}");
        assert!(start.elapsed() < Duration::from_secs(20), "{text:.200}");
    }
}
