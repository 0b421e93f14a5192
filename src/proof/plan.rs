//! Which points are evaluated: the same ones in the same order, always.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Failure;
use super::axes::{Axis, Point, axes, input_at, is_told, point_at, product, value_of_each_kind};
use super::count::Count;
use super::covering::{self, BranchPoint, branch_points, covering_set};
use super::input::{Context, Input};
use super::numbers::Calibration;
use super::package::{Fault, Package};
use super::reads::{Reads, reads_of};
use super::slice::{Slice, cut};
use super::targets::Target;
use crate::decision_space::Called;
use crate::evaluator::{Decision, decide};
use crate::ir::{Condition, Name, Rulebook};

/// Points of a rulebook that run on the whole package, not on a slice of it.
const WHOLE: u64 = 100;

/// Most points of branches that are looked at for each tool.
const BRANCH_POINTS: usize = 4_000;

/// Most points of a tool's product that is evaluated whole where that of the rulebook is not.
const SMALL: u128 = 256;

/// Points that are looked at for one at which a name counts.
const CANDIDATES: usize = 32;

/// All that a proof evaluates.
pub(super) struct Plan<'a> {
    pub(super) rulebook: &'a Rulebook,
    /// What each rule of the package reads.
    pub(super) reads: Vec<Reads>,
    pub(super) parts: Vec<Part<'a>>,
    /// Inputs without a tool or a context.
    pub(super) odd: Vec<Input>,
    /// Number of points of all products, and the others.
    pub(super) all: Count,
    pub(super) is_whole: bool,
}

/// The points of one tool.
pub(super) struct Part<'a> {
    pub(super) target: Target<'a>,
    pub(super) axes: Vec<Axis>,
    pub(super) slice: Slice,
    pub(super) points: Points,
    /// Inputs that are no points: other kinds of values, and contexts that are no objects.
    pub(super) odd: Vec<Input>,
}

/// Points of a product.
pub(super) enum Points {
    /// All of them, so many.
    Product(u64),
    /// These.
    Set(Vec<Point>),
}

impl Points {
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Product(count) => *count,
            Self::Set(points) => u64::try_from(points.len()).unwrap_or(u64::MAX),
        }
    }

    pub(super) fn get(&self, axes: &[Axis], number: u64) -> Option<Point> {
        match self {
            Self::Product(count) => (number < *count).then(|| point_at(axes, number)),
            Self::Set(points) => points.get(usize::try_from(number).ok()?).cloned(),
        }
    }
}

impl Part<'_> {
    /// Number of its inputs.
    pub(super) fn len(&self) -> u64 {
        self.points.len() + u64::try_from(self.odd.len()).unwrap_or(0)
    }

    /// Whether the interpreter tells an input's numbers from others.
    pub(super) fn is_told(&self, number: u64) -> bool {
        let is_point = number < self.points.len();
        let point = is_point
            .then(|| self.points.get(&self.axes, number))
            .flatten();
        point.is_none_or(|point| is_told(&self.axes, &point))
    }

    /// Number of its inputs that the interpreter is asked for.
    pub(super) fn told(&self) -> u64 {
        if self.axes.iter().all(|axis| axis.not_told.is_empty()) {
            return self.len();
        }
        let told = (0..self.len()).filter(|number| self.is_told(*number));
        u64::try_from(told.count()).unwrap_or(0)
    }

    /// An input by its number: points first.
    pub(super) fn input(&self, number: u64) -> Option<Input> {
        match number.checked_sub(self.points.len()) {
            None => {
                let point = self.points.get(&self.axes, number)?;
                Some(input_at(&self.target.called, &self.axes, &point))
            }
            Some(odd) => self.odd.get(usize::try_from(odd).ok()?).cloned(),
        }
    }
}

impl Plan<'_> {
    /// The names with numbers that the interpreter takes for others.
    pub(super) fn names_not_told(&self) -> BTreeSet<Name> {
        let axes = self.parts.iter().flat_map(|part| &part.axes);
        let axes = axes.filter(|axis| !axis.not_told.is_empty());
        axes.map(|axis| axis.name.clone()).collect()
    }
}

