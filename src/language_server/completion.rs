//! What can be written at a place.

use std::ops::Range;

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, InsertTextFormat, TextEdit,
};

use crate::ir::TOOL_NAME;

use super::document::Document;
use super::edition::Reading;
use super::outline;
use super::symbols::{Kind, Symbols};

/// Statements, with what is put in where the client fills in the blanks.
const STATEMENTS: &[(&str, &str)] = &[
    ("if", "if ${1:\\$name}\n  $0"),
    ("else if", "else if ${1:\\$name}\n  $0"),
    ("else", "else\n  $0"),
    ("execute", "execute ${0:tool}"),
    ("bot", "bot ${0:message}"),
    ("user", "user ${0:turn}"),
    ("do", "do ${0:subflow}"),
    ("when", "when user ${1:turn}\n  $0"),
    ("while", "while ${1:\\$name}\n  $0"),
    ("stop", "stop"),
    ("return", "return"),
];

const DEFINITIONS: &[(&str, &str)] = &[
    ("define flow", "define flow ${1:name}\n  $0"),
    ("define subflow", "define subflow ${1:name}\n  $0"),
    ("define bot", "define bot ${1:message}\n  \"$0\""),
    ("define user", "define user ${1:turn}\n  \"$0\""),
    (
        "define context",
        "define context\n  \\$${1:name}: ${0:bool}",
    ),
];

const OPERATORS: &[&str] = &[
    "==", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or",
];

const TYPES: &[&str] = &["bool", "number", "string"];

/// What is proposed at an offset in the bytes of a document.
pub(super) fn proposals(
    document: &Document,
    reading: &Reading,
    offset: usize,
    fills_in: bool,
) -> Vec<CompletionItem> {
    let text = document.text.as_str();
    let line = document.text.line(document.text.line_of(offset));
    let before = text.get(line.start..offset).unwrap_or_default();
    let content = before.trim_start_matches(' ');
    let mut proposals = Proposals {
        document,
        symbols: reading.symbols(),
        offset,
        fills_in,
        items: Vec::new(),
    };
    let above = text.get(..line.start).unwrap_or_default();
    let goes_on = above.trim_end_matches(['\r', '\n']).ends_with('\\');
    let is_documentation = above.matches("\"\"\"").count() % 2 == 1;
    if is_in_text(content) || goes_on || is_documentation {
        return Vec::new();
    }
    if let Some((_, name)) = before.rsplit_once('$')
        && name
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | '.'))
    {
        proposals.context_names(name);
        return proposals.items;
    }
    let behind = |word: &str| content.strip_prefix(word);
    if before == content && !content.contains(' ') {
        proposals.keywords(DEFINITIONS, content);
    } else if let Some(rest) = behind("define bot ") {
        proposals.names(Kind::Message, rest);
    } else if let Some(rest) = behind("define user ") {
        proposals.names(Kind::Turn, rest);
    } else if let Some(rest) = behind("define ") {
        let kinds = ["flow", "subflow", "bot", "user", "context"];
        proposals.words(&kinds, rest, CompletionItemKind::KEYWORD);
    } else if let Some((_, rest)) = content
        .split_once(": ")
        .filter(|_| content.starts_with('$'))
    {
        proposals.words(TYPES, rest, CompletionItemKind::TYPE_PARAMETER);
    } else if let Some(rest) =
        behind("execute ").or_else(|| Some(content.split_once("= execute ")?.1))
    {
        if !rest.contains('(') {
            proposals.names(Kind::Tool, rest);
        }
    } else if let Some(rest) = behind("do ") {
        proposals.names(Kind::Subflow, rest);
    } else if let Some(rest) = behind("goto ") {
        let within = definition_at(document, reading, offset);
        let names = proposals.symbols.names_within(Kind::Label, within);
        proposals.named(Kind::Label, &names, rest);
    } else if let Some(rest) = behind("bot ").or_else(|| behind("when bot ")) {
        proposals.names(Kind::Message, rest);
    } else if let Some(rest) = behind("user ").or_else(|| behind("when user ")) {
        proposals.names(Kind::Turn, rest);
    } else if ["if ", "else if ", "elif ", "while "]
        .iter()
        .any(|word| content.starts_with(word))
    {
        proposals.condition(content);
    } else if before != content && content.chars().all(char::is_alphabetic) {
        match block_of(document, line.start) {
            Block::Context => proposals.add("$", "$".to_owned(), 0, CompletionItemKind::VARIABLE),
            Block::Texts => {}
            Block::Flow => proposals.keywords(STATEMENTS, content),
        }
    }
    proposals.items
}

