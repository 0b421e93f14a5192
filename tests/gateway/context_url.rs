//! The host that is asked for the context, over HTTP: what it is told, and what of its answers
//! counts.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use stalwart::gateway::{ContextQuestion, ContextSource, ContextUnavailable};
use stalwart::service::ContextUrl;
use tokio::net::TcpListener;
use zeroize::Zeroizing;

type Seen = Arc<Mutex<Vec<(Option<String>, Value)>>>;

/// A host that gives one answer, after a while; its address, and what it was told.
async fn host(status: StatusCode, answer: &'static str, after: Duration) -> (String, Seen) {
    let seen = Seen::default();
    let told = Arc::clone(&seen);
    let respond = move |headers: HeaderMap, body: Bytes| async move {
        let token = headers.get(header::AUTHORIZATION);
        let token = token.map(|token| token.to_str().unwrap().to_owned());
        let question = stalwart::json::parse(&body).unwrap();
        told.lock().unwrap().push((token, question));
        tokio::time::sleep(after).await;
        let response: Response =
            (status, [(header::LOCATION, "/elsewhere")], answer).into_response();
        response
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/context", listener.local_addr().unwrap());
    let app = Router::new().fallback(respond);
    tokio::spawn(async move { axum::serve(listener, app).await });
    (url, seen)
}

async fn ask(url: &str) -> Result<Map<String, Value>, ContextUnavailable> {
    let token = Zeroizing::new("a-token-of-the-gateway".to_owned());
    let host = ContextUrl::new(url, Some(&token)).unwrap();
    let question = ContextQuestion {
        agent: "desk".to_owned(),
        run: "shared:desk".to_owned(),
        subject: Some("ana".to_owned()),
        tool: "charge_card".to_owned(),
        arguments: Map::from_iter([("order_id".to_owned(), json!("4411"))]),
    };
    host.ask(question).await
}

#[tokio::test]
async fn the_host_is_told_of_the_call_and_its_answer_counts() {
    let answer = r#"{"order_paid": true, "amount": 40.000000000000000000001}"#;
    let (url, seen) = host(StatusCode::OK, answer, Duration::ZERO).await;
    let values = ask(&url).await.unwrap();
    assert_eq!(values["order_paid"], json!(true));
    assert_eq!(values["amount"].to_string(), "40.000000000000000000001");
    let told = json!({
        "agent": "desk",
        "run": "shared:desk",
        "subject": "ana",
        "tool": "charge_card",
        "arguments": {"order_id": "4411"},
    });
    let token = Some("Bearer a-token-of-the-gateway".to_owned());
    assert_eq!(*seen.lock().unwrap(), [(token, told)]);
}

#[tokio::test]
async fn no_other_answer_counts() {
    let long: &'static str = Box::leak(format!(r#"{{"a":"{}"}}"#, "x".repeat(64 << 10)).into());
    let (now, late) = (Duration::ZERO, Duration::from_millis(700));
    for (status, answer, after, expected) in [
        (StatusCode::OK, "[]", now, "no JSON object"),
        (StatusCode::OK, r#"{"a":1,"a":2}"#, now, "twice"),
        (StatusCode::OK, "{", now, "cannot be read"),
        (StatusCode::OK, long, now, "longer than 64 KiB"),
        (StatusCode::OK, "{}", late, "500 ms"),
        (StatusCode::CREATED, "{}", now, "status 201"),
        (StatusCode::FORBIDDEN, "{}", now, "status 403"),
        (StatusCode::TEMPORARY_REDIRECT, "{}", now, "status 307"),
    ] {
        let (url, seen) = host(status, answer, after).await;
        let fault = ask(&url).await.unwrap_err().to_string();
        assert!(fault.contains(expected), "{fault}");
        assert_eq!(seen.lock().unwrap().len(), 1, "{expected}");
    }
    let gone = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", gone.local_addr().unwrap());
    drop(gone);
    let fault = ask(&url).await.unwrap_err().to_string();
    assert!(fault.contains("cannot be reached"), "{fault}");
}
