//! How a call goes through the gateway's core: questions, replays, lost answers, limits.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use stalwart::gateway::{
    Answer, CallEnd, CallRequest, Nobody, OpenQuestion, Progress, Reply, ReplyBody, Unavailable,
};
use stalwart::store::{CallState, RunId};
use stalwart::tool_check::Reason;
use tokio::sync::Notify;

use crate::harness::{Bench, Person, Plan, SOON, deaf, ok, reason, stateless};

const CHARGE: &str = r#"{"order_id": "4411", "amount": 40.0}"#;
const ORDER: &str = r#"{"order_id": "4411"}"#;

fn asking(progress: Progress) -> OpenQuestion {
    match progress {
        Progress::Asking(question) => question,
        Progress::Done(reply) => panic!("nobody was asked: {reply:?}"),
    }
}

fn done(progress: Progress) -> Reply {
    match progress {
        Progress::Done(reply) => reply,
        Progress::Asking(question) => panic!("somebody was asked: {}", question.text),
    }
}

/// A run of `desk`, and a charge in it.
async fn charge_in_run(bench: &Bench) -> (RunId, CallRequest) {
    let run = bench.gateway.mint_run("desk", None, None).await.unwrap();
    let request = stateless("desk", Some(&run), "charge_card", CHARGE);
    (run, request)
}

#[tokio::test]
async fn a_yes_is_used_once() {
    let bench = Plan::default().start().await;
    let (_, request) = charge_in_run(&bench).await;
    let question = asking(bench.gateway.begin(&request, &deaf()).await);
    assert!(bench.received().is_empty());
    let first = done(
        bench
            .gateway
            .answer(&request, &question.id, Answer::Yes, &deaf())
            .await,
    );
    let second = done(
        bench
            .gateway
            .answer(&request, &question.id, Answer::Yes, &deaf())
            .await,
    );
    assert_eq!(first.reason, Reason::Confirmed);
    assert_eq!(second.reason, Reason::Replayed);
    assert_eq!(second.body, first.body);
    assert_eq!(second.decision, first.decision);
    assert_eq!(bench.received(), ["charge_card"]);
    assert_eq!(bench.decisions(), ["allow confirmed"]);
}

#[tokio::test]
async fn of_two_answers_at_once_one_is_used() {
    let bench = Plan::default().start().await;
    let (_, request) = charge_in_run(&bench).await;
    let question = asking(bench.gateway.begin(&request, &deaf()).await);
    let relay = deaf();
    let answers = (0..8).map(|_| {
        bench
            .gateway
            .answer(&request, &question.id, Answer::Yes, &relay)
    });
    let replies = futures_util::future::join_all(answers).await;
    let confirmed = replies
        .into_iter()
        .map(done)
        .filter(|reply| reply.reason == Reason::Confirmed)
        .count();
    assert_eq!(confirmed, 1);
    assert_eq!(bench.received(), ["charge_card"]);
    assert_eq!(bench.decisions(), ["allow confirmed"]);
}

#[tokio::test]
async fn a_no_holds_for_ten_minutes() {
    let bench = Plan::default().start().await;
    let desk = bench.gateway.open("desk", true).unwrap();
    let person = Person::who_says([Answer::No, Answer::Yes]);
    for (wait, expected) in [(0, "declined"), (599_999, "declined"), (1, "confirmed")] {
        bench.clock.advance(wait);
        let reply = bench
            .gateway
            .call(&desk, "charge_card", CHARGE, &person)
            .await;
        assert_eq!(reason(&reply), expected);
    }
    assert_eq!(person.shown.lock().unwrap().len(), 2);
    assert_eq!(bench.received(), ["charge_card"]);
}

#[tokio::test]
async fn a_no_to_one_call_is_no_no_to_another() {
    let bench = Plan::default().start().await;
    let desk = bench.gateway.open("desk", true).unwrap();
    let person = Person::who_says([Answer::No, Answer::Yes]);
    let other = r#"{"order_id": "4411", "amount": 40.000000000000000001}"#;
    let first = bench
        .gateway
        .call(&desk, "charge_card", CHARGE, &person)
        .await;
    let second = bench
        .gateway
        .call(&desk, "charge_card", other, &person)
        .await;
    assert_eq!((reason(&first), reason(&second)), ("declined", "confirmed"));
}

#[tokio::test]
async fn an_answer_that_says_nothing_is_asked_once_more() {
    for (answers, expected) in [
        (vec![Answer::Unusable, Answer::Yes], "confirmed"),
        (vec![Answer::Unusable, Answer::Unusable], "cancelled"),
        (vec![Answer::Cancelled], "cancelled"),
        (vec![Answer::TimedOut], "confirmation_timeout"),
        (vec![Answer::Gone], "client_gone"),
    ] {
        let bench = Plan::default().start().await;
        let desk = bench.gateway.open("desk", true).unwrap();
        let asked = answers.len();
        let person = Person::who_says(answers);
        let reply = bench
            .gateway
            .call(&desk, "charge_card", CHARGE, &person)
            .await;
        assert_eq!(reason(&reply), expected);
        assert_eq!(person.shown.lock().unwrap().len(), asked);
        assert_eq!(bench.lines("question").len(), asked, "{expected}");
        assert_eq!(bench.lines("answer").len(), asked, "{expected}");
        assert_eq!(bench.lines("decision").len(), 1);
    }
}

