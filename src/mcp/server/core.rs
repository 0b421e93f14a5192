//! What the endpoint needs of the gateway core. [`crate::gateway`] is the one that decides; tests
//! of the protocol have a scripted one.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::gateway::{Answer, CallRequest, Caller, Progress, Relay, Reply};
use crate::store::RunId;
use crate::tool_check::Reason;

pub use crate::gateway::{RunError, UnknownRun};

/// The gateway core, as the endpoint and the process see it.
pub trait Core: Send + Sync {
    /// Begins a call: checks it and, where nothing stands in its way, forwards it.
    fn begin<'a>(
        &'a self,
        request: &'a CallRequest,
        relay: &'a Arc<dyn Relay>,
    ) -> BoxFuture<'a, Progress>;

    /// Goes on with a call whose question was answered. The question is single-use: one that was
    /// used before gives what [`Core::replay_of`] gives.
    fn answer<'a>(
        &'a self,
        request: &'a CallRequest,
        question: &'a str,
        answer: Answer,
        relay: &'a Arc<dyn Relay>,
    ) -> BoxFuture<'a, Progress>;

    /// Goes on with a call behind its server's question; `call` and `round` are those of the reply
    /// that asked, and the answers are in the request.
    fn resume<'a>(
        &'a self,
        request: &'a CallRequest,
        call: u64,
        round: &'a str,
        relay: &'a Arc<dyn Relay>,
    ) -> BoxFuture<'a, Progress>;

    /// Ends a call whose server's question cannot be passed on.
    fn abandon(&self, call: u64) -> BoxFuture<'_, ()>;

    /// What became of a call whose question was used before: its recorded outcome, or
    /// `in_progress`.
    fn replay_of<'a>(&'a self, request: &'a CallRequest, question: &'a str)
    -> BoxFuture<'a, Reply>;

    /// Ends a call that the endpoint itself refuses: its decision is recorded.
    fn refuse<'a>(
        &'a self,
        request: &'a CallRequest,
        reason: Reason,
        text: &'a str,
    ) -> BoxFuture<'a, Reply>;

    /// The definitions of the caller's tools as JSON texts, sorted by name.
    fn tools_list<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, Vec<String>>;

    /// The live run of an agent with this id; without one its shared run.
    fn run_for<'a>(
        &'a self,
        agent: &'a str,
        id: Option<&'a str>,
    ) -> BoxFuture<'a, Result<RunId, UnknownRun>>;

    /// An old-era session is over: what was opened for it is closed.
    fn session_closed<'a>(
        &'a self,
        agent: &'a str,
        run: &'a RunId,
        session: &'a str,
    ) -> BoxFuture<'a, ()>;

    /// The server that has a tool, as the configuration names it.
    fn server_of(&self, tool: &str) -> Option<String>;

    /// The catalogue's input schema of a tool that the agent may reach.
    fn input_schema(&self, agent: &str, tool: &str) -> Option<Arc<Value>>;

    /// Mints a named run (contract section 2).
    fn mint_run<'a>(
        &'a self,
        agent: &'a str,
        subject: Option<&'a str>,
        parent: Option<&'a str>,
    ) -> BoxFuture<'a, Result<RunId, RunError>>;

    /// Ends a named run; false where no live run has the id.
    fn end_run<'a>(&'a self, id: &'a str) -> BoxFuture<'a, bool>;

    /// Clears an agent's shared run; false where there is no such agent.
    fn clear_agent<'a>(&'a self, agent: &'a str) -> BoxFuture<'a, bool>;

    /// How many named runs are live; none where that is not known.
    fn live_runs(&self) -> BoxFuture<'_, Option<u64>> {
        Box::pin(std::future::ready(None))
    }

    /// Whether what is decided can be recorded now.
    fn is_recording(&self) -> bool {
        true
    }

    /// Refuses new calls from now on, and waits for those that are in flight.
    fn drain(&self) -> BoxFuture<'_, ()>;
}
