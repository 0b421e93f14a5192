//! What comes in from an agent, and what goes back.

use std::collections::BTreeSet;

use tokio_util::sync::CancellationToken;

use crate::store::{CallState, Millis, RunId};
use crate::tool_check::Reason;

/// The two eras of the Model Context Protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Era {
    /// `initialize` and a session: 2025-03-26, 2025-06-18, 2025-11-25.
    Session,
    /// Stateless: 2026-07-28.
    Stateless,
}

/// Who makes a call, as authentication and protocol established it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The agent whose token it is.
    pub agent: String,
    /// The run: a named one, or the agent's shared run.
    pub run: RunId,
    /// The old-era session; none in the new era.
    pub session: Option<String>,
    /// The era it speaks.
    pub era: Era,
    /// The capabilities that the client declared: a JSON object's text.
    pub capabilities: String,
    /// Whether it declared form elicitation.
    pub can_be_asked: bool,
}

impl Caller {
    /// Whether each of its requests has sessions with servers of its own: in the new era, in the
    /// shared run.
    pub(super) fn is_for_one_request(&self) -> bool {
        self.era == Era::Stateless && self.run.is_shared()
    }
}

/// A `tools/call`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRequest {
    /// Who makes it.
    pub caller: Caller,
    /// The tool, as the client wrote it.
    pub tool: String,
    /// The arguments: the client's text; none where the client sent none.
    pub arguments: Option<String>,
    /// What of the client's `_meta` is passed on: a JSON object's text, without the keys that are
    /// the gateway's own (`dev.stalwart/…`, `stalwart`, `idempotency_key`, `approval_status`).
    pub meta: Option<String>,
    /// The client's idempotency key: 1 to 128 visible ASCII characters.
    pub idempotency_key: Option<String>,
    /// Answers to a question of the *server's* own, in the new era: the texts of `inputResponses`
    /// (under the server's keys) and of the server's `requestState`.
    pub upstream_answers: Option<UpstreamAnswers>,
}

/// Answers to a server's own question, in the new era.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpstreamAnswers {
    /// `inputResponses`: a JSON object's text.
    pub responses: String,
    /// `requestState`: the server's string, as JSON text.
    pub state: Option<String>,
}

/// How far a call has come.
#[derive(Clone, Debug)]
pub enum Progress {
    /// It is over.
    Done(Reply),
    /// A person has to be asked; go on with the gateway's `answer`.
    Asking(OpenQuestion),
}

/// A question that is open.
#[derive(Clone, Debug)]
pub struct OpenQuestion {
    /// Its id in the store.
    pub id: String,
    /// What the person is shown.
    pub text: String,
    /// The id of the call's decision.
    pub decision: String,
    /// Until when an answer counts.
    pub expires: Millis,
    /// The digest of the arguments that it was asked for.
    pub digest: String,
    /// Cancelled when the question is over without an answer: a newer question of the same call
    /// took its place, or its time ran out.
    pub withdrawn: CancellationToken,
}

/// The end of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// What the caller gets.
    pub body: ReplyBody,
    /// Why it was let through or refused.
    pub reason: Reason,
    /// The id of the decision.
    pub decision: String,
    /// The run.
    pub run: RunId,
}

/// What a caller gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplyBody {
    /// The server's result, as its text.
    Result(String),
    /// The server wants input before it goes on (new era); go on with the gateway's `resume`.
    InputRequired {
        /// The server's `input_required` result, as its text.
        json: String,
        /// The call's number in the store.
        call: u64,
        /// Which of the server's questions it is.
        round: String,
    },
    /// The server's JSON-RPC error object, as its text.
    Error(String),
    /// It was refused.
    Refused(Refused),
    /// It was let through, and the server's answer is missing.
    Lost(Lost),
}

/// A call that was let through, and whose answer is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// A text that a model can act on.
    pub text: String,
    /// What is recorded as its outcome.
    pub outcome: CallState,
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// A text that a model can act on; never an argument's value.
    pub text: String,
    /// The rule of the rulebook, where it refused.
    pub rule: Option<String>,
    /// The marks that the call carried.
    pub marks: BTreeSet<String>,
}
