//! Runs, marks and counts.

use super::CHARGE;
use super::ORDER;
use super::asking;
use super::charge_in_run;
use super::done;
use crate::harness::Person;
use crate::harness::Plan;
use crate::harness::SOON;
use crate::harness::deaf;
use crate::harness::stateless;
use serde_json::json;
use stalwart::gateway::Answer;
use stalwart::gateway::Nobody;
use stalwart::gateway::Progress;
use stalwart::tool_check::Reason;
use std::sync::Arc;
use tokio::sync::Notify;

#[tokio::test]
async fn calls_at_once_do_not_pass_a_count() {
    let bench = Plan::default().start().await;
    let relay = deaf();
    let run = bench.gateway.mint_run("desk", None, None).await.unwrap();
    // Three are charged by this agent in this run, whatever the amounts.
    let mut confirmed = 0;
    let mut reasons = Vec::new();
    for amount in 0..6 {
        let arguments = json!({"order_id": "1", "amount": amount}).to_string();
        let request = stateless("desk", Some(&run), "charge_card", &arguments);
        let progress = bench.gateway.begin(&request, &relay).await;
        match progress {
            Progress::Asking(question) => {
                let reply = done(
                    bench
                        .gateway
                        .answer(&request, &question.id, Answer::Yes, &relay)
                        .await,
                );
                confirmed += usize::from(reply.reason == Reason::Confirmed);
            }
            Progress::Done(reply) => reasons.push(reply.reason),
        }
    }
    assert_eq!((confirmed, reasons), (3, vec![Reason::Order; 3]));

    let bench = Plan::default().start().await;
    let run = bench.gateway.mint_run("desk", None, None).await.unwrap();
    let mut open = Vec::new();
    for amount in 0..3 {
        let arguments = json!({"order_id": "1", "amount": amount}).to_string();
        let request = stateless("desk", Some(&run), "charge_card", &arguments);
        let question = asking(bench.gateway.begin(&request, &relay).await);
        open.push((request, question.id));
    }
    let one = stateless(
        "desk",
        Some(&run),
        "charge_card",
        r#"{"order_id": "2", "amount": 9}"#,
    );
    let answers = open
        .iter()
        .map(|(request, id)| bench.gateway.answer(request, id, Answer::Yes, &relay));
    let replies = futures_util::future::join_all(answers).await;
    assert!(
        replies
            .into_iter()
            .all(|reply| done(reply).reason == Reason::Confirmed)
    );
    assert_eq!(
        done(bench.gateway.begin(&one, &relay).await).reason,
        Reason::Order
    );
    assert_eq!(bench.received().len(), 3);
}

#[tokio::test]
async fn the_mark_is_there_before_the_call_is_forwarded() {
    let bench = Plan::default().start().await;
    let run = bench.gateway.mint_run("desk", None, None).await.unwrap();
    let gate = Arc::new(Notify::new());
    *bench.server.gate.lock().unwrap() = Some(Arc::clone(&gate));
    let inbox = stateless("desk", Some(&run), "read_inbox", "{}");
    let reading = {
        let (gateway, inbox) = (bench.gateway.clone(), inbox.clone());
        tokio::spawn(async move { gateway.begin(&inbox, &deaf()).await })
    };
    while bench.received().is_empty() {
        tokio::task::yield_now().await;
    }
    let request = stateless("desk", Some(&run), "charge_card", CHARGE);
    let question = asking(bench.gateway.begin(&request, &deaf()).await);
    assert!(
        question
            .text
            .contains("after reading read_inbox from outside")
    );
    gate.notify_waiters();
    gate.notify_one();
    tokio::time::timeout(SOON, reading).await.unwrap().unwrap();
}

