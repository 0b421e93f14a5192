//! From what the check says to what happens: ask the host, ask a person, forward, refuse.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::audit::{Entry, Kind};
use crate::store::{Durability, NewQuestion, StoreError};
use crate::tool_check::{Reason, Refusal, Shown, Verdict};

use super::Gateway;
use super::attempt::Attempt;
use super::context::ContextQuestion;
use super::recording::Recording;
use super::refusing::Ended as _;
use super::request::{OpenQuestion, Progress};
use super::upstream::Relay;

/// How often a call is asked about anew because something changed.
const MOST_CHANGES: u32 = 2;

/// Whether a question could be opened.
enum Opened {
    /// It is open; the ids of those that are over by it, or since their time is over.
    Yes(Vec<String>),
    /// There are too many already.
    TooMany,
    /// The question that this attempt goes on from is not open any more.
    Used,
}

impl Gateway {
    /// Does what the check says.
    pub(super) async fn proceed(
        &self,
        attempt: Attempt,
        verdict: Verdict,
        known: Option<Value>,
        relay: Arc<dyn Relay>,
    ) -> Progress {
        let (verdict, context) = match self.with_context(&attempt, verdict, known).await {
            Ok(settled) => settled,
            Err(error) => return self.fail(&attempt, &error).await,
        };
        match verdict {
            Verdict::Block(refusal) => self.refuse(&attempt, refusal).await,
            Verdict::NeedsContext => self.refuse(&attempt, without_context()).await,
            Verdict::Ask(shown) if !attempt.is_confirmed(&shown) => {
                self.ask_person(attempt, shown).await
            }
            Verdict::Ask(_) | Verdict::Allow { .. } => {
                // Nothing has been sent yet, and so nothing has to be awaited.
                if relay.cancellation().is_cancelled() {
                    return self.refuse(&attempt, Refusal::cancelled()).await;
                }
                Box::pin(self.forward(attempt, context, relay)).await
            }
        }
    }

    /// What the check says once the host has said what the context is, where it has to.
    async fn with_context(
        &self,
        attempt: &Attempt,
        verdict: Verdict,
        known: Option<Value>,
    ) -> Result<(Verdict, Option<Value>), StoreError> {
        if verdict != Verdict::NeedsContext {
            return Ok((verdict, known));
        }
        match self.ask_host(attempt).await {
            Ok(context) => {
                let verdict = self.look(attempt, Some(context.clone())).await?;
                Ok((verdict, Some(context)))
            }
            Err(refusal) => Ok((Verdict::Block(refusal), None)),
        }
    }

    /// Asks the host for the context of a call.
    async fn ask_host(&self, attempt: &Attempt) -> Result<Value, Refusal> {
        let caller = &attempt.request.caller;
        let run = caller.run.clone();
        let subject = self
            .transact(move |transaction| Ok(transaction.run(&run)?.and_then(|run| run.subject)))
            .await
            .map_err(|error| {
                tracing::error!(decision = attempt.decision, %error, "the store failed");
                without_context()
            })?;
        let policy = &attempt.current.policy;
        let tool = policy.tool(&caller.agent, &attempt.request.tool);
        let told = |name: &String| {
            let value = attempt.arguments.value().get(name)?;
            Some((name.clone(), value.clone()))
        };
        let names = tool.into_iter().flat_map(|tool| &tool.context_arguments);
        let arguments: Map<String, Value> = names.filter_map(told).collect();
        let question = ContextQuestion {
            agent: caller.agent.clone(),
            run: caller.run.to_string(),
            subject,
            tool: attempt.request.tool.clone(),
            arguments,
        };
        let answer = attempt.current.context.ask(question).await;
        answer.map_err(|error| {
            tracing::warn!(decision = attempt.decision, %error, "no context");
            without_context()
        })
    }

