//! The era without sessions.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::peer::{BILLING, DESK, Gateway, STATELESS, asked, meta, modern_params, request};
use super::scripted::RUN;

const ENVELOPE: [(&str, &str); 2] = [
    ("mcp-protocol-version", STATELESS),
    ("mcp-method", "tools/list"),
];

fn yes() -> Value {
    json!({"stalwart.confirm": {"action": "accept", "content": {"confirm": true}}})
}

#[tokio::test]
async fn discovery_and_lists() {
    let gateway = Gateway::start();
    let headers = [
        ("mcp-protocol-version", STATELESS),
        ("mcp-method", "server/discover"),
    ];
    let params = json!({"_meta": meta(json!({}))});
    let discovered = gateway.post(
        DESK,
        &headers,
        request(1, "server/discover", params.clone()),
    );
    let discovered = &discovered.await.json().await["result"];
    assert_eq!(discovered["supportedVersions"], json!([STATELESS]));
    assert_eq!(discovered["resultType"], "complete");
    assert_eq!(discovered["cacheScope"], "private");
    let server = &discovered["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(server["name"], "stalwart");

    let list = gateway.post(BILLING, &ENVELOPE, request(1, "tools/list", params));
    let list = &list.await.json().await["result"];
    assert_eq!(list["tools"], json!([{"name": "refund_card"}]));
    assert_eq!(list["resultType"], "complete");
    assert_eq!(list["ttlMs"].to_string(), "0");
    assert_eq!(list["cacheScope"], "private");
}

#[tokio::test]
async fn every_wrong_envelope_has_its_code() {
    let gateway = Gateway::start();
    let version = "io.modelcontextprotocol/protocolVersion";
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    let good = json!({"_meta": meta(json!({}))});
    let without = |key: &str| {
        let mut params = good.clone();
        params["_meta"].as_object_mut().unwrap().remove(key);
        params
    };
    let with = |key: &str, value: Value| {
        let mut params = good.clone();
        params["_meta"][key] = value;
        params
    };
    let (list, other) = ("tools/list", "resources/list");
    type Case<'a> = (&'a str, Value, Vec<(&'a str, &'a str)>, u16, i64);
    let cases: Vec<Case<'_>> = vec![
        (list, good.clone(), ENVELOPE.to_vec(), 200, 0),
        (list, without(version), ENVELOPE.to_vec(), 400, -32602),
        (list, without(capabilities), ENVELOPE.to_vec(), 400, -32602),
        (
            list,
            with(capabilities, json!(1)),
            ENVELOPE.to_vec(),
            400,
            -32602,
        ),
        (
            list,
            with(version, json!(1)),
            ENVELOPE.to_vec(),
            400,
            -32602,
        ),
        (list, json!({"_meta": 1}), ENVELOPE.to_vec(), 400, -32602),
        (list, good.clone(), vec![ENVELOPE[0]], 400, -32020),
        (list, good.clone(), vec![ENVELOPE[1]], 400, -32020),
        (
            list,
            good.clone(),
            vec![ENVELOPE[0], ("mcp-method", "tools/call")],
            400,
            -32020,
        ),
        (
            list,
            good.clone(),
            vec![ENVELOPE[0], ENVELOPE[1], ENVELOPE[1]],
            400,
            -32020,
        ),
        (
            list,
            good.clone(),
            vec![("mcp-protocol-version", "2025-11-25"), ENVELOPE[1]],
            400,
            -32020,
        ),
        (
            list,
            with(version, json!("2030-01-01")),
            vec![("mcp-protocol-version", "2030-01-01"), ENVELOPE[1]],
            400,
            -32022,
        ),
        (
            list,
            with(version, json!("2025-11-25")),
            vec![("mcp-protocol-version", "2025-11-25"), ENVELOPE[1]],
            400,
            -32022,
        ),
        (
            list,
            json!({}),
            vec![("mcp-protocol-version", "2030-01-01")],
            400,
            -32022,
        ),
        (
            other,
            good.clone(),
            vec![ENVELOPE[0], ("mcp-method", other)],
            404,
            -32601,
        ),
        (
            "ping",
            good.clone(),
            vec![ENVELOPE[0], ("mcp-method", "ping")],
            404,
            -32601,
        ),
        (
            list,
            with("dev.stalwart/run-id", json!("no")),
            ENVELOPE.to_vec(),
            400,
            -32602,
        ),
        (
            list,
            with("dev.stalwart/run-id", json!(1)),
            ENVELOPE.to_vec(),
            400,
            -32602,
        ),
    ];
    for (index, (method, params, headers, status, code)) in cases.into_iter().enumerate() {
        let reply = gateway
            .post(DESK, &headers, request(1, method, params))
            .await;
        assert_eq!(reply.status.as_u16(), status, "case {index}");
        let body = reply.json().await;
        if code != 0 {
            assert_eq!(body["error"]["code"], code, "case {index}: {body}");
        }
        if code == -32022 {
            assert_eq!(body["error"]["data"]["supported"], json!([STATELESS]));
            assert!(body["error"]["data"]["requested"].is_string());
        }
    }
}

