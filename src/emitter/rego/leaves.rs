//! Leaves of conditions as statements, and the helper functions and constants that these use.
//!
//! A helper asks for the type first and compares then: OPA orders values across types, so that
//! `null < 500` is true there.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::tree::{Body, Case, Expression, Item, Rule, Statement};
use crate::ir::{Compare, Condition, Literal, OneOf, Operator, is_tool_name};
use crate::text::write_escaped;

/// Most columns and bytes, escapes counted, of a string that stands where it is used. Longer ones
/// become constants, a part a line: interpreters refuse lines of more than 1,024 columns.
const MAX_INLINE_COLUMNS: usize = 200;
const MAX_INLINE_BYTES: usize = 400;

/// Most bytes, together, of the segments of a name, or of a list of literals, that stand where
/// they are used.
const MAX_INLINE_NAME: usize = 400;
const MAX_INLINE_LIST: usize = 100;

/// Parameters for the segments of a dotted path; names of more segments become constants.
const SEGMENTS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

const CONTEXT: &str = "input.context";
const TOOL: &str = "input.tool";

/// What the emitted rules use of helpers and constants. Only what is used is emitted.
#[derive(Debug, Default)]
pub struct Vocabulary {
    helpers: BTreeSet<Helper>,
    texts: Constants<String>,
    lists: Constants<Vec<Literal>>,
    names: Constants<Vec<String>>,
    /// Numbers of the constant names that a helper asks for being true.
    true_names: BTreeSet<usize>,
    /// The leaves by the statements that they became; none where nobody asks.
    leaves: Option<BTreeMap<Statement, Condition>>,
}

/// Constants of one kind, numbered from 1 in the order of first use.
#[derive(Debug)]
struct Constants<T> {
    values: Vec<T>,
    numbers: BTreeMap<T, usize>,
}

impl<T> Default for Constants<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            numbers: BTreeMap::new(),
        }
    }
}

impl<T: Ord + Clone> Constants<T> {
    fn number(&mut self, value: &T) -> usize {
        if let Some(number) = self.numbers.get(value) {
            return *number;
        }
        self.values.push(value.clone());
        self.numbers.insert(value.clone(), self.values.len());
        self.values.len()
    }
}

/// A helper function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Helper {
    test: Test,
    subject: Subject,
}

/// What a helper asks of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Test {
    /// It is exactly `true`.
    True,
    /// It compares so with a literal of the kind.
    Compares(Kind, Operator),
    /// It is in a list of literals of the kind.
    Among(Kind),
    /// It is of the kind and not in the list.
    NotAmong(Kind),
}

/// Where a helper finds the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    /// In the context, under a path of so many segments.
    Context(usize),
    /// It is handed over.
    Value,
    /// It is the name of the tool called.
    Tool,
}

/// Kinds of literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Boolean,
    Number,
    String,
}

impl Kind {
    fn of(literal: &Literal) -> Self {
        match literal {
            Literal::Bool(_) => Self::Boolean,
            Literal::Number(_) => Self::Number,
            Literal::String(_) => Self::String,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::String => "string",
        }
    }
}

fn operator_name(operator: Operator) -> &'static str {
    match operator {
        Operator::Equal => "equal",
        Operator::NotEqual => "unequal",
        Operator::Less => "below",
        Operator::LessOrEqual => "at_most",
        Operator::Greater => "above",
        Operator::GreaterOrEqual => "at_least",
    }
}

fn operator_sign(operator: Operator) -> &'static str {
    match operator {
        Operator::Equal => "==",
        Operator::NotEqual => "!=",
        Operator::Less => "<",
        Operator::LessOrEqual => "<=",
        Operator::Greater => ">",
        Operator::GreaterOrEqual => ">=",
    }
}

impl Vocabulary {
    /// Where the name of the tool called stands.
    pub const TOOL: &str = TOOL;

    /// A vocabulary that keeps what leaf each statement is.
    pub fn with_leaves() -> Self {
        Self {
            leaves: Some(BTreeMap::new()),
            ..Self::default()
        }
    }

