//! Expressions: from the grammar's flat marks to the tree, by one loop with a stack of its own.
//!
//! What the gate can read (contract section 3) becomes a condition; anything else that is
//! Colang becomes one leaf that names the first construct that cannot be read.

mod structure;

use super::faults;
use super::grammar::{self, Mark, MarkKind};
use super::line::{Line, Part};
use super::nesting;
use super::string;
use super::tree::{
    Construct, Expression, ExpressionKind, Literal, Path, PathName, Unreadable, Value,
};
use crate::diagnostics::Diagnostic;
use crate::text::{Decimal, Span, Spanned};

/// An error on its way to the report.
pub(super) type Fault = Box<Diagnostic>;

/// Marks of one expression, with the line they stand in. The vector of marks is kept from one
/// expression to the next.
struct Reading<'l, 'a> {
    line: &'l Line<'a>,
    part: Part<'l>,
    marks: &'l [Mark],
}

impl<'l> Reading<'l, '_> {
    fn text(&self, mark: Mark) -> Part<'l> {
        Part {
            text: self.part.text.get(mark.start..mark.end).unwrap_or_default(),
            at: self.part.at + mark.start,
        }
    }

    fn place(&self, mark: Mark) -> Span {
        self.line
            .span(self.part.at + mark.start, self.part.at + mark.end)
    }

    /// From the first byte of one mark to the last of another.
    fn between(&self, from: usize, to: usize) -> Span {
        self.line.span(self.part.at + from, self.part.at + to)
    }

    fn path(&self, mark: Mark) -> Path {
        path(self.line, self.text(mark))
    }

    /// Number literals are plain, and names of other languages' constants are none of ours,
    /// wherever they stand.
    fn check_words(&self) -> Result<(), Fault> {
        for &mark in self.marks {
            match mark.kind {
                MarkKind::Number => {
                    let part = self.text(mark);
                    if let Err(error) = Decimal::from_literal(part.text) {
                        return Err(faults::number(self.line, part, error));
                    }
                }
                MarkKind::Word => faults::foreign_constant(self.line, self.text(mark))?,
                _ => {}
            }
        }
        Ok(())
    }

    /// All names that are read. Of `$a.b(…)`, that is `$a`.
    fn reads(&self) -> Vec<Path> {
        let mut reads = Vec::new();
        for (index, &mark) in self.marks.iter().enumerate() {
            match mark.kind {
                MarkKind::Path => {
                    let mut path = self.path(mark);
                    let called = self
                        .marks
                        .get(index + 1)
                        .is_some_and(|next| next.kind == MarkKind::CallOpen);
                    if called && path.value.0.len() > 1 {
                        path.value.0.pop();
                    }
                    reads.push(path);
                }
                MarkKind::MarkedString | MarkKind::Adjacent => {
                    reads.extend(names_in_text(self.line, self.text(mark)));
                }
                _ => {}
            }
        }
        reads
    }

    fn unreadable(&self, construct: Spanned<Construct>) -> Unreadable {
        let text = self.part.trim();
        Unreadable {
            construct,
            text: Spanned::new(text.text.to_owned(), self.line.place(text)),
            reads: self.reads(),
            bare_call: self.bare_call(),
        }
    }

    /// `t` of `t(…)`. `len` is no tool anybody forgot to `execute`.
    fn bare_call(&self) -> Option<String> {
        let (&first, rest) = self.marks.split_first()?;
        let (open, inside) = rest.split_first()?;
        if first.kind != MarkKind::Word || open.kind != MarkKind::CallOpen {
            return None;
        }
        let mut depth = 1_usize;
        for (index, mark) in inside.iter().enumerate() {
            match mark.kind {
                MarkKind::Close => depth -= 1,
                kind if opens(kind) => depth += 1,
                _ => {}
            }
            if depth == 0 {
                let name = self.text(first).text;
                return (index + 1 == inside.len() && name != "len").then(|| name.to_owned());
            }
        }
        None
    }
}

fn opens(kind: MarkKind) -> bool {
    matches!(
        kind,
        MarkKind::GroupOpen
            | MarkKind::ListOpen
            | MarkKind::BraceOpen
            | MarkKind::CallOpen
            | MarkKind::SubscriptOpen
    )
}

/// Reads a condition.
pub(super) fn condition(
    line: &Line<'_>,
    part: Part<'_>,
    marks: &mut Vec<Mark>,
) -> Result<Expression, Fault> {
    let reading = read(line, part, marks, Use::Condition)?;
    Ok(match structure::condition(&reading)? {
        Ok(expression) => expression,
        Err(construct) => {
            let unreadable = reading.unreadable(construct);
            let span = Spanned::new((), unreadable.text.span);
            let kind = ExpressionKind::Unreadable(unreadable);
            Expression { kind, span }
        }
    })
}

