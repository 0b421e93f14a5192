//! Where each name of a rulebook is defined and used.

use std::ops::{ControlFlow, Range};

use crate::ir::{TOOL_NAME, is_tool_name};
use crate::syntax::tree::{
    Argument, Definition, Expression, ExpressionKind, FlowKind, Literal, Message, Operand, Path,
    PathName, Rulebook, Statement, StatementKind, Trigger, Turn, Value,
};
use crate::text::{Source, Span, Spanned};

/// What a name names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Flow,
    Subflow,
    Message,
    Turn,
    Context,
    Tool,
    Label,
}

impl Kind {
    /// What it is called.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Flow => "flow",
            Self::Subflow => "subflow",
            Self::Message => "message",
            Self::Turn => "turn",
            Self::Context => "context name",
            Self::Tool => "tool",
            Self::Label => "label",
        }
    }

    /// Whether two things of these kinds cannot share a name.
    fn collides(self, other: Self) -> bool {
        let of_flows = |kind| matches!(kind, Self::Flow | Self::Subflow);
        self == other || (of_flows(self) && of_flows(other))
    }
}

/// What is done with a name at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It is defined or declared.
    Definition,
    /// A value is assigned to it.
    Assignment,
    Use,
}

/// A name at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Occurrence {
    pub(super) kind: Kind,
    /// The name; that of the context without its `$`.
    pub(super) name: String,
    pub(super) role: Role,
    /// Its place: what is written anew when it is renamed.
    pub(super) span: Span,
    /// Its place as one sees it: with the `$` of a name of the context.
    pub(super) shown: Span,
    /// The flow that a label belongs to, as the index of its definition.
    flow: Option<usize>,
}

impl Occurrence {
    /// Whether both name the same thing.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.kind == other.kind && self.name == other.name && self.flow == other.flow
    }

    /// Whether the two could not have one name.
    pub(super) fn collides(&self, other: &Self) -> bool {
        self.kind.collides(other.kind) && self.flow == other.flow
    }
}

/// All names of a rulebook, by place.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    occurrences: Vec<Occurrence>,
}

impl Symbols {
    pub(super) fn of(tree: &Rulebook, source: &Source) -> Self {
        let mut index = Index {
            source,
            assigned: Vec::new(),
            flow: 0,
            found: Vec::new(),
        };
        for definition in &tree.definitions {
            if let Definition::Flow(flow) = definition {
                each_statement(&flow.body, &mut |statement| index.assigned(statement));
            }
        }
        index.assigned.sort_unstable();
        index.assigned.dedup();
        for (at, definition) in tree.definitions.iter().enumerate() {
            index.flow = at;
            index.definition(definition);
        }
        let mut occurrences = index.found;
        occurrences.retain(|it| it.span.start < it.span.end && !it.name.is_empty());
        occurrences.sort_by_key(|it| it.span);
        occurrences.dedup_by_key(|it| it.span);
        Self { occurrences }
    }

    pub(super) fn all(&self) -> &[Occurrence] {
        &self.occurrences
    }

    /// The name at an offset, its `$` included, or the one that ends there.
    pub(super) fn at(&self, offset: usize) -> Option<&Occurrence> {
        let behind = self
            .occurrences
            .partition_point(|it| it.shown.start <= offset);
        let before = self.occurrences.get(..behind)?.iter().rev().take(2);
        before.into_iter().find(|it| offset <= it.span.end)
    }