#[tokio::test]
async fn the_name_in_the_header_is_that_of_the_body() {
    let gateway = Gateway::start();
    let params = modern_params("get_order", json!({}), json!({}));
    let fixed = [
        ("mcp-protocol-version", STATELESS),
        ("mcp-method", "tools/call"),
    ];
    for (name, status) in [
        (Some("get_order"), 200),
        (Some("=?base64?Z2V0X29yZGVy?="), 200),
        (Some("charge_card"), 400),
        (Some("=?base64?!?="), 400),
        (None, 400),
    ] {
        let mut headers = fixed.to_vec();
        headers.extend(name.map(|name| ("mcp-name", name)));
        let reply = gateway
            .post(DESK, &headers, request(1, "tools/call", params.clone()))
            .await;
        assert_eq!(reply.status.as_u16(), status, "{name:?}");
    }
    assert_eq!(gateway.core.requests().len(), 2);
}

#[tokio::test]
async fn mirrored_arguments_are_those_of_the_body() {
    let gateway = Gateway::start();
    let fixed = [
        ("mcp-protocol-version", STATELESS),
        ("mcp-method", "tools/call"),
        ("mcp-name", "get_order"),
    ];
    for (arguments, mirrored, status) in [
        (json!({"tenant": "a"}), vec![("mcp-param-tenant", "a")], 200),
        (
            json!({"tenant": "é"}),
            vec![("mcp-param-tenant", "=?base64?w6k=?=")],
            200,
        ),
        (json!({"tenant": "a"}), vec![("mcp-param-tenant", "b")], 400),
        (json!({"tenant": "a"}), vec![], 400),
        (json!({}), vec![("mcp-param-tenant", "a")], 400),
        (json!({"tenant": null}), vec![], 200),
        (json!({"page": 42}), vec![("mcp-param-page", "42.0")], 200),
        (
            json!({"page": 9007199254740993_u64}),
            vec![("mcp-param-page", "9007199254740992")],
            400,
        ),
        (json!({"other": 1}), vec![("mcp-param-other", "2")], 200),
    ] {
        let mut headers = fixed.to_vec();
        headers.extend(mirrored);
        let params = modern_params("get_order", arguments.clone(), json!({}));
        let reply = gateway
            .post(DESK, &headers, request(1, "tools/call", params))
            .await;
        assert_eq!(reply.status.as_u16(), status, "{arguments} {headers:?}");
        if status == 400 {
            assert_eq!(reply.json().await["error"]["code"], -32020);
        }
    }
}

#[tokio::test]
async fn a_call_is_asked_about_and_goes_on() {
    let gateway = Gateway::start();
    let mut params = modern_params("charge_card", json!({"n": 1}), asked());
    let first = gateway.modern(DESK, params.clone()).await;
    assert_eq!(first.status, StatusCode::OK);
    let first = &first.json().await["result"];
    assert_eq!(first["resultType"], "input_required");
    assert_eq!(
        first["inputRequests"],
        json!({"stalwart.confirm": {"method": "elicitation/create", "params": {
            "mode": "form", "message": "Run charge_card?",
            "requestedSchema": {"type": "object",
                "properties": {"confirm": {"type": "boolean", "title": "Confirm",
                    "description": "Whether the call may run as shown"}},
                "required": ["confirm"]}}}})
    );
    params["inputResponses"] = yes();
    params["requestState"] = first["requestState"].clone();
    let second = &gateway.modern(DESK, params.clone()).await.json().await["result"];
    assert_eq!(second["resultType"], "complete");
    assert_eq!(second["content"][0]["text"], "{\"n\":1}");
    // Used before: what was recorded.
    let third = &gateway.modern(DESK, params).await.json().await["result"];
    assert_eq!(third["_meta"]["dev.stalwart/reason"], "replayed");
    assert_eq!(
        gateway.core.log(),
        [
            "asked q1",
            "answered q1 Yes",
            "decided charge_card confirmed",
            "answered q1 Yes",
            "decided charge_card replayed"
        ]
    );
}

