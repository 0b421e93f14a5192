//! `graph`: where a picture goes, and what is said where there is none.

use super::{BROKEN, Place};

/// Two tools, and a guard that knows of a third.
const MARKET: &str = "\
define flow nobody deletes
  if $tool_name == \"delete_all\"
    stop

define flow refunds
  if $order_paid
    execute refund_card

define flow low rated sellers
  if $rating < 2
    bot refuse low rating
  else
    execute publish_listing
";

#[test]
fn a_picture_is_the_answer() {
    let place = Place::with_shop();
    for (format, begin) in [
        ("svg", "<svg xmlns="),
        ("html", "<!DOCTYPE html>"),
        ("mermaid", "flowchart LR\n"),
        ("dot", "digraph rulebook {\n"),
    ] {
        let ran = place.succeed(&["graph", "policy.co", "--format", format]);
        assert!(ran.stdout.starts_with(begin), "{}", ran.stdout);
        assert!(ran.stdout.contains("refund_card"), "{format}");
        assert!(ran.stdout.ends_with('\n'), "{format}");
        assert_eq!(ran.stderr, "");
        assert_eq!(
            place
                .succeed(&["graph", "policy.co", "--format", format])
                .stdout,
            ran.stdout
        );
    }
    let svg = place.succeed(&["graph", "policy.co"]).stdout;
    assert!(svg.starts_with("<svg"));
}

#[test]
fn a_picture_is_written_to_a_file() {
    let place = Place::with_shop();
    let printed = place.succeed(&["graph", "policy.co"]).stdout;
    let ran = place.succeed(&["graph", "policy.co", "--output", "policy.svg"]);
    assert_eq!(ran.stdout, "wrote policy.svg\n");
    assert_eq!(place.read("policy.svg"), printed.as_bytes());
    let ran = place.run(&["graph", "policy.co", "--output", "missing/policy.svg"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("RB0640"), "{}", ran.stderr);
}

#[test]
fn a_picture_replaces_nothing_that_somebody_wrote() {
    let place = Place::with_shop();
    place.write("listed.yaml", "cases: []\n");
    place.write(
        "rulebook.toml",
        "[[rulebook]]\npath = \"policy.co\"\ntests = [\"listed.yaml\"]\n",
    );
    let before = place.names(".");
    let text = place.read("policy.co");
    for output in [
        "policy.co",
        "./policy.co",
        "new.co",
        "policy.test.yaml",
        "rulebook.toml",
        "rulebook.ir.json",
        "Rulebook.rego",
        "listed.yaml",
    ] {
        let ran = place.run(&["graph", "policy.co", "--output", output]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{output}");
        assert!(ran.stderr.starts_with("error[RB0660]"), "{}", ran.stderr);
    }
    assert_eq!(place.names("."), before);
    assert_eq!(place.read("policy.co"), text);
}

#[test]
fn an_ir_is_drawn_as_its_source_is() {
    let place = Place::with_shop();
    place.succeed(&["emit", "policy.co"]);
    let drawn = |file| place.succeed(&["graph", file, "--format", "html"]).stdout;
    assert_eq!(drawn("rulebook.ir.json"), drawn("policy.co"));
}

#[test]
fn a_part_is_drawn_alone() {
    let place = Place::new();
    place.write("market.co", MARKET);
    let drawn = |arguments: &[&str]| {
        let mut all = vec!["graph", "market.co", "--format", "mermaid"];
        all.extend(arguments);
        place.succeed(&all).stdout
    };
    let of_tool = drawn(&["--tool", "refund_card"]);
    assert!(of_tool.contains("order#95;paid") || of_tool.contains("order_paid"));
    assert!(!of_tool.contains("rating") && !of_tool.contains("nobody deletes"));
    let of_guarded = drawn(&["--tool", "delete_all"]);
    assert!(of_guarded.contains("nobody deletes") && !of_guarded.contains("refunds"));
    let of_flow = drawn(&["--flow", "low rated sellers"]);
    assert!(of_flow.contains("low rating") && !of_flow.contains("every call"));
}

#[test]
fn what_is_not_there_is_not_drawn() {
    let place = Place::new();
    place.write("market.co", MARKET);
    place.write("broken.co", BROKEN);
    place.write(
        "talk.co",
        "define flow greeting\n  user greet\n  bot greet\n",
    );
    for (arguments, code, said) in [
        (
            ["market.co", "--flow", "low rated seller"],
            "RB0680",
            "did you mean `low rated sellers`?",
        ),
        (
            ["market.co", "--flow", "x"],
            "RB0680",
            "the rulebook has `nobody deletes`, `refunds`, `low rated sellers`",
        ),
        (
            ["market.co", "--tool", "Refund_Card"],
            "RB0681",
            "did you mean `refund_card`?",
        ),
        (
            ["talk.co", "--tool", "x\u{202e}"],
            "RB0681",
            "the rulebook has no tool",
        ),
    ] {
        let mut all = vec!["graph"];
        all.extend(arguments);
        let ran = place.run(&all);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.stderr.contains(code), "{}", ran.stderr);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
        assert!(!ran.stderr.contains('\u{202e}'));
    }
    let ran = place.run(&["graph", "broken.co", "--output", "broken.svg"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(
        ran.stderr
            .ends_with("1 error in broken.co; nothing is drawn\n"),
        "{}",
        ran.stderr
    );
    assert!(!place.path("broken.svg").exists());
    let ran = place.run(&[
        "graph",
        "market.co",
        "--flow",
        "refunds",
        "--tool",
        "refund_card",
    ]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    let svg = place.succeed(&["graph", "talk.co"]).stdout;
    assert!(svg.contains("Nothing here decides on a tool."));
}
