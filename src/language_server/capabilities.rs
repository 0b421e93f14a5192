//! What a client can, and what it is offered.

use lsp_types::{
    ClientCapabilities, InitializeParams, ServerCapabilities, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions,
};

use super::plain_text::Encoding;

/// What matters of a client.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Client {
    /// What its columns count.
    pub(super) encoding: Encoding,
}

impl Client {
    pub(super) fn of(parameters: &InitializeParams) -> Self {
        let ClientCapabilities { general, .. } = &parameters.capabilities;
        let encodings = general
            .as_ref()
            .and_then(|general| general.position_encodings.as_deref());
        Self {
            encoding: Encoding::agreed(encodings.unwrap_or_default()),
        }
    }

    /// What it is offered.
    pub(super) fn offer(self) -> ServerCapabilities {
        ServerCapabilities {
            position_encoding: Some(self.encoding.kind()),
            text_document_sync: Some(TextDocumentSyncCapability::Options(
                TextDocumentSyncOptions {
                    open_close: Some(true),
                    change: Some(TextDocumentSyncKind::INCREMENTAL),
                    ..TextDocumentSyncOptions::default()
                },
            )),
            ..ServerCapabilities::default()
        }
    }
}
