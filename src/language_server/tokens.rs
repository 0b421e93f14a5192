//! The colours of a text, by what its parts mean.

use std::ops::Range;
use std::sync::{MutexGuard, PoisonError};

use lsp_types::{
    SemanticToken, SemanticTokenType, SemanticTokens, SemanticTokensDelta, SemanticTokensEdit,
    SemanticTokensFullDeltaResult, SemanticTokensLegend,
};

use crate::syntax::tree::{
    Bot, Definition, Expression, ExpressionKind, Literal, Message, Operand, Rulebook, Statement,
    StatementKind, Turn, Value,
};
use crate::text::{Source, Span, Spanned};

use super::document::Document;
use super::edition::Reading;
use super::plain_text::number;
use super::symbols::{Kind, each_block, each_statement};

/// What a part can be; the numbers are those of [`legend`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Token {
    Keyword,
    Function,
    Variable,
    Event,
    Message,
    String,
    Number,
    Comment,
    Operator,
    Type,
}

/// The kinds, in the order of their numbers.
pub(super) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: vec![
            SemanticTokenType::KEYWORD,
            SemanticTokenType::FUNCTION,
            SemanticTokenType::VARIABLE,
            SemanticTokenType::EVENT,
            SemanticTokenType::ENUM_MEMBER,
            SemanticTokenType::STRING,
            SemanticTokenType::NUMBER,
            SemanticTokenType::COMMENT,
            SemanticTokenType::OPERATOR,
            SemanticTokenType::TYPE,
        ],
        token_modifiers: Vec::new(),
    }
}

/// The last tokens that a client was given of a document, with their number.
#[derive(Debug, Default)]
pub(super) struct Painted {
    number: u64,
    tokens: Vec<SemanticToken>,
}

impl Painted {
    /// Puts others in their place; what these are called.
    fn replace(&mut self, tokens: Vec<SemanticToken>) -> String {
        self.number += 1;
        self.tokens = tokens;
        self.number.to_string()
    }
}

/// All tokens of a document.
pub(super) fn all(document: &Document, reading: &Reading) -> SemanticTokens {
    let data = tokens(document, reading, None);
    let mut painted = lock(document);
    SemanticTokens {
        result_id: Some(painted.replace(data.clone())),
        data,
    }
}

/// What makes the tokens that a client was given those of a document: one change at most. All of
/// them, where it has others than the last.
pub(super) fn changed(
    document: &Document,
    reading: &Reading,
    last: &str,
) -> SemanticTokensFullDeltaResult {
    let data = tokens(document, reading, None);
    let mut painted = lock(document);
    if painted.number.to_string() != last {
        return SemanticTokensFullDeltaResult::Tokens(SemanticTokens {
            result_id: Some(painted.replace(data.clone())),
            data,
        });
    }
    let old = &painted.tokens;
    let same = |(one, other): &(&SemanticToken, &SemanticToken)| one == other;
    let before = old.iter().zip(&data).take_while(same).count();
    let rest = old.iter().skip(before).rev();
    let behind = rest.zip(data.iter().skip(before).rev());
    let behind = behind.take_while(same).count();
    let (gone, new) = (old.len() - before - behind, data.len() - before - behind);
    let written = data.get(before..before + new).unwrap_or_default();
    let edit = SemanticTokensEdit {
        start: number(before * NUMBERS),
        delete_count: number(gone * NUMBERS),
        data: Some(written.to_vec()),
    };
    let edits = if gone + new > 0 {
        vec![edit]
    } else {
        Vec::new()
    };
    SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta {
        result_id: Some(painted.replace(data)),
        edits,
    })
}

fn lock(document: &Document) -> MutexGuard<'_, Painted> {
    let painted = document.painted.lock();
    painted.unwrap_or_else(PoisonError::into_inner)
}

/// How many numbers a token is.
const NUMBERS: usize = 5;

