//! `eval`: one line of JSON for each call.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use super::{BROKEN, Place};

const ALLOW: &str = "{\"decision\":\"allow\",\"rule\":\"\"}\n";
const REFUSE: &str = "{\"decision\":\"refuse\",\"rule\":\"refuse\"}\n";
const SILENT: &str = "{\"decision\":\"silent\",\"rule\":\"\"}\n";

#[test]
fn one_call_is_answered_by_one_line() {
    let place = Place::with_shop();
    place.write("context.json", "\u{FEFF}{\"order_paid\": true}\n");
    for (tool, context, answer) in [
        ("refund_card", "{\"order_paid\": true}", ALLOW),
        (
            "refund_card",
            "{\"order_paid\": false, \"order_paid\": true}",
            ALLOW,
        ),
        ("refund_card", "{\"order_paid\": \"true\"}", REFUSE),
        ("refund_card", "@context.json", ALLOW),
        ("refund_card", "{}", REFUSE),
        ("refund_card", "null", REFUSE),
        ("refund_card", "[true]", REFUSE),
        ("refund_card", "-1e999999999", REFUSE),
        ("other", "{\"order_paid\": true}", SILENT),
        ("", "{}", SILENT),
    ] {
        let ran = place.succeed(&["eval", "policy.co", "--tool", tool, "--context", context]);
        assert_eq!(
            (ran.stdout.as_str(), ran.stderr.as_str()),
            (answer, ""),
            "{context}"
        );
    }
}

#[test]
fn an_ir_decides_as_its_source_does() {
    let place = Place::with_shop();
    place.succeed(&["emit", "policy.co"]);
    let call = [
        "--tool",
        "refund_card",
        "--context",
        "{\"order_paid\": true}",
    ];
    let mut arguments = vec!["eval", "rulebook.ir.json"];
    arguments.extend(call);
    assert_eq!(place.succeed(&arguments).stdout, ALLOW);
}

#[test]
fn lines_are_answered_in_their_places() {
    let place = Place::with_shop();
    let input = b"\xEF\xBB\xBF{\"tool\": \"refund_card\", \"context\": {\"order_paid\": true}}\r\n\
        \n   \n\
        {\"tool\": \"refund_card\"}\n\
        nonsense\n\
        [1]\n\
        {\"context\": {}, \"extra\": 1}\n\
        {}\n\
        {\"tool\": 7, \"context\": 7}\n\
        \"\xFF\"\n\
        {\"tool\": \"refund_card\"} x\n\
        {\"tool\": \"other\", \"tool\": \"refund_card\", \"context\": {\"order_paid\": true}}";
    let ran = place.run_with(&["eval", "policy.co", "--input", "-"], input);
    let answers = [
        ALLOW,
        REFUSE,
        "{\"error\":\"not JSON at column 2\"}\n",
        "{\"error\":\"not a JSON object\"}\n",
        SILENT,
        SILENT,
        SILENT,
        "{\"error\":\"not UTF-8 at byte 1\"}\n",
        "{\"error\":\"not JSON at column 25\"}\n",
        ALLOW,
    ];
    assert_eq!(ran.stdout, answers.concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (2, ""));
}

