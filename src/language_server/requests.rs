//! What is asked, and by what it is answered.

use lsp_server::{ErrorCode, Request, Response};

use super::session::Session;

impl Session<'_> {
    /// Answers a request; none where it waits for an analysis.
    pub(super) fn answer(&mut self, request: Request) -> Option<Response> {
        let message = format!("`{}` is not served", request.method);
        Some(Response::new_err(
            request.id,
            ErrorCode::MethodNotFound as i32,
            message,
        ))
    }
}
