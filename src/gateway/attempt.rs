//! One call on its way through the check: what stays the same from its first request to its
//! decision, over all questions.

use std::sync::Arc;

use crate::audit::{Entry, Kind};
use crate::catalogue::{OperationType, Tool};
use crate::keys::Purpose;
use crate::store::{ClientKey, Millis, QuestionState, Scope, StoreError, Transaction};
use crate::tool_check::{Arguments, Context, Examined, Reason, Refusal, Shown, Verdict, check};

use super::Current;
use super::entries::About;
use super::facts::StoreFacts;
use super::request::CallRequest;
use super::unfinished::Unfinished;

/// A call that is being decided.
#[derive(Clone)]
pub(super) struct Attempt {
    pub(super) request: Arc<CallRequest>,
    /// The policy, keys and settings that it is judged by, from one moment.
    pub(super) current: Arc<Current>,
    /// The id of the decision.
    pub(super) decision: String,
    pub(super) arguments: Arc<Arguments>,
    /// Why the arguments cannot be read; they are then none.
    pub(super) unread: Option<String>,
    /// The keyed digest of the arguments.
    pub(super) digest: String,
    /// The same under every key that still verifies: what a no or a lost write is known by.
    pub(super) digests: Vec<String>,
    /// The question that was answered last.
    pub(super) answered: Option<Answered>,
    /// A call that has been let through already, and goes on behind its server's question.
    pub(super) continued: Option<u64>,
    /// How often it was asked about before because something changed.
    pub(super) changes: u32,
    /// How often it was asked about before because no usable answer came.
    pub(super) repeats: u32,
    /// How often catalogue or settings were read anew while the call was checked.
    pub(super) reloads: u32,
    /// The client's idempotency key, where it is reserved for this call.
    pub(super) client_key: Option<ClientKey>,
    /// Calls whose outcome the store has not taken yet.
    pub(super) unfinished: Arc<Unfinished>,
}

/// A question that this attempt goes on from, and closes.
#[derive(Clone)]
pub(super) struct Answered {
    pub(super) id: String,
    /// What a yes was given to; none where the answer was another.
    pub(super) yes_to: Option<Shown>,
    /// What came of asking, in the words of the reasons.
    pub(super) reason: Reason,
    /// What the question becomes when the attempt ends.
    pub(super) state: QuestionState,
}

impl Attempt {
    /// Where history, questions and client keys are looked up.
    pub(super) fn scope(&self) -> Scope {
        let caller = &self.request.caller;
        Scope {
            run: caller.run.clone(),
            session: caller.session.clone(),
        }
    }

    /// The client's idempotency key of the request, and where it is unique.
    pub(super) fn given_key(&self) -> Option<ClientKey> {
        let caller = &self.request.caller;
        let key = self.request.idempotency_key.clone()?;
        Some(ClientKey {
            agent: caller.agent.clone(),
            scope: self.scope(),
            tool: self.request.tool.clone(),
            key,
        })
    }

    /// The tool, where the agent may call it.
    pub(super) fn tool(&self) -> Option<&Tool> {
        let agent = &self.request.caller.agent;
        self.current.policy.tool(agent, &self.request.tool)
    }

    /// Whether the call may write.
    pub(super) fn is_write(&self) -> bool {
        let tool = self.tool();
        tool.is_none_or(|tool| tool.operation_type == OperationType::Transactional)
    }

    /// Whether the call reads the world outside.
    pub(super) fn is_outside(&self) -> bool {
        self.tool().is_some_and(|tool| tool.outside)
    }

    /// Whether the person said yes to exactly this.
    pub(super) fn is_confirmed(&self, shown: &Shown) -> bool {
        let answered = self.answered.as_ref();
        answered.and_then(|answered| answered.yes_to.as_ref()) == Some(shown)
    }

    /// The whole check, within a transaction (contract section 3).
    pub(super) fn examine(
        &self,
        transaction: &mut dyn Transaction,
        now: Millis,
        context: Context<'_>,
    ) -> Result<Verdict, StoreError> {
        let caller = &self.request.caller;
        let run = transaction.run(&caller.run)?;
        if !run.is_some_and(|run| run.agent == caller.agent && run.is_live(now)) {
            let text = "the run is not known, or has ended";
            return Ok(Verdict::Block(Refusal::new(Reason::UnknownRun, text)));
        }
        let policy = &self.current.policy;
        let mut facts = StoreFacts {
            transaction,
            scope: self.scope(),
            sources: policy.mark_sources(&caller.agent),
            digests: &self.digests,
            unfinished: &self.unfinished,
            own_calls: u64::from(self.continued.is_some()),
            now,
        };
        let examined = Examined {
            agent: &caller.agent,
            tool: &self.request.tool,
            arguments: &self.arguments,
            digest: &self.digest,
            can_be_asked: caller.can_be_asked,
        };
        check(policy, &examined, &mut facts, context)
    }

    /// An entry of the audit log about this call.
    pub(super) fn entry(&self, kind: Kind) -> Entry {
        let caller = &self.request.caller;
        let about = About {
            agent: &caller.agent,
            run: &caller.run,
            session: caller.session.as_deref(),
            tool: &self.request.tool,
            digest: &self.digest,
            decision: &self.decision,
        };
        self.current.entry(kind, &about)
    }

    /// The entry that says what came of asking.
    pub(super) fn answer_entry(&self) -> Entry {
        Entry {
            reason: self.answered.as_ref().map(|answered| answered.reason),
            ..self.entry(Kind::Answer)
        }
    }
}

/// The digests of arguments: the one under the first key, or `stored` where it was made of the
/// same arguments by any key; and those under every key.
pub(super) fn digests_of(
    arguments: &Arguments,
    current: &Current,
    stored: Option<&str>,
) -> (String, Vec<String>) {
    let canonical = arguments.canonical();
    let all = current
        .keys
        .hmac_by_each(Purpose::Args, canonical.as_bytes());
    let first = all.first().cloned().unwrap_or_default();
    let digest = stored
        .filter(|stored| all.iter().any(|digest| digest == stored))
        .map_or(first, str::to_owned);
    (digest, all)
}