/// Plans a proof of at most `limit` points of products, half of them for a tool.
///
/// # Errors
/// A use of the input in the package that no leaf of a rulebook is; an interpreter that cannot be
/// asked.
pub(super) fn plan<'a>(
    rulebook: &'a Rulebook,
    package: &Package,
    limit: u64,
) -> Result<Plan<'a>, Failure> {
    let reads = package
        .rules
        .iter()
        .map(|rule| reads_of(package, rule))
        .collect::<Result<Vec<_>, _>>()
        .map_err(Failure::NotEvaluated)?;
    let tools: BTreeSet<&str> = reads
        .iter()
        .flat_map(|reads| &reads.tools)
        .map(String::as_str)
        .collect();
    let mut parts: Vec<Part<'a>> = Called::all(&[rulebook], tools)
        .into_iter()
        .map(|called| {
            let slice = cut(package, called.name());
            let of_slice = || slice.rules.iter().filter_map(|rule| reads.get(*rule));
            let leaves: Vec<&Condition> = of_slice().flat_map(|reads| &reads.leaves).collect();
            let kinds_of = of_slice()
                .flat_map(|reads| &reads.kinds_of)
                .cloned()
                .collect();
            let target = Target::of(rulebook, called, &leaves);
            check_names(&target).map_err(Failure::NotEvaluated)?;
            Ok(Part {
                axes: axes(&target, &kinds_of),
                target,
                slice,
                points: Points::Set(Vec::new()),
                odd: Vec::new(),
            })
        })
        .collect::<Result<_, Failure>>()?;
    let products: Vec<Option<u128>> = parts.iter().map(|part| product(&part.axes)).collect();
    let each = u128::from(limit / 2);
    let fits = products.iter().all(|it| it.is_some_and(|it| it <= each));
    let sum = products
        .iter()
        .try_fold(0_u128, |sum, product| sum.checked_add((*product)?));
    let is_whole = fits && sum.is_some_and(|sum| sum <= u128::from(limit));
    let mut all = Count::default();
    let mut calibration = Calibration::default();
    let mut tested = BTreeSet::new();
    let mut rest = limit;
    let count = parts.len();
    // Small products first: what they leave is for the large ones.
    let mut order: Vec<_> = parts.iter_mut().zip(&products).collect();
    order.sort_by_key(|(_, product)| product.unwrap_or(u128::MAX));
    for (number, (part, product)) in order.into_iter().enumerate() {
        let share = if is_whole {
            each
        } else {
            // The first ones get what does not divide.
            let left = u64::try_from(count - number).unwrap_or(1).max(1);
            u128::from(rest.div_ceil(left)).min(each.max(1))
        };
        let share = usize::try_from(share).unwrap_or(usize::MAX);
        let branches = branch_points(&part.target, &part.axes, BRANCH_POINTS.min(share));
        for axis in &mut part.axes {
            calibration.calibrate(axis)?;
        }
        let most = u128::try_from(share).unwrap_or(0);
        let most = if is_whole { most } else { most.min(SMALL) };
        let whole = product.filter(|product| *product <= most);
        part.points = match whole.and_then(|product| u64::try_from(product).ok()) {
            Some(product) => Points::Product(product),
            None => Points::Set(covering_set(&part.target, &part.axes, &branches, share)),
        };
        // A sample tests the kinds of a name with one of the tools that it counts for.
        let is_new = |axis: &Axis| is_whole || tested.insert(axis.name.clone());
        part.odd = odd_inputs(rulebook, part, &branches, is_new);
        let counts = part.axes.iter().map(|axis| axis.values.len());
        all.add_product(counts, part.odd.len());
        if !is_whole {
            let taken = usize::try_from(part.points.len()).unwrap_or(usize::MAX);
            part.odd.truncate(share.saturating_sub(taken));
        }
        rest = rest.saturating_sub(part.len());
    }
    let mut odd = vec![Input::Nothing];
    odd.extend(value_of_each_kind().map(Input::NoObject));
    all.add_product(std::iter::empty(), odd.len() - 1);
    if !is_whole {
        odd.truncate(usize::try_from(rest).unwrap_or(usize::MAX));
    }
    Ok(Plan {
        rulebook,
        reads,
        parts,
        odd,
        all,
        is_whole,
    })
}

