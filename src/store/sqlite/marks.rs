//! Marks: which tools that read the world outside were forwarded in a run.

use rusqlite::{Connection, OptionalExtension, named_params, params};

use super::fault::of;
use super::schema::next;
use crate::store::{AgentName, Millis, RunId, StoreError};

/// Marks a run.
pub(super) fn add(
    connection: &Connection,
    run: &RunId,
    agent: &str,
    tool: &str,
) -> Result<(), StoreError> {
    let position = next(connection, "position")?;
    let sql = "INSERT INTO marks (run, tool, agent, tree, position)
               SELECT id, ?2, ?3, tree, ?4 FROM runs WHERE id = ?1
               ON CONFLICT (run, tool)
               DO UPDATE SET position = excluded.position, cleared_position = NULL";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    let changed = statement
        .execute(params![run.as_str(), tool, agent, position])
        .map_err(of)?;
    match changed {
        0 => Err(StoreError::Unusable("the run is not known".to_owned())),
        _ => Ok(()),
    }
}

/// The marks of a run, sorted.
pub(super) fn find(
    connection: &Connection,
    run: &RunId,
    sources: &[AgentName],
    now: Millis,
) -> Result<Vec<String>, StoreError> {
    if !run.is_shared() {
        let sql = "SELECT DISTINCT tool FROM marks
                   WHERE tree = (SELECT tree FROM runs WHERE id = ?) ORDER BY tool";
        let mut statement = connection.prepare_cached(sql).map_err(of)?;
        let tools = statement
            .query_map([run.as_str()], |row| row.get(0))
            .map_err(of)?;
        return tools.collect::<Result<_, _>>().map_err(of);
    }
    let (cleared, cleared_position) = last_clearing(connection, run)?;
    let mut tools = own(connection, run)?;
    for agent in sources {
        let values = named_params! {
            ":agent": agent, ":run": run.as_str(), ":now": now,
            ":cleared": cleared, ":cleared_position": cleared_position,
        };
        let mut statement = connection.prepare_cached(CARRIED).map_err(of)?;
        let found = statement
            .query_map(values, |row| row.get::<_, String>(0))
            .map_err(of)?;
        for tool in found {
            tools.push(tool.map_err(of)?);
        }
    }
    tools.sort();
    tools.dedup();
    Ok(tools)
}

/// Marks that a shared run carries of an agent's runs. A run carries the marks of its tree. It
/// counts while it is live; and behind its end where it was marked, or ended, behind the last
/// clearing of the shared run: until then the shared run carried the mark, and it keeps it.
const CARRIED: &str = "
SELECT marks.tool FROM marks JOIN runs ON runs.tree = marks.tree
WHERE runs.agent = :agent AND runs.id <> :run
  AND (
    marks.position > :cleared_position
    OR CASE WHEN runs.is_shared
       THEN marks.cleared_position IS NULL OR marks.cleared_position > :cleared_position
       ELSE CASE WHEN runs.ended_position IS NOT NULL
            THEN runs.ended_position > :cleared_position
            ELSE runs.expires IS NULL OR runs.expires > :now OR runs.expires >= :cleared
            END
       END
  )
UNION
SELECT tool FROM past_marks
WHERE agent = :agent AND (position > :cleared_position OR expired >= :cleared)";

fn own(connection: &Connection, run: &RunId) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT tool FROM marks WHERE run = ? AND cleared_position IS NULL";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    let tools = statement
        .query_map([run.as_str()], |row| row.get(0))
        .map_err(of)?;
    tools.collect::<Result<_, _>>().map_err(of)
}

/// When a shared run was last cleared, as time and position; before everything, if never.
fn last_clearing(connection: &Connection, run: &RunId) -> Result<(Millis, i64), StoreError> {
    let sql = "SELECT cleared, cleared_position FROM runs WHERE id = ?";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    let found: Option<(Option<Millis>, i64)> = statement
        .query_row([run.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
        .map_err(of)?;
    let (cleared, position) = found.unwrap_or_default();
    Ok((cleared.unwrap_or(Millis::MIN), position))
}
