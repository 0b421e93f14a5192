//! Whether the interpreter tells the numbers of a proof apart.
//!
//! It computes with binary floating point, where the rulebook, and OPA, compare exact decimals.
//! So before a number stands for its class, the interpreter is asked for its comparisons with
//! the literals beside it, in the form that the emitted Rego has. Where an answer is wrong,
//! another number of the class is taken; where none is right, the class is not told apart.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use super::Failure;
use super::axes::Axis;
use super::interpreter::{Interpreter, document};
use super::run::load;
use crate::text::Decimal;

/// Literals on each side of a number that it is compared with. Rounding keeps the order of
/// numbers, so that one further away is not confused where these are not.
const BESIDE: usize = 2;

/// The comparisons, as functions of the emitted Rego's form.
const PACKAGE: &str = "package calibration

import rego.v1

number_below(name, literal) := input.context[name] < literal if is_number(input.context[name])

number_at_most(name, literal) := input.context[name] <= literal if is_number(input.context[name])

number_equal(name, literal) := input.context[name] == literal if is_number(input.context[name])

number_unequal(name, literal) := input.context[name] != literal if is_number(input.context[name])

number_at_least(name, literal) := input.context[name] >= literal if is_number(input.context[name])

number_above(name, literal) := input.context[name] > literal if is_number(input.context[name])

number_among(name, literals) := input.context[name] in literals if is_number(input.context[name])
";

/// What becomes of a number: it stays, is replaced, or is not told apart.
#[derive(Clone, Debug, PartialEq)]
enum Fate {
    Stays,
    Replaced(Value),
    NotTold,
}

/// Literals, and the numbers that stand for the classes between and at them.
type Question = (Vec<String>, Vec<String>);

/// The fates of numbers: tools share the names of guards.
#[derive(Default)]
pub(super) struct Calibration {
    known: BTreeMap<Question, Vec<Fate>>,
}

impl Calibration {
    /// Asks for the numbers of an axis, replaces them where that helps, and notes those that the
    /// interpreter cannot tell apart.
    ///
    /// # Errors
    /// An interpreter that cannot be asked.
    pub(super) fn calibrate(&mut self, axis: &mut Axis) -> Result<(), Failure> {
        if axis.literals.is_empty() {
            return Ok(());
        }
        // A gap and a literal in turn; no text where no short number lies in a gap.
        let count = 2 * axis.literals.len() + 1;
        let values = axis.values.iter().skip(axis.first_number).take(count);
        let texts: Vec<String> = values
            .map(|value| value.as_ref().map_or_else(String::new, Value::to_string))
            .collect();
        let question = (axis.literals.clone(), texts);
        if !self.known.contains_key(&question) {
            let fates = fates(&question.0, &question.1)?;
            self.known.insert(question.clone(), fates);
        }
        let fates = self.known.get(&question).into_iter().flatten();
        for (place, fate) in (axis.first_number..).zip(fates) {
            match fate {
                Fate::Stays => {}
                Fate::Replaced(value) => {
                    if let Some(old) = axis.values.get_mut(place) {
                        *old = Some(value.clone());
                    }
                }
                Fate::NotTold => {
                    axis.not_told.extend(u32::try_from(place));
                }
            }
        }
        Ok(())
    }
}

/// The fates of the numbers of a name: gap and literal in turn, ascending.
fn fates(literals: &[String], texts: &[String]) -> Result<Vec<Fate>, Failure> {
    let literals: Vec<&str> = literals.iter().map(String::as_str).collect();
    let mut interpreter = load(package(&literals))?;
    let mut fates = Vec::new();
    for (place, text) in texts.iter().enumerate() {
        // Gap n lies below literal n; the last gap lies above the last literal.
        let nearest = (place / 2).min(literals.len().saturating_sub(1));
        let mut is_told = |text: &str| is_told(&mut interpreter, text, &literals, nearest);
        let fate = if is_told(text) {
            Fate::Stays
        } else {
            let is_gap = place % 2 == 0;
            let above = literals.get(place / 2).copied();
            let below = (place / 2).checked_sub(1);
            let below = below.and_then(|at| literals.get(at)).copied();
            let others = if is_gap {
                others(below, above)
            } else {
                Vec::new()
            };
            let found = others.into_iter().find(|other| is_told(other));
            match found.and_then(|other| other.parse().ok()) {
                Some(number) => Fate::Replaced(Value::Number(number)),
                None => Fate::NotTold,
            }
        };
        fates.push(fate);
    }
    Ok(fates)
}

