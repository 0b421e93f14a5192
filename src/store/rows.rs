//! What the tables of a store hold.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::tool_check::Reason;

/// A time: milliseconds since 1970-01-01 UTC.
pub type Millis = i64;

/// An agent's name.
pub type AgentName = String;

/// What names a run in the store: 32 hexadecimal digits of a named run, or `shared:` and the
/// agent's name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(String);

impl RunId {
    /// The id of a named run.
    pub fn named(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// The shared run of an agent.
    pub fn shared(agent: &str) -> Self {
        Self(format!("shared:{agent}"))
    }

    /// Whether it is an agent's shared run.
    pub fn is_shared(&self) -> bool {
        self.0.starts_with("shared:")
    }

    /// The agent whose shared run it is.
    pub fn agent_of_shared(&self) -> Option<&str> {
        self.0.strip_prefix("shared:")
    }

    /// As results, audit lines and routes write it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A run (contract section 2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its id.
    pub id: RunId,
    /// Its agent.
    pub agent: AgentName,
    /// On whose behalf it runs, as the host says.
    pub subject: Option<String>,
    /// The run that handed off to it.
    pub parent: Option<RunId>,
    /// Named or shared.
    pub kind: RunKind,
    /// When it was made.
    pub created: Millis,
    /// When a named run ends by itself.
    pub expires: Option<Millis>,
    /// When it was ended.
    pub ended: Option<Millis>,
}

impl Run {
    /// Whether it takes calls now.
    pub fn is_live(&self, now: Millis) -> bool {
        self.ended.is_none() && self.expires.is_none_or(|expires| now < expires)
    }
}

/// The kinds of run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunKind {
    /// Minted by the host.
    Named,
    /// The one run of an agent's calls that name none.
    Shared,
}

/// Where `after` looks for an earlier call, and where questions and client keys are counted: a
/// named run; or, of a shared run, one old-era session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The run.
    pub run: RunId,
    /// The old-era session; looked at in a shared run alone, where none finds nothing.
    pub session: Option<String>,
}

/// What is recorded of a call before it is forwarded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCall {
    /// Its run.
    pub run: RunId,
    /// The old-era session it came by.
    pub session: Option<String>,
    /// Its agent.
    pub agent: AgentName,
    /// Its tool.
    pub tool: String,
    /// The keyed digest of its arguments.
    pub digest: String,
    /// Whether the tool is transactional.
    pub is_write: bool,
    /// The id of its decision.
    pub decision: String,
    /// The gateway's own idempotency key, of a write.
    pub key: Option<String>,
    /// Its arguments as forwarded, sealed, where undo or replay need them.
    pub arguments: Option<Vec<u8>>,
    /// When.
    pub at: Millis,
}

/// A recorded call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its number, from 1 in the store.
    pub seq: u64,
    /// What was recorded before it was forwarded.
    pub call: NewCall,
    /// What became of it.
    pub state: CallState,
    /// What a replay answers, sealed.
    pub result: Option<Vec<u8>>,
}

/// What became of a call (contract section 3, *Outcomes*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallState {
    /// Not known yet.
    Open,
    /// A result without `isError`.
    Ok,
    /// `isError`, or a JSON-RPC error.
    Error,
    /// Nobody knows whether the write happened.
    Ambiguous,
    /// It never reached the server.
    NotForwarded,
}

impl CallState {
    /// What a call is whose end nobody knows: of a write it may have been done.
    pub fn unknown(is_write: bool) -> Self {
        if is_write {
            Self::Ambiguous
        } else {
            Self::Error
        }
    }

    /// The word in results and audit lines.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Ambiguous => "ambiguous",
            Self::NotForwarded => "not_forwarded",
        }
    }
}

/// A no that holds for a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decline {
    /// The run.
    pub run: RunId,
    /// The tool.
    pub tool: String,
    /// The digest of the arguments.
    pub digest: String,
    /// Until when.
    pub until: Millis,
}

/// A question to a person, as it is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewQuestion {
    /// Its id: 32 hexadecimal digits.
    pub id: String,
    /// The run.
    pub run: RunId,
    /// The old-era session it is asked in.
    pub session: Option<String>,
    /// The agent.
    pub agent: AgentName,
    /// The tool.
    pub tool: String,
    /// The digest of the arguments.
    pub digest: String,
    /// What the person sees, as JSON of the tool check's `Shown`.
    pub shown: String,
    /// The id of the decision that it belongs to.
    pub decision: String,
    /// The client's idempotency key, which the call holds.
    pub client_key: Option<String>,
    /// How often this call was asked about before because something changed.
    pub changes: u32,
    /// How often it was asked before because no usable answer came.
    pub repeats: u32,
    /// When it was opened.
    pub at: Millis,
    /// Until when an answer counts.
    pub expires: Millis,
}

impl NewQuestion {
    /// The client's idempotency key, and where it is unique.
    pub fn client_key(&self) -> Option<ClientKey> {
        Some(ClientKey {
            agent: self.agent.clone(),
            scope: Scope {
                run: self.run.clone(),
                session: self.session.clone(),
            },
            tool: self.tool.clone(),
            key: self.client_key.clone()?,
        })
    }
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// As it was opened.
    pub question: NewQuestion,
    /// What became of it.
    pub state: QuestionState,
    /// Why its call was refused; none where it was not, or where it was asked about anew.
    pub reason: Option<Reason>,
    /// The call that it led to.
    pub call: Option<u64>,
}

/// What became of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionState {
    /// Nobody has answered.
    Open,
    /// It was answered, whatever the answer was.
    Answered,
    /// A newer question of the same call took its place.
    Withdrawn,
    /// Nobody answered in time.
    Expired,
    /// The client went away or called it off.
    Gone,
}

/// A client's idempotency key, and where it is unique.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientKey {
    /// The agent.
    pub agent: AgentName,
    /// The run and, in a shared run, the old-era session.
    pub scope: Scope,
    /// The tool.
    pub tool: String,
    /// The key.
    pub key: String,
}

/// What a client's key that was given before stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientKeyState {
    /// The digest it was given with.
    pub digest: String,
    /// The call that it is bound to; none while the call is still checked or asked about.
    pub call: Option<u64>,
}

/// The last line of an audit chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainHead {
    /// Its number, from 1.
    pub seq: u64,
    /// What the next line's `prev` is.
    pub hash: String,
}

/// A line of the audit log that is kept until the file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditLine {
    /// Its number.
    pub seq: u64,
    /// Its text, without the line end.
    pub text: String,
}
