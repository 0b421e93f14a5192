//! What is asked, and by what it is answered.

use std::ops::Range;
use std::sync::Arc;

use lsp_server::{ErrorCode, Request, RequestId, Response};
use lsp_types::{
    CodeActionParams, CompletionParams, DocumentFormattingParams, DocumentHighlightParams,
    DocumentRangeFormattingParams, DocumentSymbolParams, FoldingRangeParams, GotoDefinitionParams,
    HoverParams, InlayHint, InlayHintKind, InlayHintLabel, InlayHintParams, Location, OneOf,
    Position, ReferenceParams, RenameParams, SelectionRangeParams, SemanticTokens,
    SemanticTokensParams, SemanticTokensRangeParams, TextDocumentPositionParams, Uri,
    WorkspaceSymbol, WorkspaceSymbolParams,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::document::{Analysis, Document, Reading};
use super::session::{Parked, Session};
use super::{branches, completion, editing, hover, navigation, outline, tokens};

/// Why there is no result.
enum Fault {
    /// What the request says cannot be read.
    Parameters(String),
    /// It cannot be done.
    Refused(String),
    /// The text must be read first, or looked at further.
    Waits {
        wants_analysis: bool,
    },
    Unknown,
}

type Answer = Result<Value, Fault>;

/// A text that has been read.
struct Subject<'s> {
    document: &'s Document,
    reading: Arc<Reading>,
}

impl Subject<'_> {
    fn offset(&self, position: Position) -> usize {
        self.document.source_offset(self.reading.source(), position)
    }

    fn analysis(&self) -> Result<&Analysis, Fault> {
        let analysis = self.document.analysis.as_deref();
        analysis.ok_or(Fault::Waits {
            wants_analysis: true,
        })
    }

    fn bytes(&self, range: lsp_types::Range) -> Range<usize> {
        let at = |position| self.document.text.offset(position, self.document.encoding);
        let start = at(range.start);
        start..at(range.end).max(start)
    }
}

