//! The classes of one name: values that no leaf of a rulebook tells apart.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use serde_json::Value;

use crate::evaluator::{HostValue, Truth};
use crate::ir::{Condition, Literal, Operator};
use crate::text::{Decimal, is_invisible};

use super::numbers::smallest_between;
use super::sets::{ClassSet, TruthSet};

/// What the leaves of one name compare it with.
#[derive(Debug, Default)]
pub(super) struct Literals {
    /// Read as `$name` or `not $name`.
    is_true: bool,
    /// Compared with `True` or `False`.
    booleans: bool,
    numbers: BTreeSet<Decimal>,
    strings: BTreeSet<String>,
}

impl Literals {
    pub(super) fn add_leaf(&mut self, leaf: &Condition) {
        match leaf {
            Condition::IsTrue(_) | Condition::NotTrue(_) => self.is_true = true,
            Condition::Compare(compare) => self.add_literal(&compare.value),
            Condition::OneOf(one_of) => {
                one_of
                    .values
                    .iter()
                    .for_each(|value| self.add_literal(value));
            }
            Condition::All(_) | Condition::Any(_) | Condition::Const(_) => {}
        }
    }

    fn add_literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Bool(_) => self.booleans = true,
            Literal::Number(number) => {
                if !self.numbers.contains(&number.0) {
                    self.numbers.insert(number.0.clone());
                }
            }
            Literal::String(text) => {
                if !self.strings.contains(text) {
                    self.strings.insert(text.clone());
                }
            }
        }
    }
}

/// The classes of one name, numbered: 0 is *lacking* (absent, or of a kind that no leaf asks
/// for); then `true` and `false` where they are told apart; then the numbers, gap and literal in
/// turn; then the strings, each literal and any other.
#[derive(Debug)]
pub struct Classes {
    has_true: bool,
    has_false: bool,
    numbers: Vec<Decimal>,
    strings: Vec<String>,
    /// Class of the gap below the first number; the end of the booleans.
    first_number: u32,
    /// Class of the first string; the end of the numbers.
    first_string: u32,
    count: u32,
    ranks: OnceLock<Vec<u32>>,
}

/// The class of what is absent.
pub const LACKING: u32 = 0;
const TRUE: u32 = 1;
const FALSE: u32 = 2;

fn count_of(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX / 4)
}

impl From<Literals> for Classes {
    fn from(literals: Literals) -> Self {
        let has_false = literals.booleans;
        let has_true = literals.is_true || has_false;
        let numbers: Vec<_> = literals.numbers.into_iter().collect();
        let strings: Vec<_> = literals.strings.into_iter().collect();
        let first_number = TRUE + u32::from(has_true) + u32::from(has_false);
        let first_string = match numbers.len() {
            0 => first_number,
            some => first_number + 2 * count_of(some) + 1,
        };
        let count = match strings.len() {
            0 => first_string,
            some => first_string + count_of(some) + 1,
        };
        Self {
            has_true,
            has_false,
            numbers,
            strings,
            first_number,
            first_string,
            count,
            ranks: OnceLock::new(),
        }
    }
}

impl Classes {
    /// Number of classes: a boolean 2, or 3 when compared; a number with k literals 2k+2; a
    /// string with s literals s+2.
    pub fn len(&self) -> u32 {
        self.count
    }

    /// The number literals, ascending, and the class of the gap below the first: gaps and
    /// literals take turns from there.
    pub fn numbers(&self) -> (u32, &[Decimal]) {
        (self.first_number, &self.numbers)
    }

    /// The string literals in byte order, and the class of the first: the others follow it, and
    /// behind them that of any other string.
    pub fn strings(&self) -> (u32, &[String]) {
        (self.first_string, &self.strings)
    }

    /// The classes of `true` and of `false`, where each is told apart from what is absent.
    pub fn booleans(&self) -> [Option<u32>; 2] {
        [
            self.has_true.then_some(TRUE),
            self.has_false.then_some(FALSE),
        ]
    }

    /// Never: what is absent is a class of every name.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// All classes.
    pub fn all(&self) -> ClassSet {
        ClassSet::range(0, self.count)
    }

