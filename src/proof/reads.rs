//! What a package reads of its input: which names it compares with which literals.
//!
//! The classes of a proof are those that the leaves of *both* sides tell apart. What the Rego
//! compares is found here, by following each constant into the helper functions; so a Rego that
//! reads a name or a literal that the rulebook does not read is asked about these as well.

use std::collections::{BTreeMap, BTreeSet};

use super::package::{BUILTINS, Case, Expression, Fault, Package, Rule, Statement};
use crate::ir::{Compare, Condition, Literal, Name, Number, Operator, is_tool_name};

/// What a rule reads itself, without the rules that it names.
#[derive(Debug, Default)]
pub(super) struct Reads {
    /// The names of the context.
    pub(super) names: BTreeSet<Name>,
    /// Its comparisons, as leaves of conditions.
    pub(super) leaves: Vec<Condition>,
    /// Names of which it can tell kinds apart that no leaf of a rulebook tells apart.
    pub(super) kinds_of: BTreeSet<Name>,
    /// Names whose value is its value.
    pub(super) passed_on: BTreeSet<Name>,
    /// The tools that it asks for.
    pub(super) tools: BTreeSet<String>,
}

/// Finds what a rule reads. Functions read nothing by themselves: their calls do.
///
/// # Errors
/// A use of the input that no leaf of a rulebook is, with its line.
pub(super) fn reads_of(package: &Package, rule: &Rule) -> Result<Reads, Fault> {
    let mut reader = Reader {
        package,
        line: rule.line,
        reads: Reads::default(),
        tested: Vec::new(),
        kind_tests: BTreeSet::new(),
    };
    if rule.parameters.is_empty() {
        for case in &rule.cases {
            let value = reader.case(case, BTreeMap::new())?;
            // False and undefined are not the same to those that name the rule.
            reader.falsehood_counts(&value)?;
            if let Symbol::Input(path) = &value {
                // Those that compare the rule follow it to the input only where it always has it.
                if !matches!(reader.rule_value(&rule.name)?, Symbol::Input(_)) {
                    return Err(reader.fault("passes on what the input holds, under a condition"));
                }
                let name = reader.name(path)?;
                reader.reads.passed_on.insert(name);
            }
            reader.tested.clear();
        }
    }
    Ok(reader.into_reads())
}

/// What an expression is known to be.
#[derive(Clone, Debug)]
enum Symbol {
    /// Always the same.
    Constant(Expression),
    /// What stands there in the input.
    Input(Vec<String>),
    /// Whether what stands there is of a kind.
    OfKind(Vec<String>, Kind),
    /// A comparison with this name; its falsehood tells kinds apart unless one was tested.
    Truth(Option<Name>),
    /// Anything that rules and constants make.
    Made,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Boolean,
    Number,
    String,
}

type Variables<'p> = BTreeMap<&'p str, Symbol>;

struct Reader<'p> {
    package: &'p Package,
    line: u32,
    reads: Reads,
    /// What the statements so far ask for.
    tested: Vec<(Vec<String>, Kind)>,
    kind_tests: BTreeSet<(Name, Kind)>,
}

impl<'p> Reader<'p> {
    fn into_reads(mut self) -> Reads {
        for (name, kind) in &self.kind_tests {
            // A kind is told apart by each literal of it.
            let is_told = self.reads.leaves.iter().any(|leaf| match leaf {
                Condition::Compare(compare) => {
                    compare.name == *name && kind_of(&compare.value) == *kind
                }
                _ => false,
            });
            if !is_told {
                self.reads.kinds_of.insert(name.clone());
            }
        }
        // A name of which only the kinds are asked has values as well.
        let has_leaf = |name: &&Name| {
            let mut leaves = self.reads.leaves.iter();
            leaves.any(|leaf| leaf.name() == Some(*name))
        };
        let names = self.reads.names.iter();
        let bare: Vec<Name> = names.filter(|name| !has_leaf(name)).cloned().collect();
        let leaves = bare.iter().cloned().map(Condition::IsTrue);
        self.reads.leaves.extend(leaves);
        self.reads.kinds_of.extend(bare);
        self.reads
    }

    fn fault(&self, what: &str) -> Fault {
        format!("line {} {what}, which no translator writes", self.line)
    }

