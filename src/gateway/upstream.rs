//! The seam to the servers: how the core opens a session, reads definitions and forwards a call.
//! `mcp::client` speaks it over HTTP; tests and the in-process example have servers of their own.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use super::request::{Caller, Era, UpstreamAnswers};
use crate::store::RunId;

/// Which session with a server a call uses: one for each downstream session and server; in the
/// new era one for each named run, or for each request in the shared run. Never shared between
/// agents or runs (contract section 4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpstreamScope {
    /// What is alike for calls of one session, and for no others: agent, run and session or
    /// request are all in it.
    pub key: String,
    /// The caller's era: the server is spoken to in it where it serves it, else in the other.
    pub era: Era,
    /// The capabilities that the client declared, without those that `expose` does not let
    /// through: a JSON object's text.
    pub capabilities: String,
}

impl UpstreamScope {
    /// The scope of a caller. `request` names the request, for callers that have a session with
    /// servers for each.
    pub(super) fn of(caller: &Caller, request: &str) -> Self {
        let last = match &caller.session {
            Some(session) => session,
            None if caller.is_for_one_request() => request,
            None => "",
        };
        Self {
            key: Self::key_of(&caller.agent, &caller.run, last),
            era: caller.era,
            capabilities: caller.capabilities.clone(),
        }
    }

    /// The key of a run's calls, by the session or request that they are of; of the calls of a
    /// named run in the new era, by nothing.
    pub(super) fn key_of(agent: &str, run: &RunId, last: &str) -> String {
        format!("{agent}/{run}/{last}")
    }
}

/// A server that cannot be used now. What there is to tell an operator; no secret.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Unavailable(pub String);

/// A tool as its server describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolDefinition {
    /// Its name.
    pub name: String,
    /// The whole definition: the server's text.
    pub json: String,
    /// As [`crate::catalogue::Pin::sha256`].
    pub sha256: String,
}

/// A call that passed the check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForwardedCall {
    /// The tool.
    pub tool: String,
    /// The arguments: a JSON object's text.
    pub arguments: String,
    /// The client's foreign `_meta`, a JSON object's text; a progress token in it is passed on
    /// under a token of the gateway's own.
    pub meta: Option<String>,
    /// The gateway's own key, of a write: sent as `dev.stalwart/idempotency-key` and its alias.
    pub idempotency_key: Option<String>,
    /// Answers to the server's own question, in the new era.
    pub answers: Option<UpstreamAnswers>,
    /// How long the server may take.
    pub timeout: Duration,
}

/// What became of a forwarded call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallEnd {
    /// A result: its text, and whether it has `isError: true`.
    Result {
        /// The result's text.
        json: String,
        /// Whether it has `isError: true`.
        is_error: bool,
    },
    /// The server asks for input (new era): its result's text.
    InputRequired(String),
    /// A JSON-RPC error: its text.
    Error(String),
    /// No connection came about, so the server cannot have it.
    NotForwarded(Unavailable),
    /// It was sent, and no answer came: the connection broke, the time was over, or the answer is
    /// none that can be read.
    Lost(Unavailable),
}

/// A request of the server's own to the client, during a call (old era).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerQuestion {
    /// `elicitation/create`, or another method that `expose` lets through.
    pub method: String,
    /// Its params: a JSON text.
    pub params: String,
}

/// Why a server's question is not passed on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct RelayError(pub String);

/// The way back to the client while a call runs.
pub trait Relay: Send + Sync {
    /// Passes on a notification of the server's: `progress` (under the client's token), `message`.
    /// Its method and the text of its params.
    fn notify(&self, method: &str, params: &str) -> BoxFuture<'_, ()>;
    /// Passes on a question of the server's, and waits for the client's result: a JSON text.
    fn ask(&self, question: ServerQuestion) -> BoxFuture<'_, Result<String, RelayError>>;
    /// Cancelled when the client cancels the call: the server is then told, and the outcome still
    /// awaited.
    fn cancellation(&self) -> CancellationToken;
}

/// The servers of `gateway.yaml`.
pub trait Servers: Send + Sync {
    /// The session of a scope with a server, opened where there is none yet.
    fn open<'a>(
        &'a self,
        server: &'a str,
        scope: &'a UpstreamScope,
    ) -> BoxFuture<'a, Result<Arc<dyn UpstreamSession>, Unavailable>>;
    /// Closes the sessions of a scope with all servers.
    fn close<'a>(&'a self, scope_key: &'a str) -> BoxFuture<'a, ()>;
}

/// A session with a server.
pub trait UpstreamSession: Send + Sync {
    /// The tools as the server describes them: read when the session was opened, when the server
    /// said that they changed, and at most 60 seconds ago.
    fn tools(&self) -> BoxFuture<'_, Result<Arc<[ToolDefinition]>, Unavailable>>;
    /// Forwards a call, once.
    fn call<'a>(&'a self, call: &'a ForwardedCall, relay: &'a dyn Relay) -> BoxFuture<'a, CallEnd>;
}