/// Whether a string or a comment is open at the end of a line's beginning.
fn is_in_text(content: &str) -> bool {
    let mut open = None;
    let mut escaped = false;
    let mut last = ' ';
    for letter in content.chars() {
        match open {
            Some(quote) if letter == quote && !escaped => open = None,
            None if letter == '#' => return true,
            None if matches!(letter, '"' | '\'') && !last.is_alphanumeric() => open = Some(letter),
            _ => {}
        }
        escaped = letter == '\\' && !escaped;
        last = letter;
    }
    open.is_some()
}

/// The offsets in the source of the definition that holds an offset in the bytes of a document.
fn definition_at(document: &Document, reading: &Reading, offset: usize) -> Range<usize> {
    let position = document.text.position(offset, document.encoding);
    let offset = document.source_offset(reading.source(), position);
    let definitions = reading.tree.iter().flat_map(|tree| &tree.definitions);
    let mut starts: Vec<usize> = definitions.map(|it| outline::head(it).start).collect();
    let behind = starts.split_off(starts.partition_point(|start| *start <= offset));
    let end = behind.first().copied().unwrap_or(usize::MAX);
    starts.last().copied().unwrap_or(0)..end
}

enum Block {
    Flow,
    Texts,
    Context,
}

/// What the definition above an offset holds.
fn block_of(document: &Document, offset: usize) -> Block {
    let above = document.text.as_str().get(..offset).unwrap_or_default();
    let head = above
        .rsplit('\n')
        .find(|line| line.starts_with("define"))
        .unwrap_or_default();
    match head.split_whitespace().nth(1) {
        Some("context") => Block::Context,
        Some("bot" | "user") => Block::Texts,
        _ => Block::Flow,
    }
}

struct Proposals<'d> {
    document: &'d Document,
    symbols: &'d Symbols,
    offset: usize,
    fills_in: bool,
    items: Vec<CompletionItem>,
}

impl Proposals<'_> {
    /// Proposes `text` in the place of the last `typed` bytes.
    fn add(&mut self, label: &str, text: String, typed: usize, kind: CompletionItemKind) {
        let start = self.offset.saturating_sub(typed);
        let range = self.document.range_of_bytes(&(start..self.offset));
        self.items.push(CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, text))),
            ..CompletionItem::default()
        });
    }

    fn words(&mut self, words: &[&str], typed: &str, kind: CompletionItemKind) {
        for word in words {
            self.add(word, (*word).to_owned(), typed.len(), kind);
        }
    }

    fn keywords(&mut self, words: &[(&str, &str)], typed: &str) {
        for (word, filled) in words {
            let kind = CompletionItemKind::KEYWORD;
            if !self.fills_in {
                self.add(word, (*word).to_owned(), typed.len(), kind);
                continue;
            }
            self.add(word, (*filled).to_owned(), typed.len(), kind);
            if let Some(item) = self.items.last_mut() {
                item.insert_text_format = Some(InsertTextFormat::SNIPPET);
            }
        }
    }

    fn names(&mut self, kind: Kind, typed: &str) {
        let symbols = self.symbols;
        self.named(kind, &symbols.names(kind), typed);
    }

    fn named(&mut self, kind: Kind, names: &[&str], typed: &str) {
        let shown = match kind {
            Kind::Flow | Kind::Subflow | Kind::Tool => CompletionItemKind::FUNCTION,
            Kind::Message => CompletionItemKind::ENUM_MEMBER,
            Kind::Turn => CompletionItemKind::EVENT,
            Kind::Context => CompletionItemKind::VARIABLE,
            Kind::Label => CompletionItemKind::REFERENCE,
        };
        // What is being typed is no proposal for itself.
        // A name with one of these is read as another where it stands without quotes.
        let is_plain = |name: &&&str| !name.contains(['#', '"', '\'', '\\', '$']);
        for name in names.iter().filter(|name| **name != typed).filter(is_plain) {
            self.add(name, (*name).to_owned(), typed.len(), shown);
        }
    }

    fn context_names(&mut self, typed: &str) {
        self.names(Kind::Context, typed);
        if !self.items.iter().any(|item| item.label == TOOL_NAME) {
            let kind = CompletionItemKind::CONSTANT;
            self.add(TOOL_NAME, TOOL_NAME.to_owned(), typed.len(), kind);
        }
    }

    fn condition(&mut self, content: &str) {
        let typed = content.rsplit([' ', '(']).next().unwrap_or_default();
        let written = content.get(..content.len() - typed.len());
        let last = written.unwrap_or_default().trim_end();
        let last = last.rsplit([' ', '(']).next().unwrap_or_default();
        if last.starts_with('$') || last.ends_with(')') {
            self.words(OPERATORS, typed, CompletionItemKind::OPERATOR);
            return;
        }
        let symbols = self.symbols;
        for name in symbols.names(Kind::Context) {
            let name = format!("${name}");
            let kind = CompletionItemKind::VARIABLE;
            self.add(&name, name.clone(), typed.len(), kind);
        }
        let words = ["not", "True", "False"];
        self.words(&words, typed, CompletionItemKind::KEYWORD);
    }
}
