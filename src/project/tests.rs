use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use super::*;

const SCHEMA: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/schema/rulebook-toml-1.schema.json"
);

/// Every key once.
const MAXIMAL: &str = r#"
format = "rulebook-toml/1"
exclude = ["drafts", "**/old*.co"]

[defaults]
deny = ["warnings", "RB0406"]
proof-points = 1_000
coverage-threshold = 80
with-tests = false
adapters = ["envoy"]
deny-silent = false

[[rulebook]]
path = "policies/*.co"
package = "shop.{stem}"
out-dir = "opa/{stem}"
tests = ["tests/{stem}/*.yaml", "tests/{stem}/one.yaml"]
deny = []
proof-points = 0x10
coverage-threshold = 100
with-tests = true
adapters = ["http", "kong", "http"]
deny-silent = true

[[rulebook]]
path = "./policies//transfers.co"
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for path in [
        "policies/refunds.co",
        "policies/transfers.co",
        "policies/old_rules.co",
        "policies/.hidden.co",
        "drafts/new.co",
        "tests/refunds/one.yaml",
        "tests/refunds/two.yaml",
    ] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    folder
}

fn read(text: &str) -> (tempfile::TempDir, Reading) {
    let folder = folder();
    let reading = Project::read(folder.path(), FILE_NAME, text.as_bytes());
    (folder, reading)
}

#[test]
fn every_key_is_read() {
    for text in [
        MAXIMAL.to_owned(),
        MAXIMAL.replace('\n', "\r\n"),
        format!("\u{FEFF}{MAXIMAL}"),
    ] {
        let (folder, reading) = read(&text);
        assert_eq!(reading.diagnostics, []);
        let project = reading.project.unwrap();
        let at = |path: &str| folder.path().join(path);
        let refunds = Rulebook {
            path: at("policies/refunds.co"),
            package: "shop.refunds".to_owned(),
            out_dir: at("opa/refunds"),
            tests: Some(vec![
                at("tests/refunds/one.yaml"),
                at("tests/refunds/two.yaml"),
            ]),
            deny: Vec::new(),
            proof_points: Some(16),
            coverage_threshold: Some(100),
            with_tests: true,
            adapters: vec![Adapter::Kong, Adapter::Http],
            silent: Silent::Deny,
        };
        let transfers = Rulebook {
            path: at("policies/transfers.co"),
            package: "stalwart.transfers".to_owned(),
            out_dir: at("policies"),
            tests: None,
            deny: project.deny.clone(),
            proof_points: Some(1_000),
            coverage_threshold: Some(80),
            with_tests: false,
            adapters: vec![Adapter::Envoy],
            silent: Silent::Pass,
        };
        assert_eq!(project.deny.len(), 2);
        assert_eq!(project.rulebooks, [refunds.clone(), transfers]);
        assert_eq!(project.rulebook(&at("policies/refunds.co")), Some(&refunds));
        assert_eq!(project.rulebook(&at("drafts/new.co")), None);
        assert_eq!(project.unlisted(), Ok(Vec::new()));
    }
}

#[test]
fn files_that_no_entry_means_are_missed() {
    let (folder, reading) = read("[[rulebook]]\npath = \"policies/refunds.co\"\n");
    let project = reading.project.unwrap();
    let missed = || -> Vec<String> {
        let warnings = project.unlisted().unwrap();
        let names = warnings
            .iter()
            .map(|warning| warning.message.split('`').nth(1).unwrap());
        names.map(str::to_owned).collect()
    };
    assert_eq!(
        missed(),
        [
            "drafts/new.co",
            "policies/old_rules.co",
            "policies/transfers.co"
        ]
    );
    fs::write(folder.path().join("drafts/rulebook.toml"), "").unwrap();
    assert_eq!(missed(), ["policies/old_rules.co", "policies/transfers.co"]);
}

#[test]
fn the_nearest_file_is_found() {
    let folder = folder();
    let deep = folder.path().join("tests/refunds");
    assert_eq!(find(&deep), None);
    fs::write(folder.path().join(FILE_NAME), "").unwrap();
    assert_eq!(find(&deep), Some(folder.path().join(FILE_NAME)));
    fs::write(folder.path().join("tests/rulebook.toml"), "").unwrap();
    assert_eq!(find(&deep), Some(folder.path().join("tests/rulebook.toml")));
    // A folder of that name is none.
    fs::create_dir(deep.join(FILE_NAME)).unwrap();
    assert_eq!(find(&deep), Some(folder.path().join("tests/rulebook.toml")));
}

