//! Conditions of the tree as conditions of the IR, names replaced by what is known of them.
//!
//! What the gate cannot know becomes a *hidden* leaf: a boolean that may be either. A word must
//! not depend on it; [`super::unseen`] judges that.

use std::borrow::Cow;

use crate::diagnostics::{Diagnostic, Sink, codes::names};
use crate::ir::{self, Condition, is_tool_name};
use crate::syntax::tree::{
    Construct, Expression, ExpressionKind, Literal, Operand, Operator, Path, PathName, ValueType,
};
use crate::text::{Span, quoted};

use super::definitions::Place;
use super::graph::NodeId;
use super::values::{Elsewhere, Known, Unseen, Values};

/// A leaf whose value the gate cannot know.
#[derive(Clone, Debug)]
pub struct Hidden<'t> {
    /// Why.
    pub reason: Reason<'t>,
    /// The read, or the construct that cannot be read.
    pub span: Span,
}

/// Why the gate cannot know a leaf's value.
#[derive(Clone, Debug)]
pub enum Reason<'t> {
    /// The name has an unseen value; place of the assignment.
    Unseen(PathName, Unseen<'t>, Span),
    /// The name is assigned on some of the paths only; place of an assignment.
    OnSomePaths(PathName, Span),
    /// The name is assigned different values; places of two.
    SeveralValues(PathName, Span, Span),
    /// The condition has a construct that the gate cannot read.
    Construct(Construct),
}

/// A read of a host value at a type.
#[derive(Clone, Debug)]
pub struct Use<'t> {
    /// The host's name.
    pub name: Cow<'t, [String]>,
    /// The type the condition expects.
    pub value_type: ValueType,
    /// The read.
    pub span: Span,
    /// Where the flow assigns the name, behind this read.
    pub assigned: Option<Span>,
}

/// A name under which no host value can stand, for the hidden leaf `index`.
pub fn hidden_name(index: usize) -> ir::Name {
    vec![String::new(), index.to_string()]
}

/// Whether a name is a [`hidden_name`].
pub fn is_hidden(name: &[String]) -> bool {
    name.first().is_some_and(String::is_empty)
}

/// Where `$tool_name` may be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolNameScope {
    /// In a guard flow, and in a subflow that no flow uses.
    Allowed,
    /// Elsewhere.
    Refused,
}

/// Reads the conditions of one flow.
#[derive(Debug)]
pub struct Reader<'v, 't> {
    /// What is known of names.
    pub values: &'v Values<'t>,
    /// Where `$tool_name` may be read.
    pub tool_name: ToolNameScope,
    /// All hidden leaves so far; the index is their number.
    pub hidden: Vec<Hidden<'t>>,
    /// All reads of host values so far.
    pub uses: Vec<Use<'t>>,
}

struct NotReadable(Construct, Span);

impl<'v, 't> Reader<'v, 't> {
    /// A reader for a flow's conditions.
    pub fn new(values: &'v Values<'t>, tool_name: ToolNameScope) -> Self {
        Self {
            values,
            tool_name,
            hidden: Vec::new(),
            uses: Vec::new(),
        }
    }

    /// The condition as the IR has it, where the node's `if` reads it. A condition that cannot
    /// be read is one hidden leaf as a whole.
    pub fn read(
        &mut self,
        expression: &'t Expression,
        node: NodeId,
        place: Place,
        sink: &mut Sink,
    ) -> Condition {
        let (hidden, uses) = (self.hidden.len(), self.uses.len());
        match self.expression(expression, node, place, sink) {
            Ok(condition) => condition,
            Err(NotReadable(construct, span)) => {
                self.hidden.truncate(hidden);
                self.uses.truncate(uses);
                self.hide(Reason::Construct(construct), span)
            }
        }
    }

    /// A leaf that may be true or false, and never is neither.
    fn hide(&mut self, reason: Reason<'t>, span: Span) -> Condition {
        Condition::IsTrue(self.hidden(reason, span))
    }

    /// A leaf that may also be neither: on some path it is a comparison that may lack its value.
    fn hide_comparison(&mut self, reason: Reason<'t>, span: Span) -> Condition {
        Condition::Compare(ir::Compare {
            name: self.hidden(reason, span),
            op: ir::Operator::Equal,
            value: ir::Literal::Bool(true),
        })
    }

