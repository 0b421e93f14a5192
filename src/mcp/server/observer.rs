//! What the endpoint tells of its work, for metrics. Never an argument or a token.

use crate::store::Millis;
use crate::tool_check::Reason;

/// Why a request was answered before it was a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// No bearer token, or one that is not known.
    Unauthenticated,
    /// A foreign `Host` or `Origin`.
    Origin,
    /// Too large, too slow, or no message.
    Unreadable,
    /// Headers or params are not as the protocol wants them.
    Protocol,
    /// The agent's rate is used up.
    Rate,
    /// The session is over, was never there, or is another token's.
    UnknownSession,
}

impl Fault {
    /// The word in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unauthenticated => "unauthenticated",
            Self::Origin => "origin",
            Self::Unreadable => "unreadable",
            Self::Protocol => "protocol",
            Self::Rate => "rate",
            Self::UnknownSession => "unknown_session",
        }
    }
}

/// What a caller got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// A result without `isError`.
    Ok,
    /// A result with `isError`, or the server's JSON-RPC error.
    Error,
    /// A question of the server's.
    InputRequired,
    /// A refusal.
    Refused,
}

impl Outcome {
    /// The word in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::InputRequired => "input_required",
            Self::Refused => "refused",
        }
    }
}

/// Is told what the endpoint does.
pub trait Observer: Send + Sync {
    /// A request was answered before it was a call.
    fn faulted(&self, fault: Fault);
    /// A call is over. The tool is one that the agent may reach, or none.
    fn decided(
        &self,
        agent: &str,
        tool: Option<&str>,
        reason: Reason,
        outcome: Outcome,
        took: Millis,
    );
    /// A person is asked.
    fn asked(&self);
    /// The question is asked on a stream, where it is open until [`Observer::answered`].
    fn opened(&self);
    /// A question that was asked on a stream is no longer open.
    fn answered(&self, took: Millis);
    /// So many sessions are open.
    fn sessions(&self, open: usize);
}
