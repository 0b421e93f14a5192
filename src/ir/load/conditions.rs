//! Invariants of conditions: their form, their names and their types.

use std::collections::BTreeSet;

use super::super::{
    Arm, Condition, FlowKind, Literal, OneOf, Operator, TOOL_NAME, ValueType, is_tool_name,
};
use super::rulebook::Known;
use super::{Fault, ensure};
use crate::text::{is_identifier, quoted};

/// Deepest nesting of connectives: at each of 64 parentheses and outside them, an `and` in an
/// `or`.
const MAX_DEPTH: usize = 2 * (64 + 1);

/// A name as a source writes it, in backticks.
pub(super) fn dotted(name: &[String]) -> String {
    quoted(&format!("${}", name.join(".")))
}

/// A name is one identifier or more.
pub(super) fn check_name(name: &[String], pointer: impl FnOnce() -> String) -> Result<(), Fault> {
    let is_name = !name.is_empty() && name.iter().all(|segment| is_identifier(segment));
    ensure(is_name, pointer, || {
        format!(
            "{} is no name: it is made of ASCII identifiers",
            dotted(name)
        )
    })
}

/// Checks an arm: both its conditions, and that one is the other's complement.
pub(super) fn check_arm(
    arm: &Arm,
    kind: FlowKind,
    known: &Known<'_>,
    pointer: &dyn Fn() -> String,
) -> Result<(), Fault> {
    let place = || format!("{}/condition", pointer());
    check(&arm.condition, kind, known, &place)?;
    // The complement is the condition's mirror, so it needs no look of its own.
    ensure(
        arm.complement.is_complement_of(&arm.condition),
        || format!("{}/complement", pointer()),
        || "this is not the complement of the arm's condition".to_owned(),
    )
}

fn check(
    condition: &Condition,
    kind: FlowKind,
    known: &Known<'_>,
    pointer: &dyn Fn() -> String,
) -> Result<(), Fault> {
    // With each part its pointer below the condition, as a list of indices.
    let mut rest: Vec<(&Condition, Vec<usize>)> = vec![(condition, Vec::new())];
    while let Some((part, way)) = rest.pop() {
        let place = || format!("{}{}", pointer(), below(condition, &way));
        match part {
            Condition::All(inner) | Condition::Any(inner) => {
                let conjunction = matches!(part, Condition::All(_));
                ensure(inner.len() >= 2, place, || {
                    "`all` and `any` join two conditions or more".to_owned()
                })?;
                let same_kind = |inner: &Condition| match inner {
                    Condition::All(_) => conjunction,
                    Condition::Any(_) => !conjunction,
                    _ => false,
                };
                ensure(!inner.iter().any(same_kind), place, || {
                    "an `all` in an `all`, or an `any` in an `any`, is written as one".to_owned()
                })?;
                ensure(way.len() < MAX_DEPTH, place, || {
                    "the condition nests deeper than a source can".to_owned()
                })?;
                for (index, inner) in inner.iter().enumerate().rev() {
                    let mut way = way.clone();
                    way.push(index);
                    rest.push((inner, way));
                }
            }
            Condition::Const(_) => {}
            Condition::IsTrue(name) | Condition::NotTrue(name) => {
                check_read(name, ValueType::Bool, kind, known, place)?;
            }
            Condition::Compare(compare) => {
                let value_type = type_of(&compare.value);
                let fits = value_type == ValueType::Number
                    || matches!(compare.op, Operator::Equal | Operator::NotEqual);
                ensure(fits, place, || {
                    "only numbers are compared with `<`, `<=`, `>` and `>=`".to_owned()
                })?;
                check_read(&compare.name, value_type, kind, known, place)?;
            }
            Condition::OneOf(one_of) => {
                let value_type = check_members(one_of, &place)?;
                check_read(&one_of.name, value_type, kind, known, place)?;
            }
        }
    }
    Ok(())
}

/// The rest of a pointer, along the children with these indices.
fn below(condition: &Condition, way: &[usize]) -> String {
    let mut pointer = String::new();
    let mut part = Some(condition);
    for index in way {
        let (key, inner) = match part {
            Some(Condition::All(inner)) => ("all", inner),
            Some(Condition::Any(inner)) => ("any", inner),
            _ => break,
        };
        pointer.push_str(&format!("/{key}/{index}"));
        part = inner.get(*index);
    }
    pointer
}

fn type_of(literal: &Literal) -> ValueType {
    match literal {
        Literal::Bool(_) => ValueType::Bool,
        Literal::Number(_) => ValueType::Number,
        Literal::String(_) => ValueType::String,
    }
}

fn word(value_type: ValueType) -> &'static str {
    match value_type {
        ValueType::Bool => "boolean",
        ValueType::Number => "number",
        ValueType::String => "string",
    }
}

fn check_members(one_of: &OneOf, pointer: &dyn Fn() -> String) -> Result<ValueType, Fault> {
    let Some(first) = one_of.values.first().map(type_of) else {
        return Err(Fault {
            pointer: pointer(),
            message: "a list of members has one at least".to_owned(),
        });
    };
    ensure(first != ValueType::Bool, pointer, || {
        "members are strings or numbers".to_owned()
    })?;
    ensure(
        one_of.values.iter().all(|value| type_of(value) == first),
        pointer,
        || "members are of one type".to_owned(),
    )?;
    let distinct: BTreeSet<&Literal> = one_of.values.iter().collect();
    ensure(distinct.len() == one_of.values.len(), pointer, || {
        "a member stands twice".to_owned()
    })?;
    Ok(first)
}

fn check_read(
    name: &[String],
    value_type: ValueType,
    kind: FlowKind,
    known: &Known<'_>,
    pointer: impl Fn() -> String,
) -> Result<(), Fault> {
    if is_tool_name(name) {
        ensure(kind == FlowKind::Guard, &pointer, || {
            format!("`${TOOL_NAME}` is read in guard flows only")
        })?;
        return ensure(value_type == ValueType::String, pointer, || {
            format!("`${TOOL_NAME}` is a string")
        });
    }
    let known_type = known.context.get(name).copied();
    ensure(known_type.is_some(), &pointer, || {
        format!("{} is missing in `context`", dotted(name))
    })?;
    ensure(known_type == Some(value_type), pointer, || {
        format!(
            "{} is read as a {}, and is a {} in `context`",
            dotted(name),
            word(value_type),
            known_type.map_or("", word)
        )
    })
}
