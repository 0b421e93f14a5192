//! The store: what each of its methods says, over SQLite in a file and in memory.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use stalwart::store::{
    AuditLine, Call, CallState, ChainHead, ClientKey, ClientKeyState, Decline, Durability, NewCall,
    NewQuestion, Question, QuestionState, Run, RunId, RunKind, Scope, Sqlite, Store, StoreError,
    Transaction,
};

mod marks;
mod sweeping;
mod timing;

/// Does work in a transaction, and gives back what it comes to.
pub fn within<T>(
    store: &dyn Store,
    mut work: impl FnMut(&mut dyn Transaction) -> Result<T, StoreError>,
) -> T {
    let mut done = None;
    store
        .transact(Durability::Relaxed, &mut |transaction| {
            done = Some(work(transaction)?);
            Ok(())
        })
        .unwrap();
    done.unwrap()
}

pub fn named(id: &str, agent: &str, parent: Option<&str>, expires: Option<i64>) -> Run {
    Run {
        id: RunId::named(id),
        agent: agent.to_owned(),
        subject: Some("a person".to_owned()),
        parent: parent.map(RunId::named),
        kind: RunKind::Named,
        created: 1,
        expires,
        ended: None,
    }
}

pub fn call(run: &RunId, tool: &str, is_write: bool, at: i64) -> NewCall {
    NewCall {
        run: run.clone(),
        session: Some("s1".to_owned()),
        agent: "desk".to_owned(),
        tool: tool.to_owned(),
        digest: "k1:d".to_owned(),
        is_write,
        decision: "d1".to_owned(),
        key: is_write.then(|| "key".to_owned()),
        arguments: Some(b"sealed".to_vec()),
        at,
    }
}