/// The tokens of a document, or of those of its lines that hold some of these bytes.
pub(super) fn tokens(
    document: &Document,
    reading: &Reading,
    within: Option<&Range<usize>>,
) -> Vec<SemanticToken> {
    let Some(tree) = &reading.tree else {
        return Vec::new();
    };
    let mut painter = Painter {
        source: reading.source(),
        found: Vec::new(),
    };
    painter.paint(tree);
    for it in reading.symbols().all() {
        let token = match it.kind {
            Kind::Flow | Kind::Subflow | Kind::Tool | Kind::Label => Token::Function,
            Kind::Message => Token::Message,
            Kind::Turn => Token::Event,
            Kind::Context => Token::Variable,
        };
        painter.add(token, it.shown);
    }
    let mut found = painter.found;
    found.sort_by_key(|(span, token)| (span.start, *token));
    encoded(document, reading, &found, within)
}

/// Tokens one behind the other, cut at the ends of lines; of two that overlap, the first.
fn encoded(
    document: &Document,
    reading: &Reading,
    found: &[(Span, Token)],
    within: Option<&Range<usize>>,
) -> Vec<SemanticToken> {
    let mut tokens = Vec::new();
    let (mut last_line, mut last_start, mut end) = (0, 0, 0);
    for (span, token) in found {
        let bytes = document.bytes(reading.source(), *span);
        if within.is_some_and(|it| bytes.end < it.start || it.end < bytes.start) {
            continue;
        }
        let first = document.text.line_of(bytes.start);
        for line in first..=document.text.line_of(bytes.end) {
            let content = document.text.line(line);
            let start = bytes.start.max(content.start).max(end);
            let stop = bytes.end.min(content.end);
            if start >= stop {
                continue;
            }
            let range = document.range_of_bytes(&(start..stop));
            let (line, column) = (range.start.line, range.start.character);
            let same_line = line == last_line;
            tokens.push(SemanticToken {
                delta_line: line - last_line,
                delta_start: if same_line {
                    column - last_start
                } else {
                    column
                },
                length: range.end.character.saturating_sub(column),
                token_type: number(*token as usize),
                token_modifiers_bitset: 0,
            });
            (last_line, last_start, end) = (line, column, stop);
        }
    }
    tokens
}

struct Painter<'s> {
    source: &'s Source,
    found: Vec<(Span, Token)>,
}

