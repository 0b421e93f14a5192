//! The shape of a rulebook: symbols, what can be folded, and what can be selected around a place.

use std::ops::ControlFlow;

use lsp_types::{DocumentSymbol, FoldingRange, FoldingRangeKind, SelectionRange, SymbolKind};

use crate::syntax::tree::{Definition, FlowKind, Statement, StatementKind};
use crate::text::{Source, Span};

use super::document::Document;
use super::edition::Reading;
use super::plain_text::number;
use super::symbols::each_block;

/// A part of a rulebook with what stands in it.
pub(super) struct Part {
    pub(super) name: String,
    kind: SymbolKind,
    /// All of it.
    extent: Span,
    /// Its name, or its first line.
    head: Span,
    is_block: bool,
    children: Vec<Part>,
}

/// The parts of a rulebook, in source order.
pub(super) fn parts(reading: &Reading) -> Vec<Part> {
    let source = reading.source();
    let Some(tree) = &reading.tree else {
        return Vec::new();
    };
    let heads = tree.definitions.iter().map(head);
    let ends = heads.skip(1).map(|span| span.start);
    let ends = ends.chain([source.text().len()]);
    tree.definitions
        .iter()
        .zip(ends)
        .map(|(definition, end)| of_definition(definition, end, source))
        .collect()
}

/// The first line of a definition.
pub(super) fn head(definition: &Definition) -> Span {
    match definition {
        Definition::Context(context) => context.head.span,
        Definition::User(texts) | Definition::Bot(texts) => texts.head.span,
        Definition::Flow(flow) => flow.head.span,
    }
}

fn of_definition(definition: &Definition, end: usize, source: &Source) -> Part {
    let line = head(definition);
    let extent = trimmed(source, Span::new(line.start, end));
    let extent = Span::new(extent.start, extent.end.max(line.end));
    let (name, kind, head, children) = match definition {
        Definition::Context(context) => {
            let names = context.names.iter().map(|declared| Part {
                name: declared.name.value.to_string(),
                kind: SymbolKind::VARIABLE,
                extent: declared.name.span.to(declared.value_type.span),
                head: declared.name.span,
                is_block: false,
                children: Vec::new(),
            });
            let name = "context".to_owned();
            (name, SymbolKind::NAMESPACE, line, names.collect())
        }
        Definition::User(user) => {
            let name = format!("user {}", user.name.value);
            (name, SymbolKind::EVENT, user.name.span, Vec::new())
        }
        Definition::Bot(bot) => {
            let name = format!("bot {}", bot.name.value);
            (name, SymbolKind::STRING, bot.name.span, Vec::new())
        }
        Definition::Flow(flow) => {
            let children = of_body(&flow.body, source);
            let name = flow.name.value.clone();
            let kind = match flow.kind {
                FlowKind::Flow => SymbolKind::FUNCTION,
                FlowKind::Subflow => SymbolKind::METHOD,
            };
            (name, kind, flow.name.span, children)
        }
    };
    Part {
        name: match name.is_empty() {
            true => source.slice(line).to_owned(),
            false => name,
        },
        kind,
        extent,
        head,
        is_block: true,
        children,
    }
}

/// The lines before a definition that belong to no other are comments and blanks.
fn trimmed(source: &Source, span: Span) -> Span {
    let (mut at, mut end) = (span.start, span.start);
    for line in source.slice(span).split_inclusive('\n') {
        let content = line.trim();
        let is_inner = line.starts_with(' ') || end == span.start;
        if !content.is_empty() && (is_inner || !content.starts_with('#')) {
            end = at + line.trim_end().len();
        }
        at += line.len();
    }
    Span::new(span.start, end)
}

fn of_body(body: &[Statement], source: &Source) -> Vec<Part> {
    let mut parts = Vec::new();
    for statement in body {
        if let StatementKind::Execute(execute) = &statement.kind {
            parts.push(Part {
                name: format!("execute {}", execute.tool.value),
                kind: SymbolKind::OPERATOR,
                extent: statement.head.span,
                head: execute.tool.span,
                is_block: false,
                children: Vec::new(),
            });
        }
        let _ = each_block(statement, |head, block| {
            let end = end_of(block).max(head.end);
            parts.push(Part {
                name: source.slice(head).to_owned(),
                kind: SymbolKind::BOOLEAN,
                extent: Span::new(head.start, end),
                head,
                is_block: true,
                children: of_body(block, source),
            });
            ControlFlow::<()>::Continue(())
        });
    }
    parts
}

