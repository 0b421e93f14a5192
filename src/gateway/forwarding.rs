//! A call that nothing stands in the way of: its session is opened, the whole check runs once
//! more in the transaction that records it, then it is forwarded, and what became of it recorded
//! (gateway contract, section 3, *Transactions*).

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::audit::{Entry, Kind};
use crate::catalogue::OrderRule;
use crate::store::{CallState, Durability, Millis, NewCall, QuestionState, StoreError};
use crate::tool_check::{Context, Reason, Refusal, Shown, Verdict};

use super::Gateway;
use super::attempt::{Attempt, digests_of};
use super::recording::Recording;
use super::refusing::Ended as _;
use super::request::{Lost, Progress, Reply, ReplyBody};
use super::unfinished::Ending;
use super::upstream::{CallEnd, ForwardedCall, Relay, Unavailable, UpstreamScope, UpstreamSession};

/// How often a call is looked at anew since catalogue or settings were read anew.
const MOST_RELOADS: u32 = 3;

/// What the transaction before forwarding came to.
enum Committed {
    /// The call is recorded, and may be forwarded.
    Go(Passed),
    /// The check says something else now.
    Said(Verdict),
    /// The question that was answered is not open any more.
    Used,
    /// The client has cancelled it.
    Cancelled,
    /// Catalogue or settings were read anew since the call was looked at.
    Reloaded,
}

/// A call that was let through.
struct Passed {
    /// Its number in the store.
    seq: u64,
    reason: Reason,
    marks: BTreeSet<String>,
    /// What a person said yes to.
    shown: Option<Shown>,
    /// The gateway's own idempotency key, of a write.
    key: Option<String>,
}

impl Gateway {
    /// Opens the session, records the call and forwards it.
    pub(super) async fn forward(
        &self,
        attempt: Attempt,
        context: Option<Value>,
        relay: Arc<dyn Relay>,
    ) -> Progress {
        let caller = &attempt.request.caller;
        let scope = UpstreamScope::of(caller, &attempt.decision);
        let closing = caller.is_for_one_request();
        let servers = closing.then(|| Arc::clone(&attempt.current.servers));
        let progress = self.forward_within(attempt, context, relay, &scope).await;
        if let Some(servers) = servers {
            servers.close(&scope.key).await;
        }
        progress
    }

    async fn forward_within(
        &self,
        attempt: Attempt,
        context: Option<Value>,
        relay: Arc<dyn Relay>,
        scope: &UpstreamScope,
    ) -> Progress {
        let session = match self.session_for(&attempt, scope).await {
            Ok(session) => session,
            Err(refusal) => return self.refuse(&attempt, refusal).await,
        };
        let key = match self.own_key(&attempt) {
            Ok(key) => key,
            Err(error) => return self.fail(&attempt, &error).await,
        };
        let (now, cancellation) = (self.now(), relay.cancellation());
        let (committing, gateway) = (attempt.clone(), self.clone());
        let durability = durability_of(&attempt);
        let committed = self
            .record(durability, move |recording| {
                if !Arc::ptr_eq(&gateway.current(), &committing.current) {
                    return Ok(Committed::Reloaded);
                }
                let context = context.as_ref().map_or(Context::NotAsked, Context::Known);
                let verdict = committing.examine(recording.transaction, now, context)?;
                if cancellation.is_cancelled() {
                    return Ok(Committed::Cancelled);
                }
                commit(recording, &committing, verdict, key, now)
            })
            .await;
        let recorded = match committed {
            Ok(recorded) => recorded,
            Err(error) => return self.fail(&attempt, &error).await,
        };
        match recorded.value {
            Committed::Go(passed) if !recorded.is_logged => {
                self.give_back(&attempt, &passed).await;
                Progress::Done(Reply::internal(&attempt.request, attempt.decision.clone()))
            }
            Committed::Go(passed) => {
                if let Some(answered) = &attempt.answered {
                    self.forget(&answered.id);
                }
                Progress::Done(self.send(&attempt, &passed, &*session, &*relay).await)
            }
            Committed::Said(Verdict::Ask(shown)) => self.ask_person(attempt, shown).await,
            Committed::Said(Verdict::Block(refusal)) => self.refuse(&attempt, refusal).await,
            Committed::Said(Verdict::NeedsContext | Verdict::Allow { .. }) => {
                let text = "the policy changed while the call was checked: call again";
                self.refuse(&attempt, Refusal::new(Reason::Changed, text))
                    .await
            }
            Committed::Used => self.reply_of_used(&attempt).await,
            Committed::Cancelled => self.refuse(&attempt, Refusal::cancelled()).await,
            Committed::Reloaded => match self.under_current(attempt) {
                Ok(attempt) => Box::pin(self.examine_again(attempt, relay)).await,
                Err(attempt) => {
                    let text = "catalogue or settings changed again and again: call anew";
                    self.refuse(&attempt, Refusal::new(Reason::Changed, text))
                        .await
                }
            },
        }
    }