    fn hidden(&mut self, reason: Reason<'t>, span: Span) -> ir::Name {
        self.hidden.push(Hidden { reason, span });
        hidden_name(self.hidden.len() - 1)
    }

    fn expression(
        &mut self,
        expression: &'t Expression,
        node: NodeId,
        place: Place,
        sink: &mut Sink,
    ) -> Result<Condition, NotReadable> {
        match &expression.kind {
            ExpressionKind::Constant(value) => Ok(Condition::Const(*value)),
            ExpressionKind::Not(inner) => {
                Ok(self.expression(inner, node, place, sink)?.complement())
            }
            ExpressionKind::And(parts) => {
                let parts: Result<Vec<_>, _> = parts
                    .iter()
                    .map(|part| self.expression(part, node, place, sink))
                    .collect();
                Ok(Condition::all(parts?))
            }
            ExpressionKind::Or(parts) => {
                let parts: Result<Vec<_>, _> = parts
                    .iter()
                    .map(|part| self.expression(part, node, place, sink))
                    .collect();
                Ok(Condition::any(parts?))
            }
            ExpressionKind::Name(path) => Ok(self.name(path, node, place, sink)),
            ExpressionKind::Compare {
                name,
                operator,
                operand,
            } => self.compare(name, operator.value, operand, node, place, sink),
            ExpressionKind::OneOf {
                name,
                negated,
                members,
            } => {
                let mut values: Vec<ir::Literal> = Vec::new();
                for member in members {
                    let value = literal(&member.value);
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
                let value_type = members.first().map(|member| member.value.value_type());
                let value_type = value_type.unwrap_or(ValueType::String);
                Ok(match self.host(name, value_type, node, place, sink)? {
                    Ok(name) => Condition::OneOf(ir::OneOf {
                        name,
                        negated: *negated,
                        values,
                    }),
                    Err(known) => self.hide_known(known, name, true),
                })
            }
            ExpressionKind::Unreadable(unreadable) => Err(NotReadable(
                unreadable.construct.value,
                unreadable.construct.span,
            )),
        }
    }

    fn name(&mut self, path: &'t Path, node: NodeId, place: Place, sink: &mut Sink) -> Condition {
        if let Known::Constant(constant) = self.values.known(&path.value, node) {
            if let Literal::Boolean(value) = constant {
                return Condition::Const(*value);
            }
            sink.push(place.label(Diagnostic::new(
                &names::TWO_TYPES,
                path.span,
                format!(
                    "{} is a constant here that is no boolean, and a name alone is a boolean condition",
                    quoted(&path.value.to_string())
                ),
            )
            .with_help("compare it: only `$name == …` reads a number or a string")));
            return Condition::Const(false);
        }
        match self.host(path, ValueType::Boolean, node, place, sink) {
            Ok(Ok(name)) => Condition::IsTrue(name),
            Ok(Err(known)) => self.hide_known(known, path, false),
            Err(NotReadable(construct, span)) => self.hide(Reason::Construct(construct), span),
        }
    }

    fn compare(
        &mut self,
        name: &'t Path,
        operator: Operator,
        operand: &'t Operand,
        node: NodeId,
        place: Place,
        sink: &mut Sink,
    ) -> Result<Condition, NotReadable> {
        let value = match operand {
            Operand::Literal(literal) => &literal.value,
            Operand::Name(path) => match self.values.known(&path.value, node) {
                Known::Constant(literal) => literal,
                Known::Host | Known::Alias(_) => {
                    return Err(NotReadable(Construct::NameToName, path.span));
                }
                other => return Ok(self.hide_known(other, path, true)),
            },
        };
        let value_type = value.value_type();
        let orders = !matches!(operator, Operator::Equal | Operator::NotEqual);
        if orders && value_type != ValueType::Number {
            return Err(NotReadable(Construct::OrderOfOther, name.span));
        }
        Ok(match self.host(name, value_type, node, place, sink)? {
            Ok(name) => Condition::Compare(ir::Compare {
                name,
                op: ir_operator(operator),
                value: literal(value),
            }),
            Err(known) => self.hide_known(known, name, true),
        })
    }

    /// A leaf for a read of what is not known; `compared` tells whether the name is compared, or
    /// is a condition alone.
    fn hide_known(&mut self, known: Known<'t>, path: &Path, compared: bool) -> Condition {
        let name = path.value.clone();
        let (reason, readable) = match known {
            Known::Unseen(unseen, span, elsewhere) => (
                Reason::Unseen(name, unseen, span),
                elsewhere == Elsewhere::Readable,
            ),
            Known::OnSomePaths(span) => (Reason::OnSomePaths(name, span), true),
            Known::SeveralValues(first, second) => {
                (Reason::SeveralValues(name, first, second), true)
            }
            Known::Host | Known::Constant(_) | Known::Alias(_) => {
                (Reason::Construct(Construct::Other), false)
            }
        };
        if readable && compared {
            self.hide_comparison(reason, path.span)
        } else {
            self.hide(reason, path.span)
        }
    }

    /// The host's name for a read, or what else is known of it.
    fn host(
        &mut self,
        path: &'t Path,
        value_type: ValueType,
        node: NodeId,
        place: Place,
        sink: &mut Sink,
    ) -> Result<Result<ir::Name, Known<'t>>, NotReadable> {
        let name = match self.values.known(&path.value, node) {
            Known::Host => Cow::Borrowed(&path.value.0[..]),
            Known::Alias(target) => Cow::Owned(target.0),
            Known::Constant(_) => {
                return Err(NotReadable(Construct::LiteralOnTheLeft, path.span));
            }
            other => return Ok(Err(other)),
        };
        if name.first().map(String::as_str) == Some(ir::TOOL_NAME) {
            return Ok(Ok(self.tool_name(&name, path.span, value_type, place, sink)));
        }
        self.uses.push(Use {
            name: name.clone(),
            value_type,
            span: path.span,
            assigned: path
                .value
                .0
                .first()
                .and_then(|root| self.values.assigned_at(root)),
        });
        Ok(Ok(name.into_owned()))
    }

