//! Calls that are not let through: the decision is recorded, what was reserved is freed, and the
//! caller is told what it can do.

use std::sync::Arc;

use crate::audit::{Entry, Kind};
use crate::store::{Decline, Durability, Question, QuestionState, StoreError};
use crate::tool_check::{Reason, Refusal};

use super::Gateway;
use super::attempt::Attempt;
use super::entries::About;
use super::request::{CallRequest, Progress, Refused, Reply, ReplyBody};

impl Gateway {
    /// Ends a call that is not let through. Where another request has ended it already, its
    /// decision stands, and none is recorded twice.
    pub(super) async fn refuse(&self, attempt: &Attempt, refusal: Refusal) -> Progress {
        if let Some(seq) = attempt.continued {
            // Its decision was recorded when it was let through; the server only waits for it.
            self.close_waiting(seq, attempt.is_write()).await;
            return Progress::Done(Reply::refused(attempt, refusal));
        }
        let now = self.now();
        let ending = attempt.clone();
        let told = refusal.clone();
        let recorded = self
            .record(Durability::Relaxed, move |recording| {
                let transaction = &mut *recording.transaction;
                if let Some(answered) = &ending.answered
                    && !transaction.close_question(
                        &answered.id,
                        answered.state,
                        Some(refusal.reason),
                        None,
                    )?
                {
                    return Ok(false);
                }
                if let Some(key) = &ending.client_key {
                    transaction.free_client_key(key)?;
                }
                if refusal.reason == Reason::Declined && ending.answered.is_some() {
                    transaction.insert_decline(&Decline {
                        run: ending.request.caller.run.clone(),
                        tool: ending.request.tool.clone(),
                        digest: ending.digest.clone(),
                        until: now.saturating_add(ending.current.settings.decline_ttl),
                    })?;
                }
                if ending.answered.is_some() {
                    recording.append(ending.answer_entry(), now)?;
                }
                recording.append(refused_entry(ending.entry(Kind::Decision), &refusal), now)?;
                Ok(true)
            })
            .await;
        if let Some(answered) = &attempt.answered {
            self.forget(&answered.id);
        }
        match recorded {
            Ok(recorded) if recorded.value => Progress::Done(Reply::refused(attempt, told)),
            Ok(_) => self.reply_of_used(attempt).await,
            Err(error) => self.fail(attempt, &error).await,
        }
    }

    /// Ends a call whose decision cannot be recorded: nothing is let through without.
    pub(super) async fn fail(&self, attempt: &Attempt, error: &StoreError) -> Progress {
        tracing::error!(decision = attempt.decision, %error, "the store failed");
        if let Some(seq) = attempt.continued {
            self.close_waiting(seq, attempt.is_write()).await;
        }
        Progress::Done(Reply::internal(&attempt.request, attempt.decision.clone()))
    }

    /// Ends the calls whose questions nobody answered in time.
    ///
    /// # Errors
    /// The store cannot be used.
    pub async fn expire_questions(&self) -> Result<(), StoreError> {
        let now = self.now();
        let gateway = self.clone();
        let expired = self
            .record(Durability::Relaxed, move |recording| {
                let expired = recording.transaction.expire_questions(now)?;
                for question in &expired {
                    gateway.end_question(recording, question, &Refusal::timed_out())?;
                }
                Ok(expired)
            })
            .await?;
        for question in expired.value {
            self.withdraw(&question.question.id);
        }
        Ok(())
    }

    /// Records that a call is over whose question was closed by something other than an answer.
    pub(super) fn end_question(
        &self,
        recording: &mut super::recording::Recording<'_>,
        question: &Question,
        refusal: &Refusal,
    ) -> Result<(), StoreError> {
        let asked = &question.question;
        if let Some(key) = asked.client_key() {
            recording.transaction.free_client_key(&key)?;
        }
        let entry = self
            .current()
            .entry(Kind::Decision, &About::question(asked));
        recording.append(refused_entry(entry, refusal), self.now())
    }

