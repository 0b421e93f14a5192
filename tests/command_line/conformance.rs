//! `conformance`: the vectors through the binary.

use serde_json::Value;

use super::{BROKEN, Place, Ran};
use crate::compiled::{files, root};

fn ask(place: &Place, base: &str, input: &str) -> Ran {
    place.run_with(&["conformance", "--base", base], input)
}

fn vector(name: &str, want: &str) -> String {
    format!(
        r#"{{"name": "{name}", "because": "section 4", "input": {{"tool": "refund_card"}}, "want": {{"decision": "{want}", "rule": "refuse"}}}}"#
    )
}

fn file(rulebook: &str, vectors: &[String]) -> String {
    format!(
        r#"{{"format": "rulebook-vectors/1", "rulebook": "{rulebook}", "vectors": [{}]}}"#,
        vectors.join(", ")
    )
}

#[test]
fn the_binary_answers_every_vector() {
    let mut input = String::new();
    for path in files("fixtures/conformance", "json") {
        input += &std::fs::read_to_string(path).unwrap();
    }
    let base = root().join("fixtures/conformance");
    let ran = ask(&Place::new(), base.to_str().unwrap(), &input);
    let wrong: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|line| !line.ends_with("\"agrees\":true}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let count = ran.stdout.lines().count();
    assert_eq!(
        ran.stderr,
        format!("{count} vectors: {count} agree, 0 do not\n")
    );
    assert_eq!(input.matches("\"because\"").count(), count);
    assert_eq!(ran.code, 0);
}

#[test]
fn a_wrong_answer_is_told_apart() {
    let place = Place::with_shop();
    let right = vector("right", "refuse");
    let input = file("policy.co", &[right.clone(), vector("wrong", "allow")]);
    let ran = ask(
        &place,
        ".",
        &format!("{input}\n{}", file("policy.co", &[right])),
    );
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(
        lines[1],
        r#"{"rulebook":"policy.co","name":"wrong","got":{"decision":"refuse","rule":"refuse"},"want":{"decision":"allow","rule":"refuse"},"agrees":false}"#
    );
    for line in [lines[0], lines[2]] {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["agrees"], true, "{line}");
    }
    assert_eq!(ran.stderr, "3 vectors: 2 agree, 1 do not\n");
    assert_eq!(ran.code, 1);
}

#[test]
fn bad_input_is_no_disagreement() {
    let place = Place::with_shop();
    place.write("broken.co", BROKEN);
    let vectors = [vector("a", "refuse"), vector("b", "allow")];
    for (input, said) in [
        (String::new(), "there are no vectors"),
        ("{}".to_owned(), "rulebook-vectors/1"),
        (file("policy.co", &[]), "there are none"),
        (file("policy.co", &vectors) + "[", "not complete"),
        (file("missing.co", &vectors), "2 are not decided"),
        (file("broken.co", &vectors), "2 are not decided"),
        (
            file("policy.co", &vectors) + &file("missing.co", &vectors),
            "4 vectors: 1 agree, 1 do not, 2 are not decided",
        ),
    ] {
        let ran = ask(&place, ".", &input);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.stderr.contains(said), "{said}: {ran:?}");
    }
}
