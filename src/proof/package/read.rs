//! From the interpreter's parse to the tree.

use std::collections::BTreeMap;
use std::ops::Range;

use regorus::unstable::{
    AssignOp, BoolOp, Expr, Literal, Module, Query, RuleAssign, RuleHead, Span,
};
use regorus::{Value, unstable as parsed};

use super::{BUILTINS, Case, DECISION, Expression, Fault, Package, Rule, Statement, references};
use crate::ir::Operator;
use crate::text::{Decimal, quoted};

/// Reads a module whose package has this name.
///
/// # Errors
/// Another name; the first thing that is not of the vocabulary, with its line; no decision.
pub(in crate::proof) fn read(module: &Module, name: String) -> Result<Package, Fault> {
    if module.package.refr.span().text() != name {
        return Err(format!("the package is not {}", quoted(&name)));
    }
    for import in &module.imports {
        if import.refr.span().text() != "rego.v1" || import.r#as.is_some() {
            return Err(beyond(&import.span, "an import"));
        }
    }
    let mut rules = Vec::new();
    for rule in &module.policy {
        rules.push(self::rule(rule)?);
    }
    let mut by_name = BTreeMap::<String, Vec<usize>>::new();
    for (index, rule) in rules.iter().enumerate() {
        by_name.entry(rule.name.clone()).or_default().push(index);
    }
    let package = Package {
        name,
        rules,
        by_name,
    };
    references::check(&package)?;
    let mut decisions = package.rules_of(DECISION);
    match decisions.next() {
        Some((_, rule)) if rule.parameters.is_empty() => {}
        _ => return Err(format!("the package has no rule `{DECISION}`")),
    }
    drop(decisions);
    Ok(package)
}

fn beyond(span: &Span, what: &str) -> Fault {
    format!("line {} has {what}, which no translator writes", span.line)
}

fn range(span: &Span) -> Range<usize> {
    let place = |offset: u32| usize::try_from(offset).unwrap_or(usize::MAX);
    place(span.start)..place(span.end)
}

fn rule(rule: &parsed::Rule) -> Result<Rule, Fault> {
    let text = range(rule.span());
    let line = rule.span().line;
    match rule {
        parsed::Rule::Default {
            refr, args, value, ..
        } => {
            if let Some(argument) = args.first() {
                return Err(beyond(argument.span(), "a default of a function"));
            }
            let value = expression(value)?;
            Ok(Rule {
                name: plain_name(refr)?,
                parameters: Vec::new(),
                is_default: true,
                cases: vec![Case {
                    value: Some(value),
                    body: Vec::new(),
                }],
                text,
                line,
            })
        }
        parsed::Rule::Spec { head, bodies, .. } => {
            let (refr, args, assign) = match head {
                RuleHead::Compr { refr, assign, .. } => (refr, [].as_slice(), assign),
                RuleHead::Func {
                    refr, args, assign, ..
                } => (refr, args.as_slice(), assign),
                RuleHead::Set { span, .. } => return Err(beyond(span, "a set")),
            };
            let parameters = args
                .iter()
                .map(|it| plain_name(it))
                .collect::<Result<_, _>>()?;
            let mut cases = Vec::new();
            for (number, body) in bodies.iter().enumerate() {
                if body.is_else != (number > 0) {
                    return Err(beyond(&body.span, "several bodies of one rule"));
                }
                let assign = if number == 0 { assign } else { &body.assign };
                cases.push(Case {
                    value: assigned(assign.as_ref())?,
                    body: statements(&body.query)?,
                });
            }
            if cases.is_empty() {
                cases.push(Case {
                    value: assigned(assign.as_ref())?,
                    body: Vec::new(),
                });
            }
            Ok(Rule {
                name: plain_name(refr)?,
                parameters,
                is_default: false,
                cases,
                text,
                line,
            })
        }
    }
}

fn assigned(assign: Option<&RuleAssign>) -> Result<Option<Expression>, Fault> {
    let Some(assign) = assign else {
        return Ok(None);
    };
    match assign.op {
        AssignOp::ColEq => expression(&assign.value).map(Some),
        AssignOp::Eq => Err(beyond(&assign.span, "`=`")),
    }
}

