//! A fixture per code, and what is said of it: for people and as JSON.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use stalwart::diagnostics::codes::{self, artifacts, text};

use crate::compiled::root;

/// Codes that `check` never gives, or gives for bytes that are no fixture's: each has its own
/// tests, in `command_line::files` (artifacts) and here (text).
fn has_own_test(id: &str) -> bool {
    let own = text::ALL.iter().chain(artifacts::ALL);
    own.into_iter().any(|code| code.id == id)
}

fn fixture(id: &str) -> PathBuf {
    root().join(format!("fixtures/diagnostics/{id}.co"))
}

fn check(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_RulebookTranslator"))
        .current_dir(root())
        .args(["check", "--color", "never"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_code_has_a_fixture_that_triggers_it() {
    let mut missing = Vec::new();
    for code in codes::all().filter(|code| !has_own_test(code.id)) {
        let path = format!("fixtures/diagnostics/{}.co", code.id);
        if !fixture(code.id).exists() {
            missing.push(format!("{path} is missing"));
            continue;
        }
        let json: serde_json::Value =
            serde_json::from_str(&check(&["--format", "json", &path])).unwrap();
        let found = json["files"][0]["diagnostics"].as_array().unwrap();
        let hits: Vec<_> = found
            .iter()
            .filter(|found| found["code"] == code.id)
            .collect();
        if hits.is_empty() {
            missing.push(format!("{path} does not trigger {}", code.id));
        }
        for hit in hits {
            assert_eq!(hit["severity"], code.severity.as_str());
            assert!(
                !hit["labels"].as_array().unwrap().is_empty(),
                "{} has no place",
                code.id
            );
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn every_fixture_is_of_a_code() {
    let ids: BTreeSet<&str> = codes::all().map(|code| code.id).collect();
    for entry in std::fs::read_dir(root().join("fixtures/diagnostics")).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        assert!(ids.contains(stem), "{} is of no code", path.display());
    }
}

#[test]
fn what_is_said_stays_the_same() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("diagnostics/snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for code in codes::all().filter(|code| fixture(code.id).exists()) {
            let path = format!("fixtures/diagnostics/{}.co", code.id);
            insta::assert_snapshot!(format!("{}.human", code.id), check(&[&path]));
            insta::assert_snapshot!(
                format!("{}.json", code.id),
                check(&["--format", "json", &path])
            );
        }
    });
}

/// Messages follow the style guide in `CONTRIBUTING.md`.
#[test]
fn messages_follow_the_style() {
    for code in codes::all().filter(|code| fixture(code.id).exists()) {
        let path = format!("fixtures/diagnostics/{}.co", code.id);
        let json: serde_json::Value =
            serde_json::from_str(&check(&["--format", "json", &path])).unwrap();
        for found in json["files"][0]["diagnostics"].as_array().unwrap() {
            let message = found["message"].as_str().unwrap();
            let first = message.chars().next().unwrap();
            assert!(
                !first.is_uppercase() || message.starts_with("Colang"),
                "{message}"
            );
            assert!(!message.ends_with('.'), "{message}");
            assert!(!message.contains('\n'), "{message}");
            for jargon in ["Some(", "EOI", "Rule::", "token", "Span", "None)"] {
                assert!(!message.contains(jargon), "{message}");
            }
        }
    }
}
