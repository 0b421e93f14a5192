//! Which rules of the package calls reach, as an engine goes through them from `decision` on: so
//! that what is emitted beside the package can name those that it leaves out. What a leaf says of a
//! call is the evaluator's word; only how rules name one another is read from the package.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::leaves::Vocabulary;
use super::printer;
use super::tree::{Body, Case, Expression, Item, Rule, Statement};
use crate::evaluator::{Call, Truth, truth};
use crate::ir::Condition;

/// The rules of a package, and which of them were reached so far.
#[derive(Debug)]
pub struct Trace {
    plan: Plan,
    seen: Seen,
}

/// A case of a rule that no call reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The line of the package in which it begins, from 1.
    pub line: usize,
    /// The name of the rule.
    pub rule: String,
    /// Why.
    pub because: Because,
}

/// Why a case was not reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Because {
    /// It asks for a rule that was not reached either.
    Needs(String),
    /// It asks that a rule does not hold, which holds on every call that comes to it.
    Holds(String),
    /// A case before it goes first on every call.
    Before,
    /// It asks for what never holds.
    Never,
    /// No call made all that it asks for hold at once.
    NoCall,
}

#[derive(Debug, Default)]
struct Plan {
    definitions: Vec<Definition>,
    names: Vec<Named>,
    numbers: BTreeMap<String, usize>,
    leaves: Vec<Leaf>,
}

/// A name with its definitions, as numbers.
#[derive(Debug)]
struct Named {
    text: String,
    definitions: Vec<usize>,
}

#[derive(Debug)]
struct Definition {
    name: usize,
    is_default: bool,
    cases: Vec<Planned>,
}

#[derive(Debug)]
struct Planned {
    line: usize,
    /// Its value as it is compared with others; none is `true`.
    value: Option<String>,
    is_constant: bool,
    steps: Vec<Step>,
    /// The names that its value, or a statement that is no step, mentions.
    mentions: Vec<usize>,
}

#[derive(Debug)]
enum Step {
    /// A rule holds, or does not.
    Rule { name: usize, holds: bool },
    /// A leaf, by its number.
    Leaf(usize),
    /// The tool of this name is called; constants that it mentions.
    Tool(String, Vec<usize>),
    /// Never.
    Never,
}

#[derive(Debug)]
struct Leaf {
    condition: Condition,
    /// Whether `not` stands before its call.
    is_negated: bool,
    mentions: Vec<usize>,
}

/// What calls reached.
#[derive(Debug, Default)]
struct Seen {
    /// By definition and case.
    cases: BTreeSet<(usize, usize)>,
    /// By name: whether it held on some call.
    names: BTreeSet<usize>,
    /// By name: whether it did not hold on some call.
    undefined: BTreeSet<usize>,
}

impl Trace {
    /// The rules of a package whose `package` stands behind so many lines, in the order in which
    /// they are printed; `leaves` are the statements that are leaves of conditions.
    pub fn of(
        lines_before: usize,
        package: &str,
        items: &[Item],
        leaves: BTreeMap<Statement, Condition>,
    ) -> Self {
        let mut plan = Plan::default();
        for item in items {
            if let Item::Rule(rule) = item {
                plan.number(&rule.name);
            }
        }
        let mut reader = Reader {
            plan,
            leaves,
            known: BTreeMap::new(),
            texts: BTreeMap::new(),
        };
        let mut line = lines_before + printer::opening(package).lines().count();
        for item in items {
            // A blank line stands before each.
            if let Item::Rule(rule) = item {
                reader.read(rule, line + 2);
            }
            line += printer::section(std::slice::from_ref(item)).lines().count();
        }
        Self {
            plan: reader.plan,
            seen: Seen::default(),
        }
    }

    /// Follows a call, given as the input document.
    pub fn follow(&mut self, input: &Value) {
        let mut walk = Walk {
            plan: &self.plan,
            seen: &mut self.seen,
            call: Call::from_input(input),
            names: vec![None; self.plan.names.len()],
            leaves: vec![None; self.plan.leaves.len()],
        };
        if let Some(decision) = self.plan.numbers.get("decision") {
            walk.is_defined(*decision);
        }
    }

    /// The cases that no call reached, by their lines.
    pub fn unreached(&self) -> Vec<Unreached> {
        let mut found = Vec::new();
        for (number, definition) in self.plan.definitions.iter().enumerate() {
            for (place, case) in definition.cases.iter().enumerate() {
                if !self.seen.cases.contains(&(number, place)) {
                    found.push(Unreached {
                        line: case.line,
                        rule: self.name(definition.name),
                        because: self.because(case, place),
                    });
                }
            }
        }
        found
    }

