//! The axes of a tool's product: each name with a value of each of its classes.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::input::{Context, Input};
use super::targets::Target;
use crate::decision_space::Called;
use crate::ir::{Name, is_tool_name};

/// A name and the values it takes.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// The name.
    pub(super) name: Name,
    /// One value of each class, in the order of the classes; none is absence. Behind them one of
    /// each kind that only the Rego tells apart.
    pub(super) values: Vec<Option<Value>>,
    /// The number literals, ascending, as the Rego has them.
    pub(super) literals: Vec<String>,
    /// Place of the gap below the first literal: gaps and literals take turns from there.
    pub(super) first_number: usize,
    /// The values that the interpreter takes for others.
    pub(super) not_told: BTreeSet<u32>,
}

impl Axis {
    /// The values that are present and that the interpreter does not take for others.
    pub(super) fn told_values(&self) -> impl Iterator<Item = &Value> {
        let values = (0..).zip(&self.values);
        let told = values.filter(|(place, _)| !self.not_told.contains(place));
        told.filter_map(|(_, value)| value.as_ref())
    }
}

/// A value of each axis, by its place among the axis' values.
pub(super) type Point = Vec<u32>;

/// A value of each kind, for names and for what may stand in their place.
pub(super) fn value_of_each_kind() -> [Value; 7] {
    [
        Value::Null,
        json!(true),
        json!(false),
        json!(7),
        json!("x"),
        json!([true]),
        Value::Object(Map::new()),
    ]
}

/// The axes of a target.
pub(super) fn axes(target: &Target<'_>, kinds_of: &BTreeSet<Name>) -> Vec<Axis> {
    let names = target.space.iter();
    names
        .filter(|(name, _)| !is_tool_name(name))
        .map(|(name, classes)| {
            let mut values: Vec<_> = (0..classes.len())
                .map(|class| classes.representative(class))
                .collect();
            let (first_number, literals) = classes.numbers();
            if kinds_of.contains(name) {
                values.extend(value_of_each_kind().map(Some));
            }
            Axis {
                name: name.clone(),
                values,
                literals: literals.iter().map(ToString::to_string).collect(),
                first_number: usize::try_from(first_number).unwrap_or(usize::MAX),
                not_told: BTreeSet::new(),
            }
        })
        .collect()
}

/// Number of points of the product; none when it does not fit 128 bits.
pub(super) fn product(axes: &[Axis]) -> Option<u128> {
    axes.iter().try_fold(1_u128, |points, axis| {
        points.checked_mul(u128::try_from(axis.values.len()).ok()?)
    })
}

/// Whether the interpreter tells a point's numbers from others.
pub(super) fn is_told(axes: &[Axis], point: &[u32]) -> bool {
    let mut values = axes.iter().zip(point);
    values.all(|(axis, value)| !axis.not_told.contains(value))
}

/// The point of a product with this number, the last axis counting fastest.
pub(super) fn point_at(axes: &[Axis], number: u64) -> Point {
    let mut rest = number;
    let mut point: Point = axes
        .iter()
        .rev()
        .map(|axis| {
            let count = u64::try_from(axis.values.len()).unwrap_or(1).max(1);
            let value = u32::try_from(rest % count).unwrap_or(0);
            rest /= count;
            value
        })
        .collect();
    point.reverse();
    point
}

/// The next point of a product.
pub(super) fn advance(axes: &[Axis], point: &mut Point) {
    for (axis, value) in axes.iter().zip(point.iter_mut()).rev() {
        let next = *value + 1;
        if usize::try_from(next).is_ok_and(|next| next < axis.values.len()) {
            *value = next;
            return;
        }
        *value = 0;
    }
}

/// The input at a point.
pub(super) fn input_at(called: &Called, axes: &[Axis], point: &[u32]) -> Input {
    let names = axes.iter().zip(point).filter_map(|(axis, value)| {
        let value = axis.values.get(usize::try_from(*value).ok()?)?;
        Some((axis.name.clone(), value.clone()?))
    });
    Input::Call {
        tool: called.name().map(Value::from),
        context: Context::Names(names.collect()),
    }
}
