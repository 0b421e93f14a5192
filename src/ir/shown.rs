//! Conditions as a rulebook writes them, for people to read.

use std::fmt;

use crate::text::write_escaped;

use super::{Condition, Literal, Name, Operator};

impl Operator {
    /// As a rulebook writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}

/// As a rulebook writes it, invisible characters of strings escaped.
impl fmt::Display for Literal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(true) => formatter.write_str("True"),
            Self::Bool(false) => formatter.write_str("False"),
            Self::Number(number) => number.0.fmt(formatter),
            Self::String(text) => {
                let mut inside = String::with_capacity(text.len());
                write_escaped(text, &mut inside);
                write!(formatter, "\"{inside}\"")
            }
        }
    }
}

/// As a rulebook writes it, with `not` where it stands in the IR: at the leaves.
impl fmt::Display for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All(parts) => joined(formatter, parts, " and "),
            Self::Any(parts) => joined(formatter, parts, " or "),
            Self::Const(value) => Literal::Bool(*value).fmt(formatter),
            Self::IsTrue(name) => formatter.write_str(&dollar(name)),
            Self::NotTrue(name) => write!(formatter, "not {}", dollar(name)),
            Self::Compare(compare) => {
                let (name, operator) = (dollar(&compare.name), compare.op.as_str());
                write!(formatter, "{name} {operator} {}", compare.value)
            }
            Self::OneOf(one_of) => {
                let not = if one_of.negated { " not" } else { "" };
                write!(formatter, "{}{not} in [", dollar(&one_of.name))?;
                for (at, member) in one_of.values.iter().enumerate() {
                    let comma = if at == 0 { "" } else { ", " };
                    write!(formatter, "{comma}{member}")?;
                }
                formatter.write_str("]")
            }
        }
    }
}

fn dollar(name: &Name) -> String {
    format!("${}", name.join("."))
}

fn joined(formatter: &mut fmt::Formatter<'_>, parts: &[Condition], word: &str) -> fmt::Result {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            formatter.write_str(word)?;
        }
        // Only an `or` inside of an `and` needs them; a reader is helped by them in both.
        if matches!(part, Condition::All(_) | Condition::Any(_)) {
            write!(formatter, "({part})")?;
        } else {
            write!(formatter, "{part}")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Condition;
    use super::super::example::{compare, is_true, maximal, not_true, number, one_of, string};
    use super::*;

    #[test]
    fn conditions_look_as_they_are_written() {
        let rulebook = maximal();
        let shown: Vec<String> = rulebook.flows[0].ifs[0]
            .arms
            .iter()
            .map(|arm| arm.condition.to_string())
            .collect();
        assert_eq!(
            shown,
            [
                "$order_paid and ($amount <= 100 or not $vip) and $customer.tier in [\"gold\", \"silver\"]",
                "$open == True or $state != \"new\" or $amount not in [-1, 2.5] or $customer.age < 18",
            ]
        );
        let odd = Condition::all(vec![
            compare("a", Operator::Equal, string("\"\\\n\u{202e}é")),
            one_of("b.c", &[number("1")]),
            Condition::any(vec![
                not_true("x"),
                Condition::all(vec![is_true("y"), is_true("z")]),
            ]),
            Condition::Const(false),
        ]);
        assert_eq!(
            odd.to_string(),
            "$a == \"\\\"\\\\\\n\\u202eé\" and $b.c in [1] and (not $x or ($y and $z)) and False"
        );
    }
}
