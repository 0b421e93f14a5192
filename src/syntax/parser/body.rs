//! The block of a definition: which line belongs to which block, by columns.

use super::{Explained, Parser, documentation, fault};
use crate::diagnostics::codes::syntax;
use crate::syntax::expression::Fault;
use crate::syntax::line::{Line, LineKind};
use crate::syntax::tree::{
    Arm, ContextDeclaration, Expression, Statement, StatementKind, Trigger, WhenArm, While,
};
use crate::text::{Span, Spanned};

use super::head::begins_definition;

/// What a block is for.
pub(super) enum Opener {
    /// The statements of a flow.
    Flow,
    /// The texts of a `define user` or `define bot`, and of an `if` inside one.
    Texts {
        /// Wordings of a message rather than samples of a turn.
        wordings: bool,
    },
    /// The declarations of a `define context`.
    Context,
    /// An arm of `if`.
    Arm(Option<Expression>),
    /// An arm of `when`.
    WhenArm(Option<Trigger>),
    /// `while`
    While(Expression),
    /// `any`
    Any,
    /// Wordings under a `bot` or `user` line.
    Wordings,
    /// Nobody looks into it: `meta`, and what is nested too deep.
    Ignored,
    /// Under a line that was refused: read for its errors only.
    Loose,
}

/// A block that is open.
pub(super) struct Block {
    opener: Opener,
    head: Span,
    head_column: usize,
    column: usize,
    /// A second column whose lines belong to it, after an error of indentation.
    also: Option<usize>,
    pub(super) statements: Vec<Statement>,
    /// Lines in it, documentation not counted.
    lines: usize,
    /// Its last line was refused: what follows from that is not said.
    pub(super) last_refused: bool,
}

impl Block {
    fn accepts(&self, column: usize) -> bool {
        self.column == column || self.also == Some(column)
    }
}

/// A head whose block has not begun yet.
struct Pending {
    opener: Opener,
    head: Span,
    column: usize,
    /// It may have no block.
    optional: bool,
}

/// What has been read of a definition.
pub(super) struct Body {
    pub(super) blocks: Vec<Block>,
    pending: Option<Pending>,
    /// Blocks of `if`, `when` and `while` that are open.
    pub(super) depth: usize,
    /// Indentation cannot be trusted: a line's column is not known.
    doubtful: bool,
    pub(super) broken: bool,
    pub(super) documentation: Option<Spanned<String>>,
    pub(super) statements: Vec<Statement>,
    pub(super) texts: Vec<Spanned<String>>,
    pub(super) declarations: Vec<ContextDeclaration>,
}

impl Body {
    fn new(opener: Opener, head: Span, column: usize, optional: bool) -> Self {
        Self {
            blocks: Vec::new(),
            pending: Some(Pending {
                opener,
                head,
                column,
                optional,
            }),
            depth: 0,
            doubtful: false,
            broken: false,
            documentation: None,
            statements: Vec::new(),
            texts: Vec::new(),
            declarations: Vec::new(),
        }
    }

    /// Makes the next deeper line begin a block of `line`.
    pub(super) fn expect_block(&mut self, opener: Opener, line: &Line<'_>, optional: bool) {
        self.pending = Some(Pending {
            opener,
            head: line.whole(),
            column: line.column,
            optional,
        });
    }

    /// Adds a statement to the innermost block.
    pub(super) fn push(&mut self, kind: StatementKind, line: &Line<'_>) {
        let head = Spanned::new((), line.whole());
        if let Some(block) = self.blocks.last_mut() {
            block.statements.push(Statement { kind, head });
        }
    }

    /// The last statement of the innermost block.
    pub(super) fn last(&mut self) -> Option<&mut StatementKind> {
        let statement = self.blocks.last_mut()?.statements.last_mut()?;
        Some(&mut statement.kind)
    }

    /// The statement under which the innermost block stands.
    pub(super) fn owner(&mut self) -> Option<&mut StatementKind> {
        let above = self.blocks.len().checked_sub(2)?;
        let statement = self.blocks.get_mut(above)?.statements.last_mut()?;
        Some(&mut statement.kind)
    }

    /// Whether a `while` is open.
    pub(super) fn in_loop(&self) -> bool {
        let is_loop = |block: &Block| matches!(block.opener, Opener::While(_) | Opener::Loose);
        self.blocks.iter().any(is_loop)
    }

