//! How many sessions there are, and how long they live.

use reqwest::{Method, StatusCode};
use serde_json::json;

use super::peer::{BILLING, DESK, Gateway, asked, request, settings};

#[tokio::test]
async fn sessions_are_bounded_and_end_when_they_are_idle() {
    let mut settings = settings();
    settings.endpoint.sessions_per_agent = 2;
    settings.endpoint.calls_per_session = 1;
    let gateway = Gateway::with(settings);
    let first = gateway.initialize(DESK, asked()).await;
    gateway
        .ahead
        .store(10, std::sync::atomic::Ordering::Relaxed);
    let second = gateway.initialize(DESK, asked()).await;
    // The first has a call in flight, so the second makes room.
    let mut call = gateway
        .call(&first, 2, json!({"name": "charge_card"}))
        .await;
    call.next().await.unwrap();
    let busy = gateway.call(&first, 2, json!({"name": "get_order"})).await;
    assert_eq!(busy.status, StatusCode::BAD_REQUEST);
    gateway.initialize(BILLING, asked()).await;
    let third = gateway.initialize(DESK, asked()).await;
    let ping = |session: String| {
        let gateway = &gateway;
        async move {
            let headers = [("mcp-session-id", session.as_str())];
            gateway
                .post(DESK, &headers, request(9, "ping", json!({})))
                .await
                .status
        }
    };
    assert_eq!(ping(second).await, StatusCode::NOT_FOUND);
    assert_eq!(ping(first).await, StatusCode::OK);
    assert_eq!(ping(third).await, StatusCode::OK);
    assert_eq!(gateway.running.open_sessions(), 3);
}

#[tokio::test]
async fn sessions_of_all_agents_are_bounded() {
    let mut settings = settings();
    settings.endpoint.sessions = 2;
    let gateway = Gateway::with(settings);
    gateway.initialize(DESK, asked()).await;
    gateway.initialize(DESK, asked()).await;
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}});
    let body = request(1, "initialize", params);
    let refused = gateway.post(super::peer::BILLING, &[], body).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    // An agent's own makes room.
    gateway.initialize(DESK, asked()).await;
    assert_eq!(gateway.running.open_sessions(), 2);
}

#[tokio::test]
async fn a_session_with_a_call_or_a_stream_is_not_idle() {
    let mut settings = settings();
    settings.endpoint.session_idle = std::time::Duration::from_millis(100);
    let gateway = Gateway::with(settings);
    let ahead = |millis: i64| {
        let order = std::sync::atomic::Ordering::Relaxed;
        gateway.ahead.fetch_add(millis, order);
        gateway.running.end_idle_sessions();
        gateway.running.open_sessions()
    };
    let session = gateway.initialize(DESK, asked()).await;
    let mut call = gateway
        .call(&session, 2, json!({"name": "charge_card"}))
        .await;
    let question = call.next().await.unwrap();
    assert_eq!(ahead(500), 1, "a call is in flight");
    let headers = [("mcp-session-id", session.as_str())];
    let stream = gateway.send(Method::GET, "/mcp", DESK, &headers, "").await;
    assert_eq!(stream.status, StatusCode::OK);
    let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "decline"}});
    assert_eq!(ahead(500), 1);
    gateway.post(DESK, &headers, answer).await;
    while call.next().await.is_some() {}
    assert_eq!(ahead(500), 1, "a stream is open");
    drop(stream);
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    assert_eq!(ahead(90), 1, "the stream ended a moment ago");
    assert_eq!(ahead(90), 0);
}

#[tokio::test]
async fn the_end_of_a_call_counts_as_use() {
    let mut settings = settings();
    settings.endpoint.session_idle = std::time::Duration::from_millis(100);
    let gateway = Gateway::with(settings);
    let session = gateway.initialize(DESK, asked()).await;
    let call = gateway.call(&session, 2, json!({"name": "slow"}));
    let order = std::sync::atomic::Ordering::Relaxed;
    let (call, ()) = tokio::join!(call, async {
        gateway.core.saw("slow began").await;
        gateway.ahead.fetch_add(500, order);
    });
    assert_eq!(call.status, StatusCode::OK);
    gateway.ahead.fetch_add(90, order);
    gateway.running.end_idle_sessions();
    assert_eq!(gateway.running.open_sessions(), 1);
}

#[tokio::test]
async fn a_fault_of_the_core_ends_one_call() {
    let gateway = Gateway::start();
    let session = gateway.initialize(DESK, json!({})).await;
    let call = gateway.call(&session, 2, json!({"name": "panics"})).await;
    assert_eq!(call.status, StatusCode::INTERNAL_SERVER_ERROR);
    let call = gateway
        .call(&session, 2, json!({"name": "get_order"}))
        .await;
    assert_eq!(call.status, StatusCode::OK);
}