#[test]
fn json_of_any_depth_gets_an_answer() {
    let place = Place::with_shop();
    let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let lines = [
        format!("{{\"tool\": \"refund_card\", \"context\": {deep}}}"),
        format!("{{\"tool\": \"refund_card\", \"context\": {{\"order_paid\": {deep}}}}}"),
        format!(
            "{{\"context\": {{\"other\": {deep}, \"order_paid\": true}}, \"tool\": \"refund_card\"}}"
        ),
        format!("{{\"tool\": {deep}}}"),
    ];
    let ran = place.run_with(&["eval", "policy.co", "--input", "-"], lines.join("\n"));
    assert_eq!(ran.stdout, [REFUSE, REFUSE, ALLOW, SILENT].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[test]
fn half_a_surrogate_pair_is_a_character_like_others() {
    let place = Place::with_shop();
    let context = r#"{"order_paid": true, "note\udfff": "\ud800"}"#;
    let ran = place.succeed(&[
        "eval",
        "policy.co",
        "--tool",
        "refund_card",
        "--context",
        context,
    ]);
    assert_eq!(ran.stdout, ALLOW);
}

#[test]
fn a_number_is_not_smuggled_in_as_an_object() {
    let place = Place::new();
    place.write(
        "policy.co",
        "define flow pay\n  if $amount <= 100\n    execute pay\n  else\n    bot refuse\n",
    );
    let context = "{\"amount\": {\"$serde_json::private::Number\": \"50\"}}";
    let ran = place.succeed(&["eval", "policy.co", "--tool", "pay", "--context", context]);
    assert_eq!(
        ran.stdout,
        "{\"decision\":\"refuse\",\"rule\":\"no_match\"}\n"
    );
}

#[test]
fn a_rulebook_with_errors_decides_nothing() {
    let place = Place::new();
    place.write("broken.co", BROKEN);
    let ran = place.run_with(&["eval", "broken.co", "--input", "-"], "{}\n");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("[broken.co:2:"), "{}", ran.stderr);
}

#[test]
fn who_waits_for_an_answer_gets_it() {
    let place = Place::with_shop();
    let mut child = place
        .command(&["eval", "policy.co", "--input", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        stdin.write_all(b"{\"tool\": \"refund_card\"}\n").unwrap();
        stdin.flush().unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert_eq!(answer, REFUSE);
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

/// A rulebook in which a value can be lacking, with a text that turns a terminal's line around.
const LIMITED: &str = "\
define flow refunds
  if $order_paid and $amount <= 100 and $note != \"\u{202e}\"
    execute refund_card
  else
    bot refuse
";

#[test]
fn an_explanation_says_what_was_met_and_what_would_have_to_change() {
    let place = Place::with_shop();
    place.write("limited.co", LIMITED);
    let explain = |file: &str, tool: &str, context: &str, form: &str| {
        let call = ["eval", file, "--tool", tool, "--context", context, form];
        place.succeed(&call).stdout
    };
    let explained = explain(
        "limited.co",
        "refund_card",
        r#"{"order_paid": true, "amount": "40\u001b[2J"}"#,
        "--explain",
    );
    assert_eq!(
        explained,
        "refuse `no_match`: flow `refunds`, line 2 (undecided)
flow `refunds`, line 1: undecided at line 2
  line 2: `$order_paid and $amount <= 100 and $note != \"\\u202e\"` is neither true nor false
    `$order_paid` held: `$order_paid` is true
    `$amount <= 100` lacks a value: `$amount` is a string
    `$note != \"\\u202e\"` lacks a value: `$note` is absent
the smallest change that would allow it:
  set `$amount` to `0`
  set `$note` to `\"\"`
"
    );
    assert_eq!(
        explain("policy.co", "other", "{}", "--explain=text"),
        "silent: no flow speaks on this call\n\
         no context allows it: no flow governs this tool\n"
    );
    assert_eq!(
        explain("policy.co", "refund_card", "{}", "--explain"),
        "refuse `refuse`: flow `refunds`, line 7 (branch f1_b2)
flow `refunds`, line 4: refuse `refuse`
  line 5: `$order_paid` failed
    `$order_paid` failed: `$order_paid` is absent
  line 7: `else`
the smallest change that would allow it:
  set `$order_paid` to `true`
"
    );
    let json = explain("policy.co", "refund_card", "{}", "--explain=json");
    assert!(json.ends_with("}\n") && json.lines().count() == 1, "{json}");
    let why: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(why["format"], "rulebook-why/1");
    assert_eq!(why["decision"], "refuse");
    assert_eq!(why["change"]["edits"][0]["name"], "order_paid");
}

#[test]
fn explanations_of_many_calls_stand_apart_and_end_as_decisions_do() {
    let place = Place::with_shop();
    let input =
        "{\"tool\": \"refund_card\", \"context\": {\"order_paid\": true}}\n[]\n{\"tool\": 7}\n";
    let arguments = ["eval", "policy.co", "--input", "-", "--explain"];
    let ran = place.run_with(&arguments, input);
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.stdout,
        "allow: flow `refunds`, line 5 (branch f1_b1)
flow `refunds`, line 4: allow
  line 5: `$order_paid` held
    `$order_paid` held: `$order_paid` is true
allowed as it is
{\"error\":\"not a JSON object\"}

silent: no flow speaks on this call
no context allows it: no flow governs this tool
"
    );
    let refused = "{\"tool\": \"refund_card\"}\n";
    for form in ["--explain", "--explain=json"] {
        let arguments = ["eval", "policy.co", "--input", "-", form, "--exit-code"];
        assert_eq!(place.run_with(&arguments, refused).code, 1, "{form}");
    }
    let wrong = place.run(&["eval", "policy.co", "--input", "-", "--explain=xml"]);
    assert_eq!(wrong.code, 2);
}