    /// Reads a case: the symbol of its value.
    fn case(&mut self, case: &'p Case, mut variables: Variables<'p>) -> Result<Symbol, Fault> {
        // An undefined value that is assigned ends the case. So does a leaf of that value, which
        // therefore must follow.
        let mut unused: Vec<&str> = Vec::new();
        for statement in &case.body {
            let expression = statement.expression();
            let symbol = self.expression(expression, &variables)?;
            if !matches!(statement, Statement::Not(_)) {
                unused.retain(|name| !mentions(expression, name));
            }
            match (statement, symbol) {
                (Statement::Assign(name, _), symbol) => {
                    // A false value can be assigned, and an undefined one cannot.
                    self.falsehood_counts(&symbol)?;
                    if matches!(symbol, Symbol::Input(_)) {
                        unused.push(name);
                    }
                    variables.insert(name, symbol);
                }
                (
                    Statement::Not(Expression::Name(_)),
                    symbol @ (Symbol::Truth(_) | Symbol::OfKind(..)),
                ) => {
                    self.falsehood_counts(&symbol)?;
                }
                (_, Symbol::Input(path)) => {
                    let name = self.name(&path)?;
                    self.reads.kinds_of.insert(name);
                }
                (Statement::Holds(_), Symbol::OfKind(path, kind)) => self.tested.push((path, kind)),
                _ => {}
            }
        }
        let value = case.value.as_ref();
        unused.retain(|name| value.is_none_or(|value| !mentions(value, name)));
        if !unused.is_empty() {
            return Err(self.fault("does not use what it reads"));
        }
        match value {
            Some(value) => self.expression(value, &variables),
            None => Ok(Symbol::Truth(None)),
        }
    }

    /// The falsehood of a comparison is told apart from there being none.
    fn falsehood_counts(&mut self, symbol: &Symbol) -> Result<(), Fault> {
        match symbol {
            Symbol::Truth(Some(name)) => {
                self.reads.kinds_of.insert(name.clone());
            }
            Symbol::OfKind(path, _) => {
                let name = self.name(path)?;
                self.reads.kinds_of.insert(name);
            }
            _ => {}
        }
        Ok(())
    }

    /// The name of the context that stands at a path of the input.
    fn name(&mut self, path: &[String]) -> Result<Name, Fault> {
        match path.split_first() {
            Some((root, name)) if root == "context" && !name.is_empty() && !is_tool_name(name) => {
                self.reads.names.insert(name.to_vec());
                Ok(name.to_vec())
            }
            _ => Err(self.fault("reads what is no name of the context")),
        }
    }

    fn expression(
        &mut self,
        expression: &'p Expression,
        variables: &Variables<'p>,
    ) -> Result<Symbol, Fault> {
        match expression {
            Expression::Text(_) | Expression::Number(_) | Expression::Bool(_) => {
                Ok(Symbol::Constant(expression.clone()))
            }
            Expression::Name(name) if name == "input" => Ok(Symbol::Input(Vec::new())),
            Expression::Name(name) => match variables.get(name.as_str()) {
                Some(symbol) => Ok(symbol.clone()),
                None => self.rule_value(name),
            },
            Expression::Member(base, key) => {
                let base = self.expression(base, variables)?;
                let key = self.expression(key, variables)?;
                match (base, key) {
                    (Symbol::Input(mut path), Symbol::Constant(Expression::Text(segment))) => {
                        path.push(segment);
                        Ok(Symbol::Input(path))
                    }
                    _ => Err(self.fault("reads a part of what is not the input")),
                }
            }
            Expression::Array(items) => {
                let items = self.all(items.iter(), variables)?;
                self.made(items, Expression::Array)
            }
            Expression::Object(fields) => {
                let keys = self.all(fields.iter().map(|(key, _)| key), variables)?;
                let values = self.all(fields.iter().map(|(_, value)| value), variables)?;
                self.made(keys, Expression::Array)?;
                self.made(values, Expression::Array)?;
                Ok(Symbol::Made)
            }
            Expression::Call(function, arguments) => {
                let arguments = self.all(arguments.iter(), variables)?;
                for argument in &arguments {
                    self.falsehood_counts(argument)?;
                }
                if BUILTINS.contains(&function.as_str()) {
                    self.builtin(function, arguments)
                } else {
                    self.call(function, &arguments)
                }
            }
            Expression::Compare(operator, left, right) => {
                let left = self.expression(left, variables)?;
                let right = self.expression(right, variables)?;
                self.compare(*operator, left, right)
            }
            Expression::In(element, array) => {
                let element = self.expression(element, variables)?;
                let array = self.expression(array, variables)?;
                self.among(element, array)
            }
        }
    }

