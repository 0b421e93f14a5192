//! The way back to the client while its call runs.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::exchange::Event;
use super::question::{ELICITATION, prefixed};
use super::session::Session;
use crate::gateway::{Relay, RelayError, ServerQuestion};
use crate::json::Members;
use crate::mcp::wire::{Id, PROGRESS_TOKEN, without_own_meta, write_notification, write_request};

/// Room that is left for questions and the response: notifications of a server that a client does
/// not read are dropped, so that they hold up nothing.
const RESERVED: usize = 8;

/// The relay of one call.
pub(super) struct ClientRelay {
    pub events: mpsc::Sender<Event>,
    /// The session; none in the new era, where a server cannot ask on a stream.
    pub session: Option<Arc<Session>>,
    /// The client is no longer there.
    pub gone: CancellationToken,
    /// The client cancelled the call.
    pub cancelled: CancellationToken,
    /// The token under which the client wants progress, as JSON text.
    pub progress_token: Option<String>,
    /// The server's name, which stands before its questions.
    pub server: String,
    pub question_timeout: Duration,
}

/// What became of a request on the stream.
pub(super) enum Asked {
    /// The client's result.
    Result(String),
    /// The client answered with an error.
    Error,
    Cancelled,
    Gone,
    TimedOut,
}

impl ClientRelay {
    /// Sends a notification, unless the client reads too slowly.
    pub(super) fn tell(&self, method: &str, params: &str) {
        if self.events.capacity() > RESERVED {
            let message = write_notification(method, Some(params));
            let _ = self.events.try_send(Event::Message(message));
        }
    }

    /// Sends a request in the session and waits for its result. `between` is called now and then
    /// while nothing comes.
    pub(super) async fn request(
        &self,
        session: &Session,
        method: &str,
        params: &str,
        every: Duration,
        mut between: impl FnMut() + Send,
    ) -> Asked {
        let (asking, answer) = session.ask();
        let asked = async {
            let message = Event::Message(write_request(&asking.id, method, Some(params)));
            if self.events.send(message).await.is_err() {
                return Asked::Gone;
            }
            let mut ticks = tokio::time::interval(every);
            ticks.tick().await;
            let mut answer = answer;
            loop {
                tokio::select! {
                    biased;
                    () = self.cancelled.cancelled() => return Asked::Cancelled,
                    result = &mut answer => return match result {
                        Ok(Some(result)) => Asked::Result(result),
                        Ok(None) => Asked::Error,
                        Err(_) => Asked::Gone,
                    },
                    () = self.gone.cancelled() => return Asked::Gone,
                    () = session.ended.cancelled() => return Asked::Gone,
                    _ = ticks.tick() => between(),
                }
            }
        };
        timeout(self.question_timeout, asked)
            .await
            .unwrap_or(Asked::TimedOut)
    }

    async fn ask_for_server(&self, question: ServerQuestion) -> Result<String, RelayError> {
        let refused = |why: &str| Err(RelayError(why.to_owned()));
        let Some(session) = &self.session else {
            return refused("a client of this era is not asked on a stream");
        };
        if question.method != ELICITATION || !session.can_be_asked {
            return refused("the client cannot be asked so");
        }
        let Some(params) = prefixed(&question.params, &self.server) else {
            return refused("the question has no message");
        };
        let params = without_own_meta(&params);
        if !super::state::is_declared(&params, &session.capabilities) {
            return refused("the client cannot be asked so");
        }
        let every = Duration::from_secs(3600);
        let asked = self.request(session, ELICITATION, &params, every, || {});
        match asked.await {
            Asked::Result(result) => Ok(without_own_meta(&result)),
            Asked::Error => refused("the client answered with an error"),
            Asked::Cancelled => refused("the client cancelled the call"),
            Asked::Gone => refused("the client is gone"),
            Asked::TimedOut => refused("the client did not answer in time"),
        }
    }
}

impl Relay for ClientRelay {
    fn notify(&self, method: &str, params: &str) -> BoxFuture<'_, ()> {
        let params = without_own_meta(params);
        if method == "notifications/progress" {
            // Under the client's token, whatever the server's was; not at all without one.
            let members = Members::read(&params).ok().flatten();
            if let (Some(members), Some(token)) = (members, &self.progress_token) {
                let params = members.edited(
                    |key| key == PROGRESS_TOKEN,
                    &[(PROGRESS_TOKEN, token.as_str())],
                );
                self.tell(method, &params);
            }
        } else if method == "notifications/message" {
            self.tell(method, &params);
        }
        std::future::ready(()).boxed()
    }

    fn ask(&self, question: ServerQuestion) -> BoxFuture<'_, Result<String, RelayError>> {
        self.ask_for_server(question).boxed()
    }

    fn cancellation(&self) -> CancellationToken {
        self.cancelled.clone()
    }
}

/// The id that a cancellation names.
pub(super) fn cancelled_id(params: Option<&str>) -> Option<Id> {
    let members = Members::read(params?).ok()??;
    Id::of_json(members.get("requestId")?)
}
