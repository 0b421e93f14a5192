//! What the tree knows of each line: the node whose line it is, by the place where it begins.

use std::collections::BTreeMap;

use crate::syntax::tree::{
    Arm, ContextDeclaration, Definition, Expression, Rulebook, Statement, StatementKind, Trigger,
    WhenArm,
};
use crate::text::Spanned;

/// The node whose line a line is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node<'t> {
    /// The head of a definition, with its name if it has one.
    Definition(Option<&'t Spanned<String>>),
    /// A declaration of a `define context`.
    Declaration(&'t ContextDeclaration),
    /// A line of a `define user` or `define bot`.
    Text,
    /// `if`, `else if`, `else`
    Arm {
        /// It is the `if`.
        first: bool,
        /// None for `else`.
        condition: Option<&'t Expression>,
    },
    /// `when`, `else when`, `else`
    WhenArm {
        /// It is the `when`.
        first: bool,
        /// None for `else`.
        trigger: Option<&'t Trigger>,
    },
    /// `while`
    While(&'t Expression),
    /// Any other statement.
    Statement(&'t StatementKind),
}

/// The nodes of a tree by the offset at which their line begins. Lines without one are those
/// that the tree does not hold: what stands under `meta`, a wording under `user`, and the like.
pub(super) type Nodes<'t> = BTreeMap<usize, Node<'t>>;

/// The nodes of a tree.
pub(super) fn nodes(tree: &Rulebook) -> Nodes<'_> {
    let mut nodes = Nodes::new();
    for definition in &tree.definitions {
        match definition {
            Definition::Context(context) => {
                nodes.insert(context.head.span.start, Node::Definition(None));
                for name in &context.names {
                    nodes.insert(name.name.span.start, Node::Declaration(name));
                }
            }
            Definition::User(texts) | Definition::Bot(texts) => {
                nodes.insert(texts.head.span.start, Node::Definition(Some(&texts.name)));
                for text in &texts.texts {
                    nodes.insert(text.span.start, Node::Text);
                }
            }
            Definition::Flow(flow) => {
                let name = (!flow.anonymous).then_some(&flow.name);
                nodes.insert(flow.head.span.start, Node::Definition(name));
                statements(&flow.body, &mut nodes);
            }
        }
    }
    nodes
}

/// Blocks nest at most 64 deep (contract section 1).
fn statements<'t>(body: &'t [Statement], nodes: &mut Nodes<'t>) {
    for statement in body {
        let start = statement.head.span.start;
        match &statement.kind {
            StatementKind::If(target) => {
                for (index, arm) in target.arms.iter().enumerate() {
                    let first = index == 0;
                    let Arm {
                        head,
                        condition,
                        body,
                    } = arm;
                    let condition = condition.as_ref();
                    nodes.insert(head.span.start, Node::Arm { first, condition });
                    statements(body, nodes);
                }
            }
            StatementKind::When(target) => {
                for (index, arm) in target.arms.iter().enumerate() {
                    let first = index == 0;
                    let WhenArm {
                        head,
                        trigger,
                        body,
                    } = arm;
                    let trigger = trigger.as_ref();
                    nodes.insert(head.span.start, Node::WhenArm { first, trigger });
                    statements(body, nodes);
                }
            }
            StatementKind::While(target) => {
                nodes.insert(start, Node::While(&target.condition));
                statements(&target.body, nodes);
            }
            kind => {
                nodes.insert(start, Node::Statement(kind));
            }
        }
    }
}
