//! What a gateway must not forget: runs, marks, calls and their outcomes, questions, declines,
//! idempotency keys, and the head of the audit chain (gateway contract, sections 2 to 5).
//!
//! [`Store`] is the seam: SQLite is here, others may follow. A store is synchronous; whoever
//! calls it from a task does so on a thread that may block.

mod rows;
mod sqlite;

use std::collections::BTreeSet;

use thiserror::Error;

use crate::tool_check::Reason;

use crate::diagnostics::{Code, Diagnostic, codes};

pub use rows::{
    AgentName, AuditLine, Call, CallState, ChainHead, ClientKey, ClientKeyState, Decline, Millis,
    NewCall, NewQuestion, Question, QuestionState, Run, RunId, RunKind, Scope,
};
pub use sqlite::{Sqlite, StoredChain};

/// How sure a commit is before [`Store::transact`] returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// It survives a crash of the machine: the disk was told to write.
    Durable,
    /// It survives a crash of the process.
    Relaxed,
}

/// Why a store did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process has it.
    #[error("another process uses the store")]
    InUse,
    /// It cannot be read or written. What the system says.
    #[error("the store cannot be used: {0}")]
    Unusable(String),
    /// What it holds is not as this version writes it.
    #[error("the store is damaged: {0}")]
    Damaged(String),
}

impl StoreError {
    /// What ends a start that it stands in the way of.
    pub fn diagnostic(&self) -> Diagnostic {
        let (code, help): (&'static Code, &str) = match self {
            Self::InUse => (
                &codes::audit::STORE_IN_USE,
                "stop the other process, or give this one a `store` of its own",
            ),
            Self::Damaged(_) => (
                &codes::audit::STORE_DAMAGED,
                "put a whole copy back, or name another file with `store`",
            ),
            Self::Unusable(_) => (
                &codes::audit::STORE_UNUSABLE,
                "look at the file's folder, its permissions and the free space",
            ),
        };
        Diagnostic::without_place(code, self.to_string()).with_help(help)
    }
}

/// The work of one transaction.
pub type Work<'w> = &'w mut dyn FnMut(&mut dyn Transaction) -> Result<(), StoreError>;

/// A place that keeps the state of runs.
pub trait Store: Send + Sync {
    /// Does `work` as one transaction: all of it or, where it returns an error, nothing. No two
    /// run at once. `work` is called once.
    ///
    /// # Errors
    /// That of `work`, or the store's own; nothing has then happened.
    fn transact(&self, durability: Durability, work: Work<'_>) -> Result<(), StoreError>;
}

/// What may be done within a transaction. Times are passed in; the store has no clock.
pub trait Transaction {
    /// Makes a named run.
    ///
    /// # Errors
    /// As all of these: the store cannot be used, or is damaged.
    fn create_run(&mut self, run: &Run) -> Result<(), StoreError>;
    /// A run by its id, live or ended; the shared run of an agent that has none yet is made.
    fn run(&mut self, id: &RunId) -> Result<Option<Run>, StoreError>;
    /// Ends a named run: it takes no more calls, and its marks count on for its tree.
    fn end_run(&mut self, id: &RunId, at: Millis) -> Result<(), StoreError>;
    /// Clears an agent's shared run: its own marks, counts, history, and the marks that it
    /// carries of runs that have ended.
    fn clear_shared_run(&mut self, agent: &AgentName, at: Millis) -> Result<(), StoreError>;
    /// Notes that an agent made a call now.
    fn touch_agent(&mut self, agent: &AgentName, at: Millis) -> Result<(), StoreError>;
    /// When an agent last made a call.
    fn last_call(&mut self, agent: &AgentName) -> Result<Option<Millis>, StoreError>;
    /// How many named runs are live.
    fn live_runs(&mut self, now: Millis) -> Result<u64, StoreError>;

    /// Marks a run: a tool with `outside: true` is forwarded in it.
    fn add_mark(
        &mut self,
        run: &RunId,
        agent: &AgentName,
        tool: &str,
        at: Millis,
    ) -> Result<(), StoreError>;
    /// The marks of a run, sorted: of a named run those of its whole tree; of a shared run its
    /// own, and those of every run of the agents in `sources` (all that may hand off to it,
    /// transitively) that is live, or was marked behind its last clearing.
    fn marks(
        &mut self,
        run: &RunId,
        sources: &[AgentName],
        now: Millis,
    ) -> Result<Vec<String>, StoreError>;

