//! How a call comes in, and how it goes on behind an answer.

use std::sync::Arc;

use futures_util::FutureExt as _;

use crate::store::{Question, QuestionState, StoreError};
use crate::tool_check::{Answer, Arguments, Context, Reason, Refusal, Shown, Verdict};

use super::Gateway;
use super::attempt::{Answered, Attempt, digests_of};
use super::refusing::Ended as _;
use super::request::{CallRequest, Progress, Reply};
use super::upstream::Relay;

/// What the first look at a call found.
enum First {
    /// What the check says so far.
    Verdict(Verdict),
    /// The client's key was given before.
    Known(crate::store::ClientKeyState),
}

/// What came of taking up a question again.
pub(super) enum TakenUp {
    /// It is open, and its time is not over.
    Open(Box<Question>),
    /// It is not open any more, or its time is over.
    Over(Box<Question>),
    /// It is no question of this caller and tool.
    Strange,
}

impl Gateway {
    /// Decides a call, and forwards it where nothing stands in its way (contract section 3). What
    /// was begun is finished though the caller stops waiting: an outcome is always recorded.
    pub async fn begin(&self, request: &CallRequest, relay: &Arc<dyn Relay>) -> Progress {
        let gateway = self.clone();
        let (request, relay) = (Arc::new(request.clone()), Arc::clone(relay));
        self.finish_in_any_case(Arc::clone(&request), async move {
            gateway.begin_now(request, relay).await
        })
        .await
    }

    /// Goes on with a call behind an answer to its question. The question is used once: where it
    /// was answered before, this is [`Gateway::replay_of`].
    pub async fn answer(
        &self,
        request: &CallRequest,
        question: &str,
        answer: Answer,
        relay: &Arc<dyn Relay>,
    ) -> Progress {
        let gateway = self.clone();
        let (request, relay) = (Arc::new(request.clone()), Arc::clone(relay));
        let question = question.to_owned();
        self.finish_in_any_case(Arc::clone(&request), async move {
            gateway.answer_now(request, &question, answer, relay).await
        })
        .await
    }

    /// Runs a call to its end, whether or not anybody waits for it. A panic in it is a refusal.
    pub(super) async fn finish_in_any_case(
        &self,
        request: Arc<CallRequest>,
        work: impl Future<Output = Progress> + Send + 'static,
    ) -> Progress {
        let guarded = std::panic::AssertUnwindSafe(work).catch_unwind();
        let task = self.shared.tasks.spawn(guarded);
        match task.await {
            Ok(Ok(progress)) => progress,
            Ok(Err(_)) | Err(_) => {
                tracing::error!(
                    tool = request.tool,
                    "a call ended by a fault of the gateway"
                );
                Progress::Done(Reply::internal(&request, String::new()))
            }
        }
    }

    async fn begin_now(&self, request: Arc<CallRequest>, relay: Arc<dyn Relay>) -> Progress {
        let mut attempt = match self.attempt(&request, None) {
            Ok(attempt) => attempt,
            Err(reply) => return Progress::Done(*reply),
        };
        let agent = &request.caller.agent;
        let is_known = attempt.current.policy.tool(agent, &request.tool).is_some();
        if let Some(text) = attempt.unread.clone().filter(|_| is_known) {
            let refusal = Refusal::new(Reason::InvalidArguments, text);
            return self.refuse(&attempt, refusal).await;
        }
        if self.is_draining() {
            let refusal = Refusal::new(
                Reason::Draining,
                "the gateway is shutting down: try again later",
            );
            return self.refuse(&attempt, refusal).await;
        }
        let known = attempt.current.context.known();
        let looked = match self.look_first(&attempt, known.clone()).await {
            Ok(looked) => looked,
            Err(error) => return self.fail(&attempt, &error).await,
        };
        let verdict = match looked {
            First::Verdict(verdict) => verdict,
            First::Known(state) => return self.reply_again(&attempt, state).await,
        };
        attempt.client_key = attempt.given_key();
        self.proceed(attempt, verdict, known, relay).await
    }

