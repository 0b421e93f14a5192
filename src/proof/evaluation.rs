//! Decisions of a slice at the points of a product, without evaluating what is known.
//!
//! In the vocabulary of the emitted Rego a rule's value depends on what its own comparisons say of
//! the input and on the values of the rules that it names, and on nothing else. So a combination of
//! these that occurred at one point need not be evaluated at another: the interpreter is asked
//! for the rules that meet a combination they have not met, or for all rules of the slice at once
//! where that is less work. What it evaluates are the emitted rules, as they are, on a whole
//! input.

use std::collections::BTreeMap;

use regorus::Value;

use super::axes::{Axis, Point, input_at};
use super::input::{Context, Input};
use super::interpreter::{Answer, Interpreter, decision, document};
use super::package::{DECISION, Package, named};
use super::reads::Reads;
use super::slice::Slice;
use crate::decision_space::Called;
use crate::evaluator::{Call, Decision, Truth, truth};
use crate::ir::Condition;

/// A rule (all rules of one name) and what its value depends on.
struct Node {
    name: String,
    /// The axes that it reads itself, each with the number of what its comparisons make of each
    /// value.
    axes: Vec<(usize, Vec<u32>)>,
    /// The rules that it names.
    parts: Vec<usize>,
    /// Rules that are evaluated with it, at most.
    weight: usize,
    /// The value by the values of axes and parts.
    known: BTreeMap<Vec<u32>, u32>,
    /// At the last point.
    value: u32,
    has_changed: bool,
}

/// The rules of a slice in the order of their dependencies; the decision is the last.
pub(super) struct Evaluation<'a> {
    interpreter: Interpreter,
    called: &'a Called,
    axes: &'a [Axis],
    nodes: Vec<Node>,
    values: Values,
    /// Path of the package.
    root: String,
    /// Whole path of the decision.
    path: String,
    /// The segments of the package's name.
    package: Vec<String>,
    /// Whether a rule had two values for one combination, so that nothing is known of others.
    is_refuted: bool,
    last: Option<Point>,
    key: Vec<u32>,
}

/// The different values that rules had, numbered.
#[derive(Default)]
struct Values {
    numbers: BTreeMap<Answer, u32>,
    decisions: Vec<Result<Decision, String>>,
}

impl Values {
    fn number(&mut self, answer: Answer) -> u32 {
        if let Some(number) = self.numbers.get(&answer) {
            return *number;
        }
        let number = u32::try_from(self.decisions.len()).unwrap_or(u32::MAX);
        self.decisions.push(decision(&answer));
        self.numbers.insert(answer, number);
        number
    }
}

impl<'a> Evaluation<'a> {
    /// Prepares a slice that is loaded in the interpreter. `reads` is what each rule of the
    /// package reads.
    pub(super) fn new(
        interpreter: Interpreter,
        package: &Package,
        slice: &Slice,
        reads: &[Reads],
        called: &'a Called,
        axes: &'a [Axis],
    ) -> Self {
        let mut evaluation = Self {
            interpreter,
            called,
            axes,
            nodes: Vec::new(),
            values: Values::default(),
            root: format!("data.{}", package.name),
            path: format!("data.{}.{DECISION}", package.name),
            package: package.name.split('.').map(str::to_owned).collect(),
            is_refuted: false,
            last: None,
            key: Vec::new(),
        };
        evaluation.add_nodes(package, slice, reads);
        evaluation
    }

    fn add_nodes(&mut self, package: &Package, slice: &Slice, reads: &[Reads]) {
        let mut rules_of = BTreeMap::<&str, Vec<usize>>::new();
        for index in &slice.rules {
            if let Some(rule) = package.rules.get(*index) {
                rules_of.entry(&rule.name).or_default().push(*index);
            }
        }
        let names_of = |name: &str| -> Vec<&str> {
            let rules = rules_of.get(name).into_iter().flatten();
            let rules = rules.filter_map(|index| package.rules.get(*index));
            let names = rules.flat_map(|rule| named(package, rule));
            let is_rule = |name: &&str| {
                let mut rules = package.rules_of(name);
                rules
                    .next()
                    .is_some_and(|(_, rule)| rule.parameters.is_empty())
            };
            names.filter(is_rule).collect()
        };
        let mut places = BTreeMap::<&str, usize>::new();
        let mut open = vec![(DECISION, names_of(DECISION))];
        while let Some((name, names)) = open.last_mut() {
            if let Some(next) = names.pop() {
                if !places.contains_key(next) {
                    let names = names_of(next);
                    open.push((next, names));
                }
                continue;
            }
            let name = *name;
            open.pop();
            let mut parts: Vec<usize> = names_of(name)
                .iter()
                .filter_map(|name| places.get(name).copied())
                .collect();
            parts.sort_unstable();
            parts.dedup();
            let rules = rules_of.get(name).into_iter().flatten();
            let reads: Vec<&Reads> = rules.filter_map(|index| reads.get(*index)).collect();
            let axes = self.axes.iter().enumerate();
            let axes =
                axes.filter(|(_, axis)| reads.iter().any(|it| it.names.contains(&axis.name)));
            let axes = axes
                .map(|(place, axis)| (place, told_apart(axis, &reads)))
                .collect();
            let weights = parts.iter().filter_map(|part| self.nodes.get(*part));
            let weight = weights.fold(1, |sum: usize, part| sum.saturating_add(part.weight));
            places.insert(name, self.nodes.len());
            self.nodes.push(Node {
                name: name.to_owned(),
                axes,
                parts,
                weight: weight.min(self.nodes.len() + 1),
                known: BTreeMap::new(),
                value: 0,
                has_changed: true,
            });
        }
    }

