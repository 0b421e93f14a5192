//! A fixture per code, and what is said of it: for people and as JSON.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use stalwart::compiler::{Depth, compile};
use stalwart::diagnostics::Code;
use stalwart::diagnostics::codes::{self, analyses, artifacts, flows, names, text};

use crate::compiled::root;

/// Bytes that no editor keeps as they are, or that nobody wants to read: the texts of these codes
/// are made here.
fn made(id: &str) -> Option<Vec<u8>> {
    let flow = "define flow refunds\n  execute refund_card\n";
    Some(match id {
        "RB0002" => flow.repeat((1 << 20) / flow.len() + 1).into_bytes(),
        "RB0003" => [flow.as_bytes(), &b"\n".repeat(20_000)].concat(),
        "RB0004" => format!("{flow}# {}\n", "x".repeat(1_023)).into_bytes(),
        "RB0005" => [flow.as_bytes(), b"# caf\xE9\n"].concat(),
        "RB0006" => flow.replacen('\n', "\r", 1).into_bytes(),
        "RB0007" => flow.replace("card", "c\0rd").into_bytes(),
        "RB0008" => flow.replace("card", "\u{FEFF}card").into_bytes(),
        _ => return None,
    })
}

/// Codes that `check` gives for no text: files that cannot be read, and artifacts. They are
/// triggered in `command_line::files` and in `testing::faults`.
fn is_of_files(id: &str) -> bool {
    let groups = [
        artifacts::ALL,
        codes::audit::ALL,
        codes::bundles::ALL,
        codes::catalogue::ALL,
        codes::configuration::ALL,
        codes::difference::ALL,
        codes::documents::ALL,
        codes::graph::ALL,
        codes::internal::ALL,
        codes::project::ALL,
        codes::proof::ALL,
        codes::reports::ALL,
        codes::rewriting::ALL,
        codes::suites::ALL,
    ];
    id == text::UNREADABLE.id || groups.into_iter().flatten().any(|code| code.id == id)
}

/// All other codes.
fn of_texts() -> impl Iterator<Item = &'static Code> {
    codes::all().filter(|code| !is_of_files(code.id))
}

fn fixture(id: &str) -> PathBuf {
    root().join(format!("fixtures/diagnostics/{id}.co"))
}

/// `check` of what triggers a code, under the name of its fixture.
fn check_code(id: &str, arguments: &[&str]) -> String {
    let path = format!("fixtures/diagnostics/{id}.co");
    let Some(bytes) = made(id) else {
        return check(root(), &[arguments, &[&path]].concat());
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("fixtures/diagnostics")).unwrap();
    std::fs::write(folder.path().join(&path), bytes).unwrap();
    check(folder.path(), &[arguments, &[&path]].concat())
}

fn check(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_RulebookTranslator"))
        .current_dir(folder)
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
    for code in of_texts() {
        let path = format!("fixtures/diagnostics/{}.co", code.id);
        if made(code.id).is_none() && !fixture(code.id).exists() {
            missing.push(format!("{path} is missing"));
            continue;
        }
        let json: serde_json::Value =
            serde_json::from_str(&check_code(code.id, &["--format", "json"])).unwrap();
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
        for code in of_texts() {
            insta::assert_snapshot!(format!("{}.human", code.id), check_code(code.id, &[]));
            insta::assert_snapshot!(
                format!("{}.json", code.id),
                check_code(code.id, &["--format", "json"])
            );
        }
    });
}

/// Messages follow the style guide in `CONTRIBUTING.md`.
#[test]
fn messages_follow_the_style() {
    for code in of_texts() {
        let json: serde_json::Value =
            serde_json::from_str(&check_code(code.id, &["--format", "json"])).unwrap();
        for found in json["files"][0]["diagnostics"].as_array().unwrap() {
            let message = found["message"].as_str().unwrap();
            let first = message.chars().next().unwrap();
            assert!(
                !first.is_uppercase()
                    || ["Colang", "NUL"]
                        .iter()
                        .any(|name| message.starts_with(name)),
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

/// Codes whose mistake is too large for an example.
const SHOWN_RIGHT_ONLY: [&str; 3] = ["RB0306", "RB0316", "RB0490"];

/// The first example of a long text makes the mistake, the others do not and have no errors. The
/// examples of `RB01xx` are held beside the parser.
#[test]
fn examples_of_the_long_texts_hold() {
    let mut faults = Vec::new();
    for code in [names::ALL, flows::ALL, analyses::ALL]
        .into_iter()
        .flatten()
    {
        let blocks: Vec<&str> = code
            .explanation
            .split("```co\n")
            .skip(1)
            .map(|rest| rest.split("```").next().unwrap())
            .collect();
        let wrong = usize::from(!SHOWN_RIGHT_ONLY.contains(&code.id));
        if blocks.len() <= wrong {
            faults.push(format!("{}: {} examples", code.id, blocks.len()));
        }
        for (index, block) in blocks.into_iter().enumerate() {
            let found = compile("policy.co", block.as_bytes(), "a.b", Depth::Analyses);
            let ids: Vec<&str> = found.diagnostics.iter().map(|one| one.code.id).collect();
            let is_wrong = index < wrong;
            if ids.contains(&code.id) != is_wrong || (!is_wrong && found.rulebook.is_none()) {
                faults.push(format!("{}, example {}: {ids:?}", code.id, index + 1));
            }
        }
    }
    // There is nothing to show of errors that are not shown, and of faults of the compiler.
    let without = [
        codes::syntax::MORE_ERRORS.id,
        codes::proof::MISMATCH.id,
        codes::proof::NOT_EVALUATED.id,
        codes::internal::INTERNAL.id,
        codes::internal::GATEWAY.id,
        codes::internal::FORMATTER.id,
    ];
    for code in codes::all().filter(|code| !without.contains(&code.id)) {
        if !code.explanation.contains("```") {
            faults.push(format!("{}: no example", code.id));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
