//! Decisions of a slice at the points of a product, without evaluating what is known.
//!
//! In the vocabulary of the emitted Rego a rule's value depends on what the rule reads of the
//! input and on the values of the rules that it names, and on nothing else. So a combination of
//! these that occurred at one point need not be evaluated at another: the interpreter is asked
//! for each rule at each point at which it meets a combination that it has not met, and now and
//! then for all rules at once, to compare. What it evaluates are the emitted rules, as they are,
//! on a whole input.

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
    name: String,
    /// Its whole path.
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
    /// Whole path of the decision.
    path: String,
    /// The segments of the package's name.
    package: Vec<String>,
    /// Whether a rule had two values for one combination, so that nothing is known of others.
    is_refuted: bool,
    last: Option<Point>,
    key: Vec<u32>,
    /// Number of points so far.
    decided: u32,
}

/// At one of so many points all rules are evaluated, to compare.
const COMPARED: u32 = 61;

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
            path: format!("data.{}.{DECISION}", package.name),
            package: package.name.split('.').map(str::to_owned).collect(),
            is_refuted: false,
            last: None,
            key: Vec::new(),
            decided: 0,
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
                name: name.to_owned(),
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
        self.decided = self.decided.wrapping_add(1);
        let is_compared = self.decided.is_multiple_of(COMPARED);
        let number = match self.compose(point) {
            Some(number) if !is_compared || self.is_confirmed(point) => number,
            _ => {
                self.set_input(point);
                self.values.number(self.interpreter.value(&self.path))
            }
        };
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        self.values.decisions.get(place).unwrap_or(&NOTHING)
    }

    fn set_input(&mut self, point: &Point) {
        let input = input_at(self.called, self.axes, point).document();
        self.interpreter.set_input(document(input.as_ref()));
    }

    /// Number of the decision's value at a point, from the values of the rules: those that are
    /// known for what they meet there, and those that the interpreter gives. None where the rules
    /// cannot be taken one by one.
    fn compose(&mut self, point: &Point) -> Option<u32> {
        if self.is_refuted {
            return None;
        }
        // Until all of it is known, no node has its value at a point.
        let last = self.last.take();
        let mut is_set = false;
        for at in 0..self.nodes.len() {
            let (before, from) = self.nodes.split_at_mut(at);
            let node = from.first_mut()?;
            if let Some(last) = &last {
                let has_moved = |axis: &usize| last.get(*axis) != point.get(*axis);
                let has_changed =
                    |part: &usize| before.get(*part).is_some_and(|part| part.has_changed);
                if !node.axes.iter().any(has_moved) && !node.parts.iter().any(has_changed) {
                    node.has_changed = false;
                    continue;
                }
            }
            node.key_into(before, point, &mut self.key);
            let known = node.known.get(self.key.as_slice()).copied();
            let value = match known {
                Some(value) => value,
                None => {
                    if !is_set {
                        self.set_input(point);
                        is_set = true;
                    }
                    self.ask(at)?
                }
            };
            let node = self.nodes.get_mut(at)?;
            node.has_changed = last.is_none() || value != node.value;
            node.value = value;
        }
        self.remember(last, point);
        self.nodes.last().map(|node| node.value)
    }

    /// Asks the interpreter for one rule, of the input that is set; none if the rule fails, which
    /// the decision may not name there.
    fn ask(&mut self, at: usize) -> Option<u32> {
        let node = self.nodes.get_mut(at)?;
        let answer = self.interpreter.value(&node.path);
        if answer.is_err() {
            return None;
        }
        let value = self.values.number(answer);
        node.known.insert(self.key.clone(), value);
        Some(value)
    }

    /// Whether the interpreter, asked for all rules at a point, gives the values that they were
    /// just found to have. If not, nothing is known of others from then on.
    fn is_confirmed(&mut self, point: &Point) -> bool {
        self.set_input(point);
        let Ok(values) = self.interpreter.all_values() else {
            return false;
        };
        let mut package = &values;
        for segment in &self.package {
            package = &package[segment.as_str()];
        }
        for node in &self.nodes {
            let value = self.values.number(Ok(package[node.name.as_str()].clone()));
            self.is_refuted |= value != node.value;
        }
        !self.is_refuted
    }

    fn remember(&mut self, last: Option<Point>, point: &Point) {
        let mut last = last.unwrap_or_default();
        last.clone_from(point);
        self.last = Some(last);
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
        let axes = self.axes.iter().filter_map(|axis| point.get(*axis));
        key.extend(axes.copied());
        let parts = self.parts.iter().filter_map(|part| before.get(*part));
        key.extend(parts.map(|part| part.value));
    }
}

/// There is no decision without a rule.
static NOTHING: Result<Decision, String> = Err(String::new());