#[test]
fn no_bytes_are_too_odd() {
    let folder = folder();
    let deep = |open: &str, close: &str| {
        format!("a = {}{}", open.repeat(100_000), close.repeat(100_000)).into_bytes()
    };
    let mut texts = vec![
        vec![0xFF, 0xFE, 0],
        deep("[", "]"),
        deep("{a=", "}"),
        format!("a{} = 1", ".a".repeat(100_000)).into_bytes(),
        b"[[rulebook]]\n".repeat(10_000),
        b"[[rulebook]]\npath = \"a\\u0000b\"".to_vec(),
        format!("[[rulebook]]\npath = \"{}*\"", "*/".repeat(2_000)).into_bytes(),
        format!(
            "exclude = [\"{}\"]\n[[rulebook]]\npath = \"**/*.co\"",
            "**/".repeat(2_000)
        )
        .into_bytes(),
        vec![b'#'; 2 << 20],
    ];
    // Cut off anywhere.
    texts.extend((0..MAXIMAL.len()).map(|end| MAXIMAL.as_bytes()[..end].to_vec()));
    for text in texts {
        let reading = std::thread::scope(|scope| {
            let read = || Project::read(folder.path(), FILE_NAME, &text);
            let thread = std::thread::Builder::new().stack_size(1 << 20);
            thread.spawn_scoped(scope, read).unwrap().join().unwrap()
        });
        let has_errors = reading
            .diagnostics
            .iter()
            .any(|found| found.severity() == Severity::Error);
        assert_eq!(has_errors, reading.project.is_none());
        for found in reading.diagnostics.iter().flat_map(|found| &found.labels) {
            assert!(found.span.end <= reading.source.text().len());
            assert!(reading.source.text().get(found.span.range()).is_some());
        }
    }
}

#[test]
fn the_kept_schema_is_current() {
    let kept = fs::read_to_string(SCHEMA).unwrap_or_default();
    assert!(
        kept == schema(),
        "schema/rulebook-toml-1.schema.json is not that of the types in src/project/format.rs; \
         `cargo run -- schema project > schema/rulebook-toml-1.schema.json` writes it anew"
    );
}

/// The document as JSON, as an editor sees it.
fn json(text: &str) -> Value {
    let table: toml::Table = toml::from_str(text).unwrap();
    serde_json::to_value(table).unwrap()
}

/// What the schema takes is read, and what it refuses is refused, as far as a schema can say it.
#[test]
fn the_schema_and_the_reader_agree() {
    let schema = jsonschema::validator_for(&serde_json::from_str(&schema()).unwrap()).unwrap();
    let rulebook = "[[rulebook]]\npath = \"policies/refunds.co\"\n";
    for (text, is_right) in [
        (MAXIMAL.to_owned(), true),
        (rulebook.to_owned(), true),
        (String::new(), false),
        ("rulebook = []".to_owned(), false),
        (format!("format = \"rulebook-toml/2\"\n{rulebook}"), false),
        (format!("formats = \"rulebook-toml/1\"\n{rulebook}"), false),
        (format!("exclude = \"drafts\"\n{rulebook}"), false),
        (format!("exclude = [1]\n{rulebook}"), false),
        (format!("deny = [\"warnings\"]\n{rulebook}"), false),
        (format!("[defaults]\npath = \"a.co\"\n{rulebook}"), false),
        (format!("[defaults]\nproof-points = 0\n{rulebook}"), false),
        (format!("{rulebook}proof-points = 1\n"), true),
        (format!("{rulebook}proof-points = 1.5\n"), false),
        (format!("{rulebook}coverage-threshold = 0\n"), true),
        (format!("{rulebook}coverage-threshold = 101\n"), false),
        (format!("{rulebook}out_dir = \"opa\"\n"), false),
        (format!("{rulebook}tests = []\n"), true),
        (format!("{rulebook}exclude = []\n"), false),
        ("[[rulebook]]\npackage = \"a.b\"\n".to_owned(), false),
    ] {
        assert_eq!(schema.is_valid(&json(&text)), is_right, "{text}");
        assert_eq!(read(&text).1.project.is_some(), is_right, "{text}");
    }
}

/// Every key of the schema is one that is read, and the other way round.
#[test]
fn the_schema_has_the_keys_that_are_read() {
    let schema: Value = serde_json::from_str(&schema()).unwrap();
    let known = |pointer: &str| -> BTreeSet<String> {
        let properties = schema.pointer(pointer).unwrap().as_object().unwrap();
        properties.keys().cloned().collect()
    };
    let used = |table: &Value| -> BTreeSet<String> {
        table.as_object().unwrap().keys().cloned().collect()
    };
    let maximal = json(MAXIMAL);
    assert_eq!(known("/properties"), used(&maximal));
    assert_eq!(
        known("/$defs/Defaults/properties"),
        used(&maximal["defaults"])
    );
    assert_eq!(
        known("/$defs/Entry/properties"),
        used(&maximal["rulebook"][0])
    );
    assert_eq!(schema["required"], json!(["rulebook"]));
    assert!(!schema.to_string().contains("null"));
}
