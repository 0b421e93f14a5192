//! What a client can, and what it is offered.

use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CompletionOptions,
    FoldingRangeProviderCapability, HoverProviderCapability, InitializeParams, MarkupKind, OneOf,
    RenameOptions, SelectionRangeProviderCapability, SemanticTokensFullOptions,
    SemanticTokensOptions, ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, WorkDoneProgressOptions,
};

use super::branches::Markup;
use super::plain_text::Encoding;
use super::tokens::legend;

/// What matters of a client.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Client {
    /// What its columns count.
    pub(super) encoding: Encoding,
    /// It fills in the blanks of what is proposed to it.
    pub(super) fills_in: bool,
    /// What it shows on hover.
    pub(super) markup: Markup,
    /// It can be told to ask for the ends of lines again.
    pub(super) renews_hints: bool,
    /// It can be told to ask for colours again.
    pub(super) renews_tokens: bool,
    /// It asks before it renames.
    prepares_rename: bool,
}

impl Client {
    pub(super) fn of(parameters: &InitializeParams) -> Self {
        let capabilities = &parameters.capabilities;
        let encodings = capabilities
            .general
            .as_ref()
            .and_then(|general| general.position_encodings.as_deref());
        let of_text = capabilities.text_document.as_ref();
        let item = of_text
            .and_then(|it| it.completion.as_ref())
            .and_then(|it| it.completion_item.as_ref());
        let rename = of_text.and_then(|it| it.rename.as_ref());
        let hover = of_text.and_then(|it| it.hover.as_ref());
        let formats = hover.and_then(|it| it.content_format.as_deref());
        let is_marked = formats.and_then(<[MarkupKind]>::first) == Some(&MarkupKind::Markdown);
        let of_all = capabilities.workspace.as_ref();
        let hints = of_all.and_then(|it| it.inlay_hint.as_ref());
        let tokens = of_all.and_then(|it| it.semantic_tokens.as_ref());
        Self {
            markup: match is_marked {
                true => Markup::Markdown,
                false => Markup::Plain,
            },
            renews_hints: hints.and_then(|it| it.refresh_support) == Some(true),
            renews_tokens: tokens.and_then(|it| it.refresh_support) == Some(true),
            encoding: Encoding::agreed(encodings.unwrap_or_default()),
            fills_in: item.and_then(|it| it.snippet_support) == Some(true),
            prepares_rename: rename.and_then(|it| it.prepare_support) == Some(true),
        }
    }

    /// What it is offered.
    pub(super) fn offer(self) -> ServerCapabilities {
        let no_progress = WorkDoneProgressOptions::default;
        ServerCapabilities {
            position_encoding: Some(self.encoding.kind()),
            text_document_sync: Some(TextDocumentSyncCapability::Options(
                TextDocumentSyncOptions {
                    open_close: Some(true),
                    change: Some(TextDocumentSyncKind::INCREMENTAL),
                    ..TextDocumentSyncOptions::default()
                },
            )),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            definition_provider: Some(OneOf::Left(true)),
            references_provider: Some(OneOf::Left(true)),
            document_highlight_provider: Some(OneOf::Left(true)),
            rename_provider: Some(match self.prepares_rename {
                true => OneOf::Right(RenameOptions {
                    prepare_provider: Some(true),
                    work_done_progress_options: no_progress(),
                }),
                false => OneOf::Left(true),
            }),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some(vec!["$".to_owned(), " ".to_owned()]),
                ..CompletionOptions::default()
            }),
            document_formatting_provider: Some(OneOf::Left(true)),
            document_range_formatting_provider: Some(OneOf::Left(true)),
            code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
                code_action_kinds: Some(vec![
                    CodeActionKind::QUICKFIX,
                    CodeActionKind::SOURCE_FIX_ALL,
                ]),
                work_done_progress_options: no_progress(),
                resolve_provider: None,
            })),
            document_symbol_provider: Some(OneOf::Left(true)),
            workspace_symbol_provider: Some(OneOf::Left(true)),
            folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
            selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
            semantic_tokens_provider: Some(
                SemanticTokensOptions {
                    work_done_progress_options: no_progress(),
                    legend: legend(),
                    range: Some(true),
                    full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
                }
                .into(),
            ),
            inlay_hint_provider: Some(OneOf::Left(true)),
            ..ServerCapabilities::default()
        }
    }
}