/// No name may be another's beginning: a value cannot stand at both.
fn check_names(target: &Target<'_>) -> Result<(), Fault> {
    let names = target.space.names();
    for (name, next) in names.iter().zip(names.iter().skip(1)) {
        if next.starts_with(name) {
            let name = name.join(".");
            return Err(format!("the package reads `{name}` and a part of it"));
        }
    }
    Ok(())
}

/// The inputs of a tool that are no points of its product.
fn odd_inputs(
    rulebook: &Rulebook,
    part: &Part<'_>,
    branches: &[BranchPoint<'_>],
    mut tests_kinds: impl FnMut(&Axis) -> bool,
) -> Vec<Input> {
    let called = &part.target.called;
    let tool = called.name().map(Value::from);
    let mut odd = vec![Input::Call {
        tool: tool.clone(),
        context: Context::Absent,
    }];
    odd.extend(value_of_each_kind().map(|value| Input::Call {
        tool: tool.clone(),
        context: Context::NoObject(value),
    }));
    for (at, axis) in part.axes.iter().enumerate() {
        if !tests_kinds(axis) {
            continue;
        }
        let base = base_for(rulebook, part, branches, at);
        let Input::Call {
            context: Context::Names(names),
            ..
        } = input_at(called, &part.axes, &base)
        else {
            continue;
        };
        let mut with = |name: &[String], value: Value| {
            let is_below = |other: &[String]| other.starts_with(name);
            let mut names: Vec<_> = names
                .iter()
                .filter(|(other, _)| !is_below(other))
                .cloned()
                .collect();
            names.push((name.to_vec(), value));
            odd.push(Input::Call {
                tool: tool.clone(),
                context: Context::Names(names),
            });
        };
        for value in value_of_each_kind() {
            with(&axis.name, value);
        }
        // A parent that is no object.
        for length in 1..axis.name.len() {
            if let Some((parent, _)) = axis.name.split_at_checked(length) {
                with(parent, Value::Bool(true));
            }
        }
    }
    if *called == Called::NoString {
        let start = vec![0; part.axes.len()];
        let bases = branches.iter().map(|branch| &branch.point).take(CANDIDATES);
        for point in std::iter::once(&start).chain(bases) {
            for value in value_of_each_kind() {
                if let Input::Call { context, .. } = input_at(called, &part.axes, point)
                    && !value.is_string()
                {
                    odd.push(Input::Call {
                        tool: Some(value),
                        context,
                    });
                }
            }
        }
    }
    odd
}

/// A point at which the value of an axis counts, if one is found: only there a kind that is taken
/// for another shows.
fn base_for(
    rulebook: &Rulebook,
    part: &Part<'_>,
    branches: &[BranchPoint<'_>],
    axis: usize,
) -> Point {
    let decided = |point: &Point| -> Option<Decision> {
        let input = input_at(&part.target.called, &part.axes, point).document()?;
        Some(decide(rulebook, &input))
    };
    let values = part.axes.get(axis).map_or(0, |axis| axis.values.len());
    let name = part.axes.get(axis).map(|axis| &axis.name);
    let reads_it = |branch: &&BranchPoint<'_>| {
        let leaves = branch.conditions.iter().flat_map(|it| it.leaves());
        leaves.into_iter().any(|leaf| leaf.name() == name)
    };
    let candidates = branches.iter().filter(reads_it).take(CANDIDATES);
    let found = candidates.map(|branch| &branch.point).find(|point| {
        let lacking = decided(&covering::changed(point, axis, 0));
        (1..u32::try_from(values).unwrap_or(0))
            .take(CANDIDATES)
            .any(|value| decided(&covering::changed(point, axis, value)) != lacking)
    });
    found.cloned().unwrap_or_else(|| vec![0; part.axes.len()])
}

/// Numbers of the points that run on the whole package: at least a hundred, spread over all.
pub(super) fn whole_numbers(plan: &Plan<'_>) -> Vec<(usize, u64)> {
    let all: u64 = plan.parts.iter().map(Part::len).sum();
    let count = all.min(WHOLE);
    let mut numbers = Vec::new();
    let mut begin = 0;
    for (place, part) in plan.parts.iter().enumerate() {
        let end = begin + part.len();
        let chosen = (0..count)
            .map(|number| number * all / count.max(1))
            .filter(|number| (begin..end).contains(number));
        numbers.extend(chosen.map(|number| (place, number - begin)));
        begin = end;
    }
    numbers
}
