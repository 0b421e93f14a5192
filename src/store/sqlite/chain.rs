//! The audit chain's head, and the lines that wait for the file.

use rusqlite::{Connection, OptionalExtension, params};

use super::fault::of;
use crate::store::{AuditLine, ChainHead, StoreError};

/// The head of a node's chain.
pub(super) fn head(connection: &Connection, node: &str) -> Result<Option<ChainHead>, StoreError> {
    let sql = "SELECT seq, hash FROM chains WHERE node = ?";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    statement
        .query_row([node], |row| {
            Ok(ChainHead {
                seq: row.get(0)?,
                hash: row.get(1)?,
            })
        })
        .optional()
        .map_err(of)
}

/// Keeps a line, and moves the head.
pub(super) fn push(
    connection: &Connection,
    node: &str,
    line: &AuditLine,
    head: &ChainHead,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO chains (node, seq, hash) VALUES (?, ?, ?)
               ON CONFLICT (node) DO UPDATE SET seq = excluded.seq, hash = excluded.hash";
    connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.execute(params![node, head.seq, head.hash]))
        .map_err(of)?;
    connection
        .prepare_cached("INSERT INTO lines (node, seq, text) VALUES (?, ?, ?)")
        .and_then(|mut statement| statement.execute(params![node, line.seq, line.text]))
        .map_err(of)?;
    Ok(())
}

/// The lines that wait, in order.
pub(super) fn pending(connection: &Connection, node: &str) -> Result<Vec<AuditLine>, StoreError> {
    let sql = "SELECT seq, text FROM lines WHERE node = ? ORDER BY seq";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    let lines = statement
        .query_map([node], |row| {
            Ok(AuditLine {
                seq: row.get(0)?,
                text: row.get(1)?,
            })
        })
        .map_err(of)?;
    lines.collect::<Result<_, _>>().map_err(of)
}

/// Drops lines that the file has.
pub(super) fn drop_through(
    connection: &Connection,
    node: &str,
    through: u64,
) -> Result<(), StoreError> {
    let through = i64::try_from(through).unwrap_or(i64::MAX);
    connection
        .prepare_cached("DELETE FROM lines WHERE node = ? AND seq <= ?")
        .and_then(|mut statement| statement.execute(params![node, through]))
        .map_err(of)?;
    Ok(())
}
