//! Mutation test of the emitter: each fault that it could have is put into the package of every
//! fixture, and the proof must notice all that change a decision. Those it does not notice are
//! listed in `tests/mutants/equivalent.txt`, each with the reason why it changes none.
//!
//! All mutants take many minutes; the suite tries one of every few. `STALWART_MUTANTS=all` tries all,
//! or all of the fixtures whose path has another value of it, and writes the list anew for these.

mod mutate;
mod reasons;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use stalwart::proof::{DEFAULT_POINTS, Failure, Options, Proof, prove};

use crate::compiled::{Compiled, files, must_compile, root};
use mutate::{Kind, Mutant, mutants};

const LIST: &str = "tests/mutants/equivalent.txt";

/// Of so many mutants the suite tries one, unless it is to try all.
const STRIDE: usize = 211;

/// Points of the sample that is tried first: what it notices needs no whole product.
const FEW: u64 = 2_000;

/// A rulebook whose package is changed.
struct Fixture {
    name: String,
    compiled: Compiled,
    rego: String,
}

fn fixtures() -> Vec<Fixture> {
    let all = files("fixtures", "co").into_iter();
    let own = all.filter(|path| !path.starts_with(root().join("fixtures/diagnostics")));
    own.map(|path| {
        let below = path.strip_prefix(root().join("fixtures")).expect("below");
        let compiled = must_compile(&std::fs::read(&path).expect("a fixture"), "stalwart.policy");
        Fixture {
            name: below.to_string_lossy().into_owned(),
            rego: compiled.emit().rego,
            compiled,
        }
    })
    .collect()
}

/// Whether the proof notices a change.
fn is_caught(fixture: &Fixture, mutant: &Mutant) -> bool {
    let notices = |points| {
        let options = Options {
            points,
            opa: None,
            progress: &mut |_| {},
        };
        match prove(&fixture.compiled.rulebook, &mutant.rego, options) {
            // What the change makes the package read may be too much for a whole product.
            Ok(Proof::Proved { .. } | Proof::Sampled { .. }) => false,
            Err(Failure::Mismatch { .. } | Failure::NotEvaluated(_)) => true,
            Err(failure @ Failure::NoOpa(_)) => panic!("{}: {failure:?}", fixture.name),
        }
    };
    notices(FEW) || notices(DEFAULT_POINTS)
}

/// What came of the mutants that were tried.
#[derive(Default)]
struct Outcome {
    /// Tried and caught, of each kind.
    counts: BTreeMap<Kind, (usize, usize)>,
    /// The lines of the list for those that were not caught.
    equivalent: BTreeSet<String>,
    /// The lines of the list for those that were.
    caught: BTreeSet<String>,
    /// Those that were not caught, and have no reason.
    unexplained: Vec<String>,
}

fn line_of(fixture: &Fixture, mutant: &Mutant) -> String {
    format!(
        "{}:{} {}: {}",
        fixture.name,
        mutant.line,
        mutant.kind.as_str(),
        mutant.change
    )
}

fn run(fixtures: &[Fixture], stride: usize) -> Outcome {
    let all: Vec<(&Fixture, Mutant)> = fixtures
        .iter()
        .flat_map(|fixture| {
            mutants(&fixture.rego)
                .into_iter()
                .map(move |it| (fixture, it))
        })
        .step_by(stride)
        .collect();
    let next = AtomicUsize::new(0);
    let outcome = Mutex::new(Outcome::default());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((fixture, mutant)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let caught = is_caught(fixture, mutant);
                    let line = line_of(fixture, mutant);
                    let mut outcome = outcome.lock().expect("no thread has failed");
                    let (tried, noticed) = outcome.counts.entry(mutant.kind).or_default();
                    *tried += 1;
                    *noticed += usize::from(caught);
                    if caught {
                        outcome.caught.insert(line);
                    } else if let Some(reason) = reasons::reason(mutant, &fixture.rego) {
                        outcome.equivalent.insert(format!("{line}\n    {reason}"));
                    } else {
                        outcome.unexplained.push(line);
                    }
                }
            });
        }
    });
    outcome.into_inner().expect("no thread has failed")
}

/// The part of the list that is not of these fixtures.
fn listed_of_others(listed: &str, fixtures: &[Fixture]) -> BTreeSet<String> {
    let entries = listed.split_inclusive('\n').collect::<Vec<_>>();
    entries
        .chunks(2)
        .filter(|entry| {
            let (name, _) = entry[0].split_once(':').expect("a fixture");
            fixtures.iter().all(|fixture| fixture.name != name)
        })
        .map(|entry| entry.concat().trim_end().to_owned())
        .collect()
}

#[test]
fn what_changes_a_decision_is_caught() {
    let wanted = std::env::var("STALWART_MUTANTS").ok();
    let mut fixtures = fixtures();
    if let Some(wanted) = wanted.as_deref().filter(|wanted| *wanted != "all") {
        fixtures.retain(|fixture| fixture.name.contains(wanted));
    }
    let outcome = run(&fixtures, if wanted.is_some() { 1 } else { STRIDE });
    for (kind, (tried, caught)) in &outcome.counts {
        println!("{:<26} {tried:>6} tried {caught:>6} caught", kind.as_str());
    }
    assert!(
        outcome.unexplained.is_empty(),
        "not caught, and without a reason:\n{}",
        outcome.unexplained.join("\n")
    );
    let path = root().join(LIST);
    let mut listed = std::fs::read_to_string(&path).expect("the list");
    if wanted.is_some() {
        let mut entries = listed_of_others(&listed, &fixtures);
        entries.extend(outcome.equivalent.iter().cloned());
        listed = entries.into_iter().fold(String::new(), |mut text, entry| {
            let _ = writeln!(text, "{entry}");
            text
        });
        std::fs::write(&path, &listed).expect("the list is written");
    }
    let listed: BTreeSet<&str> = listed
        .lines()
        .filter(|line| !line.starts_with(' '))
        .collect();
    let first_line = |entry: &String| entry.lines().next().unwrap_or_default().to_owned();
    let missing: Vec<String> = outcome
        .equivalent
        .iter()
        .map(first_line)
        .filter(|entry| !listed.contains(entry.as_str()))
        .collect();
    assert!(missing.is_empty(), "not in {LIST}: {missing:#?}");
    let wrong: Vec<&String> = outcome
        .caught
        .iter()
        .filter(|entry| listed.contains(entry.as_str()))
        .collect();
    assert!(wrong.is_empty(), "caught, but in {LIST}: {wrong:#?}");
    if wanted.is_none() {
        let tried = outcome.counts.len();
        assert_eq!(tried, Kind::ALL.len(), "a kind was not tried");
    }
}
