//! An open transaction.

use std::collections::BTreeSet;

use rusqlite::Connection;

use super::{calls, chain, client_keys, keys, marks, questions, runs, sweep};
use crate::store::{
    AgentName, AuditLine, Call, CallState, ChainHead, ClientKey, ClientKeyState, Decline, Millis,
    NewCall, NewQuestion, Question, QuestionState, Run, RunId, Scope, StoreError, Transaction,
};
use crate::tool_check::Reason;

/// A transaction that is open on a connection.
pub(super) struct Open<'c> {
    connection: &'c Connection,
    /// Which opening of the store this is.
    start: i64,
}

impl<'c> Open<'c> {
    pub(super) fn new(connection: &'c Connection, start: i64) -> Self {
        Self { connection, start }
    }

    /// Whether the transaction can be committed. SQLite ends one by itself where the disk is full
    /// or fails; what was done behind that would stand alone.
    pub(super) fn finish(self) -> Result<(), StoreError> {
        if self.connection.is_autocommit() {
            return Err(StoreError::Unusable(
                "the transaction was ended by a fault".to_owned(),
            ));
        }
        Ok(())
    }
}

impl Transaction for Open<'_> {
    fn create_run(&mut self, run: &Run) -> Result<(), StoreError> {
        runs::create(self.connection, run)
    }

    fn run(&mut self, id: &RunId) -> Result<Option<Run>, StoreError> {
        runs::find(self.connection, id)
    }

    fn end_run(&mut self, id: &RunId, at: Millis) -> Result<(), StoreError> {
        runs::end(self.connection, id, at)
    }

    fn clear_shared_run(&mut self, agent: &AgentName, at: Millis) -> Result<(), StoreError> {
        runs::clear_shared(self.connection, agent, at)
    }

    fn touch_agent(&mut self, agent: &AgentName, at: Millis) -> Result<(), StoreError> {
        runs::touch(self.connection, agent, at)
    }

    fn last_call(&mut self, agent: &AgentName) -> Result<Option<Millis>, StoreError> {
        runs::last_call(self.connection, agent)
    }

    fn live_runs(&mut self, now: Millis) -> Result<u64, StoreError> {
        runs::count_live(self.connection, now)
    }

    fn add_mark(
        &mut self,
        run: &RunId,
        agent: &AgentName,
        tool: &str,
        _at: Millis,
    ) -> Result<(), StoreError> {
        marks::add(self.connection, run, agent, tool)
    }

    fn marks(
        &mut self,
        run: &RunId,
        sources: &[AgentName],
        now: Millis,
    ) -> Result<Vec<String>, StoreError> {
        marks::find(self.connection, run, sources, now)
    }

    fn insert_call(&mut self, call: &NewCall) -> Result<u64, StoreError> {
        calls::insert(self.connection, call, self.start)
    }

    fn finish_call(
        &mut self,
        seq: u64,
        state: CallState,
        result: Option<&[u8]>,
        at: Millis,
    ) -> Result<(), StoreError> {
        calls::finish(self.connection, seq, state, result, at)
    }

    fn call(&mut self, seq: u64) -> Result<Option<Call>, StoreError> {
        calls::find(self.connection, seq)
    }

    fn count_calls(&mut self, run: &RunId, tool: &str) -> Result<u64, StoreError> {
        calls::count(self.connection, run, tool)
    }

    fn has_succeeded(&mut self, scope: &Scope, tool: &str) -> Result<bool, StoreError> {
        calls::has_succeeded(self.connection, scope, tool)
    }

    fn has_ambiguous(&mut self, run: &RunId, tool: &str, digest: &str) -> Result<bool, StoreError> {
        calls::has_ambiguous(self.connection, run, tool, digest, self.start)
    }

    fn close_open_calls(&mut self, at: Millis) -> Result<Vec<Call>, StoreError> {
        calls::close_open(self.connection, at, self.start)
    }

    fn has_open_question(
        &mut self,
        run: &RunId,
        tool: &str,
        digest: &str,
    ) -> Result<bool, StoreError> {
        questions::has_open(self.connection, run, tool, digest)
    }

    fn insert_decline(&mut self, decline: &Decline) -> Result<(), StoreError> {
        questions::decline(self.connection, decline)
    }

    fn is_declined(
        &mut self,
        run: &RunId,
        tool: &str,
        digest: &str,
        now: Millis,
    ) -> Result<bool, StoreError> {
        questions::is_declined(self.connection, run, tool, digest, now)
    }

    fn insert_question(&mut self, question: &NewQuestion) -> Result<Option<String>, StoreError> {
        questions::insert(self.connection, question)
    }

    fn question(&mut self, id: &str) -> Result<Option<Question>, StoreError> {
        questions::find(self.connection, id)
    }

    fn close_question(
        &mut self,
        id: &str,
        state: QuestionState,
        reason: Option<Reason>,
        call: Option<u64>,
    ) -> Result<bool, StoreError> {
        questions::close(self.connection, id, state, reason, call)
    }

    fn open_questions(
        &mut self,
        scope: &Scope,
        agent: &AgentName,
        now: Millis,
    ) -> Result<(u64, u64), StoreError> {
        questions::count_open(self.connection, scope, agent, now)
    }

    fn expire_questions(&mut self, now: Millis) -> Result<Vec<Question>, StoreError> {
        questions::expire(self.connection, now)
    }

    fn reserve_client_key(
        &mut self,
        key: &ClientKey,
        digest: &str,
        at: Millis,
    ) -> Result<Option<ClientKeyState>, StoreError> {
        client_keys::reserve(self.connection, key, digest, at, self.start)
    }

    fn bind_client_key(&mut self, key: &ClientKey, call: u64) -> Result<(), StoreError> {
        client_keys::bind(self.connection, key, call)
    }

    fn free_client_key(&mut self, key: &ClientKey) -> Result<(), StoreError> {
        client_keys::free(self.connection, key)
    }

    fn is_key(&mut self, id: &str, fingerprint: &str) -> Result<bool, StoreError> {
        keys::is_key(self.connection, id, fingerprint)
    }

    fn needed_keys(&mut self, now: Millis) -> Result<BTreeSet<String>, StoreError> {
        keys::needed(self.connection, now)
    }

    fn chain_head(&mut self, node: &str) -> Result<Option<ChainHead>, StoreError> {
        chain::head(self.connection, node)
    }

    fn push_line(
        &mut self,
        node: &str,
        line: &AuditLine,
        head: &ChainHead,
    ) -> Result<(), StoreError> {
        chain::push(self.connection, node, line, head)
    }

    fn pending_lines(&mut self, node: &str) -> Result<Vec<AuditLine>, StoreError> {
        chain::pending(self.connection, node)
    }

    fn drop_lines(&mut self, node: &str, through: u64) -> Result<(), StoreError> {
        chain::drop_through(self.connection, node, through)
    }

    fn sweep(&mut self, now: Millis, shared_before: Millis) -> Result<(), StoreError> {
        sweep::sweep(self.connection, now, shared_before)
    }
}
