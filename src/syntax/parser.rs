//! From logical lines to the tree: definitions, and the nesting of their blocks by columns.
//!
//! Blocks nest on a vector, not on the stack. A line that is refused marks its definition as
//! broken; what is indented under it is still read, so that further errors are found.

mod body;
mod context;
mod head;
mod statements;
mod talk;
mod tools;

pub(super) use head::begins_definition;

use super::expression::Fault;
use super::grammar::Mark;
use super::line::{Line, LineKind, Part};
use super::report::Report;
use super::tree::{Comment, Rulebook};
use super::words;
use crate::diagnostics::{Code, Diagnostic, Fix, codes::syntax};
use crate::text::{Span, Spanned, quoted};

/// Reads the definitions of a file.
pub(super) struct Parser<'l, 'a, 'r, 's> {
    lines: &'l [Line<'a>],
    at: usize,
    report: &'r mut Report<'s>,
    rulebook: Rulebook,
    /// `define flow`s so far, anonymous ones included.
    flows: usize,
    /// A line outside all definitions has been reported, and what follows it belongs to it.
    outside: bool,
    marks: Vec<Mark>,
}

impl<'l, 'a, 'r, 's> Parser<'l, 'a, 'r, 's> {
    pub(super) fn new(lines: &'l [Line<'a>], report: &'r mut Report<'s>) -> Self {
        Self {
            lines,
            at: 0,
            report,
            rulebook: Rulebook::default(),
            flows: 0,
            outside: false,
            marks: Vec::new(),
        }
    }

    /// Reads all lines.
    pub(super) fn run(mut self, comments: Vec<Comment>) -> Rulebook {
        self.rulebook.comments = comments;
        while let Some(line) = self.lines.get(self.at) {
            if begins_definition(line) {
                self.outside = false;
                self.definition(line);
            } else {
                self.at += 1;
                self.line_outside(line);
            }
        }
        self.rulebook
            .comments
            .sort_by_key(|comment| comment.text.span);
        self.rulebook
    }

    fn line_outside(&mut self, line: &Line<'_>) {
        match line.kind {
            LineKind::Documentation => {
                let first = self.rulebook.definitions.is_empty();
                if first && self.rulebook.documentation.is_none() {
                    self.rulebook.documentation = Some(documentation(line));
                } else {
                    self.stray_documentation(line);
                }
            }
            LineKind::Broken { .. } => self.outside = true,
            LineKind::Code => {
                let (word, _) = line.part().word();
                if let Some(fault) = words::inclusion(line, word) {
                    self.report.push(*fault);
                } else if !self.outside {
                    self.outside = true;
                    self.report.push(*outside(line));
                }
            }
        }
    }

    /// Documentation where none belongs is Colang's way to comment lines out: it is kept as a
    /// comment.
    fn stray_documentation(&mut self, line: &Line<'_>) {
        let text = format!("\"\"\"{}\"\"\"", line.part().text);
        self.rulebook.comments.push(Comment {
            text: Spanned::new(text, line.whole()),
            own_line: true,
        });
    }
}

/// The text of a documentation line.
fn documentation(line: &Line<'_>) -> Spanned<String> {
    Spanned::new(line.part().text.to_owned(), line.whole())
}

fn outside(line: &Line<'_>) -> Fault {
    let part = line.part();
    let (word, rest) = part.word();
    let shown = quoted(part.text);
    if word.text == "flow" || word.text == "subflow" {
        return fault(
            &syntax::OUTSIDE_DEFINITION,
            line.whole(),
            format!("{shown} needs `define` before it"),
        )
        .help(format!(
            "write {}",
            quoted(&format!("define {}", part.text))
        ))
        .fix((line.column == 0).then(|| Fix::insert(line.whole().start, "define ")));
    }
    let help = if line.column > 0 {
        "indent it like the lines of the definition it belongs to"
    } else if rest.is_empty() && part.text.ends_with(':') {
        "a definition begins with `define`, such as `define flow refunds`"
    } else {
        "indent it under a definition, such as `define flow refunds`"
    };
    fault(
        &syntax::OUTSIDE_DEFINITION,
        line.whole(),
        format!("{shown} stands outside every definition"),
    )
    .help(help)
}

/// An error at a place.
fn fault(code: &'static Code, span: Span, message: impl Into<String>) -> Fault {
    Box::new(Diagnostic::new(code, span, message))
}

/// Builder steps on a boxed error.
trait Explained {
    fn help(self, help: impl Into<String>) -> Self;
    fn label(self, text: impl Into<String>) -> Self;
    fn other(self, span: Span, text: impl Into<String>) -> Self;
    fn fix(self, fix: impl Into<Option<Fix>>) -> Self;
}

impl Explained for Fault {
    fn help(self, help: impl Into<String>) -> Self {
        Box::new((*self).with_help(help))
    }

    fn label(self, text: impl Into<String>) -> Self {
        Box::new((*self).with_label(text))
    }

    fn other(self, span: Span, text: impl Into<String>) -> Self {
        Box::new((*self).with_other(span, text))
    }

    fn fix(self, fix: impl Into<Option<Fix>>) -> Self {
        Box::new((*self).with_fix(fix))
    }
}

/// A part as a text with its place.
fn spanned(line: &Line<'_>, part: Part<'_>) -> Spanned<String> {
    Spanned::new(part.folded(), line.place(part))
}

#[cfg(test)]
mod tests;