impl Session<'_> {
    /// Answers a request; none where it waits for the text to be looked at.
    pub(super) fn answer(&mut self, request: Request) -> Option<Response> {
        let id = request.id.clone();
        match self.result(&request) {
            Ok(result) => Some(Response {
                id,
                result: Some(result),
                error: None,
            }),
            Err(Fault::Waits { wants_analysis }) => {
                self.park(request, wants_analysis);
                None
            }
            Err(Fault::Parameters(fault)) => {
                let message = format!("what `{}` says cannot be read: {fault}", request.method);
                Some(refusal(id, ErrorCode::InvalidParams, message))
            }
            Err(Fault::Refused(message)) => Some(refusal(id, ErrorCode::RequestFailed, message)),
            Err(Fault::Unknown) => {
                let message = format!("`{}` is not served", request.method);
                Some(refusal(id, ErrorCode::MethodNotFound, message))
            }
        }
    }

    fn park(&mut self, request: Request, wants_analysis: bool) {
        let uri = request.params.pointer("/textDocument/uri");
        let uri = uri.and_then(Value::as_str).unwrap_or_default().to_owned();
        self.parked.push(Parked {
            request,
            uri: uri.clone(),
            wants_analysis,
        });
        self.look_at(&uri, true);
    }

    /// The document of a request, read; none where it is not open.
    fn subject(&mut self, uri: &Uri) -> Result<Option<Subject<'_>>, Fault> {
        let Some(document) = self.documents.get_mut(uri.as_str()) else {
            return Ok(None);
        };
        if document.reading.is_none() {
            document.read_if_small();
        }
        let reading = document.reading.clone().ok_or(Fault::Waits {
            wants_analysis: false,
        })?;
        Ok(Some(Subject { document, reading }))
    }

    /// Asks about a document that is open; of any other there is nothing to say.
    fn about(&mut self, uri: &Uri, ask: impl FnOnce(&Subject<'_>) -> Answer) -> Answer {
        match self.subject(uri)? {
            Some(subject) => ask(&subject),
            None => Ok(Value::Null),
        }
    }

    fn result(&mut self, request: &Request) -> Answer {
        let parameters = request.params.clone();
        match request.method.as_str() {
            "textDocument/hover" => {
                let HoverParams {
                    text_document_position_params: at,
                    ..
                } = read(parameters)?;
                self.about(&at.text_document.uri, |it| {
                    let analysis = it.analysis()?;
                    let offset = it.offset(at.position);
                    written(hover::hover(it.document, &it.reading, analysis, offset))
                })
            }
            "textDocument/definition" => {
                let GotoDefinitionParams {
                    text_document_position_params: at,
                    ..
                } = read(parameters)?;
                self.about(&at.text_document.uri, |it| {
                    let offset = it.offset(at.position);
                    written(navigation::definitions(it.document, &it.reading, offset))
                })
            }
            "textDocument/references" => {
                let ReferenceParams {
                    text_document_position: at,
                    context,
                    ..
                } = read(parameters)?;
                self.about(&at.text_document.uri, |it| {
                    let offset = it.offset(at.position);
                    let all = context.include_declaration;
                    written(navigation::references(
                        it.document,
                        &it.reading,
                        offset,
                        all,
                    ))
                })
            }
            "textDocument/documentHighlight" => {
                let DocumentHighlightParams {
                    text_document_position_params: at,
                    ..
                } = read(parameters)?;
                self.about(&at.text_document.uri, |it| {
                    let offset = it.offset(at.position);
                    written(navigation::highlights(it.document, &it.reading, offset))
                })
            }
            "textDocument/prepareRename" => {
                let at: TextDocumentPositionParams = read(parameters)?;
                self.about(&at.text_document.uri, |it| {
                    let offset = it.offset(at.position);
                    let found = navigation::renamable(it.document, &it.reading, offset);
                    written(found.map_err(Fault::Refused)?)
                })
            }
            "textDocument/rename" => {
                let RenameParams {
                    text_document_position: at,
                    new_name,
                    ..
                } = read(parameters)?;
                self.about(&at.text_document.uri, |it| {
                    let offset = it.offset(at.position);
                    let edit = navigation::rename(it.document, &it.reading, offset, &new_name);
                    written(edit.map_err(Fault::Refused)?)
                })
            }
            "textDocument/completion" => {
                let CompletionParams {
                    text_document_position: at,
                    ..
                } = read(parameters)?;
                let fills_in = self.client.fills_in;
                self.about(&at.text_document.uri, |it| {
                    let offset = it.document.text.offset(at.position, it.document.encoding);
                    let (document, reading) = (it.document, &it.reading);
                    written(completion::proposals(document, reading, offset, fills_in))
                })
            }
            _ => self.result_of_all(request),
        }
    }

    /// What is asked of a whole document, or of all.
    fn result_of_all(&mut self, request: &Request) -> Answer {
        let parameters = request.params.clone();
        match request.method.as_str() {
            "textDocument/formatting" => {
                let asked: DocumentFormattingParams = read(parameters)?;
                self.formatted(&asked.text_document.uri, None)
            }
            "textDocument/rangeFormatting" => {
                let asked: DocumentRangeFormattingParams = read(parameters)?;
                self.formatted(&asked.text_document.uri, Some(asked.range))
            }
            "textDocument/codeAction" => {
                let asked: CodeActionParams = read(parameters)?;
                self.about(&asked.text_document.uri, |it| {
                    let within = it.bytes(asked.range);
                    let (document, reading) = (it.document, &it.reading);
                    let analysis = document.analysis.as_deref();
                    let context = &asked.context;
                    written(editing::actions(
                        document, reading, analysis, &within, context,
                    ))
                })
            }
            "textDocument/documentSymbol" => {
                let asked: DocumentSymbolParams = read(parameters)?;
                self.about(&asked.text_document.uri, |it| {
                    written(outline::symbols(it.document, &it.reading))
                })
            }
            "textDocument/foldingRange" => {
                let asked: FoldingRangeParams = read(parameters)?;
                self.about(&asked.text_document.uri, |it| {
                    written(outline::folds(&it.reading))
                })
            }
            "textDocument/selectionRange" => {
                let asked: SelectionRangeParams = read(parameters)?;
                self.about(&asked.text_document.uri, |it| {
                    let ranges = asked.positions.iter().map(|position| {
                        outline::selection(it.document, &it.reading, it.offset(*position))
                    });
                    written(ranges.collect::<Vec<_>>())
                })
            }
            "textDocument/semanticTokens/full" => {
                let asked: SemanticTokensParams = read(parameters)?;
                self.about(&asked.text_document.uri, |it| {
                    written(SemanticTokens {
                        result_id: None,
                        data: tokens::tokens(it.document, &it.reading, None),
                    })
                })
            }
            "textDocument/semanticTokens/range" => {
                let asked: SemanticTokensRangeParams = read(parameters)?;
                self.about(&asked.text_document.uri, |it| {
                    let within = it.bytes(asked.range);
                    written(SemanticTokens {
                        result_id: None,
                        data: tokens::tokens(it.document, &it.reading, Some(&within)),
                    })
                })
            }
            "textDocument/inlayHint" => {
                let asked: InlayHintParams = read(parameters)?;
                self.about(&asked.text_document.uri, |it| {
                    let analysis = it.analysis()?;
                    written(hints(it, analysis, asked.range))
                })
            }
            "workspace/symbol" => {
                let asked: WorkspaceSymbolParams = read(parameters)?;
                written(self.workspace_symbols(&asked.query))
            }
            _ => Err(Fault::Unknown),
        }
    }

    fn formatted(&mut self, uri: &Uri, range: Option<lsp_types::Range>) -> Answer {
        let Some(document) = self.documents.get_mut(uri.as_str()) else {
            return Ok(Value::Null);
        };
        let decoded = document.decoded();
        let document = &*document;
        let at = |position| document.text.offset(position, document.encoding);
        let within = range.map(|range| at(range.start)..at(range.end));
        written(editing::formatted(document, &decoded, within))
    }

    /// Definitions of the documents that are open and read.
    fn workspace_symbols(&mut self, query: &str) -> Vec<WorkspaceSymbol> {
        let mut symbols = Vec::new();
        for document in self.documents.values_mut() {
            document.read_if_small();
            let document = &*document;
            let Some(reading) = &document.reading else {
                continue;
            };
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
}

/// What stands at the ends of the lines of a range.
fn hints(subject: &Subject<'_>, analysis: &Analysis, range: lsp_types::Range) -> Vec<InlayHint> {
    let Some(output) = &analysis.output else {
        return Vec::new();
    };
    let (document, source) = (subject.document, subject.reading.source());
    let hints = branches::hints(&output.rulebook).into_iter();
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
