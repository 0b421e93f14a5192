//! Mutation test of the emitter: each fault that it could have is put into the package of every
//! fixture, and the proof must notice all that change a decision. Those it does not notice are
//! listed in `tests/mutants/equivalent.txt`, each with the reason why it changes none; that it changes
//! none is asked of an interpreter again, of the whole package and without the proof.
//!
//! All mutants take many minutes; the suite tries one of every few. `STALWART_MUTANTS=all` tries all,
//! or all of the fixtures whose path has another value of it, and writes the list anew for these.

pub mod mutate;
mod reasons;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use stalwart::decision_space::Space;
use stalwart::evaluator::Decision;
use stalwart::ir::Rulebook;
use stalwart::proof::{DEFAULT_POINTS, Failure, Options, Proof, prove};

use crate::compiled::{Compiled, files, must_compile, root};
use crate::engines::{Batch, regorus};
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
    /// Calls all over the decision space, for a second opinion on what the proof lets pass.
    calls: Vec<Option<String>>,
}

impl Fixture {
    fn answers(&self, rego: &str) -> Vec<Result<Decision, String>> {
        regorus::decide(Batch {
            package: "stalwart.policy".to_owned(),
            rego: rego.to_owned(),
            inputs: self.calls.clone(),
        })
    }
}

/// Most calls of a second opinion.
const CALLS: u128 = 600;

/// Calls of every tool at points of the product of all names' classes: all of them where they
/// are few, else some that are spread over it.
fn calls(rulebook: &Rulebook) -> Vec<Option<String>> {
    let arms = rulebook.flows.iter().flat_map(|flow| &flow.ifs);
    let arms = arms.flat_map(|decision| &decision.arms);
    let space = Space::of(arms.map(|arm| &arm.condition));
    let tools = rulebook
        .tools
        .iter()
        .map(|tool| Value::from(tool.name.as_str()));
    let tools: Vec<Value> = tools.chain([Value::from("other"), Value::Null]).collect();
    let points = space.points().unwrap_or(u128::MAX);
    let each = (CALLS / tools.len() as u128).max(1);
    let mut found = vec![None];
    for number in 0..points.min(each) {
        // A stride without a factor in common with most products.
        let mut rest = if points <= each {
            number
        } else {
            number.wrapping_mul(7_368_787) % points
        };
        let point: Vec<u32> = space
            .iter()
            .map(|(_, classes)| {
                let count = u128::from(classes.len());
                let class = u32::try_from(rest % count).expect("a class");
                rest /= count;
                class
            })
            .collect();
        let witness = space.witness(&point);
        let asked = witness.tool.as_deref().map(Value::from);
        for tool in tools.iter().cloned().chain(asked) {
            let call = json!({"tool": tool, "context": witness.context});
            found.push(Some(call.to_string()));
        }
    }
    found
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
            calls: calls(&compiled.rulebook),
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
            other => panic!("{}: {other:?}", fixture.name),
        }
    };
    notices(FEW) || notices(DEFAULT_POINTS)
}

/// Mutants that change no decision, by the reason why they do not.
pub type List = BTreeMap<String, BTreeSet<String>>;

/// Reads the list: a reason behind `#`, and the mutants that it is the reason of.
pub fn read_list() -> List {
    let text = std::fs::read_to_string(root().join(LIST)).expect("the list");
    let mut list = List::new();
    let mut reason = String::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix("# ") {
            Some(found) => found.clone_into(&mut reason),
            None => {
                let of_reason = list.entry(reason.clone()).or_default();
                of_reason.insert(line.to_owned());
            }
        }
    }
    list
}

fn write_list(list: &List) {
    let mut text = String::new();
    for (reason, mutants) in list.iter().filter(|(_, mutants)| !mutants.is_empty()) {
        let _ = writeln!(text, "# {reason}");
        for mutant in mutants {
            let _ = writeln!(text, "{mutant}");
        }
        text.push('\n');
    }
    std::fs::write(root().join(LIST), text).expect("the list is written");
}

/// What came of the mutants that were tried.
#[derive(Default)]
struct Outcome {
    /// Tried and caught, of each kind.
    counts: BTreeMap<Kind, (usize, usize)>,
    /// Those that were not caught, by the reason.
    equivalent: List,
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
        .filter({
            // Of each kind the first, and then one of so many.
            let mut seen = BTreeMap::<Kind, usize>::new();
            move |(_, mutant)| {
                let number = seen.entry(mutant.kind).or_default();
                *number += 1;
                (*number - 1).is_multiple_of(stride)
            }
        })
        .collect();
    let next = AtomicUsize::new(0);
    let outcome = Mutex::new(Outcome::default());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((fixture, mutant)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let caught = is_caught(fixture, mutant);
                    let is_same =
                        || fixture.answers(&mutant.rego) == fixture.answers(&fixture.rego);
                    let decides_otherwise = !caught && !is_same();
                    let line = line_of(fixture, mutant);
                    let mut outcome = outcome.lock().expect("no thread has failed");
                    let (tried, noticed) = outcome.counts.entry(mutant.kind).or_default();
                    *tried += 1;
                    *noticed += usize::from(caught);
                    if caught {
                        outcome.caught.insert(line);
                    } else if decides_otherwise {
                        outcome
                            .unexplained
                            .push(format!("{line} DECIDES OTHERWISE"));
                    } else if let Some(reason) = reasons::reason(mutant, &fixture.rego) {
                        let listed = outcome.equivalent.entry(reason.to_owned());
                        listed.or_default().insert(line);
                    } else {
                        outcome.unexplained.push(line);
                    }
                }
            });
        }
    });
    outcome.into_inner().expect("no thread has failed")
}

/// Whether a line of the list is of one of these fixtures.
fn is_of(line: &str, fixtures: &[Fixture]) -> bool {
    let name = line.split(':').next();
    fixtures
        .iter()
        .any(|fixture| Some(fixture.name.as_str()) == name)
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
    let mut list = read_list();
    if wanted.is_some() {
        for mutants in list.values_mut() {
            mutants.retain(|line| !is_of(line, &fixtures));
        }
        for (reason, mutants) in &outcome.equivalent {
            let listed = list.entry(reason.clone()).or_default();
            listed.extend(mutants.iter().cloned());
        }
        write_list(&list);
    }
    let listed: BTreeSet<&String> = list.values().flatten().collect();
    let names: BTreeSet<_> = listed
        .iter()
        .filter_map(|line| line.split(':').next())
        .collect();
    // What was tried whole is listed whole.
    let missing: Vec<&String> = outcome
        .equivalent
        .values()
        .flatten()
        .filter(|line| {
            line.split(':')
                .next()
                .is_some_and(|name| names.contains(name))
        })
        .filter(|line| !listed.contains(line))
        .collect();
    assert!(missing.is_empty(), "not in {LIST}: {missing:#?}");
    let wrong: Vec<&String> = outcome
        .caught
        .iter()
        .filter(|line| listed.contains(line))
        .collect();
    assert!(wrong.is_empty(), "caught, but in {LIST}: {wrong:#?}");
    if wanted.is_none() {
        let tried = outcome.counts.len();
        assert_eq!(tried, Kind::ALL.len(), "a kind was not tried");
    }
}
