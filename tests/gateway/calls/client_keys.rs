//! A client's idempotency keys.

use super::CHARGE;
use super::asking;
use super::done;
use crate::harness::Plan;
use crate::harness::deaf;
use crate::harness::stateless;
use stalwart::gateway::Answer;
use stalwart::gateway::CallRequest;
use stalwart::tool_check::Reason;

#[tokio::test]
async fn a_key_of_the_client_makes_a_call_once() {
    let bench = Plan::default().start().await;
    let run = bench.gateway.mint_run("desk", None, None).await.unwrap();
    let keyed = |arguments: &str| CallRequest {
        idempotency_key: Some("order-4411".to_owned()),
        ..stateless("desk", Some(&run), "charge_card", arguments)
    };
    let request = keyed(CHARGE);
    let question = asking(bench.gateway.begin(&request, &deaf()).await);
    assert_eq!(
        done(bench.gateway.begin(&request, &deaf()).await).reason,
        Reason::InProgress
    );
    let other = keyed(r#"{"order_id": "4411", "amount": 41}"#);
    assert_eq!(
        done(bench.gateway.begin(&other, &deaf()).await).reason,
        Reason::IdempotencyConflict
    );
    let first = done(
        bench
            .gateway
            .answer(&request, &question.id, Answer::Yes, &deaf())
            .await,
    );
    assert_eq!(first.reason, Reason::Confirmed);
    let again = done(bench.gateway.begin(&request, &deaf()).await);
    assert_eq!((again.reason, &again.body), (Reason::Replayed, &first.body));
    assert_eq!(
        done(bench.gateway.begin(&other, &deaf()).await).reason,
        Reason::IdempotencyConflict
    );
    assert_eq!(bench.received(), ["charge_card"]);
    // Another run has keys of its own.
    let elsewhere = bench.gateway.mint_run("desk", None, None).await.unwrap();
    let elsewhere = CallRequest {
        idempotency_key: Some("order-4411".to_owned()),
        ..stateless("desk", Some(&elsewhere), "charge_card", CHARGE)
    };
    asking(bench.gateway.begin(&elsewhere, &deaf()).await);
}

#[tokio::test]
async fn a_refusal_frees_the_key() {
    let bench = Plan::default().start().await;
    let run = bench.gateway.mint_run("desk", None, None).await.unwrap();
    let request = CallRequest {
        idempotency_key: Some("k".to_owned()),
        ..stateless("desk", Some(&run), "charge_card", CHARGE)
    };
    for answer in [
        Answer::Cancelled,
        Answer::TimedOut,
        Answer::Gone,
        Answer::Yes,
    ] {
        let question = asking(bench.gateway.begin(&request, &deaf()).await);
        done(
            bench
                .gateway
                .answer(&request, &question.id, answer, &deaf())
                .await,
        );
    }
    assert_eq!(bench.received(), ["charge_card"]);
    // Withdrawn by the clock, it is free as well.
    let request = CallRequest {
        idempotency_key: Some("l".to_owned()),
        ..request
    };
    asking(bench.gateway.begin(&request, &deaf()).await);
    bench.clock.advance(600_000);
    bench.gateway.tend().await.unwrap();
    asking(bench.gateway.begin(&request, &deaf()).await);
}

#[tokio::test]
async fn the_key_of_a_retry_means_nothing() {
    for retried in [None, Some("another")] {
        let bench = Plan::default().start().await;
        let run = bench.gateway.mint_run("desk", None, None).await.unwrap();
        let request = |key: Option<&str>| CallRequest {
            idempotency_key: key.map(str::to_owned),
            ..stateless("desk", Some(&run), "charge_card", CHARGE)
        };
        let question = asking(bench.gateway.begin(&request(Some("k")), &deaf()).await);
        let retry = request(retried);
        let reply = done(
            bench
                .gateway
                .answer(&retry, &question.id, Answer::Yes, &deaf())
                .await,
        );
        assert_eq!(reply.reason, Reason::Confirmed);
        let again = done(bench.gateway.begin(&request(Some("k")), &deaf()).await);
        assert_eq!((again.reason, again.body), (Reason::Replayed, reply.body));
        assert_eq!(bench.received(), ["charge_card"]);
    }
}

#[tokio::test]
async fn a_call_that_never_arrived_gives_its_key_back() {
    let bench = Plan::default().start().await;
    let run = bench.gateway.mint_run("desk", None, None).await.unwrap();
    let request = CallRequest {
        idempotency_key: Some("k".to_owned()),
        ..stateless("desk", Some(&run), "charge_card", CHARGE)
    };
    let not = stalwart::gateway::CallEnd::NotForwarded(stalwart::gateway::Unavailable(
        "refused".to_owned(),
    ));
    bench.server.ends.lock().unwrap().push_back(not);
    for expected in ["not_forwarded", "ok"] {
        let question = asking(bench.gateway.begin(&request, &deaf()).await);
        done(
            bench
                .gateway
                .answer(&request, &question.id, Answer::Yes, &deaf())
                .await,
        );
        assert_eq!(bench.outcomes().last().unwrap(), expected);
    }
}