    /// An attempt at a call whose arguments can be read. `question` is what it goes on from.
    ///
    /// # Errors
    /// No random bytes can be had; the reply says so.
    pub(super) fn attempt(
        &self,
        request: &Arc<CallRequest>,
        question: Option<&Question>,
    ) -> Result<Attempt, Box<Reply>> {
        let current = self.current();
        let bounds = current.settings.arguments;
        let (arguments, unread) = match Arguments::read(request.arguments.as_deref(), bounds) {
            Ok(arguments) => (arguments, None),
            Err(error) => (Arguments::default(), Some(error.to_string())),
        };
        let stored = question.map(|question| question.question.digest.as_str());
        let (digest, digests) = digests_of(&arguments, &current, stored);
        let decision = match question {
            Some(question) => question.question.decision.clone(),
            None => self
                .new_id()
                .map_err(|_| Box::new(Reply::internal(request, String::new())))?,
        };
        Ok(Attempt {
            request: Arc::clone(request),
            arguments: Arc::new(arguments),
            unread,
            digest,
            digests,
            decision,
            answered: None,
            continued: None,
            changes: question.map_or(0, |question| question.question.changes),
            repeats: question.map_or(0, |question| question.question.repeats),
            // The key that was given when the call was first seen; a retry's own means nothing.
            client_key: question.and_then(|question| question.question.client_key()),
            unfinished: Arc::clone(&self.shared.unfinished),
            reloads: 0,
            current,
        })
    }

    /// Steps 1 and 2, the look-up of the client's key, and the other steps as far as they need no
    /// context; and the time of the agent's last call.
    async fn look_first(
        &self,
        attempt: &Attempt,
        known: Option<serde_json::Value>,
    ) -> Result<First, StoreError> {
        let now = self.now();
        let attempt = attempt.clone();
        self.transact(move |transaction| {
            let agent = &attempt.request.caller.agent;
            let last = transaction.last_call(agent)?;
            let idle = attempt.current.settings.run_idle;
            if last.is_some_and(|last| last.saturating_add(idle) <= now) {
                transaction.clear_shared_run(agent, now)?;
            }
            transaction.touch_agent(agent, now)?;
            let context = known.as_ref().map_or(Context::NotAsked, Context::Known);
            let verdict = attempt.examine(transaction, now, context)?;
            let is_early = matches!(
                &verdict,
                Verdict::Block(refusal) if matches!(
                    refusal.reason,
                    Reason::UnknownRun | Reason::UnknownTool | Reason::InvalidArguments
                )
            );
            if let Some(key) = attempt.given_key().filter(|_| !is_early)
                && let Some(state) = transaction.reserve_client_key(&key, &attempt.digest, now)?
            {
                return Ok(First::Known(state));
            }
            Ok(First::Verdict(verdict))
        })
        .await
    }

