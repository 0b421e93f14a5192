//! What passes between server and client while a call runs.

use super::*;

fn with_token() -> ForwardedCall {
    ForwardedCall {
        meta: Some(r#"{"progressToken": 7}"#.to_owned()),
        ..write()
    }
}

fn text(end: &CallEnd) -> String {
    match end {
        CallEnd::Result { json, .. } => json.clone(),
        other => panic!("no result: {other:?}"),
    }
}

#[tokio::test]
async fn progress_comes_under_the_clients_token_and_nothing_else() {
    for era in ERAS {
        let setup = Setup::new(ServedEras::Both, Manner::Chatty).await;
        let client = Client::default();
        let end = setup.call(era, &with_token(), &client).await;
        assert!(text(&end).contains("Done."));
        let progress = |done: u32| {
            let params = format!(
                r#"{{"progress":{done},"total":2.50, "_meta": {{"x":2}}, "progressToken": 7}}"#
            );
            ("notifications/progress".to_owned(), params)
        };
        assert_eq!(client.notified(), [progress(1), progress(2)]);
        let meta = setup.shop.received()[0].meta.clone().unwrap();
        assert!(!meta.contains("7}") && meta.contains("call-"), "{meta}");

        let silent = Client::default();
        setup.call(era, &write(), &silent).await;
        assert!(silent.notified().is_empty());
    }
}

#[tokio::test]
async fn a_question_of_the_old_era_passes_to_a_client_that_can_be_asked() {
    let params = r#"{"message":"Sure?","requestedSchema":{"type":"object","properties":{}},"_meta":{"stalwart":1}}"#;
    let setup = Setup::new(ServedEras::Session, Manner::Asks(params.to_owned())).await;
    let client = Client {
        answer: Some(r#"{"action":"accept","content":{"n":1.50}}"#.to_owned()),
        ..Client::default()
    };
    let end = setup.call(Era::Session, &write(), &client).await;
    assert!(text(&end).contains(r#"\"n\":1.50"#), "{end:?}");
    let asked = client.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].method, "elicitation/create");
    assert!(asked[0].params.contains("Sure?") && !asked[0].params.contains("stalwart"));

    // The relay refuses.
    let end = setup.call(Era::Session, &write(), &Client::default()).await;
    assert!(text(&end).contains("nobody is there"), "{end:?}");
}

#[tokio::test]
async fn a_question_does_not_pass_where_the_client_cannot_be_asked() {
    let url =
        r#"{"mode":"url","url":"http://127.0.0.1:9/","message":"Sign in","elicitationId":"1"}"#;
    let form = r#"{"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}"#;
    for (capabilities, era, params, expected) in [
        ("{}", Era::Session, form, "-32601"),
        (r#"{"elicitation":true}"#, Era::Session, form, "-32601"),
        (r#"{"elicitation":{}}"#, Era::Session, url, "-32602"),
        (
            r#"{"elicitation":{"url":{}}}"#,
            Era::Session,
            form,
            "-32602",
        ),
        // Questions do not cross eras.
        (r#"{"elicitation":{}}"#, Era::Stateless, form, "-32601"),
    ] {
        let setup = Setup::new(ServedEras::Session, Manner::Asks(params.to_owned())).await;
        let client = Client {
            answer: Some(r#"{"action":"accept"}"#.to_owned()),
            ..Client::default()
        };
        let scope = UpstreamScope {
            capabilities: capabilities.to_owned(),
            ..scope(era)
        };
        let end = setup.open(&scope).await.call(&write(), &client).await;
        assert!(text(&end).contains(expected), "{capabilities}: {end:?}");
        assert!(client.asked().is_empty());
    }
}

#[tokio::test]
async fn other_requests_of_a_server_are_answered_here() {
    for (method, expected) in [
        ("ping", "{}"),
        ("sampling/createMessage", "-32601"),
        ("roots/list", "-32601"),
        ("tools/call", "-32601"),
    ] {
        let setup = Setup::new(ServedEras::Session, Manner::Requests(method.to_owned())).await;
        let client = Client::default();
        let end = setup.call(Era::Session, &read(), &client).await;
        assert!(text(&end).contains(expected), "{method}: {end:?}");
        assert!(client.asked().is_empty() && client.notified().is_empty());
    }
}

#[tokio::test]
async fn the_time_of_a_person_is_not_the_servers() {
    let form = r#"{"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}"#;
    let setup = Setup::new(ServedEras::Session, Manner::Asks(form.to_owned())).await;
    let client = Client {
        answer: Some(r#"{"action":"decline"}"#.to_owned()),
        thinks: Duration::from_millis(400),
        ..Client::default()
    };
    let call = ForwardedCall {
        timeout: Duration::from_millis(200),
        ..write()
    };
    let session = setup.open(&scope(Era::Session)).await;
    let now = Arc::clone(&setup.now);
    let ticking = tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_millis(10)).await;
            now.fetch_add(10, Ordering::Relaxed);
        }
    });
    let end = session.call(&call, &client).await;
    ticking.abort();
    assert!(text(&end).contains("decline"), "{end:?}");
}

#[tokio::test]
async fn a_cancel_in_a_session_is_told_and_the_outcome_awaited() {
    let setup = Setup::new(ServedEras::Session, Manner::UntilCancelled).await;
    let client = Client::default();
    let cancellation = client.cancellation.clone();
    let session = setup.open(&scope(Era::Session)).await;
    let write = write();
    let (end, ()) = tokio::join!(session.call(&write, &client), async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        cancellation.cancel();
    });
    assert!(text(&end).contains("Cancelled."), "{end:?}");
    assert!(
        setup
            .methods()
            .contains(&"notifications/cancelled".to_owned())
    );
}

#[tokio::test]
async fn a_cancel_of_a_stateless_call_closes_its_stream() {
    let setup = Setup::new(ServedEras::Stateless, Manner::UntilCancelled).await;
    let client = Client::default();
    let cancellation = client.cancellation.clone();
    let session = setup.open(&scope(Era::Stateless)).await;
    let write = write();
    let (end, ()) = tokio::join!(session.call(&write, &client), async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        cancellation.cancel();
    });
    assert!(matches!(end, CallEnd::Lost(_)), "{end:?}");
    assert_eq!(setup.shop.received().len(), 1);
}

#[tokio::test]
async fn what_is_cancelled_before_it_is_sent_is_not_sent() {
    for era in ERAS {
        let setup = Setup::new(ServedEras::Both, Manner::Usual).await;
        let client = Client::default();
        client.cancellation.cancel();
        let end = setup.call(era, &write(), &client).await;
        assert!(matches!(end, CallEnd::NotForwarded(_)), "{end:?}");
        assert!(setup.shop.received().is_empty());
    }
}

#[tokio::test]
async fn a_broken_stream_of_a_session_is_taken_up_again() {
    let setup = Setup::new(ServedEras::Both, Manner::Resumed).await;
    let end = setup.call(Era::Session, &write(), &Client::default()).await;
    assert!(text(&end).contains("Resumed."), "{end:?}");
    assert_eq!(setup.shop.received().len(), 1);
    // The new era has no such thing.
    let setup = Setup::new(ServedEras::Both, Manner::Resumed).await;
    let end = setup
        .call(Era::Stateless, &write(), &Client::default())
        .await;
    assert!(matches!(end, CallEnd::Lost(_)), "{end:?}");
}