    /// What the slice decides at a point; or what it gives instead.
    pub(super) fn decide(&mut self, point: &Point) -> &Result<Decision, String> {
        let number = match self.known(point) {
            Some(number) => number,
            None => self.evaluate(point),
        };
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        self.values.decisions.get(place).unwrap_or(&NOTHING)
    }

    /// Number of the decision's value at a point, when few combinations there were not met before.
    fn known(&mut self, point: &Point) -> Option<u32> {
        if self.is_refuted {
            return None;
        }
        // Until all of it is known, no node has its value at a point.
        let last = self.last.take();
        let (mut spent, budget) = (0, self.nodes.len().saturating_mul(2));
        for at in 0..self.nodes.len() {
            let (before, from) = self.nodes.split_at_mut(at);
            let node = from.first_mut()?;
            if let Some(last) = &last {
                let has_moved = |axis: &(usize, Vec<u32>)| of(axis, last) != of(axis, point);
                let has_changed =
                    |part: &usize| before.get(*part).is_some_and(|part| part.has_changed);
                if !node.axes.iter().any(has_moved) && !node.parts.iter().any(has_changed) {
                    node.has_changed = false;
                    continue;
                }
            }
            node.key_into(before, point, &mut self.key);
            let value = match node.known.get(self.key.as_slice()) {
                Some(value) => *value,
                None => {
                    if spent == 0 {
                        let input = input_at(self.called, self.axes, point).document();
                        self.interpreter.set_input(document(input.as_ref()));
                    }
                    spent = node.weight.saturating_add(spent);
                    if spent > budget {
                        return None;
                    }
                    let path = format!("{}.{}", self.root, node.name);
                    let value = self.values.number(self.interpreter.value(&path));
                    node.known.insert(self.key.clone(), value);
                    value
                }
            };
            node.has_changed = last.is_none() || value != node.value;
            node.value = value;
        }
        self.remember(last, point);
        self.nodes.last().map(|node| node.value)
    }

    /// Asks the interpreter for all rules at a point.
    fn evaluate(&mut self, point: &Point) -> u32 {
        let input = input_at(self.called, self.axes, point).document();
        self.interpreter.set_input(document(input.as_ref()));
        let Ok(values) = self.interpreter.all_values() else {
            // Some rule fails, which the decision may not name here. That alone is asked then.
            return self.values.number(self.interpreter.value(&self.path));
        };
        let mut package = &values;
        for segment in &self.package {
            package = &package[segment.as_str()];
        }
        for at in 0..self.nodes.len() {
            let (before, from) = self.nodes.split_at_mut(at);
            let Some(node) = from.first_mut() else { break };
            node.key_into(before, point, &mut self.key);
            node.value = self.values.number(Ok(package[node.name.as_str()].clone()));
            node.has_changed = true;
            match node.known.get(self.key.as_slice()) {
                Some(known) => self.is_refuted |= *known != node.value,
                None => {
                    node.known.insert(self.key.clone(), node.value);
                }
            }
        }
        if self.is_refuted {
            return self.values.number(self.interpreter.value(&self.path));
        }
        self.remember(None, point);
        self.nodes.last().map_or(u32::MAX, |node| node.value)
    }

    fn remember(&mut self, last: Option<Point>, point: &Point) {
        let mut last = last.unwrap_or_default();
        last.clone_from(point);
        self.last = Some(last);
    }

    /// Whether a rule had two values where what it reads was the same, so that what was known of
    /// other points may be wrong.
    pub(super) fn is_refuted(&self) -> bool {
        self.is_refuted
    }

    /// What the slice gives for an input that is no point of the product.
    pub(super) fn answer(&mut self, input: Value) -> Answer {
        self.interpreter.set_input(input);
        self.interpreter.value(&self.path)
    }
}

impl Node {
    /// The combination of what it reads at a point and of the values of the rules it names.
    fn key_into(&self, before: &[Self], point: &Point, key: &mut Vec<u32>) {
        key.clear();
        key.extend(self.axes.iter().filter_map(|axis| of(axis, point)));
        let parts = self.parts.iter().filter_map(|part| before.get(*part));
        key.extend(parts.map(|part| part.value));
    }
}

/// What a rule makes of the value of an axis at a point.
fn of((axis, made): &(usize, Vec<u32>), point: &Point) -> Option<u32> {
    let value = usize::try_from(*point.get(*axis)?).ok()?;
    made.get(value).copied()
}

/// Numbers the values of an axis by what a rule's comparisons say of them: two values on which
/// each has the same truth have the same number.
fn told_apart(axis: &Axis, reads: &[&Reads]) -> Vec<u32> {
    let leaves = reads.iter().flat_map(|reads| &reads.leaves);
    let leaves: Vec<&Condition> = leaves
        .filter(|leaf| leaf.name() == Some(&axis.name))
        .collect();
    let has_more = |reads: &&Reads| {
        reads.kinds_of.contains(&axis.name) || reads.passed_on.contains(&axis.name)
    };
    let is_plain = !leaves.is_empty() && !reads.iter().any(has_more);
    let mut seen = BTreeMap::<Vec<Truth>, u32>::new();
    let numbers = (0..).zip(&axis.values).map(|(place, value)| {
        if !is_plain {
            return place;
        }
        let value = value.clone().map(|value| (axis.name.clone(), value));
        let input = Input::Call {
            tool: None,
            context: Context::Names(value.into_iter().collect()),
        };
        let input = input.document().unwrap_or_default();
        let call = Call::from_input(&input);
        let truths = leaves.iter().map(|leaf| truth(leaf, &call)).collect();
        *seen.entry(truths).or_insert(place)
    });
    numbers.collect()
}

/// There is no decision without a rule.
static NOTHING: Result<Decision, String> = Err(String::new());