impl Painter<'_> {
    fn add(&mut self, token: Token, span: Span) {
        self.found.push((span, token));
    }

    fn paint(&mut self, tree: &Rulebook) {
        if let Some(documentation) = &tree.documentation {
            self.add(Token::Comment, documentation.span);
        }
        for comment in &tree.comments {
            self.add(Token::Comment, comment.text.span);
        }
        for definition in &tree.definitions {
            self.definition(definition);
        }
    }

    fn definition(&mut self, definition: &Definition) {
        let (head, documentation) = match definition {
            Definition::Context(context) => {
                for declared in &context.names {
                    self.add(Token::Type, declared.value_type.span);
                }
                (context.head.span, &context.documentation)
            }
            Definition::User(texts) | Definition::Bot(texts) => {
                self.texts(&texts.texts);
                (texts.head.span, &texts.documentation)
            }
            Definition::Flow(flow) => {
                each_statement(&flow.body, &mut |statement| self.statement(statement));
                (flow.head.span, &flow.documentation)
            }
        };
        let words = self
            .source
            .slice(head)
            .split(' ')
            .filter(|it| !it.is_empty());
        let words = words.take_while(|word| !matches!(*word, "\\" | "\n"));
        let count = match definition {
            Definition::Flow(flow) => 2 + flow.modifiers.len(),
            _ => 2,
        };
        let words: Vec<&str> = words.take(count).collect();
        self.words(head, &words);
        if let Some(documentation) = documentation {
            self.add(Token::Comment, documentation.span);
        }
    }

    /// Paints the words that a line begins with.
    fn words(&mut self, head: Span, words: &[&str]) {
        let mut at = head.start;
        for word in words {
            let rest = self.source.slice(Span::new(at, head.end));
            let Some(offset) = rest.find(word) else {
                return;
            };
            let start = at + offset;
            at = start + word.len();
            let bare = word.trim_end_matches(':').len();
            self.add(Token::Keyword, Span::new(start, start + bare));
        }
    }

    fn texts(&mut self, texts: &[Spanned<String>]) {
        for text in texts {
            self.add(Token::String, text.span);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let head = statement.head.span;
        match &statement.kind {
            StatementKind::Execute(execute) => {
                let before = Span::new(head.start, execute.tool.span.start);
                let written = self.source.slice(before);
                let start = before.start + written.rfind("execute").unwrap_or_default();
                self.words(Span::new(start, before.end), &["execute"]);
                for argument in &execute.arguments {
                    let text = self.source.slice(argument.value.span);
                    if text.starts_with(['"', '\'']) {
                        self.add(Token::String, argument.value.span);
                    } else if text.starts_with(|it: char| it.is_ascii_digit()) {
                        self.add(Token::Number, argument.value.span);
                    }
                }
            }
            StatementKind::Assign(assign) => match &assign.value {
                Value::Literal(literal) => self.literal(literal),
                Value::Name(_) | Value::Model(_) | Value::Unreadable(_) => {}
            },
            StatementKind::If(decision) => {
                for arm in &decision.arms {
                    self.arm(arm.head.span);
                    if let Some(condition) = &arm.condition {
                        self.condition(condition);
                    }
                }
            }
            StatementKind::When(_) => {
                let _ = each_block(statement, |head, _| {
                    self.arm(head);
                    std::ops::ControlFlow::<()>::Continue(())
                });
            }
            StatementKind::While(repeated) => {
                self.words(head, &["while"]);
                self.condition(&repeated.condition);
            }
            StatementKind::Bot(Bot { message, wordings }) => {
                self.words(head, &["bot"]);
                if let Message::Text(text) | Message::Unseen(text) = message
                    && self.source.slice(text.span).starts_with(['"', '\''])
                {
                    self.add(Token::String, text.span);
                }
                self.texts(wordings);
            }
            StatementKind::User(turn) => {
                self.words(head, &["user"]);
                if let Turn::Text(text) = turn {
                    self.add(Token::String, text.span);
                }
            }
            StatementKind::CreateEvent(_) => self.words(head, &["create", "event"]),
            _ => {
                let line = self.source.slice(head);
                let word = line.split([' ', ':', '\\']).next().unwrap_or_default();
                self.words(head, &[word]);
            }
        }
    }

    /// `if`, `else if`, `when user` and the like.
    fn arm(&mut self, head: Span) {
        let words = self
            .source
            .slice(head)
            .split(' ')
            .filter(|it| !it.is_empty());
        let is_keyword = |word: &&str| {
            let word = word.trim_end_matches(':');
            matches!(
                word,
                "if" | "else" | "elif" | "when" | "user" | "bot" | "event"
            )
        };
        let words: Vec<&str> = words.take(3).take_while(is_keyword).collect();
        self.words(head, &words);
    }

    fn literal(&mut self, literal: &Spanned<Literal>) {
        let token = match &literal.value {
            Literal::Boolean(_) => Token::Keyword,
            Literal::Number(_) => Token::Number,
            Literal::String(_) => Token::String,
        };
        self.add(token, literal.span);
    }

    fn condition(&mut self, condition: &Expression) {
        match &condition.kind {
            ExpressionKind::Constant(_) => self.add(Token::Keyword, condition.span.span),
            ExpressionKind::Not(inner) => {
                let start = condition.span.span.start;
                self.words(Span::new(start, condition.span.span.end), &["not"]);
                self.condition(inner);
            }
            ExpressionKind::And(parts) | ExpressionKind::Or(parts) => {
                for part in parts {
                    self.condition(part);
                }
            }
            ExpressionKind::Compare {
                operator, operand, ..
            } => {
                self.add(Token::Operator, operator.span);
                if let Operand::Literal(literal) = operand {
                    self.literal(literal);
                }
            }
            ExpressionKind::OneOf { members, .. } => {
                for member in members {
                    self.literal(member);
                }
            }
            ExpressionKind::Name(_) | ExpressionKind::Unreadable(_) => {}
        }
    }
}
