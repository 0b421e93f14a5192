//! From what the check says to what happens: ask the host, ask a person, forward, refuse.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::audit::{self, Kind};
use crate::store::{Durability, NewQuestion, StoreError, Transaction};
use crate::tool_check::{Context, Reason, Refusal, Shown, Verdict};

use super::Gateway;
use super::attempt::Attempt;
use super::context::ContextQuestion;
use super::request::{OpenQuestion, Progress};
use super::upstream::Relay;

/// How often a call is asked about anew because something changed.
const MOST_CHANGES: u32 = 2;

/// Whether a question could be opened.
enum Opened {
    /// It is open; the ids of those that it took the place of.
    Yes(Option<String>),
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
        let (verdict, context) = match verdict {
            Verdict::NeedsContext => match self.ask_host(&attempt).await {
                Ok(context) => match self.look(&attempt, Some(context.clone())).await {
                    Ok(verdict) => (verdict, Some(context)),
                    Err(error) => return self.fail(&attempt, &error).await,
                },
                Err(refusal) => return self.refuse(&attempt, refusal).await,
            },
            other => (other, known),
        };
        match verdict {
            Verdict::Block(refusal) => self.refuse(&attempt, refusal).await,
            Verdict::NeedsContext => {
                let refusal = Refusal::new(Reason::ContextUnavailable, "the context is not known");
                self.refuse(&attempt, refusal).await
            }
            Verdict::Ask(shown) if !attempt.is_confirmed(&shown) => {
                self.ask_person(attempt, shown).await
            }
            Verdict::Ask(_) | Verdict::Allow { .. } => {
                if relay.cancellation().is_cancelled() {
                    return self.refuse(&attempt, Refusal::cancelled()).await;
                }
                Box::pin(self.forward(attempt, context, relay)).await
            }
        }
    }

    /// Asks the host for the context of a call.
    async fn ask_host(&self, attempt: &Attempt) -> Result<Value, Refusal> {
        let caller = &attempt.request.caller;
        let run = caller.run.clone();
        let subject = self
            .transact(Durability::Relaxed, move |transaction| {
                Ok(transaction.run(&run)?.and_then(|run| run.subject))
            })
            .await
            .unwrap_or_default();
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
            let text = "the host did not say what the context of this call is: try again later";
            Refusal::new(Reason::ContextUnavailable, text)
        })
    }

    /// Opens a question to a person.
    pub(super) async fn ask_person(&self, mut attempt: Attempt, shown: Shown) -> Progress {
        if !attempt.request.caller.can_be_asked {
            return self.refuse(&attempt, Refusal::cannot_be_asked()).await;
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
                .fail(&attempt, &StoreError::Unusable("no random bytes".to_owned()))
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
            client_key: attempt.request.idempotency_key.clone(),
            changes: attempt.changes,
            repeats: attempt.repeats,
            at: now,
            expires,
        };
        let attempt = Arc::new(attempt);
        let opened = {
            let (gateway, attempt, marks) =
                (self.clone(), Arc::clone(&attempt), shown.marks.clone());
            self.transact(Durability::Relaxed, move |transaction| {
                gateway.open_question(transaction, &attempt, &question, marks)
            })
            .await
        };
        match opened {
            Ok(Opened::Yes(withdrawn)) => {
                if let Some(withdrawn) = withdrawn {
                    self.withdraw(&withdrawn);
                }
                self.write_log(false).await;
                let withdrawn = self.register(&id);
                Progress::Asking(OpenQuestion {
                    id,
                    text,
                    decision: attempt.decision.clone(),
                    expires,
                    digest: attempt.digest.clone(),
                    withdrawn,
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
        transaction: &mut dyn Transaction,
        attempt: &Attempt,
        question: &NewQuestion,
        marks: std::collections::BTreeSet<String>,
    ) -> Result<Opened, StoreError> {
        let now = question.at;
        if let Some(answered) = &attempt.answered {
            if !transaction.close_question(&answered.id, answered.state, None)? {
                return Ok(Opened::Used);
            }
            self.append(transaction, attempt.answer_entry(), now)?;
        }
        let settings = &attempt.current.settings;
        let (of_scope, of_agent) =
            transaction.open_questions(&attempt.scope(), &question.agent, now)?;
        let replaces = transaction.has_open_question(&question.run, &question.tool, &question.digest)?;
        if !replaces
            && (of_scope >= settings.questions_per_run || of_agent >= settings.questions_per_agent)
        {
            return Ok(Opened::TooMany);
        }
        let withdrawn = transaction.insert_question(question)?;
        if let Some(older) = &withdrawn
            && let Some(older) = transaction.question(older)?
        {
            let refusal = Refusal::withdrawn();
            self.append(transaction, attempt.withdrawn_entry(&older, &refusal), now)?;
        }
        let entry = audit::Entry {
            marks,
            ..attempt.entry(Kind::Question)
        };
        self.append(transaction, entry, now)?;
        Ok(Opened::Yes(withdrawn))
    }
}