    /// The same call, judged by what is in force now; where that changed too often, the call as it
    /// was.
    fn under_current(&self, mut attempt: Attempt) -> Result<Attempt, Box<Attempt>> {
        if attempt.reloads >= MOST_RELOADS {
            return Err(Box::new(attempt));
        }
        attempt.reloads += 1;
        attempt.current = self.current();
        let stored = attempt.digest.clone();
        (attempt.digest, attempt.digests) =
            digests_of(&attempt.arguments, &attempt.current, Some(&stored));
        Ok(attempt)
    }

    /// The session with the tool's server, whose description of the tool is the pinned one.
    async fn session_for(
        &self,
        attempt: &Attempt,
        scope: &UpstreamScope,
    ) -> Result<Arc<dyn UpstreamSession>, Refusal> {
        let tool = &attempt.request.tool;
        let unavailable = |error: &Unavailable| {
            tracing::warn!(decision = attempt.decision, tool, %error, "no server");
            let text = "the tool's server cannot be reached: nothing was done, try again later";
            Refusal::new(Reason::UpstreamUnavailable, text)
        };
        let Some(server) = attempt.current.settings.server_of(tool) else {
            return Err(unavailable(&Unavailable("no server has it".to_owned())));
        };
        let servers = &attempt.current.servers;
        let session = servers.open(server, scope).await;
        let session = session.map_err(|error| unavailable(&error))?;
        let Some(pin) = attempt.current.policy.catalogue().pin(tool) else {
            return Ok(session);
        };
        let tools = session.tools().await.map_err(|error| unavailable(&error))?;
        let served = tools.iter().find(|served| served.name == *tool);
        if served.is_some_and(|served| pin.fits(server, &served.sha256)) {
            return Ok(session);
        }
        let text = "the server describes this tool in other words than those that were reviewed: \
                    an operator has to look at it";
        Err(Refusal::new(Reason::ToolChanged, text))
    }

    /// The gateway's own key for a write.
    fn own_key(&self, attempt: &Attempt) -> Result<Option<String>, StoreError> {
        attempt.is_write().then(|| self.new_id()).transpose()
    }

    /// Closes a call whose lines could not be written: it counts for nothing.
    async fn give_back(&self, attempt: &Attempt, passed: &Passed) {
        self.end_call(attempt, passed, CallState::NotForwarded, None)
            .await;
    }

