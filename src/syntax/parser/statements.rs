//! The statements of a flow (contract section 3).

use super::body::{Body, Opener};
use super::{Explained, Parser, fault, spanned};
use crate::diagnostics::Fix;
use crate::diagnostics::codes::syntax;
use crate::syntax::expression::{self, Fault};
use crate::syntax::line::{Line, Part};
use crate::syntax::tree::{If, StatementKind, When};
use crate::syntax::words;
use crate::text::{Decimal, quoted};

/// Most `if`s, `when`s and `while`s that may stand in one another.
const MAX_BLOCKS: usize = 64;

impl<'l, 'a> Parser<'l, 'a, '_, '_> {
    /// Reads a statement into the innermost block. `after_refused`: the line before it in its
    /// block was refused, so an `else` without an `if` follows from that.
    pub(super) fn statement(
        &mut self,
        body: &mut Body,
        line: &'l Line<'a>,
        after_refused: bool,
    ) -> Result<(), Fault> {
        let part = line.part().without_colon();
        if part.text.starts_with('$') {
            return self.assignment(body, line, part);
        }
        let (word, rest) = part.word();
        match word.text {
            "bot" => self.bot(body, line, rest),
            "user" => self.user(body, line, rest),
            "execute" => self.execute(body, line, rest),
            "if" => self.open_if(body, line, rest),
            "else" | "elif" => match self.further_arm(body, line, part, after_refused) {
                // An arm whose `if` was refused: its block is read, and so are its siblings.
                Err(None) => {
                    body.broken = true;
                    if let Some(block) = body.blocks.last_mut() {
                        block.last_refused = true;
                    }
                    body.expect_block(Opener::Loose, line, true);
                    Ok(())
                }
                Err(Some(fault)) => Err(fault),
                Ok(()) => Ok(()),
            },
            "when" => self.open_when(body, line, rest),
            "while" => self.open_while(body, line, rest),
            "do" => self.call_subflow(body, line, rest),
            "stop" | "abort" => {
                alone(line, word, rest).map(|()| body.push(StatementKind::Stop, line))
            }
            "return" => alone(line, word, rest).map(|()| body.push(StatementKind::Return, line)),
            "break" | "continue" => self.loop_word(body, line, word, rest),
            "event" => {
                named(line, word, rest).map(|name| body.push(StatementKind::Event(name), line))
            }
            "create" => {
                let (event, rest) = rest.word();
                if event.text != "event" {
                    return Err(missing(
                        line,
                        "`create` makes events only",
                        "write `create event` and its name",
                    ));
                }
                named(line, event, rest)
                    .map(|name| body.push(StatementKind::CreateEvent(name), line))
            }
            "any" => {
                alone(line, word, rest)?;
                body.push(StatementKind::Any, line);
                body.expect_block(Opener::Any, line, false);
                Ok(())
            }
            "label" => {
                named(line, word, rest).map(|name| body.push(StatementKind::Label(name), line))
            }
            "goto" => {
                named(line, word, rest).map(|name| body.push(StatementKind::Goto(name), line))
            }
            "meta" => {
                body.push(StatementKind::Meta, line);
                body.expect_block(Opener::Ignored, line, !rest.is_empty());
                Ok(())
            }
            "priority" => {
                if Decimal::from_literal(rest.text).is_err() {
                    return Err(missing(
                        line,
                        "`priority` needs a number",
                        "write it as `priority 10`",
                    ));
                }
                body.push(StatementKind::Priority, line);
                Ok(())
            }
            _ => Err(words::unknown(line, word, rest)),
        }
    }

    fn open_if(
        &mut self,
        body: &mut Body,
        line: &'l Line<'a>,
        rest: Part<'_>,
    ) -> Result<(), Fault> {
        self.check_depth(body, line)?;
        let condition = self.condition(line, rest, "if")?;
        body.push(StatementKind::If(If { arms: Vec::new() }), line);
        body.expect_block(Opener::Arm(Some(condition)), line, false);
        Ok(())
    }

