//! Transactions that also write lines of the audit log: a line is numbered and chained within
//! the transaction, and reaches the file once the store has it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::OwnedMutexGuard;

use crate::audit::{self, Entry};
use crate::store::{AuditLine, Durability, Millis, StoreError, Transaction};

use super::{Current, Gateway};

/// A transaction, and the lines that were appended in it.
pub(super) struct Recording<'t> {
    pub(super) transaction: &'t mut dyn Transaction,
    current: Arc<Current>,
    lines: Vec<AuditLine>,
    /// Whether a line must be on the disk before anything else happens.
    must_be_synced: bool,
}

/// What a transaction came to.
pub(super) struct Recorded<T> {
    pub(super) value: T,
    /// Whether its lines are in the log.
    pub(super) is_logged: bool,
}

impl Recording<'_> {
    /// Appends a line.
    pub(super) fn append(&mut self, entry: Entry, at: Millis) -> Result<(), StoreError> {
        self.must_be_synced |= entry.kind == audit::Kind::Intent;
        let (keys, node) = (&self.current.keys, &self.current.settings.node);
        let line = audit::append(self.transaction, keys, node, at, entry)?;
        self.lines.push(line);
        Ok(())
    }
}

impl Gateway {
    /// Does work in a transaction, then writes the lines that it appended.
    ///
    /// # Errors
    /// Those of the store; nothing has then happened.
    pub(super) async fn record<T: Send + 'static>(
        &self,
        durability: Durability,
        work: impl FnOnce(&mut Recording<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<Recorded<T>, StoreError> {
        // The store does one transaction at a time: waiting for it must not take a thread each.
        let turn = Arc::clone(&self.shared.turn).lock_owned().await;
        let gateway = self.clone();
        let record = move || gateway.record_now(durability, work, turn);
        let has_threads = Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread;
        let recorded = if durability == Durability::Relaxed && has_threads {
            // It waits for no disk: going to another thread and back would take longer.
            tokio::task::block_in_place(record)
        } else {
            let done = tokio::task::spawn_blocking(record).await;
            done.unwrap_or_else(|error| Err(StoreError::Unusable(error.to_string())))
        };
        let is_recording = recorded.as_ref().is_ok_and(|recorded| recorded.is_logged);
        self.shared
            .is_recording
            .store(is_recording, Ordering::Relaxed);
        recorded
    }

    fn record_now<T>(
        &self,
        durability: Durability,
        work: impl FnOnce(&mut Recording<'_>) -> Result<T, StoreError>,
        turn: OwnedMutexGuard<()>,
    ) -> Result<Recorded<T>, StoreError> {
        let mut work = Some(work);
        let mut done = None;
        let transacted = self.shared.store.transact(durability, &mut |transaction| {
            let Some(work) = work.take() else {
                return Err(StoreError::Unusable("it asked twice".to_owned()));
            };
            let mut recording = Recording {
                transaction,
                current: self.current(),
                lines: Vec::new(),
                must_be_synced: false,
            };
            let value = work(&mut recording)?;
            done = Some((value, recording.lines, recording.must_be_synced));
            Ok(())
        });
        // The log has an order of its own, and may take long to reach the disk.
        drop(turn);
        transacted?;
        let Some((value, lines, must_be_synced)) = done else {
            return Err(StoreError::Unusable("it did nothing".to_owned()));
        };
        let written = if lines.is_empty() {
            Ok(())
        } else {
            self.shared.log.write(&lines, must_be_synced)
        };
        if let Err(error) = &written {
            tracing::error!(%error, "the audit log cannot be written");
        }
        Ok(Recorded {
            value,
            is_logged: written.is_ok(),
        })
    }

    /// Does work in a transaction that appends nothing.
    pub(super) async fn transact<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let work = move |recording: &mut Recording<'_>| work(recording.transaction);
        let recorded = self.record(Durability::Relaxed, work).await?;
        Ok(recorded.value)
    }
}
