//! Contexts that are hard to read: any bytes get an answer in bounded time, or an error.

use stalwart::json::{self, JsonError};

use super::{agree, gate};

const RULEBOOK: &str = r#"define flow pay
  if $note == "\uFFFD"
    bot refuse half
  else if $a.b and not $a.c.d and $a.c.e == False
    bot refuse nested
  else if $n.m.o <= 0.001 or $n.m.p > 0
    bot ask
  else if $amount <= 100 and $amount > -1.5
    execute pay
  else if $amount == 100.000000000001 or not $open
    bot clarify amount
  else
    bot refuse amount
"#;

/// Holds all forms together on these contexts.
fn all_agree(texts: &[String]) {
    let gate = gate(RULEBOOK);
    let mut typed = gate.context();
    for text in texts {
        for tool in [Some("pay"), Some("other"), None] {
            if let Err(difference) = agree(&gate, &mut typed, tool, text.as_bytes()) {
                panic!("{difference}");
            }
        }
    }
}

/// The rule that a context earns.
fn rules(texts: &[(&str, &str)]) {
    all_agree(
        &texts
            .iter()
            .map(|(text, _)| (*text).to_owned())
            .collect::<Vec<_>>(),
    );
    let gate = gate(RULEBOOK);
    for (text, want) in texts {
        let decision = gate.decide_json("pay", text.as_bytes()).expect("JSON");
        assert_eq!(decision.rule, *want, "{text}");
    }
}