    /// All places of a name.
    pub(super) fn places<'s>(
        &'s self,
        meant: &'s Occurrence,
    ) -> impl Iterator<Item = &'s Occurrence> {
        let mut all = self.occurrences.iter();
        std::iter::from_fn(move || all.by_ref().find(|it| it.is_same(meant)))
    }

    /// The names of a kind, each once, in order.
    pub(super) fn names(&self, kind: Kind) -> Vec<&str> {
        self.names_within(kind, 0..usize::MAX)
    }

    /// The names of a kind that stand at some offsets, each once, in order.
    pub(super) fn names_within(&self, kind: Kind, within: Range<usize>) -> Vec<&str> {
        let of_kind = self
            .occurrences
            .iter()
            .filter(|it| it.kind == kind && within.contains(&it.span.start));
        let mut names: Vec<&str> = of_kind.map(|it| it.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Calls `visit` for each statement, those of blocks behind the ones that they stand in.
pub(super) fn each_statement<'t>(body: &'t [Statement], visit: &mut impl FnMut(&'t Statement)) {
    for statement in body {
        visit(statement);
        let _ = each_block(statement, |_, block| {
            each_statement(block, visit);
            ControlFlow::<()>::Continue(())
        });
    }
}

/// Calls `visit` for each block of a statement, with the place of its head.
pub(super) fn each_block<'t, B>(
    statement: &'t Statement,
    mut visit: impl FnMut(Span, &'t [Statement]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    match &statement.kind {
        StatementKind::If(decision) => {
            for arm in &decision.arms {
                visit(arm.head.span, &arm.body)?;
            }
        }
        StatementKind::When(when) => {
            for arm in &when.arms {
                visit(arm.head.span, &arm.body)?;
            }
        }
        StatementKind::While(repeated) => visit(statement.head.span, &repeated.body)?,
        _ => {}
    }
    ControlFlow::Continue(())
}

struct Index<'s> {
    source: &'s Source,
    /// Names that some flow assigns.
    assigned: Vec<String>,
    /// The definition that is gone through.
    flow: usize,
    found: Vec<Occurrence>,
}

