//! The style of one line: its node says what may be written otherwise without a change of the
//! tree, and everything else is kept.

use crate::syntax::lines::{LogicalLine, TextJoint, listed_texts};
use crate::syntax::tree::{
    Assign, Bot, ContextDeclaration, Execute, Expression, Literal, StatementKind, Value,
};
use crate::text::{Spanned, word_length};

use super::condition;
use super::nodes::Node;
use super::writer::{Break, Writer, Written};

/// What a line is to the formatter.
#[derive(Clone, Copy, Debug)]
pub(super) enum Style<'t> {
    /// The line of a node.
    Of(Node<'t>),
    /// A line that the tree does not hold, but whose shape is known by its first word.
    Unheld,
    /// A line to be kept as it is.
    AsWritten,
}

/// Writes a line at its new column. `commented`: a comment stands behind it.
pub(super) fn write(
    line: &LogicalLine<'_>,
    style: Style<'_>,
    breaks: &[Break<'_>],
    column: usize,
    commented: bool,
) -> Written {
    let mut writer = Writer::new(line, breaks, column);
    let text = line.text();
    let mut inside = Inside {
        line,
        end: without_colon(text),
        writer: &mut writer,
    };
    match style {
        Style::Of(node) => inside.node(node),
        Style::Unheld => inside.unheld(),
        Style::AsWritten => inside.as_written(),
    }
    writer.finish(commented)
}

/// The end of a line's text without its trailing `:`. A `:` stays where another stands before
/// it, which would be dropped in its turn, and behind a `\`, which would continue the line.
fn without_colon(text: &str) -> usize {
    match text
        .strip_suffix(':')
        .map(|rest| rest.trim_end_matches(' '))
    {
        Some(rest) if !rest.ends_with([':', '\\']) => rest.len(),
        _ => text.len(),
    }
}

struct Inside<'w, 'l> {
    line: &'l LogicalLine<'l>,
    /// Where the text ends, a trailing `:` not counted.
    end: usize,
    writer: &'w mut Writer<'l>,
}

impl<'l> Inside<'_, 'l> {
    fn text(&self) -> &'l str {
        self.line.text()
    }

    fn node(&mut self, node: Node<'_>) {
        match node {
            Node::Definition(name) => self.definition(name),
            Node::Declaration(declaration) => self.declaration(declaration),
            Node::Text => {
                self.end = self.text().len();
                if !self.texts(0, "") {
                    self.words(0, self.end, "");
                }
            }
            Node::Arm { first, condition } => {
                let word = match (first, condition) {
                    (true, _) => "if",
                    (false, Some(_)) => "else if",
                    (false, None) => "else",
                };
                self.head(word, condition);
            }
            Node::While(condition) => self.head("while", Some(condition)),
            Node::WhenArm {
                first: false,
                trigger: None,
            } => self.writer.text("else"),
            Node::WhenArm { .. } => self.words(0, self.end, ""),
            Node::Statement(kind) => self.statement(kind),
        }
    }

    fn statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Execute(execute) => self.execute(execute),
            StatementKind::Bot(bot) => self.bot(bot),
            StatementKind::User(_) => self.user(),
            StatementKind::Assign(assign) => self.assign(assign),
            StatementKind::Stop => self.writer.text("stop"),
            // What stands behind it is not looked into.
            StatementKind::Meta if !is_alone(self.text(), self.end) => self.as_written(),
            StatementKind::Do(_)
            | StatementKind::Return
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Event(_)
            | StatementKind::CreateEvent(_)
            | StatementKind::Any
            | StatementKind::Meta
            | StatementKind::Priority
            | StatementKind::Label(_)
            | StatementKind::Goto(_)
            // These have nodes of their own.
            | StatementKind::If(_)
            | StatementKind::When(_)
            | StatementKind::While(_) => self.words(0, self.end, ""),
        }
    }

    fn as_written(&mut self) {
        self.writer.verbatim(0, self.text().len());
    }

    fn unheld(&mut self) {
        let text = self.text();
        let (word, _) = text.split_at_checked(word_length(text)).unwrap_or_default();
        match word {
            "" if self.texts(0, "") => {}
            "user" | "bot" | "event" => self.words(0, self.end, ""),
            _ => self.as_written(),
        }
    }

    /// `define flow refunds`; a name in quotes that needs none loses them.
    fn definition(&mut self, name: Option<&Spanned<String>>) {
        let Some(name) = name else {
            return self.words(0, self.end, "");
        };
        let (start, end) = self.line.range(name.span);
        let written = self.text().get(start..end).unwrap_or_default();
        let quoted = written.starts_with(['"', '\'']);
        if !quoted {
            return self.words(0, self.end, "");
        }
        self.words(0, start, "");
        self.writer.gap(start, " ");
        if is_plain_name(&name.value) && self.line.breaks().next().is_none() {
            self.writer.text(&name.value);
        } else if self.line.strings().contains(&(start, end)) {
            self.writer.string(start, end);
        } else {
            self.writer.verbatim(start, end);
        }
    }

    /// `$order_paid: bool`
    fn declaration(&mut self, declaration: &ContextDeclaration) {
        let (from, to) = self.line.range(declaration.name.span);
        self.writer.verbatim(from, to);
        self.writer.text(":");
        let (from, to) = self.line.range(declaration.value_type.span);
        self.writer.gap(from, " ");
        self.writer.verbatim(from, to);
    }

    /// `if`, `else if`, `elif`, `else`, `while`, and the condition.
    fn head(&mut self, word: &str, condition: Option<&Expression>) {
        self.writer.text(word);
        let Some(condition) = condition else {
            return;
        };
        let text = self.text();
        let first = word_length(text);
        let mut from = self.skip_blanks(first);
        if text.starts_with("else") {
            from = self.skip_blanks(from + "if".len());
        }
        condition::write(self.writer, condition, from, self.end);
    }

    /// `execute T(k=v, …)`, in which every other list of arguments is written too.
    fn execute(&mut self, execute: &Execute) {
        if let Some(result) = &execute.result {
            let (from, to) = self.line.range(result.span);
            self.writer.verbatim(from, to);
            self.writer.text(" =");
        }
        let (from, to) = self.line.range(execute.tool.span);
        if execute.result.is_some() {
            self.writer.gap(from, " ");
        }
        self.writer.text("execute");
        self.writer.gap(from, " ");
        self.writer.verbatim(from, to);
        let mut open = "(";
        for argument in &execute.arguments {
            let (from, to) = self.line.range(argument.value.span);
            self.writer.text(open);
            self.writer.gap(from, if open == "(" { "" } else { " " });
            if let Some(name) = &argument.name {
                self.writer.text(name);
                self.writer.text("=");
            }
            self.writer.verbatim(from, to);
            open = ",";
        }
        if !execute.arguments.is_empty() {
            self.writer.gap(self.end, "");
            self.writer.text(")");
        }
    }

    fn bot(&mut self, bot: &Bot) {
        let word = "bot".len();
        let begin = self.skip_blanks(word);
        let quoted = self.text_at(begin).starts_with(['"', '\'']);
        let whole = self.line.whole();
        let wording = bot.wordings.first().map(|wording| wording.span);
        let wording = wording.filter(|span| whole.start <= span.start && span.end <= whole.end);
        if quoted {
            self.writer.text("bot");
            if !self.texts(begin, " ") {
                self.words(begin, self.end, " ");
            }
        } else if let Some(span) = wording {
            let (start, _) = self.line.range(span);
            self.words(0, start, "");
            if !self.texts(start, " ") {
                self.words(start, self.end, " ");
            }
        } else {
            self.words(0, self.end, "");
        }
    }

    fn user(&mut self) {
        let begin = self.skip_blanks("user".len());
        self.writer.text("user");
        if !self.texts(begin, " ") {
            self.words(begin, self.end, " ");
        }
    }

    /// `$x = value`, `$x += value`
    fn assign(&mut self, assign: &Assign) {
        let (from, to) = self.line.range(assign.name.span);
        self.writer.verbatim(from, to);
        let operator = self.skip_blanks(to);
        let length = match self.text_at(operator).starts_with('=') {
            true => 1,
            false => 2,
        };
        let value = self.skip_blanks(operator + length);
        self.writer.gap(operator, " ");
        self.writer.verbatim(operator, operator + length);
        self.writer.gap(value, " ");
        match &assign.value {
            Value::Literal(Spanned {
                value: Literal::String(_),
                ..
            }) => self.writer.string(value, self.end),
            _ => self.writer.verbatim(value, self.end),
        }
    }

    /// Texts to the end of the line; `false`, and nothing is written, where there is anything
    /// else.
    fn texts(&mut self, from: usize, separator: &str) -> bool {
        let Some(texts) = listed_texts(self.text(), from, self.end) else {
            return false;
        };
        let mut before = separator;
        for text in &texts {
            match text.joint {
                TextJoint::Blank => {}
                TextJoint::Comma => self.writer.text(","),
                TextJoint::And => self.writer.text(" and"),
            }
            self.writer.gap(text.start, before);
            self.writer.string(text.start, text.end);
            before = " ";
        }
        !texts.is_empty()
    }

    /// Words and what is joined to them, from `from` to `to`, with one blank between; strings
    /// are kept.
    fn words(&mut self, from: usize, to: usize, separator: &str) {
        let text = self.text();
        let strings = self.line.strings();
        let mut strings = strings.iter().copied().peekable();
        let mut before = separator;
        let mut at = self.skip_blanks(from);
        while at < to {
            let mut end = at;
            while let Some(rest) = text.get(end..to).filter(|rest| !rest.is_empty()) {
                while strings.next_if(|&(_, behind)| behind <= end).is_some() {}
                match strings.peek() {
                    Some(&(open, behind)) if open <= end => end = behind.min(to),
                    _ if rest.starts_with(' ') => break,
                    _ => end += rest.chars().next().map_or(1, char::len_utf8),
                }
            }
            self.writer.gap(at, before);
            self.writer.verbatim(at, end);
            before = " ";
            at = self.skip_blanks(end);
        }
    }

    fn text_at(&self, at: usize) -> &'l str {
        self.text().get(at..).unwrap_or_default()
    }

    fn skip_blanks(&self, at: usize) -> usize {
        let rest = self.text_at(at);
        at + (rest.len() - rest.trim_start_matches(' ').len())
    }
}

/// Whether a line is one word.
fn is_alone(text: &str, end: usize) -> bool {
    word_length(text) == end
}

/// Whether a name is one without quotes too, whatever stands in it.
fn is_plain_name(name: &str) -> bool {
    let is_plain = |word: &str| {
        word.chars()
            .all(|character| character.is_alphanumeric() || matches!(character, '_' | '-'))
    };
    name.split(' ').all(is_plain) && name.chars().any(char::is_alphanumeric)
}
