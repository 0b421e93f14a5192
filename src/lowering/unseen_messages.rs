//! What is said of values and ways that the gate cannot see.

use crate::diagnostics::{Diagnostic, codes::flows};
use crate::syntax::tree::{Construct, StatementKind};
use crate::text::quoted;

use super::conditions::{Hidden, Reason};
use super::graph::Node;
use super::values::Unseen;

/// A `bot` line whose message the gate cannot see, and that is the rule of some call.
pub fn unseen_message(node: &Node<'_>) -> Diagnostic {
    Diagnostic::new(
        &flows::UNSEEN_MESSAGE,
        node.place().span,
        "the gate cannot see what is said here, and a refusal or a question goes by it",
    )
    .with_help("say a message by its name, such as `bot refuse refund`, and word it under `define bot refuse refund`")
}

/// A statement whose way the gate cannot see, and that what the flow says on `on` depends on.
pub fn unseen_way(node: &Node<'_>, on: &str) -> Diagnostic {
    let (what, help) = match node.statement.map(|statement| &statement.kind) {
        Some(StatementKind::When(_)) => (
            "which turn comes next",
            "let the host pass the person's answer as a context value, and branch on it: `if $user_confirmed`",
        ),
        Some(StatementKind::While(_)) => (
            "how often a `while` runs",
            "a call is decided once: let the host pass what the loop would find out as a context value, and use `if`",
        ),
        Some(StatementKind::Any) => (
            "which of these comes",
            "let the host pass what came as a context value, and branch on it: `if $user_confirmed`",
        ),
        Some(StatementKind::Goto(_)) => (
            "where a `goto` leads",
            "write what follows out, or put it in a subflow and `do` it",
        ),
        _ => (
            "whether an event comes",
            "let the host pass whether it came as a context value, and branch on it: `if $payment_received`",
        ),
    };
    Diagnostic::new(
        &flows::UNSEEN_WAY,
        node.place().span,
        format!("the gate cannot see {what}, and what this flow says on {on} depends on it"),
    )
    .with_help(help)
}

/// A condition that the gate cannot know, and that what the flow says on `on` depends on.
pub fn hidden_leaf(hidden: &Hidden<'_>, node: &Node<'_>, on: &str) -> Diagnostic {
    let depends = format!("and what this flow says on {on} depends on it");
    match &hidden.reason {
        Reason::Unseen(name, unseen, assigned) => {
            let shown = quoted(&name.to_string());
            let (because, help) = match unseen {
                Unseen::Result(tool) => (
                    format!("it is the result of {}", quoted(&format!("execute {tool}"))),
                    format!(
                        "let the host run {} before, and pass its result as a context value: read {shown} without assigning it",
                        quoted(tool)
                    ),
                ),
                Unseen::Model => (
                    "a language model fills it in".to_owned(),
                    format!(
                        "let the host pass it as a context value: read {shown} without assigning it"
                    ),
                ),
                Unseen::Expression(expression) => (
                    format!(
                        "it is {}, which is no literal and no name",
                        quoted(&expression.text.value)
                    ),
                    format!(
                        "let the host compute it and pass it as a context value: read {shown} without assigning it"
                    ),
                ),
                Unseen::PartOfConstant => (
                    "a constant has no parts".to_owned(),
                    "compare the constant itself, or read a context value that the host passes"
                        .to_owned(),
                ),
                Unseen::AliasOfUnknown => (
                    "it is another name of a value that the gate cannot see".to_owned(),
                    "read a context value that the host passes".to_owned(),
                ),
            };
            let head = node.place().span;
            let mut diagnostic = Diagnostic::new(
                &flows::UNSEEN_VALUE,
                head,
                format!("the gate cannot see {shown}: {because}, {depends}"),
            )
            .with_other(*assigned, "its value comes from here");
            if hidden.span.start >= head.end {
                diagnostic = diagnostic.with_other(hidden.span, "read here");
            }
            diagnostic.with_help(help)
        }
        Reason::OnSomePaths(name, assigned) => Diagnostic::new(
            &flows::ASSIGNED_ON_SOME_PATHS,
            hidden.span,
            format!(
                "{} is assigned on some of the paths that lead here, {depends}",
                quoted(&name.to_string())
            ),
        )
        .with_other(*assigned, "assigned here")
        .with_help(
            "assign it before the `if`, on every path, or use another name for the host's value",
        ),
        Reason::SeveralValues(name, first, second) => Diagnostic::new(
            &flows::SEVERAL_VALUES,
            hidden.span,
            format!(
                "{} is assigned more than one value, {depends}",
                quoted(&name.to_string())
            ),
        )
        .with_other(*first, "one value")
        .with_other(*second, "another value")
        .with_help("use a name of its own for each value, or write the values into the conditions"),
        Reason::Construct(construct) => Diagnostic::new(
            &flows::UNREADABLE_CONDITION,
            hidden.span,
            format!("the gate cannot read {}, {depends}", name_of(*construct)),
        )
        .with_help(help_for(*construct)),
    }
}

/// What a construct is called in messages.
pub fn name_of(construct: Construct) -> &'static str {
    match construct {
        Construct::ChainedComparison => "a chained comparison",
        Construct::Arithmetic => "arithmetic",
        Construct::Call => "a call",
        Construct::Subscript => "a subscript",
        Construct::None => "`None`",
        Construct::Identity => "`is`",
        Construct::LiteralOnTheLeft => "a literal or a constant on the left of a comparison",
        Construct::NameToName => "a comparison of two names",
        Construct::MembershipInValue => "membership in anything but a list of literals",
        Construct::ListOfOther => "a list that is empty, or not of strings or of numbers only",
        Construct::OrderOfOther => "an order of anything but numbers",
        Construct::Conditional => "`… if … else …`",
        Construct::BareWord => "a bare word",
        Construct::Other => "this expression",
    }
}

fn help_for(construct: Construct) -> &'static str {
    match construct {
        Construct::ChainedComparison => {
            "write two comparisons: `10 < $a < 50` is `$a > 10 and $a < 50`"
        }
        Construct::LiteralOnTheLeft => "write the name first: `100 >= $amount` is `$amount <= 100`",
        Construct::Subscript => "read a part of an object by a dotted name: `$customer.tier`",
        Construct::None | Construct::Identity => {
            "a comparison decides nothing when its value is absent; to ask for a boolean, write `$name == True`"
        }
        Construct::MembershipInValue | Construct::ListOfOther => {
            "write the members out: `$name in [\"a\", \"b\"]`, or let the host pass the answer as a context value"
        }
        Construct::OrderOfOther => {
            "`<`, `<=`, `>` and `>=` compare numbers; strings and booleans take `==` and `!=`"
        }
        Construct::Conditional => "write an `if` with an `else`",
        Construct::BareWord => {
            "a context name begins with `$`, as in `$amount`; a text stands in quotes, as in `\"EUR\"`"
        }
        Construct::Arithmetic | Construct::Call | Construct::NameToName | Construct::Other => {
            "let the host compute it and pass the answer as a context value, such as `$within_limit`"
        }
    }
}