    /// The leaves by the statements that they became, where they were kept.
    pub fn take_leaves(&mut self) -> BTreeMap<Statement, Condition> {
        self.leaves.take().unwrap_or_default()
    }

    /// A string where it is used: itself, or the name of a constant.
    pub fn text(&mut self, text: &str) -> Expression {
        if fits_inline(text) {
            Expression::text(text)
        } else {
            Expression::name(format!("text_{}", self.texts.number(&text.to_owned())))
        }
    }

    /// Whether a name stands where it is used; longer ones become constants.
    pub fn is_short(name: &[String]) -> bool {
        let inline = name.iter().filter(|segment| fits_inline(segment));
        let short = inline.map(String::len).sum::<usize>() <= MAX_INLINE_NAME;
        short && name.len() <= SEGMENTS.len()
    }

    /// The statement that a leaf is. Anything else than a leaf never holds.
    pub fn leaf(&mut self, leaf: &Condition) -> Statement {
        let statement = self.statement(leaf);
        if let Some(leaves) = &mut self.leaves {
            leaves
                .entry(statement.clone())
                .or_insert_with(|| leaf.clone());
        }
        statement
    }

    fn statement(&mut self, leaf: &Condition) -> Statement {
        match leaf {
            Condition::IsTrue(name) => Statement::Holds(self.is_true(name)),
            Condition::NotTrue(name) => Statement::Not(self.is_true(name)),
            Condition::Compare(Compare { name, op, value }) => {
                let operand = self.literal(value);
                self.test(Test::Compares(Kind::of(value), *op), name, operand)
            }
            Condition::OneOf(OneOf {
                name,
                negated,
                values,
            }) => {
                let kind = values.first().map_or(Kind::String, Kind::of);
                let test = if *negated {
                    Test::NotAmong(kind)
                } else {
                    Test::Among(kind)
                };
                let operand = self.list(values);
                self.test(test, name, operand)
            }
            Condition::All(_) | Condition::Any(_) | Condition::Const(_) => {
                Statement::Holds(Expression::Bool(false))
            }
        }
    }

    fn is_true(&mut self, name: &[String]) -> Expression {
        if let Some(segments) = self.segments(name) {
            return self.call(Test::True, Subject::Context(segments.len()), segments);
        }
        let number = self.names.number(&name.to_vec());
        self.true_names.insert(number);
        Expression::name(format!("name_{number}_is_true"))
    }

    fn test(&mut self, test: Test, name: &[String], operand: Expression) -> Statement {
        let (subject, mut arguments) = if is_tool_name(name) {
            (Subject::Tool, Vec::new())
        } else if let Some(segments) = self.segments(name) {
            (Subject::Context(segments.len()), segments)
        } else {
            let constant = format!("name_{}", self.names.number(&name.to_vec()));
            (Subject::Value, vec![Expression::name(constant)])
        };
        arguments.push(operand);
        Statement::Holds(self.call(test, subject, arguments))
    }

    fn call(&mut self, test: Test, subject: Subject, arguments: Vec<Expression>) -> Expression {
        let helper = Helper { test, subject };
        self.helpers.insert(helper);
        Expression::call(helper.name(), arguments)
    }

    /// The segments of a name as arguments; none when they are too many or too long.
    fn segments(&mut self, name: &[String]) -> Option<Vec<Expression>> {
        Self::is_short(name).then(|| name.iter().map(|segment| self.text(segment)).collect())
    }

    fn literal(&mut self, literal: &Literal) -> Expression {
        match literal {
            Literal::Bool(value) => Expression::Bool(*value),
            Literal::Number(number) => Expression::Number(number.0.to_string()),
            Literal::String(text) => self.text(text),
        }
    }

