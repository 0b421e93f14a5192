//! Limits on one name, in words: as a rulebook writes them where it has a form for them.

use std::fmt;

use crate::decision_space::{ClassSet, Classes, LACKING};
use crate::evaluator::{Call, HostValue, Truth, truth};
use crate::ir::{Compare, Condition, Literal, Name, Number, OneOf, Operator};
use crate::text::Decimal;

/// A limit on one name: the values that it may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The name.
    pub name: Name,
    /// What its value is, one of these.
    alternatives: Vec<Alternative>,
}

/// One kind of values that a term admits.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Alternative {
    /// What a rulebook can ask for.
    Holds(Condition),
    /// Any value of a kind.
    Any(Kind),
    /// Absent, or none of these kinds.
    Lacks(Vec<Kind>),
}

/// A kind of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    True,
    Boolean,
    Number,
    String,
}

impl Kind {
    fn has(self, value: HostValue<'_>) -> bool {
        match self {
            Self::True => value == HostValue::Bool(true),
            Self::Boolean => matches!(value, HostValue::Bool(_)),
            Self::Number => matches!(value, HostValue::Number(_)),
            Self::String => matches!(value, HostValue::String(_)),
        }
    }

    fn without_article(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::String => "string",
        }
    }

    fn with_article(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
        }
    }
}

impl Term {
    /// The limit to a set of a name's classes, which has not all of them.
    pub(super) fn of(name: &Name, classes: &Classes, set: &ClassSet) -> Self {
        let (first_number, numbers) = classes.numbers();
        let (first_string, strings) = classes.strings();
        let [yes, no] = classes.booleans();
        let has = |class: Option<u32>| class.is_some_and(|class| set.contains(class));
        let kinds: Vec<Kind> = [
            yes.map(|_| {
                if no.is_some() {
                    Kind::Boolean
                } else {
                    Kind::True
                }
            }),
            (!numbers.is_empty()).then_some(Kind::Number),
            (!strings.is_empty()).then_some(Kind::String),
        ]
        .into_iter()
        .flatten()
        .collect();
        let lacks = set.contains(LACKING);
        let is_boolean = numbers.is_empty() && strings.is_empty();
        let mut alternatives = Vec::new();
        // Everything but `true` has a word of its own.
        let not_true = lacks && is_boolean && !has(yes) && (no.is_none() || has(no));
        if not_true {
            alternatives.push(Alternative::Holds(Condition::NotTrue(name.clone())));
        } else {
            match (has(yes), has(no)) {
                (true, true) => alternatives.push(Alternative::Any(Kind::Boolean)),
                (true, false) => {
                    alternatives.push(Alternative::Holds(Condition::IsTrue(name.clone())));
                }
                (false, true) => {
                    alternatives.push(compared(name, Operator::Equal, Literal::Bool(false)));
                }
                (false, false) => {}
            }
            alternatives.extend(number_terms(name, numbers, first_number, set));
            alternatives.extend(string_terms(name, strings, first_string, set));
            if lacks {
                alternatives.push(Alternative::Lacks(kinds));
            }
        }
        Self {
            name: name.clone(),
            alternatives,
        }
    }

    /// Whether a call's value of the name is within the limit.
    pub fn holds(&self, call: &Call<'_>) -> bool {
        let value = call.value(&self.name);
        let mut alternatives = self.alternatives.iter();
        alternatives.any(|alternative| match alternative {
            Alternative::Holds(condition) => truth(condition, call) == Truth::True,
            Alternative::Any(kind) => kind.has(value),
            Alternative::Lacks(kinds) => !kinds.iter().any(|kind| kind.has(value)),
        })
    }

    /// Whether it needs parentheses beside others.
    fn is_compound(&self) -> bool {
        self.alternatives.len() > 1
    }

    /// The condition, when a rulebook can ask for it.
    pub fn condition(&self) -> Option<Condition> {
        let holds = |alternative: &Alternative| match alternative {
            Alternative::Holds(condition) => Some(condition.clone()),
            Alternative::Any(_) | Alternative::Lacks(_) => None,
        };
        let all: Option<Vec<_>> = self.alternatives.iter().map(holds).collect();
        all.map(Condition::any)
    }

    /// The limit without the name, as a cell of its column says it.
    pub fn cell(&self) -> String {
        let parts: Vec<String> = self.alternatives.iter().map(Alternative::cell).collect();
        parts.join(" or ")
    }
}

impl fmt::Display for Term {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = format!("${}", self.name.join("."));
        for (at, alternative) in self.alternatives.iter().enumerate() {
            if at > 0 {
                formatter.write_str(" or ")?;
            }
            match alternative {
                Alternative::Holds(condition @ Condition::All(_)) if self.is_compound() => {
                    write!(formatter, "({condition})")?;
                }
                Alternative::Holds(condition) => condition.fmt(formatter)?,
                Alternative::Any(kind) => write!(formatter, "{name} is {}", kind.with_article())?,
                Alternative::Lacks(kinds) => write!(formatter, "{name} is {}", lacking(kinds))?,
            }
        }
        Ok(())
    }
}

/// Terms that hold together, as one condition.
pub fn conjunction(terms: &[Term]) -> String {
    let parts: Vec<String> = terms
        .iter()
        .map(|term| match term {
            term if term.is_compound() && terms.len() > 1 => format!("({term})"),
            term => term.to_string(),
        })
        .collect();
    parts.join(" and ")
}