fn end_of(body: &[Statement]) -> usize {
    let Some(last) = body.last() else {
        return 0;
    };
    let mut end = last.head.span.end;
    if let StatementKind::Bot(bot) = &last.kind {
        end = bot
            .wordings
            .iter()
            .fold(end, |end, it| end.max(it.span.end));
    }
    let _ = each_block(last, |head, block| {
        end = end.max(head.end).max(end_of(block));
        ControlFlow::<()>::Continue(())
    });
    end
}

/// The parts as the protocol has them.
pub(super) fn symbols(document: &Document, reading: &Reading) -> Vec<DocumentSymbol> {
    let parts = parts(reading);
    parts
        .iter()
        .map(|it| symbol(document, reading, it))
        .collect()
}

#[expect(deprecated, reason = "the field is there, and must be given a value")]
fn symbol(document: &Document, reading: &Reading, part: &Part) -> DocumentSymbol {
    let children = part.children.iter();
    let children: Vec<DocumentSymbol> = children.map(|it| symbol(document, reading, it)).collect();
    DocumentSymbol {
        name: part.name.clone(),
        detail: None,
        kind: part.kind,
        tags: None,
        deprecated: None,
        range: document.range(reading.source(), part.extent),
        selection_range: document.range(reading.source(), part.head),
        children: (!children.is_empty()).then_some(children),
    }
}

/// Definitions whose names have the letters of `query` in order: name, kind, place of the name.
pub(super) fn found(reading: &Reading, query: &str) -> Vec<(String, SymbolKind, Span)> {
    let is_like = |name: &str| {
        let mut letters = name.chars().flat_map(char::to_lowercase);
        query
            .chars()
            .flat_map(char::to_lowercase)
            .all(|wanted| letters.any(|letter| letter == wanted))
    };
    parts(reading)
        .into_iter()
        .filter(|part| is_like(&part.name))
        .map(|part| (part.name, part.kind, part.head))
        .collect()
}

/// What can be folded: definitions, blocks, comments that fill several lines.
pub(super) fn folds(reading: &Reading) -> Vec<FoldingRange> {
    let source = reading.source();
    let mut found = Vec::new();
    let mut open = parts(reading);
    while let Some(part) = open.pop() {
        if part.is_block {
            fold(source, part.extent, None, &mut found);
        }
        open.extend(part.children);
    }
    let comments = reading.tree.iter().flat_map(|tree| &tree.comments);
    let mut run: Option<Span> = None;
    for comment in comments.filter(|it| it.own_line) {
        let span = comment.text.span;
        match &mut run {
            Some(run) if source.line_of(run.end) + 1 == source.line_of(span.start) => {
                run.end = span.end;
            }
            _ => {
                let comment = Some(FoldingRangeKind::Comment);
                if let Some(run) = run.replace(span) {
                    fold(source, run, comment, &mut found);
                }
            }
        }
    }
    if let Some(run) = run {
        fold(source, run, Some(FoldingRangeKind::Comment), &mut found);
    }
    found.sort_by_key(|it| (it.start_line, it.end_line));
    found
}

fn fold(
    source: &Source,
    span: Span,
    kind: Option<FoldingRangeKind>,
    found: &mut Vec<FoldingRange>,
) {
    let (start, end) = (source.line_of(span.start), source.line_of(span.end));
    if start < end {
        found.push(FoldingRange {
            start_line: number(start - 1),
            end_line: number(end - 1),
            kind,
            ..FoldingRange::default()
        });
    }
}

/// What can be selected around an offset, from a name outwards.
pub(super) fn selection(document: &Document, reading: &Reading, offset: usize) -> SelectionRange {
    let source = reading.source();
    let has = |span: &Span| span.start <= offset && offset <= span.end;
    let mut spans = vec![Span::new(0, source.text().len())];
    let mut open = parts(reading);
    while let Some(part) = open.pop() {
        if has(&part.extent) {
            spans.extend([part.extent, part.head].iter().filter(|it| has(it)));
            open = part.children;
        }
    }
    let line = source.line_span(source.line_of(offset));
    let blanks = source.slice(line).len() - source.slice(line).trim_start().len();
    spans.push(Span::new(line.start + blanks, line.end));
    spans.extend(reading.symbols().at(offset).map(|it| it.span));
    spans.retain(has);
    spans.sort_by_key(|span| std::cmp::Reverse(span.end - span.start));
    spans.dedup();
    let mut selected: Option<SelectionRange> = None;
    let mut around = Span::new(0, usize::MAX);
    for span in spans {
        if span.start < around.start || span.end > around.end {
            continue;
        }
        around = span;
        selected = Some(SelectionRange {
            range: document.range(source, span),
            parent: selected.map(Box::new),
        });
    }
    selected.unwrap_or(SelectionRange {
        range: document.range(source, Span::new(offset, offset)),
        parent: None,
    })
}