    fn list(&mut self, values: &[Literal]) -> Expression {
        let length = |value: &Literal| match value {
            Literal::String(text) => text.len() + 4,
            Literal::Bool(_) | Literal::Number(_) => 18,
        };
        let inline = values.iter().map(length).sum::<usize>() <= MAX_INLINE_LIST;
        if inline {
            Expression::Array(values.iter().map(|value| self.literal(value)).collect())
        } else {
            Expression::name(format!("list_{}", self.lists.number(&values.to_vec())))
        }
    }

    /// The rules of all that was used: helpers, then constants.
    pub fn into_items(mut self) -> Vec<Item> {
        let lists = std::mem::take(&mut self.lists);
        let lists = lists
            .values
            .iter()
            .map(|values| values.iter().map(|value| self.literal(value)).collect())
            .collect::<Vec<Vec<_>>>();
        let names = std::mem::take(&mut self.names);
        let names = names.values.iter().zip(1..);
        let names = names
            .flat_map(|(name, number)| self.name_rules(name, number))
            .collect::<Vec<_>>();
        let mut rules = Vec::new();
        rules.extend(self.helpers.iter().map(Helper::rule));
        if !names.is_empty() {
            rules.push(step_function(1));
            rules.push(step_function(SEGMENTS.len()));
        }
        for (text, number) in self.texts.values.iter().zip(1..) {
            let parts = parts(text).into_iter().map(Expression::Text).collect();
            let whole = Expression::call(
                "concat",
                vec![Expression::text(""), Expression::Lines(parts)],
            );
            rules.push(constant(format!("text_{number}"), whole));
        }
        for (list, number) in lists.into_iter().zip(1..) {
            rules.push(constant(format!("list_{number}"), Expression::Lines(list)));
        }
        rules.extend(names);
        rules.into_iter().map(Item::Rule).collect()
    }

    /// A name of many segments: followed a few segments a line.
    fn name_rules(&mut self, name: &[String], number: usize) -> Vec<Rule> {
        let mut statements = Vec::new();
        let mut value = Expression::name(CONTEXT);
        let mut rest = name;
        while let Some((segments, behind)) = self.next_segments(rest) {
            let mut arguments = vec![value];
            arguments.extend(segments);
            // A value of its own on each line: Rego assigns a variable once.
            let step = step_name(arguments.len() - 1);
            value = Expression::call(step, arguments);
            rest = behind;
            if !rest.is_empty() {
                let variable = format!("value_{}", statements.len() + 1);
                statements.push(Statement::Assign(variable.clone(), value));
                value = Expression::name(variable);
            }
        }
        let is_true = Statement::Holds(Expression::binary(
            Expression::name("value"),
            "==",
            Expression::Bool(true),
        ));
        statements.push(Statement::Assign("value".to_owned(), value));
        let mut rules = Vec::new();
        if self.true_names.contains(&number) {
            let mut body = statements.clone();
            body.push(is_true);
            let case = Case::truth(Body::block(body));
            rules.push(Rule::new(format!("name_{number}_is_true"), case));
        }
        let case = Case::value(Expression::name("value"), Body::block(statements));
        rules.push(Rule::new(format!("name_{number}"), case));
        rules
    }

    /// The segments of the next line as arguments: eight where they fit, else one.
    fn next_segments<'n>(&mut self, rest: &'n [String]) -> Option<(Vec<Expression>, &'n [String])> {
        if let Some((segments, behind)) = rest.split_at_checked(SEGMENTS.len())
            && let Some(arguments) = self.segments(segments)
        {
            return Some((arguments, behind));
        }
        let (segment, behind) = rest.split_first()?;
        Some((vec![self.text(segment)], behind))
    }
}

