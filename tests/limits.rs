//! Inputs at and beyond the limits of contract section 1: a clear error, no crash, no stack
//! overflow on a thread of 1 MiB, in a debug build too.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::json;
use stalwart::compiler::{Depth, compile};
use stalwart::emitter::emit;
use stalwart::evaluator::decide;

use crate::compiled::errors;

/// The least stack that a caller may have.
const STACK: usize = 1 << 20;

/// Much longer than anything here takes, and much shorter than for ever.
const PATIENCE: Duration = Duration::from_secs(20);

/// Compiles on a small stack, and decides and emits where it can. The errors found.
fn found(text: impl Into<Vec<u8>>) -> Vec<String> {
    let text = text.into();
    let start = Instant::now();
    let run = move || {
        let compilation = compile("policy.co", &text, "suite.limits", Depth::Analyses);
        let mut errors = errors(&compilation);
        // Numbers read the same with and without separators.
        errors
            .iter_mut()
            .for_each(|error| *error = error.replace(',', ""));
        assert_eq!(errors.is_empty(), compilation.rulebook.is_some());
        if let Some(rulebook) = &compilation.rulebook {
            decide(rulebook, &json!({"tool": "t", "context": {"a": true}}));
            emit(rulebook).expect("a small artifact");
        }
        errors
    };
    let errors = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(run)
        .expect("a thread starts")
        .join()
        .expect("nothing panics");
    assert!(start.elapsed() < PATIENCE, "took {:?}", start.elapsed());
    errors
}

/// Asserts that a text checks.
fn accepted(text: impl Into<Vec<u8>>) {
    let errors = found(text);
    assert!(errors.is_empty(), "{errors:#?}");
}

/// Asserts that a text is refused with one error, at a place, that says some word.
fn refused(text: impl Into<Vec<u8>>, place: &str, word: &str) {
    let errors = found(text);
    let [error] = errors.as_slice() else {
        panic!("one error at {place} with `{word}` was expected: {errors:#?}");
    };
    assert!(
        error.starts_with(&format!("{place} ")),
        "not at {place}: {error}"
    );
    assert!(error.contains(word), "no `{word}`: {error}");
    for jargon in ["EOI", "pest", "expected EOF", "Rule::", "-->", "panicked"] {
        assert!(!error.contains(jargon), "parser jargon: {error}");
    }
}

/// A flow with one condition.
fn condition(condition: &str) -> String {
    format!("define flow f\n  if {condition}\n    execute t\n")
}

#[test]
fn parentheses_nest_64_deep() {
    let nested = |depth: usize| condition(&format!("{}$a{}", "(".repeat(depth), ")".repeat(depth)));
    accepted(nested(64));
    for depth in [65, 300, 480] {
        let errors = found(nested(depth));
        assert_eq!(errors.len(), 1, "{errors:#?}");
        assert!(errors[0].contains("64"), "{errors:#?}");
        assert!(errors[0].starts_with("2:"), "{errors:#?}");
    }
}

#[test]
fn nots_nest_64_deep() {
    accepted(condition(&format!("{}$a", "not ".repeat(64))));
    let errors = found(condition(&format!("{}$a", "not ".repeat(65))));
    assert!(errors.len() == 1 && errors[0].contains("64"), "{errors:#?}");
    // On one line they are more than 1,024 characters; continued they are not.
    let many = format!("{}$a", "not ".repeat(5_000));
    assert_eq!(found(condition(&many)).len(), 1);
    let continued = format!("{}$a", format!("{}\\\n", "not ".repeat(200)).repeat(25));
    let errors = found(condition(&continued));
    assert!(errors.len() == 1 && errors[0].contains("64"), "{errors:#?}");
}

#[test]
fn mixed_nesting_counts_as_one() {
    accepted(condition(&format!(
        "{}$a{}",
        "not (".repeat(32),
        ")".repeat(32)
    )));
    let errors = found(condition(&format!(
        "{}$a{}",
        "not (".repeat(33),
        ")".repeat(33)
    )));
    assert!(errors.len() == 1 && errors[0].contains("64"), "{errors:#?}");
    let lists = condition(&format!("$a == {}1{}", "[".repeat(400), "]".repeat(400)));
    let errors = found(lists);
    assert!(errors.len() == 1 && errors[0].contains("64"), "{errors:#?}");
}

