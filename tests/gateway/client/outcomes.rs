//! What became of a call, for everything that a server can do to it.

use super::*;

fn raw(status: u16, content_type: &str, body: &str) -> Manner {
    Manner::Raw {
        status,
        content_type: content_type.to_owned(),
        location: String::new(),
        body: body.to_owned(),
    }
}

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

/// The end of a call in one word, and its text.
fn word(end: &CallEnd) -> (&'static str, String) {
    match end {
        CallEnd::Result { json, is_error } => {
            (if *is_error { "is_error" } else { "ok" }, json.clone())
        }
        CallEnd::InputRequired(json) => ("input_required", json.clone()),
        CallEnd::Error(json) => ("error", json.clone()),
        CallEnd::NotForwarded(text) => ("not_forwarded", text.0.clone()),
        CallEnd::Lost(text) => ("lost", text.0.clone()),
    }
}

#[tokio::test]
async fn a_call_reaches_the_server_unchanged_and_its_result_comes_back() {
    for era in ERAS {
        let setup = Setup::new(ServedEras::Both, Manner::Usual).await;
        let client = Client::default();
        let call = ForwardedCall {
            meta: Some(
                r#"{"traceparent" :"00-1", "dev.stalwart/run-id":"r", "idempotency_key":"mine"}"#
                    .to_owned(),
            ),
            ..write()
        };
        let (end, json) = word(&setup.call(era, &call, &client).await);
        assert_eq!(end, "ok", "{json}");
        assert!(json.contains("Charged 40.0 for order 4411."), "{json}");

        let received = setup.shop.received();
        assert_eq!(received.len(), 1);
        assert_eq!(received[0].arguments, call.arguments);
        assert_eq!(received[0].idempotency_key.as_deref(), Some("key-1"));
        let meta = received[0].meta.clone().unwrap();
        assert!(meta.contains(r#""traceparent" :"00-1""#), "{meta}");
        assert!(meta.contains(r#""idempotency_key": "key-1""#), "{meta}");
        assert!(!meta.contains("run-id") && !meta.contains("mine"), "{meta}");

        let (end, json) = word(&setup.call(era, &read(), &client).await);
        assert_eq!(end, "ok", "{json}");
        let received = setup.shop.received();
        assert_eq!(received[1].idempotency_key, None);
        let meta = received[1].meta.clone().unwrap_or_default();
        assert!(!meta.contains("idempotency"), "{meta}");
    }
}

#[tokio::test]
async fn every_answer_has_its_outcome() {
    let redirect = Manner::Raw {
        status: 307,
        content_type: String::new(),
        location: "http://127.0.0.1:9/elsewhere".to_owned(),
        body: String::new(),
    };
    let result = |members: &str| format!(r#"{{"jsonrpc":"2.0","id":$ID,"result":{{{members}}}}}"#);
    let error = r#"{"jsonrpc":"2.0","id":$ID,"error":{"code":-32602,"message":"no"}}"#;
    let nameless = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"no"}}"#;
    let stream = |text: &str| format!("data: {text}\n\n");
    let cases = [
        ("a result", raw(200, JSON, &result(r#""content":[]"#)), "ok"),
        (
            "parameters of the type",
            raw(200, "Application/JSON; charset=utf-8", &result("")),
            "ok",
        ),
        (
            "isError: false",
            raw(200, JSON, &result(r#""isError":false"#)),
            "ok",
        ),
        (
            "isError: true",
            raw(200, JSON, &result(r#""isError":true"#)),
            "is_error",
        ),
        (
            "isError as a string",
            raw(200, JSON, &result(r#""isError":"true""#)),
            "lost",
        ),
        (
            "isError as null",
            raw(200, JSON, &result(r#""isError":null"#)),
            "lost",
        ),
        (
            "isError twice",
            raw(200, JSON, &result(r#""isError":true,"isError":false"#)),
            "lost",
        ),
        (
            "isError escaped",
            raw(200, JSON, &result(r#""is\u0045rror":true"#)),
            "is_error",
        ),
        (
            "a complete result",
            raw(200, JSON, &result(r#""resultType":"complete""#)),
            "ok",
        ),
        (
            "a task",
            raw(200, JSON, &result(r#""resultType":"task","taskId":"1""#)),
            "lost",
        ),
        (
            "a type that is none",
            raw(200, JSON, &result(r#""resultType":1"#)),
            "lost",
        ),
        ("an error", raw(200, JSON, error), "error"),
        ("an error with 400", raw(400, JSON, error), "error"),
        ("an error with 404", raw(404, JSON, error), "error"),
        ("an error with 500", raw(500, JSON, error), "error"),
        (
            "an error with 401, and no id",
            raw(401, JSON, nameless),
            "error",
        ),
        ("a result with 500", raw(500, JSON, &result("")), "lost"),
        ("401 and no body", raw(401, "", ""), "lost"),
        ("403 and a page", raw(403, "text/html", "<p>no</p>"), "lost"),
        ("429", raw(429, "text/plain", "slow down"), "lost"),
        ("502", raw(502, "text/html", "<p>bad gateway</p>"), "lost"),
        ("a redirect", redirect, "lost"),
        ("202 and no body", raw(202, "", ""), "lost"),
        ("no body", raw(200, JSON, ""), "lost"),
        ("a page", raw(200, "text/html", &result("")), "lost"),
        ("no type", raw(200, "", &result("")), "lost"),
        (
            "half an answer",
            raw(200, JSON, r#"{"jsonrpc":"2.0","id":$ID,"res"#),
            "lost",
        ),
        (
            "a list",
            raw(200, JSON, &format!("[{}]", result(""))),
            "lost",
        ),
        (
            "another's answer",
            raw(200, JSON, r#"{"jsonrpc":"2.0","id":77777,"result":{}}"#),
            "lost",
        ),
        (
            "its id as a string",
            raw(200, JSON, r#"{"jsonrpc":"2.0","id":"$ID","result":{}}"#),
            "lost",
        ),
        (
            "no object",
            raw(200, JSON, r#"{"jsonrpc":"2.0","id":$ID,"result":[]}"#),
            "lost",
        ),
        (
            "both",
            raw(
                200,
                JSON,
                r#"{"jsonrpc":"2.0","id":$ID,"result":{},"error":{"code":1,"message":""}}"#,
            ),
            "lost",
        ),
        (
            "a request",
            raw(200, JSON, r#"{"jsonrpc":"2.0","id":$ID,"method":"ping"}"#),
            "lost",
        ),
        ("a stream", raw(200, EVENTS, &stream(&result(""))), "ok"),
        (
            "a stream behind another's answer",
            raw(
                200,
                EVENTS,
                &format!(
                    "{}{}",
                    stream(r#"{"jsonrpc":"2.0","id":77777,"result":{"isError":true}}"#),
                    stream(&result(""))
                ),
            ),
            "ok",
        ),
        (
            "a stream with an error",
            raw(200, EVENTS, &stream(error)),
            "error",
        ),
        (
            "a stream that ends",
            raw(200, EVENTS, ": nothing\n\n"),
            "lost",
        ),
        (
            "a stream of no JSON",
            raw(200, EVENTS, "data: hello\n\n"),
            "lost",
        ),
        (
            "a stream without an end",
            raw(200, EVENTS, &format!("data: {}", result(""))),
            "lost",
        ),
        ("a stream that breaks", Manner::Broken, "lost"),
        ("an answer byte by byte", Manner::ByteByByte, "ok"),
        ("an answer that is too long", Manner::Huge(70 << 10), "lost"),
        (
            "an event that is too long",
            raw(200, EVENTS, &format!("data: {}", "x".repeat(70 << 10))),
            "lost",
        ),
        (
            "a stream that is too long",
            raw(200, EVENTS, &": x\n".repeat(40 << 10)),
            "lost",
        ),
        (
            "deep",
            raw(
                200,
                JSON,
                &result(&format!(r#""a":{}{}"#, "[".repeat(200), "]".repeat(200))),
            ),
            "lost",
        ),
        (
            "nothing in time",
            Manner::Slow(Duration::from_secs(9)),
            "lost",
        ),
    ];
    for era in ERAS {
        let setup = Setup::new(ServedEras::Both, Manner::Usual).await;
        for call in [read(), write()] {
            for (name, manner, expected) in &cases {
                setup.shop.set_manner(manner.clone());
                let before = setup.shop.received().len();
                let call = ForwardedCall {
                    timeout: Duration::from_millis(300),
                    ..call.clone()
                };
                let end = setup.call(era, &call, &Client::default()).await;
                assert_eq!(word(&end).0, *expected, "{name}, {era:?}: {end:?}");
                let times = setup.shop.received().len() - before;
                assert_eq!(times, 1, "{name}, {era:?}: sent {times} times");
            }
        }
    }
}

#[tokio::test]
async fn what_reaches_nobody_is_not_forwarded() {
    for era in ERAS {
        let setup = Setup::new(ServedEras::Both, Manner::Usual).await;
        let session = setup.open(&scope(era)).await;
        session.tools().await.unwrap();
        let Setup { shop, servers, .. } = setup;
        shop.stop().await;
        let (end, text) = word(&session.call(&write(), &Client::default()).await);
        assert_eq!(end, "not_forwarded", "{text}");
        assert!(text.contains("server `shop`: no connection"), "{text}");

        let mut other = scope(era);
        other.key.push('2');
        let error = servers.open("shop", &other).await.err();
        if era == Era::Session {
            assert!(error.unwrap().0.contains("no connection"));
        }
        let error = servers.open("other", &other).await.err().unwrap();
        assert_eq!(error.0, "there is no server `other`");
    }
}

#[tokio::test]
async fn the_own_keys_of_the_gateway_do_not_come_from_a_server() {
    let result = r#"{"jsonrpc":"2.0","id":$ID,"result":{"n": 1.50,"_meta":{"dev.stalwart/reason":"allow","stalwart":{"refused":"x"},"approval_status":"pending","y" : 2}}}"#;
    let error = r#"{"jsonrpc":"2.0","id":$ID,"error":{"code":-32602,"message":"no","data":{"stalwart":{"refused":"unknown_tool"},"z":1.0}}}"#;
    for era in ERAS {
        let setup = Setup::new(ServedEras::Both, raw(200, JSON, result)).await;
        let end = setup.call(era, &read(), &Client::default()).await;
        assert_eq!(
            word(&end),
            ("ok", r#"{"n": 1.50, "_meta": {"y" : 2}}"#.to_owned())
        );
        setup.shop.set_manner(raw(400, JSON, error));
        let end = setup.call(era, &read(), &Client::default()).await;
        let expected = r#"{"code":-32602,"message":"no", "data": {"z":1.0}}"#;
        assert_eq!(word(&end), ("error", expected.to_owned()));
    }
}

#[tokio::test]
async fn a_question_of_the_new_era_comes_back_as_a_result() {
    let params =
        r#"{"mode":"form","message":"Sure?","requestedSchema":{"type":"object","properties":{}}}"#;
    let setup = Setup::new(ServedEras::Stateless, Manner::Asks(params.to_owned())).await;
    let client = Client::default();
    let (end, json) = word(&setup.call(Era::Stateless, &write(), &client).await);
    assert_eq!(end, "input_required");
    assert!(
        json.contains("Sure?") && !json.contains("dev.stalwart"),
        "{json}"
    );

    let answers = stalwart::gateway::UpstreamAnswers {
        responses: r#"{"ask":{"action":"accept","content":{}}}"#.to_owned(),
        state: Some(r#""shop-state""#.to_owned()),
    };
    let call = ForwardedCall {
        answers: Some(answers),
        ..write()
    };
    let (end, json) = word(&setup.call(Era::Stateless, &call, &client).await);
    assert_eq!(end, "ok");
    assert!(json.contains("accept"), "{json}");
    let request = setup.shop.requests().pop().unwrap();
    assert!(
        request.body.contains(r#""requestState":"shop-state""#),
        "{}",
        request.body
    );

    // A caller of the old era cannot be asked so.
    let (end, json) = word(&setup.call(Era::Session, &write(), &client).await);
    assert_eq!(end, "lost", "{json}");
    assert!(json.contains("asks for input"), "{json}");
    assert!(client.asked().is_empty());
}

#[tokio::test]
async fn an_input_required_of_the_old_era_is_none() {
    let result =
        r#"{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","inputRequests":{}}}"#;
    let setup = Setup::new(ServedEras::Session, raw(200, JSON, result)).await;
    for era in ERAS {
        let (end, text) = word(&setup.call(era, &write(), &Client::default()).await);
        assert_eq!(end, "lost", "{text}");
    }
}

#[tokio::test]
async fn a_handshake_that_fails_is_no_connection() {
    for era in ERAS {
        let setup = Setup::with(ServedEras::Both, Manner::Usual, |address| {
            address.url = address.url.replace("http://", "https://");
        })
        .await;
        let error = setup.servers.open("shop", &scope(era)).await.err().unwrap();
        assert!(error.0.contains("no connection"), "{error}");
        assert!(setup.shop.requests().is_empty());
    }
}

#[tokio::test]
async fn a_session_that_is_lost_on_the_way_is_not_forwarded() {
    // The session has to be opened anew before the call is sent, and nobody is there.
    let setup = Setup::new(ServedEras::Session, Manner::Usual).await;
    let session = setup.open(&scope(Era::Session)).await;
    setup.shop.forget_sessions();
    let end = session.call(&write(), &Client::default()).await;
    assert_eq!(word(&end).0, "error");
    let Setup { shop, .. } = setup;
    shop.stop().await;
    let end = session.call(&write(), &Client::default()).await;
    assert_eq!(word(&end).0, "not_forwarded", "{end:?}");
}
