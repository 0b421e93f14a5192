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

/// A guard that refuses what is above a limit.
const GUARD: &str =
    "define flow limit\n  if $amount <= 100\n    return\n  bot refuse above the limit\n  stop\n";

const EVERY: &str =
    "[[rulebook]]\npath = \"policies/*.co\"\nout-dir = \"opa/{stem}\"\npackage = \"shop.{stem}\"\n";

const TWO: &str = "[[rulebook]]\npath = \"policies/refunds.co\"\nout-dir = \"opa/refunds\"\n\n\
                   [[rulebook]]\npath = \"policies/guard.co\"\nout-dir = \"opa/guard\"\n";

fn commit(place: &Place) {
    git(place, &["add", "--all", "."]);
    git(place, &["commit", "--quiet", "-m", "a"]);
}

/// A committed project of two rulebooks, one of them a guard.
fn project(listing: &str) -> Place {
    let place = Place::new();
    place.write("rulebook.toml", listing);
    place.write("policies/refunds.co", SHOP);
    place.write("policies/guard.co", GUARD);
    git(&place, &["init", "--quiet"]);
    commit(&place);
    place
}

/// Requires that a guard which is no longer there is told and denied, in every format.
fn require_widening(place: &Place, note: &str) {
    let denied = place.run(&["diff", "--git", "HEAD", "--deny", "widening"]);
    assert_eq!(denied.code, 1, "{}", denied.stdout);
    assert!(
        denied
            .stdout
            .starts_with("policies/guard.co@HEAD → nothing\n"),
        "{}",
        denied.stdout
    );
    assert!(
        denied
            .stdout
            .contains("widening: refuse `refuse above the limit` → silent"),
        "{}",
        denied.stdout
    );
    assert_eq!(
        denied.stderr,
        format!("`policies/guard.co` {note}: nothing in it holds any more\n")
    );
    let told = place.succeed(&["diff", "--git", "HEAD"]);
    assert_eq!(told.stdout, denied.stdout);
    let json = place.run(&[
        "diff", "--git", "HEAD", "--format", "json", "--deny", "widening",
    ]);
    let report: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!((json.code, &report["new"]), (1, &Value::from("nothing")));
    assert_ne!(report["summary"]["widening"], 0);
    let markdown = place.succeed(&["diff", "--git", "HEAD", "--format", "markdown"]);
    assert!(
        markdown
            .stdout
            .starts_with("### Decisions: `policies/guard.co@HEAD` → `nothing`\n"),
        "{}",
        markdown.stdout
    );
}

#[test]
fn a_deleted_rulebook_of_a_project_is_compared_with_nothing() {
    let place = project(EVERY);
    std::fs::remove_file(place.path("policies/guard.co")).unwrap();
    require_widening(&place, "is gone");
    // So it is when the deletion is committed.
    git(&place, &["tag", "before"]);
    commit(&place);
    let ran = place.run(&["diff", "--git", "before", "--deny", "widening"]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert_eq!(
        place
            .run(&["diff", "--git", "HEAD", "--deny", "changes"])
            .code,
        0
    );
    // And seen from another folder.
    std::fs::create_dir_all(place.path("policies")).unwrap();
    let mut below = place.command(&["diff", "--git", "before", "--deny", "widening"]);
    let below = super::Ran::from(below.current_dir(place.path("policies")).output().unwrap());
    assert_eq!(below.code, 1);
    assert!(
        below.stdout.starts_with("guard.co@before → nothing\n"),
        "{}",
        below.stdout
    );
}

#[test]
fn a_rulebook_that_is_listed_no_longer_is_compared_with_nothing() {
    let note = "is no rulebook of the project any more";
    let place = project(TWO);
    let (one, _) = TWO.split_once("\n\n").unwrap();
    place.write("rulebook.toml", one);
    require_widening(&place, note);
    let place = project(EVERY);
    place.write(
        "rulebook.toml",
        format!("exclude = [\"policies/guard.co\"]\n{EVERY}"),
    );
    require_widening(&place, note);
    place.write("rulebook.toml", EVERY.replace("*.co", "r*.co"));
    require_widening(&place, note);
    // What the revision excluded is no loss.
    commit(&place);
    std::fs::remove_file(place.path("policies/guard.co")).unwrap();
    let ran = place.run(&["diff", "--git", "HEAD", "--deny", "changes"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[test]
fn a_renamed_rulebook_is_compared_with_itself() {
    let place = project(EVERY);
    git(&place, &["mv", "policies/guard.co", "policies/limits.co"]);
    let ran = place.run(&["diff", "--git", "HEAD", "--deny", "changes"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    place.write("policies/limits.co", GUARD.replace("100", "200"));
    let ran = place.run(&["diff", "--git", "HEAD", "--deny", "widening"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout
            .starts_with("policies/guard.co@HEAD → policies/limits.co\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_deleted_file_that_is_named_is_compared_with_nothing() {
    let place = project(EVERY);
    std::fs::remove_dir_all(place.path("policies")).unwrap();
    let asked = [
        "diff",
        "--git",
        "HEAD",
        "policies/guard.co",
        "--deny",
        "widening",
    ];
    let ran = place.run(&asked);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_eq!(
        ran.stderr,
        "`policies/guard.co` is gone: nothing in it holds any more\n"
    );
    assert!(
        ran.stdout.starts_with("policies/guard.co@HEAD → nothing\n"),
        "{}",
        ran.stdout
    );
    // What neither has is a slip of the pen.
    let ran = place.run(&["diff", "--git", "HEAD", "policies/gaurd.co"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("error[RB0001]"), "{}", ran.stderr);
}

#[test]
fn a_revision_without_a_project_listed_nothing() {
    let place = project(EVERY);
    git(&place, &["rm", "--quiet", "--cached", "rulebook.toml"]);
    git(&place, &["commit", "--quiet", "-m", "b"]);
    std::fs::remove_file(place.path("policies/guard.co")).unwrap();
    let ran = place.run(&["diff", "--git", "HEAD", "--deny", "changes"]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (
            0,
            "`rulebook.toml` is not in `HEAD`: it listed no rulebook\n"
        )
    );
}

#[test]
fn what_an_old_project_listed_must_be_known() {
    let place = project(EVERY);
    place.write("policies/broken.co", BROKEN);
    commit(&place);
    std::fs::remove_file(place.path("policies/broken.co")).unwrap();
    let ran = place.run(&["diff", "--git", "HEAD", "--deny", "widening"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("error[RB0673]"), "{}", ran.stderr);
    place.write("rulebook.toml", "[[rulebook]\n");
    commit(&place);
    place.write("rulebook.toml", EVERY);
    let ran = place.run(&["diff", "--git", "HEAD", "--deny", "widening"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    for word in ["error[RB0801]", "rulebook.toml@HEAD:1:", "error[RB0673]"] {
        assert!(ran.stderr.contains(word), "{word}: {}", ran.stderr);
    }
}

#[test]
fn nothing_that_differs_is_json_too() {
    let schema: Value = serde_json::from_str(&stalwart::diff::schema()).expect("JSON");
    let place = project(EVERY);
    let ran = place.succeed(&["diff", "--git", "HEAD", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert!(jsonschema::is_valid(&schema, &report), "{report}");
    assert_eq!(report["old"], "rulebook.toml@HEAD");
    assert_eq!(report["tools"], serde_json::json!([]));
    assert_eq!(report["exact"], true);
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
