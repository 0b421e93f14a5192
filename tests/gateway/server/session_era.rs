//! The era with sessions.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::peer::{BILLING, DESK, DESK_TOO, Gateway, asked, request};
use super::scripted::RUN;

const YES: &str = "{\"action\":\"accept\",\"content\":{\"confirm\":true}}";

async fn answer(gateway: &Gateway, session: &str, question: &Value, result: &str) {
    let body = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{result}}}",
        question["id"]
    );
    let headers = [("mcp-session-id", session)];
    let reply = gateway
        .send(Method::POST, "/mcp", DESK, &headers, body)
        .await;
    assert_eq!(reply.status, StatusCode::ACCEPTED);
}

#[tokio::test]
async fn a_session_is_opened_in_the_version_that_both_speak() {
    let gateway = Gateway::start();
    for (asked, given) in [
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2024-11-05", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
    ] {
        let params = json!({"protocolVersion": asked, "capabilities": {}});
        let reply = gateway
            .post(DESK, &[], request(1, "initialize", params))
            .await;
        assert_eq!(reply.status, StatusCode::OK);
        let session = reply.header("mcp-session-id");
        assert_eq!(session.len(), 64);
        let result = &reply.json().await["result"];
        assert_eq!(result["protocolVersion"], given);
        assert_eq!(
            result["capabilities"],
            json!({"tools": {"listChanged": true}})
        );
        assert!(result.get("resultType").is_none());
    }
}

#[tokio::test]
async fn the_methods_of_a_session() {
    let gateway = Gateway::start();
    let session = gateway.initialize(DESK, asked()).await;
    let headers = [("mcp-session-id", session.as_str())];
    let list = gateway.post(DESK, &headers, request(2, "tools/list", json!({})));
    let list = list.await.text().await;
    assert_eq!(
        list,
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"charge_card\", \
         \"x\":1},{\"name\":\"get_order\"}]}}"
    );
    let ping = gateway.post(DESK, &headers, request(3, "ping", json!({})));
    assert_eq!(ping.await.json().await["result"], json!({}));
    for method in [
        "resources/list",
        "prompts/list",
        "completion/complete",
        "logging/setLevel",
        "server/discover",
        "tasks/list",
    ] {
        let reply = gateway
            .post(DESK, &headers, request(4, method, json!({})))
            .await;
        assert_eq!(reply.status, StatusCode::OK);
        assert_eq!(reply.json().await["error"]["code"], -32601, "{method}");
    }
    let cursor = gateway.post(
        DESK,
        &headers,
        request(5, "tools/list", json!({"cursor": "x"})),
    );
    assert_eq!(cursor.await.json().await["error"]["code"], -32602);
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let reply = gateway.post(DESK, &headers, notification).await;
    assert_eq!(reply.status, StatusCode::ACCEPTED);
}

#[tokio::test]
async fn arguments_and_results_pass_byte_for_byte() {
    let gateway = Gateway::start();
    let session = gateway.initialize(DESK, json!({})).await;
    let body = "{\"jsonrpc\":\"2.0\",\"id\":\"a\\u0062\",\"method\":\"tools/call\",\"params\":\
                {\"name\":\"get_order\",\"arguments\":{\"n\": 40.0, \"big\":9007199254740993},\
                \"other\":1,\"_meta\":{\"dev.stalwart/idempotency-key\":\"k-1\",\"mine\":1.50,\
                \"stalwart\":{\"refused\":\"x\"},\"approval_status\":\"y\"}}}";
    let headers = [("mcp-session-id", session.as_str())];
    let reply = gateway
        .send(Method::POST, "/mcp", DESK, &headers, body)
        .await;
    assert_eq!(reply.header("content-type"), "application/json");
    assert_eq!(
        reply.text().await,
        "{\"jsonrpc\":\"2.0\",\"id\":\"ab\",\"result\":{\"content\": [{\"type\":\"text\",\
         \"text\":\"{\\\"n\\\": 40.0, \\\"big\\\":9007199254740993}\"}],  \"vendor\":1.0}}"
    );
    let request = &gateway.core.requests()[0];
    let arguments = request.arguments.as_deref();
    assert_eq!(arguments, Some("{\"n\": 40.0, \"big\":9007199254740993}"));
    assert_eq!(request.meta.as_deref(), Some("{\"mine\":1.50}"));
    assert_eq!(request.idempotency_key.as_deref(), Some("k-1"));
    assert_eq!(request.caller.session.as_deref(), Some(session.as_str()));
    assert!(!request.caller.can_be_asked);
}

