//! Without which values a condition may be neither true nor false.

use crate::ir::{Condition, is_tool_name};

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
    use crate::ir::Operator;
    use crate::ir::example::{compare, maximal, string};

    use super::compared;

    #[test]
    fn names_that_are_compared_are_listed_once() {
        let rulebook = maximal();
        let arms = &rulebook.flows[0].ifs[0].arms;
        assert_eq!(compared(&arms[0].condition), ["$amount", "$customer.tier"]);
        let called = compare("tool_name", Operator::Equal, string("refund_card"));
        assert_eq!(compared(&called), [""; 0]);
    }
}