    /// Opens a question to a person.
    pub(super) async fn ask_person(&self, mut attempt: Attempt, shown: Shown) -> Progress {
        if attempt.continued.is_some() {
            let text = "what was let through has changed while its server waited: call anew";
            return self
                .refuse(&attempt, Refusal::new(Reason::Changed, text))
                .await;
        }
        let is_changed = attempt
            .answered
            .as_ref()
            .is_some_and(|answered| answered.yes_to.is_some());
        if is_changed {
            if attempt.changes >= MOST_CHANGES {
                let text = "what was asked about changed again while it was asked: \
                            read the state anew before calling again";
                return self
                    .refuse(&attempt, Refusal::new(Reason::Changed, text))
                    .await;
            }
            attempt.changes += 1;
        }
        let Ok(text) = shown.text(&attempt.request.tool, &attempt.arguments) else {
            let text = "the arguments are too long to be shown to a person: send fewer";
            return self
                .refuse(&attempt, Refusal::new(Reason::Limit, text))
                .await;
        };
        let Ok(id) = self.new_id() else {
            return self
                .fail(
                    &attempt,
                    &StoreError::Unusable("no random bytes".to_owned()),
                )
                .await;
        };
        let now = self.now();
        let expires = now.saturating_add(attempt.current.settings.elicitation_timeout);
        let question = NewQuestion {
            id: id.clone(),
            run: attempt.request.caller.run.clone(),
            session: attempt.request.caller.session.clone(),
            agent: attempt.request.caller.agent.clone(),
            tool: attempt.request.tool.clone(),
            digest: attempt.digest.clone(),
            shown: serde_json::to_string(&shown).unwrap_or_default(),
            decision: attempt.decision.clone(),
            client_key: attempt.client_key.as_ref().map(|key| key.key.clone()),
            changes: attempt.changes,
            repeats: attempt.repeats,
            at: now,
            expires,
        };
        let attempt = Arc::new(attempt);
        // Before it can be withdrawn.
        let token = self.register(&id);
        let opened = {
            let (gateway, attempt, marks) =
                (self.clone(), Arc::clone(&attempt), shown.marks.clone());
            self.record(Durability::Relaxed, move |recording| {
                gateway.open_question(recording, &attempt, &question, marks)
            })
            .await
        };
        if let Some(answered) = &attempt.answered {
            self.forget(&answered.id);
        }
        let opened = opened.map(|opened| opened.value);
        if !matches!(opened, Ok(Opened::Yes(_))) {
            self.forget(&id);
        }
        match opened {
            Ok(Opened::Yes(withdrawn)) => {
                for over in withdrawn {
                    self.withdraw(&over);
                }
                Progress::Asking(OpenQuestion {
                    id,
                    text,
                    decision: attempt.decision.clone(),
                    expires,
                    digest: attempt.digest.clone(),
                    withdrawn: token,
                })
            }
            Ok(Opened::TooMany) => {
                let text = "too many questions are open: wait for their answers";
                self.refuse(&attempt, Refusal::new(Reason::Limit, text))
                    .await
            }
            Ok(Opened::Used) => self.reply_of_used(&attempt).await,
            Err(error) => self.fail(&attempt, &error).await,
        }
    }

    fn open_question(
        &self,
        recording: &mut Recording<'_>,
        attempt: &Attempt,
        question: &NewQuestion,
        marks: BTreeSet<String>,
    ) -> Result<Opened, StoreError> {
        let now = question.at;
        let mut over = Vec::new();
        for expired in recording.transaction.expire_questions(now)? {
            self.end_question(recording, &expired, &Refusal::timed_out())?;
            over.push(expired.question.id);
        }
        match &attempt.answered {
            // The question that this one follows is closed, so that there are no more than before.
            Some(answered) => {
                let transaction = &mut *recording.transaction;
                if !transaction.close_question(&answered.id, answered.state, None, None)? {
                    return Ok(Opened::Used);
                }
                recording.append(attempt.answer_entry(), now)?;
            }
            None if self.has_too_many(recording, attempt, question)? => {
                return Ok(Opened::TooMany);
            }
            None => {}
        }
        if let Some(older) = recording.transaction.insert_question(question)?
            && let Some(older) = recording.transaction.question(&older)?
        {
            self.end_question(recording, &older, &Refusal::withdrawn())?;
            over.push(older.question.id);
        }
        let entry = Entry {
            marks,
            ..attempt.entry(Kind::Question)
        };
        recording.append(entry, now)?;
        Ok(Opened::Yes(over))
    }

    /// Whether one more question would be one too many; one that takes an older one's place is
    /// not.
    fn has_too_many(
        &self,
        recording: &mut Recording<'_>,
        attempt: &Attempt,
        question: &NewQuestion,
    ) -> Result<bool, StoreError> {
        let transaction = &mut *recording.transaction;
        if transaction.has_open_question(&question.run, &question.tool, &question.digest)? {
            return Ok(false);
        }
        let settings = &attempt.current.settings;
        let scope = attempt.scope();
        // In the shared run of the new era there is no session to count by.
        let is_counted = scope.session.is_some() || !scope.run.is_shared();
        let (of_scope, of_agent) =
            transaction.open_questions(&scope, &question.agent, question.at)?;
        Ok((is_counted && of_scope >= settings.questions_per_run)
            || of_agent >= settings.questions_per_agent)
    }
}

fn without_context() -> Refusal {
    let text = "the host did not say what the context of this call is: try again later";
    Refusal::new(Reason::ContextUnavailable, text)
}
