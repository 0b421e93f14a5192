//! What a line says, before it has its number, time and place in the chain.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::store::CallState;
use crate::tool_check::Reason;

/// The kinds of line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// What was decided of a call: exactly one for each.
    Decision,
    /// A person is asked.
    Question,
    /// What came of asking.
    Answer,
    /// A write is about to be forwarded.
    Intent,
    /// What became of a forwarded call.
    Outcome,
    /// A call was undone.
    Undo,
    /// A person other than the caller approved or denied.
    Approval,
    /// An operator did something.
    Admin,
    /// The log was mended at start.
    Repair,
    /// Catalogue or configuration were read anew.
    Reload,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::Decision,
        Self::Question,
        Self::Answer,
        Self::Intent,
        Self::Outcome,
        Self::Undo,
        Self::Approval,
        Self::Admin,
        Self::Repair,
        Self::Reload,
    ];

    /// As lines write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Question => "question",
            Self::Answer => "answer",
            Self::Intent => "intent",
            Self::Outcome => "outcome",
            Self::Undo => "undo",
            Self::Approval => "approval",
            Self::Admin => "admin",
            Self::Repair => "repair",
            Self::Reload => "reload",
        }
    }
}

/// A line to be written. Never an argument's value, a result or a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its kind.
    pub kind: Kind,
    /// The agent.
    pub agent: Option<String>,
    /// The run.
    pub run: Option<String>,
    /// The session.
    pub session: Option<String>,
    /// The server.
    pub server: Option<String>,
    /// The tool.
    pub tool: Option<String>,
    /// Why; on decision lines also says whether it is allowed.
    pub reason: Option<Reason>,
    /// The rule of the rulebook that decided.
    pub rule: Option<String>,
    /// The keyed digest of the arguments, with its key's id.
    pub args_sha256: Option<String>,
    /// The marks the call carried.
    pub marks: BTreeSet<String>,
    /// The hash of the catalogue.
    pub policy: Option<String>,
    /// The decision's id: what all lines of one call share.
    pub request: Option<String>,
    /// The approval that was used.
    pub approval: Option<String>,
    /// What became of the call; on outcome lines alone.
    pub outcome: Option<CallState>,
}

impl Entry {
    /// An entry of a kind that says nothing else yet.
    pub fn of(kind: Kind) -> Self {
        Self {
            kind,
            agent: None,
            run: None,
            session: None,
            server: None,
            tool: None,
            reason: None,
            rule: None,
            args_sha256: None,
            marks: BTreeSet::new(),
            policy: None,
            request: None,
            approval: None,
            outcome: None,
        }
    }
}
