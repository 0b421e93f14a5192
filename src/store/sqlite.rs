//! The store in one SQLite file: write-ahead log, one process, one transaction at a time.
//!
//! Beside the file stand SQLite's own two, and an empty one, `.lock`, that the process holds
//! locked. Readers of the audit chain's head need no lock, so that a log can be verified while
//! the gateway runs.

mod calls;
mod chain;
mod client_keys;
mod fault;
mod keys;
mod marks;
mod questions;
mod runs;
mod schema;
mod sweep;
mod transaction;

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::{AuditLine, ChainHead, Durability, Store, StoreError, Work};
use crate::text::reason;
use fault::of;
use transaction::Open;

/// Statements that are kept prepared; more than there are.
const STATEMENTS: usize = 96;

/// Pages of the write-ahead log at which it is written back: 16 MiB, so that few of the
/// transactions that only a process's crash must survive pay for it.
const WRITTEN_BACK_AT: u32 = 4096;

/// How long a commit waits for one who reads the file.
const PATIENCE: Duration = Duration::from_secs(5);

/// A store in a file, or in memory.
#[derive(Debug)]
pub struct Sqlite {
    connection: Mutex<Connected>,
    /// Held locked as long as the store is open.
    _lock: Option<File>,
}

#[derive(Debug)]
struct Connected {
    connection: Connection,
    /// What `synchronous` is set to.
    durability: Durability,
    /// Counts how often the store was opened: tells calls of this process from earlier ones.
    start: i64,
}

/// What a store knows of a node's audit log.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct StoredChain {
    /// The head of the chain; none before its first line.
    pub head: Option<ChainHead>,
    /// The lines that the file may not have yet, in order; they end with the head.
    pub pending: Vec<AuditLine>,
}

impl Sqlite {
    /// Opens the store in a file, which is made (mode 0600) where there is none.
    ///
    /// # Errors
    /// Another process has it, it is none, it was made by a later version, or the system refuses.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        create(path).map_err(|error| unusable(&error))?;
        let lock = lock(path)?;
        let connection = Connection::open_with_flags(path, flags()).map_err(of)?;
        Self::over(connection, Some(lock))
    }

    /// A store that ends with the process.
    ///
    /// # Errors
    /// There is no memory.
    pub fn in_memory() -> Result<Self, StoreError> {
        Self::over(Connection::open_in_memory().map_err(of)?, None)
    }

    /// Reads what a store knows of a node's audit log, also while a gateway uses it; nothing is
    /// changed. None where there is no store.
    ///
    /// # Errors
    /// It is none, it was made by a later version, or it cannot be read.
    pub fn read_chain(path: &Path, node: &str) -> Result<Option<StoredChain>, StoreError> {
        if !path.try_exists().map_err(|error| unusable(&error))? {
            return Ok(None);
        }
        let mut connection = Connection::open_with_flags(path, flags()).map_err(of)?;
        connection.busy_timeout(PATIENCE).map_err(of)?;
        connection
            .pragma_update(None, "query_only", true)
            .map_err(of)?;
        schema::require(&connection)?;
        let transaction = connection.transaction().map_err(of)?;
        Ok(Some(StoredChain {
            head: chain::head(&transaction, node)?,
            pending: chain::pending(&transaction, node)?,
        }))
    }

    fn over(mut connection: Connection, lock: Option<File>) -> Result<Self, StoreError> {
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.busy_timeout(PATIENCE).map_err(of)?;
        schema::prepare(&mut connection)?;
        connection
            .pragma_update(None, "wal_autocheckpoint", WRITTEN_BACK_AT)
            .map_err(of)?;
        let start = schema::next_start(&connection)?;
        Ok(Self {
            connection: Mutex::new(Connected {
                connection,
                durability: Durability::Durable,
                start,
            }),
            _lock: lock,
        })
    }
}

impl Store for Sqlite {
    fn transact(&self, durability: Durability, work: Work<'_>) -> Result<(), StoreError> {
        // Whoever panicked within a transaction left it rolled back.
        let mut connected = self
            .connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let Connected {
            connection,
            durability: set,
            start,
        } = &mut *connected;
        if *set != durability {
            let synchronous = match durability {
                Durability::Durable => "FULL",
                Durability::Relaxed => "NORMAL",
            };
            connection
                .pragma_update(None, "synchronous", synchronous)
                .map_err(of)?;
            *set = durability;
        }
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(of)?;
        let mut open = Open::new(&transaction, *start);
        work(&mut open)?;
        open.finish()?;
        transaction.commit().map_err(of)
    }
}

fn flags() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

/// Makes the file, since SQLite would let others read it.
fn create(path: &Path) -> io::Result<()> {
    owned().open(path).map(drop)
}

/// Locks the store's side file.
fn lock(path: &Path) -> Result<File, StoreError> {
    let path = path.canonicalize().map_err(|error| unusable(&error))?;
    let mut name = path.into_os_string();
    name.push(".lock");
    let file = owned()
        .open(PathBuf::from(name))
        .map_err(|error| unusable(&error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse),
        Err(TryLockError::Error(error)) => Err(unusable(&error)),
    }
}

fn owned() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).mode(0o600);
    options
}

fn unusable(error: &io::Error) -> StoreError {
    StoreError::Unusable(reason(error))
}
