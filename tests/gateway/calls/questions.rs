//! Questions to a person: answers, limits, what changes meanwhile.

use super::CHARGE;
use super::ORDER;
use super::asking;
use super::charge_in_run;
use super::done;
use crate::harness::Person;
use crate::harness::Plan;
use crate::harness::deaf;
use crate::harness::reason;
use crate::harness::stateless;
use serde_json::Value;
use serde_json::json;
use stalwart::gateway::Answer;
use stalwart::store::RunId;
use stalwart::tool_check::Reason;
use std::sync::atomic::Ordering;

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
async fn a_used_state_tells_what_was_recorded() {
    let bench = Plan::default().start().await;
    for (answer, expected) in [
        (Answer::Cancelled, Reason::Cancelled),
        (Answer::Gone, Reason::ClientGone),
        (Answer::No, Reason::Declined),
    ] {
        let (_, request) = charge_in_run(&bench).await;
        let question = asking(bench.gateway.begin(&request, &deaf()).await);
        for _ in 0..3 {
            let progress = bench
                .gateway
                .answer(&request, &question.id, answer, &deaf())
                .await;
            assert_eq!(done(progress).reason, expected);
            let again = bench.gateway.replay_of(&request, &question.id).await;
            assert_eq!(again.reason, expected);
        }
    }
    assert_eq!(bench.decisions().len(), 3);
}

#[tokio::test]
async fn a_retry_whose_arguments_cannot_be_read_does_not_go_on() {
    let mut plan = Plan::default();
    let charge = plan.catalogue.tools.get_mut("charge_card").unwrap();
    charge.input_schema = json!({"type": "object"});
    let bench = plan.start().await;
    let run = bench.gateway.mint_run("desk", None, None).await.unwrap();
    let request = stateless("desk", Some(&run), "charge_card", "{}");
    let question = asking(bench.gateway.begin(&request, &deaf()).await);
    let twice = stateless("desk", Some(&run), "charge_card", r#"{"a": 1, "a": 2}"#);
    let reply = done(
        bench
            .gateway
            .answer(&twice, &question.id, Answer::Yes, &deaf())
            .await,
    );
    assert_eq!(reply.reason, Reason::InvalidState);
    assert!(bench.received().is_empty());
}

#[tokio::test]
async fn no_argument_and_no_result_is_in_the_log() {
    let bench = Plan::default().start().await;
    let desk = bench.gateway.open("desk", true).unwrap();
    let told = stalwart::gateway::CallEnd::Result {
        json: r#"{"content":[{"type":"text","text":"a-result-of-the-server"}]}"#.to_owned(),
        is_error: false,
    };
    bench.server.ends.lock().unwrap().push_back(told);
    let arguments = r#"{"order_id": "an-order-of-somebody", "amount": 31337.25}"#;
    let wrong = r#"{"order_id": ["an-order-of-somebody"], "amount": "31337.25"}"#;
    let person = Person::who_says([Answer::Yes, Answer::No]);
    for (tool, arguments) in [
        ("charge_card", arguments),
        ("charge_card", arguments),
        ("charge_card", wrong),
        ("no_such_tool", arguments),
    ] {
        bench.gateway.call(&desk, tool, arguments, &person).await;
    }
    assert_eq!(bench.decisions().len(), 4);
    for line in bench.gateway.audit() {
        for secret in ["an-order-of-somebody", "31337.25", "a-result-of-the-server"] {
            assert!(!line.text.contains(secret), "{}", line.text);
        }
    }
}