    fn open(&mut self, pending: Pending, column: usize) {
        self.depth += usize::from(nests(&pending.opener));
        self.blocks.push(Block {
            opener: pending.opener,
            head: pending.head,
            head_column: pending.column,
            column,
            also: None,
            statements: Vec::new(),
            lines: 0,
            last_refused: false,
        });
    }

    /// Hands a finished block to the statement it belongs to.
    fn attach(&mut self, opener: Opener, head: Span, statements: Vec<Statement>) {
        let head = Spanned::new((), head);
        match (opener, self.last()) {
            (Opener::Flow, _) => self.statements = statements,
            (Opener::Arm(condition), Some(StatementKind::If(target))) => target.arms.push(Arm {
                head,
                condition,
                body: statements,
            }),
            (Opener::WhenArm(trigger), Some(StatementKind::When(target))) => {
                target.arms.push(WhenArm {
                    head,
                    trigger,
                    body: statements,
                });
            }
            (Opener::While(condition), _) => {
                let kind = StatementKind::While(While {
                    condition,
                    body: statements,
                });
                if let Some(block) = self.blocks.last_mut() {
                    block.statements.push(Statement { kind, head });
                }
            }
            _ => {}
        }
    }
}

/// Whether a block counts for the limit of nesting.
fn nests(opener: &Opener) -> bool {
    matches!(
        opener,
        Opener::Arm(_) | Opener::WhenArm(_) | Opener::While(_)
    )
}

impl<'l, 'a> Parser<'l, 'a, '_, '_> {
    /// Reads the block of the definition with head `head`.
    pub(super) fn body(&mut self, head: &'l Line<'a>, opener: Opener, optional: bool) -> Body {
        let mut body = Body::new(opener, head.whole(), head.column, optional);
        while let Some(line) = self.lines.get(self.at) {
            let column_known = !matches!(
                line.kind,
                LineKind::Broken {
                    column_known: false
                }
            );
            if begins_definition(line) || (column_known && line.column <= head.column) {
                break;
            }
            self.at += 1;
            if !column_known {
                body.broken = true;
                body.doubtful = true;
                if let Some(pending) = &mut body.pending {
                    pending.optional = true;
                }
                if let Some(block) = body.blocks.last_mut() {
                    block.lines += 1;
                    block.last_refused = true;
                }
            } else if self.place(&mut body, line) {
                self.content(&mut body, line);
            }
        }
        if let Some(pending) = body.pending.take() {
            self.without_block(&mut body, pending);
        }
        while !body.blocks.is_empty() {
            self.close(&mut body);
        }
        body
    }

    /// Finds the block that a line belongs to, which is then the innermost. Whether its
    /// content is to be read.
    fn place(&mut self, body: &mut Body, line: &Line<'_>) -> bool {
        let column = line.column;
        if let Some(pending) = body.pending.take() {
            let belongs = match pending.opener {
                Opener::Wordings => line.part().begins_with_quote() || line.kind != LineKind::Code,
                _ => true,
            };
            if column > pending.column && belongs {
                let ignored = matches!(pending.opener, Opener::Ignored);
                body.open(pending, column);
                if ignored && let Some(block) = body.blocks.last_mut() {
                    block.lines += 1;
                }
                return !ignored;
            }
            if column <= pending.column || !pending.optional {
                self.without_block(body, pending);
            }
        }
        loop {
            let count = body.blocks.len();
            let second = count.checked_sub(2).and_then(|at| body.blocks.get(at));
            let goes_out =
                second.is_some_and(|block| block.accepts(column) || column < block.column);
            let levels = || {
                let columns = body.blocks.iter().map(|block| block.column);
                std::iter::once(0).chain(columns).collect::<Vec<_>>()
            };
            let Some(top) = body.blocks.last() else {
                return false;
            };
            if matches!(top.opener, Opener::Ignored) && column > top.head_column {
                return false;
            }
            if top.accepts(column) {
                return true;
            }
            if column < top.column && goes_out {
                self.close(body);
                continue;
            }
            let error = if column > top.column {
                too_deep(line, top.column)
            } else {
                no_level(line, &levels())
            };
            if !body.doubtful {
                self.report.push(*error);
            }
            body.broken = true;
            if let Some(top) = body.blocks.last_mut() {
                top.also = Some(column);
            }
            return true;
        }
    }