#[tokio::test]
async fn what_a_server_says_in_the_gateways_name_is_cut_out() {
    let gateway = Gateway::start();
    let session = gateway.initialize(DESK, json!({})).await;
    let odd = gateway
        .call(&session, 2, json!({"name": "odd"}))
        .await
        .json()
        .await;
    assert_eq!(
        odd["result"],
        json!({"content": [], "_meta": {"mine": 2, "dev.stalwart/reason": "replayed",
            "dev.stalwart/decision-id": "d1", "dev.stalwart/run-id": "shared:desk"}})
    );
    let fails = gateway.call(&session, 3, json!({"name": "fails"})).await;
    assert_eq!(fails.status, StatusCode::OK);
    let error = json!({"code": -32099, "message": "no", "data": {"x": 1}});
    assert_eq!(fails.json().await["error"], error);
}

#[tokio::test]
async fn a_person_is_asked_on_the_calls_stream() {
    let gateway = Gateway::start();
    for (result, reason) in [
        (YES, "confirmed"),
        (
            "{\"action\":\"accept\",\"content\":{\"confirm\":false}}",
            "declined",
        ),
        (
            "{\"action\":\"accept\",\"content\":{\"confirm\":false,\"x\":1}}",
            "declined",
        ),
        ("{\"action\":\"decline\"}", "declined"),
        ("{\"action\":\"cancel\"}", "cancelled"),
    ] {
        let session = gateway.initialize(DESK, asked()).await;
        let params = json!({"name": "charge_card", "arguments": {"n": 1},
            "_meta": {"progressToken": 9}});
        let mut call = gateway.call(&session, 2, params).await;
        assert_eq!(call.header("content-type"), "text/event-stream");
        let question = call.next().await.unwrap();
        assert_eq!(question["method"], "elicitation/create");
        assert_eq!(
            question["params"],
            json!({"message": "Run charge_card?", "requestedSchema": {"type": "object",
                "properties": {"confirm": {"type": "boolean", "title": "Confirm",
                    "description": "Whether the call may run as shown"}},
                "required": ["confirm"]}})
        );
        let waiting = call.next().await.unwrap();
        assert_eq!(waiting["method"], "notifications/progress");
        assert_eq!(waiting["params"]["progressToken"], 9);
        answer(&gateway, &session, &question, result).await;
        let last = loop {
            let message = call.next().await.unwrap();
            if message.get("method").is_none() {
                break message;
            }
        };
        if reason != "confirmed" {
            assert_eq!(last["result"]["isError"], true);
            let meta = &last["result"]["_meta"];
            assert_eq!(meta["stalwart"], json!({"refused": reason}));
            assert_eq!(meta["dev.stalwart/reason"], reason);
            assert_eq!(meta["dev.stalwart/decision-id"], "d1");
            assert_eq!(meta["dev.stalwart/run-id"], "shared:desk");
        } else {
            assert!(last["result"].get("isError").is_none());
        }
        assert!(call.next().await.is_none());
        gateway
            .core
            .saw(&format!("decided charge_card {reason}"))
            .await;
    }
}

#[tokio::test]
async fn an_unusable_answer_is_asked_once_more() {
    let gateway = Gateway::start();
    for unusable in [
        "{}",
        "{\"action\":\"accept\"}",
        "{\"action\":\"accept\",\"content\":{\"confirm\":\"true\"}}",
        "{\"action\":\"accept\",\"content\":{\"confirm\":true,\"x\":1}}",
        "{\"action\":\"ACCEPT\",\"content\":{\"confirm\":true}}",
    ] {
        let session = gateway.initialize(DESK, asked()).await;
        let mut call = gateway
            .call(&session, 2, json!({"name": "charge_card"}))
            .await;
        let question = call.next().await.unwrap();
        answer(&gateway, &session, &question, unusable).await;
        let again = call.next().await.unwrap();
        assert_eq!(again["method"], "elicitation/create");
        assert_ne!(again["id"], question["id"]);
        answer(&gateway, &session, &question, YES).await;
        answer(&gateway, &session, &again, unusable).await;
        let last = call.next().await.unwrap();
        assert_eq!(
            last["result"]["_meta"]["dev.stalwart/reason"], "cancelled",
            "{unusable}"
        );
    }
}

