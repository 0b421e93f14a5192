//! What servers do with calls, and what is recorded of it.

use super::CHARGE;
use super::ORDER;
use super::asking;
use super::charge_in_run;
use super::done;
use crate::harness::Person;
use crate::harness::Plan;
use crate::harness::SOON;
use crate::harness::deaf;
use crate::harness::ok;
use crate::harness::reason;
use crate::harness::stateless;
use serde_json::json;
use stalwart::gateway::Answer;
use stalwart::gateway::CallEnd;
use stalwart::gateway::Nobody;
use stalwart::gateway::ReplyBody;
use stalwart::gateway::Unavailable;
use stalwart::store::CallState;
use stalwart::tool_check::Reason;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::Notify;

#[tokio::test]
async fn a_lost_write_is_not_made_again() {
    let bench = Plan::default().start().await;
    let desk = bench.gateway.open("desk", true).unwrap();
    let lost = CallEnd::Lost(Unavailable("the connection broke".to_owned()));
    bench.server.ends.lock().unwrap().push_back(lost);
    let person = Person::who_says([Answer::Yes, Answer::Yes]);
    let reply = bench
        .gateway
        .call(&desk, "charge_card", CHARGE, &person)
        .await;
    assert_eq!(reply.reason, Reason::Confirmed);
    assert!(
        matches!(&reply.body, ReplyBody::Lost(lost) if lost.outcome == CallState::Ambiguous),
        "{reply:?}"
    );
    let again = bench
        .gateway
        .call(&desk, "charge_card", CHARGE, &person)
        .await;
    assert_eq!(reason(&again), "ambiguous_outstanding");
    // A session of its own does not help.
    let other = bench.gateway.open("desk", true).unwrap();
    let again = bench
        .gateway
        .call(&other, "charge_card", CHARGE, &person)
        .await;
    assert_eq!(reason(&again), "ambiguous_outstanding");
    // It counts for `at_most`, and not for `after`.
    let receipt = bench
        .gateway
        .call(&desk, "send_receipt", ORDER, &person)
        .await;
    assert_eq!(reason(&receipt), "order");
    let different = r#"{"order_id": "4412", "amount": 1}"#;
    let reply = bench
        .gateway
        .call(&desk, "charge_card", different, &person)
        .await;
    assert_eq!(reason(&reply), "confirmed");
    let receipt = bench
        .gateway
        .call(&desk, "send_receipt", ORDER, &person)
        .await;
    assert_eq!(reason(&receipt), "allow");
    assert_eq!(bench.outcomes(), ["ambiguous", "ok", "ok"]);
}

#[tokio::test]
async fn a_lost_read_is_an_error_and_may_be_made_again() {
    let bench = Plan::default().start().await;
    let desk = bench.gateway.open("desk", true).unwrap();
    let lost = CallEnd::Lost(Unavailable("the connection broke".to_owned()));
    bench.server.ends.lock().unwrap().push_back(lost);
    for _ in 0..2 {
        let reply = bench.gateway.call(&desk, "get_order", ORDER, &Nobody).await;
        assert_eq!(reply.reason, Reason::Allow);
    }
    assert_eq!(bench.outcomes(), ["error", "ok"]);
}

#[tokio::test]
async fn a_call_that_never_arrived_counts_for_nothing() {
    let bench = Plan::default().start().await;
    let desk = bench.gateway.open("desk", true).unwrap();
    let person = Person::who_says([Answer::Yes; 6]);
    let not = CallEnd::NotForwarded(Unavailable("refused".to_owned()));
    bench
        .server
        .ends
        .lock()
        .unwrap()
        .extend([not.clone(), not.clone(), not]);
    for _ in 0..3 {
        let reply = bench
            .gateway
            .call(&desk, "charge_card", CHARGE, &person)
            .await;
        assert!(
            matches!(&reply.body, ReplyBody::Lost(lost) if lost.outcome == CallState::NotForwarded)
        );
    }
    for amount in 0..3 {
        let arguments = json!({"order_id": "1", "amount": amount}).to_string();
        let reply = bench
            .gateway
            .call(&desk, "charge_card", &arguments, &person)
            .await;
        assert_eq!(reason(&reply), "confirmed");
    }
    let fourth = bench
        .gateway
        .call(&desk, "charge_card", CHARGE, &person)
        .await;
    assert_eq!(reason(&fourth), "order");
}

#[tokio::test]
async fn a_server_that_is_down_gets_nothing() {
    let bench = Plan::default().start().await;
    let desk = bench.gateway.open("desk", true).unwrap();
    bench.server.is_down.store(true, Ordering::SeqCst);
    let reply = bench.gateway.call(&desk, "get_order", ORDER, &Nobody).await;
    assert_eq!(reason(&reply), "upstream_unavailable");
    assert_eq!(bench.decisions(), ["block upstream_unavailable"]);
    assert!(bench.outcomes().is_empty());
}

