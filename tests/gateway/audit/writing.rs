//! Writing: order, rotation, and what is refused.

use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

use stalwart::audit::{Chain, Log, LogError, Tail};
use stalwart::store::{Sqlite, Store};

use super::{Place, ring, seqs};

#[test]
fn eight_writers_keep_the_order_and_lose_nothing() {
    let place = Place::new();
    let store = place.store();
    let log = place.open(&store);
    std::thread::scope(|scope| {
        for writer in 0..8_u32 {
            let (place, store, log) = (&place, &store, &log);
            scope.spawn(move || {
                for turn in 0..160 {
                    let line = place.commit(store, writer * 1_000 + turn);
                    log.write(std::slice::from_ref(&line), turn % 16 == 0)
                        .unwrap();
                    let there = log.tail();
                    let is_there = there.contains(&line);
                    assert!(is_there || there.len() == 1_000, "it stands in the file");
                }
            });
        }
    });
    assert_eq!(seqs(&place.text()), (1..=1_280).collect::<Vec<_>>());
    assert!(
        place.stored().pending.len() < 1_100,
        "lines are dropped in batches"
    );
    log.settle().unwrap();
    assert_eq!(place.stored().pending, []);
    drop((log, store));
    let report = place.verify();
    assert!(report.is_clean(), "{:?}", report.findings);
    assert_eq!((report.lines, report.chain), (1_280, Chain::Checked));
    assert_eq!(report.tail, Tail::Checked { waiting: 0 });
    let checkpoints = std::fs::read_to_string(place.path("decisions.jsonl.checkpoints")).unwrap();
    assert_eq!(checkpoints.lines().count(), 1, "one every thousand lines");
}

#[test]
fn a_line_that_never_comes_is_taken_from_the_store() {
    let place = Place::new();
    let store = place.store();
    let log = place.open(&store);
    let _lost = place.commit(&store, 0);
    let line = place.commit(&store, 1);
    log.write(&[line], true).unwrap();
    assert_eq!(seqs(&place.text()), [1, 2]);
}

#[test]
fn nothing_is_written_into_a_file_that_somebody_changed() {
    let place = Place::new();
    let store = place.store();
    let log = place.open(&store);
    log.write(&[place.commit(&store, 0)], true).unwrap();
    let text = place.text();
    place.rewrite(format!("{text}more\n"));
    for number in 1..4 {
        let line = place.commit(&store, number);
        assert_eq!(log.write(&[line], false), Err(LogError::Changed));
    }
    place.rewrite(&text);
    // What could not be written waits in the store.
    log.write(&[place.commit(&store, 4)], false).unwrap();
    assert_eq!(seqs(&place.text()), [1, 2, 3, 4, 5]);
    std::fs::remove_file(place.log_path()).unwrap();
    let line = place.commit(&store, 3);
    assert_eq!(log.write(&[line], false), Err(LogError::Changed));
}

#[test]
fn a_file_has_one_writer_and_one_node() {
    let mut place = Place::new();
    let store = place.store();
    let log = place.open(&store);
    log.write(&[place.commit(&store, 0)], true).unwrap();
    assert_eq!(place.try_open(&store).err(), Some(LogError::InUse));
    let mode = std::fs::metadata(place.log_path()).unwrap().mode() & 0o777;
    assert_eq!(mode, 0o600);
    drop(log);
    let other: Arc<dyn Store> = Arc::new(Sqlite::in_memory().unwrap());
    place.commit(&other, 7);
    assert_eq!(place.try_open(&other).err(), Some(LogError::Altered(1)));
    place.node = "gateway-2";
    let expected = LogError::OtherNode("gateway-1".to_owned());
    assert_eq!(place.try_open(&store).err(), Some(expected));
}

#[test]
fn rotated_files_are_tied_together() {
    let place = Place::new();
    let store = place.store();
    let log = place.open(&store);
    let mut number = 0;
    let mut write = |count: u32| {
        for _ in 0..count {
            log.write(&[place.commit(&store, number)], false).unwrap();
            number += 1;
        }
    };
    write(5);
    log.rotate(50).unwrap();
    write(5);
    std::fs::rename(place.log_path(), place.path("decisions.jsonl.1")).unwrap();
    write(1);
    log.rotate(60).unwrap();
    write(3);
    let old = std::fs::read_to_string(place.path("decisions.jsonl.1")).unwrap();
    assert_eq!(seqs(&old), (1..=11).collect::<Vec<_>>());
    assert_eq!(seqs(&place.text()), [12, 13, 14]);
    log.settle().unwrap();

    let first = place.verify_file(&place.path("decisions.jsonl.1"));
    assert!(first.is_clean(), "{:?}", first.findings);
    assert_eq!(first.tail, Tail::Rotated);
    let second = place.verify();
    assert!(second.is_clean(), "{:?}", second.findings);
    let without = stalwart::audit::verify(&place.log_path(), None).unwrap();
    assert!(without.is_clean(), "{:?}", without.findings);
    // A restart right behind a rotation finds an empty file.
    std::fs::rename(place.log_path(), place.path("decisions.jsonl.2")).unwrap();
    log.rotate(70).unwrap();
    drop(log);
    let log = place.open(&store);
    log.write(&[place.commit(&store, 99)], true).unwrap();
    drop(log);
    assert!(place.verify().is_clean());
    std::fs::remove_file(place.path("decisions.jsonl.checkpoints")).unwrap();
    assert!(
        !place.verify().is_clean(),
        "nothing says that the first lines were moved away"
    );
}

#[test]
fn keys_are_rotated_and_old_ones_must_be_known() {
    let mut place = Place::new();
    place.filled(3);
    place.keys = ring(&[("k2", 2), ("k1", 1)]);
    let store = place.store();
    let log = place.open(&store);
    log.write(&[place.commit(&store, 3)], true).unwrap();
    log.write(&[place.commit(&store, 4)], true).unwrap();
    log.settle().unwrap();
    drop((log, store));
    let report = place.verify();
    assert!(report.is_clean(), "{:?}", report.findings);
    place.keys = ring(&[("k2", 2)]);
    let report = place.verify();
    assert_eq!(report.findings.len(), 4, "{:?}", report.findings);
    place.keys = ring(&[("k3", 3)]);
    let store = place.store();
    let expected = LogError::KeyUnknown("k2".to_owned());
    assert_eq!(place.try_open(&store).err(), Some(expected));
}

#[test]
fn a_log_in_memory_keeps_its_last_lines() {
    let place = Place::new();
    let store = place.store();
    place.commit(&store, 0);
    let log = Log::in_memory(Arc::clone(&store), place.node, 3).unwrap();
    assert!(!log.is_kept());
    for number in 1..600 {
        log.write(&[place.commit(&store, number)], false).unwrap();
    }
    let last: Vec<u64> = log.tail().iter().map(|line| line.seq).collect();
    assert_eq!(last, [598, 599, 600]);
    assert!(place.stored().pending.len() <= 256);
    log.settle().unwrap();
    assert_eq!(place.stored().pending, []);
    assert_eq!(place.stored().head.unwrap().seq, 600);
}
