//! Calls that were made before: what was recorded of them is given again, and nothing is
//! forwarded twice (gateway contract, section 4, *Idempotency*).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::audit::{Entry, Kind};
use crate::keys::Purpose;
use crate::store::{
    Call, CallState, ClientKeyState, Durability, Question, QuestionState, StoreError,
};
use crate::tool_check::{Reason, Refusal};

use super::Gateway;
use super::attempt::Attempt;
use super::refusing::refusal_of;
use super::request::{CallRequest, Lost, Progress, Reply, ReplyBody};

/// What is kept of a reply, sealed.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kept {
    Result(String),
    Error(String),
    Lost { text: String, outcome: CallState },
}

/// What a kept reply is sealed for: it opens for this call alone.
fn associated(decision: &str) -> Vec<u8> {
    format!("reply:{decision}").into_bytes()
}

impl Gateway {
    /// What a replay of this call answers, sealed; nothing where no replay can come.
    pub(super) fn sealed_for_replay(&self, attempt: &Attempt, body: &ReplyBody) -> Option<Vec<u8>> {
        let can_come = attempt.client_key.is_some() || attempt.answered.is_some();
        if !can_come && attempt.continued.is_none() {
            return None;
        }
        let kept = match body {
            ReplyBody::Result(json) => Kept::Result(json.clone()),
            ReplyBody::Error(json) => Kept::Error(json.clone()),
            ReplyBody::Lost(lost) => Kept::Lost {
                text: lost.text.clone(),
                outcome: lost.outcome,
            },
            ReplyBody::InputRequired { .. } | ReplyBody::Refused(_) => return None,
        };
        let plain = serde_json::to_vec(&kept).ok()?;
        let keys = &attempt.current.keys;
        let sealed = keys.seal(
            Purpose::Store,
            &associated(&attempt.decision),
            &plain,
            &*self.shared.randomness,
        );
        sealed.ok()
    }

    /// What the caller got when the call was made.
    fn kept_body(&self, call: &Call) -> ReplyBody {
        let current = self.current();
        let kept = call.result.as_ref().and_then(|sealed| {
            let associated = associated(&call.call.decision);
            let plain = current
                .keys
                .open(Purpose::Store, &associated, sealed)
                .ok()?;
            // It is the gateway's own text, not a stranger's.
            serde_json::from_slice::<Kept>(&plain).ok()
        });
        match kept {
            Some(Kept::Result(json)) => ReplyBody::Result(json),
            Some(Kept::Error(json)) => ReplyBody::Error(json),
            Some(Kept::Lost { text, outcome }) => ReplyBody::Lost(Lost { text, outcome }),
            None => ReplyBody::Lost(Lost {
                text: "the call was made before; what it answered is not kept any more".to_owned(),
                outcome: call.state,
            }),
        }
    }

    /// What was recorded of a call that is over.
    pub(super) fn replayed(&self, request: &CallRequest, call: &Call) -> Reply {
        Reply {
            body: self.kept_body(call),
            reason: Reason::Replayed,
            decision: call.call.decision.clone(),
            run: request.caller.run.clone(),
        }
    }

    /// Answers a call whose idempotency key was given before.
    pub(super) async fn reply_again(&self, attempt: &Attempt, state: ClientKeyState) -> Progress {
        if !attempt.digests.contains(&state.digest) {
            let text = "this idempotency key was given with other arguments: use a new key";
            let refusal = Refusal::new(Reason::IdempotencyConflict, text);
            return self.refuse(attempt, refusal).await;
        }
        let call = match state.call {
            Some(seq) => {
                self.transact(move |transaction| transaction.call(seq))
                    .await
            }
            None => Ok(None),
        };
        match call {
            Ok(Some(call)) if call.state != CallState::Open => {
                let body = self.kept_body(&call);
                let entry = Entry {
                    reason: Some(Reason::Replayed),
                    ..attempt.entry(Kind::Decision)
                };
                let now = self.now();
                let append = self
                    .record(Durability::Relaxed, move |recording| {
                        recording.append(entry, now)
                    })
                    .await;
                match append {
                    Ok(recorded) if recorded.is_logged => {
                        Progress::Done(Reply::of(attempt, Reason::Replayed, body))
                    }
                    Ok(_) => {
                        Progress::Done(Reply::internal(&attempt.request, attempt.decision.clone()))
                    }
                    Err(error) => self.fail(attempt, &error).await,
                }
            }
            Ok(_) => {
                let text = "the call with this idempotency key is not finished yet: wait for it";
                self.refuse(attempt, Refusal::new(Reason::InProgress, text))
                    .await
            }
            Err(error) => self.fail(attempt, &error).await,
        }
    }

    /// Answers a request whose question another request has answered meanwhile.
    pub(super) async fn reply_of_used(&self, attempt: &Attempt) -> Progress {
        let id = attempt
            .answered
            .as_ref()
            .map(|answered| answered.id.clone());
        let found = self
            .transact(move |transaction| match id {
                Some(id) => transaction.question(&id),
                None => Ok(None),
            })
            .await;
        let reply = match found {
            Ok(Some(question)) => self.recorded_reply(&attempt.request, &question).await,
            Ok(None) => Ok(Reply::in_progress(
                &attempt.request,
                attempt.decision.clone(),
            )),
            Err(error) => Err(error),
        };
        match reply {
            Ok(reply) => Progress::Done(reply),
            Err(error) => self.fail(attempt, &error).await,
        }
    }

    /// Answers a request whose question is over: it is the same call, so that no decision is
    /// recorded but where its time has just run out.
    pub(super) async fn reply_of_question(
        &self,
        request: &Arc<CallRequest>,
        question: Question,
    ) -> Reply {
        if question.state == QuestionState::Open
            && let Err(error) = self.expire_questions().await
        {
            tracing::error!(%error, "questions could not be closed");
        }
        let id = question.question.id.clone();
        let decision = question.question.decision.clone();
        let now = self
            .transact(move |transaction| transaction.question(&id))
            .await;
        let reply = match now {
            Ok(Some(question)) => self.recorded_reply(request, &question).await,
            Ok(None) => Ok(Reply::internal(request, decision.clone())),
            Err(error) => Err(error),
        };
        reply.unwrap_or_else(|error| {
            tracing::error!(decision, %error, "the store failed");
            Reply::internal(request, decision)
        })
    }

    async fn recorded_reply(
        &self,
        request: &CallRequest,
        question: &Question,
    ) -> Result<Reply, StoreError> {
        let decision = question.question.decision.clone();
        if let Some(seq) = question.call {
            let call = self
                .transact(move |transaction| transaction.call(seq))
                .await?;
            return Ok(match call {
                Some(call) if call.state != CallState::Open => self.replayed(request, &call),
                _ => Reply::in_progress(request, decision),
            });
        }
        let by_reason = |reason: Reason| {
            let text = format!(
                "the question was answered, and the call refused: {}",
                reason.as_str()
            );
            Refusal::new(reason, text)
        };
        let refusal = question.reason.map(by_reason);
        let refusal = refusal.or_else(|| refusal_of(question.state));
        Ok(match refusal {
            Some(refusal) => Reply::of_refusal(request, refusal, decision),
            None => Reply::in_progress(request, decision),
        })
    }
}
