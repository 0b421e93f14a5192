//! What is asked, and by what it is answered. The answers are made on a thread of their own, one
//! after the other, from texts that do not change meanwhile.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use lsp_server::{ErrorCode, Request, RequestId, Response};
use lsp_types::{
    CodeActionParams, CompletionParams, DocumentFormattingParams, DocumentHighlightParams,
    DocumentRangeFormattingParams, DocumentSymbolParams, FoldingRangeParams, GotoDefinitionParams,
    HoverParams, InlayHint, InlayHintKind, InlayHintLabel, InlayHintParams, Location, OneOf,
    Position, ReferenceParams, RenameParams, SelectionRangeParams, SemanticTokens,
    SemanticTokensDeltaParams, SemanticTokensParams, SemanticTokensRangeParams,
    TextDocumentPositionParams, WorkspaceSymbol, WorkspaceSymbolParams,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::capabilities::Client;
use super::document::Document;
use super::edition::{Analysis, Edition, Reading};
use super::{branches, completion, editing, hover, navigation, outline, tokens};

/// A request with what it is about.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) request: Request,
    pub(super) client: Client,
    /// The document that it names; none where that is not open.
    pub(super) edition: Option<Arc<Edition>>,
    /// All documents that are open, where it is about all.
    pub(super) all: Vec<Arc<Edition>>,
}

/// Whether a request is answered by what the analyses found.
pub(super) fn wants_analysis(method: &str) -> bool {
    matches!(method, "textDocument/hover" | "textDocument/inlayHint")
}

/// Whether a request is about all documents that are open.
pub(super) fn is_about_all(method: &str) -> bool {
    method == "workspace/symbol"
}

/// Answers what comes, until nobody asks any more.
pub(super) fn work<E: From<Response>>(tasks: &Receiver<Task>, answers: &Sender<E>) {
    for task in tasks {
        if answers.send(answer(&task).into()).is_err() {
            return;
        }
    }
}

/// Answers a request; a fault of the server is an answer too.
fn answer(task: &Task) -> Response {
    let id = task.request.id.clone();
    let result = catch_unwind(AssertUnwindSafe(|| result(task)));
    let fault = match result {
        Ok(Ok(result)) => {
            return Response {
                id,
                result: Some(result),
                error: None,
            };
        }
        Ok(Err(fault)) => fault,
        Err(_) => {
            let message = "a fault of the language server".to_owned();
            return refusal(id, ErrorCode::InternalError, message);
        }
    };
    let method = &task.request.method;
    match fault {
        Fault::Parameters(fault) => {
            let message = format!("what `{method}` says cannot be read: {fault}");
            refusal(id, ErrorCode::InvalidParams, message)
        }
        Fault::Refused(message) => refusal(id, ErrorCode::RequestFailed, message),
        Fault::Unknown => {
            let message = format!("`{method}` is not served");
            refusal(id, ErrorCode::MethodNotFound, message)
        }
    }
}

/// Why there is no result.
enum Fault {
    /// What the request says cannot be read.
    Parameters(String),
    /// It cannot be done.
    Refused(String),
    Unknown,
}

type Answer = Result<Value, Fault>;

/// A text that has been read.
struct Subject<'s> {
    document: &'s Document,
    reading: &'s Reading,
    /// There where the request wants it.
    analysis: Option<&'s Analysis>,
}

impl Subject<'_> {
    fn offset(&self, position: Position) -> usize {
        self.document.source_offset(self.reading.source(), position)
    }

    fn bytes(&self, range: lsp_types::Range) -> Range<usize> {
        let at = |position| self.document.text.offset(position, self.document.encoding);
        let start = at(range.start);
        start..at(range.end).max(start)
    }
}