    /// Reads a line as a part of the innermost block.
    fn content(&mut self, body: &mut Body, line: &'l Line<'a>) {
        let root = body.blocks.len() == 1;
        let Some(block) = body.blocks.last_mut() else {
            return;
        };
        if line.kind == LineKind::Documentation {
            if root && block.lines == 0 && body.documentation.is_none() {
                body.documentation = Some(documentation(line));
            } else {
                self.stray_documentation(line);
            }
            return;
        }
        block.lines += 1;
        let after_refused = std::mem::take(&mut block.last_refused);
        let read = match (line.kind, &block.opener) {
            (LineKind::Broken { .. }, _) => Err(None),
            (_, Opener::Texts { wordings }) => {
                let wordings = *wordings;
                self.text_line(body, line, wordings).map_err(Some)
            }
            (_, Opener::Wordings) => self.wording_line(body, line).map_err(Some),
            (_, Opener::Context) => self.declaration(body, line).map_err(Some),
            (_, Opener::Any) => self.any_member(line).map_err(Some),
            _ => self.statement(body, line, after_refused).map_err(Some),
        };
        if let Err(error) = read {
            self.refuse(body, line, error);
        }
    }

    fn refuse(&mut self, body: &mut Body, line: &Line<'_>, error: Option<Fault>) {
        if let Some(error) = error {
            self.report.push(*error);
        }
        body.broken = true;
        if let Some(block) = body.blocks.last_mut() {
            block.last_refused = true;
        }
        if body.pending.is_none() {
            let opener = match body.blocks.last().map(|block| &block.opener) {
                Some(Opener::Context | Opener::Any | Opener::Wordings) => Opener::Ignored,
                Some(Opener::Texts { .. }) => Opener::Ignored,
                _ => Opener::Loose,
            };
            body.expect_block(opener, line, true);
        }
    }

    /// A head's block did not come.
    fn without_block(&mut self, body: &mut Body, pending: Pending) {
        if !pending.optional {
            body.broken = true;
            if body.blocks.is_empty() {
                // The lines behind it are most likely its block, not indented.
                self.outside = true;
            }
            self.report.push(*empty_block(pending.head));
        }
        body.attach(pending.opener, pending.head, Vec::new());
    }

    fn close(&mut self, body: &mut Body) {
        let Some(block) = body.blocks.pop() else {
            return;
        };
        body.depth -= usize::from(nests(&block.opener));
        let optional = matches!(
            block.opener,
            Opener::Texts { .. } | Opener::Wordings | Opener::Loose | Opener::Ignored
        );
        if block.lines == 0 && !optional {
            body.broken = true;
            self.report.push(*empty_block(block.head));
        }
        body.attach(block.opener, block.head, block.statements);
    }
}

fn empty_block(head: Span) -> Fault {
    fault(
        &syntax::EMPTY_BLOCK,
        head,
        "block of this line is empty",
    )
    .label("nothing stands under it, indented deeper")
    .help("indent what belongs to it, or delete the line; comments and documentation alone are no block")
}

fn spaces(count: usize) -> String {
    match count {
        1 => "1 space".to_owned(),
        _ => format!("{count} spaces"),
    }
}

fn too_deep(line: &Line<'_>, expected: usize) -> Fault {
    fault(
        &syntax::UNEXPECTED_INDENTATION,
        line.whole(),
        "line is indented deeper than its block",
    )
    .label(format!(
        "indented by {}; its block by {}",
        spaces(line.column),
        spaces(expected)
    ))
    .help("only a head such as `if`, `else`, `when` or `while`, or a text under `bot` or `user`, opens a deeper block")
}

fn no_level(line: &Line<'_>, levels: &[usize]) -> Fault {
    let open: Vec<_> = levels.iter().map(ToString::to_string).collect();
    let open = match open.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => open.join(""),
    };
    fault(
        &syntax::INDENTATION,
        line.whole(),
        "indentation returns to no open block",
    )
    .label(format!("indented by {}", spaces(line.column)))
    .help(format!(
        "indent it by {open} spaces, as the block it belongs to"
    ))
}
