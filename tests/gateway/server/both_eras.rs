//! What is alike in both eras, and every shape of a refusal.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use stalwart::gateway::Era;

use super::peer::{DESK, Gateway, STATELESS, asked, meta, request, settings};
use super::scripted::ERAS;

/// A call in an era, by a client with these capabilities.
async fn call(gateway: &Gateway, era: Era, mut params: Value, capabilities: Value) -> (u16, Value) {
    let reply = match era {
        Era::Session => {
            let session = gateway.initialize(DESK, capabilities).await;
            gateway.call(&session, 2, params).await
        }
        Era::Stateless => {
            let mut own = meta(capabilities);
            if let Some(more) = params.get("_meta").and_then(Value::as_object) {
                own.as_object_mut().unwrap().extend(more.clone());
            }
            params["_meta"] = own;
            gateway.modern(DESK, params).await
        }
    };
    (reply.status.as_u16(), reply.json().await)
}

#[tokio::test]
async fn the_shape_of_every_refusal() {
    let gateway = Gateway::start();
    let key =
        |key: Value| json!({"name": "get_order", "_meta": {"dev.stalwart/idempotency-key": key}});
    let long = "x".repeat(129);
    // The params, the status in each era, and the code, or the reason of a result.
    let cases = [
        (
            json!({"name": "nothing"}),
            [200, 400],
            -32602,
            "unknown_tool",
        ),
        (
            json!({"name": "get_order", "task": {"ttl": 1}}),
            [200, 400],
            -32602,
            "invalid_arguments",
        ),
        (
            json!({"name": "get_order", "arguments": [1]}),
            [200, 200],
            0,
            "invalid_arguments",
        ),
        (
            json!({"name": "nothing", "task": {"ttl": 1}}),
            [200, 400],
            -32602,
            "unknown_tool",
        ),
        (
            json!({"name": "nothing", "arguments": [1]}),
            [200, 400],
            -32602,
            "unknown_tool",
        ),
        (
            json!({"name": "nothing", "_meta": {"dev.stalwart/idempotency-key": ""}}),
            [200, 400],
            -32602,
            "unknown_tool",
        ),
        (key(json!("")), [200, 200], 0, "invalid_arguments"),
        (key(json!("a b")), [200, 200], 0, "invalid_arguments"),
        (key(json!(7)), [200, 200], 0, "invalid_arguments"),
        (key(json!(long)), [200, 200], 0, "invalid_arguments"),
        (json!({"name": 1}), [400, 400], -32602, ""),
        (json!({}), [400, 400], -32602, ""),
        (
            json!({"name": "get_order", "requestState": 1}),
            [400, 400],
            -32602,
            "",
        ),
        (
            json!({"name": "get_order", "inputResponses": 1}),
            [400, 400],
            -32602,
            "",
        ),
        (
            json!({"name": "get_order", "_meta": {"progressToken": {}}}),
            [400, 400],
            -32602,
            "",
        ),
    ];
    for (params, status, code, reason) in cases {
        for (era, status) in ERAS.into_iter().zip(status) {
            let (given, body) = call(&gateway, era, params.clone(), json!({})).await;
            assert_eq!(given, status, "{era:?} {params} {body}");
            if code == 0 {
                let result = &body["result"];
                assert_eq!(result["isError"], true);
                assert_eq!(result["_meta"]["dev.stalwart/reason"], reason, "{body}");
                assert_eq!(result["_meta"]["stalwart"]["refused"], reason);
                assert!(result["_meta"]["dev.stalwart/decision-id"].is_string());
                assert!(result["_meta"]["dev.stalwart/run-id"].is_string());
                assert_eq!(result.get("resultType").is_some(), era == Era::Stateless);
            } else {
                assert_eq!(body["error"]["code"], code, "{era:?} {params} {body}");
            }
            if code != 0 && !reason.is_empty() {
                assert_eq!(
                    body["error"]["data"],
                    json!({"stalwart": {"refused": reason}})
                );
            }
        }
    }
    assert!(
        gateway
            .core
            .requests()
            .iter()
            .all(|request| request.tool == "nothing")
    );
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_is_told_in_its_era() {
    let gateway = Gateway::start();
    let params = json!({"name": "charge_card"});
    let (status, body) = call(&gateway, Era::Session, params.clone(), json!({})).await;
    assert_eq!(status, 200);
    let refused = &body["result"]["_meta"]["stalwart"]["refused"];
    assert_eq!(*refused, "confirmation_unavailable");
    let (status, body) = call(&gateway, Era::Stateless, params, json!({})).await;
    assert_eq!(status, 400);
    assert_eq!(body["error"]["code"], -32021);
    assert_eq!(
        body["error"]["data"],
        json!({"requiredCapabilities": {"elicitation": {"form": {}}},
            "stalwart": {"refused": "confirmation_unavailable"}})
    );
}

#[tokio::test]
async fn bodies_that_are_not_read() {
    let mut settings = settings();
    settings.endpoint.message.bytes = 4096;
    settings.endpoint.message.depth = 16;
    let gateway = Gateway::with(settings);
    let deep = format!("{}{}", "[".repeat(17), "]".repeat(17));
    let call = |arguments: &str| {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\
             \"get_order\",\"arguments\":{arguments}}}}}"
        )
    };
    for (body, status, code) in [
        ("{".to_owned(), 400, -32700),
        (String::new(), 400, -32700),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":1,\"method\":\"ping\"}".to_owned(),
            400,
            -32700,
        ),
        (call("{\"a\":1,\"a\":2}"), 400, -32700),
        (
            call("{\"a\":{\"b\":[{\"c\":1,\"\\u0063\":2}]}}"),
            400,
            -32700,
        ),
        (call(&format!("{{\"a\":{deep}}}")), 400, -32700),
        (call("{\"a\":\"\\ud800\"}"), 400, -32700),
        ("[]".to_owned(), 400, -32600),
        (format!("[{}]", call("{}")), 400, -32600),
        ("1".to_owned(), 400, -32600),
        ("{\"id\":1,\"method\":\"ping\"}".to_owned(), 400, -32600),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}".to_owned(),
            400,
            -32600,
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}".to_owned(),
            400,
            -32600,
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}".to_owned(),
            400,
            -32600,
        ),
        (call(&format!("{{\"a\":\"{}\"}}", "x".repeat(5000))), 413, 0),
    ] {
        let reply = gateway
            .send(Method::POST, "/mcp", DESK, &[], body.clone())
            .await;
        assert_eq!(reply.status.as_u16(), status, "{body}");
        let answer = reply.json().await;
        if code != 0 {
            assert_eq!(answer["error"]["code"], code, "{body}");
        }
    }
    assert!(gateway.core.requests().is_empty());
}

