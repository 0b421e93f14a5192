//! Calls whose server asks for input before it goes on (new era): the call stays open, and one
//! request goes on with it.

use std::sync::Arc;

use crate::store::{CallState, ClientKey, Durability, Millis};
use crate::tool_check::{Reason, Refusal, Shown};

use super::Gateway;
use super::attempt::{Answered, Attempt};
use super::refusing::Ended as _;
use super::request::{CallRequest, Progress, Reply, ReplyBody};
use super::upstream::Relay;

/// A call that waits for its client's answers to its server's question.
pub(super) struct Waiting {
    /// Which of the server's questions it is: each is answered once.
    round: String,
    decision: String,
    client_key: Option<ClientKey>,
    /// What a person said yes to before.
    shown: Option<Shown>,
    is_write: bool,
    expires: Millis,
}

impl Gateway {
    /// Lets a call wait for the answers to its server's question.
    pub(super) async fn wait_for_input(
        &self,
        attempt: &Attempt,
        seq: u64,
        shown: Option<Shown>,
        json: String,
    ) -> Reply {
        let is_write = attempt.is_write();
        let Ok(round) = self.new_id() else {
            self.close_waiting(seq, is_write).await;
            return Reply::internal(&attempt.request, attempt.decision.clone());
        };
        let timeout = attempt.current.settings.elicitation_timeout;
        let reason = match shown {
            Some(_) => Reason::Confirmed,
            None => Reason::Allow,
        };
        let waiting = Waiting {
            round: round.clone(),
            decision: attempt.decision.clone(),
            client_key: attempt.client_key.clone(),
            shown,
            is_write,
            expires: self.now().saturating_add(timeout),
        };
        self.waiting().insert(seq, waiting);
        let body = ReplyBody::InputRequired {
            json,
            call: seq,
            round,
        };
        Reply::of(attempt, reason, body)
    }

    /// Goes on with a call behind its server's question; the answers are in the request. `call`
    /// and `round` are those of the reply that asked. The whole check runs again.
    pub async fn resume(
        &self,
        request: &CallRequest,
        call: u64,
        round: &str,
        relay: &Arc<dyn Relay>,
    ) -> Progress {
        let gateway = self.clone();
        let (request, relay) = (Arc::new(request.clone()), Arc::clone(relay));
        let round = round.to_owned();
        self.finish_in_any_case(Arc::clone(&request), async move {
            gateway.resume_now(request, call, &round, relay).await
        })
        .await
    }

    async fn resume_now(
        &self,
        request: Arc<CallRequest>,
        seq: u64,
        round: &str,
        relay: Arc<dyn Relay>,
    ) -> Progress {
        let found = self
            .transact(move |transaction| transaction.call(seq))
            .await;
        let found = match found {
            Ok(found) => found,
            Err(_) => return Progress::Done(Reply::internal(&request, String::new())),
        };
        let caller = &request.caller;
        let Some(found) = found.filter(|found| {
            let call = &found.call;
            call.agent == caller.agent
                && call.run == caller.run
                && call.session == caller.session
                && call.tool == request.tool
        }) else {
            return self.refuse_state(&request).await;
        };
        let mut attempt = match self.attempt(&request, None) {
            Ok(attempt) => attempt,
            Err(reply) => return Progress::Done(*reply),
        };
        if attempt.unread.is_some() || !attempt.digests.contains(&found.call.digest) {
            return self.refuse_state(&request).await;
        }
        let waiting = {
            let mut all = self.waiting();
            let is_it = all.get(&seq).is_some_and(|waiting| waiting.round == round);
            if is_it { all.remove(&seq) } else { None }
        };
        let Some(waiting) = waiting else {
            let reply = match found.state {
                CallState::Open => Reply::in_progress(&request, found.call.decision.clone()),
                _ => self.replayed(&request, &found),
            };
            return Progress::Done(reply);
        };
        if waiting.expires <= self.now() {
            self.close_waiting(seq, waiting.is_write).await;
            let refusal = Refusal::timed_out();
            return Progress::Done(Reply::of_refusal(&request, refusal, waiting.decision));
        }
        attempt.digest.clone_from(&found.call.digest);
        attempt.decision = waiting.decision;
        attempt.continued = Some(seq);
        attempt.client_key = waiting.client_key;
        attempt.answered = waiting.shown.map(|shown| Answered {
            id: String::new(),
            yes_to: Some(shown),
            reason: Reason::Confirmed,
            state: crate::store::QuestionState::Answered,
        });
        self.examine_again(attempt, relay).await
    }

    /// Ends a call whose server's question is not passed on. `call` is that of the reply that asked.
    pub async fn abandon(&self, call: u64) {
        let waiting = self.waiting().remove(&call);
        if let Some(waiting) = waiting {
            self.close_waiting(call, waiting.is_write).await;
        }
    }

    /// Closes calls whose server's question nobody answered in time.
    pub(super) async fn expire_waiting(&self) {
        let now = self.now();
        let over: Vec<(u64, bool)> = {
            let mut all = self.waiting();
            let over = all.iter().filter(|(_, waiting)| waiting.expires <= now);
            let over: Vec<(u64, bool)> = over
                .map(|(seq, waiting)| (*seq, waiting.is_write))
                .collect();
            for (seq, _) in &over {
                all.remove(seq);
            }
            over
        };
        for (seq, is_write) in over {
            self.close_waiting(seq, is_write).await;
        }
    }

    /// Closes a call whose server waits for input that will not come: it may have begun the write.
    pub(super) async fn close_waiting(&self, seq: u64, is_write: bool) {
        let state = CallState::unknown(is_write);
        let (now, gateway) = (self.now(), self.clone());
        let ended = self
            .record(Durability::Durable, move |recording| {
                let call = recording.transaction.call(seq)?;
                let Some(call) = call.filter(|call| call.state == CallState::Open) else {
                    return Ok(());
                };
                recording.transaction.finish_call(seq, state, None, now)?;
                gateway.end_lost_call(recording, &call, state)
            })
            .await;
        if let Err(error) = ended {
            tracing::error!(%error, "a waiting call could not be closed");
        }
    }
}