impl Task {
    /// Asks about a document that is open; of any other there is nothing to say.
    fn about(&self, ask: impl FnOnce(&Subject<'_>) -> Answer) -> Answer {
        let Some(edition) = &self.edition else {
            return Ok(Value::Null);
        };
        ask(&Subject {
            document: &edition.document,
            reading: edition.reading(),
            analysis: edition.analysis(),
        })
    }

    /// Asks about the text of a document that is open, which need not be read.
    fn about_text(&self, ask: impl FnOnce(&Edition) -> Answer) -> Answer {
        match &self.edition {
            Some(edition) => ask(edition),
            None => Ok(Value::Null),
        }
    }
}

fn result(task: &Task) -> Answer {
    let parameters = task.request.params.clone();
    match task.request.method.as_str() {
        "textDocument/hover" => {
            let HoverParams {
                text_document_position_params: at,
                ..
            } = read(parameters)?;
            task.about(|it| {
                let offset = it.offset(at.position);
                let (document, markup) = (it.document, task.client.markup);
                written(it.analysis.and_then(|analysis| {
                    hover::hover(document, it.reading, analysis, offset, markup)
                }))
            })
        }
        "textDocument/definition" => {
            let GotoDefinitionParams {
                text_document_position_params: at,
                ..
            } = read(parameters)?;
            task.about(|it| {
                let offset = it.offset(at.position);
                written(navigation::definitions(it.document, it.reading, offset))
            })
        }
        "textDocument/references" => {
            let ReferenceParams {
                text_document_position: at,
                context,
                ..
            } = read(parameters)?;
            task.about(|it| {
                let offset = it.offset(at.position);
                let all = context.include_declaration;
                written(navigation::references(it.document, it.reading, offset, all))
            })
        }
        "textDocument/documentHighlight" => {
            let DocumentHighlightParams {
                text_document_position_params: at,
                ..
            } = read(parameters)?;
            task.about(|it| {
                let offset = it.offset(at.position);
                written(navigation::highlights(it.document, it.reading, offset))
            })
        }
        "textDocument/prepareRename" => {
            let at: TextDocumentPositionParams = read(parameters)?;
            task.about(|it| {
                let offset = it.offset(at.position);
                let found = navigation::renamable(it.document, it.reading, offset);
                written(found.map_err(Fault::Refused)?)
            })
        }
        "textDocument/rename" => {
            let RenameParams {
                text_document_position: at,
                new_name,
                ..
            } = read(parameters)?;
            task.about(|it| {
                let offset = it.offset(at.position);
                let edit = navigation::rename(it.document, it.reading, offset, &new_name);
                written(edit.map_err(Fault::Refused)?)
            })
        }
        "textDocument/completion" => {
            let CompletionParams {
                text_document_position: at,
                ..
            } = read(parameters)?;
            let fills_in = task.client.fills_in;
            task.about(|it| {
                let offset = it.document.text.offset(at.position, it.document.encoding);
                let (document, reading) = (it.document, it.reading);
                written(completion::proposals(document, reading, offset, fills_in))
            })
        }
        _ => result_of_all(task),
    }
}

/// What is asked of a whole document, or of all.
fn result_of_all(task: &Task) -> Answer {
    let parameters = task.request.params.clone();
    match task.request.method.as_str() {
        "textDocument/formatting" => {
            let _: DocumentFormattingParams = read(parameters)?;
            task.about_text(|edition| {
                let (document, decoded) = (&edition.document, &edition.decoded);
                written(editing::formatted(document, decoded, None))
            })
        }
        "textDocument/rangeFormatting" => {
            let asked: DocumentRangeFormattingParams = read(parameters)?;
            task.about_text(|edition| {
                let (document, decoded) = (&edition.document, &edition.decoded);
                let at = |position| document.text.offset(position, document.encoding);
                let within = at(asked.range.start)..at(asked.range.end);
                written(editing::formatted(document, decoded, Some(within)))
            })
        }
        "textDocument/codeAction" => {
            let asked: CodeActionParams = read(parameters)?;
            task.about_text(|edition| {
                let document = &edition.document;
                let at = |position| document.text.offset(position, document.encoding);
                let start = at(asked.range.start);
                let within = start..at(asked.range.end).max(start);
                written(editing::actions(document, &within, &asked.context))
            })
        }
        "textDocument/documentSymbol" => {
            let _: DocumentSymbolParams = read(parameters)?;
            task.about(|it| written(outline::symbols(it.document, it.reading)))
        }
        "textDocument/foldingRange" => {
            let _: FoldingRangeParams = read(parameters)?;
            task.about(|it| written(outline::folds(it.reading)))
        }
        "textDocument/selectionRange" => {
            let asked: SelectionRangeParams = read(parameters)?;
            task.about(|it| {
                let ranges = asked.positions.iter().map(|position| {
                    outline::selection(it.document, it.reading, it.offset(*position))
                });
                written(ranges.collect::<Vec<_>>())
            })
        }
        "textDocument/semanticTokens/full" => {
            let _: SemanticTokensParams = read(parameters)?;
            task.about(|it| written(tokens::all(it.document, it.reading)))
        }
        "textDocument/semanticTokens/full/delta" => {
            let asked: SemanticTokensDeltaParams = read(parameters)?;
            let last = asked.previous_result_id;
            task.about(|it| written(tokens::changed(it.document, it.reading, &last)))
        }
        "textDocument/semanticTokens/range" => {
            let asked: SemanticTokensRangeParams = read(parameters)?;
            task.about(|it| {
                let within = it.bytes(asked.range);
                written(SemanticTokens {
                    result_id: None,
                    data: tokens::tokens(it.document, it.reading, Some(&within)),
                })
            })
        }
        "textDocument/inlayHint" => {
            let asked: InlayHintParams = read(parameters)?;
            task.about(|it| {
                let hints = it.analysis.map(|analysis| hints(it, analysis, asked.range));
                written(hints)
            })
        }
        "workspace/symbol" => {
            let asked: WorkspaceSymbolParams = read(parameters)?;
            written(workspace_symbols(&task.all, &asked.query))
        }
        _ => Err(Fault::Unknown),
    }
}

/// Definitions of the documents that are open.
fn workspace_symbols(editions: &[Arc<Edition>], query: &str) -> Vec<WorkspaceSymbol> {
    let mut symbols = Vec::new();
    for edition in editions {
        let (document, reading) = (&edition.document, edition.reading());
        let found = outline::found(reading, query);
        symbols.extend(found.into_iter().map(|(name, kind, span)| WorkspaceSymbol {
            name,
            kind,
            tags: None,
            container_name: None,
            location: OneOf::Left(Location::new(
                document.uri.clone(),
                document.range(reading.source(), span),
            )),
            data: None,
        }));
    }
    symbols
}

/// What stands at the ends of the lines of a range.
fn hints(subject: &Subject<'_>, analysis: &Analysis, range: lsp_types::Range) -> Vec<InlayHint> {
    let Some(output) = &analysis.output else {
        return Vec::new();
    };
    let (document, source) = (subject.document, subject.reading.source());
    // Lines count from 1, and those of an editor from 0; a mark or an odd end of line moves none.
    let line = |at: u32| usize::try_from(at).unwrap_or(usize::MAX).saturating_add(1);
    let lines = line(range.start.line)..line(range.end.line).saturating_add(1);
    let hints = branches::hints(&output.rulebook, &lines).into_iter();
    hints
        .map(|(line, words)| {
            let end = source.line_span(line).end;
            let end = document.bytes(source, crate::text::Span::new(end, end));
            (document.range_of_bytes(&end).end, words)
        })
        .filter(|(at, _)| (range.start.line..=range.end.line).contains(&at.line))
        .map(|(position, words)| InlayHint {
            position,
            label: InlayHintLabel::String(words),
            kind: Some(InlayHintKind::TYPE),
            text_edits: None,
            tooltip: None,
            padding_left: Some(true),
            padding_right: None,
            data: None,
        })
        .collect()
}

fn read<T: DeserializeOwned>(parameters: Value) -> Result<T, Fault> {
    serde_json::from_value(parameters).map_err(|fault| Fault::Parameters(fault.to_string()))
}

fn written(result: impl Serialize) -> Answer {
    serde_json::to_value(result).map_err(|fault| Fault::Refused(fault.to_string()))
}

fn refusal(id: RequestId, code: ErrorCode, message: String) -> Response {
    Response::new_err(id, code as i32, message)
}