#[tokio::test]
async fn a_question_ends_by_itself() {
    let bench = Plan::default().start().await;
    let (_, request) = charge_in_run(&bench).await;
    let question = asking(bench.gateway.begin(&request, &deaf()).await);
    bench.clock.advance(599_999);
    bench.gateway.tend().await.unwrap();
    assert!(bench.decisions().is_empty() && !question.withdrawn.is_cancelled());
    bench.clock.advance(1);
    bench.gateway.tend().await.unwrap();
    assert_eq!(bench.decisions(), ["block confirmation_timeout"]);
    assert!(question.withdrawn.is_cancelled());
    let late = done(
        bench
            .gateway
            .answer(&request, &question.id, Answer::Yes, &deaf())
            .await,
    );
    assert_eq!(late.reason, Reason::ConfirmationTimeout);
    assert!(bench.received().is_empty());
    assert_eq!(bench.decisions(), ["block confirmation_timeout"]);
}

#[tokio::test]
async fn an_answer_is_too_late_though_nobody_tended() {
    let bench = Plan::default().start().await;
    let (_, request) = charge_in_run(&bench).await;
    let question = asking(bench.gateway.begin(&request, &deaf()).await);
    bench.clock.advance(600_000);
    let late = done(
        bench
            .gateway
            .answer(&request, &question.id, Answer::Yes, &deaf())
            .await,
    );
    assert_eq!(late.reason, Reason::ConfirmationTimeout);
    assert_eq!(bench.decisions(), ["block confirmation_timeout"]);
    assert!(bench.received().is_empty());
}

#[tokio::test]
async fn what_changed_while_the_person_thought_is_asked_anew() {
    let bench = Plan::default().start().await;
    let (run, request) = charge_in_run(&bench).await;
    let inbox = stateless("desk", Some(&run), "read_inbox", "{}");
    let question = asking(bench.gateway.begin(&request, &deaf()).await);
    let marked = done(bench.gateway.begin(&inbox, &deaf()).await);
    assert_eq!(marked.reason, Reason::Allow);
    let again = asking(
        bench
            .gateway
            .answer(&request, &question.id, Answer::Yes, &deaf())
            .await,
    );
    assert!(again.text.contains("after reading read_inbox from outside"));
    let reply = done(
        bench
            .gateway
            .answer(&request, &again.id, Answer::Yes, &deaf())
            .await,
    );
    assert_eq!(reply.reason, Reason::Confirmed);
    assert_eq!(bench.received(), ["read_inbox", "charge_card"]);
}

#[tokio::test]
async fn what_changes_a_third_time_is_given_up() {
    let plan = Plan {
        asks_host: true,
        context: serde_json::Map::new(),
        ..Plan::default()
    };
    let mut plan = plan;
    plan.catalogue.rulebook = crate::harness::rulebook(
        "define flow charges\n  if $risk == \"one\"\n    bot ask one\n    user ...\n    execute charge_card\n  else if $risk == \"two\"\n    bot ask two\n    user ...\n    execute charge_card\n",
    );
    let bench = plan.start().await;
    let set = |risk: &str| {
        bench
            .host
            .answers
            .lock()
            .unwrap()
            .insert("risk".to_owned(), Value::from(risk));
    };
    set("one");
    let (_, request) = charge_in_run(&bench).await;
    let mut question = asking(bench.gateway.begin(&request, &deaf()).await);
    for risk in ["two", "one"] {
        set(risk);
        let next = bench
            .gateway
            .answer(&request, &question.id, Answer::Yes, &deaf())
            .await;
        question = asking(next);
        assert!(
            question.text.starts_with(&format!("ask {risk}")),
            "{}",
            question.text
        );
    }
    set("two");
    let reply = done(
        bench
            .gateway
            .answer(&request, &question.id, Answer::Yes, &deaf())
            .await,
    );
    assert_eq!(reply.reason, Reason::Changed);
    assert!(bench.received().is_empty());
    assert_eq!(bench.decisions(), ["block changed"]);
}

