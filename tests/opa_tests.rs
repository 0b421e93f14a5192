//! The tests that are emitted for `opa test`, run by a real `opa`: those of every fixture and of
//! random rulebooks pass, reach every rule that some input reaches, and fail where the package is
//! changed so that it decides otherwise.

mod mutants;

use std::collections::BTreeSet;

use stalwart::opa_tests::tests;

use crate::compiled::{Compiled, files, must_compile, root};
use crate::engines::opa::Opa;
use crate::properties::over_rulebooks;

/// The package and its tests.
pub fn modules(compiled: &Compiled) -> [String; 2] {
    let artifacts = compiled.emit();
    let tests = tests(&compiled.rulebook, &artifacts.header).expect("tests of a fixture");
    [artifacts.rego, tests.text]
}

/// How many tests a module has.
pub fn count(tests: &str) -> usize {
    let lines = tests.lines();
    lines.filter(|line| line.starts_with("test_")).count()
}

/// The fixtures that check, each under its path below `fixtures` and in a package of its own.
pub fn fixtures() -> Vec<(String, Compiled)> {
    let all = files("fixtures", "co").into_iter();
    let own = all.filter(|path| !path.starts_with(root().join("fixtures/diagnostics")));
    own.enumerate()
        .map(|(number, path)| {
            let below = path.strip_prefix(root().join("fixtures")).expect("below");
            let text = std::fs::read(&path).expect("a fixture");
            let compiled = must_compile(&text, &format!("suite.p{number}"));
            (below.to_string_lossy().into_owned(), compiled)
        })
        .collect()
}

/// What of a package no test reaches must be listed in the tests: the branch, or the words of its
/// flow, or the words on the tool.
fn unlisted(rego: &str, tests: &str, uncovered: &[usize]) -> Vec<String> {
    let listed: Vec<&str> = tests
        .split_once("# There is no test of:")
        .map_or(Vec::new(), |(_, list)| list.lines().collect());
    let lines: Vec<&str> = rego.lines().collect();
    let is_listed = |wanted: &str| listed.iter().any(|line| line.contains(wanted));
    let mut missing = BTreeSet::new();
    for row in uncovered {
        let mut at = row - 1;
        // The head of the rule, or of the case of a chain.
        while at > 0 && lines[at].starts_with(['\t', '}']) && !lines[at].starts_with("} else") {
            at -= 1;
        }
        let head = lines[at];
        let name = head.split([' ', '(']).next().unwrap_or(head);
        let known = if head.starts_with("decision ") || head.starts_with("} else") {
            let tool = lines[at..]
                .iter()
                .find_map(|line| line.trim().strip_prefix("input.tool == "));
            match tool {
                Some(tool) => is_listed(&format!("tool {}", tool.trim_matches('"'))),
                None => is_listed("every other tool"),
            }
        } else if let Some((flow, rest)) = of_flow(name).filter(|(_, rest)| !rest.starts_with("_i"))
        {
            let digits = rest.strip_prefix("_b").unwrap_or_default();
            let branch: String = digits.chars().take_while(char::is_ascii_digit).collect();
            is_listed(&format!("branch {flow}_b{branch},"))
                || is_listed(&format!("by flow {flow}:"))
                || is_listed("by the ")
        } else if name == "default" {
            is_listed("by the ")
        } else {
            // A helper: what asks it is not reached either, or a leaf of the flow is never so.
            let asks = |line: &&str| line.contains(name) && !line.starts_with(name);
            let mut rows = lines.iter().enumerate().filter(|(_, line)| asks(line));
            let flow = of_flow(name).map(|(flow, _)| format!("flow {flow}, "));
            flow.is_some_and(|flow| is_listed(&flow))
                || rows.all(|(at, _)| uncovered.contains(&(at + 1)))
        };
        if !known {
            missing.insert(format!("{}: {head}", at + 1));
        }
    }
    missing.into_iter().collect()
}

/// `f12` and `_b3_holds` of `f12_b3_holds`; none for what is no rule of a flow.
fn of_flow(name: &str) -> Option<(&str, &str)> {
    let digits = name.strip_prefix('f')?;
    let end = digits.find(|letter: char| !letter.is_ascii_digit())?;
    (end > 0).then(|| name.split_at(end + 1))
}

#[test]
fn the_tests_of_every_fixture_pass() {
    let Some(opa) = Opa::find() else { return };
    let fixtures = fixtures();
    let pairs: Vec<[String; 2]> = fixtures
        .iter()
        .map(|(_, compiled)| modules(compiled))
        .collect();
    let all: Vec<String> = pairs.iter().flatten().cloned().collect();
    let named: Vec<(String, String)> = all
        .iter()
        .map(|rego| (String::new(), rego.clone()))
        .collect();
    assert_eq!(opa.accepts(&named), Ok(()));
    let counts = opa.test(&all).expect("opa runs");
    let mut sum = 0;
    for ((name, compiled), [_, tests]) in fixtures.iter().zip(&pairs) {
        let package = format!("data.{}_test", compiled.rulebook.package);
        let found = counts.get(&package).copied().unwrap_or_default();
        assert_eq!((found.passed, found.failed), (count(tests), 0), "{name}");
        assert!(found.passed > 10, "{name}");
        assert!(
            tests.lines().all(|line| line.chars().count() < 1_024),
            "{name}"
        );
        sum += found.passed;
    }
    println!("{sum} tests of {} fixtures", fixtures.len());
}

#[test]
fn every_rule_that_is_not_reached_is_listed() {
    let Some(opa) = Opa::find() else { return };
    for (name, compiled) in fixtures() {
        let pair = modules(&compiled);
        let uncovered = opa.uncovered(&pair);
        let missing = unlisted(&pair[0], &pair[1], &uncovered);
        assert!(missing.is_empty(), "{name}: {missing:#?}\n{}", pair[1]);
    }
}

#[test]
fn the_tests_of_random_rulebooks_pass() {
    let Some(opa) = Opa::find() else { return };
    over_rulebooks(24, 1, |_, compiled, _| {
        let pair = modules(compiled);
        let [rego, tests] = &pair;
        let named = [
            (String::new(), rego.clone()),
            (String::new(), tests.clone()),
        ];
        assert_eq!(opa.accepts(&named), Ok(()));
        let counts = opa.test(&pair).expect("opa runs");
        let found = counts.values().copied().next().unwrap_or_default();
        assert_eq!((found.passed, found.failed), (count(tests), 0));
        let missing = unlisted(rego, tests, &opa.uncovered(&pair));
        assert!(missing.is_empty(), "{missing:#?}\n{tests}");
        Ok(())
    });
}