    fn open_while(
        &mut self,
        body: &mut Body,
        line: &'l Line<'a>,
        rest: Part<'_>,
    ) -> Result<(), Fault> {
        self.check_depth(body, line)?;
        let condition = self.condition(line, rest, "while")?;
        body.expect_block(Opener::While(condition), line, false);
        Ok(())
    }

    fn open_when(
        &mut self,
        body: &mut Body,
        line: &'l Line<'a>,
        rest: Part<'_>,
    ) -> Result<(), Fault> {
        self.check_depth(body, line)?;
        let trigger = self.trigger(line, rest)?;
        body.push(StatementKind::When(When { arms: Vec::new() }), line);
        body.expect_block(Opener::WhenArm(Some(trigger)), line, false);
        Ok(())
    }

    fn check_depth(&mut self, body: &mut Body, line: &Line<'_>) -> Result<(), Fault> {
        if body.depth < MAX_BLOCKS {
            return Ok(());
        }
        body.expect_block(Opener::Ignored, line, true);
        Err(fault(
            &syntax::BLOCKS_TOO_DEEP,
            line.whole(),
            format!("blocks nest more than {MAX_BLOCKS} deep"),
        )
        .label("one too many")
        .help("join conditions with `and`, or move an inner part to a subflow"))
    }

    fn condition(
        &mut self,
        line: &Line<'_>,
        part: Part<'_>,
        word: &str,
    ) -> Result<crate::syntax::tree::Expression, Fault> {
        if part.is_empty() {
            return Err(missing(
                line,
                &format!("`{word}` has no condition"),
                &format!("write it as `{word} $name`"),
            ));
        }
        expression::condition(line, part, &mut self.marks)
    }

    /// `else`, `else if`, `elif`, `else when`. `Err(None)`: it belongs to nothing, and that
    /// follows from an earlier error.
    fn further_arm(
        &mut self,
        body: &mut Body,
        line: &'l Line<'a>,
        part: Part<'_>,
        after_refused: bool,
    ) -> Result<(), Option<Fault>> {
        let (first, rest) = part.word();
        let (second, behind) = rest.word();
        let arm = match (first.text, second.text) {
            ("elif", _) => ArmKind::If(rest),
            (_, "if") => ArmKind::If(behind),
            (_, "when") => ArmKind::When(behind),
            _ if rest.is_empty() => ArmKind::Else,
            _ => return Err(Some(on_one_line(line, rest))),
        };
        let (is_when, closed_by) = match body.last() {
            Some(StatementKind::If(target)) => {
                let last = target.arms.last();
                let closed = last.filter(|arm| arm.condition.is_none());
                (false, closed.map(|arm| arm.head.span))
            }
            Some(StatementKind::When(target)) => {
                let last = target.arms.last();
                let closed = last.filter(|arm| arm.trigger.is_none());
                (true, closed.map(|arm| arm.head.span))
            }
            _ if after_refused => return Err(None),
            _ => return Err(Some(without_if(line, &arm))),
        };
        if let Some(other) = closed_by {
            return Err(Some(
                fault(
                    &syntax::ARM_AFTER_ELSE,
                    line.whole(),
                    "this arm stands behind the `else` and is never reached",
                )
                .other(other, "the `else`")
                .help("move the `else` to the end, or begin a new `if`"),
            ));
        }
        let opener = match (arm, is_when) {
            (ArmKind::If(condition), false) => {
                let word = if first.text == "elif" {
                    "elif"
                } else {
                    "else if"
                };
                Opener::Arm(Some(self.condition(line, condition, word)?))
            }
            (ArmKind::When(trigger), true) => Opener::WhenArm(Some(self.trigger(line, trigger)?)),
            (ArmKind::Else, false) => Opener::Arm(None),
            (ArmKind::Else, true) => Opener::WhenArm(None),
            (arm, _) => return Err(Some(without_if(line, &arm))),
        };
        body.expect_block(opener, line, false);
        Ok(())
    }

