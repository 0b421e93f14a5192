//! A condition on lines of its own: its parts below one another, the word that joins them first.

use crate::graph::markup::shown;
use crate::graph::width::wrap;
use crate::ir::Condition;

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
        assert_eq!(
            lines(&arms[0].condition, 240),
            [
                "$order_paid",
                "and ($amount <= 100 or not",
                "  $vip)",
                "and $customer.tier in [\"gold\",",
                "  \"silver\"]",
            ]
        );
    }
}
