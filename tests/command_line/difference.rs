//! `diff` and `table`: versions from files and from Git, what is denied, how it ends.

use std::process::Command;

use serde_json::Value;

use super::{BROKEN, Place, SHOP};

/// The shop, and an edit by which more is allowed.
fn versions() -> Place {
    let place = Place::with_shop();
    place.write("old.co", SHOP);
    let wider = SHOP.replace("$order_paid", "$order_paid or $amount <= 20");
    place.write("policy.co", wider);
    place
}

/// Runs Git in a place, as nobody in particular.
pub fn git(place: &Place, arguments: &[&str]) {
    let ran = Command::new("git")
        .args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(arguments)
        .current_dir(place.path("."))
        .output()
        .expect("git runs");
    assert!(ran.status.success(), "{ran:?}");
}

#[test]
fn a_widening_is_told_and_can_be_denied() {
    let place = versions();
    let told = place.succeed(&["diff", "old.co", "policy.co"]);
    assert!(
        told.stdout.contains("widening: refuse `refuse` → allow"),
        "{}",
        told.stdout
    );
    assert!(
        told.stdout.contains("  where not $order_paid\n"),
        "{}",
        told.stdout
    );
    assert!(
        told.stdout.contains("example  {\"amount\":0}\n"),
        "{}",
        told.stdout
    );
    assert_eq!(told.stderr, "");
    let denied = place.run(&["diff", "old.co", "policy.co", "--deny", "widening"]);
    assert_eq!((denied.code, denied.stdout), (1, told.stdout));
    // The other way round it is a narrowing.
    for (deny, code) in [("widening", 0), ("loosening", 0), ("changes", 1)] {
        let ran = place.run(&["diff", "policy.co", "old.co", "--deny", deny]);
        assert_eq!(ran.code, code, "{deny}");
        assert!(
            ran.stdout.contains("narrowing: allow → refuse `refuse`"),
            "{}",
            ran.stdout
        );
    }
    for deny in ["widening", "changes"] {
        let ran = place.run(&["diff", "old.co", "old.co", "--deny", deny]);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (0, "old.co → old.co\n\nno decision changed\n")
        );
    }
}

#[test]
fn sources_and_irs_can_be_mixed() {
    let place = versions();
    place.succeed(&["emit", "old.co", "--out-dir", "old"]);
    let ran = place.succeed(&["diff", "old/rulebook.ir.json", "policy.co"]);
    assert!(
        ran.stdout.contains("when     $amount <= 20\n"),
        "{}",
        ran.stdout
    );
    let piped = place.run_with(&["diff", "-", "policy.co"], SHOP.as_bytes());
    assert!(
        piped.stdout.contains("when     $amount <= 20\n"),
        "{}",
        piped.stdout
    );
    assert_eq!(place.run(&["diff", "-", "-"]).code, 2);
}

