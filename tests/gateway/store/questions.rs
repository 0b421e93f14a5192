//! Questions, noes and clients' keys.

use std::sync::atomic::{AtomicUsize, Ordering};

use stalwart::store::Store as _;
use stalwart::store::{
    ClientKey, ClientKeyState, Decline, Durability, NewQuestion, Question, QuestionState, RunId,
    Scope, Sqlite,
};

use super::{in_memory, named, within};

pub fn question(id: &str, run: &RunId, session: Option<&str>, digest: &str) -> NewQuestion {
    NewQuestion {
        id: id.to_owned(),
        run: run.clone(),
        session: session.map(str::to_owned),
        agent: "desk".to_owned(),
        tool: "charge".to_owned(),
        digest: digest.to_owned(),
        shown: "{}".to_owned(),
        decision: "d".to_owned(),
        client_key: None,
        changes: 1,
        repeats: 2,
        at: 10,
        expires: 20,
    }
}

#[test]
fn a_no_holds_for_its_time() {
    let store = in_memory();
    let run = RunId::shared("desk");
    let decline = |until| {
        within(&store, |t| {
            t.insert_decline(&Decline {
                run: run.clone(),
                tool: "charge".to_owned(),
                digest: "k1:d".to_owned(),
                until,
            })
        });
    };
    let holds =
        |tool: &str, digest: &str, now| within(&store, |t| t.is_declined(&run, tool, digest, now));
    decline(20);
    assert!(holds("charge", "k1:d", 19) && !holds("charge", "k1:d", 20));
    assert!(!holds("charge", "k1:e", 19) && !holds("other", "k1:d", 19));
    decline(30);
    decline(25);
    assert!(holds("charge", "k1:d", 29), "the longest counts");
    within(&store, |t| t.sweep(30, 0));
    assert!(!holds("charge", "k1:d", 29));
}

#[test]
fn a_question_is_answered_once_by_one_of_many() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(&folder.path().join("gateway.db")).unwrap();
    let run = RunId::shared("desk");
    within(&store, |t| t.run(&run));
    for round in 0..20_u64 {
        let id = format!("q{round}");
        within(&store, |t| {
            t.insert_question(&question(&id, &run, None, &id))
        });
        let wins = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let state = QuestionState::Answered;
                    if within(&store, |t| t.close_question(&id, state, None, Some(round))) {
                        wins.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(wins.into_inner(), 1);
        let expected = Question {
            question: question(&id, &run, None, &id),
            state: QuestionState::Answered,
            reason: None,
            call: Some(round),
        };
        assert_eq!(within(&store, |t| t.question(&id)), Some(expected));
    }
    let unknown = within(&store, |t| {
        t.close_question("none", QuestionState::Gone, None, None)
    });
    assert!(!unknown);
}

#[test]
fn a_new_question_takes_the_place_of_the_older() {
    let store = in_memory();
    let (run, other) = (RunId::shared("desk"), named("r1", "desk", None, None));
    within(&store, |t| t.run(&run));
    within(&store, |t| t.create_run(&other));
    let ask = |id: &str, run: &RunId, digest: &str| {
        within(&store, |t| {
            t.insert_question(&question(id, run, Some("s1"), digest))
        })
    };
    assert_eq!(ask("q1", &run, "d"), None);
    assert_eq!(ask("q2", &run, "e"), None, "of another digest");
    assert_eq!(ask("q3", &other.id, "d"), None, "of another run");
    assert_eq!(ask("q4", &run, "d"), Some("q1".to_owned()));
    let state = |id: &str| within(&store, |t| t.question(id)).unwrap().state;
    assert_eq!(state("q1"), QuestionState::Withdrawn);
    assert!(!within(&store, |t| t.close_question(
        "q1",
        QuestionState::Answered,
        None,
        None
    )));
    assert_eq!(state("q1"), QuestionState::Withdrawn);
    assert_eq!(state("q4"), QuestionState::Open);
}

