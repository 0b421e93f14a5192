//! Why a call was let through or refused: a closed list (gateway contract, section 3).

use serde::{Deserialize, Serialize};

/// The reason of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Nothing stood in its way, and nobody had to be asked.
    Allow,
    /// A person said yes.
    Confirmed,
    /// A person other than the caller approved it.
    Approved,
    /// The recorded outcome of an earlier call was given again; nothing was forwarded.
    Replayed,
    /// It undoes an earlier call.
    Undo,
    /// The agent has no such tool.
    UnknownTool,
    /// A `requestState` that is forged, or another call's.
    InvalidState,
    /// No live run of the agent has this id.
    UnknownRun,
    /// The arguments do not fit the tool's schema.
    InvalidArguments,
    /// An argument is not the value that the host supplied.
    ArgumentOrigin,
    /// A rule on the order of calls is not kept.
    Order,
    /// The rulebook refuses it.
    Rulebook,
    /// The rulebook wants something clarified that no yes can clarify.
    Clarify,
    /// The host did not say what the context is.
    ContextUnavailable,
    /// The person said no.
    Declined,
    /// The person, or the client, called it off.
    Cancelled,
    /// The person did not answer in time.
    ConfirmationTimeout,
    /// The client went away while the question was open.
    ClientGone,
    /// A person would have to be asked, and the client cannot ask.
    ConfirmationUnavailable,
    /// What was asked about changed again and again while it was asked.
    Changed,
    /// It waits for an approval.
    Pending,
    /// The approval was denied.
    Denied,
    /// The approval was not given in time.
    Expired,
    /// The idempotency key belongs to a call with other arguments.
    IdempotencyConflict,
    /// The same call is not finished yet.
    InProgress,
    /// What became of the same call is not known.
    AmbiguousOutstanding,
    /// The server describes the tool in other words than when the catalogue was made.
    ToolChanged,
    /// The server cannot be reached.
    UpstreamUnavailable,
    /// A tool policy forbids it.
    Policy,
    /// Too much of something.
    Limit,
    /// The gateway is shutting down.
    Draining,
    /// A fault of the gateway itself.
    Internal,
}

impl Reason {
    /// Every reason, those that let a call through first.
    pub const ALL: [Self; 32] = [
        Self::Allow,
        Self::Confirmed,
        Self::Approved,
        Self::Replayed,
        Self::Undo,
        Self::UnknownTool,
        Self::InvalidState,
        Self::UnknownRun,
        Self::InvalidArguments,
        Self::ArgumentOrigin,
        Self::Order,
        Self::Rulebook,
        Self::Clarify,
        Self::ContextUnavailable,
        Self::Declined,
        Self::Cancelled,
        Self::ConfirmationTimeout,
        Self::ClientGone,
        Self::ConfirmationUnavailable,
        Self::Changed,
        Self::Pending,
        Self::Denied,
        Self::Expired,
        Self::IdempotencyConflict,
        Self::InProgress,
        Self::AmbiguousOutstanding,
        Self::ToolChanged,
        Self::UpstreamUnavailable,
        Self::Policy,
        Self::Limit,
        Self::Draining,
        Self::Internal,
    ];

    /// Whether the call was let through.
    pub fn allows(self) -> bool {
        matches!(
            self,
            Self::Allow | Self::Confirmed | Self::Approved | Self::Replayed | Self::Undo
        )
    }

    /// The word in results, audit lines and metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Confirmed => "confirmed",
            Self::Approved => "approved",
            Self::Replayed => "replayed",
            Self::Undo => "undo",
            Self::UnknownTool => "unknown_tool",
            Self::InvalidState => "invalid_state",
            Self::UnknownRun => "unknown_run",
            Self::InvalidArguments => "invalid_arguments",
            Self::ArgumentOrigin => "argument_origin",
            Self::Order => "order",
            Self::Rulebook => "rulebook",
            Self::Clarify => "clarify",
            Self::ContextUnavailable => "context_unavailable",
            Self::Declined => "declined",
            Self::Cancelled => "cancelled",
            Self::ConfirmationTimeout => "confirmation_timeout",
            Self::ClientGone => "client_gone",
            Self::ConfirmationUnavailable => "confirmation_unavailable",
            Self::Changed => "changed",
            Self::Pending => "pending",
            Self::Denied => "denied",
            Self::Expired => "expired",
            Self::IdempotencyConflict => "idempotency_conflict",
            Self::InProgress => "in_progress",
            Self::AmbiguousOutstanding => "ambiguous_outstanding",
            Self::ToolChanged => "tool_changed",
            Self::UpstreamUnavailable => "upstream_unavailable",
            Self::Policy => "policy",
            Self::Limit => "limit",
            Self::Draining => "draining",
            Self::Internal => "internal",
        }
    }
}
