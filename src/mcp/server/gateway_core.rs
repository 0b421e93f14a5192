//! The gateway as the core of the endpoint.

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::Value;

use super::core::{Core, RunError, UnknownRun};
use crate::gateway::{Answer, CallRequest, Caller, Gateway, Progress, Relay, Reply};
use crate::store::RunId;
use crate::tool_check::{Reason, Refusal};

impl Core for Gateway {
    fn begin<'a>(
        &'a self,
        request: &'a CallRequest,
        relay: &'a Arc<dyn Relay>,
    ) -> BoxFuture<'a, Progress> {
        Gateway::begin(self, request, relay).boxed()
    }

    fn answer<'a>(
        &'a self,
        request: &'a CallRequest,
        question: &'a str,
        answer: Answer,
        relay: &'a Arc<dyn Relay>,
    ) -> BoxFuture<'a, Progress> {
        Gateway::answer(self, request, question, answer, relay).boxed()
    }

    fn resume<'a>(
        &'a self,
        request: &'a CallRequest,
        call: u64,
        round: &'a str,
        relay: &'a Arc<dyn Relay>,
    ) -> BoxFuture<'a, Progress> {
        Gateway::resume(self, request, call, round, relay).boxed()
    }

    fn abandon(&self, call: u64) -> BoxFuture<'_, ()> {
        Gateway::abandon(self, call).boxed()
    }

    fn replay_of<'a>(
        &'a self,
        request: &'a CallRequest,
        question: &'a str,
    ) -> BoxFuture<'a, Reply> {
        Gateway::replay_of(self, request, question).boxed()
    }

    fn refuse<'a>(
        &'a self,
        request: &'a CallRequest,
        reason: Reason,
        text: &'a str,
    ) -> BoxFuture<'a, Reply> {
        self.refuse_unchecked(request, Refusal::new(reason, text))
            .boxed()
    }

    fn tools_list<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, Vec<String>> {
        Gateway::tools_list(self, caller).boxed()
    }

    fn run_for<'a>(
        &'a self,
        agent: &'a str,
        id: Option<&'a str>,
    ) -> BoxFuture<'a, Result<RunId, UnknownRun>> {
        Gateway::run_for(self, agent, id).boxed()
    }

    fn session_closed<'a>(
        &'a self,
        agent: &'a str,
        run: &'a RunId,
        session: &'a str,
    ) -> BoxFuture<'a, ()> {
        self.close_session(agent, run, session).boxed()
    }

    fn server_of(&self, tool: &str) -> Option<String> {
        self.current().settings.server_of(tool).map(str::to_owned)
    }

    fn input_schema(&self, agent: &str, tool: &str) -> Option<Arc<Value>> {
        let current = self.current();
        let tool = current.policy.tool(agent, tool)?;
        Some(Arc::new(tool.input_schema.clone()))
    }

    fn mint_run<'a>(
        &'a self,
        agent: &'a str,
        subject: Option<&'a str>,
        parent: Option<&'a str>,
    ) -> BoxFuture<'a, Result<RunId, RunError>> {
        Gateway::mint_run(self, agent, subject, parent).boxed()
    }

    fn end_run<'a>(&'a self, id: &'a str) -> BoxFuture<'a, bool> {
        async move {
            Gateway::end_run(self, id).await.unwrap_or_else(|error| {
                tracing::error!(%error, "a run could not be ended");
                false
            })
        }
        .boxed()
    }

    fn clear_agent<'a>(&'a self, agent: &'a str) -> BoxFuture<'a, bool> {
        async move {
            Gateway::clear_agent(self, agent)
                .await
                .unwrap_or_else(|error| {
                    tracing::error!(%error, "a shared run could not be cleared");
                    false
                })
        }
        .boxed()
    }

    fn live_runs(&self) -> BoxFuture<'_, Option<u64>> {
        Gateway::live_runs(self).boxed()
    }

    fn is_recording(&self) -> bool {
        Gateway::is_recording(self)
    }

    fn drain(&self) -> BoxFuture<'_, ()> {
        Gateway::drain(self).boxed()
    }
}