#[test]
fn long_conditions_are_no_deep_ones() {
    let many: Vec<String> = (0..90).map(|index| format!("$n{index}")).collect();
    accepted(condition(&many.join(" and ")));
    accepted(condition(&many.join(" or ")));
}

#[test]
fn ifs_nest_64_deep() {
    let nested = |depth: usize| {
        let mut text = String::from("define flow f\n");
        for level in 1..=depth {
            let _ = writeln!(text, "{:indent$}if $a{level}", "", indent = level * 2);
        }
        let _ = writeln!(text, "{:indent$}execute t", "", indent = depth * 2 + 2);
        text
    };
    accepted(nested(64));
    refused(nested(65), "66:131", "64");
    let errors = found(nested(500));
    assert!(
        !errors.is_empty() && errors[0].contains("64"),
        "{errors:#?}"
    );
}

#[test]
fn dos_chain_64_deep() {
    let chain = |depth: usize| {
        let mut text = String::from("define flow f\n  do s1\n");
        for level in 1..depth {
            let _ = write!(text, "define subflow s{level}\n  do s{}\n", level + 1);
        }
        let _ = write!(text, "define subflow s{depth}\n  execute t\n");
        text
    };
    accepted(chain(64));
    let errors = found(chain(65));
    assert!(errors.len() == 1 && errors[0].contains("64"), "{errors:#?}");
    let errors = found(chain(5_000));
    assert!(
        !errors.is_empty() && errors[0].contains("64"),
        "{errors:#?}"
    );
}

#[test]
fn ifs_and_dos_nest_together() {
    // 64 subflows, each with its `do` 64 ifs deep.
    let mut text = String::from("define flow f\n  do s1\n");
    for level in 1..=64 {
        let _ = writeln!(text, "define subflow s{level}");
        for depth in 1..=64 {
            let _ = writeln!(text, "{:indent$}if $a{depth}", "", indent = depth * 2);
        }
        let next = if level == 64 {
            "execute t".to_owned()
        } else {
            format!("do s{}", level + 1)
        };
        let _ = writeln!(text, "{:indent$}{next}", "", indent = 130);
    }
    refused(text, "1:13", "more than 64 blocks");
}

#[test]
fn joined_ifs_multiply() {
    let mut text = String::from("define flow f\n");
    for index in 0..30 {
        let _ = write!(text, "  if $a{index}\n    bot refuse\n");
    }
    text.push_str("define flow g\n  execute t\n");
    // Dialogue has no branches.
    accepted(text.clone());
    let governing = text.replace("define flow g\n  execute t\n", "  if $z\n    stop\n");
    // The tenth `if` makes 1,024 paths of them; it stands on line 20.
    refused(governing, "20:3", "1000");
}

#[test]
fn branches_of_a_flow_end_at_1000() {
    let chain = |arms: usize| {
        let mut text = String::from("define flow f\n");
        for index in 0..arms {
            let word = if index == 0 { "if" } else { "else if" };
            let _ = write!(text, "  {word} $a == {index}\n    execute t\n");
        }
        text
    };
    // The last branch passes all arms by.
    accepted(chain(999));
    refused(chain(1_000), "2:3", "1000");
}

#[test]
fn subflows_that_double_are_counted_not_expanded() {
    let mut text = String::from("define flow f\n  do s1\n  execute t\n");
    for level in 1..=40 {
        let _ = writeln!(text, "define subflow s{level}");
        for _ in 0..2 {
            let _ = match level {
                40 => writeln!(text, "  bot note"),
                _ => writeln!(text, "  do s{}", level + 1),
            };
        }
    }
    let errors = found(text);
    assert!(
        errors.len() == 1 && errors[0].contains("100000"),
        "{errors:#?}"
    );
}