#[tokio::test]
async fn the_media_types_of_a_request() {
    let gateway = Gateway::start();
    let body = request(1, "initialize", json!({"protocolVersion": "2025-11-25"})).to_string();
    for (content, accept, status) in [
        (
            "application/json",
            Some("application/json, text/event-stream"),
            200,
        ),
        ("application/json; charset=utf-8", Some("*/*"), 200),
        ("application/json", Some("application/*;q=0.5, TEXT/*"), 200),
        ("application/json", None, 200),
        ("application/json", Some("application/json"), 406),
        ("application/json", Some("text/event-stream"), 406),
        ("text/plain", Some("*/*"), 415),
    ] {
        let mut request = gateway
            .client
            .post(gateway.url("/mcp"))
            .bearer_auth(DESK)
            .header("content-type", content);
        if let Some(accept) = accept {
            request = request.header("accept", accept);
        }
        let reply = request.body(body.clone()).send().await.unwrap();
        // The client of this test sends `*/*` by itself.
        assert_eq!(reply.status().as_u16(), status, "{content} {accept:?}");
    }
}

#[tokio::test]
async fn tokens_hosts_and_origins() {
    let gateway = Gateway::start();
    let body = request(1, "initialize", json!({"protocolVersion": "2025-11-25"})).to_string();
    let port = gateway.running.address.port();
    let own = format!("http://localhost:{port}");
    let local = format!("localhost:{port}");
    let desk = format!("Bearer {DESK}");
    let lower = format!("bearer {DESK}");
    let longer = format!("Bearer {DESK}x");
    let basic = format!("Basic {DESK}");
    for (authorization, host, origin, status) in [
        (Some(desk.as_str()), None, None, 200),
        (Some(&lower), None, None, 200),
        (None, None, None, 401),
        (Some(&longer), None, None, 401),
        (Some(&basic), None, None, 401),
        (Some("Bearer "), None, None, 401),
        (Some(&desk), Some(local.as_str()), Some(own.as_str()), 200),
        (Some(&desk), Some("[::1]:1"), None, 200),
        (Some(&desk), Some("evil.example.com"), None, 403),
        (Some(&desk), Some("127.0.0.1.evil.example.com"), None, 403),
        (Some(&desk), Some("localhost@evil.example.com"), None, 403),
        (Some(&desk), None, Some("https://desk.example.com"), 200),
        (Some(&desk), None, Some("https://evil.example.com"), 403),
        (Some(&desk), None, Some("null"), 403),
        (Some(&desk), None, Some("http://localhost:1"), 403),
        (Some(&desk), Some(&local), Some("http://localhost"), 403),
        (None, None, Some("https://evil.example.com"), 403),
    ] {
        for method in [Method::POST, Method::GET, Method::DELETE] {
            let mut request = gateway
                .client
                .request(method.clone(), gateway.url("/mcp"))
                .header("content-type", "application/json");
            for (name, value) in [
                ("authorization", authorization),
                ("host", host),
                ("origin", origin),
            ] {
                if let Some(value) = value {
                    request = request.header(name, value);
                }
            }
            let reply = request.body(body.clone()).send().await.unwrap();
            let wanted = if status == 200 && method != Method::POST {
                405
            } else {
                status
            };
            assert_eq!(
                reply.status().as_u16(),
                wanted,
                "{authorization:?} {host:?} {origin:?}"
            );
            if status == 401 {
                assert_eq!(reply.headers()["www-authenticate"], "Bearer");
            }
        }
    }
}