impl Helper {
    fn name(&self) -> Cow<'static, str> {
        if (self.test, self.subject) == (Test::True, Subject::Context(1)) {
            return Cow::Borrowed("ctx");
        }
        let (kind, test) = match self.test {
            Test::True => ("ctx", String::new()),
            Test::Compares(kind, operator) => {
                (kind.name(), format!("_{}", operator_name(operator)))
            }
            Test::Among(kind) => (kind.name(), "_among".to_owned()),
            Test::NotAmong(kind) => (kind.name(), "_not_among".to_owned()),
        };
        Cow::Owned(match self.subject {
            Subject::Context(1) => format!("{kind}{test}"),
            Subject::Context(segments) => format!("{kind}{test}{segments}"),
            Subject::Value => format!("value_{kind}{test}"),
            Subject::Tool => format!("tool{test}"),
        })
    }

    fn rule(&self) -> Rule {
        let (mut parameters, value) = match self.subject {
            Subject::Context(segments) => {
                let parameters = match segments {
                    1 => vec!["name"],
                    _ => SEGMENTS.into_iter().take(segments).collect(),
                };
                let keys = parameters.iter().copied().map(Expression::name).collect();
                let base = Box::new(Expression::name(CONTEXT));
                (parameters, Expression::Member(base, keys))
            }
            Subject::Value => (vec!["value"], Expression::name("value")),
            Subject::Tool => (Vec::new(), Expression::name(TOOL)),
        };
        let typed = |kind: Kind| {
            let function = format!("is_{}", kind.name());
            Statement::Holds(Expression::call(function, vec![value.clone()]))
        };
        let compared = |operator, operand| {
            Statement::Holds(Expression::binary(value.clone(), operator, operand))
        };
        let among = Expression::binary(value.clone(), "in", Expression::name("literals"));
        let body = match self.test {
            Test::True => Body::Line(compared("==", Expression::Bool(true))),
            Test::Compares(kind, operator) => {
                parameters.push("literal");
                let sign = operator_sign(operator);
                Body::Block(vec![
                    typed(kind),
                    compared(sign, Expression::name("literal")),
                ])
            }
            Test::Among(kind) => {
                parameters.push("literals");
                Body::Block(vec![typed(kind), Statement::Holds(among)])
            }
            // Not by `not`, which an undefined value would satisfy.
            Test::NotAmong(kind) => {
                parameters.push("literals");
                let found =
                    Expression::binary(Expression::name("found"), "==", Expression::Bool(false));
                Body::Block(vec![
                    typed(kind),
                    Statement::Assign("found".to_owned(), among),
                    Statement::Holds(found),
                ])
            }
        };
        Rule::function(self.name(), parameters, Case::truth(body))
    }
}

fn constant(name: String, value: Expression) -> Rule {
    Rule::new(name, Case::value(value, Body::Always))
}

fn step_name(segments: usize) -> &'static str {
    if segments == 1 { "member" } else { "member8" }
}

/// `member(value, key) := value[key]`, and the same for eight keys.
fn step_function(segments: usize) -> Rule {
    let keys = if segments == 1 {
        vec!["key"]
    } else {
        SEGMENTS.to_vec()
    };
    let mut parameters = vec!["value"];
    parameters.extend(&keys);
    let keys = keys.into_iter().map(Expression::name).collect();
    let value = Expression::Member(Box::new(Expression::name("value")), keys);
    Rule::function(
        step_name(segments),
        parameters,
        Case::value(value, Body::Always),
    )
}

fn fits_inline(text: &str) -> bool {
    // No escape is longer than six columns.
    text.len() * 6 <= MAX_INLINE_COLUMNS || fits(&escaped(text))
}

fn fits(escaped: &str) -> bool {
    escaped.len() <= MAX_INLINE_BYTES && escaped.chars().count() <= MAX_INLINE_COLUMNS
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    write_escaped(text, &mut out);
    out
}

/// A long text in parts that each fit a line.
fn parts(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let (mut columns, mut bytes) = (0, 0);
    for character in text.chars() {
        let escape = escaped(character.encode_utf8(&mut [0; 4]));
        columns += escape.chars().count();
        bytes += escape.len();
        if columns > MAX_INLINE_COLUMNS || bytes > MAX_INLINE_BYTES {
            parts.push(std::mem::take(&mut part));
            (columns, bytes) = (escape.chars().count(), escape.len());
        }
        part.push(character);
    }
    parts.push(part);
    parts
}
