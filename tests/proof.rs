//! The proof that the emitted Rego decides as the rulebook does (contract section 9).

use std::fmt::Write as _;

use stalwart::ir::Rulebook;
use stalwart::proof::{DEFAULT_POINTS, Failure, Options, Proof, prove};

use crate::compiled::{Compiled, files, must_compile, root};

/// A proof with the limits that `emit` has.
fn prove_within(rulebook: &Rulebook, rego: &str, points: u64) -> Result<Proof, Failure> {
    let options = Options {
        points,
        opa: None,
        progress: &mut |_| {},
    };
    prove(rulebook, rego, options)
}

fn prove_emitted(compiled: &Compiled) -> Result<Proof, Failure> {
    prove_within(&compiled.rulebook, &compiled.emit().rego, DEFAULT_POINTS)
}

/// The rulebooks of the fixtures, by their place.
fn fixtures() -> Vec<(String, Compiled)> {
    let mut fixtures = Vec::new();
    for folder in [
        "shop",
        "bank",
        "telecom",
        "deployments",
        "clinic",
        "marketplace",
        "legacy",
        "language",
    ] {
        for path in files(&format!("fixtures/{folder}"), "co") {
            let text = std::fs::read(&path).expect("a fixture is read");
            let place = path
                .strip_prefix(root().join("fixtures"))
                .expect("a fixture");
            let place = place.display().to_string().replace('\\', "/");
            fixtures.push((place, must_compile(&text, "stalwart.fixture")));
        }
    }
    fixtures
}

#[test]
fn every_fixture_is_proved() {
    let mut table = String::new();
    for (place, compiled) in fixtures() {
        let shown = match prove_emitted(&compiled) {
            Ok(proof) => proof.to_string(),
            Err(failure) => format!("{failure:?}"),
        };

        let _ = writeln!(table, "{place}: {shown}");
    }
    insta::assert_snapshot!(table);
}