/// Reads the right side of `$x = …`.
pub(super) fn value(
    line: &Line<'_>,
    part: Part<'_>,
    marks: &mut Vec<Mark>,
) -> Result<Value, Fault> {
    let reading = read(line, part, marks, Use::Value)?;
    if let &[mark] = reading.marks {
        match mark.kind {
            MarkKind::Path => return Ok(Value::Name(reading.path(mark))),
            MarkKind::Ellipsis => return Ok(Value::Model(Spanned::new((), reading.place(mark)))),
            _ => {}
        }
        if let Some(literal) = literal(&reading, mark)? {
            return Ok(Value::Literal(literal));
        }
    }
    let construct = match structure::condition(&reading)? {
        Ok(_) => Spanned::new(Construct::Other, line.place(part.trim())),
        Err(construct) => construct,
    };
    Ok(Value::Unreadable(reading.unreadable(construct)))
}

/// Reads the right side of `$x += …`, whose value is never seen.
pub(super) fn changed_value(
    line: &Line<'_>,
    name: Path,
    operator: Span,
    part: Part<'_>,
    marks: &mut Vec<Mark>,
) -> Result<Value, Fault> {
    let reading = read(line, part, marks, Use::Value)?;
    let mut unreadable = reading.unreadable(Spanned::new(Construct::Arithmetic, operator));
    unreadable.text.span = name.span.to(unreadable.text.span);
    unreadable.reads.insert(0, name);
    unreadable.bare_call = None;
    Ok(Value::Unreadable(unreadable))
}

/// Where an expression stands; messages differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Condition,
    Value,
}

fn read<'l, 'a>(
    line: &'l Line<'a>,
    part: Part<'l>,
    marks: &'l mut Vec<Mark>,
    purpose: Use,
) -> Result<Reading<'l, 'a>, Fault> {
    if let Some((from, to)) = nesting::too_deep(part.text) {
        return Err(faults::too_deep(line, part, from, to));
    }
    marks.clear();
    grammar::expression(part.text, marks)
        .map_err(|mismatch| faults::expression(line, part, mismatch, purpose))?;
    let reading = Reading { line, part, marks };
    reading.check_words()?;
    Ok(reading)
}

/// The literal a mark is; `None` for other marks. The marks have been checked: a number that
/// is no plain decimal does not come here.
fn literal(reading: &Reading<'_, '_>, mark: Mark) -> Result<Option<Spanned<Literal>>, Fault> {
    let part = reading.text(mark);
    let literal = match mark.kind {
        MarkKind::Number => match Decimal::from_literal(part.text) {
            Ok(number) => Literal::Number(number),
            Err(error) => return Err(faults::number(reading.line, part, error)),
        },
        MarkKind::String => Literal::String(
            string::unescape(part).map_err(|fault| faults::string(reading.line, fault))?,
        ),
        MarkKind::Constant => Literal::Boolean(part.text == "True"),
        _ => return Ok(None),
    };
    Ok(Some(Spanned::new(literal, reading.place(mark))))
}

/// The name `$a.b` that a part is.
pub(super) fn path(line: &Line<'_>, part: Part<'_>) -> Path {
    let name = part.text.strip_prefix('$').unwrap_or(part.text);
    let segments = name.split('.').map(str::to_owned).collect();
    Spanned::new(PathName(segments), line.place(part))
}

/// The `$names` in the text of a string.
pub(super) fn names_in_text(line: &Line<'_>, part: Part<'_>) -> Vec<Path> {
    let mut names = Vec::new();
    let mut rest = part;
    while let Some(dollar) = rest.text.find('$') {
        let (_, from) = rest.split(dollar);
        let length = path_length(from.text);
        let (name, behind) = from.split(length.max(1));
        if length > 0 {
            names.push(path(line, name));
        }
        rest = behind;
    }
    names
}

/// The length of the `$a.b` a text begins with; zero when it begins with none.
pub(super) fn path_length(text: &str) -> usize {
    let identifier = |text: &str| match crate::text::word_length(text) {
        _ if text.starts_with(|first: char| first.is_ascii_digit()) => 0,
        length => length,
    };
    let Some(name) = text.strip_prefix('$') else {
        return 0;
    };
    let first = identifier(name);
    if first == 0 {
        return 0;
    }
    let mut length = 1 + first;
    while let Some(segment) = text.get(length..).and_then(|rest| rest.strip_prefix('.')) {
        match identifier(segment) {
            0 => break,
            more => length += 1 + more,
        }
    }
    length
}

#[cfg(test)]
mod tests;
