//! The gateway's keys, as far as the store knows of them: ids and fingerprints.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension};

use super::fault::of;
use crate::store::{Millis, StoreError};

/// Whether an id stands for a fingerprint; a new id does from now on.
pub(super) fn is_key(
    connection: &Connection,
    id: &str,
    fingerprint: &str,
) -> Result<bool, StoreError> {
    let sql = "SELECT fingerprint FROM keys WHERE id = ?";
    let known: Option<String> = connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.query_row([id], |row| row.get(0)).optional())
        .map_err(of)?;
    if let Some(known) = known {
        return Ok(known == fingerprint);
    }
    let sql = "INSERT INTO keys (id, fingerprint) VALUES (?, ?)";
    connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.execute([id, fingerprint]))
        .map_err(of)?;
    Ok(true)
}

/// The ids of keys that something which still counts was made with: all such texts begin with the
/// id and a colon.
pub(super) fn needed(connection: &Connection, now: Millis) -> Result<BTreeSet<String>, StoreError> {
    let sql = "SELECT DISTINCT substr(made, 1, instr(made, ':') - 1) FROM (
                 SELECT digest AS made FROM declines WHERE until > ?1
                 UNION ALL SELECT digest FROM calls
                   WHERE is_write = 1 AND state IN ('open', 'ambiguous')
                 UNION ALL SELECT digest FROM questions WHERE state = 'open' AND expires > ?1
                 UNION ALL SELECT hash FROM chains
               ) WHERE instr(made, ':') > 1";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    let ids = statement.query_map([now], |row| row.get(0)).map_err(of)?;
    ids.collect::<Result<_, _>>().map_err(of)
}