impl Index<'_> {
    fn add(&mut self, kind: Kind, name: &str, role: Role, span: Span) {
        let before = Span::new(span.start.saturating_sub(1), span.start);
        let has_dollar = kind == Kind::Context && self.source.slice(before) == "$";
        let start = if has_dollar { before.start } else { span.start };
        self.found.push(Occurrence {
            kind,
            name: name.to_owned(),
            role,
            span,
            shown: Span::new(start, span.end),
            flow: (kind == Kind::Label).then_some(self.flow),
        });
    }

    /// Adds a free name; where it is quoted, its place is between the quotes.
    fn named(&mut self, kind: Kind, name: &Spanned<String>, role: Role) {
        let span = self.unquoted(name.span);
        self.add(kind, &name.value, role, span);
    }

    fn unquoted(&self, span: Span) -> Span {
        let written = self.source.slice(span);
        let quoted = |quote: char| {
            written
                .strip_prefix(quote)
                .and_then(|rest| rest.strip_suffix(quote))
                .is_some()
        };
        match quoted('"') || quoted('\'') {
            true => Span::new(span.start + 1, span.end - 1),
            false => span,
        }
    }

    fn assigned(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Execute(execute) => {
                let result = execute.result.iter();
                self.assigned.extend(result.map(|name| name.value.clone()));
            }
            StatementKind::Assign(assign) => self.assigned.push(assign.name.value.clone()),
            _ => {}
        }
    }

    fn definition(&mut self, definition: &Definition) {
        match definition {
            Definition::Context(context) => {
                for declared in &context.names {
                    self.path(&declared.name, Role::Definition);
                }
            }
            Definition::User(user) => self.named(Kind::Turn, &user.name, Role::Definition),
            Definition::Bot(bot) => self.named(Kind::Message, &bot.name, Role::Definition),
            Definition::Flow(flow) => {
                let kind = match flow.kind {
                    FlowKind::Flow => Kind::Flow,
                    FlowKind::Subflow => Kind::Subflow,
                };
                if !flow.anonymous {
                    self.named(kind, &flow.name, Role::Definition);
                }
                each_statement(&flow.body, &mut |statement| self.statement(statement));
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Execute(execute) => {
                self.named(Kind::Tool, &execute.tool, Role::Use);
                if let Some(result) = &execute.result {
                    self.assigned_name(result);
                }
                for Argument { reads, .. } in &execute.arguments {
                    self.paths(reads);
                }
            }
            StatementKind::Bot(bot) => match &bot.message {
                Message::Named(name) => self.named(Kind::Message, name, Role::Use),
                Message::Unseen(text) => self.inside(text.span),
                Message::Text(_) => {}
            },
            StatementKind::User(turn) => self.turn(turn),
            StatementKind::If(decision) => {
                for arm in &decision.arms {
                    self.conditions(arm.condition.as_slice());
                }
            }
            StatementKind::When(when) => {
                for arm in &when.arms {
                    match &arm.trigger {
                        Some(Trigger::User(turn)) => self.turn(turn),
                        Some(Trigger::Bot(name)) => self.named(Kind::Message, name, Role::Use),
                        Some(Trigger::Event(_)) | None => {}
                    }
                }
            }
            StatementKind::While(repeated) => {
                self.conditions(std::slice::from_ref(&repeated.condition));
            }
            StatementKind::Do(name) => self.named(Kind::Subflow, name, Role::Use),
            StatementKind::Assign(assign) => {
                self.assigned_name(&assign.name);
                match &assign.value {
                    Value::Name(name) => self.path(name, Role::Use),
                    Value::Unreadable(text) => self.paths(&text.reads),
                    Value::Literal(_) | Value::Model(_) => {}
                }
            }
            StatementKind::Label(name) => self.named(Kind::Label, name, Role::Definition),
            StatementKind::Goto(name) => self.named(Kind::Label, name, Role::Use),
            StatementKind::Stop
            | StatementKind::Return
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Event(_)
            | StatementKind::CreateEvent(_)
            | StatementKind::Any
            | StatementKind::Meta
            | StatementKind::Priority => {}
        }
    }

    fn assigned_name(&mut self, name: &Spanned<String>) {
        let span = self.without_dollar(name.span);
        self.add(Kind::Context, &name.value, Role::Assignment, span);
    }

    fn without_dollar(&self, span: Span) -> Span {
        let dollar = self.source.slice(span).starts_with('$');
        Span::new(span.start + usize::from(dollar), span.end)
    }

    /// `user A or B` waits for either.
    fn turn(&mut self, turn: &Turn) {
        let Turn::Named(name) = turn else {
            return;
        };
        let written = self.source.slice(name.span);
        if written != name.value || !written.contains(" or ") {
            self.named(Kind::Turn, name, Role::Use);
            return;
        }
        let mut at = name.span.start;
        for part in name.value.split(" or ") {
            self.add(Kind::Turn, part, Role::Use, Span::new(at, at + part.len()));
            at += part.len() + " or ".len();
        }
    }

    fn paths(&mut self, paths: &[Path]) {
        for path in paths {
            self.path(path, Role::Use);
        }
    }

    /// A name of the context; of a path whose first segment is assigned, that segment.
    fn path(&mut self, path: &Path, role: Role) {
        let PathName(segments) = &path.value;
        let span = self.without_dollar(path.span);
        match segments.first() {
            Some(first) if self.assigned.binary_search(first).is_ok() => {
                let span = Span::new(span.start, span.start + first.len());
                self.add(Kind::Context, first, role, span);
            }
            _ => self.add(Kind::Context, &segments.join("."), role, span),
        }
    }

    /// The names in a text that only Colang reads.
    fn inside(&mut self, span: Span) {
        let text = self.source.slice(span);
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let mut found = Vec::new();
        for (at, _) in text.match_indices('$') {
            let rest = text.get(at + 1..).unwrap_or_default();
            let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
            let name = rest.get(..end).unwrap_or_default();
            if name.starts_with(|letter: char| !letter.is_ascii_digit()) {
                let start = span.start + at + 1;
                found.push((name.to_owned(), Span::new(start, start + name.len())));
            }
        }
        for (name, span) in found {
            self.add(Kind::Context, &name, Role::Use, span);
        }
    }

    fn conditions(&mut self, conditions: &[Expression]) {
        for condition in conditions {
            self.condition(condition);
        }
    }

    fn condition(&mut self, condition: &Expression) {
        match &condition.kind {
            ExpressionKind::Constant(_) => {}
            ExpressionKind::Name(name) => self.path(name, Role::Use),
            ExpressionKind::Not(inner) => self.condition(inner),
            ExpressionKind::And(parts) | ExpressionKind::Or(parts) => self.conditions(parts),
            ExpressionKind::Compare { name, operand, .. } => {
                self.path(name, Role::Use);
                match operand {
                    Operand::Name(other) => self.path(other, Role::Use),
                    Operand::Literal(literal) => self.tool_in(name, literal),
                }
            }
            ExpressionKind::OneOf { name, members, .. } => {
                self.path(name, Role::Use);
                for member in members {
                    self.tool_in(name, member);
                }
            }
            ExpressionKind::Unreadable(text) => self.paths(&text.reads),
        }
    }

    /// A string that `$tool_name` is compared with is the name of a tool.
    fn tool_in(&mut self, name: &Path, literal: &Spanned<Literal>) {
        let Literal::String(tool) = &literal.value else {
            return;
        };
        let span = self.unquoted(literal.span);
        if is_tool_name(&name.value.0) && self.source.slice(span) == tool {
            self.add(Kind::Tool, tool, Role::Use, span);
        }
    }
}