    /// The smallest member of a class: fewest characters as JSON, then byte order; numbers are
    /// plain decimals. None for the lacking class, whose smallest member is absence.
    pub fn representative(&self, class: u32) -> Option<Value> {
        match self.member(class)? {
            Member::Bool(value) => Some(Value::Bool(value)),
            Member::Number(text) => text.parse().ok().map(Value::Number),
            Member::String(text) => Some(Value::String(text)),
        }
    }

    fn member(&self, class: u32) -> Option<Member> {
        if class == LACKING {
            return None;
        }
        if class < self.first_number {
            return Some(Member::Bool(class == TRUE));
        }
        if class < self.first_string {
            let offset = usize::try_from(class - self.first_number).ok()?;
            let (literal, is_gap) = (offset / 2, offset % 2 == 0);
            let above = self.numbers.get(literal);
            return if is_gap {
                let below = literal.checked_sub(1).and_then(|at| self.numbers.get(at));
                smallest_between(below, above).map(Member::Number)
            } else {
                above.map(|number| Member::Number(number.to_string()))
            };
        }
        let offset = usize::try_from(class - self.first_string).ok()?;
        match self.strings.get(offset) {
            Some(literal) => Some(Member::String(literal.clone())),
            None => Some(Member::String(self.other_string())),
        }
    }

    /// The smallest string that is no literal.
    fn other_string(&self) -> String {
        let is_literal = |text: &String| self.strings.binary_search(text).is_ok();
        std::iter::once(String::new())
            .chain(
                (' '..=char::MAX)
                    .filter(|character| !matches!(character, '"' | '\\'))
                    .filter(|character| !is_invisible(*character))
                    .map(String::from),
            )
            .find(|text| !is_literal(text))
            .unwrap_or_default()
    }

    /// The class that a host's value lies in.
    pub fn class_of(&self, value: HostValue<'_>) -> u32 {
        let found = match value {
            HostValue::Bool(true) => self.has_true.then_some(TRUE),
            HostValue::Bool(false) => self.has_false.then_some(FALSE),
            HostValue::Number(_) if self.numbers.is_empty() => None,
            HostValue::Number(number) => Decimal::from_json(number.as_str()).map(|number| {
                self.first_number
                    + match self.numbers.binary_search(&number) {
                        Ok(literal) => 2 * count_of(literal) + 1,
                        Err(gap) => 2 * count_of(gap),
                    }
            }),
            HostValue::String(_) if self.strings.is_empty() => None,
            HostValue::String(text) => {
                let literal = self
                    .strings
                    .binary_search_by(|other| other.as_str().cmp(text));
                // Any other string stands behind the literals.
                Some(self.first_string + count_of(literal.unwrap_or(self.strings.len())))
            }
            HostValue::Other => None,
        };
        found.unwrap_or(LACKING)
    }

    /// The classes on which a leaf of this name has one of these truths; none when the leaf
    /// compares with a literal that the classes were not made for.
    pub fn where_leaf(&self, leaf: &Condition, truths: TruthSet) -> Option<ClassSet> {
        let [holds, fails] = self.truths_of(leaf)?;
        let chosen = |set: &ClassSet, truth| {
            if truths.contains(truth) {
                set.clone()
            } else {
                ClassSet::default()
            }
        };
        let mut classes = chosen(&holds, Truth::True).union(&chosen(&fails, Truth::False));
        if truths.contains(Truth::Unknown) {
            classes = classes.union(&holds.union(&fails).complement(self.count));
        }
        Some(classes)
    }

    /// The truth of a leaf of this name on a class; none as for [`Classes::where_leaf`].
    pub fn truth(&self, leaf: &Condition, class: u32) -> Option<Truth> {
        let [holds, fails] = self.truths_of(leaf)?;
        Some(if holds.contains(class) {
            Truth::True
        } else if fails.contains(class) {
            Truth::False
        } else {
            Truth::Unknown
        })
    }

