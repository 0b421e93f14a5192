//! Writes the tree as `opa fmt` leaves it: a tab for an indent, a blank line between items. The
//! only place where a user's text enters the Rego, and so the only one that escapes.

use super::tree::{Body, Case, Expression, Item, Rule, Statement};
use crate::text::{visible_in_comment, write_escaped};

/// The first lines, up to `import rego.v1`.
pub fn opening(package: &str) -> String {
    format!("package {package}\n\nimport rego.v1\n")
}

/// Items, each with a blank line before it.
pub fn section(items: &[Item]) -> String {
    let mut out = String::new();
    for item in items {
        out.push('\n');
        match item {
            Item::FlowComment(name) => {
                out.push_str("# flow '");
                out.push_str(&visible_in_comment(name));
                out.push_str("'\n");
            }
            Item::Rule(rule) => write_rule(rule, &mut out),
        }
    }
    out
}

fn write_rule(rule: &Rule, out: &mut String) {
    if rule.is_default {
        out.push_str("default ");
    }
    out.push_str(&rule.name);
    if !rule.parameters.is_empty() {
        out.push('(');
        out.push_str(&rule.parameters.join(", "));
        out.push(')');
    }
    let mut braces = false;
    for (number, case) in rule.cases.iter().enumerate() {
        if number > 0 {
            // Behind a brace `else` goes on on the same line; else it is a paragraph of its own.
            out.push_str(if braces { " else" } else { "\n\nelse" });
        }
        write_case(case, out);
        braces = matches!(case.body, Body::Block(_));
    }
    out.push('\n');
}

/// How many lines below the first line of a rule each of its cases begins.
pub fn lines_of_cases(rule: &Rule) -> Vec<usize> {
    let mut below = 0;
    let mut lines = Vec::with_capacity(rule.cases.len());
    for (number, case) in rule.cases.iter().enumerate() {
        lines.push(below);
        let mut text = String::new();
        write_case(case, &mut text);
        below += text.matches('\n').count();
        let has_braces = matches!(case.body, Body::Block(_));
        if number + 1 < rule.cases.len() && !has_braces {
            below += 2;
        }
    }
    lines
}

fn write_case(case: &Case, out: &mut String) {
    match (&case.value, &case.body) {
        (Some(value), _) => {
            out.push_str(" := ");
            write_expression(value, out);
        }
        // `if true` is not what `opa fmt` writes.
        (None, Body::Always) => out.push_str(" := true"),
        (None, _) => {}
    }
    match &case.body {
        Body::Always => {}
        Body::Line(statement) => {
            out.push_str(" if ");
            write_statement(statement, out);
        }
        Body::Block(statements) => {
            out.push_str(" if {\n");
            for statement in statements {
                out.push('\t');
                write_statement(statement, out);
                out.push('\n');
            }
            out.push('}');
        }
    }
}

fn write_statement(statement: &Statement, out: &mut String) {
    match statement {
        Statement::Holds(expression) => write_expression(expression, out),
        Statement::Not(expression) => {
            out.push_str("not ");
            write_expression(expression, out);
        }
        Statement::Assign(name, value) => {
            out.push_str(name);
            out.push_str(" := ");
            write_expression(value, out);
        }
    }
}

/// The depth of the tree is fixed by what builds it: a handful of levels.
fn write_expression(expression: &Expression, out: &mut String) {
    match expression {
        Expression::Text(text) => write_text(text, out),
        Expression::Number(text) => out.push_str(text),
        Expression::Name(name) => out.push_str(name),
        Expression::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Expression::Member(base, keys) => {
            write_expression(base, out);
            for key in keys {
                out.push('[');
                write_expression(key, out);
                out.push(']');
            }
        }
        Expression::Array(elements) => {
            out.push('[');
            write_list(elements, out);
            out.push(']');
        }
        Expression::Lines(elements) => {
            out.push_str("[\n");
            for element in elements {
                out.push('\t');
                write_expression(element, out);
                out.push_str(",\n");
            }
            out.push(']');
        }
        Expression::Decision(verdict, rule) => {
            out.push_str("{\"decision\": ");
            write_text(verdict, out);
            out.push_str(", \"rule\": ");
            write_expression(rule, out);
            out.push('}');
        }
        Expression::Call(function, arguments) => {
            out.push_str(function);
            out.push('(');
            write_list(arguments, out);
            out.push(')');
        }
        Expression::Binary(left, operator, right) => {
            write_expression(left, out);
            out.push(' ');
            out.push_str(operator);
            out.push(' ');
            write_expression(right, out);
        }
    }
}

fn write_list(elements: &[Expression], out: &mut String) {
    for (number, element) in elements.iter().enumerate() {
        if number > 0 {
            out.push_str(", ");
        }
        write_expression(element, out);
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    write_escaped(text, out);
    out.push('"');
}
