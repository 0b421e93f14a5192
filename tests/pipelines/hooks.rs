//! `.pre-commit-hooks.yaml`, run as pre-commit runs hooks: on the files that fit, in the root of
//! the repository; a hook that changes a file has failed.

use std::collections::BTreeSet;

use serde_json::Value;

use super::repository::{Change, POLICY, Ran, Repository};
use super::{read_yaml, text};

/// The keys that a hook may have, as pre-commit documents them.
const KEYS: &[&str] = &[
    "id",
    "name",
    "description",
    "entry",
    "language",
    "files",
    "pass_filenames",
    "args",
    "types",
];

fn hooks() -> Vec<Value> {
    let hooks = read_yaml(".pre-commit-hooks.yaml");
    hooks.as_array().unwrap().clone()
}

/// Runs a hook; none where no file of the repository fits.
fn run(repository: &Repository, id: &str) -> Option<Ran> {
    let hooks = hooks();
    let hook = hooks.iter().find(|hook| hook["id"] == id).unwrap();
    let list = format!("git ls-files | grep -E '{}' || true", text(hook, "files"));
    let files = repository.succeed(&list).said;
    if files.is_empty() {
        return None;
    }
    let mut command = text(hook, "entry").to_owned();
    if hook.get("pass_filenames") != Some(&Value::Bool(false)) {
        for file in files.lines() {
            command.push_str(&format!(" '{file}'"));
        }
    }
    Some(repository.run(&command, &[], &[]))
}

#[test]
fn they_are_as_pre_commit_reads_them() {
    let mut ids = BTreeSet::new();
    for hook in hooks() {
        for key in hook.as_object().unwrap().keys() {
            assert!(KEYS.contains(&key.as_str()), "{key}");
        }
        for key in ["id", "name", "entry", "language", "files"] {
            assert!(!text(&hook, key).is_empty());
        }
        // Built from this repository, as `cargo install` does.
        assert_eq!(hook["language"], "rust");
        assert!(text(&hook, "entry").starts_with("RulebookTranslator "));
        assert!(ids.insert(text(&hook, "id").to_owned()), "{hook}");
    }
    assert_eq!(ids.len(), 4);
}

#[test]
fn a_repository_in_order_passes() {
    let repository = Repository::new();
    for hook in hooks() {
        let ran = run(&repository, text(&hook, "id")).unwrap();
        assert_eq!(ran.code, 0, "{hook}\n{}", ran.said);
    }
    assert_eq!(repository.succeed("git status --porcelain").said, "");
    // Where there is no rulebook, no hook has anything to do.
    let other = Repository::new();
    other.succeed("git rm -rq .");
    other.write("readme.md", "co.\n");
    other.commit();
    for hook in hooks() {
        assert!(run(&other, text(&hook, "id")).is_none(), "{hook}");
    }
}

#[test]
fn each_hook_fails_for_what_it_is_for() {
    let cases: [(&str, Change, &str); 5] = [
        (
            "rulebook-check",
            |repository| repository.edit("policies/refunds.co", "    execute", "    excute"),
            "error[RB0119]",
        ),
        (
            "rulebook-emit-check",
            |repository| repository.edit("policies/refunds.co", "100", "1000"),
            "error[RB0641]",
        ),
        (
            "rulebook-emit-check",
            |repository| repository.edit("opa/refunds/Rulebook.rego", "100", "1000"),
            "error[RB0643]",
        ),
        (
            "rulebook-test",
            |repository| repository.edit("policies/refunds.co", "100", "10"),
            "a paid order is refunded",
        ),
        (
            "rulebook-check",
            |repository| {
                repository.write(
                    "policies/sending.co",
                    "define flow sending\n  if not $blocked\n    execute send_mail\n",
                );
                repository.edit(
                    "rulebook.toml",
                    "[[rule",
                    "[defaults]\ndeny = [\"RB0401\"]\n[[rule",
                );
                repository.commit();
            },
            "RB0401 is denied",
        ),
    ];
    for (id, change, said) in cases {
        let repository = Repository::new();
        change(&repository);
        let ran = run(&repository, id).unwrap();
        assert_eq!(ran.code, 1, "{id}\n{}", ran.said);
        assert!(ran.said.contains(said), "{id}\n{}", ran.said);
    }
}

#[test]
fn the_formatter_changes_the_file() {
    let repository = Repository::new();
    repository.edit("policies/refunds.co", "\n    execute", "\n\n\n    execute");
    repository.commit();
    let ran = run(&repository, "rulebook-fmt").unwrap();
    assert_eq!(ran.code, 0, "{}", ran.said);
    assert_eq!(repository.read("policies/refunds.co"), POLICY);
    let changed = repository.succeed("git status --porcelain").said;
    assert_eq!(changed, " M policies/refunds.co\n");
}
