//! The tables, and their version.

use rusqlite::{Connection, TransactionBehavior};

use super::fault::of;
use crate::store::StoreError;

/// Marks the file as a store of this program: `qlst`.
const APPLICATION: i64 = 0x716c_7374;

/// The version of the tables.
const VERSION: i64 = 1;

/// Positions count every mark, clearing and end of a run, so that what came first is known
/// whatever the clock does.
const TABLES: &str = "
CREATE TABLE counters (
  name TEXT PRIMARY KEY, value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO counters VALUES ('position', 0), ('start', 0);

CREATE TABLE agents (
  name TEXT PRIMARY KEY, last_call INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  agent TEXT NOT NULL,
  subject TEXT,
  parent TEXT REFERENCES runs(id),
  tree TEXT NOT NULL,
  is_shared INTEGER NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER,
  ended INTEGER,
  ended_position INTEGER,
  is_swept INTEGER NOT NULL DEFAULT 0,
  cleared INTEGER,
  cleared_position INTEGER NOT NULL DEFAULT 0,
  cleared_call INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_of_tree ON runs(tree);
CREATE INDEX runs_parent ON runs(parent) WHERE parent IS NOT NULL;
CREATE INDEX runs_not_ended ON runs(expires) WHERE is_shared = 0 AND ended IS NULL;
CREATE INDEX runs_ended ON runs(ended) WHERE parent IS NULL AND ended IS NOT NULL;
CREATE INDEX runs_to_sweep ON runs(id) WHERE ended IS NOT NULL AND is_swept = 0;

CREATE TABLE marks (
  run TEXT NOT NULL REFERENCES runs(id),
  tool TEXT NOT NULL,
  agent TEXT NOT NULL,
  tree TEXT NOT NULL,
  position INTEGER NOT NULL,
  cleared_position INTEGER,
  PRIMARY KEY (run, tool)
) STRICT, WITHOUT ROWID;
CREATE INDEX marks_of_tree ON marks(tree);

-- Marks of trees that are dropped, for the shared runs that still carry them.
CREATE TABLE past_marks (
  agent TEXT NOT NULL,
  tool TEXT NOT NULL,
  position INTEGER NOT NULL,
  expired INTEGER NOT NULL,
  PRIMARY KEY (agent, tool)
) STRICT, WITHOUT ROWID;

CREATE TABLE calls (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL REFERENCES runs(id),
  is_shared INTEGER NOT NULL,
  session TEXT,
  agent TEXT NOT NULL,
  tool TEXT NOT NULL,
  digest TEXT NOT NULL,
  is_write INTEGER NOT NULL,
  decision TEXT NOT NULL,
  key TEXT,
  arguments BLOB,
  at INTEGER NOT NULL,
  start INTEGER NOT NULL,
  state TEXT NOT NULL,
  finished INTEGER,
  result BLOB
) STRICT;
CREATE INDEX calls_of_tool ON calls(run, tool, state);
CREATE INDEX calls_open ON calls(run) WHERE state = 'open';
CREATE INDEX calls_ambiguous ON calls(run, tool, digest)
  WHERE is_write = 1 AND state IN ('open', 'ambiguous');
CREATE INDEX calls_by_time ON calls(at)
  WHERE is_shared = 1 AND state NOT IN ('open', 'ambiguous');
CREATE INDEX calls_sealed ON calls(at)
  WHERE is_shared = 1 AND state = 'ambiguous' AND arguments IS NOT NULL;

-- Calls of shared runs that are dropped, for the rules that count them.
CREATE TABLE past_calls (
  run TEXT NOT NULL REFERENCES runs(id),
  tool TEXT NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (run, tool)
) STRICT, WITHOUT ROWID;

CREATE TABLE declines (
  run TEXT NOT NULL,
  tool TEXT NOT NULL,
  digest TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (run, tool, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX declines_by_time ON declines(until);

CREATE TABLE questions (
  id TEXT PRIMARY KEY,
  run TEXT NOT NULL REFERENCES runs(id),
  session TEXT,
  agent TEXT NOT NULL,
  tool TEXT NOT NULL,
  digest TEXT NOT NULL,
  shown TEXT NOT NULL,
  decision TEXT NOT NULL,
  changes INTEGER NOT NULL,
  repeats INTEGER NOT NULL,
  at INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  state TEXT NOT NULL,
  call INTEGER,
  client_key TEXT,
  reason TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX questions_open ON questions(run, tool, digest) WHERE state = 'open';
CREATE INDEX questions_of_agent ON questions(agent, expires) WHERE state = 'open';
CREATE INDEX questions_to_expire ON questions(expires) WHERE state = 'open';
CREATE INDEX questions_closed ON questions(expires) WHERE state <> 'open';
CREATE INDEX questions_of_run ON questions(run);

CREATE TABLE client_keys (
  agent TEXT NOT NULL,
  run TEXT NOT NULL,
  session TEXT NOT NULL,
  tool TEXT NOT NULL,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  at INTEGER NOT NULL,
  start INTEGER NOT NULL,
  call INTEGER,
  PRIMARY KEY (agent, run, session, tool, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX client_keys_by_time ON client_keys(at);
CREATE INDEX client_keys_of_run ON client_keys(run);

CREATE TABLE keys (
  id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE chains (
  node TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE lines (
  node TEXT NOT NULL REFERENCES chains(node),
  seq INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (node, seq)
) STRICT, WITHOUT ROWID;
";

/// Sets the connection up, and makes the tables where there are none.
pub(super) fn prepare(connection: &mut Connection) -> Result<(), StoreError> {
    // Both refuse to work within a transaction; the first reads the file for the first time.
    connection
        .query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))
        .map_err(of)?;
    let set = |name: &str, value: &str| connection.pragma_update(None, name, value).map_err(of);
    set("synchronous", "FULL")?;
    set("foreign_keys", "ON")?;
    set("trusted_schema", "OFF")?;
    set("temp_store", "MEMORY")?;

    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(of)?;
    let is_empty: bool = transaction
        .query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| {
            row.get(0)
        })
        .map_err(of)?;
    if is_empty {
        transaction.execute_batch(TABLES).map_err(of)?;
        transaction
            .pragma_update(None, "application_id", APPLICATION)
            .map_err(of)?;
        transaction
            .pragma_update(None, "user_version", VERSION)
            .map_err(of)?;
    }
    require(&transaction)?;
    transaction.commit().map_err(of)
}

/// Whether the file is a store of this version.
pub(super) fn require(connection: &Connection) -> Result<(), StoreError> {
    let pragma = |name: &str| -> Result<i64, StoreError> {
        connection
            .pragma_query_value(None, name, |row| row.get(0))
            .map_err(of)
    };
    if pragma("application_id")? != APPLICATION {
        return Err(StoreError::Damaged(
            "it is a database of another program".to_owned(),
        ));
    }
    match pragma("user_version")? {
        VERSION => Ok(()),
        other => Err(StoreError::Damaged(format!(
            "its tables are of version {other}, and this program knows version {VERSION}"
        ))),
    }
}

/// The next value of a counter.
pub(super) fn next(connection: &Connection, name: &str) -> Result<i64, StoreError> {
    let sql = "UPDATE counters SET value = value + 1 WHERE name = ? RETURNING value";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    statement.query_row([name], |row| row.get(0)).map_err(of)
}

/// Notes that the store is opened; how often it was.
pub(super) fn next_start(connection: &Connection) -> Result<i64, StoreError> {
    next(connection, "start")
}
