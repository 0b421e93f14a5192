//! What the tool check asks about a run, answered from the store.

use std::collections::BTreeSet;

use crate::store::{Millis, RunId, Scope, StoreError, Transaction};
use crate::tool_check::Facts;

use super::unfinished::Unfinished;

/// The facts of one call's run, within a transaction.
pub(super) struct StoreFacts<'t> {
    pub(super) transaction: &'t mut dyn Transaction,
    pub(super) scope: Scope,
    /// The digest of the arguments under every key that still verifies.
    pub(super) digests: &'t [String],
    /// Calls whose outcome the store has not taken yet.
    pub(super) unfinished: &'t Unfinished,
    /// The agents whose marks the shared run carries.
    pub(super) sources: &'t [String],
    /// Calls that are the examined call itself, and so do not count against it: one where a call
    /// goes on behind a question of its server.
    pub(super) own_calls: u64,
    pub(super) now: Millis,
}

impl StoreFacts<'_> {
    fn run(&self) -> RunId {
        self.scope.run.clone()
    }
}

impl Facts for StoreFacts<'_> {
    type Error = StoreError;

    fn has_history(&self) -> bool {
        !self.scope.run.is_shared() || self.scope.session.is_some()
    }

    fn has_succeeded(&mut self, tool: &str) -> Result<bool, StoreError> {
        self.transaction.has_succeeded(&self.scope, tool)
    }

    fn count_calls(&mut self, tool: &str) -> Result<u64, StoreError> {
        let run = self.run();
        let count = self.transaction.count_calls(&run, tool)?;
        Ok(count.saturating_sub(self.own_calls))
    }

    fn marks(&mut self) -> Result<BTreeSet<String>, StoreError> {
        let run = self.run();
        let marks = self.transaction.marks(&run, self.sources, self.now)?;
        Ok(marks.into_iter().collect())
    }

    fn is_declined(&mut self, tool: &str, _: &str) -> Result<bool, StoreError> {
        let run = self.run();
        for digest in self.digests {
            if self.transaction.is_declined(&run, tool, digest, self.now)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn has_ambiguous(&mut self, tool: &str, _: &str) -> Result<bool, StoreError> {
        let run = self.run();
        if self.unfinished.has(&run, tool, self.digests) {
            return Ok(true);
        }
        for digest in self.digests {
            if self.transaction.has_ambiguous(&run, tool, digest)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
