//! `check --fix`: what is rewritten, what is said, and what is left alone.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use super::{Place, SHOP};

const SLIPS: &str = "define flow refunds\r\n  if $paid && $amount <= 100\r\n    exec refund\r\n";
const FIXED: &str =
    "define flow refunds\r\n  if $paid and $amount <= 100\r\n    execute refund\r\n";

/// A text for each code that is fixed, with one finding of it.
const CASES: &[(&str, &str)] = &[
    ("RB0008", "define flow f\n  st\u{FEFF}op\n"),
    ("RB0105", "define flow f\n\tstop\n"),
    ("RB0113", "define bot b\n\nsubflow s\n  stop\n"),
    ("RB0114", "define bot b\n  \"x\"\n define flow f\n  stop\n"),
    ("RB0117", "define context\n  $a: boolean\n"),
    ("RB0118", "define bot b\n  Not now.\n"),
    ("RB0119", "define flow f\n  Stop\n"),
    ("RB0120", "define flow f\n  run t\n"),
    ("RB0122", "define flow f\n  exit\n"),
    (
        "RB0126",
        "define flow f\n  if $a\n    stop\n  else $b\n    stop\n",
    ),
    ("RB0132", "define flow f\n  do check()\n"),
    ("RB0133", "define flow f\n  execute \"t\"\n"),
    ("RB0135", "define flow f\n  $a=1\n"),
    ("RB0139", "define flow f\n  if $a = 1\n    stop\n"),
    ("RB0140", "define flow f\n  if $a || $b\n    stop\n"),
    ("RB0141", "define flow f\n  if $a == true\n    stop\n"),
    ("RB0142", "define bot b\n  “x”\n"),
    ("RB0143", "define flow f\n  if $a < 1_000\n    stop\n"),
    ("RB0144", "define bot b\n  \"a \\d\"\n"),
];

