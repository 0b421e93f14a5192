//! Tests of [`parse`](crate::syntax::parse) as a whole: rows of the statement table, errors and
//! what follows them, limits.

mod errors;
mod limits;
mod statements;

use crate::diagnostics::{Diagnostic, Sink};
use crate::syntax::tree::{Definition, FlowDefinition, Rulebook, Statement, StatementKind};
use crate::text::Source;

fn parse(text: &str) -> (Option<Rulebook>, Vec<Diagnostic>, Source) {
    let (source, faults) = Source::decode("test.co", text.as_bytes());
    let mut sink = Sink::new();
    let tree = crate::syntax::parse(&source, &faults, &mut sink);
    (tree, sink.into_sorted(), source)
}

/// The tree of a text without errors.
fn tree(text: &str) -> Rulebook {
    let (tree, errors, _) = parse(text);
    assert!(errors.is_empty(), "{text}\n{errors:#?}");
    tree.unwrap()
}

/// The flow in a text that holds just one.
fn flow(text: &str) -> FlowDefinition {
    match tree(text).definitions.pop() {
        Some(Definition::Flow(flow)) => flow,
        other => panic!("{other:?}"),
    }
}

/// The statements of a flow with these lines, given without their indentation by two.
fn body(lines: &str) -> Vec<Statement> {
    flow(&in_flow(lines)).body
}

fn in_flow(lines: &str) -> String {
    let mut text = "define flow f\n".to_owned();
    for line in lines.lines() {
        text += &format!("  {line}\n");
    }
    text
}

/// The one statement of a flow.
fn statement(line: &str) -> StatementKind {
    let mut body = body(line);
    assert_eq!(body.len(), 1, "{body:?}");
    body.remove(0).kind
}

/// All errors, as `line:column code`.
fn errors(text: &str) -> Vec<String> {
    let (_, errors, source) = parse(text);
    errors
        .iter()
        .map(|error| {
            let position = source.position(error.span().unwrap().start);
            format!("{}:{} {}", position.line, position.column, error.code.id)
        })
        .collect()
}

/// The one error of a flow with these lines: its code, what is underlined, its help.
fn error(lines: &str) -> (&'static str, String, String) {
    let text = in_flow(lines);
    let (_, errors, source) = parse(&text);
    assert_eq!(errors.len(), 1, "{lines}\n{errors:#?}");
    let error = &errors[0];
    (
        error.code.id,
        source.slice(error.span().unwrap()).to_owned(),
        error.help.clone().unwrap_or_default(),
    )
}