#[tokio::test]
async fn without_a_usable_answer_it_is_asked_once_more() {
    let gateway = Gateway::start();
    for responses in [
        None,
        Some(json!({})),
        Some(json!({"stalwart.confirm": {"action": "ok"}})),
    ] {
        let mut params = modern_params("charge_card", json!({}), asked());
        let first = gateway.modern(DESK, params.clone()).await.json().await;
        params["requestState"] = first["result"]["requestState"].clone();
        if let Some(responses) = responses {
            params["inputResponses"] = responses;
        }
        let second = gateway.modern(DESK, params.clone()).await.json().await;
        assert_eq!(second["result"]["resultType"], "input_required");
        params["requestState"] = second["result"]["requestState"].clone();
        let third = gateway.modern(DESK, params).await.json().await;
        assert_eq!(third["result"]["_meta"]["stalwart"]["refused"], "cancelled");
    }
}

#[tokio::test]
async fn a_state_counts_for_its_own_call_alone() {
    let gateway = Gateway::start();
    let first = modern_params("charge_card", json!({"n": 1}), asked());
    let state = gateway.modern(DESK, first).await.json().await["result"]["requestState"].clone();
    let state = state.as_str().unwrap();
    let mut forged = state.to_owned();
    forged.pop();
    let tampered = format!("{}A{}", &state[..20], &state[21..]);
    let named = json!({"dev.stalwart/run-id": RUN});
    for (token, tool, arguments, meta, state) in [
        (DESK, "charge_card", json!({"n": 2}), json!({}), state),
        (DESK, "slow", json!({"n": 1}), json!({}), state),
        (BILLING, "charge_card", json!({"n": 1}), json!({}), state),
        (DESK, "charge_card", json!({"n": 1}), named, state),
        (DESK, "charge_card", json!({"n": 1}), json!({}), &forged),
        (DESK, "charge_card", json!({"n": 1}), json!({}), &tampered),
        (DESK, "charge_card", json!({"n": 1}), json!({}), "nothing"),
    ] {
        let mut params = modern_params(tool, arguments, asked());
        let own = params["_meta"].as_object_mut().unwrap();
        own.extend(meta.as_object().unwrap().clone());
        params["requestState"] = json!(state);
        params["inputResponses"] = yes();
        let reply = gateway.modern(token, params).await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST);
        let error = &reply.json().await["error"];
        assert_eq!(error["code"], -32602);
        assert_eq!(
            error["data"],
            json!({"stalwart": {"refused": "invalid_state"}})
        );
    }
    // None of them used it up.
    let mut params = modern_params("charge_card", json!({"n": 1}), asked());
    params["requestState"] = json!(state);
    params["inputResponses"] = yes();
    let reply = gateway.modern(DESK, params).await.json().await;
    assert_eq!(reply["result"]["content"][0]["text"], "{\"n\":1}");
}