fn question(id: &str, run: &RunId, session: Option<&str>, digest: &str) -> NewQuestion {
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

fn in_memory() -> Sqlite {
    Sqlite::in_memory().unwrap()
}

#[test]
fn a_run_is_as_it_was_made_until_it_ends() {
    let store = in_memory();
    let made = named("r1", "desk", None, Some(100));
    within(&store, |t| t.create_run(&made));
    within(&store, |t| {
        t.create_run(&named("r2", "billing", Some("r1"), None))
    });
    assert_eq!(within(&store, |t| t.run(&made.id)), Some(made.clone()));
    assert_eq!(within(&store, |t| t.run(&RunId::named("r3"))), None);
    assert_eq!(within(&store, |t| t.live_runs(99)), 2);
    assert_eq!(within(&store, |t| t.live_runs(100)), 1, "it ends by itself");
    within(&store, |t| t.end_run(&made.id, 50));
    within(&store, |t| t.end_run(&made.id, 60));
    let ended = within(&store, |t| t.run(&made.id)).unwrap();
    assert_eq!(
        ended,
        Run {
            ended: Some(50),
            ..made
        }
    );
    assert_eq!(within(&store, |t| t.live_runs(99)), 1);
}

#[test]
fn a_run_has_a_known_named_parent() {
    let store = in_memory();
    let make = |parent| {
        store.transact(Durability::Relaxed, &mut |t| {
            t.create_run(&named("r1", "desk", Some(parent), None))
        })
    };
    assert!(make("r0").is_err());
    within(&store, |t| t.run(&RunId::shared("desk")));
    assert!(make("shared:desk").is_err());
}

#[test]
fn a_shared_run_is_there_and_never_ends() {
    let store = in_memory();
    let id = RunId::shared("desk");
    within(&store, |t| t.touch_agent(&"desk".to_owned(), 7));
    let run = within(&store, |t| t.run(&id)).unwrap();
    assert_eq!(
        (run.kind, run.agent.as_str(), run.created),
        (RunKind::Shared, "desk", 7)
    );
    within(&store, |t| t.end_run(&id, 9));
    assert_eq!(within(&store, |t| t.run(&id)), Some(run));
    assert_eq!(within(&store, |t| t.live_runs(9)), 0);
    within(&store, |t| t.touch_agent(&"desk".to_owned(), 11));
    assert_eq!(
        within(&store, |t| t.last_call(&"desk".to_owned())),
        Some(11)
    );
    assert_eq!(within(&store, |t| t.last_call(&"other".to_owned())), None);
}

#[test]
fn a_call_is_recorded_and_finished() {
    let store = in_memory();
    let run = RunId::shared("desk");
    within(&store, |t| t.run(&run));
    let made = call(&run, "charge", true, 5);
    let seq = within(&store, |t| t.insert_call(&made));
    assert_eq!(seq, 1);
    assert_eq!(within(&store, |t| t.insert_call(&made)), 2);
    let open = Call {
        seq,
        call: made,
        state: CallState::Open,
        result: None,
    };
    assert_eq!(within(&store, |t| t.call(seq)), Some(open.clone()));
    for state in [
        CallState::Ok,
        CallState::Error,
        CallState::Ambiguous,
        CallState::NotForwarded,
        CallState::Open,
    ] {
        within(&store, |t| t.finish_call(seq, state, Some(b"result"), 9));
        let result = Some(b"result".to_vec());
        let found = within(&store, |t| t.call(seq)).unwrap();
        assert_eq!(
            found,
            Call {
                state,
                result,
                ..open.clone()
            }
        );
    }
    assert_eq!(within(&store, |t| t.call(99)), None);
    assert_eq!(within(&store, |t| t.call(u64::MAX).or(Ok(None))), None);
    let unknown = store.transact(Durability::Relaxed, &mut |t| {
        t.finish_call(99, CallState::Ok, None, 9)
    });
    assert!(unknown.is_err());
}

#[test]
fn calls_count_until_they_are_given_back_or_the_run_is_cleared() {
    let store = in_memory();
    let run = RunId::shared("desk");
    within(&store, |t| t.run(&run));
    let count = || within(&store, |t| t.count_calls(&run, "charge"));
    let insert = || within(&store, |t| t.insert_call(&call(&run, "charge", true, 5)));
    let seqs: Vec<u64> = (0..5).map(|_| insert()).collect();
    within(&store, |t| t.insert_call(&call(&run, "other", true, 5)));
    assert_eq!(count(), 5, "calls under way count");
    for (seq, state) in seqs.iter().zip([
        CallState::Ok,
        CallState::Error,
        CallState::Ambiguous,
        CallState::NotForwarded,
    ]) {
        within(&store, |t| t.finish_call(*seq, state, None, 6));
    }
    assert_eq!(count(), 4);
    within(&store, |t| t.clear_shared_run(&"desk".to_owned(), 7));
    assert_eq!(count(), 0);
    insert();
    assert_eq!(count(), 1);
    let other = within(&store, |t| t.count_calls(&RunId::shared("other"), "charge"));
    assert_eq!(other, 0);
}

#[test]
fn only_an_ok_of_the_same_scope_is_a_success() {
    let store = in_memory();
    let (shared, run) = (RunId::shared("desk"), named("r1", "desk", None, None));
    within(&store, |t| t.create_run(&run));
    within(&store, |t| t.run(&shared));
    let finish = |run: &RunId, tool: &str, state| {
        within(&store, |t| {
            let seq = t.insert_call(&call(run, tool, true, 5))?;
            t.finish_call(seq, state, None, 6)
        });
    };
    let succeeded = |run: &RunId, session: Option<&str>, tool: &str| {
        let scope = Scope {
            run: run.clone(),
            session: session.map(str::to_owned),
        };
        within(&store, |t| t.has_succeeded(&scope, tool))
    };
    for (tool, state) in [
        ("error", CallState::Error),
        ("ambiguous", CallState::Ambiguous),
        ("given_back", CallState::NotForwarded),
        ("open", CallState::Open),
        ("ok", CallState::Ok),
    ] {
        finish(&shared, tool, state);
        finish(&run.id, tool, state);
        let is_ok = state == CallState::Ok;
        assert_eq!(succeeded(&shared, Some("s1"), tool), is_ok, "{tool}");
        assert!(!succeeded(&shared, Some("s2"), tool), "another session's");
        assert!(!succeeded(&shared, None, tool), "no session");
        for session in [Some("s1"), Some("s2"), None] {
            assert_eq!(
                succeeded(&run.id, session, tool),
                is_ok,
                "a named run is one"
            );
        }
    }
    within(&store, |t| t.clear_shared_run(&"desk".to_owned(), 7));
    assert!(!succeeded(&shared, Some("s1"), "ok"));
    assert!(succeeded(&run.id, None, "ok"));
}

#[test]
fn an_ambiguous_write_is_remembered_by_its_digest() {
    let store = in_memory();
    let run = RunId::shared("desk");
    within(&store, |t| t.run(&run));
    let ambiguous =
        |tool: &str, digest: &str| within(&store, |t| t.has_ambiguous(&run, tool, digest));
    let seq = within(&store, |t| t.insert_call(&call(&run, "charge", true, 5)));
    assert!(!ambiguous("charge", "k1:d"), "it is under way");
    within(&store, |t| {
        t.finish_call(seq, CallState::Ambiguous, None, 6)
    });
    assert!(ambiguous("charge", "k1:d"));
    assert!(!ambiguous("charge", "k1:e") && !ambiguous("other", "k1:d"));
    within(&store, |t| t.clear_shared_run(&"desk".to_owned(), 7));
    assert!(
        ambiguous("charge", "k1:d"),
        "a clearing does not make it known"
    );
    within(&store, |t| t.finish_call(seq, CallState::Ok, None, 8));
    assert!(!ambiguous("charge", "k1:d"));
}

#[test]
fn a_crash_closes_what_was_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gateway.db");
    let run = RunId::shared("desk");
    let store = Sqlite::open(&path).unwrap();
    let (write, read, done) = within(&store, |t| {
        t.run(&run)?;
        let write = t.insert_call(&call(&run, "charge", true, 5))?;
        let read = t.insert_call(&call(&run, "get", false, 5))?;
        let done = t.insert_call(&call(&run, "done", true, 5))?;
        t.finish_call(done, CallState::Ok, None, 5)?;
        Ok((write, read, done))
    });
    assert!(
        within(&store, |t| t.close_open_calls(6)).is_empty(),
        "they are this process's"
    );
    drop(store);

    let store = Sqlite::open(&path).unwrap();
    assert!(within(&store, |t| t.has_ambiguous(&run, "charge", "k1:d")));
    assert!(!within(&store, |t| t.has_ambiguous(&run, "get", "k1:d")));
    let own = within(&store, |t| t.insert_call(&call(&run, "own", true, 6)));
    let closed = within(&store, |t| t.close_open_calls(7));
    let states: Vec<_> = closed.iter().map(|call| (call.seq, call.state)).collect();
    assert_eq!(
        states,
        [(write, CallState::Ambiguous), (read, CallState::Error)]
    );
    for (seq, state) in [
        (write, CallState::Ambiguous),
        (done, CallState::Ok),
        (own, CallState::Open),
    ] {
        assert_eq!(within(&store, |t| t.call(seq)).unwrap().state, state);
    }
    assert!(within(&store, |t| t.close_open_calls(8)).is_empty());
    assert!(within(&store, |t| t.has_ambiguous(&run, "charge", "k1:d")));
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
                    if within(&store, |t| t.close_question(&id, state, Some(round))) {
                        wins.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(wins.into_inner(), 1);
        let expected = Question {
            question: question(&id, &run, None, &id),
            state: QuestionState::Answered,
            call: Some(round),
        };
        assert_eq!(within(&store, |t| t.question(&id)), Some(expected));
    }
    let unknown = within(&store, |t| {
        t.close_question("none", QuestionState::Gone, None)
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
    within(&store, |t| t.close_question("b", QuestionState::Gone, None));
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

#[test]
fn lines_are_kept_with_the_head_until_they_are_dropped() {
    let store = in_memory();
    let push = |node: &str, seq: u64| {
        let line = AuditLine {
            seq,
            text: format!("line {seq}"),
        };
        let head = ChainHead {
            seq,
            hash: format!("hash {seq}"),
        };
        within(&store, |t| t.push_line(node, &line, &head));
    };
    let pending = |node: &str| -> Vec<u64> {
        let lines = within(&store, |t| t.pending_lines(node));
        assert!(
            lines
                .iter()
                .all(|line| line.text == format!("line {}", line.seq))
        );
        lines.into_iter().map(|line| line.seq).collect()
    };
    assert_eq!(within(&store, |t| t.chain_head("a")), None);
    for seq in 1..=12 {
        push("a", seq);
    }
    push("b", 1);
    let head = within(&store, |t| t.chain_head("a")).unwrap();
    assert_eq!((head.seq, head.hash.as_str()), (12, "hash 12"));
    assert_eq!(pending("a"), (1..=12).collect::<Vec<_>>());
    within(&store, |t| t.drop_lines("a", 10));
    assert_eq!(pending("a"), [11, 12]);
    assert_eq!(pending("b"), [1]);
    within(&store, |t| t.drop_lines("a", u64::MAX));
    assert_eq!(pending("a"), [0; 0]);
    assert_eq!(within(&store, |t| t.chain_head("a")).unwrap().seq, 12);
    let again = store.transact(Durability::Relaxed, &mut |t| {
        let line = AuditLine {
            seq: 1,
            text: String::new(),
        };
        t.push_line(
            "b",
            &line,
            &ChainHead {
                seq: 1,
                hash: String::new(),
            },
        )
    });
    assert!(again.is_err(), "a number is given once");
}

#[test]
fn a_transaction_is_all_or_nothing() {
    let store = in_memory();
    let failed = store.transact(Durability::Durable, &mut |t| {
        t.create_run(&named("r1", "desk", None, None))?;
        Err(StoreError::Damaged("no".to_owned()))
    });
    assert_eq!(failed, Err(StoreError::Damaged("no".to_owned())));
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = store.transact(Durability::Relaxed, &mut |t| {
            t.create_run(&named("r1", "desk", None, None))?;
            panic!("a fault within")
        });
    }));
    assert!(panicked.is_err());
    assert_eq!(within(&store, |t| t.run(&RunId::named("r1"))), None);
    within(&store, |t| t.create_run(&named("r1", "desk", None, None)));
}