fn plain_name(expression: &Expr) -> Result<String, Fault> {
    match expression {
        Expr::Var { span, .. } => Ok(span.text().to_owned()),
        other => Err(beyond(other.span(), "a name that is not plain")),
    }
}

fn statements(query: &Query) -> Result<Vec<Statement>, Fault> {
    query.stmts.iter().map(statement).collect()
}

fn statement(statement: &parsed::LiteralStmt) -> Result<Statement, Fault> {
    if let Some(modifier) = statement.with_mods.first() {
        return Err(beyond(&modifier.span, "`with`"));
    }
    match &statement.literal {
        Literal::Expr { expr, .. } => match expr.as_ref() {
            Expr::AssignExpr {
                op: AssignOp::ColEq,
                lhs,
                rhs,
                ..
            } => Ok(Statement::Assign(plain_name(lhs)?, expression(rhs)?)),
            other => Ok(Statement::Holds(expression(other)?)),
        },
        Literal::NotExpr { expr, .. } => Ok(Statement::Not(expression(expr)?)),
        Literal::SomeVars { span, .. } | Literal::SomeIn { span, .. } => {
            Err(beyond(span, "`some`"))
        }
        Literal::Every { span, .. } => Err(beyond(span, "`every`")),
    }
}

fn expressions(items: &[parsed::Ref<Expr>]) -> Result<Vec<Expression>, Fault> {
    items.iter().map(|item| expression(item)).collect()
}

/// The parser bounds how deep expressions nest.
fn expression(expr: &Expr) -> Result<Expression, Fault> {
    let boxed = |expr: &Expr| expression(expr).map(Box::new);
    Ok(match expr {
        Expr::String { value, .. } => Expression::Text(text(value)),
        Expr::Number { span, .. } => match Decimal::from_json(span.text()) {
            Some(number) => Expression::Number(number),
            None => return Err(beyond(span, "a number of another form")),
        },
        Expr::Bool { value, .. } => Expression::Bool(value == &Value::Bool(true)),
        Expr::Var { span, .. } => Expression::Name(span.text().to_owned()),
        Expr::Array { items, .. } => Expression::Array(expressions(items)?),
        Expr::Object { fields, .. } => {
            let mut found = Vec::new();
            for (_, key, value) in fields {
                found.push((expression(key)?, expression(value)?));
            }
            Expression::Object(found)
        }
        Expr::Call {
            span, fcn, params, ..
        } => {
            let function = plain_name(fcn)?;
            let arguments = expressions(params)?;
            if BUILTINS.contains(&function.as_str())
                && arguments.len() != if function == "concat" { 2 } else { 1 }
            {
                return Err(beyond(span, "another number of arguments"));
            }
            Expression::Call(function, arguments)
        }
        Expr::UnaryExpr { span, .. } => match Decimal::from_json(span.text()) {
            Some(number) => Expression::Number(number),
            None => return Err(beyond(span, "arithmetic")),
        },
        Expr::RefDot { refr, field, .. } => {
            Expression::Member(boxed(refr)?, Box::new(Expression::Text(text(&field.1))))
        }
        Expr::RefBrack { refr, index, .. } => Expression::Member(boxed(refr)?, boxed(index)?),
        Expr::BoolExpr { op, lhs, rhs, .. } => {
            let operator = match op {
                BoolOp::Lt => Operator::Less,
                BoolOp::Le => Operator::LessOrEqual,
                BoolOp::Eq => Operator::Equal,
                BoolOp::Ge => Operator::GreaterOrEqual,
                BoolOp::Gt => Operator::Greater,
                BoolOp::Ne => Operator::NotEqual,
            };
            Expression::Compare(operator, boxed(lhs)?, boxed(rhs)?)
        }
        Expr::Membership {
            key: None,
            value,
            collection,
            ..
        } => Expression::In(boxed(value)?, boxed(collection)?),
        other => return Err(beyond(other.span(), "an expression")),
    })
}

fn text(value: &Value) -> String {
    value
        .as_string()
        .map_or_else(|_| String::new(), |it| it.to_string())
}