#[tokio::test]
async fn nobody_else_answers_a_question() {
    let gateway = Gateway::start();
    let session = gateway.initialize(DESK, asked()).await;
    let other = gateway.initialize(DESK, asked()).await;
    let mut call = gateway
        .call(&session, 2, json!({"name": "charge_card"}))
        .await;
    let question = call.next().await.unwrap();
    // Of another session: accepted as a message, and does nothing.
    answer(&gateway, &other, &question, YES).await;
    // With another agent's token, and with another token of the agent: there is no such session.
    for token in [BILLING, DESK_TOO] {
        let body = json!({"jsonrpc": "2.0", "id": question["id"],
            "result": {"action": "accept", "content": {"confirm": true}}});
        let reply = gateway
            .post(token, &[("mcp-session-id", &session)], body)
            .await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND);
    }
    let last = call.next().await.unwrap();
    assert_eq!(
        last["result"]["_meta"]["dev.stalwart/reason"],
        "confirmation_timeout"
    );
}

#[tokio::test]
async fn a_client_that_goes_away_while_it_is_asked() {
    let gateway = Gateway::start();
    let session = gateway.initialize(DESK, asked()).await;
    let mut call = gateway
        .call(&session, 2, json!({"name": "charge_card"}))
        .await;
    call.next().await.unwrap();
    drop(call);
    gateway.core.saw("decided charge_card client_gone").await;
    // The same where the session ends.
    let mut call = gateway
        .call(&session, 3, json!({"name": "charge_card"}))
        .await;
    call.next().await.unwrap();
    let headers = [("mcp-session-id", session.as_str())];
    let ended = gateway
        .send(Method::DELETE, "/mcp", DESK, &headers, "")
        .await;
    assert_eq!(ended.status, StatusCode::NO_CONTENT);
    let last = call.next().await.unwrap();
    assert_eq!(
        last["result"]["_meta"]["dev.stalwart/reason"],
        "client_gone"
    );
    gateway.core.saw("session closed").await;
}

#[tokio::test]
async fn a_cancellation_reaches_the_question_and_the_call() {
    let gateway = Gateway::start();
    let session = gateway.initialize(DESK, asked()).await;
    let headers = [("mcp-session-id", session.as_str())];
    let cancel = |id: u64| {
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": {"requestId": id, "reason": "no more"}})
    };
    let mut call = gateway
        .call(&session, 2, json!({"name": "charge_card"}))
        .await;
    call.next().await.unwrap();
    gateway.post(DESK, &headers, cancel(7)).await;
    gateway.post(DESK, &headers, cancel(2)).await;
    let last = call.next().await.unwrap();
    assert_eq!(last["result"]["_meta"]["dev.stalwart/reason"], "cancelled");

    let slow = gateway.call(&session, 3, json!({"name": "slow"}));
    let cancelling = async {
        gateway.core.saw("slow began").await;
        gateway.post(DESK, &headers, cancel(3)).await
    };
    let (slow, _) = tokio::join!(slow, cancelling);
    let reason = &slow.json().await["result"]["_meta"]["dev.stalwart/reason"];
    assert_eq!(*reason, "cancelled");
}

#[tokio::test]
async fn going_away_is_no_cancellation_in_a_session() {
    let gateway = Gateway::start();
    let session = gateway.initialize(DESK, asked()).await;
    let call = gateway.call(&session, 2, json!({"name": "slow"}));
    let limited = tokio::time::timeout(std::time::Duration::from_millis(100), call).await;
    assert!(limited.is_err());
    gateway.core.saw("decided slow allow").await;
}

