//! Limits, on a small stack in a debug build; and that nothing makes the parser panic.

use super::{errors, in_flow, parse, tree};
use proptest::prelude::*;

/// Runs `work` on a thread with 1 MiB of stack.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap();
}

fn condition(text: &str) -> Vec<String> {
    errors(&in_flow(&format!("if {text}\n  stop")))
}

#[test]
fn expressions_nest_64_deep() {
    on_a_small_stack(|| {
        let nested = |open: &str, close: &str, count: usize| {
            format!("{}$a{}", open.repeat(count), close.repeat(count))
        };
        for (open, close) in [
            ("(", ")"),
            ("[", "]"),
            ("{", "}"),
            ("f(", ")"),
            ("($b and ", ")"),
            ("not ", ""),
        ] {
            assert_eq!(condition(&nested(open, close, 64)), [""; 0], "{open}");
            let deeper = condition(&nested(open, close, 65));
            assert!(
                deeper.len() == 1 && deeper[0].ends_with("RB0138"),
                "{open} {deeper:?}"
            );
        }
        let mixed = |nots: usize| {
            let nots = "not ".repeat(nots);
            condition(&format!("{}{nots}$a{}", "(".repeat(60), ")".repeat(60)))
        };
        assert!(mixed(4).is_empty());
        assert_eq!(mixed(5).len(), 1);
        assert_eq!(condition(&nested("(", ")", 300)), ["2:70 RB0138"]);
        let arguments = |count: usize| {
            let list = format!("{}{}", "(".repeat(count), ")".repeat(count));
            errors(&in_flow(&format!("execute t{list}")))
        };
        assert!(arguments(64).is_empty());
        assert_eq!(arguments(65), ["2:76 RB0138"]);
    });
}

/// A text of many physical lines that are one logical line.
fn continued(piece: &str, count: usize, end: &str) -> String {
    format!(
        "define flow f\n  if {}{end}\n    stop\n",
        format!("{piece}\\\n").repeat(count)
    )
}

#[test]
fn five_thousand_nots_are_one_error() {
    on_a_small_stack(|| {
        let text = continued(&"not ".repeat(50), 100, "$a");
        let found = errors(&text);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with("3:") && found[0].ends_with("RB0138"),
            "{found:?}"
        );
    });
}

#[test]
fn chains_are_as_long_as_the_text() {
    on_a_small_stack(|| {
        for (piece, end) in [
            ("- ", "$a"),
            ("$a ** ", "$a"),
            ("$a if $b else ", "$c"),
            ("lambda $x: ", "$x"),
            ("$a < ", "$b"),
            ("$a and ", "$b"),
            ("not $a == 1 or ", "$b"),
        ] {
            assert_eq!(errors(&continued(piece, 3_000, end)), [""; 0], "{piece}");
        }
        assert!(condition(&format!("$a{}", "[0]".repeat(300))).is_empty());
        assert!(condition(&format!("$a{}", ".b()".repeat(200))).is_empty());
    });
}

#[test]
fn blocks_nest_64_deep() {
    on_a_small_stack(|| {
        let nested = |heads: &[&str], count: usize| {
            let mut text = "define flow f\n".to_owned();
            for depth in 0..count {
                text += &" ".repeat(depth + 1);
                text += heads[depth % heads.len()];
                text.push('\n');
            }
            text + &" ".repeat(count + 1) + "stop\n"
        };
        let mixed = ["if $a", "while $b", "when user c"];
        let both = (tree(&nested(&mixed, 64)), tree(&nested(&mixed, 64)));
        assert_eq!(both.0, both.1.clone());
        assert_eq!(errors(&nested(&["if $a"], 65)), ["66:66 RB0112"]);
        assert_eq!(errors(&nested(&["if $a"], 500)).len(), 1);
    });
}

#[test]
fn half_written_nests_take_linear_time() {
    // A grammar that tries one part twice would need hours for any of these.
    for text in [
        "[".repeat(60) + "$a",
        "(".repeat(60) + "$a if $b",
        "f(".repeat(60) + "x=",
        "{$a: ".repeat(60) + "$b",
        "[$x for $x in ".repeat(60) + "$y if",
        "$a[".repeat(60) + "1:",
        "(lambda $x=".repeat(60) + "1",
        "($a, *".repeat(60) + "b",
    ] {
        assert_eq!(condition(&text).len(), 1, "{text}");
        let arguments = errors(&in_flow(&format!("execute t({text}")));
        assert_eq!(arguments.len(), 1, "{text}");
    }
}

/// Words of the parser and of Rust that no author should meet.
fn is_jargon(text: &str) -> bool {
    [
        "EOI", "SOI", "XID", "ASCII_", "Rule", "pest", "Some(", "_open", "_word", "token",
    ]
    .iter()
    .any(|word| text.contains(word))
}

/// Lines that mean something, to be mutated.
const LINES: [&str; 24] = [
    "define flow a b",
    "define context",
    "define bot x",
    "define user y:",
    "  $a.b: number",
    "  \"text \\u00e9\"",
    "  \"\"\"doc\"\"\"",
    "  if $a and not ($b == 5 or $c in [\"x\", 'y'])",
    "    execute t(k=$v, [1, {2}], 'it''s')",
    "  else if len($x) > 3",
    "    bot ask \"why?\"",
    "  else",
    "    stop",
    "  when user a or user b",
    "  while $n < 3",
    "    break",
    "  $x = $y + 1",
    "  $r = execute t",
    "  do sub flow",
    "  any",
    "  meta {\"a\": 1}",
    "# comment",
    "  # comment \\",
    "  bot a \\",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        parse(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn mutated_lines_are_read(
        picks in prop::collection::vec(
            (0..LINES.len(), 0..60_usize, "[ -~\\t\\né“$()\\[\\]]{0,3}"),
            1..25,
        )
    ) {
        let mut text = String::new();
        for (line, at, insert) in picks {
            let line = LINES[line];
            let (front, back) = line.split_at_checked(at).unwrap_or((line, ""));
            text += &format!("{front}{insert}{back}\n");
        }
        let (_, found, source) = parse(&text);
        prop_assert!(found.len() <= 51);
        for error in &found {
            prop_assert!(!is_jargon(&error.message), "{}", error.message);
            for label in &error.labels {
                prop_assert!(source.text().get(label.span.range()).is_some(), "{error:?}");
            }
        }
    }
}