#[test]
fn big_files_are_refused_whole() {
    let line = "# a comment that says nothing at all, over and over, to the end of it all\n";
    let errors = found(line.repeat((2 << 20) / line.len()));
    assert!(!errors.is_empty() && errors.len() < 5, "{errors:#?}");
    accepted(format!("{}{}", condition("$a"), "#\n".repeat(19_990)));
    let errors = found(format!("{}{}", condition("$a"), "#\n".repeat(20_000)));
    assert!(
        errors.len() == 1 && errors[0].contains("20000"),
        "{errors:#?}"
    );
}

#[test]
fn long_lines_are_refused() {
    let comment = |length: usize| format!("{}#{}\n", condition("$a"), "é".repeat(length - 1));
    accepted(comment(1_024));
    let errors = found(comment(1_025));
    assert!(
        errors.len() == 1 && errors[0].contains("1024"),
        "{errors:#?}"
    );
    assert!(errors[0].starts_with("4:"), "{errors:#?}");
}

#[test]
fn odd_characters_are_named() {
    let flow = condition("$a");
    refused(format!("{flow}# x\ry\n"), "4:4", "carriage return");
    refused(flow.replace("    execute", "\texecute"), "3:1", "tab");
    refused(flow.replace("if $a", "if\u{a0}$a"), "2:5", "U+00A0");
    refused(format!("{flow}# x\u{feff}y\n"), "4:4", "byte order mark");
    // What stands behind an odd blank is at its own place.
    refused("\u{b}@x\n", "1:2", "Colang 2.x");
    let mut bytes = flow.clone().into_bytes();
    bytes.extend(b"# \xff\n");
    refused(bytes, "4:3", "UTF-8");
    refused(format!("{flow}  bot \"unclosed\n"), "4:7", "closed");
    // NULs, many of them: one error or a few, never one each.
    let errors = found(vec![0; 100_000]);
    assert!(!errors.is_empty() && errors.len() <= 50, "{}", errors.len());
}

#[test]
fn at_most_fifty_syntax_errors_are_told() {
    let mut text = String::new();
    for index in 0..200 {
        let _ = write!(text, "define flow f{index}\n  what is this {index}\n");
    }
    let errors = found(text);
    assert!((50..=51).contains(&errors.len()), "{}", errors.len());
}

#[test]
fn nothing_is_no_crash() {
    for text in [
        "",
        "\n",
        "#",
        "\u{feff}",
        "define",
        "define flow",
        "define flow f",
        "  x",
        "\"",
        "\\",
        "\\\n",
        "\"\"\"",
        "{",
        "if",
        "$",
    ] {
        found(text);
    }
}

/// Many findings, each of which is compared with many names, and many values at many places: the
/// time and memory that these take grow with the file, not with its square.
#[test]
fn files_full_of_one_thing_are_judged_in_time() {
    let mut values = "define flow f\n".to_owned();
    for number in 0..9_000 {
        let _ = writeln!(values, "  $a{number} = {number}");
    }
    for number in 0..5_000 {
        let _ = writeln!(values, "  if $c{number}\n    bot remark");
    }
    accepted(values + "  execute t\n");

    let mut unknown = String::new();
    for number in 0..6_000 {
        let _ = writeln!(unknown, "define subflow s{number}\n  bot x");
    }
    unknown.push_str("define flow f\n");
    for number in 0..7_000 {
        let _ = writeln!(unknown, "  do q{number}");
    }
    assert_eq!(found(unknown).len(), 7_000);

    let mut undeclared = "define context\n".to_owned();
    for number in 0..9_000 {
        let _ = writeln!(undeclared, "  $name{number}: bool");
    }
    undeclared.push_str("define flow f\n");
    for number in 0..5_000 {
        let _ = writeln!(undeclared, "  if $nome{number}\n    bot x");
    }
    assert_eq!(found(undeclared).len(), 5_000);

    let mut alike = "define flow f\n".to_owned();
    for number in 0..6_600 {
        let _ = writeln!(alike, "  if $name_{number}_x\n    bot x");
    }
    accepted(alike);
}