#[tokio::test]
async fn marks_go_with_a_hand_off_and_no_session_washes_them_off() {
    let mut plan = Plan::default();
    plan.catalogue.rulebook =
        crate::harness::rulebook("define flow none\n  user hello\n  bot hello\n");
    let bench = plan.start().await;
    let desk = bench.gateway.open("desk", true).unwrap();
    bench.gateway.call(&desk, "read_inbox", "{}", &Nobody).await;
    let sessions = [
        bench.gateway.open("desk", true).unwrap(),
        bench.gateway.open("billing", true).unwrap(),
    ];
    for (session, tool) in sessions.iter().zip(["charge_card", "refund_card"]) {
        let person = Person::who_says([Answer::Cancelled]);
        bench.gateway.call(session, tool, CHARGE, &person).await;
        assert!(
            person.first_lines()[0].contains("after reading read_inbox"),
            "{tool}"
        );
    }
    // A named run stands alone, but for its tree.
    let parent = bench.gateway.mint_run("desk", None, None).await.unwrap();
    let child = bench
        .gateway
        .mint_run("billing", Some("ana"), Some(parent.as_str()))
        .await
        .unwrap();
    let refund = stateless("billing", Some(&child), "refund_card", CHARGE);
    let clean = asking(bench.gateway.begin(&refund, &deaf()).await);
    assert!(!clean.text.contains("from outside"));
    let inbox = stateless("desk", Some(&parent), "read_inbox", "{}");
    done(bench.gateway.begin(&inbox, &deaf()).await);
    assert!(bench.gateway.end_run(parent.as_str()).await.unwrap());
    let marked = asking(bench.gateway.begin(&refund, &deaf()).await);
    assert!(marked.text.contains("from outside"));
    assert!(
        bench
            .gateway
            .mint_run("desk", None, Some(child.as_str()))
            .await
            .is_err()
    );
}

#[tokio::test]
async fn an_ended_run_and_a_strangers_run_are_unknown() {
    let bench = Plan::default().start().await;
    let run = bench.gateway.mint_run("desk", None, None).await.unwrap();
    let order = stateless("desk", Some(&run), "get_order", ORDER);
    assert_eq!(
        done(bench.gateway.begin(&order, &deaf()).await).reason,
        Reason::Allow
    );
    let stolen = stateless("billing", Some(&run), "refund_card", CHARGE);
    assert_eq!(
        done(bench.gateway.begin(&stolen, &deaf()).await).reason,
        Reason::UnknownRun
    );
    assert!(bench.gateway.end_run(run.as_str()).await.unwrap());
    assert!(!bench.gateway.end_run(run.as_str()).await.unwrap());
    assert_eq!(
        done(bench.gateway.begin(&order, &deaf()).await).reason,
        Reason::UnknownRun
    );
    let shared = bench.gateway.end_run("shared:desk").await.unwrap();
    assert!(!shared, "a shared run is cleared, and never ends");
    let run = bench.gateway.mint_run("desk", None, None).await.unwrap();
    let order = stateless("desk", Some(&run), "get_order", ORDER);
    bench.clock.advance(24 * 3_600_000);
    assert_eq!(
        done(bench.gateway.begin(&order, &deaf()).await).reason,
        Reason::UnknownRun
    );
}

#[tokio::test]
async fn a_shared_run_is_cleared_by_idleness_alone() {
    let bench = Plan::default().start().await;
    let desk = bench.gateway.open("desk", true).unwrap();
    bench.gateway.call(&desk, "read_inbox", "{}", &Nobody).await;
    let first_line = async |wait| {
        bench.clock.advance(wait);
        let person = Person::who_says([Answer::Cancelled]);
        bench
            .gateway
            .call(&desk, "charge_card", CHARGE, &person)
            .await;
        person.first_lines()[0].clone()
    };
    let idle = 8 * 3_600_000;
    assert!(first_line(idle - 1).await.contains("read_inbox"));
    assert!(first_line(idle - 1).await.contains("read_inbox"));
    assert_eq!(first_line(idle).await, "Run charge_card?");
}

#[tokio::test]
async fn a_reload_keeps_what_happened() {
    let bench = Plan::default().start().await;
    let desk = bench.gateway.open("desk", true).unwrap();
    bench.gateway.call(&desk, "read_inbox", "{}", &Nobody).await;
    let (_, request) = charge_in_run(&bench).await;
    let question = asking(bench.gateway.begin(&request, &deaf()).await);
    let mut current = Plan::default().current(&bench.server, &bench.host);
    current.policy = stalwart::tool_check::Policy::new(
        crate::harness::example_catalogue(),
        "policy-2".to_owned(),
    )
    .unwrap();
    bench.gateway.replace(current).await.unwrap();
    // A yes to a question under another policy is asked anew.
    let again = asking(
        bench
            .gateway
            .answer(&request, &question.id, Answer::Yes, &deaf())
            .await,
    );
    let reply = done(
        bench
            .gateway
            .answer(&request, &again.id, Answer::Yes, &deaf())
            .await,
    );
    assert_eq!(reply.reason, Reason::Confirmed);
    let person = Person::who_says([Answer::Cancelled]);
    bench
        .gateway
        .call(&desk, "charge_card", CHARGE, &person)
        .await;
    assert!(person.first_lines()[0].contains("read_inbox"));
    assert_eq!(bench.lines("reload").len(), 1);
}