/// Whether a name of the context is the language's own.
pub(super) fn is_of_the_language(name: &str) -> bool {
    name == TOOL_NAME
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Sink;
    use crate::syntax::parse;

    const TEXT: &str = "\
define context
  $paid: bool
  $customer.tier: string
define bot \"ask first\"
  \"Sure?\"
define user say yes
  \"yes\"
define subflow check
  if $tool_name == \"refund\" and not $paid
    bot refuse
    stop
define flow refunds
  do check
  $r = execute look_up(id=$order, x=$r.a)
  if $paid and $customer.tier in [\"gold\"]
    bot ask first
    user say yes or say no
    execute refund(k=$r.total)
  else
    label end
    bot $r
";

    #[test]
    fn every_name_is_found_at_its_place() {
        let (source, faults) = Source::decode("a.co", TEXT.as_bytes());
        let mut sink = Sink::new();
        let tree = parse(&source, &faults, &mut sink).unwrap();
        assert!(!sink.has_errors(), "{:?}", sink.found());
        let symbols = Symbols::of(&tree, &source);
        let mut shown = Vec::new();
        for it in symbols.all() {
            assert_eq!(source.slice(it.span), it.name);
            let line = source.line_of(it.span.start);
            shown.push(format!("{line} {:?} {} {:?}", it.kind, it.name, it.role));
        }
        assert_eq!(
            shown,
            [
                "2 Context paid Definition",
                "3 Context customer.tier Definition",
                "4 Message ask first Definition",
                "6 Turn say yes Definition",
                "8 Subflow check Definition",
                "9 Context tool_name Use",
                "9 Tool refund Use",
                "9 Context paid Use",
                "10 Message refuse Use",
                "12 Flow refunds Definition",
                "13 Subflow check Use",
                "14 Context r Assignment",
                "14 Tool look_up Use",
                "14 Context order Use",
                "14 Context r Use",
                "15 Context paid Use",
                "15 Context customer.tier Use",
                "16 Message ask first Use",
                "17 Turn say yes Use",
                "17 Turn say no Use",
                "18 Tool refund Use",
                "18 Context r Use",
                "20 Label end Definition",
                "21 Context r Use",
            ]
        );
        let dollar = source.text().find("$paid").unwrap();
        for offset in dollar..=dollar + "$paid".len() {
            let paid = symbols.at(offset).unwrap();
            assert_eq!(symbols.places(paid).count(), 3, "{offset}");
        }
        assert_eq!(symbols.at(dollar - 1), None);
    }

    #[test]
    fn a_label_belongs_to_its_flow() {
        let flow = "  goto end\n  label end\n";
        let text = format!("define flow a\n{flow}define flow b\n{flow}");
        let (source, faults) = Source::decode("a.co", text.as_bytes());
        let tree = parse(&source, &faults, &mut Sink::new()).unwrap();
        let symbols = Symbols::of(&tree, &source);
        let label = symbols.at(text.find("end").unwrap()).unwrap();
        let lines = symbols
            .places(label)
            .map(|it| source.line_of(it.span.start));
        assert_eq!(lines.collect::<Vec<_>>(), [2, 3]);
    }
}