#[test]
fn a_file_has_one_process_and_one_owner() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gateway.db");
    let store = Sqlite::open(&path).unwrap();
    assert_eq!(Sqlite::open(&path).unwrap_err(), StoreError::InUse);
    let link = folder.path().join("link.db");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert_eq!(Sqlite::open(&link).unwrap_err(), StoreError::InUse);
    within(&store, |t| t.run(&RunId::shared("desk")));
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let mode = std::fs::metadata(&path).unwrap().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", path.display());
    }
    assert_eq!(Sqlite::read_chain(&path, "a").unwrap().unwrap().head, None);
    drop(store);
    Sqlite::open(&path).unwrap();
}

#[test]
fn a_file_that_is_no_store_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let damaged = |path: &Path| matches!(Sqlite::open(path), Err(StoreError::Damaged(_)));
    let text = folder.path().join("text");
    std::fs::write(&text, "not a database".repeat(100)).unwrap();
    assert!(damaged(&text));
    assert_eq!(
        std::fs::read(&text).unwrap(),
        "not a database".repeat(100).as_bytes()
    );

    let other = folder.path().join("other.db");
    let connection = rusqlite::Connection::open(&other).unwrap();
    connection
        .execute_batch("CREATE TABLE people (name TEXT)")
        .unwrap();
    drop(connection);
    assert!(damaged(&other));

    let later = folder.path().join("later.db");
    drop(Sqlite::open(&later).unwrap());
    let connection = rusqlite::Connection::open(&later).unwrap();
    connection.pragma_update(None, "user_version", 2).unwrap();
    drop(connection);
    let Err(StoreError::Damaged(why)) = Sqlite::open(&later) else {
        panic!("opened");
    };
    assert_eq!(
        why,
        "its tables are of version 2, and this program knows version 1"
    );

    let missing = folder.path().join("none/gateway.db");
    let expected = StoreError::Unusable("there is no such file or folder".to_owned());
    assert_eq!(Sqlite::open(&missing).unwrap_err(), expected);
    assert_eq!(Sqlite::read_chain(&missing, "a").unwrap(), None);
}