#[test]
fn open_questions_are_counted_and_expire() {
    let store = in_memory();
    let (shared, run) = (RunId::shared("desk"), named("r1", "desk", None, None));
    within(&store, |t| t.run(&shared));
    within(&store, |t| t.create_run(&run));
    for (id, run, session) in [
        ("a", &shared, Some("s1")),
        ("b", &shared, Some("s1")),
        ("c", &shared, Some("s2")),
        ("d", &shared, None),
        ("e", &run.id, Some("s1")),
        ("f", &run.id, None),
    ] {
        within(&store, |t| {
            t.insert_question(&question(id, run, session, id))
        });
    }
    within(&store, |t| {
        t.close_question("b", QuestionState::Gone, None, None)
    });
    let open = |run: &RunId, session: Option<&str>, agent: &str, now| {
        let scope = Scope {
            run: run.clone(),
            session: session.map(str::to_owned),
        };
        within(&store, |t| t.open_questions(&scope, &agent.to_owned(), now))
    };
    assert_eq!(open(&shared, Some("s1"), "desk", 19), (1, 5));
    assert_eq!(open(&shared, None, "desk", 19), (0, 5));
    assert_eq!(open(&run.id, Some("s9"), "desk", 19), (2, 5));
    assert_eq!(open(&run.id, None, "other", 19), (0, 0));
    assert_eq!(
        open(&shared, Some("s1"), "desk", 20),
        (0, 0),
        "their time is over"
    );
    assert!(within(&store, |t| t.expire_questions(19)).is_empty());
    let expired = within(&store, |t| t.expire_questions(20));
    let ids: Vec<_> = expired.iter().map(|it| it.question.id.as_str()).collect();
    assert_eq!(ids, ["a", "c", "d", "e", "f"]);
    assert!(expired.iter().all(|it| it.state == QuestionState::Expired));
    assert!(within(&store, |t| t.expire_questions(20)).is_empty());
    assert!(!within(&store, |t| t.close_question(
        "a",
        QuestionState::Answered,
        None,
        None
    )));
}

#[test]
fn a_clients_key_is_unique_where_it_counts() {
    let store = in_memory();
    let key = |agent: &str, run: RunId, session: Option<&str>, tool: &str, key: &str| ClientKey {
        agent: agent.to_owned(),
        scope: Scope {
            run,
            session: session.map(str::to_owned),
        },
        tool: tool.to_owned(),
        key: key.to_owned(),
    };
    let shared = || RunId::shared("desk");
    let reserve =
        |key: &ClientKey, digest: &str| within(&store, |t| t.reserve_client_key(key, digest, 5));
    let first = key("desk", shared(), Some("s1"), "charge", "k");
    assert_eq!(reserve(&first, "d"), None);
    let taken = |call| {
        Some(ClientKeyState {
            digest: "d".to_owned(),
            call,
        })
    };
    assert_eq!(reserve(&first, "e"), taken(None));
    within(&store, |t| t.bind_client_key(&first, 3));
    assert_eq!(reserve(&first, "e"), taken(Some(3)));
    for other in [
        key("other", shared(), Some("s1"), "charge", "k"),
        key("desk", RunId::named("r1"), Some("s1"), "charge", "k"),
        key("desk", shared(), Some("s2"), "charge", "k"),
        key("desk", shared(), None, "charge", "k"),
        key("desk", shared(), Some("s1"), "refund", "k"),
        key("desk", shared(), Some("s1"), "charge", "K"),
    ] {
        assert_eq!(reserve(&other, "d"), None, "{other:?}");
        assert_eq!(reserve(&other, "d"), taken(None), "{other:?}");
    }
    let in_run = key("desk", RunId::named("r1"), None, "charge", "k");
    assert_eq!(
        reserve(&in_run, "d"),
        taken(None),
        "a named run is one, whatever the session"
    );
    within(&store, |t| t.free_client_key(&first));
    assert_eq!(reserve(&first, "d"), None);
    within(&store, |t| {
        t.free_client_key(&key("desk", shared(), None, "none", "k"))
    });
    let unknown = store.transact(Durability::Relaxed, &mut |t| {
        t.bind_client_key(&key("desk", shared(), None, "none", "k"), 1)
    });
    assert!(unknown.is_err());
}

#[test]
fn a_key_that_a_crash_left_reserved_is_free_unless_its_question_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gateway.db");
    let run = RunId::shared("desk");
    let key = |key: &str| ClientKey {
        agent: "desk".to_owned(),
        scope: Scope {
            run: run.clone(),
            session: None,
        },
        tool: "charge".to_owned(),
        key: key.to_owned(),
    };
    let store = Sqlite::open(&path).unwrap();
    within(&store, |t| {
        t.run(&run)?;
        for (name, digest) in [("checked", "d"), ("asked", "e"), ("bound", "f")] {
            t.reserve_client_key(&key(name), digest, 5)?;
        }
        t.bind_client_key(&key("bound"), 1)?;
        t.insert_question(&question("q", &run, None, "e"))
    });
    drop(store);
    let store = Sqlite::open(&path).unwrap();
    let reserve = |name: &str, at| {
        within(&store, |t| t.reserve_client_key(&key(name), "d", at)).map(|state| state.digest)
    };
    assert_eq!(reserve("checked", 10), None);
    assert_eq!(reserve("checked", 10), Some("d".to_owned()));
    assert_eq!(reserve("asked", 19), Some("e".to_owned()));
    assert_eq!(reserve("bound", 19), Some("f".to_owned()));
    assert_eq!(reserve("asked", 20), None, "nobody can answer any more");
}
