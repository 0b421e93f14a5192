//! Logical lines.

use super::*;
use crate::text::Span;

/// Kind, column, text of each line, and what is wrong.
fn lay(text: &str) -> (Vec<(LineKind, usize, String)>, Vec<String>, usize) {
    let (source, _) = Source::decode("a.co", text.as_bytes());
    let mut report = Report::new(&source);
    let layout = lay_out(&source, &BTreeSet::new(), &mut report);
    let lines = layout
        .lines
        .iter()
        .map(|line| (line.kind, line.column, line.part().text.to_owned()))
        .collect();
    let mut sink = crate::diagnostics::Sink::new();
    report.finish(&mut sink);
    let errors = sink
        .into_sorted()
        .iter()
        .map(|e| e.code.id.to_owned())
        .collect();
    (lines, errors, layout.comments.len())
}

fn texts(text: &str) -> Vec<String> {
    let (lines, errors, _) = lay(text);
    assert!(errors.is_empty(), "{text}: {errors:?}");
    lines.into_iter().map(|(_, _, text)| text).collect()
}

#[test]
fn comments_strings_and_apostrophes() {
    assert_eq!(texts("a # b\n\n   \n  c  \n"), ["a", "c"]);
    assert_eq!(texts("bot \"a # b\" # c"), ["bot \"a # b\""]);
    assert_eq!(texts("bot 'a # b'#c"), ["bot 'a # b'"]);
    assert_eq!(texts("bot user's # it's"), ["bot user's"]);
    assert_eq!(texts("define flow c#1"), ["define flow c"]);
    assert_eq!(texts("if $a==\"#\""), ["if $a==\"#\""]);
    assert_eq!(texts("if f\"#\" and $b"), ["if f\"#\" and $b"]);
    assert_eq!(texts("bot u'd # x"), ["bot u'd"]);
    assert_eq!(texts("bot \"\\\\\" # c"), ["bot \"\\\\\""]);
    assert_eq!(lay("x # a\n# b\n \"c\" #").2, 3);
}

#[test]
fn continuations() {
    assert_eq!(texts("if $a \\\n      and $b"), ["if $a  and $b"]);
    assert_eq!(texts("bot \"a \\  \n   b\\\n c\""), ["bot \"a  b c\""]);
    assert_eq!(texts("if $a \\ # why\n and $b"), ["if $a  and $b"]);
    assert_eq!(texts("# a \\\nb"), ["b"]);
    assert_eq!(lay("a \\").1, ["RB0108"]);
    let (source, _) = Source::decode("a.co", b"  ab \\\n   cd\n");
    let mut report = Report::new(&source);
    let layout = lay_out(&source, &BTreeSet::new(), &mut report);
    let line = &layout.lines[0];
    assert_eq!(line.part().text, "ab  cd");
    assert_eq!(line.span(4, 6), Span::new(10, 12));
    assert_eq!(line.span(0, 6), Span::new(2, 12));
}

#[test]
fn documentation() {
    let (lines, errors, comments) = lay("\"\"\"a\n\tb # c\n\"\"\" # d\nx\n  \"\"\"e\"\"\"\n");
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(comments, 1);
    assert_eq!(
        lines[0],
        (LineKind::Documentation, 0, "a\n\tb # c\n".to_owned())
    );
    assert_eq!(lines[2], (LineKind::Documentation, 2, "e".to_owned()));
    assert_eq!(
        lay("\"\"\"a\nb\n\"\"\"\nc\n\"\"\"d\n\"e\n").1,
        ["RB0107", "RB0106"]
    );
}

#[test]
fn a_file_of_opening_quotes_is_linear() {
    let (lines, _, _) = lay(&format!("\"\"\"{}", "\n\"\"\"x".repeat(19_999)));
    assert!(!lines.is_empty());
}

#[test]
fn blanks_that_are_no_space() {
    for text in [
        "\ta",
        "  \ta",
        "a\tb",
        "a \t# c",
        "a\u{a0}b",
        "\u{3000}a",
        "a\u{200b}",
        " \t",
    ] {
        assert_eq!(lay(text).1, ["RB0105"], "{text:?}");
    }
    assert!(lay("bot \"\t\u{a0}\" # \t\u{a0}").1.is_empty());
}
