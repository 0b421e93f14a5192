//! Faults put into the emitted package: `opa test` must fail on every one that changes a decision.
//! Which change none is listed in `tests/mutants/equivalent.txt`; of those that are not listed, the
//! proof is asked. The suite tries one of every few; `STALWART_MUTANTS=all` tries all, a number one of
//! so many, and any other value those of the fixtures whose path has it.

use std::collections::{BTreeMap, BTreeSet};

use stalwart::ir::Rulebook;
use stalwart::proof::{DEFAULT_POINTS, Failure, Options, prove};

use super::{fixtures, modules};
use crate::compiled::Compiled;
use crate::engines::opa::Opa;
use crate::mutants::mutate::{Kind, Mutant, mutants};
use crate::mutants::read_list;

/// Of so many mutants the suite tries one.
const STRIDE: usize = 911;
/// Mutants that one process of `opa` tries, each in a package of its own.
const TOGETHER: usize = 40;

/// A rulebook whose package is changed.
struct Fixture {
    name: String,
    compiled: Compiled,
    rego: String,
    tests: String,
}

/// A changed package, and the fixture whose it is.
type Changed<'f> = (&'f Fixture, Mutant);

impl Fixture {
    fn line_of(&self, mutant: &Mutant) -> String {
        let kind = mutant.kind.as_str();
        format!("{}:{} {kind}: {}", self.name, mutant.line, mutant.change)
    }

    /// The package changed so and its tests, in packages of their own.
    fn modules(&self, mutant: &Mutant, number: usize) -> [String; 2] {
        let package = &self.compiled.rulebook.package;
        let own = format!("{package}_m{number}");
        [&mutant.rego, &self.tests].map(|text| {
            text.replace(
                &format!("package {package}_test"),
                &format!("package {own}_test"),
            )
            .replace(&format!("package {package}\n"), &format!("package {own}\n"))
            .replace(
                &format!("data.{package}.decision"),
                &format!("data.{own}.decision"),
            )
        })
    }
}

/// Which of some changed packages fail their tests.
fn failing(opa: &Opa, changed: &[Changed<'_>]) -> Vec<bool> {
    let numbered = || changed.iter().enumerate();
    let all: Vec<String> = numbered()
        .flat_map(|(number, (fixture, mutant))| fixture.modules(mutant, number))
        .collect();
    match (opa.test(&all), changed.len()) {
        (Ok(counts), _) => numbered()
            .map(|(number, (fixture, _))| {
                let package = &fixture.compiled.rulebook.package;
                let found = counts.get(&format!("data.{package}_m{number}_test"));
                found.is_none_or(|found| found.failed > 0)
            })
            .collect(),
        // What is no module fails too; which one it is, is found by halves.
        (Err(_), 1) => vec![true],
        (Err(_), many) => {
            let (first, second) = changed.split_at(many / 2);
            let mut found = failing(opa, first);
            found.extend(failing(opa, second));
            found
        }
    }
}

/// Whether the proof finds a call on which a changed package decides otherwise.
fn decides_otherwise(rulebook: &Rulebook, rego: &str) -> bool {
    [2_000, DEFAULT_POINTS].into_iter().any(|points| {
        let options = Options {
            points,
            opa: None,
            progress: &mut |_| {},
        };
        matches!(
            prove(rulebook, rego, options),
            Err(Failure::Mismatch { .. } | Failure::NotEvaluated(_))
        )
    })
}

/// What came of the mutants that were tried.
#[derive(Default)]
struct Outcome {
    /// Tried, failed, and such that decide alike, of each kind.
    counts: BTreeMap<Kind, [usize; 3]>,
    missed: Vec<String>,
}

impl Outcome {
    fn try_all(&mut self, opa: &Opa, changed: &[Changed<'_>], listed: &BTreeSet<String>) {
        for ((fixture, mutant), fails) in changed.iter().zip(failing(opa, changed)) {
            let [tried, failed, alike] = self.counts.entry(mutant.kind).or_default();
            *tried += 1;
            let line = fixture.line_of(mutant);
            if fails {
                *failed += 1;
            } else if !listed.contains(&line)
                && decides_otherwise(&fixture.compiled.rulebook, &mutant.rego)
            {
                println!("not noticed: {line}");
                self.missed.push(line);
            } else {
                *alike += 1;
            }
        }
    }
}

#[test]
fn what_changes_a_decision_fails_the_tests() {
    let Some(opa) = Opa::find() else { return };
    let wanted = std::env::var("STALWART_MUTANTS").ok();
    let number = wanted.as_deref().and_then(|wanted| wanted.parse().ok());
    let stride = number.unwrap_or(if wanted.is_some() { 1 } else { STRIDE });
    let is_wanted = |name: &str| {
        let part = wanted.as_deref().filter(|_| number.is_none());
        part.is_none_or(|part| part == "all" || name.contains(part))
    };
    let fixtures: Vec<Fixture> = fixtures()
        .into_iter()
        .filter(|(name, _)| is_wanted(name))
        .map(|(name, compiled)| {
            let [rego, tests] = modules(&compiled);
            Fixture {
                name,
                compiled,
                rego,
                tests,
            }
        })
        .collect();
    let listed: BTreeSet<String> = read_list().into_values().flatten().collect();
    let mut seen = BTreeMap::<Kind, usize>::new();
    let mut chosen = fixtures
        .iter()
        .flat_map(|fixture| {
            let all = mutants(&fixture.rego).into_iter();
            all.map(move |mutant| (fixture, mutant))
        })
        .filter(|(_, mutant)| {
            // Of each kind the first, and then one of so many.
            let number = seen.entry(mutant.kind).or_default();
            *number += 1;
            (*number - 1).is_multiple_of(stride)
        });
    let mut outcome = Outcome::default();
    loop {
        let some: Vec<Changed<'_>> = chosen.by_ref().take(TOGETHER).collect();
        if some.is_empty() {
            break;
        }
        outcome.try_all(&opa, &some, &listed);
    }
    for (kind, [tried, failed, alike]) in &outcome.counts {
        let kind = kind.as_str();
        println!("{kind:<26} {tried:>6} tried {failed:>6} failed {alike:>6} decide alike");
    }
    let missed = outcome.missed;
    assert!(missed.is_empty(), "not noticed:\n{}", missed.join("\n"));
    let is_whole = wanted.is_none() || number.is_some() || wanted.as_deref() == Some("all");
    assert!(
        !is_whole || outcome.counts.len() == Kind::ALL.len(),
        "a kind was not tried"
    );
}
