//! Clients' idempotency keys.

use rusqlite::{Connection, OptionalExtension, params};

use super::fault::of;
use crate::store::{ClientKey, ClientKeyState, Millis, StoreError};

const WHERE: &str = "WHERE agent = ?1 AND run = ?2 AND session = ?3 AND tool = ?4 AND key = ?5";

/// The session as part of a key's place: calls of a shared run without one are a place of
/// their own.
fn session(key: &ClientKey) -> &str {
    match &key.scope.session {
        Some(session) if key.scope.run.is_shared() => session,
        _ => "",
    }
}

/// Reserves a key; what stands there already.
pub(super) fn reserve(
    connection: &Connection,
    key: &ClientKey,
    digest: &str,
    at: Millis,
    start: i64,
) -> Result<Option<ClientKeyState>, StoreError> {
    // A crash left it behind: nobody checks its call any more, and no question about it is open.
    let sql = format!(
        "DELETE FROM client_keys {WHERE} AND call IS NULL AND start <> ?6 AND NOT EXISTS (
           SELECT 1 FROM questions WHERE questions.run = client_keys.run
             AND questions.tool = client_keys.tool AND questions.digest = client_keys.digest
             AND state = 'open' AND expires > ?7)"
    );
    let run = key.scope.run.as_str();
    connection
        .prepare_cached(&sql)
        .and_then(|mut statement| {
            statement.execute(params![
                key.agent,
                run,
                session(key),
                key.tool,
                key.key,
                start,
                at
            ])
        })
        .map_err(of)?;
    let sql = format!("SELECT digest, call FROM client_keys {WHERE}");
    let mut statement = connection.prepare_cached(&sql).map_err(of)?;
    let found = statement
        .query_row(
            [&key.agent, run, session(key), &key.tool, &key.key],
            |row| {
                Ok(ClientKeyState {
                    digest: row.get(0)?,
                    call: row.get(1)?,
                })
            },
        )
        .optional()
        .map_err(of)?;
    if found.is_none() {
        let sql = "INSERT INTO client_keys (agent, run, session, tool, key, digest, at, start)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
        connection
            .prepare_cached(sql)
            .and_then(|mut statement| {
                statement.execute(params![
                    key.agent,
                    run,
                    session(key),
                    key.tool,
                    key.key,
                    digest,
                    at,
                    start
                ])
            })
            .map_err(of)?;
    }
    Ok(found)
}

/// Binds a key to its call.
pub(super) fn bind(connection: &Connection, key: &ClientKey, call: u64) -> Result<(), StoreError> {
    let sql = format!("UPDATE client_keys SET call = ?6 {WHERE} AND call IS NULL");
    let mut statement = connection.prepare_cached(&sql).map_err(of)?;
    let changed = statement
        .execute(params![
            key.agent,
            key.scope.run.as_str(),
            session(key),
            key.tool,
            key.key,
            call
        ])
        .map_err(of)?;
    match changed {
        0 => Err(StoreError::Unusable("the key is not reserved".to_owned())),
        _ => Ok(()),
    }
}

/// Frees a key.
pub(super) fn free(connection: &Connection, key: &ClientKey) -> Result<(), StoreError> {
    let sql = format!("DELETE FROM client_keys {WHERE}");
    let mut statement = connection.prepare_cached(&sql).map_err(of)?;
    statement
        .execute([
            &key.agent,
            key.scope.run.as_str(),
            session(key),
            &key.tool,
            &key.key,
        ])
        .map_err(of)?;
    Ok(())
}
