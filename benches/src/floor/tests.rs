use stalwart::compiler::{Depth, compile};
use stalwart::evaluator;

use super::*;

fn rulebook(text: &str) -> Rulebook {
    compile("large.co", text.as_bytes(), "stalwart.large", Depth::Errors)
        .rulebook
        .unwrap()
}

const FLOW: &str = "define flow f\n  if $a and not $bb\n    execute t\n  else if $ccc_is_a_longer_name\n    bot refuse x\n  else\n    bot refuse\n";

#[test]
fn decides_as_the_evaluator_does() {
    let rulebook = rulebook(FLOW);
    let floor = Floor::new(&rulebook).unwrap();
    for text in [
        "{}",
        " { } ",
        r#"{"a":true}"#,
        r#"{"a":true,"bb":true}"#,
        r#"{"a":true,"bb":true,"bb":false}"#,
        r#"{"a":true,"a":1}"#,
        r#"{ "ccc_is_a_longer_name" :true , "else" : false }"#,
        r#"{"ccc_is_a_longer_name":true, "a": "true"}"#,
        r#"{"ccc_is_a_longer\u005fname":true}"#,
        r#"{"ä":true,"a":true,"long key \" with a quote":[{"a":false}]}"#,
    ] {
        for tool in ["t", "none"] {
            let call = format!(r#"{{"tool":"{tool}","context":{text}}}"#);
            let value = stalwart::json::parse(call.as_bytes()).unwrap();
            let expected = evaluator::decide(&rulebook, &value);
            let expected = Some((expected.decision, expected.rule.as_str()));
            let bytes = text.as_bytes();
            assert_eq!(floor.decide_json(tool, bytes), expected, "{text}");
            assert_eq!(floor.decide_json_by_serde(tool, bytes), expected, "{text}");
        }
    }
}

#[test]
fn refuses_what_is_not_json() {
    let floor = Floor::new(&rulebook(FLOW)).unwrap();
    for text in [
        "",
        "{",
        "[]",
        "{}x",
        "{\"a\":tru}",
        "{\"a\":true,}",
        "{\"a\":true\u{b}}",
        "{\"a\nb\":true}",
        "{\"a\":true \"bb\":true}",
        "{,}",
        "{\"1234567\n\":true}",
        "{a:true}",
    ] {
        assert_eq!(floor.mask_by_scanner(text.as_bytes()), None, "{text}");
    }
    assert_eq!(floor.mask_by_scanner(b"{\"\xff\":true}"), None);
}

#[test]
fn other_rulebooks_have_no_floor() {
    for text in [
        "define flow f\n  if $a or $b\n    execute t\n  else\n    bot refuse\n",
        "define flow f\n  if $n < 1\n    execute t\n  else\n    bot refuse\n",
        "define flow f\n  if $a.b\n    execute t\n  else\n    bot refuse\n",
    ] {
        assert!(Floor::new(&rulebook(text)).is_none(), "{text}");
    }
}