    fn loop_word(
        &mut self,
        body: &mut Body,
        line: &Line<'_>,
        word: Part<'_>,
        rest: Part<'_>,
    ) -> Result<(), Fault> {
        alone(line, word, rest)?;
        if !body.in_loop() {
            return Err(fault(
                &syntax::OUTSIDE_LOOP,
                line.whole(),
                format!("{} stands outside every `while`", quoted(word.text)),
            )
            .help("to end the flow write `return`, to end the turn `stop`"));
        }
        let kind = match word.text {
            "break" => StatementKind::Break,
            _ => StatementKind::Continue,
        };
        body.push(kind, line);
        Ok(())
    }

    /// A line under `any`: a turn or an event.
    pub(super) fn any_member(&mut self, line: &Line<'_>) -> Result<(), Fault> {
        let (word, rest) = line.part().without_colon().word();
        match word.text {
            "user" | "bot" | "event" if !rest.is_empty() => Ok(()),
            _ => Err(fault(
                &syntax::ANY_MEMBER,
                line.whole(),
                "only turns and events stand under `any`",
            )
            .help("write `user` or `event` and what is waited for")),
        }
    }
}

/// An arm behind the first.
enum ArmKind<'l> {
    If(Part<'l>),
    When(Part<'l>),
    Else,
}

fn without_if(line: &Line<'_>, arm: &ArmKind<'_>) -> Fault {
    let (what, help) = match arm {
        ArmKind::When(_) => (
            "`else when` has no `when` before it",
            "put it in the column of its `when`, directly behind that block; a first one is written `when`",
        ),
        ArmKind::If(_) => (
            "`else if` has no `if` before it",
            "put it in the column of its `if`, directly behind that block; a first one is written `if`",
        ),
        ArmKind::Else => (
            "`else` has no `if` before it",
            "put it in the column of its `if`, directly behind that block",
        ),
    };
    fault(&syntax::ELSE_WITHOUT_IF, line.whole(), what).help(help)
}

/// `else bot x`, or a misspelt `else if`.
fn on_one_line(line: &Line<'_>, rest: Part<'_>) -> Fault {
    if rest.text.starts_with('$') || rest.text.starts_with('(') || rest.text.starts_with("not ") {
        return fault(
            &syntax::STATEMENT_ON_HEAD,
            line.place(rest),
            "`else` has no condition",
        )
        .help("write `else if` before the condition")
        .fix(Fix::insert(line.place(rest).start, "if "));
    }
    fault(
        &syntax::STATEMENT_ON_HEAD,
        line.place(rest),
        "a statement stands on the line of its `else`",
    )
    .help("write the statement on the next line, indented")
}

/// A statement that lacks what it needs.
pub(super) fn missing(line: &Line<'_>, message: &str, help: &str) -> Fault {
    fault(&syntax::INCOMPLETE, line.whole(), message).help(help)
}

/// Refuses text behind a word that stands alone.
fn alone(line: &Line<'_>, word: Part<'_>, rest: Part<'_>) -> Result<(), Fault> {
    if rest.is_empty() {
        return Ok(());
    }
    let help = match word.text {
        "return" => "a rulebook's flows give nothing back: write `return` alone",
        _ => "write what follows on a line of its own, or delete it",
    };
    Err(fault(
        &syntax::TRAILING_TEXT,
        line.place(rest),
        format!("nothing may stand behind {}", quoted(word.text)),
    )
    .help(help))
}

/// The name behind a word.
fn named(
    line: &Line<'_>,
    word: Part<'_>,
    rest: Part<'_>,
) -> Result<crate::text::Spanned<String>, Fault> {
    if rest.is_empty() {
        return Err(missing(
            line,
            &format!("{} has no name behind it", quoted(word.text)),
            &format!("write the name behind `{}`", word.text),
        ));
    }
    Ok(spanned(line, rest))
}