    /// Forwards a recorded call, and records what became of it.
    async fn send(
        &self,
        attempt: &Attempt,
        passed: &Passed,
        session: &dyn UpstreamSession,
        relay: &dyn Relay,
    ) -> Reply {
        let settings = &attempt.current.settings;
        let server = settings
            .server_of(&attempt.request.tool)
            .unwrap_or_default();
        let is_confirmed = passed.reason == Reason::Confirmed;
        let arguments = attempt
            .tool()
            .map(|tool| attempt.arguments.forwarded(tool, is_confirmed));
        let call = ForwardedCall {
            tool: attempt.request.tool.clone(),
            arguments: arguments.unwrap_or_default(),
            meta: attempt.request.meta.clone(),
            idempotency_key: passed.key.clone(),
            answers: attempt.request.upstream_answers.clone(),
            timeout: settings.timeout_of(server),
        };
        let mut end = guarded(session.call(&call, relay)).await;
        let resends = settings
            .servers
            .get(server)
            .is_some_and(|server| server.idempotent);
        let is_lost = matches!(end, CallEnd::Lost(_));
        if resends && passed.key.is_some() && is_lost && !relay.cancellation().is_cancelled() {
            // Only a result is the one of the first as well: that the second did not arrive, or
            // was refused, says nothing of it.
            let second = guarded(session.call(&call, relay)).await;
            if matches!(second, CallEnd::Result { .. }) {
                end = second;
            }
        }
        if let (CallEnd::NotForwarded(error), Some(_)) = (&end, attempt.continued) {
            // The server had the call when it asked.
            end = CallEnd::Lost(error.clone());
        }
        if let CallEnd::InputRequired(json) = end {
            let shown = passed.shown.clone();
            return self.wait_for_input(attempt, passed.seq, shown, json).await;
        }
        let state = state_of(&end, attempt.is_write());
        let body = body_of(end, state);
        let kept = self.sealed_for_replay(attempt, &body);
        self.end_call(attempt, passed, state, kept).await;
        Reply::of(attempt, passed.reason, body)
    }

    /// Records what became of a call; where the store does not take it now, later.
    async fn end_call(
        &self,
        attempt: &Attempt,
        passed: &Passed,
        state: CallState,
        result: Option<Vec<u8>>,
    ) {
        let entry = Entry {
            marks: passed.marks.clone(),
            outcome: Some(state),
            ..attempt.entry(Kind::Outcome)
        };
        let ending = Ending {
            seq: passed.seq,
            run: attempt.request.caller.run.clone(),
            tool: attempt.request.tool.clone(),
            digest: attempt.digest.clone(),
            state,
            result,
            // Nothing was done, so that the key may be given again.
            freed: attempt
                .client_key
                .clone()
                .filter(|_| state == CallState::NotForwarded),
            entry,
            is_durable: durability_of(attempt) == Durability::Durable,
        };
        if let Err(error) = self.record_ending(ending.clone()).await {
            tracing::error!(decision = attempt.decision, %error, "an outcome is not recorded yet");
            self.shared.unfinished.keep(ending);
        }
    }

    async fn record_ending(&self, ending: Ending) -> Result<(), StoreError> {
        let now = self.now();
        let durability = if ending.is_durable {
            Durability::Durable
        } else {
            Durability::Relaxed
        };
        self.record(durability, move |recording| {
            let transaction = &mut *recording.transaction;
            transaction.finish_call(ending.seq, ending.state, ending.result.as_deref(), now)?;
            if let Some(key) = &ending.freed {
                transaction.free_client_key(key)?;
            }
            recording.append(ending.entry, now)
        })
        .await?;
        Ok(())
    }

    /// Records the outcomes that the store did not take before.
    pub(super) async fn finish_unfinished(&self) -> Result<(), StoreError> {
        let mut failed = Ok(());
        for ending in self.shared.unfinished.take() {
            if let Err(error) = self.record_ending(ending.clone()).await {
                self.shared.unfinished.keep(ending);
                failed = Err(error);
            }
        }
        failed
    }
}

/// A call to a server; a fault of the program that speaks to it is a lost answer.
async fn guarded(call: BoxFuture<'_, CallEnd>) -> CallEnd {
    let end = std::panic::AssertUnwindSafe(call).catch_unwind().await;
    end.unwrap_or_else(|_| CallEnd::Lost(Unavailable("a fault of the gateway".to_owned())))
}

