//! What a crash leaves, and what an opened log makes of it.

use stalwart::audit::{Kind, Line, LogError};
use stalwart::store::{Durability, Sqlite};

use super::{Place, seqs};

fn kinds(text: &str) -> Vec<Kind> {
    text.lines()
        .map(|line| Line::read(line).unwrap().kind)
        .collect()
}

#[test]
fn lines_that_a_crash_kept_out_of_the_file_are_written() {
    let place = Place::new();
    place.filled(3);
    let store = place.store();
    place.commit(&store, 3);
    place.commit(&store, 4);
    drop(place.open(&store));
    assert_eq!(seqs(&place.text()), [1, 2, 3, 4, 5]);
    assert!(
        kinds(&place.text())
            .iter()
            .all(|kind| *kind == Kind::Decision)
    );
    drop(store);
    assert!(place.verify().is_clean());
}

#[test]
fn a_line_torn_at_any_byte_is_moved_aside_and_written_again() {
    let place = Place::new();
    let store = place.store();
    let log = place.open(&store);
    log.write(&[place.commit(&store, 0)], true).unwrap();
    log.settle().unwrap();
    let whole = place.text();
    let line = place.commit(&store, 1);
    log.write(std::slice::from_ref(&line), false).unwrap();
    drop(log);
    drop(store);
    // Each offset on a copy of store and log as the crash left them.
    let length = line.text.len();
    for offset in (1..=length).step_by(7).chain([length]) {
        let copy = Place::new();
        std::fs::copy(place.path("gateway.db"), copy.path("gateway.db")).unwrap();
        let torn = &line.text[..offset];
        copy.rewrite(format!("{whole}{torn}"));
        let store = copy.store();
        drop(copy.open(&store));
        drop(store);
        assert_eq!(seqs(&copy.text()), [1, 2, 3], "{offset}");
        assert_eq!(kinds(&copy.text())[2], Kind::Repair);
        let aside = std::fs::read_to_string(copy.path("decisions.jsonl.torn-2")).unwrap();
        assert_eq!(aside, torn);
        let report = copy.verify();
        assert!(report.is_clean(), "{offset}: {:?}", report.findings);
    }
}

#[test]
fn lines_that_only_the_file_has_are_taken_over() {
    let place = Place::new();
    place.filled(3);
    std::fs::copy(place.path("gateway.db"), place.path("before.db")).unwrap();
    let store = place.store();
    let log = place.open(&store);
    log.write(&[place.commit(&store, 3), place.commit(&store, 4)], true)
        .unwrap();
    drop((log, store));
    // The disk lost the store's last commits.
    std::fs::copy(place.path("before.db"), place.path("gateway.db")).unwrap();
    let store = place.store();
    drop(place.open(&store));
    drop(store);
    assert_eq!(seqs(&place.text()), [1, 2, 3, 4, 5, 6]);
    assert_eq!(kinds(&place.text())[5], Kind::Repair);
    assert!(place.verify().is_clean());
}

#[test]
fn a_log_that_was_cut_or_altered_ends_the_start() {
    let refused = |damage: &dyn Fn(&Place)| {
        let place = Place::new();
        place.filled(4);
        damage(&place);
        let before = std::fs::read(place.log_path()).ok();
        let store = place.store();
        let error = place.try_open(&store).err().unwrap();
        assert_eq!(
            std::fs::read(place.log_path()).ok(),
            before,
            "it is left alone"
        );
        assert!(error.diagnostic().code.id.starts_with("RB12"));
        error
    };
    let keep = |count: usize| {
        move |place: &Place| {
            let lines: Vec<String> = place.text().lines().map(|it| format!("{it}\n")).collect();
            place.rewrite(lines[..count].concat());
        }
    };
    assert_eq!(refused(&keep(3)), LogError::Cut { file: 3, store: 4 });
    assert_eq!(refused(&keep(0)), LogError::Cut { file: 0, store: 4 });
    let removed = refused(&|place| std::fs::remove_file(place.log_path()).unwrap());
    assert_eq!(removed, LogError::Cut { file: 0, store: 4 });
    let altered = refused(&|place| place.rewrite(place.text().replace("mark3", "mark4")));
    assert_eq!(altered, LogError::Altered(4));
    let garbage = refused(&|place| place.rewrite(format!("{}\0\0\n", place.text())));
    assert_eq!(garbage, LogError::Altered(4));
    let forged = refused(&|place| {
        let text = place.text();
        let last = text.lines().last().unwrap();
        let forged = last.replace("\"seq\":4", "\"seq\":5");
        place.rewrite(format!("{text}{forged}\n"));
    });
    assert_eq!(forged, LogError::Altered(5));
}

#[test]
fn a_log_of_a_chain_that_the_store_does_not_know_is_refused() {
    let place = Place::new();
    place.filled(2);
    let other = Place {
        keys: super::ring(&[("k1", 9)]),
        ..Place::new()
    };
    other.rewrite(place.text());
    let store = other.store();
    assert_eq!(other.try_open(&store).err(), Some(LogError::OtherStore));
}

#[test]
fn a_store_reads_its_chain_while_it_is_used() {
    let place = Place::new();
    let store = place.store();
    place.commit(&store, 0);
    store
        .transact(Durability::Relaxed, &mut |_| {
            let read = Sqlite::read_chain(&place.path("gateway.db"), place.node);
            assert_eq!(read.unwrap().unwrap().pending.len(), 1);
            Ok(())
        })
        .unwrap();
}
