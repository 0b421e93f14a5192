//! Calls, and what became of them.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::fault::{of, unknown_word};
use crate::store::{Call, CallState, Millis, NewCall, RunId, Scope, StoreError};

const COLUMNS: &str =
    "seq, run, session, agent, tool, digest, is_write, decision, key, arguments, at, state, result";

/// Records a call; its number.
pub(super) fn insert(
    connection: &Connection,
    call: &NewCall,
    start: i64,
) -> Result<u64, StoreError> {
    let sql = "INSERT INTO calls
                 (run, is_shared, session, agent, tool, digest, is_write, decision, key, arguments,
                  at, start, state)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open')";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    let seq = statement
        .insert(params![
            call.run.as_str(),
            call.run.is_shared(),
            call.session,
            call.agent,
            call.tool,
            call.digest,
            call.is_write,
            call.decision,
            call.key,
            call.arguments,
            call.at,
            start,
        ])
        .map_err(of)?;
    Ok(seq.unsigned_abs())
}

/// Records what became of a call.
pub(super) fn finish(
    connection: &Connection,
    seq: u64,
    state: CallState,
    result: Option<&[u8]>,
    at: Millis,
) -> Result<(), StoreError> {
    let sql = "UPDATE calls SET state = ?, result = ?, finished = ? WHERE seq = ?";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    let changed = statement
        .execute(params![state.as_str(), result, at, seq])
        .map_err(of)?;
    match changed {
        0 => Err(StoreError::Unusable(format!("there is no call {seq}"))),
        _ => Ok(()),
    }
}

/// A call by its number.
pub(super) fn find(connection: &Connection, seq: u64) -> Result<Option<Call>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM calls WHERE seq = ?");
    let mut statement = connection.prepare_cached(&sql).map_err(of)?;
    statement.query_row([seq], read).optional().map_err(of)
}

/// Calls of a tool that count for `at_most`.
pub(super) fn count(connection: &Connection, run: &RunId, tool: &str) -> Result<u64, StoreError> {
    let sql = "SELECT
        (SELECT count(*) FROM calls WHERE run = ?1 AND tool = ?2 AND state <> 'not_forwarded'
           AND seq > coalesce((SELECT cleared_call FROM runs WHERE id = ?1), 0))
      + coalesce((SELECT calls FROM past_calls WHERE run = ?1 AND tool = ?2), 0)";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    statement
        .query_row([run.as_str(), tool], |row| row.get(0))
        .map_err(of)
}

/// Whether a call of a tool succeeded.
pub(super) fn has_succeeded(
    connection: &Connection,
    scope: &Scope,
    tool: &str,
) -> Result<bool, StoreError> {
    // The session counts in a shared run alone, and there `= NULL` finds nothing.
    let sql = "SELECT EXISTS (
                 SELECT 1 FROM calls WHERE run = ?1 AND tool = ?2 AND state = 'ok'
                   AND (NOT ?3 OR session = ?4)
                   AND seq > coalesce((SELECT cleared_call FROM runs WHERE id = ?1), 0))";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    statement
        .query_row(
            params![
                scope.run.as_str(),
                tool,
                scope.run.is_shared(),
                scope.session
            ],
            |row| row.get(0),
        )
        .map_err(of)
}

/// Whether nobody knows what became of a write with this digest. A clearing changes nothing
/// about that.
pub(super) fn has_ambiguous(
    connection: &Connection,
    run: &RunId,
    tool: &str,
    digest: &str,
    start: i64,
) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (
                 SELECT 1 FROM calls WHERE run = ? AND tool = ? AND digest = ?
                   AND is_write = 1 AND state IN ('open', 'ambiguous')
                   AND (state = 'ambiguous' OR start <> ?))";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    statement
        .query_row(params![run.as_str(), tool, digest, start], |row| row.get(0))
        .map_err(of)
}

/// Closes the calls that an earlier process left open.
pub(super) fn close_open(
    connection: &Connection,
    at: Millis,
    start: i64,
) -> Result<Vec<Call>, StoreError> {
    let sql =
        format!("SELECT {COLUMNS} FROM calls WHERE state = 'open' AND start <> ? ORDER BY seq");
    let mut statement = connection.prepare_cached(&sql).map_err(of)?;
    let open = statement.query_map([start], read).map_err(of)?;
    let mut closed = open.collect::<Result<Vec<Call>, _>>().map_err(of)?;
    for call in &mut closed {
        call.state = if call.call.is_write {
            CallState::Ambiguous
        } else {
            CallState::Error
        };
        finish(connection, call.seq, call.state, None, at)?;
    }
    Ok(closed)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Call> {
    let state: String = row.get(11)?;
    Ok(Call {
        seq: row.get(0)?,
        call: NewCall {
            run: RunId::named(row.get::<_, String>(1)?),
            session: row.get(2)?,
            agent: row.get(3)?,
            tool: row.get(4)?,
            digest: row.get(5)?,
            is_write: row.get(6)?,
            decision: row.get(7)?,
            key: row.get(8)?,
            arguments: row.get(9)?,
            at: row.get(10)?,
        },
        state: state_of(&state).ok_or_else(|| unknown_word(11, &state))?,
        result: row.get(12)?,
    })
}

fn state_of(written: &str) -> Option<CallState> {
    [
        CallState::Open,
        CallState::Ok,
        CallState::Error,
        CallState::Ambiguous,
        CallState::NotForwarded,
    ]
    .into_iter()
    .find(|state| state.as_str() == written)
}
