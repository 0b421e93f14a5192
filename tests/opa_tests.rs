//! The tests that are emitted for `opa test`, run by a real `opa`: those of every fixture and of
//! random rulebooks pass, reach every rule that some input reaches, and fail where the package is
//! changed so that it decides otherwise. What they do not reach is listed, rule by rule.

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

/// The rules of a package that its tests say they leave out: each by its line and its name.
fn listed(tests: &str) -> BTreeSet<(usize, String)> {
    let list =
        tests.split_once("# Rules of the package that no test reaches, by their lines in it:");
    let lines = list.map_or("", |(_, list)| list).lines();
    lines
        .filter_map(|line| line.strip_prefix("# - "))
        .map(|line| {
            let (number, rest) = line.split_once(", `").expect("a line and a name");
            let (name, why) = rest.split_once("`: ").expect("a name and a reason");
            assert!(!why.is_empty(), "{line}");
            (number.parse().expect("a line"), name.to_owned())
        })
        .collect()
}

/// The rules, and the cases of chains, in which these lines of a package lie: each by the line of
/// its head and the name of its rule.
fn rules_at(rego: &str, rows: &[usize]) -> BTreeSet<(usize, String)> {
    let lines: Vec<&str> = rego.lines().collect();
    let is_else = |line: &str| line.starts_with("} else") || line.starts_with("else");
    let is_inside = |line: &str| line.is_empty() || line.starts_with(['\t', '}', ']']);
    let up = |mut at: usize, is_below: &dyn Fn(&str) -> bool| {
        while at > 0 && is_below(lines[at]) {
            at -= 1;
        }
        at
    };
    rows.iter()
        .map(|row| {
            let head = up(row - 1, &|line| is_inside(line) && !is_else(line));
            let rule = up(head, &|line| is_inside(line) || is_else(line));
            let line = lines[rule].strip_prefix("default ").unwrap_or(lines[rule]);
            let name = line.split([' ', '(']).next().unwrap_or(line);
            (head + 1, name.to_owned())
        })
        .collect()
}

/// What is listed is what no test reaches, rule by rule: neither more nor less. Of a rule in one line
/// the interpreter says only whether its condition was asked, not whether it held.
fn must_be_listed(opa: &Opa, pair: &[String; 2], what: &str) {
    let [rego, tests] = pair;
    let unreached = rules_at(rego, &opa.uncovered(pair));
    let listed = listed(tests);
    let missing: Vec<_> = unreached.difference(&listed).collect();
    let lines: Vec<&str> = rego.lines().collect();
    let is_long = |(line, _): &&(usize, String)| lines[line - 1].ends_with('{');
    let reached: Vec<_> = listed.difference(&unreached).filter(is_long).collect();
    for (line, name) in &listed {
        assert!(
            lines[line - 1].contains(name) || lines[line - 1].contains("else"),
            "{line} {name}"
        );
    }
    assert!(
        missing.is_empty() && reached.is_empty(),
        "{what}\nnot listed: {missing:#?}\nlisted and reached: {reached:#?}\n{tests}\n{rego}"
    );
}

/// The name of a message, and names of a context, that do not fit into a line of a test.
fn long_rulebook() -> String {
    let message = "no refund, \u{e9} or not ".repeat(28);
    let names = |from: usize| {
        let names = (from..from + 7).map(|number| format!("${}_{number}", "n".repeat(100)));
        names.collect::<Vec<_>>().join(" and ")
    };
    format!(
        "define flow f\n  if {}\n    if {}\n      execute pay\n  bot refuse {}\n",
        names(0),
        names(7),
        message.trim_end().replace(',', ""),
    )
}

#[test]
fn what_does_not_fit_into_a_line_is_a_constant() {
    let Some(opa) = Opa::find() else { return };
    let compiled = must_compile(long_rulebook().as_bytes(), "suite.p0");
    let pair = modules(&compiled);
    let [rego, tests] = &pair;
    for constant in ["\ninput_", "\nexpected_"] {
        assert!(tests.contains(constant), "{tests}");
    }
    assert!(tests.lines().all(|line| line.chars().count() < 1_024));
    let named = pair.clone().map(|text| (String::new(), text));
    assert_eq!(opa.accepts(&named), Ok(()));
    let ran = |rego: &str| {
        let counts = opa
            .test(&[rego.to_owned(), tests.clone()])
            .expect("opa runs");
        counts.values().copied().next().unwrap_or_default()
    };
    let found = ran(rego);
    assert_eq!((found.passed, found.failed), (count(tests), 0));
    must_be_listed(&opa, &pair, "a long rulebook");
    // One letter of the text, far behind its beginning.
    let at = rego.rfind("refund").expect("the text");
    let mut changed = rego.clone();
    changed.replace_range(at..=at, "x");
    assert!(ran(&changed).failed > 0);
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
fn just_the_rules_that_are_not_reached_are_listed() {
    let Some(opa) = Opa::find() else { return };
    for (name, compiled) in fixtures() {
        must_be_listed(&opa, &modules(&compiled), &name);
    }
}

#[test]
fn the_tests_of_random_rulebooks_pass() {
    let Some(opa) = Opa::find() else { return };
    over_rulebooks(8, 1, |_, compiled, _| {
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
        must_be_listed(&opa, &pair, "a random rulebook");
        Ok(())
    });
}