fn beside(count: usize, nearest: usize) -> std::ops::Range<usize> {
    nearest.saturating_sub(BESIDE)..count.min(nearest + BESIDE + 1)
}

/// A rule for each literal, with the comparisons with it and those beside it.
fn package(literals: &[&str]) -> String {
    let mut text = PACKAGE.to_owned();
    for nearest in 0..literals.len() {
        let _ = writeln!(text, "\nbeside_{nearest} := [");
        for literal in beside(literals.len(), nearest).filter_map(|at| literals.get(at)) {
            for function in ["below", "at_most", "equal", "unequal", "at_least", "above"] {
                let _ = writeln!(text, "\tnumber_{function}(\"n\", {literal}),");
            }
            let _ = writeln!(text, "\tnumber_among(\"n\", [{literal}]),");
        }
        text.push_str("]\n");
    }
    text
}

/// Whether the interpreter compares a number as it should with the literals beside it.
fn is_told(interpreter: &mut Interpreter, text: &str, literals: &[&str], nearest: usize) -> bool {
    let (Some(number), Ok(value)) = (Decimal::from_json(text), text.parse::<serde_json::Number>())
    else {
        return false;
    };
    let input = serde_json::json!({ "context": { "n": value } });
    interpreter.set_input(document(Some(&input)));
    let Ok(answer) = interpreter.value(&format!("data.calibration.beside_{nearest}")) else {
        return false;
    };
    let Ok(given) = answer.as_array() else {
        return false;
    };
    let mut wanted = Vec::new();
    for literal in beside(literals.len(), nearest).filter_map(|at| literals.get(at)) {
        let Some(literal) = Decimal::from_json(literal) else {
            return false;
        };
        let order = number.cmp(&literal);
        wanted.extend([
            order == Ordering::Less,
            order != Ordering::Greater,
            order == Ordering::Equal,
            order != Ordering::Equal,
            order != Ordering::Less,
            order == Ordering::Greater,
            order == Ordering::Equal,
        ]);
    }
    let wanted = wanted.into_iter().map(regorus::Value::Bool);
    wanted.eq(given.iter().cloned())
}

/// Other numbers between two bounds, either of which may be missing.
fn others(below: Option<&str>, above: Option<&str>) -> Vec<String> {
    let places = |bound: Option<&str>| {
        let fraction = bound.and_then(|text| text.split_once('.'));
        fraction.map_or(0, |(_, fraction)| fraction.len())
    };
    // Two digits more than either, so that something lies between.
    let places = places(below).max(places(above)) + 2;
    let whole = |bound: Option<&str>| match bound {
        Some(text) => scaled(text, places).map(Some),
        None => Some(None),
    };
    let (Some(low), Some(high)) = (whole(below), whole(above)) else {
        return Vec::new();
    };
    let chosen = match (low, high) {
        (Some(low), Some(high)) => {
            let parts = [2, 1, 3];
            parts
                .map(|part| low.checked_add((high - low) / 4 * part))
                .to_vec()
        }
        (Some(low), None) => [2, 1000]
            .map(|factor| low.abs().checked_mul(factor))
            .to_vec(),
        (None, Some(high)) => [-2, -1000]
            .map(|factor| high.abs().checked_mul(factor))
            .to_vec(),
        (None, None) => Vec::new(),
    };
    chosen
        .into_iter()
        .flatten()
        .map(|number| plain(number, places))
        .collect()
}

/// A plain decimal without its point, with so many digits behind it.
fn scaled(text: &str, places: usize) -> Option<i128> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let zeros = "0".repeat(places.checked_sub(fraction.len())?);
    format!("{whole}{fraction}{zeros}").parse().ok()
}

fn plain(number: i128, places: usize) -> String {
    let sign = if number < 0 { "-" } else { "" };
    let digits = format!("{:0width$}", number.unsigned_abs(), width = places + 1);
    let whole = digits.len().saturating_sub(places);
    match digits.split_at_checked(whole) {
        Some((whole, fraction)) => format!("{sign}{whole}.{fraction}"),
        None => format!("{sign}{digits}"),
    }
}
