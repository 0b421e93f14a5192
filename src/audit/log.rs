//! The log as a running gateway writes it: into a file, or into memory where none is named.

mod fault;
mod file;
mod memory;
mod opening;

use std::path::Path;
use std::sync::Arc;

use crate::keys::KeyRing;
use crate::store::{AuditLine, Millis, Store};

pub use fault::LogError;
use file::FileLog;
use memory::MemoryLog;

/// Most lines that [`Log::tail`] gives of a file.
const TAIL: usize = 1000;

/// An audit log that is open for writing.
pub struct Log {
    keeper: Keeper,
}

enum Keeper {
    File(FileLog),
    Memory(MemoryLog),
}

impl Log {
    /// Opens a log file, which is made (mode 0600) where there is none and the chain has no line
    /// yet; the process then holds it locked. What a crash left is mended:
    ///
    /// - a last line without its end is moved to `FILE.torn-SEQ`, and a `repair` line says so;
    /// - lines that the store has and the file has not are written;
    /// - lines that the file has and the store has not, since the disk took the one and not the
    ///   other, are taken over where they continue the chain, and a `repair` line says so.
    ///
    /// # Errors
    /// The file ends before a line that it once had, or not as it was written; it is another
    /// node's or another store's, or of a key that is not in the ring; another process has it; or
    /// file or store cannot be used.
    pub fn open(
        path: &Path,
        store: Arc<dyn Store>,
        keys: Arc<KeyRing>,
        node: &str,
        at: Millis,
    ) -> Result<Self, LogError> {
        let log = opening::open(path, store, keys, node, at)?;
        Ok(Self {
            keeper: Keeper::File(log),
        })
    }

    /// A log that keeps its last `bound` lines, and ends with the process. Lines are not kept in
    /// the store either; its chain goes on.
    ///
    /// # Errors
    /// The store cannot be used.
    pub fn in_memory(store: Arc<dyn Store>, node: &str, bound: usize) -> Result<Self, LogError> {
        let log = MemoryLog::open(store, node, bound)?;
        Ok(Self {
            keeper: Keeper::Memory(log),
        })
    }

    /// Writes lines that [`append`](super::append()) made in a transaction that is committed.
    /// Threads may come in any order: the file has the lines in theirs. Returns when they stand
    /// in the file and, where `sync` says so, on the disk.
    ///
    /// # Errors
    /// They do not: nothing may be forwarded that rests on them. They stay in the store, and are
    /// written when that can be done again.
    pub fn write(&self, lines: &[AuditLine], sync: bool) -> Result<(), LogError> {
        match &self.keeper {
            Keeper::File(log) => log.write(lines, sync),
            Keeper::Memory(log) => log.write(lines),
        }
    }

    /// Brings all that is written to the disk, and drops it from the store. To be called now and
    /// then, and at the end.
    ///
    /// # Errors
    /// File or store cannot be used.
    pub fn settle(&self) -> Result<(), LogError> {
        match &self.keeper {
            Keeper::File(log) => log.settle(),
            Keeper::Memory(log) => log.settle(),
        }
    }

    /// Where the file was moved away, signs a checkpoint of its end and goes on in a new one;
    /// nothing otherwise.
    ///
    /// # Errors
    /// The old file cannot be finished, or the new one not made; the old one is then written on.
    pub fn rotate(&self, at: Millis) -> Result<(), LogError> {
        match &self.keeper {
            Keeper::File(log) => log.rotate(at),
            Keeper::Memory(_) => Ok(()),
        }
    }

    /// Signs checkpoints with other keys from now on.
    pub fn set_keys(&self, keys: Arc<KeyRing>) {
        if let Keeper::File(log) = &self.keeper {
            log.set_keys(keys);
        }
    }

    /// The last lines, oldest first: of a file at most 1,000; none where it cannot be read.
    pub fn tail(&self) -> Vec<AuditLine> {
        match &self.keeper {
            Keeper::File(log) => log.tail(TAIL),
            Keeper::Memory(log) => log.tail(),
        }
    }

    /// Whether lines go to a file.
    pub fn is_kept(&self) -> bool {
        matches!(self.keeper, Keeper::File(_))
    }
}
