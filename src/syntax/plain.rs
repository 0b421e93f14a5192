//! The plainest conditions, read without the grammar: context names joined by `and`, `or` and
//! `not`, as in `$order_paid and not $account_frozen`.
//!
//! Most conditions of real rulebooks are of this kind, and the grammar's fixed cost a line
//! would be most of the time they take. Nothing is decided here: the marks are those that the
//! grammar gives, which a property test holds, and any other text is left to it.

use super::expression::path_length;
use super::grammar::{Mark, MarkKind};
use super::line::identifier_length;

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
    // Whether a name must come next, rather than `and`, `or` or the end.
    let mut wants_name = true;
    loop {
        let rest = text.get(at..)?;
        let from = rest.trim_start_matches(' ');
        at = text.len() - from.len();
        if from.is_empty() {
            return (!wants_name).then_some(());
        }
        let (kind, length) = if wants_name && from.starts_with('$') {
            wants_name = false;
            (MarkKind::Path, path_length(from))
        } else {
            let length = identifier_length(from);
            let kind = match (from.get(..length)?, wants_name) {
                ("not", true) => MarkKind::Not,
                ("and", false) => MarkKind::And,
                ("or", false) => MarkKind::Or,
                _ => return None,
            };
            wants_name = true;
            (kind, length)
        };
        let end = at + length;
        // Anything but a blank behind a word or name is for the grammar to judge.
        if length == 0 || !matches!(text.as_bytes().get(end), None | Some(b' ')) {
            return None;
        }
        marks.push(Mark {
            kind,
            start: at,
            end,
        });
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::grammar;
    use proptest::prelude::*;

    #[test]
    fn plain_conditions_and_others() {
        for text in ["$a", "not $a", " $a.b  and not not $c or $d "] {
            assert!(condition(text, &mut Vec::new()), "{text}");
        }
        for text in [
            "",
            "$a and",
            "not",
            "$a not in [1]",
            "$a == 1",
            "($a)",
            "$a.",
            "$a$b",
            "$é",
        ] {
            let mut marks = Vec::new();
            assert!(!condition(text, &mut marks), "{text}");
            assert!(marks.is_empty(), "{text}");
        }
    }

    proptest! {
        /// What is read here, the grammar reads in the same way.
        #[test]
        fn the_grammar_agrees(words in prop::collection::vec(
            prop::sample::select(vec!["$a", "$b.c", "$", "and", "or", "not", "notin", "in", "  ", ".", "$and", "5"]), 0..9),
            joint in prop::sample::select(vec![" ", "  ", ""]))
        {
            let text = words.join(joint);
            let mut plain = Vec::new();
            if condition(&text, &mut plain) {
                let mut marks = Vec::new();
                prop_assert!(grammar::by_the_grammar(&text, &mut marks).is_ok(), "{}", text);
                prop_assert_eq!(plain, marks, "{}", text);
            }
        }
    }
}