    /// Ends a call that the protocol's side refuses before it is checked, such as one in a run
    /// that is not known; the decision is recorded.
    pub async fn refuse_unchecked(&self, request: &CallRequest, refusal: Refusal) -> Reply {
        let request = Arc::new(request.clone());
        match self.attempt(&request, None) {
            Ok(attempt) => match self.refuse(&attempt, refusal).await {
                Progress::Done(reply) => reply,
                Progress::Asking(_) => Reply::internal(&request, String::new()),
            },
            Err(reply) => *reply,
        }
    }
}

fn refused_entry(entry: Entry, refusal: &Refusal) -> Entry {
    Entry {
        reason: Some(refusal.reason),
        rule: refusal.rule.clone(),
        marks: refusal.marks.clone(),
        ..entry
    }
}

impl Reply {
    /// What an attempt at a call comes to.
    pub(super) fn of(attempt: &Attempt, reason: Reason, body: ReplyBody) -> Self {
        Self {
            body,
            reason,
            decision: attempt.decision.clone(),
            run: attempt.request.caller.run.clone(),
        }
    }

    /// A call that is not let through.
    pub(super) fn refused(attempt: &Attempt, refusal: Refusal) -> Self {
        let body = ReplyBody::Refused(Refused {
            text: refusal.text,
            rule: refusal.rule,
            marks: refusal.marks,
        });
        Self::of(attempt, refusal.reason, body)
    }

    /// A call that is over already for this reason.
    pub(super) fn of_refusal(request: &CallRequest, refusal: Refusal, decision: String) -> Self {
        Self::without_check(request, decision, refusal.reason, &refusal.text)
    }

    fn without_check(request: &CallRequest, decision: String, reason: Reason, text: &str) -> Self {
        Self {
            reason,
            body: ReplyBody::Refused(Refused {
                text: text.to_owned(),
                rule: None,
                marks: Default::default(),
            }),
            decision,
            run: request.caller.run.clone(),
        }
    }

    /// A fault of the gateway itself.
    pub(super) fn internal(request: &CallRequest, decision: String) -> Self {
        let text = "the gateway could not decide this call: nothing was done";
        Self::without_check(request, decision, Reason::Internal, text)
    }

    /// A call that is not finished.
    pub(super) fn in_progress(request: &CallRequest, decision: String) -> Self {
        let text = "the same call is not finished yet: wait for it";
        Self::without_check(request, decision, Reason::InProgress, text)
    }
}

/// What is told of calls that a person or a client ended.
pub(super) trait Ended {
    /// The person said no.
    fn declined() -> Self;
    /// The person, or the client, called it off.
    fn cancelled() -> Self;
    /// Nobody answered in time.
    fn timed_out() -> Self;
    /// The client went away.
    fn gone() -> Self;
    /// A newer question took the place of its question.
    fn withdrawn() -> Self;
    /// Its state is not the gateway's, or another call's.
    fn invalid_state() -> Self;
}

impl Ended for Refusal {
    fn declined() -> Self {
        let text = "the person said no: do not call this again unless the person asks for it";
        Self::new(Reason::Declined, text)
    }

    fn cancelled() -> Self {
        let text = "the call was called off before it was made: nothing was done";
        Self::new(Reason::Cancelled, text)
    }

    fn timed_out() -> Self {
        let text = "nobody answered in time: nothing was done";
        Self::new(Reason::ConfirmationTimeout, text)
    }

    fn gone() -> Self {
        let text = "the client went away while the person was asked: nothing was done";
        Self::new(Reason::ClientGone, text)
    }

    fn withdrawn() -> Self {
        let text = "the same call was made again, and its question took this one's place";
        Self::new(Reason::Cancelled, text)
    }

    fn invalid_state() -> Self {
        let text = "the request goes on from a state that is not this call's: call anew without it";
        Self::new(Reason::InvalidState, text)
    }
}

/// Why a question is over, where no call came of it.
pub(super) fn refusal_of(state: QuestionState) -> Option<Refusal> {
    match state {
        QuestionState::Expired => Some(Refusal::timed_out()),
        QuestionState::Gone => Some(Refusal::gone()),
        QuestionState::Withdrawn => Some(Refusal::withdrawn()),
        QuestionState::Open | QuestionState::Answered => None,
    }
}