    /// Records a call before it is forwarded. Its number, from 1 in the store.
    fn insert_call(&mut self, call: &NewCall) -> Result<u64, StoreError>;
    /// Records what became of a call; `result` is what a replay answers, sealed.
    fn finish_call(
        &mut self,
        seq: u64,
        state: CallState,
        result: Option<&[u8]>,
        at: Millis,
    ) -> Result<(), StoreError>;
    /// A call by its number.
    fn call(&mut self, seq: u64) -> Result<Option<Call>, StoreError>;
    /// Calls of a tool that were recorded in the run (of a shared run: behind its last clearing)
    /// and not given back: those in state [`CallState::NotForwarded`] do not count.
    fn count_calls(&mut self, run: &RunId, tool: &str) -> Result<u64, StoreError>;
    /// Whether a call of a tool succeeded in this scope.
    fn has_succeeded(&mut self, scope: &Scope, tool: &str) -> Result<bool, StoreError>;
    /// Whether a write with this digest is ambiguous in the run, or open from before a crash.
    fn has_ambiguous(&mut self, run: &RunId, tool: &str, digest: &str) -> Result<bool, StoreError>;
    /// Closes calls that a crash left open: writes become ambiguous, reads an error. Returns them.
    fn close_open_calls(&mut self, at: Millis) -> Result<Vec<Call>, StoreError>;

    /// Keeps a no until a time.
    fn insert_decline(&mut self, decline: &Decline) -> Result<(), StoreError>;
    /// Whether a no holds now.
    fn is_declined(
        &mut self,
        run: &RunId,
        tool: &str,
        digest: &str,
        now: Millis,
    ) -> Result<bool, StoreError>;

    /// Opens a question, and withdraws an older open one of the same run, tool and digest, whose
    /// id is returned.
    fn insert_question(&mut self, question: &NewQuestion) -> Result<Option<String>, StoreError>;
    /// Whether a question of this run, tool and digest is open.
    fn has_open_question(
        &mut self,
        run: &RunId,
        tool: &str,
        digest: &str,
    ) -> Result<bool, StoreError>;
    /// A question by its id.
    fn question(&mut self, id: &str) -> Result<Option<Question>, StoreError>;
    /// Moves a question out of [`QuestionState::Open`], with why its call was refused where it was
    /// and the call that it led to; false, and nothing is changed, where it is
    /// not open. This is what makes it single-use.
    fn close_question(
        &mut self,
        id: &str,
        state: QuestionState,
        reason: Option<Reason>,
        call: Option<u64>,
    ) -> Result<bool, StoreError>;
    /// How many questions are open now: of the run and session, and of all of the agent.
    fn open_questions(
        &mut self,
        scope: &Scope,
        agent: &AgentName,
        now: Millis,
    ) -> Result<(u64, u64), StoreError>;
    /// Closes questions whose time is over, and returns them.
    fn expire_questions(&mut self, now: Millis) -> Result<Vec<Question>, StoreError>;

    /// Reserves a client's idempotency key; what is there already, if it was not free.
    fn reserve_client_key(
        &mut self,
        key: &ClientKey,
        digest: &str,
        at: Millis,
    ) -> Result<Option<ClientKeyState>, StoreError>;
    /// Binds a reserved key to the call that it was given for.
    fn bind_client_key(&mut self, key: &ClientKey, call: u64) -> Result<(), StoreError>;
    /// Frees a key whose call was refused.
    fn free_client_key(&mut self, key: &ClientKey) -> Result<(), StoreError>;

    /// Whether a key's id stands for this fingerprint of its secret; a new id does from now on.
    fn is_key(&mut self, id: &str, fingerprint: &str) -> Result<bool, StoreError>;
    /// The ids of keys that something which still counts was made with: noes, writes of which
    /// nobody knows, open questions, the heads of audit chains.
    fn needed_keys(&mut self, now: Millis) -> Result<BTreeSet<String>, StoreError>;

    /// The head of a node's audit chain; none before its first line.
    fn chain_head(&mut self, node: &str) -> Result<Option<ChainHead>, StoreError>;
    /// Keeps a line that is not in the file yet, and the head of the chain behind it.
    fn push_line(
        &mut self,
        node: &str,
        line: &AuditLine,
        head: &ChainHead,
    ) -> Result<(), StoreError>;
    /// The lines that were kept and not yet dropped, in order.
    fn pending_lines(&mut self, node: &str) -> Result<Vec<AuditLine>, StoreError>;
    /// Drops kept lines up to a number, once the file has them.
    fn drop_lines(&mut self, node: &str, through: u64) -> Result<(), StoreError>;

    /// Erases sealed results of runs that ended, and of shared runs where they are older than
    /// `shared_before`; and drops questions, declines and keys that can no longer count.
    fn sweep(&mut self, now: Millis, shared_before: Millis) -> Result<(), StoreError>;
}
