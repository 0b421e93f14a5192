//! A condition on lines of its own: its parts below one another, the word that joins them first.

use crate::graph::markup::shown;
use crate::graph::width::wrap;
use crate::ir::{Condition, is_tool_name};

use super::Ink;

/// Most lines of a condition; what is behind is told where a reader points.
const MOST_LINES: usize = 9;

/// The lines of a condition, none wider than `most`.
pub fn lines(condition: &Condition, most: usize) -> Vec<String> {
    let (parts, word) = match condition {
        Condition::All(parts) => (parts.as_slice(), "and "),
        Condition::Any(parts) => (parts.as_slice(), "or "),
        single => (std::slice::from_ref(single), ""),
    };
    let mut lines = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let text = match part {
            Condition::All(_) | Condition::Any(_) => format!("({part})"),
            leaf => leaf.to_string(),
        };
        let joined = if at == 0 {
            text
        } else {
            format!("{word}{text}")
        };
        let ink = Ink::Code;
        lines.extend(wrap(
            &shown(&joined),
            ink.face(),
            ink.size(),
            most,
            MOST_LINES,
            2,
        ));
        if lines.len() > MOST_LINES {
            break;
        }
    }
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES - 1);
        lines.push("…".to_owned());
    }
    lines
}

/// The names that a condition compares, and without whose values it may be neither true nor
/// false. Whoever calls a tool says its name.
pub fn compared(condition: &Condition) -> Vec<String> {
    let mut names = Vec::new();
    collect(condition, &mut names);
    names
}

/// Conditions nest no deeper than the language lets them.
fn collect(condition: &Condition, names: &mut Vec<String>) {
    let name = match condition {
        Condition::All(parts) | Condition::Any(parts) => {
            for part in parts {
                collect(part, names);
            }
            return;
        }
        Condition::Compare(compare) => &compare.name,
        Condition::OneOf(one_of) => &one_of.name,
        Condition::Const(_) | Condition::IsTrue(_) | Condition::NotTrue(_) => return,
    };
    let shown = format!("${}", name.join("."));
    if !is_tool_name(name) && !names.contains(&shown) {
        names.push(shown);
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::example;

    use super::*;

    #[test]
    fn parts_stand_below_one_another() {
        let rulebook = example::maximal();
        let arms = &rulebook.flows[0].ifs[0].arms;
        assert_eq!(
            lines(&arms[0].condition, 400),
            [
                "$order_paid",
                "and ($amount <= 100 or not $vip)",
                "and $customer.tier in [\"gold\", \"silver\"]",
            ]
        );
        assert_eq!(compared(&arms[0].condition), ["$amount", "$customer.tier"]);
        assert_eq!(
            lines(&arms[0].condition, 240),
            [
                "$order_paid",
                "and ($amount <= 100 or not",
                "  $vip)",
                "and $customer.tier in",
                "  [\"gold\", \"silver\"]",
            ]
        );
    }
}
