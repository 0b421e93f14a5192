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
