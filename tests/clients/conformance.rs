//! The protocol's conformance suite: against the server of these tests, so that what fails behind
//! the gateway is the gateway's, and through the gateway.
//!
//! `conformance.yaml` lists what does not pass through the gateway, with the sentence of its contract
//! that keeps it out. It holds both ways: what fails and is not listed is a failure, and so is what
//! is listed and passes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;
use stalwart::diagnostics::Sink;
use stalwart::text::Source;
use stalwart::yaml;

use super::fixture_server::FixtureServer;
use super::programs::{self, Programs};
use super::stage::Stage;

/// What is expected to fail through the gateway.
const BASELINE: &str = include_str!("conformance.yaml");

/// What the suite found: for each scenario the checks that did not succeed, and why.
pub type Scenarios = BTreeMap<String, BTreeMap<String, String>>;

/// Runs all that a revision requires, and what the suite reports beside.
async fn run(programs: &Programs, url: &str, revision: &str) -> Scenarios {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = programs.conformance();
    command
        .args(["server", "--url", url, "--requirements", revision])
        .arg("--output-dir")
        .arg(folder.path());
    let output = programs::output(command).await;
    let scenarios = read(folder.path(), "server-");
    assert!(
        scenarios.len() >= 30,
        "the suite ran {} scenarios\n{}{}",
        scenarios.len(),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    scenarios
}

/// Reads what the suite wrote: for each scenario a folder with its checks, whose name begins so.
pub fn read(folder: &Path, start: &str) -> Scenarios {
    let mut scenarios = Scenarios::new();
    for entry in std::fs::read_dir(folder).expect("the suite's folder") {
        let path = entry.expect("an entry").path();
        let Ok(text) = std::fs::read_to_string(path.join("checks.json")) else {
            continue;
        };
        let checks: Vec<Value> = serde_json::from_str(&text).expect("JSON");
        let name = path.file_name().expect("a name").to_string_lossy();
        // server-NAME-2026-11-30T…
        let name = name.strip_prefix(start).expect("a scenario's folder");
        let (name, _) = name.split_at(name.len() - "-2026-11-30T00-00-00-000Z".len());
        let word = |check: &Value, key: &str| check[key].as_str().unwrap_or_default().to_owned();
        let faults = checks
            .iter()
            .filter(|check| ["FAILURE", "WARNING"].contains(&word(check, "status").as_str()))
            .map(|check| (word(check, "id"), word(check, "errorMessage")));
        scenarios.insert(name.to_owned(), faults.collect());
    }
    scenarios
}

/// Holds what failed against what is expected to: scenarios, and single checks of others.
fn compare(run: &str, scenarios: &Scenarios, expected: &BTreeSet<String>) -> Vec<String> {
    let mut faults = Vec::new();
    let mut failed = BTreeSet::new();
    for (scenario, checks) in scenarios {
        for (check, why) in checks {
            let name = format!("{scenario}:{check}");
            if !expected.contains(&name) && !expected.contains(scenario) {
                faults.push(format!("{run}: {name} fails: {why}"));
            }
            failed.extend([scenario.clone(), name]);
        }
    }
    for name in expected.difference(&failed) {
        faults.push(format!("{run}: {name} is listed, and passes"));
    }
    let passed = scenarios.values().filter(|checks| checks.is_empty());
    let (passed, all) = (passed.count(), scenarios.len());
    println!("{run}: {passed} of {all} scenarios pass");
    faults
}

/// What is listed for a revision, each once and each with a sentence.
fn baseline(revision: &str) -> BTreeSet<String> {
    let mut sink = Sink::new();
    let (source, _) = Source::decode("conformance.yaml", BASELINE.as_bytes());
    let read = yaml::read(&source, &mut sink);
    let groups = read.expect("sound YAML").to_json();
    let mut listed = BTreeSet::new();
    for group in groups.as_array().expect("a list") {
        let because = group["because"].as_str().unwrap_or_default();
        assert!(because.len() > 20, "a group needs a sentence: {group}");
        for name in group[revision].as_array().into_iter().flatten() {
            let name = name.as_str().expect("a check").to_owned();
            assert!(
                listed.insert(name.clone()),
                "{revision}: {name} stands twice"
            );
        }
    }
    listed
}

/// Runs a revision against a server alone, and through the gateway.
async fn holds(revision: &str) {
    let Some(programs) = Programs::find() else {
        return;
    };
    let server = FixtureServer::start().await;
    let alone = run(&programs, &server.url, revision).await;
    let not_served = ["server-sse-polling", "tasks-", "sep-2640-skills"];
    let alone = alone
        .into_iter()
        .filter(|(scenario, _)| !not_served.iter().any(|start| scenario.starts_with(start)));
    let alone: Scenarios = alone.collect();
    let mut faults = compare(&format!("{revision} alone"), &alone, &BTreeSet::new());
    let stage = Stage::set(60).await;
    let through = run(&programs, &stage.with_token().await, revision).await;
    faults.extend(compare(revision, &through, &baseline(revision)));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn revision_2025_11_25() {
    holds("2025-11-25").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn revision_2026_07_28() {
    holds("2026-07-28").await;
}