    fn because(&self, case: &Planned, place: usize) -> Because {
        for step in &case.steps {
            match step {
                Step::Never => return Because::Never,
                Step::Rule { name, holds: true } if !self.seen.names.contains(name) => {
                    return Because::Needs(self.name(*name));
                }
                Step::Rule { name, holds: false }
                    if self.seen.names.contains(name) && !self.seen.undefined.contains(name) =>
                {
                    return Because::Holds(self.name(*name));
                }
                _ => {}
            }
        }
        if place > 0 {
            Because::Before
        } else {
            Because::NoCall
        }
    }

    fn name(&self, number: usize) -> String {
        let name = self.plan.names.get(number);
        name.map(|name| name.text.clone()).unwrap_or_default()
    }
}

impl Plan {
    fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        self.names.push(Named {
            text: name.to_owned(),
            definitions: Vec::new(),
        });
        let number = self.names.len() - 1;
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

struct Reader {
    plan: Plan,
    leaves: BTreeMap<Statement, Condition>,
    /// The numbers of leaves that were met.
    known: BTreeMap<Statement, usize>,
    /// The long strings by the names of their constants.
    texts: BTreeMap<String, String>,
}

impl Reader {
    fn read(&mut self, rule: &Rule, line: usize) {
        let name = self.plan.number(&rule.name);
        if let Some(text) = long_text(rule) {
            self.texts.insert(rule.name.clone(), text);
        }
        let below = printer::lines_of_cases(rule);
        let cases = rule.cases.iter().zip(below);
        let cases = cases.map(|(case, below)| self.case(case, line + below));
        let definition = Definition {
            name,
            is_default: rule.is_default,
            cases: cases.collect(),
        };
        self.plan.definitions.push(definition);
        let number = self.plan.definitions.len() - 1;
        if let Some(named) = self.plan.names.get_mut(name) {
            named.definitions.push(number);
        }
    }

    fn case(&mut self, case: &Case, line: usize) -> Planned {
        let statements = match &case.body {
            Body::Always => &[],
            Body::Line(statement) => std::slice::from_ref(statement),
            Body::Block(statements) => statements.as_slice(),
        };
        let mut mentions = Vec::new();
        if let Some(value) = &case.value {
            self.mentions(value, &mut mentions);
        }
        let mut steps = Vec::new();
        for statement in statements {
            match self.step(statement) {
                Some(step) => steps.push(step),
                None => {
                    let (Statement::Holds(inner)
                    | Statement::Not(inner)
                    | Statement::Assign(_, inner)) = statement;
                    self.mentions(inner, &mut mentions);
                }
            }
        }
        Planned {
            line,
            value: case.value.as_ref().map(|value| format!("{value:?}")),
            is_constant: matches!(case.body, Body::Always),
            steps,
            mentions,
        }
    }

    fn step(&mut self, statement: &Statement) -> Option<Step> {
        if let Some(known) = self.known.get(statement) {
            return Some(Step::Leaf(*known));
        }
        if let Some(condition) = self.leaves.remove(statement) {
            let (Statement::Holds(inner) | Statement::Not(inner) | Statement::Assign(_, inner)) =
                statement;
            let mut mentions = Vec::new();
            self.mentions(inner, &mut mentions);
            self.plan.leaves.push(Leaf {
                condition,
                is_negated: matches!(statement, Statement::Not(_)),
                mentions,
            });
            let number = self.plan.leaves.len() - 1;
            self.known.insert(statement.clone(), number);
            return Some(Step::Leaf(number));
        }
        match statement {
            Statement::Holds(Expression::Bool(false)) => Some(Step::Never),
            Statement::Holds(Expression::Name(name))
            | Statement::Assign(_, Expression::Name(name)) => self.rule(name, true),
            Statement::Not(Expression::Name(name)) => self.rule(name, false),
            Statement::Holds(Expression::Binary(left, "==", right)) => self.tool(left, right),
            _ => None,
        }
    }

    fn rule(&self, name: &str, holds: bool) -> Option<Step> {
        let name = *self.plan.numbers.get(name)?;
        Some(Step::Rule { name, holds })
    }

    fn tool(&self, left: &Expression, right: &Expression) -> Option<Step> {
        if *left != Expression::name(Vocabulary::TOOL) {
            return None;
        }
        let mut mentions = Vec::new();
        self.mentions(right, &mut mentions);
        let tool = match right {
            Expression::Text(text) => Some(text),
            Expression::Name(name) => self.texts.get(&**name),
            _ => None,
        };
        Some(Step::Tool(tool?.clone(), mentions))
    }

