//! The last lines, in memory.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::LogError;
use crate::store::{AuditLine, Durability, Store, StoreError};

/// How many lines wait in the store before they are dropped together.
const BATCH: u64 = 256;

/// A log in memory.
pub(super) struct MemoryLog {
    store: Arc<dyn Store>,
    node: String,
    bound: usize,
    kept: Mutex<Kept>,
}

struct Kept {
    /// Sorted by number.
    lines: VecDeque<AuditLine>,
    last: u64,
    dropped: u64,
}

impl MemoryLog {
    pub(super) fn open(store: Arc<dyn Store>, node: &str, bound: usize) -> Result<Self, LogError> {
        let mut head = None;
        let mut pending = Vec::new();
        store.transact(Durability::Relaxed, &mut |transaction| {
            head = transaction.chain_head(node)?;
            pending = transaction.pending_lines(node)?;
            Ok(())
        })?;
        let log = Self {
            store,
            node: node.to_owned(),
            bound,
            kept: Mutex::new(Kept {
                lines: VecDeque::new(),
                last: head.map_or(0, |head| head.seq),
                dropped: 0,
            }),
        };
        log.write(&pending)?;
        log.settle()?;
        Ok(log)
    }

    pub(super) fn write(&self, lines: &[AuditLine]) -> Result<(), LogError> {
        let due = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            for line in lines {
                let place = kept.lines.partition_point(|other| other.seq < line.seq);
                kept.lines.insert(place, line.clone());
                kept.last = kept.last.max(line.seq);
            }
            while kept.lines.len() > self.bound {
                kept.lines.pop_front();
            }
            kept.last >= kept.dropped + BATCH
        };
        if due { self.settle() } else { Ok(()) }
    }

    pub(super) fn settle(&self) -> Result<(), LogError> {
        let through = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.dropped = kept.last;
            kept.last
        };
        let dropped: Result<(), StoreError> = self
            .store
            .transact(Durability::Relaxed, &mut |transaction| {
                transaction.drop_lines(&self.node, through)
            });
        Ok(dropped?)
    }

    pub(super) fn tail(&self) -> Vec<AuditLine> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.lines.iter().cloned().collect()
    }
}
