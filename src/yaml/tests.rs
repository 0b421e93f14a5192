use super::*;
use crate::diagnostics::Sink;
use crate::diagnostics::text_faults::decode_document;
use crate::text::Source;

fn reading(text: &str) -> (Option<Node>, Vec<(String, String, String)>) {
    let (source, faults) = decode_document("a.yaml", text.as_bytes());
    assert_eq!(faults, []);
    let mut sink = Sink::new();
    let node = read(&source, &mut sink);
    let found = sink.into_sorted();
    assert_eq!(node.is_none(), !found.is_empty());
    let said = found
        .into_iter()
        .map(|one| {
            let span = one.span().unwrap();
            (
                one.code.id.to_owned(),
                source.slice(span).to_owned(),
                one.message,
            )
        })
        .collect();
    (node, said)
}

fn json(text: &str) -> String {
    let (node, said) = reading(text);
    assert_eq!(said, [], "{text}");
    node.unwrap().to_json().to_string()
}

/// The code and the place of the only fault.
fn fault(text: &str) -> (String, String) {
    let (_, said) = reading(text);
    let [(code, place, _)] = said.as_slice() else {
        panic!("{text}: {said:?}")
    };
    (code.clone(), place.clone())
}

#[test]
fn values_are_what_the_core_schema_says() {
    for (text, value) in [
        ("", "null"),
        ("# nothing\n", "null"),
        ("~", "null"),
        ("[null, Null, NULL, ~, ]", "[null,null,null,null]"),
        (
            "[true, True, TRUE, false, False, FALSE]",
            "[true,true,true,false,false,false]",
        ),
        ("[yes, no, on, Off, y]", r#"["yes","no","on","Off","y"]"#),
        ("[\"yes\", 'true', \"1\"]", r#"["yes","true","1"]"#),
        (
            "[1, -1, 0, -0, 1.10, 1e5, 1E+5, 0.5]",
            "[1,-1,0,-0,1.10,1e+5,1E+5,0.5]",
        ),
        (
            "[12345678901234567890.123456789012345678901234567890]",
            "[12345678901234567890.123456789012345678901234567890]",
        ),
        (
            "[1.2.3, 2026-01-01, 12:30, 1a, a1, -a, 5 kg, 1-2]",
            r#"["1.2.3","2026-01-01","12:30","1a","a1","-a","5 kg","1-2"]"#,
        ),
        (
            "a: 1\nb:\n  c: [x, {d: e}]\n  f:\n",
            r#"{"a":1,"b":{"c":["x",{"d":"e"}],"f":null}}"#,
        ),
        ("- a\n-\n- - b\n  - c\n", r#"["a",null,["b","c"]]"#),
        (
            "a: |\n  two\n  lines\nb: >-\n  one\n  line\n",
            r#"{"a":"two\nlines\n","b":"one line"}"#,
        ),
        ("---\na: 1\n...\n", r#"{"a":1}"#),
        (
            "{\"$serde_json::private::Number\": \"5\"}",
            r#"{"$serde_json::private::Number":"5"}"#,
        ),
        ("a: \"\\u00e9\\n\\\"\"", r#"{"a":"é\n\""}"#),
    ] {
        let found = json(text);
        let same = |text: &str| crate::json::parse(text.as_bytes()).unwrap();
        assert_eq!(same(&found), same(value), "{text}");
    }
    // Digits stay, whatever they are worth.
    assert_eq!(json("1.10"), "1.10");
    assert_eq!(json("1e999999999"), "1e+999999999");
}

#[test]
fn unclear_numbers_are_refused() {
    for word in [
        "0x1F", "0o17", "0b11", "007", "00", "-01", "1_000", "1_0.5", "+5", ".5", "5.", "-.5",
        "1.e5", "1e05x", ".inf", "-.INF", ".NaN", "0x_1", "01e5", "+.inf",
    ] {
        if word == "1e05x" {
            assert_eq!(json(word), "\"1e05x\"");
            continue;
        }
        let expected = ("RB0507".to_owned(), word.to_owned());
        assert_eq!(fault(&format!("a: {word}  # no\n")), expected);
        assert_eq!(json(&format!("'{word}'")), format!("\"{word}\""));
    }
}

#[test]
fn faults_have_their_place() {
    let mut wrong = Vec::new();
    for (text, code, place) in [
        ("a: 1\nb: 2\na: 3\n", "RB0503", "a"),
        ("a: &x 1\n", "RB0504", "&x 1"),
        ("a: !!str 1\n", "RB0504", "!!str 1"),
        ("a: !own [1]\n", "RB0504", "!own ["),
        ("<<: {a: 1}\n", "RB0504", "<<"),
        ("a: *x\n", "RB0504", "*"),
        ("a: 1\n---\nb: 2\n", "RB0505", "---"),
        ("5: a\n", "RB0508", "5"),
        ("? [a]\n: b\n", "RB0508", "[a]"),
        ("true: a\n", "RB0508", "true"),
        ("a: 1\n\tb: 2\n", "RB0502", "\t"),
        ("a:\n\t- b\n", "RB0502", "\t"),
        ("a: \"x\n", "RB0501", "\""),
        ("a: [1, 2\nb: 3\n", "RB0501", ":"),
        ("a: {b: 1\n", "RB0501", ""),
        ("a: b: c\n", "RB0501", ":"),
        ("a: 1\n b: 2\n", "RB0501", ":"),
        ("  a: 1\n b: 2\n", "RB0501", "b"),
        ("a: @x\n", "RB0501", "@"),
        ("a: \"\\q\"\n", "RB0501", "\""),
        ("é: ü: x\n", "RB0501", ":"),
    ] {
        let (found, at) = fault(text);
        if (found.as_str(), at.as_str()) != (code, place) {
            wrong.push(format!("{text:?}: {found} {at:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Several faults of values are found in one run.
    assert_eq!(reading("a: 1\na: 007\nb: &x 0x1\n").1.len(), 4);
}

#[test]
fn places_count_bytes() {
    let (node, _) = reading("ü: é\nliste:\n  - ñandú  # c\n  - {k: ö}\nend: 1\n");
    let node = node.unwrap();
    let Content::Mapping(entries) = &node.content else {
        panic!()
    };
    let text = "ü: é\nliste:\n  - ñandú  # c\n  - {k: ö}\nend: 1\n";
    let slice = |span: crate::text::Span| text.get(span.range()).unwrap();
    assert_eq!(slice(node.span), text.trim_end());
    assert_eq!(slice(node.place), "ü: é");
    assert_eq!(slice(entries[0].key.span), "ü");
    assert_eq!(slice(entries[0].value.span), "é");
    let Content::List(items) = &entries[1].value.content else {
        panic!()
    };
    assert_eq!(slice(entries[1].value.span), "- ñandú  # c\n  - {k: ö}");
    assert_eq!(slice(items[0].span), "ñandú");
    assert_eq!(slice(items[1].span), "{k: ö}");
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(json(&nested(MAX_DEPTH)), nested(MAX_DEPTH));
    assert_eq!(fault(&nested(MAX_DEPTH + 1)).0, "RB0506");
    for open in ["[", "{a: ", "- ", "? ", "- ? ", "[{a: ["] {
        let hostile = open.repeat((1 << 20) / open.len() - 1);
        assert!(reading(&hostile).0.is_none(), "{open}");
    }
}

#[test]
fn long_documents_take_linear_time() {
    let list = format!("[{}]", "a,".repeat(400_000));
    assert!(reading(&list).0.is_some());
    let keys: String = (0..60_000).map(|key| format!("k{key}: {key}\n")).collect();
    assert!(reading(&keys).0.is_some());
    let text = format!("a: \"{}\"", "é".repeat(400_000));
    assert!(reading(&text).0.is_some());
    let plain = format!("a: {}", "word ".repeat(150_000));
    assert!(reading(&plain).0.is_some());
    let spaces = format!("a:{}1", " ".repeat(900_000));
    assert!(reading(&spaces).0.is_some());
    let lines = format!("a:{}  1", "\n".repeat(900_000));
    assert!(reading(&lines).0.is_some());
}

#[test]
fn any_bytes_are_survived_on_a_small_stack() {
    let pieces = [
        "a", ":", " ", "\n", "-", "[", "]", "{", "}", ",", "\"", "'", "#", "&", "*", "!", "|", ">",
        "%", "@", "?", "\t", "é", "---", "...", "<<", "0x1", "\\", "\u{85}", "\u{2028}",
        "\u{feff}", "~", "  ",
    ];
    let run = move || {
        let mut state = 1_u64;
        for round in 0..20_000_usize {
            let mut text = String::new();
            for _ in 0..(round % 40) {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
            }
            let (source, _) = Source::decode("a.yaml", text.as_bytes());
            let mut sink = Sink::new();
            let node = read(&source, &mut sink);
            assert_eq!(node.is_none(), sink.has_errors(), "{text:?}");
            for found in sink.into_sorted() {
                let span = found.span().unwrap();
                assert!(source.text().get(span.range()).is_some(), "{text:?}");
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    thread.spawn(run).unwrap().join().unwrap();
}

#[test]
fn written_text_is_read_back() {
    for text in [
        "a",
        "a b",
        "refuse unpaid order",
        "yes",
        "No",
        "true",
        "null",
        "~",
        "",
        " a",
        "a ",
        "5",
        "0x1",
        "2026-01-01",
        "a: b",
        "a #b",
        "é",
        "\n",
        "\u{202e}\u{7f}",
        "-",
        "- a",
        "x-y.z/w",
        "y",
        "don't",
        "\"",
        "\\",
        "a  b",
        "😀",
        "<<",
        "1_000",
    ] {
        let written = plain_or_quoted(text);
        assert_eq!(
            json(&format!("k: {written}")),
            serde_json::json!({"k": text}).to_string(),
            "{written}"
        );
        assert_eq!(
            json(&format!("[{{{written}: 1}}]")),
            serde_json::json!([{text: 1}]).to_string(),
            "{written}"
        );
    }
    assert_eq!(
        plain_or_quoted("refuse unpaid order"),
        "refuse unpaid order"
    );
    assert_eq!(plain_or_quoted("yes"), "\"yes\"");
}

#[test]
fn fields_say_what_is_wrong() {
    let text = "name: x\nnmae: y\nflag: yes\ncount: many\nitems: one\ninner: [1]\nzzz: 1\n";
    let (node, _) = reading(text);
    let node = node.unwrap();
    let mut sink = Sink::new();
    let mut fields = Fields::of(&node, "a thing", &mut sink).unwrap();
    assert_eq!(
        fields
            .take("name")
            .unwrap()
            .value
            .text("the name", &mut sink)
            .unwrap()
            .value,
        "x"
    );
    assert!(
        fields
            .take("flag")
            .unwrap()
            .value
            .boolean("`flag`", &mut sink)
            .is_none()
    );
    assert!(
        fields
            .take("count")
            .unwrap()
            .value
            .number("`count`", &mut sink)
            .is_none()
    );
    assert!(
        fields
            .take("items")
            .unwrap()
            .value
            .list("`items`", &mut sink)
            .is_none()
    );
    assert!(
        fields
            .take("inner")
            .unwrap()
            .value
            .mapping("`inner`", &mut sink)
            .is_none()
    );
    assert!(fields.require("other", "write it", &mut sink).is_none());
    fields.finish(&mut sink);
    let said: Vec<String> = sink
        .found()
        .iter()
        .map(|one| {
            format!(
                "{} {}; {}",
                one.code.id,
                one.message,
                one.help.as_deref().unwrap()
            )
        })
        .collect();
    assert_eq!(
        said,
        [
            "RB0509 `flag` is `true` or `false`, and here stands text; `yes`, `no`, `on` and `off` are text: write `true` or `false`",
            "RB0509 `count` is a number, and here stands text; write it without quotes",
            "RB0509 `items` is a list, and here stands text; write each item on a line of its own behind `- `, or all in `[…]`",
            "RB0509 `inner` is a mapping, and here stands a list; write `key: value` on lines of their own, or all in `{…}`",
            "RB0511 a thing without `other`; write it",
            "RB0510 a thing has no key `nmae`; did you mean `name`?",
            "RB0510 a thing has no key `zzz`; its keys are `name`, `flag`, `count`, `items`, `inner`, `other`",
        ]
    );
}