#[tokio::test]
async fn a_cancelled_call_is_not_forwarded() {
    let bench = Plan::default().start().await;
    let relay = crate::harness::Deaf::default();
    relay.0.cancel();
    let relay: Arc<dyn stalwart::gateway::Relay> = Arc::new(relay);
    let order = stateless("desk", None, "get_order", ORDER);
    assert_eq!(
        done(bench.gateway.begin(&order, &relay).await).reason,
        Reason::Cancelled
    );
    assert!(bench.received().is_empty());
}

#[tokio::test]
async fn a_caller_who_stops_waiting_does_not_stop_the_record() {
    let bench = Plan::default().start().await;
    let gate = Arc::new(Notify::new());
    *bench.server.gate.lock().unwrap() = Some(Arc::clone(&gate));
    let order = stateless("desk", None, "get_order", ORDER);
    let calling = {
        let gateway = bench.gateway.clone();
        tokio::spawn(async move { gateway.begin(&order, &deaf()).await })
    };
    while bench.received().is_empty() {
        tokio::task::yield_now().await;
    }
    calling.abort();
    gate.notify_one();
    tokio::time::timeout(SOON, bench.gateway.drain())
        .await
        .unwrap();
    assert_eq!(bench.outcomes(), ["ok"]);
    let reply = done(
        bench
            .gateway
            .begin(&stateless("desk", None, "get_order", ORDER), &deaf())
            .await,
    );
    assert_eq!(reply.reason, Reason::Draining);
}

#[tokio::test]
async fn a_tool_that_is_described_anew_is_hidden_and_refused() {
    let mut plan = Plan::default();
    let pin = |name: &str| stalwart::catalogue::Pin {
        server: "shop".to_owned(),
        sha256: format!("sha-{name}"),
    };
    let names: Vec<String> = plan.catalogue.tools.keys().cloned().collect();
    let pins = names.iter().map(|name| (name.clone(), pin(name))).collect();
    plan.catalogue.pins = Some(pins);
    let bench = plan.start().await;
    let desk = bench.gateway.open("desk", true).unwrap();
    let reply = bench.gateway.call(&desk, "get_order", ORDER, &Nobody).await;
    assert_eq!(reason(&reply), "allow");
    for definition in &mut *bench.server.definitions.lock().unwrap() {
        if definition.name == "get_order" {
            definition.sha256 = "another".to_owned();
        }
    }
    let reply = bench.gateway.call(&desk, "get_order", ORDER, &Nobody).await;
    assert_eq!(reason(&reply), "tool_changed");
    assert_eq!(
        bench.gateway.tool_names(&desk).await,
        ["charge_card", "read_inbox", "send_receipt"]
    );
    assert_eq!(bench.received(), ["get_order"]);
}

#[tokio::test]
async fn a_server_that_asks_goes_on_with_the_same_call() {
    let bench = Plan::default().start().await;
    let (_, request) = charge_in_run(&bench).await;
    let wants = r#"{"resultType":"input_required","inputRequests":{}}"#.to_owned();
    bench
        .server
        .ends
        .lock()
        .unwrap()
        .push_back(CallEnd::InputRequired(wants));
    bench.server.ends.lock().unwrap().push_back(ok());
    let question = asking(bench.gateway.begin(&request, &deaf()).await);
    let reply = done(
        bench
            .gateway
            .answer(&request, &question.id, Answer::Yes, &deaf())
            .await,
    );
    let ReplyBody::InputRequired { call, round, .. } = &reply.body else {
        panic!("{reply:?}");
    };
    let (call, round) = (*call, round.clone());
    assert!(bench.outcomes().is_empty());
    let forged = done(
        bench
            .gateway
            .resume(&request, call, "forged", &deaf())
            .await,
    );
    assert_eq!(forged.reason, Reason::InProgress);
    let first = done(bench.gateway.resume(&request, call, &round, &deaf()).await);
    assert_eq!(first.reason, Reason::Confirmed);
    assert!(matches!(first.body, ReplyBody::Result(_)));
    let again = done(bench.gateway.resume(&request, call, &round, &deaf()).await);
    assert!(again.reason == Reason::InProgress || again.reason == Reason::Replayed);
    assert_eq!(bench.received(), ["charge_card", "charge_card"]);
    assert_eq!(bench.decisions(), ["allow confirmed"]);
    assert_eq!(bench.outcomes(), ["ok"]);
}

/// A gateway whose server does a write with one key once, however often it is sent.
async fn with_idempotent_server() -> crate::harness::Bench {
    let mut plan = crate::harness::Plan::default();
    let server = stalwart::gateway::ServerSettings {
        idempotent: true,
        timeout: SOON,
    };
    plan.settings.servers.insert("shop".to_owned(), server);
    plan.start().await
}

