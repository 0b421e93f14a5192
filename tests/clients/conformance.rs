//! The protocol's conformance suite: against the server of these tests, so that what fails behind
//! the gateway is the gateway's, and through the gateway.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::fixture_server::FixtureServer;
use super::programs::{self, Programs};

/// What the suite found of a scenario: each check that is no success, with what was wrong.
type Scenarios = BTreeMap<String, Vec<String>>;

/// Runs all that a revision requires, and what the suite reports beside.
async fn run(programs: &Programs, url: &str, revision: &str) -> Scenarios {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = programs.conformance();
    command
        .args(["server", "--url", url, "--requirements", revision, "--output-dir"])
        .arg(folder.path());
    let output = programs::output(command).await;
    let scenarios = read(folder.path());
    assert!(
        scenarios.len() > 20,
        "the suite ran {} scenarios\n{}{}",
        scenarios.len(),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    scenarios
}

/// Reads what the suite wrote: a folder for each scenario, with its checks.
fn read(folder: &Path) -> Scenarios {
    let mut scenarios = Scenarios::new();
    for entry in std::fs::read_dir(folder).expect("the suite's folder") {
        let path = entry.expect("an entry").path();
        let Ok(text) = std::fs::read_to_string(path.join("checks.json")) else {
            continue;
        };
        let checks: Vec<Value> = serde_json::from_str(&text).expect("JSON");
        let name = path.file_name().expect("a name").to_string_lossy();
        // server-NAME-2026-11-30T…
        let name = name.strip_prefix("server-").expect("a server's scenario");
        let (name, _) = name.split_at(name.len() - "-2026-11-30T00-00-00-000Z".len());
        let faults = checks.iter().filter(|check| {
            let status = check["status"].as_str().expect("a status");
            !["SUCCESS", "INFO", "SKIPPED"].contains(&status)
        });
        let faults = faults.map(|check| {
            format!(
                "{} {}: {}",
                check["status"].as_str().unwrap_or_default(),
                check["id"].as_str().unwrap_or_default(),
                check["errorMessage"].as_str().unwrap_or_default()
            )
        });
        scenarios.insert(name.to_owned(), faults.collect());
    }
    scenarios
}

/// The scenarios that the server of these tests does not pass itself.
fn print_failures(scenarios: &Scenarios) {
    for (name, faults) in scenarios {
        if faults.is_empty() {
            println!("pass {name}");
        }
        for fault in faults {
            println!("FAIL {name}: {fault}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_fixture_server_conforms() {
    let Some(programs) = Programs::find() else {
        return;
    };
    let server = FixtureServer::start().await;
    for revision in ["2025-11-25", "2026-07-28"] {
        let scenarios = run(&programs, &server.url, revision).await;
        println!("== {revision}");
        print_failures(&scenarios);
    }
}
