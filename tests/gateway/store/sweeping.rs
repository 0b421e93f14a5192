//! What a sweep drops, and what it must not.

use stalwart::store::{CallState, ClientKey, QuestionState, RunId, Scope, Sqlite};

use super::questions::question;
use super::{call, named, within};

#[test]
fn sealed_values_go_when_the_run_ends_or_the_time_is_over() {
    let store = Sqlite::in_memory().unwrap();
    let (shared, run) = (RunId::shared("desk"), named("r1", "desk", None, Some(100)));
    let seqs = within(&store, |t| {
        t.run(&shared)?;
        t.create_run(&run)?;
        t.create_run(&named("r2", "desk", None, None))?;
        let mut seqs = Vec::new();
        for (run, at) in [
            (&shared, 10),
            (&shared, 50),
            (&run.id, 10),
            (&RunId::named("r2"), 10),
        ] {
            let seq = t.insert_call(&call(run, "charge", true, at))?;
            t.finish_call(seq, CallState::Ambiguous, Some(b"result"), at)?;
            seqs.push(seq);
        }
        seqs.push(t.insert_call(&call(&run.id, "charge", true, 10))?);
        Ok(seqs)
    });
    let sealed = |seq: u64| {
        let call = within(&store, |t| t.call(seq)).unwrap();
        (call.call.arguments.is_some(), call.result.is_some())
    };
    within(&store, |t| t.sweep(60, 50));
    let left: Vec<_> = seqs.iter().map(|seq| sealed(*seq)).collect();
    let (gone, there) = ((false, false), (true, true));
    assert_eq!(left, [gone, there, there, there, (true, false)]);
    within(&store, |t| t.sweep(100, 50));
    assert_eq!(sealed(seqs[2]), gone, "the run's time is over");
    assert_eq!(sealed(seqs[4]), (true, false), "its call is under way");
    within(&store, |t| {
        t.finish_call(seqs[4], CallState::Ok, Some(b"result"), 101)
    });
    within(&store, |t| t.sweep(101, 50));
    assert_eq!(sealed(seqs[4]), gone);
    within(&store, |t| t.end_run(&RunId::named("r2"), 110));
    within(&store, |t| t.sweep(111, 50));
    assert_eq!(sealed(seqs[3]), gone);
}

#[test]
fn calls_of_a_shared_run_still_count_when_they_are_dropped() {
    let store = Sqlite::in_memory().unwrap();
    let run = RunId::shared("desk");
    within(&store, |t| t.run(&run));
    let finish = |state, at| {
        within(&store, |t| {
            let seq = t.insert_call(&call(&run, "charge", true, at))?;
            t.finish_call(seq, state, None, at)?;
            Ok(seq)
        })
    };
    let count = || within(&store, |t| t.count_calls(&run, "charge"));
    finish(CallState::Ok, 5);
    within(&store, |t| t.clear_shared_run(&"desk".to_owned(), 6));
    let ok = finish(CallState::Ok, 10);
    let ambiguous = finish(CallState::Ambiguous, 10);
    finish(CallState::Error, 10);
    finish(CallState::NotForwarded, 10);
    let open = within(&store, |t| t.insert_call(&call(&run, "charge", true, 10)));
    let young = finish(CallState::Ok, 20);
    assert_eq!(count(), 5);
    for now in [30, 31] {
        within(&store, |t| t.sweep(now, 20));
        assert_eq!(count(), 5);
    }
    let is_there = |seq| within(&store, |t| t.call(seq)).is_some();
    assert!(!is_there(ok) && is_there(young));
    assert!(is_there(ambiguous) && is_there(open));
    assert!(within(&store, |t| t.has_ambiguous(&run, "charge", "k1:d")));
    within(&store, |t| t.clear_shared_run(&"desk".to_owned(), 40));
    assert_eq!(count(), 0);
}

#[test]
fn questions_and_keys_go_when_nobody_can_come_back_to_them() {
    let store = Sqlite::in_memory().unwrap();
    let run = RunId::shared("desk");
    let key = ClientKey {
        agent: "desk".to_owned(),
        scope: Scope {
            run: run.clone(),
            session: None,
        },
        tool: "charge".to_owned(),
        key: "k".to_owned(),
    };
    within(&store, |t| {
        t.run(&run)?;
        for id in ["open", "closed"] {
            t.insert_question(&question(id, &run, None, id))?;
        }
        t.close_question("closed", QuestionState::Answered, None, None)?;
        t.reserve_client_key(&key, "d", 10)
    });
    let is_there = |id: &str| within(&store, |t| t.question(id)).is_some();
    within(&store, |t| t.sweep(30, 10));
    assert!(is_there("closed"));
    assert!(within(&store, |t| t.reserve_client_key(&key, "d", 30)).is_some());
    within(&store, |t| t.sweep(30, 21));
    assert!(!is_there("closed") && is_there("open"));
    assert!(within(&store, |t| t.reserve_client_key(&key, "d", 30)).is_none());
}

#[test]
fn a_tree_goes_when_all_of_it_ended_long_ago() {
    let store = Sqlite::in_memory().unwrap();
    let is_there = |id: &str| within(&store, |t| t.run(&RunId::named(id))).is_some();
    let open = within(&store, |t| {
        t.create_run(&named("a", "desk", None, None))?;
        t.create_run(&named("b", "billing", Some("a"), Some(50)))?;
        t.create_run(&named("c", "desk", None, Some(10)))?;
        let open = t.insert_call(&call(&RunId::named("c"), "charge", true, 5))?;
        t.end_run(&RunId::named("a"), 20)?;
        Ok(open)
    });
    within(&store, |t| t.sweep(49, 40));
    assert!(is_there("a") && is_there("b"), "one is live");
    assert!(is_there("c"), "a call is open");
    within(&store, |t| t.finish_call(open, CallState::Ok, None, 50));
    within(&store, |t| t.sweep(60, 50));
    assert!(is_there("a") && is_there("b") && !is_there("c"));
    within(&store, |t| t.sweep(70, 51));
    assert!(!is_there("a") && !is_there("b"));
    assert_eq!(within(&store, |t| t.call(open)), None);
}