#[tokio::test]
async fn a_write_is_sent_again_only_to_a_server_that_does_it_once() {
    let lost = || CallEnd::Lost(Unavailable("the connection broke".to_owned()));
    let not = || CallEnd::NotForwarded(Unavailable("refused".to_owned()));
    for (ends, expected) in [
        (vec![lost(), ok()], "ok"),
        (vec![lost(), lost()], "ambiguous"),
        // The first may have been done, whatever became of the second.
        (vec![lost(), not()], "ambiguous"),
        (vec![not()], "not_forwarded"),
    ] {
        let bench = with_idempotent_server().await;
        let sent = ends.len();
        bench.server.ends.lock().unwrap().extend(ends);
        let desk = bench.gateway.open("desk", true).unwrap();
        let person = crate::harness::Person::who_says([Answer::Yes]);
        bench
            .gateway
            .call(&desk, "charge_card", CHARGE, &person)
            .await;
        assert_eq!(bench.outcomes(), [expected]);
        assert_eq!(bench.received().len(), sent);
    }
}

#[tokio::test]
async fn a_cancelled_write_is_not_sent_again() {
    let bench = with_idempotent_server().await;
    let lost = CallEnd::Lost(Unavailable("cancelled".to_owned()));
    bench.server.ends.lock().unwrap().push_back(lost);
    let gate = Arc::new(Notify::new());
    *bench.server.gate.lock().unwrap() = Some(Arc::clone(&gate));
    let (_, request) = super::charge_in_run(&bench).await;
    let question = asking(bench.gateway.begin(&request, &deaf()).await);
    let relay = crate::harness::Deaf::default();
    let cancellation = relay.0.clone();
    let relay: Arc<dyn stalwart::gateway::Relay> = Arc::new(relay);
    let (gateway, id) = (bench.gateway.clone(), question.id);
    let answering =
        tokio::spawn(async move { gateway.answer(&request, &id, Answer::Yes, &relay).await });
    while bench.received().is_empty() {
        tokio::task::yield_now().await;
    }
    cancellation.cancel();
    gate.notify_one();
    tokio::time::timeout(SOON, answering)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(bench.outcomes(), ["ambiguous"]);
    assert_eq!(bench.received().len(), 1);
}

/// Calls a tool whose server asks for input; the request, the call and the round.
pub async fn until_the_server_asks(
    bench: &crate::harness::Bench,
) -> (stalwart::gateway::CallRequest, u64, String) {
    let wants = r#"{"resultType":"input_required","inputRequests":{}}"#.to_owned();
    let wants = CallEnd::InputRequired(wants);
    bench.server.ends.lock().unwrap().push_back(wants);
    let (_, request) = super::charge_in_run(bench).await;
    let question = asking(bench.gateway.begin(&request, &deaf()).await);
    let progress = bench
        .gateway
        .answer(&request, &question.id, Answer::Yes, &deaf())
        .await;
    let ReplyBody::InputRequired { call, round, .. } = done(progress).body else {
        panic!("the server did not ask");
    };
    (request, call, round)
}

#[tokio::test]
async fn a_server_that_asked_had_the_call() {
    let bench = crate::harness::Plan::default().start().await;
    let (request, call, round) = until_the_server_asks(&bench).await;
    let not = CallEnd::NotForwarded(Unavailable("refused".to_owned()));
    bench.server.ends.lock().unwrap().push_back(not);
    let reply = done(bench.gateway.resume(&request, call, &round, &deaf()).await);
    assert!(
        matches!(&reply.body, ReplyBody::Lost(lost) if lost.outcome == CallState::Ambiguous),
        "{reply:?}"
    );
    assert_eq!(bench.outcomes(), ["ambiguous"]);
    let again = done(bench.gateway.resume(&request, call, &round, &deaf()).await);
    assert_eq!(again.reason, stalwart::tool_check::Reason::Replayed);
    assert_eq!(again.body, reply.body);
}

#[tokio::test]
async fn a_server_is_answered_too_late_or_not_at_all() {
    for tends in [false, true] {
        let bench = crate::harness::Plan::default().start().await;
        let (request, call, round) = until_the_server_asks(&bench).await;
        bench.clock.advance(600_000);
        if tends {
            bench.gateway.tend().await.unwrap();
        }
        let reply = done(bench.gateway.resume(&request, call, &round, &deaf()).await);
        assert!(!matches!(reply.body, ReplyBody::Result(_)), "{reply:?}");
        assert_eq!(bench.outcomes(), ["ambiguous"], "{tends}");
        let again = done(bench.gateway.begin(&request, &deaf()).await);
        assert_eq!(reason(&again), "ambiguous_outstanding");
    }
}

#[tokio::test]
async fn a_server_whose_question_is_not_passed_on_may_have_begun() {
    let bench = crate::harness::Plan::default().start().await;
    let (_, call, _) = until_the_server_asks(&bench).await;
    bench.gateway.abandon(call).await;
    bench.gateway.abandon(call).await;
    assert_eq!(bench.outcomes(), ["ambiguous"]);
}
