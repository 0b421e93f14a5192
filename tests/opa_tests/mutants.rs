//! Faults put into the emitted package: `opa test` must fail on every one that changes a decision.
//! Which change none is listed in `tests/mutants/equivalent.txt`; of those that are not listed, the
//! proof is asked. The suite tries one of every few;
//! `STALWART_MUTANTS=all` tries all, or those of the fixtures whose path has another value of it.

use std::collections::{BTreeMap, BTreeSet};

use stalwart::ir::Rulebook;
use stalwart::proof::{DEFAULT_POINTS, Failure, Options, prove};

use super::{fixtures, modules};
use crate::engines::opa::Opa;
use crate::mutants::mutate::{Kind, Mutant, mutants};
use crate::mutants::read_list;

/// Of so many mutants the suite tries one.
const STRIDE: usize = 307;
/// Mutants that one process of `opa` tries, each in a package of its own.
const TOGETHER: usize = 40;

/// Which of some changed packages fail their tests.
fn failing(opa: &Opa, package: &str, tests: &str, changed: &[&Mutant]) -> Vec<bool> {
    let renamed = |text: &str, number: usize| {
        let own = format!("{package}_m{number}");
        text.replace(
            &format!("package {package}_test"),
            &format!("package {own}_test"),
        )
        .replace(&format!("package {package}\n"), &format!("package {own}\n"))
        .replace(
            &format!("data.{package}.decision"),
            &format!("data.{own}.decision"),
        )
    };
    let all: Vec<String> = changed
        .iter()
        .enumerate()
        .flat_map(|(number, mutant)| [renamed(&mutant.rego, number), renamed(tests, number)])
        .collect();
    match (opa.test(&all), changed.len()) {
        (Ok(counts), _) => (0..changed.len())
            .map(|number| {
                let found = counts.get(&format!("data.{package}_m{number}_test"));
                found.is_none_or(|found| found.failed > 0)
            })
            .collect(),
        // What is no module fails too; which one it is, is found by halves.
        (Err(_), 1) => vec![true],
        (Err(_), many) => {
            let (first, second) = changed.split_at(many / 2);
            let mut found = failing(opa, package, tests, first);
            found.extend(failing(opa, package, tests, second));
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

#[test]
fn what_changes_a_decision_fails_the_tests() {
    let Some(opa) = Opa::find() else { return };
    let wanted = std::env::var("STALWART_MUTANTS").ok();
    let stride = if wanted.is_some() { 1 } else { STRIDE };
    let mut seen = BTreeMap::<Kind, usize>::new();
    let mut counts = BTreeMap::<Kind, [usize; 3]>::new();
    let mut missed = Vec::new();
    let listed: BTreeSet<String> = read_list().into_values().flatten().collect();
    for (name, compiled) in fixtures() {
        if wanted
            .as_deref()
            .is_some_and(|wanted| wanted != "all" && !name.contains(wanted))
        {
            continue;
        }
        let [rego, tests] = modules(&compiled);
        let chosen: Vec<Mutant> = mutants(&rego)
            .into_iter()
            .filter(|mutant| {
                let number = seen.entry(mutant.kind).or_default();
                *number += 1;
                (*number - 1).is_multiple_of(stride)
            })
            .collect();
        let chosen: Vec<&Mutant> = chosen.iter().collect();
        for some in chosen.chunks(TOGETHER) {
            let failing = failing(&opa, &compiled.rulebook.package, &tests, some);
            for (mutant, fails) in some.iter().zip(failing) {
                let [tried, failed, alike] = counts.entry(mutant.kind).or_default();
                *tried += 1;
                let line = format!(
                    "{name}:{} {}: {}",
                    mutant.line,
                    mutant.kind.as_str(),
                    mutant.change
                );
                if fails {
                    *failed += 1;
                } else if !listed.contains(&line)
                    && decides_otherwise(&compiled.rulebook, &mutant.rego)
                {
                    missed.push(line);
                } else {
                    *alike += 1;
                }
            }
        }
    }
    for (kind, [tried, failed, alike]) in &counts {
        let kind = kind.as_str();
        println!("{kind:<26} {tried:>6} tried {failed:>6} failed {alike:>6} decide alike");
    }
    assert!(missed.is_empty(), "not noticed:\n{}", missed.join("\n"));
    assert_eq!(counts.len(), Kind::ALL.len(), "a kind was not tried");
}