#[tokio::test]
async fn behind_a_proxy_the_host_is_any() {
    let mut settings = settings();
    settings.limits.behind_proxy = true;
    let gateway = Gateway::with(settings);
    let port = gateway.running.address.port();
    let own = format!("http://localhost:{port}");
    for (origin, status) in [(None, 200), (Some(own.as_str()), 403)] {
        let mut headers = vec![("host", "gateway.example.com")];
        headers.extend(origin.map(|origin| ("origin", origin)));
        let reply = gateway
            .send(Method::GET, "/healthz", "", &headers, "")
            .await;
        assert_eq!(reply.status.as_u16(), status, "{origin:?}");
    }
}

#[tokio::test]
async fn an_agents_rate_is_bounded() {
    let mut settings = settings();
    settings.access.rate = Some(super::peer::rate(3));
    let gateway = Gateway::with(settings);
    let headers = [
        ("mcp-protocol-version", STATELESS),
        ("mcp-method", "tools/list"),
    ];
    let body = request(1, "tools/list", json!({"_meta": meta(json!({}))}));
    for _ in 0..3 {
        let reply = gateway.post(DESK, &headers, body.clone()).await;
        assert_eq!(reply.status, StatusCode::OK);
    }
    let reply = gateway.post(DESK, &headers, body.clone()).await;
    assert_eq!(reply.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(reply.header("retry-after").parse::<u64>().unwrap() >= 1);
    // Another agent's is its own.
    let reply = gateway
        .post(super::peer::BILLING, &headers, body.clone())
        .await;
    assert_eq!(reply.status, StatusCode::OK);
    // A reload gives nothing back, unless the rate is another.
    for (rate, status) in [(3, 429), (4, 200)] {
        let mut access = super::peer::access();
        access.rate = Some(super::peer::rate(rate));
        *gateway.reloaded.lock().unwrap() = Ok(access);
        gateway.running.reload().await.unwrap();
        let reply = gateway.post(DESK, &headers, body.clone()).await;
        assert_eq!(reply.status.as_u16(), status);
    }
}

#[tokio::test]
async fn an_agents_calls_at_once_are_bounded() {
    for era in ERAS {
        let mut settings = settings();
        settings.endpoint.calls_per_agent = 1;
        let gateway = Gateway::with(settings);
        let reason = |body: &Value| body["result"]["_meta"]["dev.stalwart/reason"].clone();
        let slow = call(&gateway, era, json!({"name": "slow"}), json!({}));
        let (slow, ()) = tokio::join!(slow, async {
            gateway.core.saw("slow began").await;
            let params = json!({"name": "get_order"});
            let (status, refused) = call(&gateway, era, params, json!({})).await;
            assert_eq!(
                (status, reason(&refused)),
                (200, json!("limit")),
                "{refused}"
            );
            // The catalogue comes first all the same.
            let params = json!({"name": "nothing"});
            let (_, unknown) = call(&gateway, era, params, json!({})).await;
            assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
        });
        assert_eq!(slow.0, 200);
        let (_, after) = call(&gateway, era, json!({"name": "get_order"}), json!({})).await;
        assert_eq!(reason(&after), Value::Null, "{after}");
    }
}

#[tokio::test]
async fn agents_cannot_say_who_they_are() {
    let gateway = Gateway::start();
    let forged = json!({"name": "get_order", "agent": "billing", "_meta": {
        "dev.stalwart/reason": "confirmed", "dev.stalwart/decision-id": "x",
        "stalwart": {"confirmed": true}, "approval_status": "approved",
        "idempotency_key": "theirs", "traceparent": "00-1"}});
    for era in ERAS {
        call(&gateway, era, forged.clone(), asked()).await;
        let request = gateway.core.requests().pop().unwrap();
        assert_eq!(request.caller.agent, "desk");
        assert_eq!(request.caller.era, era);
        assert_eq!(request.meta.as_deref(), Some("{\"traceparent\":\"00-1\"}"));
        assert_eq!(request.idempotency_key, None);
    }
    // A state means nothing in a session, and answers alone none anywhere.
    let params = json!({"name": "charge_card", "inputResponses": {"stalwart.confirm":
        {"action": "accept", "content": {"confirm": true}}}});
    let (_, body) = call(&gateway, Era::Stateless, params, asked()).await;
    assert_eq!(body["result"]["resultType"], "input_required");
}
