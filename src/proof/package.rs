//! The emitted package as a tree of our own, read from the interpreter's parse of its bytes.
//!
//! Only the vocabulary of the emitted Rego is read: rules and functions of plain names, `else`
//! chains, comparisons, membership in arrays, `not`, assignments of local variables, and the
//! functions of [`BUILTINS`]. What else Rego has (iteration, comprehensions, `with`, `every`,
//! arithmetic, other imports) is refused with its line. So every package that is read can be cut
//! and evaluated in bounded time: its rules do not recurse, and its functions call no functions.

mod read;
mod references;
mod scan;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::ir::Operator;
use crate::text::Decimal;

pub(super) use read::read;
pub(super) use references::named;
pub(super) use scan::scan;

/// The functions of Rego that the vocabulary has. None of them fails.
pub(super) const BUILTINS: [&str; 4] = ["concat", "is_boolean", "is_number", "is_string"];

/// The rule that is asked for.
pub(super) const DECISION: &str = "decision";

/// Why a package is not read, in words for a message.
pub(super) type Fault = String;

/// A package.
#[derive(Debug)]
pub(super) struct Package {
    /// Its name, dotted.
    pub(super) name: String,
    /// Its rules, in source order.
    pub(super) rules: Vec<Rule>,
    /// The rules of each name.
    pub(super) by_name: BTreeMap<String, Vec<usize>>,
}

/// A rule or function: cases, of which the first that holds counts.
#[derive(Debug)]
pub(super) struct Rule {
    /// Its name.
    pub(super) name: String,
    /// Its parameters, for a function.
    pub(super) parameters: Vec<String>,
    /// Whether `default` stands before it.
    pub(super) is_default: bool,
    /// Its cases, at least one.
    pub(super) cases: Vec<Case>,
    /// Where it stands in the text.
    pub(super) text: Range<usize>,
    /// Its line, from 1.
    pub(super) line: u32,
}

/// A value and the statements that must hold for it.
#[derive(Debug)]
pub(super) struct Case {
    /// The value; none for `true`.
    pub(super) value: Option<Expression>,
    /// The statements.
    pub(super) body: Vec<Statement>,
}

/// A statement of a body.
#[derive(Debug)]
pub(super) enum Statement {
    /// It holds.
    Holds(Expression),
    /// It does not hold.
    Not(Expression),
    /// `name := value`.
    Assign(String, Expression),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    /// A string.
    Text(String),
    /// A number.
    Number(Decimal),
    /// A boolean.
    Bool(bool),
    /// A rule, a parameter, a local variable, or `input`.
    Name(String),
    /// `base[key]`.
    Member(Box<Expression>, Box<Expression>),
    /// `[a, b]`.
    Array(Vec<Expression>),
    /// `{a: b}`.
    Object(Vec<(Expression, Expression)>),
    /// `function(arguments)`.
    Call(String, Vec<Expression>),
    /// `left operator right`.
    Compare(Operator, Box<Expression>, Box<Expression>),
    /// `element in array`.
    In(Box<Expression>, Box<Expression>),
}

impl Expression {
    /// Its parts.
    pub(super) fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Text(_) | Self::Number(_) | Self::Bool(_) | Self::Name(_) => Vec::new(),
            Self::Array(items) | Self::Call(_, items) => items.iter().collect(),
            Self::Object(fields) => fields
                .iter()
                .flat_map(|(key, value)| [key, value])
                .collect(),
            Self::Member(left, right) | Self::Compare(_, left, right) | Self::In(left, right) => {
                vec![left, right]
            }
        }
    }

    /// The string that it asks `input.tool` to be, when it is such a comparison.
    pub(super) fn asked_tool(&self) -> Option<&str> {
        let Self::Compare(Operator::Equal, left, right) = self else {
            return None;
        };
        match (left.as_ref(), right.as_ref()) {
            (tool, Self::Text(name)) | (Self::Text(name), tool) if tool.is_tool() => Some(name),
            _ => None,
        }
    }

    fn is_tool(&self) -> bool {
        let Self::Member(base, key) = self else {
            return false;
        };
        **base == Self::Name("input".to_owned()) && **key == Self::Text("tool".to_owned())
    }
}

impl Statement {
    /// Its expression.
    pub(super) fn expression(&self) -> &Expression {
        match self {
            Self::Holds(expression) | Self::Not(expression) | Self::Assign(_, expression) => {
                expression
            }
        }
    }
}

impl Package {
    /// The rules of a name.
    pub(super) fn rules_of(&self, name: &str) -> impl Iterator<Item = (usize, &Rule)> {
        let indices = self.by_name.get(name).into_iter().flatten();
        indices.filter_map(|index| Some((*index, self.rules.get(*index)?)))
    }
}

impl Rule {
    /// Whether none of its cases can hold when this is the tool called, or when the tool is no
    /// string: each begins by asking for another one.
    pub(super) fn is_of_another_tool(&self, tool: Option<&str>) -> bool {
        !self.is_default
            && self.cases.iter().all(|case| match case.body.first() {
                Some(Statement::Holds(first)) => {
                    first.asked_tool().is_some_and(|asked| tool != Some(asked))
                }
                _ => false,
            })
    }
}