#[tokio::test]
async fn notifications_of_a_server_pass_under_the_clients_token() {
    let gateway = Gateway::start();
    let session = gateway.initialize(DESK, json!({})).await;
    let params = json!({"name": "tells", "_meta": {"progressToken": "mine"}});
    let mut call = gateway.call(&session, 2, params).await;
    let progress = call.next().await.unwrap();
    assert_eq!(
        progress["params"],
        json!({"progressToken": "mine", "progress": 1})
    );
    let message = call.next().await.unwrap();
    assert_eq!(message["params"], json!({"level": "info", "data": "hello"}));
    assert_eq!(call.next().await.unwrap()["id"], 2);
    let request = &gateway.core.requests()[0];
    assert_eq!(
        request.meta.as_deref(),
        Some("{\"progressToken\":\"mine\"}")
    );
    // Without a token there is no progress.
    let mut call = gateway.call(&session, 3, json!({"name": "tells"})).await;
    assert_eq!(
        call.next().await.unwrap()["method"],
        "notifications/message"
    );
}

#[tokio::test]
async fn a_servers_own_question_has_its_name() {
    let gateway = Gateway::start();
    let session = gateway.initialize(DESK, asked()).await;
    let mut call = gateway.call(&session, 2, json!({"name": "asks"})).await;
    let question = call.next().await.unwrap();
    assert_eq!(question["params"]["message"], "shop asks: Sure?");
    answer(
        &gateway,
        &session,
        &question,
        "{\"action\":\"accept\",\"content\":{\"a\":1.0}}",
    )
    .await;
    let last = call.next().await.unwrap();
    let text = last["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("\\\"a\\\":1.0"), "{text}");
    // A client that cannot be asked is not.
    let session = gateway.initialize(DESK, json!({})).await;
    let call = gateway
        .call(&session, 2, json!({"name": "asks"}))
        .await
        .json()
        .await;
    let text = call["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("cannot be asked"), "{text}");
}

#[tokio::test]
async fn a_client_without_forms_cannot_be_asked() {
    let gateway = Gateway::start();
    for (version, capabilities) in [
        ("2025-11-25", json!({})),
        ("2025-11-25", json!({"elicitation": {"url": {}}})),
        ("2025-11-25", json!({"elicitation": true})),
        ("2025-03-26", asked()),
    ] {
        let session = gateway
            .initialize_as(DESK, version, capabilities.clone(), &[])
            .await;
        let call = gateway
            .call(&session, 2, json!({"name": "charge_card"}))
            .await;
        assert_eq!(call.status, StatusCode::OK);
        let result = &call.json().await["result"];
        assert_eq!(result["isError"], true);
        let refused = &result["_meta"]["stalwart"]["refused"];
        assert_eq!(
            *refused, "confirmation_unavailable",
            "{version} {capabilities}"
        );
    }
    for capabilities in [asked(), json!({"elicitation": {"form": {}, "url": {}}})] {
        let session = gateway.initialize(DESK, capabilities).await;
        let mut call = gateway
            .call(&session, 2, json!({"name": "charge_card"}))
            .await;
        assert_eq!(call.next().await.unwrap()["method"], "elicitation/create");
    }
}

#[tokio::test]
async fn a_session_belongs_to_its_token_and_run() {
    let gateway = Gateway::start();
    let session = gateway.initialize(DESK, json!({})).await;
    let list = request(2, "tools/list", json!({}));
    for (token, session, status) in [
        (DESK, session.as_str(), StatusCode::OK),
        (DESK_TOO, session.as_str(), StatusCode::NOT_FOUND),
        (BILLING, session.as_str(), StatusCode::NOT_FOUND),
        (DESK, "nothing", StatusCode::NOT_FOUND),
    ] {
        let reply = gateway
            .post(token, &[("mcp-session-id", session)], list.clone())
            .await;
        assert_eq!(reply.status, status);
    }
    let without = gateway.post(DESK, &[], list.clone()).await;
    assert_eq!(without.status, StatusCode::BAD_REQUEST);
    for method in [Method::GET, Method::DELETE] {
        let headers = [("mcp-session-id", session.as_str())];
        let reply = gateway.send(method, "/mcp", BILLING, &headers, "").await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND);
    }
    // Another run than the session's, by either way.
    let named = [("mcp-session-id", session.as_str()), ("stalwart-run", RUN)];
    let call = request(3, "tools/call", json!({"name": "get_order"}));
    let reply = gateway.post(DESK, &named, call).await.json().await;
    assert_eq!(
        reply["result"]["_meta"]["stalwart"]["refused"],
        "unknown_run"
    );
    let params = json!({"name": "get_order", "_meta": {"dev.stalwart/run-id": RUN}});
    let reply = gateway.call(&session, 4, params).await.json().await;
    assert_eq!(
        reply["result"]["_meta"]["stalwart"]["refused"],
        "unknown_run"
    );
    // A session of a named run.
    let session = gateway
        .initialize_as(DESK, "2025-11-25", json!({}), &[("stalwart-run", RUN)])
        .await;
    let params = json!({"name": "get_order", "_meta": {"dev.stalwart/run-id": RUN}});
    gateway.call(&session, 5, params).await;
    gateway
        .call(&session, 6, json!({"name": "get_order"}))
        .await;
    let runs: Vec<String> = gateway
        .core
        .requests()
        .iter()
        .map(|request| request.caller.run.to_string())
        .collect();
    assert_eq!(runs, [RUN, RUN]);
}