    /// The classes on which a leaf is true, and those on which it is false.
    pub(super) fn truths_of(&self, leaf: &Condition) -> Option<[ClassSet; 2]> {
        match leaf {
            Condition::IsTrue(_) if self.has_true => {
                let holds = ClassSet::range(TRUE, TRUE + 1);
                let fails = holds.complement(self.count);
                Some([holds, fails])
            }
            Condition::NotTrue(_) if self.has_true => {
                let fails = ClassSet::range(TRUE, TRUE + 1);
                let holds = fails.complement(self.count);
                Some([holds, fails])
            }
            Condition::Compare(compare) => self.compared(compare.op, &compare.value),
            Condition::OneOf(one_of) => {
                let domain = self.domain(one_of.values.first()?);
                let points = one_of
                    .values
                    .iter()
                    .map(|value| self.point(value).map(|class| (class, class + 1)))
                    .collect::<Option<Vec<_>>>()?;
                let members = ClassSet::from_ranges(points);
                let others = domain.intersection(&members.complement(self.count));
                Some(if one_of.negated {
                    [others, members]
                } else {
                    [members, others]
                })
            }
            _ => None,
        }
    }

    fn compared(&self, operator: Operator, literal: &Literal) -> Option<[ClassSet; 2]> {
        let domain = self.domain(literal);
        let point = self.point(literal)?;
        let at = ClassSet::range(point, point + 1);
        let below = domain.intersection(&ClassSet::range(0, point));
        let holds = match operator {
            Operator::Equal | Operator::NotEqual => at,
            Operator::Less | Operator::GreaterOrEqual => below,
            Operator::LessOrEqual | Operator::Greater => below.union(&at),
        };
        let fails = domain.intersection(&holds.complement(self.count));
        Some(match operator {
            Operator::Equal | Operator::Less | Operator::LessOrEqual => [holds, fails],
            Operator::NotEqual | Operator::GreaterOrEqual | Operator::Greater => [fails, holds],
        })
    }

    /// The classes of values of a literal's type.
    fn domain(&self, literal: &Literal) -> ClassSet {
        match literal {
            Literal::Bool(_) => ClassSet::range(TRUE, self.first_number),
            Literal::Number(_) => ClassSet::range(self.first_number, self.first_string),
            Literal::String(_) => ClassSet::range(self.first_string, self.count),
        }
    }

    /// The class of a literal.
    fn point(&self, literal: &Literal) -> Option<u32> {
        match literal {
            Literal::Bool(value) => self.has_false.then_some(if *value { TRUE } else { FALSE }),
            Literal::Number(number) => {
                let at = self.numbers.binary_search(&number.0).ok()?;
                Some(self.first_number + 2 * count_of(at) + 1)
            }
            Literal::String(text) => {
                let at = self.strings.binary_search(text).ok()?;
                Some(self.first_string + count_of(at))
            }
        }
    }

    /// The place of each class in the order of its smallest member: absent, then fewest
    /// characters, then byte order.
    fn ranks(&self) -> &[u32] {
        self.ranks.get_or_init(|| {
            let mut order: Vec<_> = (0..self.count)
                .map(|class| {
                    let text = self.representative(class).map(|value| value.to_string());
                    (text.as_ref().map(|text| text.chars().count()), text, class)
                })
                .collect();
            order.sort_unstable();
            let mut ranks = vec![0; order.len()];
            for ((_, _, class), rank) in order.iter().zip(0..) {
                if let Some(place) = usize::try_from(*class)
                    .ok()
                    .and_then(|at| ranks.get_mut(at))
                {
                    *place = rank;
                }
            }
            ranks
        })
    }

    /// The class of a set that has the smallest member.
    pub fn smallest(&self, set: &ClassSet) -> Option<u32> {
        if set.contains(LACKING) {
            return Some(LACKING);
        }
        if set.len() == 1 {
            return set.iter().next();
        }
        let ranks = self.ranks();
        set.iter()
            .min_by_key(|class| usize::try_from(*class).ok().and_then(|at| ranks.get(at)))
    }
}

/// A present member of a class.
enum Member {
    Bool(bool),
    Number(String),
    String(String),
}

#[cfg(test)]
mod tests;