#[test]
fn the_last_of_duplicate_keys_wins() {
    // Without a value that the first comparison asks for, all is undecided.
    rules(&[
        (
            r#"{"note":"","a":{"b":true,"c":{"e":false}}}"#,
            "refuse nested",
        ),
        (
            r#"{"note":"","a":{"b":true},"a":{"c":{"e":false}},"n":{"m":{"o":1,"p":1}}}"#,
            "ask",
        ),
        (
            r#"{"note":"","a":{"b":true,"c":{"e":false}},"a":{},"n":{"m":{"o":0,"p":0}}}"#,
            "ask",
        ),
        (
            r#"{"note":"","a":{"b":true,"c":{"e":false}},"a":true,"n":{"m":{"o":0}}}"#,
            "ask",
        ),
        (
            r#"{"note":"","a":{"b":true,"c":{"e":false},"c":{"e":false,"d":true}},"n":{"m":{"o":0}}}"#,
            "ask",
        ),
        (
            r#"{"note":"","a":{"b":true,"c":{"e":false,"d":true},"c":{"e":false}}}"#,
            "refuse nested",
        ),
        (
            r#"{"note":"","a":{"b":true,"c":{"e":false},"b":1},"n":{"m":{"o":0}}}"#,
            "ask",
        ),
        (
            r#"{"note":"","a":[],"a":{"b":true,"c":{"e":false}}}"#,
            "refuse nested",
        ),
        (
            r#"{"note":"","a":{"\u0062":true,"c":{"e":false}},"\u0061":{}, "n":{"m":{"o":0}}}"#,
            "ask",
        ),
        (r#"{"note":"","n":{"m":{"o":0}},"n":{"m":{}}}"#, "no_match"),
        (r#"{"note":"","n":{"m":{"o":0},"m":null}}"#, "no_match"),
        (
            r#"{"note":"","n":{"m":{"o":1}},"n":{"m":{"o":2, "p":0}},"amount":3,"amount":5}"#,
            "",
        ),
        (
            r#"{"note":"","n":{"m":{"o":2, "p":0}},"amount":5,"amount":"5"}"#,
            "no_match",
        ),
        (
            r#"{"note":"","n":{"m":{"o":2, "p":0}},"amount":200,"open":true}"#,
            "refuse amount",
        ),
        (
            r#"{"note":"","n":{"m":{"o":2, "p":0}},"amount":200,"open":true,"open":{}}"#,
            "clarify amount",
        ),
        (
            r#"{"note":"","n":{"m":{"o":2, "p":0}},"amount":200,"open":0,"open":true}"#,
            "refuse amount",
        ),
        (r#"{"note":"x","note":"\ud800"}"#, "refuse half"),
        (r#"{"note":"\ud800","note":7}"#, "no_match"),
    ]);
}

#[test]
fn contexts_that_are_no_objects_have_no_names() {
    let texts = [
        "null",
        "true",
        "1",
        "\"note\"",
        "[]",
        "{}",
        " { } ",
        "\u{FEFF}{}",
        "[{\"note\": \"\"}]",
        "",
        " ",
        "\u{FEFF}",
        "{",
        "[",
        "{\"note\"",
        "{\"note\":",
        "{\"note\":\"",
        "{\"note\":\"\"",
        "{\"note\":\"\",",
        "{\"note\":\"\",}",
        "{} {}",
        "{},",
        "{\"a\":{}",
        "{\"a\":{},}",
        "{\"a\":{\"b\":true}},",
        "{\"a\":{\"b\":true,}}",
        "{\"a\" {}}",
        "{\"note\":\"\\x\"}",
        "{\"x\":tru}",
        "{\"x\":truee}",
        "{\"open\":true false}",
        "{\"open\":truefalse}",
        "{\"x\":01}",
        "{\"x\":1.}",
        "{\"x\":-}",
        "{\"x\":1e}",
        "{\"x\":+1}",
        "{\"x\":.5}",
        "{\"x\":\"\\u12\"}",
        "{\"x\":\"\\u12g4\"}",
        "{\"x\":\"\t\"}",
        "{\"x\ty\":1}",
        "{\"x\":[1,]}",
        "{\"x\":[,]}",
        "{\"x\":[}}",
        "{\"x\":{]}}",
        "{\"x\":{1:2}}",
        "{1:2}",
        "{\"x\":[1 2]}",
        "{\"x\":{\"y\"}}",
        "{\"x\":{\"y\":}}",
        "{\"x\":{\"y\":1,}}",
        "{\"x\":\u{a0}1}",
        "{\"\\u0061\\ud83d\\ude00\":1}",
        "{\"\":1,\"12345678\":2,\"1234567\":3,\"123456789\":4}",
        "{\"x\":\"1234567\\\"\"}",
        "{\"x\":\"12345678\\\\\"}",
        "{\"x\":\"\u{e9}\u{2028}\u{1F600}\u{80}\u{7f}\"}",
        "{\"\u{e9}\u{1F600}\":1}",
        "{\"note\":\"\\n\\/\\b\\f\\r\\t\\\"\\\\\"}",
    ];
    all_agree(&texts.map(str::to_owned));
}

#[test]
fn bytes_that_are_not_utf_8_are_refused_where_they_stand() {
    let gate = gate(RULEBOOK);
    for bytes in [
        &b"\xff"[..],
        b"{\"a\xff\":1}",
        b"\xef\xbb\xbf{}\xc3",
        b"{}\xed\xa0\x80",
    ] {
        let error = json::parse(bytes).expect_err("no JSON");
        assert!(matches!(error, JsonError::NotUtf8(_)));
        assert_eq!(gate.decide_json("pay", bytes), Err(error));
    }
}

#[test]
fn numbers_are_exact_and_cost_what_their_text_costs() {
    let zeros = "0".repeat(100_000);
    let nines = "9".repeat(100_000);
    let numbers = [
        "1e1000000000",
        "-1e1000000000",
        "1e-1000000000",
        "-1e-1000000000",
        "0e1000000000",
        "1e99999999999999999999999999999999999999999",
        "1e-99999999999999999999999999999999999999999",
        "-0",
        "0.0",
        "-0.0e5",
        "1e2",
        "100.0",
        "1000e-1",
        "0.001",
        "1E-3",
        "0.0010000000000000001",
        "100.000000000001",
        "100.0000000000010",
        "-1.5",
        "-1.50",
        "-1.4999999999999999999999",
    ]
    .map(str::to_owned);
    let long = [
        nines.clone(),
        format!("-{nines}"),
        format!("0.{zeros}1"),
        format!("1{zeros}e-100000"),
        format!("1{zeros}.{zeros}e-99998"),
        format!("100.{zeros}1"),
        format!("99.{nines}"),
        format!("1e-{nines}"),
        format!("1e{zeros}2"),
        format!("0.001{zeros}"),
    ];
    let texts = numbers.iter().chain(&long).flat_map(|number| {
        [
            format!("{{\"note\":\"\",\"n\":{{\"m\":{{\"o\":2,\"p\":0}}}},\"amount\":{number}}}"),
            format!("{{\"note\":\"\",\"n\":{{\"m\":{{\"o\":{number},\"p\":{number}}}}}}}"),
            format!("{{\"note\":\"\",\"other\":{number}}}"),
        ]
    });
    all_agree(&texts.collect::<Vec<_>>());
    rules(&[
        (r#"{"note":"","n":{"m":{"o":2,"p":0}},"amount":1e2}"#, ""),
        (
            r#"{"note":"","n":{"m":{"o":2,"p":0}},"amount":100.000000000001}"#,
            "clarify amount",
        ),
        (
            r#"{"note":"","n":{"m":{"o":2,"p":0}},"amount":1000000000000.011e-10,"open":true}"#,
            "refuse amount",
        ),
        (
            r#"{"note":"","n":{"m":{"o":2,"p":-0}},"amount":-1.4999999999999999999999}"#,
            "",
        ),
        (r#"{"note":"","n":{"m":{"o":1e-3}}}"#, "ask"),
    ]);
}

#[test]
fn a_long_number_that_many_conditions_read_is_read_once() {
    use std::fmt::Write as _;
    let mut text = String::from("define flow f\n");
    for number in 0..900 {
        let word = if number == 0 { "if" } else { "else if" };
        let _ = write!(
            text,
            "  {word} $amount == {number}\n    bot refuse {number}\n"
        );
    }
    text.push_str("  else\n    execute t\n");
    let gate = gate(&text);
    // Read at each condition this would be a thousand million digits.
    let context = format!("{{\"amount\":{}.5}}", "9".repeat(1_000_000));
    let value = json::parse(context.as_bytes()).expect("JSON");
    for decision in [
        gate.decide_json("t", context.as_bytes()).expect("JSON"),
        gate.decide_value("t", &value),
    ] {
        assert_eq!(decision.rule, "");
    }
}

#[test]
fn any_depth_is_read_on_a_small_stack() {
    const LEVELS: usize = 100_000;
    let run = || {
        let mut texts = Vec::new();
        for (open, close) in [
            ("[", "]"),
            ("{\"a\":", "}"),
            ("[{\"b\":", "}]"),
            ("{\"m\":", "}"),
        ] {
            for levels in [60, 61, 62, 63, 64, 65, 66, 600, LEVELS] {
                let nested = format!("{}1{}", open.repeat(levels), close.repeat(levels));
                texts.push(format!(
                    "{{\"note\":\"\",\"n\":{nested},\"a\":{nested},\"open\":true}}"
                ));
                texts.push(format!("{{\"x\":{nested},\"note\":\"\\ud800\"}}"));
                texts.push(nested.clone());
                texts.push(open.repeat(levels));
                texts.push(nested.replace('1', "?"));
            }
        }
        all_agree(&texts);
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(run);
    thread.expect("a thread").join().expect("no overflow");
}

#[test]
fn many_keys_take_linear_time() {
    let gate = gate(RULEBOOK);
    let entry = r#""a":{"b":true,"c":{"d":true,"e":false},"c":{}},"\u0061":{},"#;
    let text = format!("{{{}\"note\":\"\\ud800\"}}", entry.repeat(100_000));
    let decision = gate.decide_json("pay", text.as_bytes()).expect("JSON");
    assert_eq!(decision.rule, "refuse half");
    let blanks = format!("{}x", "\n".repeat(3_000_000));
    let error = JsonError::Syntax {
        line: 3_000_001,
        column: 1,
    };
    assert_eq!(gate.decide_json("pay", blanks.as_bytes()), Err(error));
}
