//! What formatting keeps: the tree, every comment in its order, every decision; and what it
//! makes: one text, which formatting again leaves alone.

mod mangle;

use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestCaseResult, TestError};
use stalwart::diagnostics::Sink;
use stalwart::formatter::format;
use stalwart::syntax::{parse, tree};
use stalwart::text::Source;

use crate::compiled::{Compiled, compile, files, root};
use crate::gate::dice::Dice;
use crate::generator::{Choices, Model, calls, rulebooks};
use crate::properties::runner;

use mangle::{Beside, mangle};

/// Folders of rulebooks that are written as an author would, and in the style of `fmt`.
const IN_STYLE: [&str; 6] = [
    "shop",
    "bank",
    "telecom",
    "deployments",
    "clinic",
    "marketplace",
];

/// The tree of a text without errors of syntax.
fn parsed(bytes: &[u8]) -> Option<(tree::Rulebook, Source)> {
    let (source, faults) = Source::decode("policy.co", bytes);
    let mut sink = Sink::new();
    let tree = parse(&source, &faults, &mut sink)?;
    (!sink.has_errors()).then_some((tree, source))
}

/// Formats a text that parses, and holds what is promised of every formatting.
fn formatted(bytes: &[u8]) -> Result<String, TestCaseError> {
    let shown = || String::from_utf8_lossy(bytes).into_owned();
    let Some((tree, source)) = parsed(bytes) else {
        return Err(TestCaseError::fail(format!("no rulebook:\n{}", shown())));
    };
    let text = format(&source, &[])
        .map_err(|errors| TestCaseError::fail(format!("{errors:?}\nof\n{}", shown())))?;
    let Some((again, source)) = parsed(text.as_bytes()) else {
        return Err(TestCaseError::fail(format!("formatted:\n{text}")));
    };
    prop_assert!(again == tree, "another tree of\n{}\nis\n{text}", shown());
    let comments = |tree: &tree::Rulebook| -> Vec<String> {
        let comments = tree.comments.iter();
        comments.map(|comment| comment.text.value.clone()).collect()
    };
    prop_assert_eq!(comments(&again), comments(&tree), "comments of\n{}", text);
    let twice =
        format(&source, &[]).map_err(|errors| TestCaseError::fail(format!("{errors:?}")))?;
    prop_assert_eq!(twice, text.clone(), "formatted twice, of\n{}", shown());
    for line in text.lines() {
        prop_assert!(line.chars().count() <= 1_024, "{}", line);
    }
    Ok(text)
}

/// An IR without what formatting changes: the hash of the source, and line numbers.
fn without_lines(compiled: &Compiled) -> serde_json::Value {
    let mut value = serde_json::to_value(&compiled.rulebook).expect("an IR is JSON");
    let mut pending = vec![&mut value];
    while let Some(value) = pending.pop() {
        match value {
            serde_json::Value::Object(entries) => {
                entries.remove("line");
                entries.remove("sha256");
                pending.extend(entries.values_mut());
            }
            serde_json::Value::Array(items) => pending.extend(items),
            _ => {}
        }
    }
    value
}

fn of(result: Result<String, TestCaseError>, what: &dyn std::fmt::Display) -> String {
    result.unwrap_or_else(|error| panic!("{what}: {error}"))
}

#[test]
fn every_fixture_is_formatted_and_decides_the_same() {
    let mut seen = 0;
    for path in files("fixtures", "co") {
        let bytes = std::fs::read(&path).unwrap();
        if parsed(&bytes).is_none() {
            continue;
        }
        seen += 1;
        let text = of(formatted(&bytes), &path.display());
        let ir = |text: &[u8]| {
            let compiled = compile(text, "suite.p0");
            compiled.ok().map(|compiled| without_lines(&compiled))
        };
        assert!(ir(&bytes) == ir(text.as_bytes()), "{}", path.display());
        // The same text, as other systems keep it.
        let crlf = String::from_utf8(bytes).unwrap().replace('\n', "\r\n");
        let crlf = format!("\u{FEFF}{crlf}");
        assert_eq!(of(formatted(crlf.as_bytes()), &path.display()), text);
    }
    assert!(seen > 90, "{seen} fixtures parse");
}

