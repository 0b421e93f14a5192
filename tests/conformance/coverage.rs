//! The table of what holds each sentence of the language: what it names exists.

use std::collections::{BTreeMap, BTreeSet};

use stalwart::diagnostics::codes;

use super::suites;
use crate::compiled::root;

const TABLE: &str = "fixtures/conformance/COVERAGE.md";

/// What stands between backticks in the second column.
fn named(line: &str) -> Vec<&str> {
    // Sentences have code in them too, but no `|`.
    let held_by = line.split(" | ").nth(1).unwrap_or_default();
    let mut named = Vec::new();
    for entry in held_by.trim_end_matches(" |").split("; ") {
        // A name may have backticks of its own.
        let inner = entry.strip_prefix('`').and_then(|it| it.strip_suffix('`'));
        named.push(inner.unwrap_or_else(|| panic!("{line}")));
    }
    named
}

#[test]
fn what_the_table_names_exists() {
    let text = std::fs::read_to_string(root().join(TABLE)).unwrap();
    let suites = suites();
    let vectors: BTreeMap<&str, BTreeSet<&str>> = suites
        .iter()
        .map(|suite| {
            let names = suite.vectors.iter().map(|vector| vector.name.as_str());
            (suite.file.trim_end_matches(".json"), names.collect())
        })
        .collect();
    let mut files = BTreeSet::new();
    let mut rows = 0;
    for line in text.lines().filter(|line| line.starts_with("| ")) {
        if line.starts_with("| sentence ") {
            continue;
        }
        rows += 1;
        for name in named(line) {
            if let Some((file, test)) = name.split_once(": ") {
                let code = std::fs::read_to_string(root().join(file))
                    .unwrap_or_else(|error| panic!("{file}: {error}"));
                assert!(code.contains(&format!("fn {test}()")), "{name}");
            } else if let Some((file, vector)) = name.split_once('/') {
                let known = vectors.get(file).is_some_and(|it| it.contains(vector));
                assert!(known, "there is no vector {name}");
                files.insert(file);
            } else {
                assert!(codes::all().any(|code| code.id == name), "{name}");
            }
        }
    }
    assert!(rows > 100, "{rows}");
    let missing: Vec<_> = vectors.keys().filter(|it| !files.contains(*it)).collect();
    assert!(missing.is_empty(), "not named: {missing:?}");
}