    fn all<'e>(
        &mut self,
        expressions: impl Iterator<Item = &'p Expression> + 'e,
        variables: &Variables<'p>,
    ) -> Result<Vec<Symbol>, Fault>
    where
        'p: 'e,
    {
        expressions
            .map(|expression| self.expression(expression, variables))
            .collect()
    }

    /// What is made of parts: a constant of constants, and never of what the input holds.
    fn made(
        &self,
        parts: Vec<Symbol>,
        join: impl FnOnce(Vec<Expression>) -> Expression,
    ) -> Result<Symbol, Fault> {
        let mut constants = Vec::new();
        for part in &parts {
            match part {
                Symbol::Constant(constant) => constants.push(constant.clone()),
                Symbol::Made => {}
                Symbol::Input(_) | Symbol::OfKind(..) | Symbol::Truth(_) => {
                    return Err(self.fault("makes a value of the input"));
                }
            }
        }
        Ok(if constants.len() == parts.len() {
            Symbol::Constant(join(constants))
        } else {
            Symbol::Made
        })
    }

    /// The value of a rule where it is always the same, or what stands at a path of the input.
    fn rule_value(&mut self, name: &str) -> Result<Symbol, Fault> {
        let package = self.package;
        let mut rules = package.rules_of(name);
        let (Some((_, rule)), None) = (rules.next(), rules.next()) else {
            return Ok(Symbol::Made);
        };
        let ([case], false) = (rule.cases.as_slice(), rule.is_default) else {
            return Ok(Symbol::Made);
        };
        let only_assigns = |statement| matches!(statement, &Statement::Assign(..));
        if case.value.is_none() || !case.body.iter().all(only_assigns) {
            return Ok(Symbol::Made);
        }
        let symbol = self.case(case, BTreeMap::new())?;
        Ok(match symbol {
            Symbol::Constant(_) | Symbol::Input(_) => symbol,
            Symbol::OfKind(..) | Symbol::Truth(_) | Symbol::Made => Symbol::Made,
        })
    }

    fn builtin(&mut self, function: &str, arguments: Vec<Symbol>) -> Result<Symbol, Fault> {
        let kind = match function {
            "is_boolean" => Kind::Boolean,
            "is_number" => Kind::Number,
            "is_string" => Kind::String,
            _ => {
                return match arguments.as_slice() {
                    [
                        Symbol::Constant(Expression::Text(between)),
                        Symbol::Constant(Expression::Array(parts)),
                    ] => {
                        let texts: Option<Vec<&str>> = parts
                            .iter()
                            .map(|part| match part {
                                Expression::Text(text) => Some(text.as_str()),
                                _ => None,
                            })
                            .collect();
                        let texts = texts.ok_or_else(|| self.fault("joins what is no text"))?;
                        Ok(Symbol::Constant(Expression::Text(texts.join(between))))
                    }
                    _ => Err(self.fault("joins what is not constant")),
                };
            }
        };
        match arguments.into_iter().next() {
            Some(Symbol::Input(path)) => {
                if is_tool(&path) {
                    if kind != Kind::String {
                        return Err(self.fault("asks for a tool that is no string"));
                    }
                } else {
                    let name = self.name(&path)?;
                    if kind == Kind::Boolean {
                        let leaf = compare(name.clone(), Operator::Equal, Literal::Bool(true));
                        self.reads.leaves.push(leaf);
                    }
                    self.kind_tests.insert((name, kind));
                }
                Ok(Symbol::OfKind(path, kind))
            }
            _ => Ok(Symbol::Made),
        }
    }

    fn call(&mut self, function: &str, arguments: &[Symbol]) -> Result<Symbol, Fault> {
        let package = self.package;
        let tested = self.tested.len();
        let mut symbols = Vec::new();
        for (_, rule) in package.rules_of(function) {
            self.passed(rule, arguments)?;
            for case in &rule.cases {
                let parameters = rule.parameters.iter().map(String::as_str);
                let variables = parameters.zip(arguments.iter().cloned()).collect();
                symbols.push(self.case(case, variables)?);
                self.tested.truncate(tested);
            }
        }
        match (symbols.pop(), symbols.is_empty()) {
            (Some(symbol), true) => Ok(symbol),
            (last, _) => {
                for symbol in last.iter().chain(&symbols) {
                    if matches!(symbol, Symbol::Input(_)) {
                        return Err(self.fault("calls a function of several values"));
                    }
                    self.falsehood_counts(symbol)?;
                }
                Ok(Symbol::Made)
            }
        }
    }

    /// A call is undefined when an argument is, which the function's `not` does not see.
    fn passed(&mut self, rule: &Rule, arguments: &[Symbol]) -> Result<(), Fault> {
        for (parameter, argument) in rule.parameters.iter().zip(arguments) {
            let Symbol::Input(path) = argument else {
                continue;
            };
            let is_asked = rule.cases.iter().all(|case| {
                let positive = case.body.iter().all(|it| !matches!(it, Statement::Not(_)));
                let statements = case.body.iter().map(Statement::expression);
                positive
                    && statements
                        .chain(&case.value)
                        .any(|it| mentions(it, parameter))
            });
            if !is_asked {
                let name = self.name(path)?;
                self.reads.kinds_of.insert(name);
            }
        }
        Ok(())
    }

    fn compare(
        &mut self,
        operator: Operator,
        left: Symbol,
        right: Symbol,
    ) -> Result<Symbol, Fault> {
        match (left, right) {
            (Symbol::Input(path), Symbol::Constant(constant)) => {
                self.leaf(operator, path, &constant)
            }
            (Symbol::Constant(constant), Symbol::Input(path)) => {
                self.leaf(mirrored(operator), path, &constant)
            }
            (Symbol::Input(_), _) | (_, Symbol::Input(_)) => {
                Err(self.fault("compares the input with what is no literal"))
            }
            (left, right) => {
                self.falsehood_counts(&left)?;
                self.falsehood_counts(&right)?;
                Ok(Symbol::Truth(None))
            }
        }
    }

    fn leaf(
        &mut self,
        operator: Operator,
        path: Vec<String>,
        constant: &Expression,
    ) -> Result<Symbol, Fault> {
        let literal = self.literal(constant)?;
        let is_order = !matches!(operator, Operator::Equal | Operator::NotEqual);
        if is_order && !matches!(literal, Literal::Number(_)) {
            // No class of strings lies between two others.
            return Err(self.fault("orders what are no numbers"));
        }
        let is_tested = self.tested.contains(&(path.clone(), kind_of(&literal)));
        if is_tool(&path) {
            return match literal {
                Literal::String(tool) if is_tested || operator == Operator::Equal => {
                    self.reads.tools.insert(tool);
                    Ok(if is_tested {
                        Symbol::Truth(None)
                    } else {
                        Symbol::OfKind(path, Kind::String)
                    })
                }
                _ => Err(self.fault("compares the tool with what is no name")),
            };
        }
        let name = self.name(&path)?;
        let is_told = is_tested || operator == Operator::Equal;
        let is_true = literal == Literal::Bool(true) && operator == Operator::Equal && !is_tested;
        self.reads.leaves.push(if is_true {
            Condition::IsTrue(name.clone())
        } else {
            compare(name.clone(), operator, literal)
        });
        if !is_told {
            self.reads.kinds_of.insert(name.clone());
        }
        Ok(Symbol::Truth((!is_tested).then_some(name)))
    }

    fn among(&mut self, element: Symbol, array: Symbol) -> Result<Symbol, Fault> {
        match (element, array) {
            (Symbol::Input(path), Symbol::Constant(Expression::Array(items))) => {
                let mut unknown = None;
                for item in &items {
                    match self.leaf(Operator::Equal, path.clone(), item)? {
                        Symbol::Truth(None) => {}
                        other => unknown = Some(other),
                    }
                }
                Ok(unknown.unwrap_or(Symbol::Truth(None)))
            }
            (Symbol::Constant(_), Symbol::Constant(_)) => Ok(Symbol::Made),
            _ => Err(self.fault("looks for what is not the input's in what is no list")),
        }
    }

    fn literal(&self, constant: &Expression) -> Result<Literal, Fault> {
        match constant {
            Expression::Text(text) => Ok(Literal::String(text.clone())),
            Expression::Number(number) => Ok(Literal::Number(Number(number.clone()))),
            Expression::Bool(value) => Ok(Literal::Bool(*value)),
            _ => Err(self.fault("compares the input with what is no literal")),
        }
    }
}

/// Whether an expression names a variable.
fn mentions(whole: &Expression, name: &str) -> bool {
    let mut rest = vec![whole];
    while let Some(expression) = rest.pop() {
        if matches!(expression, Expression::Name(found) if found == name) {
            return true;
        }
        rest.extend(expression.parts());
    }
    false
}

fn compare(name: Name, op: Operator, value: Literal) -> Condition {
    Condition::Compare(Compare { name, op, value })
}

fn is_tool(path: &[String]) -> bool {
    matches!(path, [only] if only == "tool")
}

fn kind_of(literal: &Literal) -> Kind {
    match literal {
        Literal::Bool(_) => Kind::Boolean,
        Literal::Number(_) => Kind::Number,
        Literal::String(_) => Kind::String,
    }
}

/// The operator with its sides exchanged.
fn mirrored(operator: Operator) -> Operator {
    match operator {
        Operator::Less => Operator::Greater,
        Operator::LessOrEqual => Operator::GreaterOrEqual,
        Operator::Greater => Operator::Less,
        Operator::GreaterOrEqual => Operator::LessOrEqual,
        Operator::Equal | Operator::NotEqual => operator,
    }
}