    fn mentions(&self, expression: &Expression, found: &mut Vec<usize>) {
        let mut rest = vec![expression];
        while let Some(expression) = rest.pop() {
            match expression {
                Expression::Name(name) => found.extend(self.plan.numbers.get(&**name)),
                Expression::Member(base, keys) => {
                    rest.push(base);
                    rest.extend(keys);
                }
                Expression::Array(inner) | Expression::Lines(inner) => rest.extend(inner),
                Expression::Decision(_, rule) => rest.push(rule),
                Expression::Call(name, arguments) => {
                    found.extend(self.plan.numbers.get(&**name));
                    rest.extend(arguments);
                }
                Expression::Binary(left, _, right) => rest.extend([&**left, &**right]),
                Expression::Text(_) | Expression::Number(_) | Expression::Bool(_) => {}
            }
        }
    }
}

/// The string that a constant of several lines is.
fn long_text(rule: &Rule) -> Option<String> {
    let value = rule.cases.first()?.value.as_ref()?;
    let Expression::Call(_, arguments) = value else {
        return None;
    };
    let Some(Expression::Lines(parts)) = arguments.last() else {
        return None;
    };
    let texts = parts.iter().map(|part| match part {
        Expression::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

/// One call on its way through the rules.
struct Walk<'t> {
    plan: &'t Plan,
    seen: &'t mut Seen,
    call: Call<'t>,
    names: Vec<Option<bool>>,
    leaves: Vec<Option<bool>>,
}

impl<'t> Walk<'t> {
    /// Whether a rule has a value. Rules name one another as deep as interpreters allow: no more.
    fn is_defined(&mut self, name: usize) -> bool {
        if let Some(known) = self.names.get(name).copied().flatten() {
            return known;
        }
        let plan = self.plan;
        let mut is_defined = false;
        let mut default = None;
        let has_one_value = self.has_one_value(name);
        for number in plan.names.get(name).iter().flat_map(|it| &it.definitions) {
            let Some(definition) = plan.definitions.get(*number) else {
                continue;
            };
            if definition.is_default {
                default = Some((*number, definition));
                continue;
            }
            for (place, case) in definition.cases.iter().enumerate() {
                if case.steps.iter().all(|step| self.holds(step)) {
                    is_defined = true;
                    self.reach(*number, place, case);
                    break;
                }
            }
            if is_defined && has_one_value {
                break;
            }
        }
        if let (false, Some((number, definition))) = (is_defined, default) {
            for (place, case) in definition.cases.iter().enumerate() {
                self.reach(number, place, case);
            }
        }
        if is_defined {
            self.seen.names.insert(name);
        } else {
            self.seen.undefined.insert(name);
        }
        if let Some(known) = self.names.get_mut(name) {
            *known = Some(is_defined);
        }
        is_defined
    }

    /// Whether the definitions of a rule that are for the tool of the call all give one constant
    /// value: an engine then looks no further than at the first that holds.
    fn has_one_value(&self, name: usize) -> bool {
        let tool = self.call.tool();
        let is_for_call = |case: &Planned| {
            let mut steps = case.steps.iter();
            steps
                .all(|step| !matches!(step, Step::Tool(wanted, _) if tool != Some(wanted.as_str())))
        };
        let definitions = self.plan.names.get(name).into_iter();
        let definitions = definitions.flat_map(|named| &named.definitions);
        let mut heads = definitions
            .filter_map(|number| self.plan.definitions.get(*number))
            .filter(|definition| !definition.is_default)
            .filter_map(|definition| definition.cases.first())
            .filter(|case| is_for_call(case));
        let Some(first) = heads.next() else {
            return false;
        };
        let is_constant = first.value.is_none() || first.mentions.is_empty();
        is_constant && heads.all(|case| case.value == first.value)
    }

    fn holds(&mut self, step: &'t Step) -> bool {
        match step {
            Step::Never => false,
            Step::Rule { name, holds } => self.is_defined(*name) == *holds,
            Step::Tool(tool, mentions) => {
                mentions.iter().for_each(|name| self.mention(*name, true));
                self.call.tool() == Some(tool.as_str())
            }
            Step::Leaf(number) => {
                if let Some(known) = self.leaves.get(*number).copied().flatten() {
                    return known;
                }
                let Some(leaf) = self.plan.leaves.get(*number) else {
                    return false;
                };
                let holds = truth(&leaf.condition, &self.call) == Truth::True;
                for name in &leaf.mentions {
                    self.mention(*name, holds == leaf.is_negated);
                }
                if let Some(known) = self.leaves.get_mut(*number) {
                    *known = Some(holds);
                }
                holds
            }
        }
    }

    /// A case holds: it is reached, and all that it mentions.
    fn reach(&mut self, definition: usize, place: usize, case: &Planned) {
        if self.seen.cases.insert((definition, place)) {
            case.mentions
                .iter()
                .for_each(|name| self.mention(*name, false));
        }
    }

    /// A helper or a constant was used; only `if_constant`, where what it is used in does not hold.
    fn mention(&mut self, name: usize, if_constant: bool) {
        let plan = self.plan;
        for number in plan.names.get(name).iter().flat_map(|it| &it.definitions) {
            let Some(definition) = plan.definitions.get(*number) else {
                continue;
            };
            for (place, case) in definition.cases.iter().enumerate() {
                if case.is_constant || !if_constant {
                    self.seen.names.insert(name);
                    self.reach(*number, place, case);
                }
            }
        }
    }
}