#[tokio::test]
async fn a_servers_own_question_is_wrapped() {
    let gateway = Gateway::start();
    let mut params = modern_params("needs_input", json!({"b": 2, "a": 1.0}), asked());
    let first = gateway.modern(DESK, params.clone()).await.json().await;
    let request = &first["result"]["inputRequests"]["server.who"];
    assert_eq!(request["params"]["message"], "shop asks: Who?");
    let state = first["result"]["requestState"].clone();
    assert_ne!(state, "theirs");
    params["requestState"] = state.clone();
    params["inputResponses"] = json!({"server.who": {"action": "accept", "content": {"x": 1.50}},
        "stalwart.confirm": {"action": "accept"}, "other": {}});
    gateway.modern(DESK, params.clone()).await;
    let answers = gateway
        .core
        .requests()
        .pop()
        .unwrap()
        .upstream_answers
        .unwrap();
    assert_eq!(answers.state.as_deref(), Some("\"theirs\""));
    assert_eq!(
        answers.responses,
        "{\"who\":{\"action\":\"accept\",\"content\":{\"x\":1.5}}}"
    );
    // With other arguments it is another call.
    params["arguments"] = json!({"a": 2, "b": 2});
    let reply = gateway.modern(DESK, params).await.json().await;
    assert_eq!(
        reply["error"]["data"]["stalwart"]["refused"],
        "invalid_state"
    );
    // A client that cannot be asked gets an error that says what it lacks.
    let params = modern_params("needs_input", json!({}), json!({}));
    let reply = gateway.modern(DESK, params).await;
    assert_eq!(reply.status, StatusCode::BAD_REQUEST);
    assert_eq!(reply.json().await["error"]["code"], -32021);
    gateway.core.saw("abandoned 7").await;
    // A server cannot ask on a stream in this era.
    let params = modern_params("asks", json!({}), asked());
    let reply = gateway.modern(DESK, params).await.json().await;
    let text = reply["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("Err"), "{text}");
}

#[tokio::test]
async fn a_closed_stream_is_a_cancellation() {
    let gateway = Gateway::start();
    let call = gateway.modern(DESK, modern_params("slow", json!({}), json!({})));
    let limited = tokio::time::timeout(std::time::Duration::from_millis(150), call).await;
    assert!(limited.is_err());
    gateway.core.saw("decided slow cancelled").await;
}

#[tokio::test]
async fn progress_makes_the_answer_a_stream() {
    let gateway = Gateway::start();
    let mut params = modern_params("tells", json!({}), json!({}));
    params["_meta"]["progressToken"] = json!(5);
    let mut call = gateway.modern(DESK, params).await;
    assert_eq!(call.header("content-type"), "text/event-stream");
    assert_eq!(call.header("x-accel-buffering"), "no");
    assert_eq!(call.next().await.unwrap()["params"]["progressToken"], 5);
    assert_eq!(
        call.next().await.unwrap()["method"],
        "notifications/message"
    );
    assert_eq!(
        call.next().await.unwrap()["result"]["resultType"],
        "complete"
    );
    let meta = gateway.core.requests()[0].meta.clone().unwrap();
    assert_eq!(meta, "{\"progressToken\":5}");
}

#[tokio::test]
async fn a_subscription_tells_of_changes() {
    let gateway = Gateway::start();
    let headers = [
        ("mcp-protocol-version", STATELESS),
        ("mcp-method", "subscriptions/listen"),
    ];
    let params = json!({"notifications": {"toolsListChanged": true, "promptsListChanged": true},
        "_meta": meta(json!({}))});
    let body = request(4, "subscriptions/listen", params);
    let mut listening = gateway.post(DESK, &headers, body).await;
    let first = listening.next().await.unwrap();
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    let meta = json!({"io.modelcontextprotocol/subscriptionId": 4});
    let params = json!({"notifications": {"toolsListChanged": true}, "_meta": meta});
    assert_eq!(first["params"], params);
    gateway.running.tools_changed();
    let changed = listening.next().await.unwrap();
    assert_eq!(changed["method"], "notifications/tools/list_changed");
    assert_eq!(changed["params"], json!({"_meta": meta}));
    let stopping = tokio::spawn(gateway.running.stop());
    let last = listening.next().await.unwrap();
    assert_eq!(last["id"], 4);
    assert_eq!(
        last["result"],
        json!({"_meta": meta, "resultType": "complete"})
    );
    stopping.await.unwrap();
}

#[tokio::test]
async fn get_and_delete_are_of_sessions() {
    let gateway = Gateway::start();
    for method in [Method::GET, Method::DELETE, Method::PUT] {
        let reply = gateway.send(method, "/mcp", DESK, &[], "").await;
        assert_eq!(reply.status, StatusCode::METHOD_NOT_ALLOWED);
        assert!(reply.header("allow").contains("POST"));
    }
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": 1, "_meta": meta(json!({}))}});
    let reply = gateway.post(DESK, &[ENVELOPE[0]], notification).await;
    assert_eq!(reply.status, StatusCode::ACCEPTED);
    let response = json!({"jsonrpc": "2.0", "id": 1, "result": {}});
    let reply = gateway.post(DESK, &[ENVELOPE[0]], response).await;
    assert_eq!(reply.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_named_run_comes_by_header_or_meta() {
    let gateway = Gateway::start();
    let headers = [
        ("mcp-protocol-version", STATELESS),
        ("mcp-method", "tools/call"),
        ("mcp-name", "get_order"),
        ("stalwart-run", RUN),
    ];
    let params = modern_params("get_order", json!({}), json!({}));
    gateway
        .post(DESK, &headers, request(1, "tools/call", params.clone()))
        .await;
    assert_eq!(gateway.core.requests()[0].caller.run.as_str(), RUN);
    // Another agent's, refused with a decision.
    let reply = gateway
        .post(BILLING, &headers, request(1, "tools/call", params.clone()))
        .await;
    assert_eq!(reply.status, StatusCode::OK);
    let reply = reply.json().await;
    assert_eq!(
        reply["result"]["_meta"]["stalwart"]["refused"],
        "unknown_run"
    );
    // Both, and different.
    let mut params = params;
    params["_meta"]["dev.stalwart/run-id"] = json!("other");
    let reply = gateway
        .post(DESK, &headers, request(1, "tools/call", params))
        .await;
    assert_eq!(reply.status, StatusCode::BAD_REQUEST);
    assert_eq!(
        gateway.core.log().last().unwrap(),
        "decided get_order unknown_run"
    );
}