#[tokio::test]
async fn a_context_that_turns_against_the_call_refuses_it_behind_the_yes() {
    let bench = Plan {
        asks_host: true,
        context: serde_json::Map::new(),
        catalogue: {
            let mut catalogue = crate::harness::example_catalogue();
            catalogue.rulebook = crate::harness::rulebook(
                "define flow charges\n  if $order_paid\n    execute charge_card\n  else\n    bot refuse unpaid\n",
            );
            catalogue
        },
        ..Plan::default()
    }
    .start()
    .await;
    let set = |paid: bool| {
        bench
            .host
            .answers
            .lock()
            .unwrap()
            .insert("order_paid".to_owned(), Value::from(paid));
    };
    set(true);
    let (_, request) = charge_in_run(&bench).await;
    let question = asking(bench.gateway.begin(&request, &deaf()).await);
    set(false);
    let reply = done(
        bench
            .gateway
            .answer(&request, &question.id, Answer::Yes, &deaf())
            .await,
    );
    assert_eq!(reply.reason, Reason::Rulebook);
    assert!(bench.received().is_empty());
    bench.host.is_down.store(true, Ordering::SeqCst);
    let reply = done(bench.gateway.begin(&request, &deaf()).await);
    assert_eq!(reply.reason, Reason::ContextUnavailable);
}

#[tokio::test]
async fn altered_arguments_and_other_callers_do_not_go_on() {
    let bench = Plan::default().start().await;
    let (run, request) = charge_in_run(&bench).await;
    let other_run = bench.gateway.mint_run("desk", None, None).await.unwrap();
    let question = asking(bench.gateway.begin(&request, &deaf()).await);
    let altered = [
        stateless(
            "desk",
            Some(&run),
            "charge_card",
            r#"{"order_id": "4411", "amount": 400.0}"#,
        ),
        stateless(
            "desk",
            Some(&run),
            "charge_card",
            r#"{"order_id": "4411", "amount": 40.000000000000000000001}"#,
        ),
        stateless("desk", Some(&run), "get_order", ORDER),
        stateless("desk", Some(&other_run), "charge_card", CHARGE),
        stateless("desk", None, "charge_card", CHARGE),
        stateless("billing", Some(&run), "charge_card", CHARGE),
    ];
    for request in altered {
        let progress = bench
            .gateway
            .answer(&request, &question.id, Answer::Yes, &deaf())
            .await;
        let reply = done(progress);
        assert!(
            matches!(reply.reason, Reason::InvalidState | Reason::UnknownRun),
            "{request:?}: {reply:?}"
        );
    }
    let forged = bench
        .gateway
        .answer(&request, &"0".repeat(32), Answer::Yes, &deaf())
        .await;
    assert_eq!(done(forged).reason, Reason::InvalidState);
    assert!(bench.received().is_empty());
    // The same number written in another way is the same call.
    let same = stateless(
        "desk",
        Some(&run),
        "charge_card",
        r#"{"amount": 4e1, "order_id": "4411"}"#,
    );
    let reply = done(
        bench
            .gateway
            .answer(&same, &question.id, Answer::Yes, &deaf())
            .await,
    );
    assert_eq!(reply.reason, Reason::Confirmed);
    let received = bench.server.received.lock().unwrap().clone();
    // What is forwarded is what the last check saw.
    assert_eq!(
        received[0].arguments,
        r#"{"amount": 4e1, "order_id": "4411"}"#
    );
}

#[tokio::test]
async fn a_newer_question_of_the_same_call_takes_its_place() {
    let bench = Plan::default().start().await;
    let (_, request) = charge_in_run(&bench).await;
    let older = asking(bench.gateway.begin(&request, &deaf()).await);
    let newer = asking(bench.gateway.begin(&request, &deaf()).await);
    assert!(older.withdrawn.is_cancelled() && !newer.withdrawn.is_cancelled());
    let late = done(
        bench
            .gateway
            .answer(&request, &older.id, Answer::Yes, &deaf())
            .await,
    );
    assert_eq!(late.reason, Reason::Cancelled);
    let reply = done(
        bench
            .gateway
            .answer(&request, &newer.id, Answer::Yes, &deaf())
            .await,
    );
    assert_eq!(reply.reason, Reason::Confirmed);
    assert_eq!(bench.decisions(), ["block cancelled", "allow confirmed"]);
    assert_eq!(bench.received(), ["charge_card"]);
}

#[tokio::test]
async fn a_run_has_three_open_questions_and_an_agent_fifty() {
    let bench = Plan::default().start().await;
    let charge = |run: Option<&RunId>, amount: usize| {
        let arguments = json!({"order_id": "1", "amount": amount}).to_string();
        stateless("desk", run, "charge_card", &arguments)
    };
    let run = bench.gateway.mint_run("desk", None, None).await.unwrap();
    for amount in 0..3 {
        asking(
            bench
                .gateway
                .begin(&charge(Some(&run), amount), &deaf())
                .await,
        );
    }
    let fourth = done(bench.gateway.begin(&charge(Some(&run), 3), &deaf()).await);
    assert_eq!(fourth.reason, Reason::Limit);
    // Asking again for one that is open is not one more.
    asking(bench.gateway.begin(&charge(Some(&run), 2), &deaf()).await);
    for amount in 0..47 {
        asking(bench.gateway.begin(&charge(None, amount), &deaf()).await);
    }
    let last = done(bench.gateway.begin(&charge(None, 47), &deaf()).await);
    assert_eq!(last.reason, Reason::Limit);
}

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
