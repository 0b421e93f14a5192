use super::*;
use crate::ir::Operator;
use crate::ir::example::{compare, is_true, number, string};

/// What one of the two readers noted: the booleans of each word, and the places.
type Notes = (Vec<(u64, u64)>, Vec<u64>);

fn names() -> Names {
    let leaves = [
        is_true("open"),
        is_true("a_name_of_more_than_sixteen_bytes"),
        is_true("a.b"),
        is_true("a.c.d"),
        compare("n", Operator::Less, number("5")),
        compare("a.text", Operator::Equal, string("x")),
    ];
    Names::new(leaves.iter())
}

fn notes<T>(text: &str, names: &Names, read: impl FnOnce(&mut Noted<'_>) -> T) -> (T, Notes) {
    let mut words = vec![Word::default(); names.words()];
    let mut places = vec![0; names.slots()];
    let result = read(&mut Noted {
        bytes: text.as_bytes(),
        text: OnceCell::from(text),
        words: &mut words,
        places: &mut places,
    });
    let words = words
        .iter()
        .map(|word| (word.booleans.yes, word.booleans.no));
    (result, (words.collect(), places))
}

const PLAIN: &[&str] = &[
    "{}",
    " { } ",
    r#"{"open":true}"#,
    r#"{"open":false,"open":true}"#,
    r#"{"open":true,"open":null}"#,
    r#"{"a_name_of_more_than_sixteen_bytes":true,"a_name_of_more_than_sixteen_bytez":true}"#,
    "{\r\n\t\"open\" : true ,\n\"n\" : -12.50e+3 }\n",
    r#"{"n":0,"n":1E5,"n":12345678901234567890}"#,
    r#"{"a":{"b":true,"c":{"d":false},"text":"x"},"open":true}"#,
    r#"{"a":{"b":true},"a":{},"a":[{"b":true}],"b":true}"#,
    r#"{"a":{"c":{}},"a":{"c":{"d":true}},"n":null}"#,
    r#"{"other":{"open":true,"x":[1,[],{},[[]],{"y":"z"}]},"n":"text \"quoted\" \\ \u00e9\n"}"#,
    "{\"n\":\"é😀\u{2028}\",\"é😀\":true}",
];

#[test]
fn plain_texts_are_read_by_the_fast_reader_as_by_the_other() {
    let names = names();
    for text in PLAIN {
        let (fast, noted) = notes(text, &names, |noted| {
            scan::read(text.as_bytes(), &names, noted)
        });
        assert_eq!(fast, Some(text.is_ascii()), "{text}");
        let (any, want) = notes(text, &names, |noted| read(text, &names, noted));
        assert_eq!(any, Ok(()), "{text}");
        assert_eq!(noted, want, "{text}");
    }
}

#[test]
fn the_fast_reader_leaves_the_rest_to_the_other() {
    let names = names();
    for text in [
        "",
        "[]",
        "true",
        "\u{FEFF}{}",
        r#"{"\u006fpen":true}"#,
        r#"{"open":true"#,
        r#"{"open":true,}"#,
        r#"{"open":true}}"#,
        r#"{"open":truefalse}"#,
        r#"{"open":tru}"#,
        r#"{"n":01}"#,
        r#"{"n":1.}"#,
        r#"{"n":"\x"}"#,
        r#"{"n":"\u12"}"#,
        "{\"n\":\"\n\"}",
        r#"{"x":[1,]}"#,
        r#"{"x":[1}"#,
        r#"{"a":{"b":true}"#,
    ] {
        let (fast, _) = notes(text, &names, |noted| {
            scan::read(text.as_bytes(), &names, noted)
        });
        assert_eq!(fast, None, "{text}");
    }
}