/// Comments at every place where one may stand, and every spelling that has another.
#[test]
fn odd_text_is_written_so() {
    let path = root().join("fuzz/seeds/fmt/odd.co");
    let bytes = std::fs::read(path).unwrap();
    insta::with_settings!({omit_expression => true}, {
        insta::assert_snapshot!(of(formatted(&bytes), &"odd.co"));
    });
}

#[test]
fn fixtures_are_in_style() {
    for folder in IN_STYLE {
        for path in files(&format!("fixtures/{folder}"), "co") {
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(of(formatted(text.as_bytes()), &path.display()), text);
        }
    }
}

/// What people copy from is in style.
#[test]
fn examples_are_in_style() {
    let mut seen = 0;
    for document in [
        "README.md",
        "docs/introduction.md",
        "docs/tutorial.md",
        "docs/check.md",
    ] {
        let text = std::fs::read_to_string(root().join(document)).unwrap();
        for example in text.split("```co").skip(1) {
            let (_, example) = example.split_once('\n').unwrap();
            let example = example.split("```").next().unwrap();
            if parsed(example.as_bytes()).is_some() {
                seen += 1;
                assert_eq!(of(formatted(example.as_bytes()), &document), example);
            }
        }
    }
    assert!(seen > 3, "{seen} examples");
}

/// Runs a property over random rulebooks, and prints the text of one that fails.
fn over(cases: u32, property: impl Fn(&str, &[Choices]) -> TestCaseResult) {
    let drawn = (rulebooks(), calls::calls(8));
    let result = runner(cases).run(&drawn, |(model, choices): (Model, Vec<Choices>)| {
        property(&model.source(), &choices)
    });
    match result {
        Ok(()) => {}
        Err(TestError::Fail(reason, _)) => panic!("{reason}"),
        Err(other) => panic!("{other}"),
    }
}

/// With `STALWART_CASES=50`, 10,000 of them.
#[test]
fn random_rulebooks_decide_the_same_before_and_after() {
    let counts = std::cell::Cell::new((0_u64, 0_u64, 0_u64));
    over(200, |source, choices| {
        let mut dice = Dice::of(source);
        let mangled = mangle(source, Beside::Everything, &mut dice);
        let text = formatted(mangled.text.as_bytes())?;
        let mut rest = text.as_str();
        for comment in &mangled.comments {
            let at = rest.find(comment.as_str());
            prop_assert!(at.is_some(), "`{comment}` is lost in\n{text}");
            rest = &rest[at.unwrap() + comment.len()..];
        }
        let (rulebooks, checked, calls) = counts.get();
        counts.set((rulebooks + 1, checked, calls));
        let Ok(before) = compile(mangled.text.as_bytes(), "suite.p0") else {
            return Ok(());
        };
        let after = compile(text.as_bytes(), "suite.p0");
        let after = after.map_err(|errors| TestCaseError::fail(format!("{errors}\nin\n{text}")))?;
        for choice in choices {
            let call = choice.call(source).value();
            prop_assert_eq!(before.decide(&call), after.decide(&call), "{}", &text);
        }
        let alike = without_lines(&before) == without_lines(&after);
        prop_assert!(alike, "another IR of\n{}", text);
        let many = u64::try_from(choices.len()).unwrap();
        counts.set((rulebooks + 1, checked + 1, calls + many));
        Ok(())
    });
    let (rulebooks, checked, calls) = counts.get();
    println!(
        "{rulebooks} rulebooks formatted, of which {checked} check; {calls} calls decided alike"
    );
    assert!(checked * 2 > rulebooks);
}

#[test]
fn there_is_one_text_of_all_spellings() {
    over(100, |source, _| {
        let plain = formatted(source.as_bytes())?;
        let mangled = mangle(source, Beside::Nothing, &mut Dice::of(source));
        let text = formatted(mangled.text.as_bytes())?;
        prop_assert!(
            text == plain,
            "{text}\nis not\n{plain}\nbut of\n{}",
            mangled.text
        );
        Ok(())
    });
}
