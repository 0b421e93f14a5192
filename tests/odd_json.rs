//! JSON that readers tend to differ on: the program and OPA read it alike.

use stalwart::evaluator::{Decision, Verdict};
use stalwart::json::parse;

use crate::compiled::must_compile;
use crate::engines::Batch;
use crate::engines::opa::Opa;
use crate::engines::opa_1_20::OpaEngine;

const RULEBOOK: &str = r#"define flow pay
  if $note == "\uFFFD"
    bot refuse half
  else if $note == "\uFFFD\uFFFD"
    bot refuse two
  else if $amount <= 100
    execute pay
  else
    bot refuse amount
"#;

fn nested(open: &str, close: &str, levels: usize) -> String {
    format!("{}{}", open.repeat(levels), close.repeat(levels))
}

#[test]
fn opa_and_the_program_read_odd_json_alike() {
    let compiled = must_compile(RULEBOOK.as_bytes(), "suite.odd_json");
    let pay = |context: &str| format!("{{\"tool\": \"pay\", \"context\": {context}}}");
    let arrays = nested("[", "]", 5_000);
    let objects = format!("{}1{}", "{\"amount\":".repeat(4_000), "}".repeat(4_000));
    let digits = "9".repeat(100_000);
    let (allow, refuse) = (Verdict::Allow, Verdict::Refuse);
    let cases = [
        (
            pay(r#"{"note": "\ud800", "amount": 1}"#),
            refuse,
            "refuse half",
        ),
        (
            pay(r#"{"note": "\udc00", "amount": 1}"#),
            refuse,
            "refuse half",
        ),
        (
            pay(r#"{"note": "\ud800\ud800", "amount": 1}"#),
            refuse,
            "refuse two",
        ),
        (
            pay(r#"{"note": "\udc00\ud800", "amount": 1}"#),
            refuse,
            "refuse two",
        ),
        (
            pay(r#"{"note": "\ud800\ufffd", "amount": 1}"#),
            refuse,
            "refuse two",
        ),
        (pay(r#"{"note": "\ud83d\ude00", "amount": 1}"#), allow, ""),
        (
            pay(r#"{"note\ud800": "\ufffd", "note": "", "amount": 1}"#),
            allow,
            "",
        ),
        (
            pay(r#"{"note": "", "amount": 200, "\u0061mount": 1}"#),
            allow,
            "",
        ),
        (
            pay(r#"{"note": "", "amount": 1, "amount": 200}"#),
            refuse,
            "refuse amount",
        ),
        (
            pay(r#"{"note": "", "amount": {"$serde_json::private::Number": "5"}}"#),
            refuse,
            "no_match",
        ),
        (
            pay(&format!("{{\"note\": \"\", \"amount\": -{digits}}}")),
            allow,
            "",
        ),
        (
            pay(&format!("{{\"note\": \"\", \"amount\": {digits}.5}}")),
            refuse,
            "refuse amount",
        ),
        (
            pay(&format!(
                "{{\"note\": \"\", \"amount\": 1, \"deep\": {arrays}}}"
            )),
            allow,
            "",
        ),
        (
            pay(&format!("{{\"note\": \"\", \"amount\": {arrays}}}")),
            refuse,
            "no_match",
        ),
        (
            pay(&format!("{{\"note\": \"\", \"amount\": {objects}}}")),
            refuse,
            "no_match",
        ),
        (pay(&arrays), refuse, "no_match"),
        (
            format!("{{\"tool\": {objects}, \"context\": {{}}}}"),
            Verdict::Silent,
            "",
        ),
        (arrays, Verdict::Silent, ""),
    ];
    let wanted: Vec<_> = cases
        .iter()
        .map(|(_, decision, rule)| Decision {
            decision: *decision,
            rule: (*rule).to_owned(),
        })
        .collect();
    for ((text, ..), want) in cases.iter().zip(&wanted) {
        let input = parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text:.99}"));
        assert_eq!(compiled.decide(&input), *want, "{text:.99}");
    }
    let batch = Batch {
        package: "suite.odd_json".to_owned(),
        rego: compiled.emit().rego,
        inputs: cases.iter().map(|(text, ..)| Some(text.clone())).collect(),
    };
    let batches = [batch];
    let mut answers = Vec::new();
    if let Some(opa) = Opa::find() {
        answers.extend(
            opa.decide(&batches)
                .unwrap_or_else(|error| panic!("{error}")),
        );
    }
    if let Some(opa) = OpaEngine::find() {
        answers.extend(opa.decide(&batches));
    }
    for answers in answers {
        for (((text, ..), want), answer) in cases.iter().zip(&wanted).zip(answers) {
            assert_eq!(answer.as_ref(), Ok(want), "{text:.99}");
        }
    }
}
