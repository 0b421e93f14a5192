//! Help and explanations.

use std::path::Path;

use super::Place;

/// The commands that `--help` shows.
pub fn shown_commands() -> Vec<String> {
    let help = Place::new().succeed(&["--help"]).stdout;
    let list = help.split("\nCommands:\n").nth(1).unwrap();
    let lines = list.lines().take_while(|line| line.starts_with("  "));
    lines
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_help_has_an_example() {
    let place = Place::new();
    let mut commands = shown_commands();
    assert!(commands.len() > 7, "{commands:?}");
    commands.extend(["", "conformance", "generate"].map(str::to_owned));
    for command in &commands {
        let arguments: Vec<&str> = [command.as_str(), "--help"]
            .into_iter()
            .filter(|word| !word.is_empty())
            .collect();
        let help = place.succeed(&arguments).stdout;
        let examples = help
            .split("Examples:\n")
            .nth(1)
            .unwrap_or_else(|| panic!("{help}"));
        let line = format!("  RulebookTranslator {command}");
        assert!(examples.starts_with(&line), "{help}");
        for line in help.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}

#[test]
fn version_is_the_packages() {
    let ran = Place::new().succeed(&["--version"]);
    assert_eq!(
        ran.stdout,
        format!("RulebookTranslator {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn every_code_can_be_explained() {
    let place = Place::new();
    let list = place.succeed(&["explain"]).stdout;
    let ids: Vec<&str> = list
        .lines()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert!(ids.contains(&"RB0641"));
    assert!(ids.is_sorted(), "{list}");
    let mut once = ids.clone();
    once.dedup();
    assert_eq!(once, ids);
    for id in ids {
        let text = place.succeed(&["explain", id]).stdout;
        let (title, long) = text.split_once("\n\n").unwrap();
        assert!(title.starts_with(&format!("{id} (")), "{text}");
        assert!(long.len() > 40, "{id} has no explanation");
    }
}

#[test]
fn an_unknown_code_gets_a_suggestion() {
    let ran = Place::new().run(&["explain", "RB641"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(
        ran.stderr
            .contains("did you mean `RB0641` (artifact is stale)?"),
        "{}",
        ran.stderr
    );
}

#[test]
fn the_list_of_diagnostics_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/diagnostics.md");
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let current = Place::new().succeed(&["generate", "diagnostics"]).stdout;
    assert!(
        kept == current,
        "docs/diagnostics.md is not current: cargo run -- generate diagnostics > docs/diagnostics.md"
    );
}