#[tokio::test]
async fn a_run_at_initialize_is_known_and_one() {
    let gateway = Gateway::start();
    let other = "ffeeddccbbaa99887766554433221100";
    for (token, header, meta, status) in [
        (DESK, Some(RUN), Some(RUN), StatusCode::OK),
        (DESK, Some(RUN), Some(other), StatusCode::BAD_REQUEST),
        (DESK, Some(other), None, StatusCode::BAD_REQUEST),
        (DESK, None, Some(other), StatusCode::BAD_REQUEST),
        (BILLING, Some(RUN), None, StatusCode::BAD_REQUEST),
    ] {
        let mut params = json!({"protocolVersion": "2025-11-25", "capabilities": {}});
        if let Some(run) = meta {
            params["_meta"] = json!({"dev.stalwart/run-id": run});
        }
        let headers: Vec<(&str, &str)> = header
            .map(|run| ("stalwart-run", run))
            .into_iter()
            .collect();
        let reply = gateway
            .post(token, &headers, request(1, "initialize", params))
            .await;
        assert_eq!(reply.status, status);
        if status != StatusCode::OK {
            assert_eq!(reply.json().await["error"]["code"], -32602);
        }
    }
}

#[tokio::test]
async fn what_the_headers_of_a_session_must_be() {
    let gateway = Gateway::start();
    let session = gateway.initialize(DESK, json!({})).await;
    for (version, status) in [
        ("2025-06-18", StatusCode::OK),
        ("1999-01-01", StatusCode::BAD_REQUEST),
    ] {
        let headers = [
            ("mcp-session-id", session.as_str()),
            ("mcp-protocol-version", version),
        ];
        let reply = gateway
            .post(DESK, &headers, request(2, "ping", json!({})))
            .await;
        assert_eq!(reply.status, status, "{version}");
    }
}

#[tokio::test]
async fn the_stream_of_a_session_tells_of_changes() {
    let gateway = Gateway::start();
    let session = gateway.initialize(DESK, json!({})).await;
    let headers = [("mcp-session-id", session.as_str())];
    let mut first = gateway.send(Method::GET, "/mcp", DESK, &headers, "").await;
    assert_eq!(first.status, StatusCode::OK);
    gateway.running.tools_changed();
    let told = first.next().await.unwrap();
    assert_eq!(
        told,
        json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    );
    // Another stream takes its place.
    let mut second = gateway.send(Method::GET, "/mcp", DESK, &headers, "").await;
    assert!(first.next().await.is_none());
    gateway.running.tools_changed();
    assert!(second.next().await.is_some());
    gateway
        .send(Method::DELETE, "/mcp", DESK, &headers, "")
        .await;
    assert!(second.next().await.is_none());
    let gone = gateway
        .post(DESK, &headers, request(2, "ping", json!({})))
        .await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn aborting_is_not_done_here_and_keeps_the_session() {
    let gateway = Gateway::start();
    let session = gateway.initialize(DESK, json!({})).await;
    let headers = [("mcp-session-id", session.as_str())];
    let aborted = gateway
        .send(Method::DELETE, "/mcp?abort=1", DESK, &headers, "")
        .await;
    assert_eq!(aborted.status, StatusCode::NOT_IMPLEMENTED);
    let ping = gateway
        .post(DESK, &headers, request(2, "ping", json!({})))
        .await;
    assert_eq!(ping.status, StatusCode::OK);
}
