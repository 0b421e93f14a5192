//! The store: what each of its methods says, over SQLite in a file and in memory.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use stalwart::store::{
    AuditLine, Call, CallState, ChainHead, Durability, NewCall, Run, RunId, RunKind, Scope, Sqlite,
    Store, StoreError, Transaction,
};

mod marks;
pub mod questions;
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

pub fn in_memory() -> Sqlite {
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
