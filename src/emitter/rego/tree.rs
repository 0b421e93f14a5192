//! The part of Rego that is emitted, as a tree.

use std::borrow::Cow;

/// What stands at the top level of a package, with a blank line between each two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A comment line; its text is escaped by the printer.
    FlowComment(String),
    /// A rule.
    Rule(Rule),
}

/// A rule or function: one case, or a chain of cases joined by `else`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Whether `default` stands before it.
    pub is_default: bool,
    /// The name.
    pub name: String,
    /// The parameters, for a function.
    pub parameters: Vec<&'static str>,
    /// The cases, at least one.
    pub cases: Vec<Case>,
}

/// `:= value if body`; without a value it is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The value; none for `true`.
    pub value: Option<Expression>,
    /// When.
    pub body: Body,
}

/// The body of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// None: always.
    Always,
    /// One statement behind `if`.
    Line(Statement),
    /// Statements in braces, a line each; at least one.
    Block(Vec<Statement>),
}

/// A line of a body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Statement {
    /// It holds.
    Holds(Expression),
    /// It does not hold.
    Not(Expression),
    /// `name := value`, a local variable.
    Assign(String, Expression),
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expression {
    /// A string, as it is; the printer escapes.
    Text(String),
    /// A number, in normal form.
    Number(String),
    /// A boolean.
    Bool(bool),
    /// A rule, a parameter, a local variable, or a fixed path below `input`.
    Name(Cow<'static, str>),
    /// `base[key][key]…`.
    Member(Box<Expression>, Vec<Expression>),
    /// `[a, b]` on one line.
    Array(Vec<Expression>),
    /// An array with one element a line. Only at the level of a rule's value.
    Lines(Vec<Expression>),
    /// `{"decision": verdict, "rule": rule}`.
    Decision(&'static str, Box<Expression>),
    /// `function(arguments)`.
    Call(Cow<'static, str>, Vec<Expression>),
    /// `left operator right`.
    Binary(Box<Expression>, &'static str, Box<Expression>),
}

impl Expression {
    /// A string.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A rule, a parameter, a local variable, or a fixed path below `input`.
    pub fn name(name: impl Into<Cow<'static, str>>) -> Self {
        Self::Name(name.into())
    }

    /// `left operator right`.
    pub fn binary(left: Self, operator: &'static str, right: Self) -> Self {
        Self::Binary(Box::new(left), operator, Box::new(right))
    }

    /// The object that is a decision.
    pub fn decision(verdict: &'static str, rule: Self) -> Self {
        Self::Decision(verdict, Box::new(rule))
    }

    /// A call.
    pub fn call(function: impl Into<Cow<'static, str>>, arguments: Vec<Self>) -> Self {
        Self::Call(function.into(), arguments)
    }
}

impl Statement {
    /// A rule of this name holds.
    pub fn rule(name: impl Into<Cow<'static, str>>) -> Self {
        Self::Holds(Expression::Name(name.into()))
    }

    /// No rule of this name holds.
    pub fn no_rule(name: impl Into<Cow<'static, str>>) -> Self {
        Self::Not(Expression::Name(name.into()))
    }
}

impl Body {
    /// One statement behind `if`, several in braces, none as no body at all: `opa fmt` would
    /// turn `if true` into that.
    pub fn shortest(mut statements: Vec<Statement>) -> Self {
        match statements.len() {
            0 => Self::Always,
            1 => statements.pop().map_or(Self::Always, Self::Line),
            _ => Self::Block(statements),
        }
    }

    /// Statements in braces, also a single one.
    pub fn block(statements: Vec<Statement>) -> Self {
        if statements.is_empty() {
            Self::Always
        } else {
            Self::Block(statements)
        }
    }
}

impl Case {
    /// A case that is true when the body holds.
    pub fn truth(body: Body) -> Self {
        Self { value: None, body }
    }

    /// A case with a value.
    pub fn value(value: Expression, body: Body) -> Self {
        Self {
            value: Some(value),
            body,
        }
    }
}

impl Rule {
    /// A rule with one case.
    pub fn new(name: impl Into<String>, case: Case) -> Self {
        Self::chain(name, vec![case])
    }

    /// A rule with cases joined by `else`.
    pub fn chain(name: impl Into<String>, cases: Vec<Case>) -> Self {
        Self {
            is_default: false,
            name: name.into(),
            parameters: Vec::new(),
            cases,
        }
    }

    /// A function with one case.
    pub fn function(name: impl Into<String>, parameters: Vec<&'static str>, case: Case) -> Self {
        Self {
            parameters,
            ..Self::new(name, case)
        }
    }

    /// `default name := value`.
    pub fn default_value(name: impl Into<String>, value: Expression) -> Self {
        Self {
            is_default: true,
            ..Self::new(name, Case::value(value, Body::Always))
        }
    }
}