#[test]
fn json_fits_its_schema() {
    let schema: Value = serde_json::from_str(&stalwart::diff::schema()).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let place = versions();
    for (old, new) in [
        ("old.co", "policy.co"),
        ("policy.co", "old.co"),
        ("old.co", "old.co"),
    ] {
        let ran = place.succeed(&["diff", old, new, "--format", "json"]);
        let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!(report["format"], "rulebook-diff/1");
        let errors: Vec<_> = validator
            .iter_errors(&report)
            .map(|it| it.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
    let published =
        std::fs::read_to_string(crate::compiled::root().join("schema/rulebook-diff-1.schema.json"));
    assert_eq!(
        published.expect("the schema"),
        stalwart::diff::schema(),
        "cargo run -- schema diff > schema/rulebook-diff-1.schema.json"
    );
}

#[test]
fn markdown_has_the_new_decisions_as_tests() {
    let ran = versions().succeed(&["diff", "old.co", "policy.co", "--format", "markdown"]);
    assert!(
        ran.stdout.contains("#### `refund_card`\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains(
            "  - name: \"refund_card: widening 1\"\n    tool: \"refund_card\"\n    \
             context: {\"amount\":0}\n    want: {\"decision\":\"allow\",\"rule\":\"\"}\n"
        ),
        "{}",
        ran.stdout
    );
}

#[test]
fn an_old_version_comes_from_git() {
    let place = Place::new();
    place.write("rules/policy.co", SHOP);
    let outside = place.run(&["diff", "--git", "main", "rules/policy.co"]);
    assert_eq!(outside.code, 2);
    assert!(
        outside.stderr.contains("error[RB0670]"),
        "{}",
        outside.stderr
    );
    git(&place, &["init", "--quiet"]);
    git(&place, &["add", "."]);
    git(&place, &["commit", "--quiet", "-m", "a"]);
    place.write(
        "rules/policy.co",
        SHOP.replace("$order_paid", "$order_paid or $vip"),
    );
    let ran = place.succeed(&["diff", "--git", "HEAD", "rules/policy.co"]);
    assert!(
        ran.stdout
            .starts_with("rules/policy.co@HEAD → rules/policy.co\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("when     not $order_paid and $vip\n"),
        "{}",
        ran.stdout
    );
    for revision in ["nowhere", "", "--help", "-n1", "HEAD:rules"] {
        let git = format!("--git={revision}");
        let unknown = place.run(&["diff", &git, "rules/policy.co"]);
        assert_eq!(unknown.code, 2, "{revision}: {}", unknown.stderr);
        let is_told = ["error[RB0671]", "a value is required"].iter();
        assert!(
            is_told.clone().any(|word| unknown.stderr.contains(word)),
            "{revision}: {}",
            unknown.stderr
        );
    }
    // A file that is new: all of it is.
    place.write("rules/other.co", SHOP);
    let new = place.run(&[
        "diff",
        "--git",
        "HEAD",
        "rules/other.co",
        "--deny",
        "widening",
    ]);
    assert_eq!(new.code, 1);
    assert!(
        new.stderr.contains("`rules/other.co` is not in `HEAD`"),
        "{}",
        new.stderr
    );
    assert!(
        new.stdout.contains("widening: silent → allow"),
        "{}",
        new.stdout
    );
    // A branch with an old version that does not check.
    place.write("rules/broken.co", BROKEN);
    git(&place, &["add", "."]);
    git(&place, &["commit", "--quiet", "-m", "b"]);
    place.write("rules/broken.co", SHOP);
    let broken = place.run(&["diff", "--git", "HEAD", "rules/broken.co"]);
    assert_eq!((broken.code, broken.stdout.as_str()), (1, ""));
    assert!(broken.stderr.contains("error[RB0673]"), "{}", broken.stderr);
    assert!(
        broken.stderr.contains("rules/broken.co@HEAD:2:"),
        "{}",
        broken.stderr
    );
}

#[test]
fn a_machine_without_git_is_told() {
    let place = versions();
    let mut command = place.command(&["diff", "--git", "HEAD", "policy.co"]);
    let ran = super::Ran::from(command.env("PATH", "nowhere").output().unwrap());
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("error[RB0670]"), "{}", ran.stderr);
}

#[test]
fn errors_of_either_version_end_it() {
    let place = versions();
    place.write("broken.co", BROKEN);
    let ran = place.run(&["diff", "old.co", "broken.co"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(
        ran.stderr
            .ends_with("the new version has errors; nothing is compared\n")
    );
    assert_eq!(place.run(&["diff", "broken.co", "broken.co"]).code, 1);
    assert_eq!(place.run(&["diff", "missing.co", "old.co"]).code, 2);
    assert_eq!(place.run(&["diff", "old.co"]).code, 2);
    assert_eq!(
        place
            .run(&["diff", "old.co", "policy.co", "--git", "HEAD"])
            .code,
        2
    );
    assert_eq!(place.run(&["table", "broken.co"]).code, 1);
    assert_eq!(place.run(&["table", "missing.co"]).code, 2);
}

#[test]
fn a_mistyped_tool_is_no_empty_answer() {
    let place = versions();
    for arguments in [
        ["diff", "old.co", "policy.co"].as_slice(),
        &["table", "policy.co"],
    ] {
        let asked = [arguments, &["--tool", "refund_cart"]].concat();
        let ran = place.run(&asked);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        assert!(ran.stderr.contains("error[RB0672]"), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("did you mean `refund_card`?"),
            "{}",
            ran.stderr
        );
        let asked = [arguments, &["--tool", "refund_card"]].concat();
        assert!(place.succeed(&asked).stdout.contains("refund_card"));
    }
}

#[test]
fn a_table_comes_in_every_format() {
    let place = versions();
    let human = place.succeed(&["table", "policy.co"]).stdout;
    assert!(human.contains("$order_paid"), "{human}");
    assert!(human.contains("every other tool: 1 row"), "{human}");
    let csv = place
        .succeed(&["table", "policy.co", "--format", "csv"])
        .stdout;
    assert!(
        csv.starts_with("tool,decision,rule,message,lines,$order_paid,$amount\r\n"),
        "{csv}"
    );
    let html = place
        .succeed(&["table", "policy.co", "--format", "html"])
        .stdout;
    assert!(
        html.starts_with("<!doctype html>\n") && html.ends_with("</html>\n"),
        "{html}"
    );
    assert!(
        !html.contains("http") && !html.contains("<script"),
        "{html}"
    );
    let md = place
        .succeed(&["table", "policy.co", "--format", "md"])
        .stdout;
    assert!(
        md.contains("| `$order_paid` | `$amount` | decision | message | line |"),
        "{md}"
    );
}

#[test]
fn text_of_the_author_stays_text() {
    let place = Place::new();
    let text = "define bot refuse | <b>\n  \"=HYPERLINK(\\\"x\\\") <script> \\u202e | `\"\n\n\
                define flow f\n  if $s == \"|<i>`\\n=1\"\n    execute t\n  else\n    bot refuse | <b>\n";
    place.write("policy.co", text);
    place.write("old.co", text.replace("execute t", "execute u"));
    for format in ["human", "md", "html", "csv"] {
        let ran = place.succeed(&["table", "policy.co", "--format", format]);
        assert!(!ran.stdout.contains('\u{202e}'), "{format}: {}", ran.stdout);
        if format == "html" {
            assert!(!ran.stdout.contains("<script"), "{}", ran.stdout);
            assert!(!ran.stdout.contains("<i>`"), "{}", ran.stdout);
        }
        if format == "csv" {
            assert!(ran.stdout.contains("\"'=HYPERLINK"), "{}", ran.stdout);
        }
        if format == "md" {
            let rows = ran.stdout.lines().filter(|line| line.starts_with('|'));
            let bars = |line: &str| line.replace("\\|", "").matches('|').count();
            let counts: Vec<usize> = rows.map(bars).filter(|count| *count > 4).collect();
            assert!(
                counts.windows(2).all(|pair| pair[0] == pair[1]),
                "{}",
                ran.stdout
            );
        }
    }
    for format in ["human", "json", "markdown"] {
        let ran = place.succeed(&["diff", "old.co", "policy.co", "--format", format]);
        assert!(!ran.stdout.contains('\u{202e}'), "{format}: {}", ran.stdout);
    }
}
