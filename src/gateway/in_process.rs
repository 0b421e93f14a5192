//! The gateway for programs that have it within them: no sockets, the same check.

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use crate::json::Members;
use crate::store::{Millis, RunId};
use crate::tool_check::Answer;

use super::Gateway;
use super::request::{CallRequest, Caller, Era, Progress, Reply};
use super::upstream::{Relay, RelayError, ServerQuestion};

/// An agent's session in process. In the shared run, `after` looks at the calls of this session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    caller: Caller,
}

/// No session can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The catalogue has no such agent.
    #[error("the catalogue has no such agent")]
    UnknownAgent,
    /// No live run of this agent has the id.
    #[error("the run is not known, or has ended")]
    UnknownRun,
    /// The system gives no random bytes.
    #[error("the system gives no random bytes")]
    NoRandomness,
}

/// Asks a person.
pub trait Ask: Send + Sync {
    /// Shows a text, and waits for the answer. The gateway waits no longer than
    /// `elicitation_timeout`.
    fn ask<'a>(&'a self, text: &'a str) -> BoxFuture<'a, Answer>;
}

/// Whoever is asked is not there: every question is cancelled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Ask for Nobody {
    fn ask<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Answer> {
        std::future::ready(Answer::Cancelled).boxed()
    }
}

/// A relay to a caller that hears of no progress and answers no server.
#[derive(Debug, Default)]
struct Silent(CancellationToken);

impl Relay for Silent {
    fn notify(&self, _: &str, _: &str) -> BoxFuture<'_, ()> {
        std::future::ready(()).boxed()
    }

    fn ask(&self, _: ServerQuestion) -> BoxFuture<'_, Result<String, RelayError>> {
        let nobody = RelayError("nobody is there to answer a server's question".to_owned());
        std::future::ready(Err(nobody)).boxed()
    }

    fn cancellation(&self) -> CancellationToken {
        self.0.clone()
    }
}

impl Session {
    /// The agent.
    pub fn agent(&self) -> &str {
        &self.caller.agent
    }

    /// The run that its calls belong to.
    pub fn run(&self) -> &RunId {
        &self.caller.run
    }
}

impl Gateway {
    /// Opens a session of an agent in its shared run. `can_elicit`: whether a person can be asked.
    ///
    /// # Errors
    /// The catalogue has no such agent.
    pub fn open(&self, agent: &str, can_elicit: bool) -> Result<Session, OpenError> {
        self.open_in(agent, can_elicit, RunId::shared(agent))
    }

    /// Opens a session of an agent in a named run.
    ///
    /// # Errors
    /// The catalogue has no such agent, or the run is not one of its live ones.
    pub async fn open_run(
        &self,
        agent: &str,
        can_elicit: bool,
        run: &str,
    ) -> Result<Session, OpenError> {
        let run = self.run_for(agent, Some(run)).await;
        self.open_in(agent, can_elicit, run.map_err(|_| OpenError::UnknownRun)?)
    }

    fn open_in(&self, agent: &str, can_elicit: bool, run: RunId) -> Result<Session, OpenError> {
        if !self.current().policy.catalogue().agents.contains_key(agent) {
            return Err(OpenError::UnknownAgent);
        }
        let session = self.new_id().map_err(|_| OpenError::NoRandomness)?;
        let capabilities = if can_elicit {
            r#"{"elicitation":{"form":{}}}"#
        } else {
            "{}"
        };
        Ok(Session {
            caller: Caller {
                agent: agent.to_owned(),
                run,
                session: Some(session),
                era: Era::Session,
                capabilities: capabilities.to_owned(),
                can_be_asked: can_elicit,
            },
        })
    }

    /// The names of the tools that a session's agent sees.
    pub async fn tool_names(&self, session: &Session) -> Vec<String> {
        let definitions = self.tools_list(&session.caller).await;
        let name = |definition: &String| {
            let members = Members::read(definition).ok()??;
            let name = crate::json::parse(members.get("name")?.as_bytes()).ok()?;
            Some(name.as_str()?.to_owned())
        };
        definitions.iter().filter_map(name).collect()
    }

    /// Calls a tool, asking `ask` where a person must decide. `arguments` is a JSON object's text,
    /// passed on byte for byte.
    pub async fn call(
        &self,
        session: &Session,
        tool: &str,
        arguments: &str,
        ask: &dyn Ask,
    ) -> Reply {
        let request = CallRequest {
            caller: session.caller.clone(),
            tool: tool.to_owned(),
            arguments: Some(arguments.to_owned()),
            meta: None,
            idempotency_key: None,
            upstream_answers: None,
        };
        self.call_with(&request, ask).await
    }

    /// Makes a call to its end, asking `ask` where a person must decide.
    pub async fn call_with(&self, request: &CallRequest, ask: &dyn Ask) -> Reply {
        let relay: Arc<dyn Relay> = Arc::new(Silent::default());
        let mut progress = self.begin(request, &relay).await;
        loop {
            let question = match progress {
                Progress::Done(reply) => return reply,
                Progress::Asking(question) => question,
            };
            let left: Millis = question.expires.saturating_sub(self.now()).max(0);
            let left = std::time::Duration::from_millis(left.unsigned_abs());
            let answer = tokio::select! {
                answer = tokio::time::timeout(left, ask.ask(&question.text)) => {
                    answer.unwrap_or(Answer::TimedOut)
                }
                () = question.withdrawn.cancelled() => Answer::Cancelled,
            };
            progress = self.answer(request, &question.id, answer, &relay).await;
        }
    }
}