/// What a value is that is none of the kinds.
fn lacking(kinds: &[Kind]) -> String {
    match kinds {
        [Kind::True] => "absent or not True".to_owned(),
        [only] => format!("absent or no {}", only.without_article()),
        several => {
            let all: Vec<&str> = several.iter().map(|kind| kind.with_article()).collect();
            format!("absent or neither {}", all.join(" nor "))
        }
    }
}

impl Alternative {
    fn cell(&self) -> String {
        match self {
            Self::Any(kind) => kind.with_article().to_owned(),
            Self::Lacks(kinds) => lacking(kinds),
            Self::Holds(condition) => cell_of(condition),
        }
    }
}

/// A condition on one name, without the name.
fn cell_of(condition: &Condition) -> String {
    match condition {
        Condition::All(parts) => {
            let parts: Vec<String> = parts.iter().map(cell_of).collect();
            parts.join(" and ")
        }
        Condition::IsTrue(_) => "true".to_owned(),
        Condition::NotTrue(_) => "not true".to_owned(),
        Condition::Compare(compare) => match (&compare.op, &compare.value) {
            (Operator::Equal, Literal::Bool(value)) => value.to_string(),
            (Operator::Equal, value) => value.to_string(),
            (Operator::NotEqual, value) => format!("not {value}"),
            (operator, value) => format!("{} {value}", operator.as_str()),
        },
        Condition::OneOf(one_of) => {
            let members: Vec<String> = one_of.values.iter().map(ToString::to_string).collect();
            let members = members.join(", ");
            if one_of.negated {
                format!("none of {members}")
            } else {
                format!("one of {members}")
            }
        }
        other => other.to_string(),
    }
}

fn compared(name: &Name, op: Operator, value: Literal) -> Alternative {
    Alternative::Holds(compare(name, op, value))
}

fn compare(name: &Name, op: Operator, value: Literal) -> Condition {
    Condition::Compare(Compare {
        name: name.clone(),
        op,
        value,
    })
}

/// Membership in some literals, or the equality with one; nothing for none.
fn members(name: &Name, negated: bool, mut values: Vec<Literal>) -> Option<Alternative> {
    let last = values.pop()?;
    if values.is_empty() {
        let operator = if negated {
            Operator::NotEqual
        } else {
            Operator::Equal
        };
        return Some(compared(name, operator, last));
    }
    values.push(last);
    Some(Alternative::Holds(Condition::OneOf(OneOf {
        name: name.clone(),
        negated,
        values,
    })))
}

/// The numbers of a set: intervals, and literals that stand alone. Gaps and literals take turns
/// from the class `first`.
fn number_terms(name: &Name, numbers: &[Decimal], first: u32, set: &ClassSet) -> Vec<Alternative> {
    let end = first + u32::try_from(2 * numbers.len() + 1).unwrap_or(u32::MAX - first);
    if numbers.is_empty() {
        return Vec::new();
    }
    let domain = ClassSet::range(first, end);
    let chosen = set.intersection(&domain);
    let lacking = domain.intersection(&chosen.complement(end));
    if chosen.is_empty() {
        return Vec::new();
    }
    if lacking.is_empty() {
        return vec![Alternative::Any(Kind::Number)];
    }
    let literal = |class: u32| {
        let at = usize::try_from((class - first) / 2).ok()?;
        numbers
            .get(at)
            .map(|number| Literal::Number(Number(number.clone())))
    };
    let is_literal = |class: u32| (class - first) % 2 == 1;
    let singles = |set: &ClassSet| {
        let lone = set
            .ranges()
            .map(|(start, end)| (end == start + 1 && is_literal(start)).then(|| literal(start))?);
        lone.collect::<Option<Vec<Literal>>>()
    };
    if let Some(excluded) = singles(&lacking) {
        return members(name, true, excluded).into_iter().collect();
    }
    let mut intervals = Vec::new();
    let mut alone = Vec::new();
    for (start, behind) in chosen.ranges() {
        let last = behind - 1;
        if start == last && is_literal(start) {
            alone.extend(literal(start));
            continue;
        }
        let mut bounds = Vec::new();
        if start > first {
            bounds.extend(if is_literal(start) {
                literal(start).map(|value| compare(name, Operator::GreaterOrEqual, value))
            } else {
                literal(start - 1).map(|value| compare(name, Operator::Greater, value))
            });
        }
        if behind < end {
            bounds.extend(if is_literal(last) {
                literal(last).map(|value| compare(name, Operator::LessOrEqual, value))
            } else {
                literal(last + 1).map(|value| compare(name, Operator::Less, value))
            });
        }
        intervals.push(Alternative::Holds(Condition::all(bounds)));
    }
    intervals.extend(members(name, false, alone));
    intervals
}

/// The strings of a set; any other string stands behind the literals.
fn string_terms(
    name: &Name,
    strings: &[String],
    first: u32,
    set: &ClassSet,
) -> Option<Alternative> {
    if strings.is_empty() {
        return None;
    }
    let literals = |wanted: bool| -> Vec<Literal> {
        let all = strings.iter().zip(first..);
        all.filter(|(_, class)| set.contains(*class) == wanted)
            .map(|(text, _)| Literal::String(text.clone()))
            .collect()
    };
    let other = first + u32::try_from(strings.len()).unwrap_or(u32::MAX - first);
    if !set.contains(other) {
        return members(name, false, literals(true));
    }
    match literals(false) {
        excluded if excluded.is_empty() => Some(Alternative::Any(Kind::String)),
        excluded => members(name, true, excluded),
    }
}
