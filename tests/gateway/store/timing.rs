//! What a read costs, and that a durable commit reaches the disk. Measured, never asserted:
//! `cargo nextest run --test gateway timing --run-ignored all --no-capture`.

use std::time::Instant;

use stalwart::audit::{Entry, Kind, append};
use stalwart::keys::{KeyRing, Secret};
use stalwart::store::{CallState, Durability, RunId, Sqlite, Store};

use super::call;

#[test]
#[ignore = "measures"]
fn transactions_are_measured() {
    let folder = tempfile::tempdir_in(".").unwrap();
    let store = Sqlite::open(&folder.path().join("gateway.db")).unwrap();
    let keys = KeyRing::new(vec![("k1".to_owned(), Secret::new([1; 32]))]).unwrap();
    let run = RunId::shared("desk");
    let agent = "desk".to_owned();
    let sources = ["a", "b"].map(str::to_owned);
    for (durability, rounds) in [(Durability::Relaxed, 5_000), (Durability::Durable, 200)] {
        let mut times = Vec::new();
        for round in 0..rounds {
            let begin = Instant::now();
            let mut seq = 0;
            store
                .transact(durability, &mut |t| {
                    t.touch_agent(&agent, round)?;
                    t.run(&run)?;
                    t.marks(&run, &sources, round)?;
                    t.is_declined(&run, "get_order", "k1:d", round)?;
                    seq = t.insert_call(&call(&run, "get_order", false, round))?;
                    append(t, &keys, "node", round, Entry::of(Kind::Decision)).map(drop)
                })
                .unwrap();
            store
                .transact(durability, &mut |t| {
                    t.finish_call(seq, CallState::Ok, None, round)?;
                    append(t, &keys, "node", round, Entry::of(Kind::Outcome)).map(drop)
                })
                .unwrap();
            times.push(begin.elapsed());
        }
        times.sort();
        let at = |part: usize| times[times.len() * part / 1000 - 1];
        println!(
            "{durability:?}: T1+T2 p50 {:?}, p99 {:?}, p99.9 {:?}",
            at(500),
            at(990),
            at(999)
        );
    }
}