fn findings(place: &Place, file: &str) -> Vec<Value> {
    let ran = place.run(&["check", file, "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    report["files"][0]["diagnostics"]
        .as_array()
        .unwrap()
        .clone()
}

#[test]
fn a_finding_that_is_fixed_is_gone() {
    let place = Place::new();
    for (code, text) in CASES {
        place.write("policy.co", text);
        let found = findings(&place, "policy.co");
        assert_eq!(found[0]["code"], *code, "{text}");
        assert!(found[0]["fix"]["edits"].is_array(), "{code}: {}", found[0]);
        let ran = place.run(&["check", "policy.co", "--fix"]);
        let line = format!("fixed {code} at policy.co:");
        assert!(ran.stdout.starts_with(&line), "{}", ran.stdout);
        let left = findings(&place, "policy.co");
        assert!(
            left.iter().all(|found| found["code"] != *code),
            "{code}: {left:?}"
        );
        let syntax = |found: &&Value| found["code"].as_str().unwrap().starts_with("RB01");
        assert_eq!(left.iter().find(syntax), None, "{code}");
    }
}

#[test]
fn the_page_lists_what_is_fixed() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/fixing.md");
    let page = fs::read_to_string(path).unwrap();
    let listed: BTreeSet<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| RB")?.split(' ').next())
        .collect();
    let tested: BTreeSet<&str> = CASES
        .iter()
        .filter_map(|(code, _)| code.strip_prefix("RB"))
        .collect();
    assert_eq!(listed, tested);
}

#[test]
fn files_are_fixed_then_checked() {
    let place = Place::new();
    place.write("policy.co", SLIPS);
    let ran = place.run(&["check", "policy.co", "--fix"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (
            0,
            "fixed RB0140 at policy.co:2:12: write `and`\n\
             fixed RB0120 at policy.co:3:5: write `execute`\n\
             no findings in policy.co\n",
            ""
        )
    );
    assert_eq!(place.read("policy.co"), FIXED.as_bytes());
    let ran = place.succeed(&["check", "policy.co", "--fix"]);
    assert_eq!(ran.stdout, "no findings in policy.co\n");
    // What is left is said, and decides the end.
    place.write("p/a.co", SLIPS);
    place.write("p/b.co", format!("{SHOP}  alow refund\n"));
    let ran = place.run(&["check", "p", "--fix"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout.starts_with("fixed RB0140 at p/a.co:2:12:"),
        "{ran:?}"
    );
    assert!(ran.stdout.contains("error[RB0119]"), "{ran:?}");
    assert_eq!(place.read("p/a.co"), FIXED.as_bytes());
    // What another program reads is nothing else.
    place.write("policy.co", SLIPS);
    let ran = place.succeed(&["check", "policy.co", "--fix", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["summary"]["errors"], 0);
    assert!(ran.stderr.starts_with("fixed RB0140 at"), "{ran:?}");
}

#[test]
fn a_diff_writes_nothing() {
    let place = Place::new();
    place.write("policy.co", SLIPS);
    let ran = place.run(&["check", "policy.co", "--fix", "--diff"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    assert!(
        ran.stdout
            .ends_with("\n-    exec refund\n+  if $paid and $amount <= 100\n+    execute refund\n"),
        "{}",
        ran.stdout
    );
    assert_eq!(place.read("policy.co"), SLIPS.as_bytes());
    place.write("policy.co", FIXED);
    let ran = place.run(&["check", "policy.co", "--fix", "--diff"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    assert_eq!(place.run(&["check", "policy.co", "--diff"]).code, 2);
}

#[test]
fn only_files_of_authors_are_fixed() {
    let place = Place::with_shop();
    place.succeed(&["emit", "policy.co", "--no-proof"]);
    let before = place.read("rulebook.ir.json");
    let ran = place.run(&["check", "rulebook.ir.json", "--fix"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("RB0691"), "{}", ran.stderr);
    assert_eq!(place.read("rulebook.ir.json"), before);
    let ran = place.run_with(&["check", "-", "--fix"], SLIPS);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(
        ran.stderr.contains("standard input cannot be rewritten"),
        "{}",
        ran.stderr
    );
    let ran = place.run(&["check", "missing.co", "--fix"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stdout.contains("RB0001"), "{}", ran.stdout);
}

/// What may be meant in two ways is left to the author.
#[test]
fn what_is_not_surely_meant_is_not_fixed() {
    let place = Place::new();
    for line in ["if $a =! 5", "bot refuse\u{200b}frozen", "if $a == null"] {
        let text = format!("define flow f\n  {line}\n    execute t\n");
        place.write("policy.co", &text);
        let ran = place.run(&["check", "policy.co", "--fix"]);
        assert_eq!(ran.code, 1, "{line}: {ran:?}");
        assert!(!ran.stdout.contains("fixed"), "{line}: {ran:?}");
        assert_eq!(place.read("policy.co"), text.as_bytes(), "{line}");
    }
    // At the end of a word nobody can miss it.
    place.write("policy.co", "define flow f\n  execute t\u{200b}\n");
    place.succeed(&["check", "policy.co", "--fix"]);
    assert_eq!(place.read("policy.co"), b"define flow f\n  execute t\n");
}

#[test]
fn a_diff_hides_nothing_that_is_wrong() {
    let place = Place::new();
    std::fs::create_dir(place.path("empty")).unwrap();
    place.write("latin.co", b"define bot b\n  \"caf\xE9\"\n");
    place.write("bad.co", "define flow f\n  if $a <\n    stop\n");
    place.write("half.co", "define flow f\n  if $a <\n    stop\n  run t\n");
    for (path, code, finding) in [
        ("missing.co", 2, "RB0001"),
        ("empty", 2, "empty"),
        ("latin.co", 1, "latin.co:2"),
        ("bad.co", 1, "bad.co:2"),
        ("half.co", 1, "half.co:2"),
    ] {
        let ran = place.run(&["check", "--fix", "--diff", path]);
        assert_eq!(ran.code, code, "{path}: {ran:?}");
        assert!(ran.stderr.contains("error["), "{path}: {ran:?}");
        assert!(ran.stderr.contains(finding), "{path}: {ran:?}");
        assert_eq!(ran.stdout.is_empty(), path != "half.co", "{ran:?}");
    }
}
