//! The plainest conditions, read without the grammar: context names, and comparisons of a name
//! with one literal or name, joined by `and`, `or` and `not`, as in
//! `$order_paid and not $amount > 100`.
//!
//! Most conditions of real rulebooks are of this kind, and the grammar's cost a line would be
//! most of the time they take. Nothing is decided here: the marks are those that the grammar
//! gives, which a property test holds, and any other text is left to it.

use super::expression::path_length;
use super::grammar::{Mark, MarkKind};
use super::nesting::closed_string_end;
use crate::text::word_length;

/// What has been read of the condition that is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing, or `not`.
    Open,
    /// `$a`
    Name,
    /// `$a ==`
    Operator,
    /// `$a == 5`
    Comparison,
}

/// Reads a plain condition. `false`, and no marks, when the text is anything else.
pub(super) fn condition(text: &str, marks: &mut Vec<Mark>) -> bool {
    let begin = marks.len();
    let read = read(text, marks).is_some();
    if !read {
        marks.truncate(begin);
    }
    read
}

fn read(text: &str, marks: &mut Vec<Mark>) -> Option<()> {
    let mut at = 0;
    let mut state = State::Open;
    loop {
        let rest = text.get(at..)?;
        let from = rest.trim_start_matches(' ');
        at = text.len() - from.len();
        if from.is_empty() {
            return matches!(state, State::Name | State::Comparison).then_some(());
        }
        let (kind, length, next) = match state {
            State::Open => negation_or_name(from)?,
            State::Operator => {
                let (kind, length) = operand(from)?;
                (kind, length, State::Comparison)
            }
            State::Name | State::Comparison => joint(from, state)?,
        };
        let end = at + length;
        // Anything but a blank behind a piece is for the grammar to judge.
        if length == 0 || !matches!(text.as_bytes().get(end), None | Some(b' ')) {
            return None;
        }
        marks.push(Mark {
            kind,
            start: at,
            end,
        });
        state = next;
        at = end;
    }
}

fn word(text: &str) -> &str {
    text.get(..word_length(text)).unwrap_or_default()
}

fn negation_or_name(text: &str) -> Option<(MarkKind, usize, State)> {
    if text.starts_with('$') {
        return Some((MarkKind::Path, path_length(text), State::Name));
    }
    (word(text) == "not").then_some((MarkKind::Not, 3, State::Open))
}

/// `and`, `or`, and behind a name a comparison operator.
fn joint(text: &str, state: State) -> Option<(MarkKind, usize, State)> {
    match word(text) {
        "and" => return Some((MarkKind::And, 3, State::Open)),
        "or" => return Some((MarkKind::Or, 2, State::Open)),
        _ => {}
    }
    let length = match text.as_bytes() {
        [b'=' | b'!' | b'<' | b'>', b'=', ..] => 2,
        [b'<' | b'>', ..] => 1,
        _ => return None,
    };
    (state == State::Name).then_some((MarkKind::Comparison, length, State::Operator))
}

fn operand(text: &str) -> Option<(MarkKind, usize)> {
    Some(match *text.as_bytes().first()? {
        b'$' => (MarkKind::Path, path_length(text)),
        b'"' | b'\'' => (MarkKind::String, closed_string_end(text.as_bytes(), 0)?),
        b'-' | b'0'..=b'9' => (MarkKind::Number, number_length(text)),
        b'T' | b'F' => match word(text) {
            "True" => (MarkKind::Constant, 4),
            "False" => (MarkKind::Constant, 5),
            _ => return None,
        },
        _ => return None,
    })
}

/// The length of `-?[0-9]+(\.[0-9]+)?`; zero when the text begins with none.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| {
        let rest = text.bytes().skip(from);
        rest.take_while(u8::is_ascii_digit).count()
    };
    let sign = usize::from(text.starts_with('-'));
    let whole = digits(sign);
    if whole == 0 {
        return 0;
    }
    let point = sign + whole;
    match text.as_bytes().get(point) {
        Some(b'.') => match digits(point + 1) {
            0 => 0,
            fraction => point + 1 + fraction,
        },
        _ => point,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::grammar;
    use proptest::prelude::*;

    #[test]
    fn plain_conditions_and_others() {
        for text in [
            "$a",
            "not $a",
            " $a.b  and not not $c or $d ",
            "$a == 5",
            "not $a >= -0.5 and $b != 'x and \\' y' or $c == True",
            "$a < $b",
        ] {
            assert!(condition(text, &mut Vec::new()), "{text}");
        }
        for text in [
            "",
            "$a and",
            "not",
            "$a not in [1]",
            "$a==1",
            "($a)",
            "$a.",
            "$a$b",
            "$é",
            "5 == $a",
            "$a == 5 == 5",
            "$a == 5.",
            "$a == 5e1",
            "$a == \"x",
            "$a == \"x\\\"",
            "$a = 1",
            "$a == Trueish",
            "$a == \"x\" \"y\"",
            "$a ==",
            "$a << 1",
        ] {
            let mut marks = Vec::new();
            assert!(!condition(text, &mut marks), "{text}");
            assert!(marks.is_empty(), "{text}");
        }
    }

    const WORDS: [&str; 32] = [
        "$a", "$b.c", "$", "and", "or", "not", "notin", "in", " ", ".", "$and", "5", "-5.0", "007",
        "-", "5.", "==", "!=", "<", "<=", ">", ">=", "=", "\"x\"", "'y\\''", "\"", "True", "False",
        "None", "(", "é", "is",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// What is read here, the grammar reads in the same way.
        #[test]
        fn the_grammar_agrees(
            words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..9),
            joint in prop::sample::select(vec![" ", "  ", ""]),
        ) {
            agrees(&words.join(joint))?;
        }

        /// The same, of texts most of which are read here.
        #[test]
        fn the_grammar_agrees_on_conditions(
            parts in prop::collection::vec(
                (0..3_usize, prop::sample::select(&WORDS[..]), prop::sample::select(&WORDS[..]), any::<bool>()),
                1..5,
            ),
        ) {
            let parts: Vec<_> = parts
                .into_iter()
                .map(|(nots, operator, operand, or)| {
                    format!("{}$a {operator} {operand} {} ", "not ".repeat(nots), if or { "or" } else { "and" })
                })
                .collect();
            agrees(&(parts.concat() + "$b"))?;
        }
    }

    fn agrees(text: &str) -> Result<(), TestCaseError> {
        let mut plain = Vec::new();
        if condition(text, &mut plain) {
            let mut marks = Vec::new();
            prop_assert!(grammar::by_the_grammar(text, &mut marks).is_ok(), "{text}");
            prop_assert_eq!(plain, marks, "{}", text);
        }
        Ok(())
    }
}