    async fn answer_now(
        &self,
        request: Arc<CallRequest>,
        question: &str,
        answer: Answer,
        relay: Arc<dyn Relay>,
    ) -> Progress {
        let taken = match self.take_up(&request, question).await {
            Ok(taken) => taken,
            Err(_) => return Progress::Done(Reply::internal(&request, String::new())),
        };
        let question = match taken {
            TakenUp::Open(question) => question,
            TakenUp::Over(question) => {
                self.forget(&question.question.id);
                return Progress::Done(self.reply_of_question(&request, *question).await);
            }
            TakenUp::Strange => return self.refuse_state(&request).await,
        };
        let mut attempt = match self.attempt(&request, Some(&question)) {
            Ok(attempt) => attempt,
            Err(reply) => return Progress::Done(*reply),
        };
        if attempt.unread.is_some() || attempt.digest != question.question.digest {
            return self.refuse_state(&request).await;
        }
        let refusal = match answer {
            Answer::Yes => None,
            Answer::Unusable if attempt.repeats == 0 => None,
            Answer::No => Some(Refusal::declined()),
            Answer::Cancelled | Answer::Unusable => Some(Refusal::cancelled()),
            Answer::TimedOut => Some(Refusal::timed_out()),
            Answer::Gone => Some(Refusal::gone()),
        };
        let state = match answer {
            Answer::TimedOut => QuestionState::Expired,
            Answer::Gone => QuestionState::Gone,
            _ => QuestionState::Answered,
        };
        let shown: Option<Shown> = serde_json::from_str(&question.question.shown).ok();
        let yes_to = shown.filter(|_| answer == Answer::Yes);
        attempt.answered = Some(Answered {
            id: question.question.id.clone(),
            yes_to,
            reason: match (&refusal, answer) {
                (Some(refusal), _) => refusal.reason,
                (None, Answer::Yes) => Reason::Confirmed,
                (None, _) => Reason::Cancelled,
            },
            state,
        });
        if let Some(refusal) = refusal {
            return self.refuse(&attempt, refusal).await;
        }
        attempt.repeats += u32::from(answer == Answer::Unusable);
        self.examine_again(attempt, relay).await
    }

    /// The whole check from step 1, with a context and a state of now.
    pub(super) async fn examine_again(&self, attempt: Attempt, relay: Arc<dyn Relay>) -> Progress {
        let known = attempt.current.context.known();
        match self.look(&attempt, known.clone()).await {
            Ok(verdict) => self.proceed(attempt, verdict, known, relay).await,
            Err(error) => self.fail(&attempt, &error).await,
        }
    }

    /// The check, in a transaction that changes nothing.
    pub(super) async fn look(
        &self,
        attempt: &Attempt,
        known: Option<serde_json::Value>,
    ) -> Result<Verdict, StoreError> {
        let now = self.now();
        let attempt = attempt.clone();
        self.transact(move |transaction| {
            let context = known.as_ref().map_or(Context::NotAsked, Context::Known);
            attempt.examine(transaction, now, context)
        })
        .await
    }

    /// The question that a caller answers.
    async fn take_up(
        &self,
        request: &Arc<CallRequest>,
        question: &str,
    ) -> Result<TakenUp, StoreError> {
        let (now, id) = (self.now(), question.to_owned());
        let request = Arc::clone(request);
        self.transact(move |transaction| {
            let Some(found) = transaction.question(&id)? else {
                return Ok(TakenUp::Strange);
            };
            let caller = &request.caller;
            let asked = &found.question;
            if asked.agent != caller.agent
                || asked.run != caller.run
                || asked.session != caller.session
                || asked.tool != request.tool
            {
                return Ok(TakenUp::Strange);
            }
            let is_open = found.state == QuestionState::Open && now < asked.expires;
            let found = Box::new(found);
            Ok(if is_open {
                TakenUp::Open(found)
            } else {
                TakenUp::Over(found)
            })
        })
        .await
    }

    /// Where a call stands whose question was answered before, or whose time is over.
    pub async fn replay_of(&self, request: &CallRequest, question: &str) -> Reply {
        let request = Arc::new(request.clone());
        match self.take_up(&request, question).await {
            Ok(TakenUp::Open(found)) => {
                Reply::in_progress(&request, found.question.decision.clone())
            }
            Ok(TakenUp::Over(found)) => self.reply_of_question(&request, *found).await,
            Ok(TakenUp::Strange) => match self.refuse_state(&request).await {
                Progress::Done(reply) => reply,
                Progress::Asking(_) => Reply::internal(&request, String::new()),
            },
            Err(_) => Reply::internal(&request, String::new()),
        }
    }

    /// A request that goes on from a state which is not the gateway's, or another call's.
    pub(super) async fn refuse_state(&self, request: &Arc<CallRequest>) -> Progress {
        match self.attempt(request, None) {
            Ok(attempt) => self.refuse(&attempt, Refusal::invalid_state()).await,
            Err(reply) => Progress::Done(*reply),
        }
    }
}