/// Records a call that the check lets through.
fn commit(
    recording: &mut Recording<'_>,
    attempt: &Attempt,
    verdict: Verdict,
    key: Option<String>,
    now: Millis,
) -> Result<Committed, StoreError> {
    let (reason, marks, shown) = match verdict {
        Verdict::Allow { marks } => (Reason::Allow, marks, None),
        Verdict::Ask(shown) if attempt.is_confirmed(&shown) => {
            (Reason::Confirmed, shown.marks.clone(), Some(shown))
        }
        other => return Ok(Committed::Said(other)),
    };
    let caller = &attempt.request.caller;
    if let Some(seq) = attempt.continued {
        let earlier = recording.transaction.call(seq)?;
        let Some(earlier) = earlier.filter(|call| call.state == CallState::Open) else {
            return Ok(Committed::Used);
        };
        return Ok(Committed::Go(Passed {
            seq,
            reason,
            marks,
            shown,
            key: earlier.call.key,
        }));
    }
    if let Some(answered) = &attempt.answered {
        let question = recording.transaction.question(&answered.id)?;
        if question.is_none_or(|question| question.state != QuestionState::Open) {
            return Ok(Committed::Used);
        }
    }
    let tool = &attempt.request.tool;
    if attempt.is_outside() {
        let transaction = &mut recording.transaction;
        transaction.add_mark(&caller.run, &caller.agent, tool, now)?;
    }
    let seq = recording.transaction.insert_call(&NewCall {
        run: caller.run.clone(),
        session: caller.session.clone(),
        agent: caller.agent.clone(),
        tool: tool.clone(),
        digest: attempt.digest.clone(),
        is_write: attempt.is_write(),
        decision: attempt.decision.clone(),
        key: key.clone(),
        arguments: None,
        at: now,
    })?;
    if let Some(client_key) = &attempt.client_key {
        recording.transaction.bind_client_key(client_key, seq)?;
    }
    if let Some(answered) = &attempt.answered {
        let transaction = &mut recording.transaction;
        transaction.close_question(&answered.id, answered.state, None, Some(seq))?;
        recording.append(attempt.answer_entry(), now)?;
    }
    let line = |kind| Entry {
        marks: marks.clone(),
        ..attempt.entry(kind)
    };
    let decision = Entry {
        reason: Some(reason),
        ..line(Kind::Decision)
    };
    recording.append(decision, now)?;
    if attempt.is_write() {
        recording.append(line(Kind::Intent), now)?;
    }
    Ok(Committed::Go(Passed {
        seq,
        reason,
        marks,
        shown,
        key,
    }))
}

/// Writes, marks and counted calls are on the disk before they are forwarded.
fn durability_of(attempt: &Attempt) -> Durability {
    let order = &attempt.current.policy.catalogue().order;
    let is_counted = order.iter().any(
        |rule| matches!(rule, OrderRule::AtMost { tool, .. } if *tool == attempt.request.tool),
    );
    if attempt.is_write() || attempt.is_outside() || is_counted {
        Durability::Durable
    } else {
        Durability::Relaxed
    }
}

/// The outcome, by contract section 3: what is not known of a write is ambiguous, of a read an
/// error.
fn state_of(end: &CallEnd, is_write: bool) -> CallState {
    match end {
        CallEnd::Result {
            is_error: false, ..
        } => CallState::Ok,
        CallEnd::Result { is_error: true, .. } | CallEnd::Error(_) => CallState::Error,
        CallEnd::NotForwarded(_) => CallState::NotForwarded,
        CallEnd::InputRequired(_) | CallEnd::Lost(_) => CallState::unknown(is_write),
    }
}

fn body_of(end: CallEnd, state: CallState) -> ReplyBody {
    let text = match end {
        CallEnd::Result { json, .. } | CallEnd::InputRequired(json) => {
            return ReplyBody::Result(json);
        }
        CallEnd::Error(json) => return ReplyBody::Error(json),
        CallEnd::NotForwarded(error) => {
            tracing::warn!(%error, "a call did not reach its server");
            "the tool's server cannot be reached: nothing was done, try again later"
        }
        CallEnd::Lost(error) => {
            tracing::warn!(%error, "the answer of a server was lost");
            if state == CallState::Ambiguous {
                "the server was called and its answer was lost: nobody knows whether it was done. \
                 do not call again before a person has looked"
            } else {
                "the server was called and its answer was lost: try again later"
            }
        }
    };
    ReplyBody::Lost(Lost {
        text: text.to_owned(),
        outcome: state,
    })
}