    fn tool_name(
        &self,
        name: &[String],
        span: Span,
        value_type: ValueType,
        place: Place,
        sink: &mut Sink,
    ) -> ir::Name {
        if !is_tool_name(name) {
            sink.push(
                place.label(
                    Diagnostic::new(
                        &names::TOOL_NAME,
                        span,
                        "`$tool_name` is the name of the tool called, and has no parts",
                    )
                    .with_help("use another name for a value of the host"),
                ),
            );
        } else if self.tool_name == ToolNameScope::Refused {
            sink.push(place.label(
                Diagnostic::new(
                    &names::TOOL_NAME,
                    span,
                    "`$tool_name` can be read in guard flows only",
                )
                .with_help(
                    "a guard flow executes nothing and stops some calls: `define flow …` with `if $tool_name == \"…\"` and `stop`; a flow with `execute` speaks on its own tools already",
                ),
            ));
        } else if value_type != ValueType::String {
            sink.push(
                place.label(
                    Diagnostic::new(&names::TWO_TYPES, span, "`$tool_name` is a string")
                        .with_help("compare it with a string: `$tool_name == \"…\"`"),
                ),
            );
        }
        vec![ir::TOOL_NAME.to_owned()]
    }
}

fn literal(literal: &Literal) -> ir::Literal {
    match literal {
        Literal::Boolean(value) => ir::Literal::Bool(*value),
        Literal::Number(value) => ir::Literal::Number(ir::Number(value.clone())),
        Literal::String(value) => ir::Literal::String(value.clone()),
    }
}

fn ir_operator(operator: Operator) -> ir::Operator {
    match operator {
        Operator::Equal => ir::Operator::Equal,
        Operator::NotEqual => ir::Operator::NotEqual,
        Operator::Less => ir::Operator::Less,
        Operator::LessOrEqual => ir::Operator::LessOrEqual,
        Operator::Greater => ir::Operator::Greater,
        Operator::GreaterOrEqual => ir::Operator::GreaterOrEqual,
    }
}
