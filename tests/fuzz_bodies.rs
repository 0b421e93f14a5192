//! The bodies of the fuzz targets as properties: over the kept seeds, seeds that are changed a
//! little, and random bytes.

use std::fmt;

use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::compiled::{files, root};
use crate::properties::runner;

#[path = "../fuzz/src/bodies.rs"]
mod bodies;

use bodies::{check_emit_decide, ir_load, json_context, parse_bytes};

/// A change of some bytes.
#[derive(Clone, Debug)]
enum Change {
    Remove(Index, u8),
    Insert(Index, Vec<u8>),
    Repeat(Index, u8, u8),
    Replace(Index, u8),
    Cut(Index),
}

/// What is often at the border of something, in any of the languages.
const PIECES: [&str; 40] = [
    "\n",
    "  ",
    "\"",
    "'",
    "\\",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    "#",
    "$",
    "$a",
    "$a.b",
    " not ",
    " and ",
    "if ",
    "else\n",
    "  stop\n",
    "define flow x\n",
    "do s\n",
    "while $a\n",
    "when user x\n",
    "bot refuse\n",
    "user ...\n",
    "execute t\n",
    "\u{feff}",
    "\u{202e}",
    "\r",
    "\0",
    "1e999",
    "-0.0",
    "99999999999999999999",
    "\\ud83d",
    "\"a\":",
    "null",
    "\u{e9}",
];

fn change() -> impl Strategy<Value = Change> {
    let piece = select(&PIECES[..]).prop_map(|piece| piece.as_bytes().to_vec());
    let inserted = prop_oneof![4 => piece, 1 => prop::collection::vec(any::<u8>(), 1..4)];
    prop_oneof![
        2 => (any::<Index>(), 1..40_u8).prop_map(|(at, length)| Change::Remove(at, length)),
        4 => (any::<Index>(), inserted).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        1 => (any::<Index>(), 1..60_u8, 1..9_u8)
            .prop_map(|(at, length, times)| Change::Repeat(at, length, times)),
        2 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Change::Replace(at, byte)),
        1 => any::<Index>().prop_map(Change::Cut),
    ]
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let at = |index: &Index| index.index(bytes.len() + 1);
        let range = |index: &Index, length: &u8| {
            let start = at(index);
            start..bytes.len().min(start + usize::from(*length))
        };
        match self {
            Self::Remove(index, length) => drop(bytes.drain(range(index, length))),
            Self::Insert(index, inserted) => {
                let at = at(index);
                drop(bytes.splice(at..at, inserted.iter().copied()));
            }
            Self::Repeat(index, length, times) => {
                let range = range(index, length);
                let repeated = bytes[range.clone()].repeat(usize::from(*times));
                drop(bytes.splice(range.end..range.end, repeated));
            }
            Self::Replace(index, byte) => {
                let at = at(index);
                if let Some(place) = bytes.get_mut(at) {
                    *place = *byte;
                }
            }
            Self::Cut(index) => bytes.truncate(at(index)),
        }
    }
}

/// Bytes that are shown as text where a case fails.
#[derive(Clone)]
struct Bytes(Vec<u8>);

impl fmt::Debug for Bytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0.escape_ascii())
    }
}

/// Where `scripts/fuzz` takes the seeds of a target from, too.
const FOLDERS: [(&str, &[(&str, &str)]); 5] = [
    (
        "parse_bytes",
        &[
            ("fixtures/language", "co"),
            ("fixtures/diagnostics", "co"),
            ("fixtures/legacy", "co"),
            ("fuzz/seeds/parse_bytes", "co"),
        ],
    ),
    (
        "check_emit_decide",
        &[
            ("fixtures/language", "co"),
            ("fixtures/diagnostics", "co"),
            ("fuzz/seeds/check_emit_decide", "co"),
            ("fuzz/seeds/check_emit_decide", "seed"),
        ],
    ),
    (
        "fmt",
        &[
            ("fixtures/language", "co"),
            ("fixtures/legacy", "co"),
            ("fuzz/seeds/parse_bytes", "co"),
            ("fuzz/seeds/fmt", "co"),
        ],
    ),
    (
        "ir_load",
        &[("opa", "json"), ("fuzz/seeds/ir_load", "json")],
    ),
    ("json_context", &[("fuzz/seeds/json_context", "json")]),
];

/// The seeds of a target.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let (_, folders) = FOLDERS.iter().find(|(name, _)| *name == target).unwrap();
    for (folder, extension) in *folders {
        let paths = files(folder, extension);
        assert!(!paths.is_empty(), "no seeds in {folder}");
        for path in paths {
            found.push(std::fs::read(path).expect("a seed is read"));
        }
    }
    found
}

fn cases(seeds: Vec<Vec<u8>>) -> impl Strategy<Value = Bytes> {
    let changed = (select(seeds), prop::collection::vec(change(), 1..6));
    let changed = changed.prop_map(|(mut bytes, changes)| {
        changes.iter().for_each(|change| change.apply(&mut bytes));
        Bytes(bytes)
    });
    let random = prop::collection::vec(any::<u8>(), 0..300).prop_map(Bytes);
    prop_oneof![6 => changed, 1 => random]
}

fn over_bytes(target: &str, count: u32, run: fn(&[u8])) {
    let seeds = seeds(target);
    for seed in &seeds {
        run(seed);
    }
    let result = runner(count).run(&cases(seeds), |bytes| {
        run(&bytes.0);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn any_bytes_are_read_as_a_source() {
    over_bytes("parse_bytes", 600, parse_bytes::run);
}

#[test]
fn what_checks_is_emitted_and_decides_alike() {
    over_bytes("check_emit_decide", 200, check_emit_decide::run);
    let drawn = any::<[u8; 32]>().prop_map(|seed| Bytes([vec![0], seed.to_vec()].concat()));
    let result = runner(100).run(&drawn, |bytes| {
        check_emit_decide::run(&bytes.0);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn what_parses_is_formatted_and_stays_what_it_is() {
    over_bytes("fmt", 1_000, bodies::fmt::run);
}

#[test]
fn any_bytes_are_read_as_an_ir() {
    over_bytes("ir_load", 400, ir_load::run);
}

#[test]
fn any_bytes_are_read_as_a_context() {
    over_bytes("json_context", 2_000, json_context::run);
}

/// The properties can fail.
#[test]
fn a_seed_of_each_target_goes_all_the_way() {
    use stalwart::compiler::{Depth, compile};
    let compiles = |seed: &Vec<u8>| {
        compile("policy.co", seed, "fuzz.policy", Depth::Errors)
            .rulebook
            .is_some()
    };
    assert!(seeds("parse_bytes").iter().any(compiles));
    assert!(!seeds("parse_bytes").iter().all(compiles));
    assert!(seeds("check_emit_decide").iter().any(compiles));
    assert!(seeds("fmt").iter().any(compiles));
    let loads = |seed: &Vec<u8>| stalwart::ir::from_bytes(seed).is_ok();
    assert!(seeds("ir_load").iter().all(loads));
    let parses = |seed: &Vec<u8>| stalwart::json::parse(seed).is_ok();
    assert!(seeds("json_context").iter().any(parses));
    assert!(!seeds("json_context").iter().all(parses));
    let script = std::fs::read_to_string(root().join("scripts/fuzz")).unwrap();
    for (target, folders) in FOLDERS {
        for (folder, _) in folders {
            assert!(
                script.contains(folder),
                "{target} in scripts/fuzz: {folder}"
            );
        }
    }
}
