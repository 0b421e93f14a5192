//! Runs, and when agents last called.

use rusqlite::{Connection, OptionalExtension, Row, named_params, params};

use super::fault::of;
use super::schema::next;
use crate::store::{Millis, Run, RunId, RunKind, StoreError};

/// Makes a named run; its tree is its parent's.
pub(super) fn create(connection: &Connection, run: &Run) -> Result<(), StoreError> {
    let tree = match &run.parent {
        None => run.id.as_str().to_owned(),
        Some(parent) if parent.is_shared() => {
            return Err(StoreError::Unusable("a shared run is no parent".to_owned()));
        }
        Some(parent) => connection
            .prepare_cached("SELECT tree FROM runs WHERE id = ?")
            .and_then(|mut statement| {
                statement
                    .query_row([parent.as_str()], |row| row.get(0))
                    .optional()
            })
            .map_err(of)?
            .ok_or_else(|| StoreError::Unusable("the parent run is not known".to_owned()))?,
    };
    let sql = "INSERT INTO runs (id, agent, subject, parent, tree, is_shared, created, expires)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    statement
        .execute(params![
            run.id.as_str(),
            run.agent,
            run.subject,
            run.parent.as_ref().map(RunId::as_str),
            tree,
            run.kind == RunKind::Shared,
            run.created,
            run.expires,
        ])
        .map_err(of)?;
    Ok(())
}

/// A run by its id; a shared run that is not there is made.
pub(super) fn find(connection: &Connection, id: &RunId) -> Result<Option<Run>, StoreError> {
    let sql = "SELECT id, agent, subject, parent, is_shared, created, expires, ended
               FROM runs WHERE id = ?";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    let found = statement
        .query_row([id.as_str()], read)
        .optional()
        .map_err(of)?;
    let (None, Some(agent)) = (&found, id.agent_of_shared()) else {
        return Ok(found);
    };
    let run = Run {
        id: id.clone(),
        agent: agent.to_owned(),
        subject: None,
        parent: None,
        kind: RunKind::Shared,
        created: last_call(connection, agent)?.unwrap_or_default(),
        expires: None,
        ended: None,
    };
    create(connection, &run)?;
    Ok(Some(run))
}

fn read(row: &Row<'_>) -> rusqlite::Result<Run> {
    Ok(Run {
        id: RunId::named(row.get::<_, String>(0)?),
        agent: row.get(1)?,
        subject: row.get(2)?,
        parent: row.get::<_, Option<String>>(3)?.map(RunId::named),
        kind: if row.get(4)? {
            RunKind::Shared
        } else {
            RunKind::Named
        },
        created: row.get(5)?,
        expires: row.get(6)?,
        ended: row.get(7)?,
    })
}

/// Ends a named run, once.
pub(super) fn end(connection: &Connection, id: &RunId, at: Millis) -> Result<(), StoreError> {
    let position = next(connection, "position")?;
    let sql = "UPDATE runs SET ended = ?, ended_position = ?
               WHERE id = ? AND is_shared = 0 AND ended IS NULL";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    statement
        .execute(params![at, position, id.as_str()])
        .map_err(of)?;
    Ok(())
}

/// Clears an agent's shared run. Its marks stay for the shared runs that carry them.
pub(super) fn clear_shared(
    connection: &Connection,
    agent: &str,
    at: Millis,
) -> Result<(), StoreError> {
    let id = RunId::shared(agent);
    find(connection, &id)?;
    let position = next(connection, "position")?;
    let values = named_params! { ":run": id.as_str(), ":at": at, ":position": position };
    let sql = "UPDATE runs SET cleared = :at, cleared_position = :position,
                 cleared_call = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'calls'), 0)
               WHERE id = :run";
    connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.execute(values))
        .map_err(of)?;
    let values = named_params! { ":run": id.as_str(), ":position": position };
    let sql = "UPDATE marks SET cleared_position = :position
               WHERE run = :run AND cleared_position IS NULL";
    connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.execute(values))
        .map_err(of)?;
    connection
        .prepare_cached("DELETE FROM past_calls WHERE run = ?")
        .and_then(|mut statement| statement.execute([id.as_str()]))
        .map_err(of)?;
    Ok(())
}

/// Notes an agent's call.
pub(super) fn touch(connection: &Connection, agent: &str, at: Millis) -> Result<(), StoreError> {
    let sql = "INSERT INTO agents (name, last_call) VALUES (?1, ?2)
               ON CONFLICT (name) DO UPDATE SET last_call = excluded.last_call";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    statement.execute(params![agent, at]).map_err(of)?;
    Ok(())
}

/// When an agent last called.
pub(super) fn last_call(
    connection: &Connection,
    agent: &str,
) -> Result<Option<Millis>, StoreError> {
    let sql = "SELECT last_call FROM agents WHERE name = ?";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    statement
        .query_row([agent], |row| row.get(0))
        .optional()
        .map_err(of)
}

/// How many named runs are live.
pub(super) fn count_live(connection: &Connection, now: Millis) -> Result<u64, StoreError> {
    let sql = "SELECT count(*) FROM runs
               WHERE is_shared = 0 AND ended IS NULL AND (expires IS NULL OR expires > ?)";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    statement.query_row([now], |row| row.get(0)).map_err(of)
}
