//! Decisions of a slice at the points of a product, each rule evaluated once for all points that
//! it cannot tell apart.
//!
//! In the vocabulary of the emitted Rego a rule's value depends on what the rule reads of the
//! input and on the values of the rules that it names, and on nothing else. So the interpreter is
//! asked for a rule once for each combination of these that occurs, at the first point at which
//! it occurs; each other point with the same combination has the same value. Every question is
//! of an emitted rule, as it is, on a whole input.

use std::collections::BTreeMap;

use regorus::Value;

use super::axes::{Axis, Point, input_at};
use super::interpreter::{Answer, Interpreter, decision, document};
use super::package::{DECISION, Package, named};
use super::reads::Reads;
use super::slice::Slice;
use super::targets::Called;
use crate::evaluator::Decision;

/// A rule (all rules of one name) and what its value depends on.
struct Node {
    path: String,
    /// The axes that it reads itself.
    axes: Vec<usize>,
    /// The rules that it names.
    parts: Vec<usize>,
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
    last: Option<Point>,
    key: Vec<u32>,
    /// Evaluations by the interpreter.
    pub(super) asked: u64,
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
            last: None,
            key: Vec::new(),
            asked: 0,
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
            let mut axes: Vec<usize> = rules
                .filter_map(|index| reads.get(*index))
                .flat_map(|reads| &reads.names)
                .filter_map(|name| self.axes.iter().position(|axis| axis.name == *name))
                .collect();
            axes.sort_unstable();
            axes.dedup();
            places.insert(name, self.nodes.len());
            self.nodes.push(Node {
                path: format!("data.{}.{name}", package.name),
                axes,
                parts,
                known: BTreeMap::new(),
                value: 0,
                has_changed: true,
            });
        }
    }

    /// What the slice decides at a point; or what it gives instead.
    pub(super) fn decide(&mut self, point: &Point) -> &Result<Decision, String> {
        let moved: Vec<bool> = match &self.last {
            Some(last) => last
                .iter()
                .zip(point)
                .map(|(old, new)| old != new)
                .collect(),
            None => vec![true; point.len()],
        };
        let is_first = self.last.is_none();
        let mut is_set = false;
        for at in 0..self.nodes.len() {
            let (before, from) = self.nodes.split_at_mut(at);
            let Some(node) = from.first_mut() else {
                break;
            };
            let is_stale = is_first
                || node.axes.iter().any(|axis| moved.get(*axis) == Some(&true))
                || node
                    .parts
                    .iter()
                    .any(|part| before.get(*part).is_some_and(|part| part.has_changed));
            if !is_stale {
                node.has_changed = false;
                continue;
            }
            self.key.clear();
            let axes = node.axes.iter().filter_map(|axis| point.get(*axis));
            self.key.extend(axes.copied());
            let parts = node.parts.iter().filter_map(|part| before.get(*part));
            self.key.extend(parts.map(|part| part.value));
            let value = match node.known.get(self.key.as_slice()) {
                Some(value) => *value,
                None => {
                    if !is_set {
                        let input = input_at(self.called, self.axes, point).document();
                        self.interpreter.set_input(document(input.as_ref()));
                        is_set = true;
                    }
                    self.asked += 1;
                    let value = self.values.number(self.interpreter.value(&node.path));
                    node.known.insert(self.key.clone(), value);
                    value
                }
            };
            node.has_changed = is_first || value != node.value;
            node.value = value;
        }
        match &mut self.last {
            Some(last) => last.clone_from(point),
            None => self.last = Some(point.clone()),
        }
        self.decision()
    }

    fn decision(&self) -> &Result<Decision, String> {
        let number = self.nodes.last().map_or(u32::MAX, |node| node.value);
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        self.values.decisions.get(place).unwrap_or(&NOTHING)
    }

    /// What the slice gives for an input that is no point of the product.
    pub(super) fn answer(&mut self, input: Value) -> Answer {
        self.asked += 1;
        self.interpreter.set_input(input);
        match self.nodes.last() {
            Some(node) => self.interpreter.value(&node.path),
            None => Ok(Value::Undefined),
        }
    }
}

/// There is no decision without a rule.
static NOTHING: Result<Decision, String> = Err(String::new());
