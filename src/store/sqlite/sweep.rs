//! What can no longer count is dropped, so that the file does not grow with the calls made. Each
//! step looks only at what an index says is due, and at a bounded number of it: a sweep is cheap,
//! and what is left is done by the next.

use std::collections::BTreeMap;

use rusqlite::{Connection, ToSql, named_params};

use super::fault::of;
use crate::store::{Millis, StoreError};

/// Most rows, and most trees of runs, that one sweep drops.
const MOST_CALLS: i64 = 2000;
const MOST_TREES: i64 = 200;

/// Named runs end by themselves, and what was sealed in a run is erased when it ends.
const OF_ENDED_RUNS: &[&str] = &[
    "UPDATE runs SET ended = expires
     WHERE is_shared = 0 AND ended IS NULL AND expires <= :now",
    "UPDATE calls SET arguments = NULL, result = NULL
     WHERE state <> 'open'
       AND run IN (SELECT id FROM runs WHERE ended IS NOT NULL AND is_swept = 0)",
    "UPDATE runs SET is_swept = 1
     WHERE ended IS NOT NULL AND is_swept = 0
       AND NOT EXISTS (SELECT 1 FROM calls WHERE run = runs.id AND state = 'open')",
    "DELETE FROM declines WHERE until <= :now",
];

const OF_OLD: &[&str] = &[
    "UPDATE calls SET arguments = NULL, result = NULL
     WHERE is_shared = 1 AND state = 'ambiguous' AND arguments IS NOT NULL AND at < :before",
    "DELETE FROM questions WHERE state <> 'open' AND expires < :before",
    "DELETE FROM client_keys WHERE at < :before
       AND (run LIKE 'shared:%' OR NOT EXISTS (
             SELECT 1 FROM runs WHERE runs.id = client_keys.run AND ended IS NULL))
       AND NOT EXISTS (SELECT 1 FROM calls WHERE seq = client_keys.call AND state = 'open')",
];

/// Old calls of shared runs: those that count for a rule are known by their number from now on.
const DROP_CALLS: &str = "
DELETE FROM calls WHERE seq IN (
  SELECT seq FROM calls
  WHERE is_shared = 1 AND state NOT IN ('open', 'ambiguous') AND at < :before
  ORDER BY at LIMIT :most)
RETURNING run, tool,
  state <> 'not_forwarded' AND seq > (SELECT cleared_call FROM runs WHERE runs.id = calls.run)";

const COUNT_CALLS: &str = "
INSERT INTO past_calls (run, tool, calls) VALUES (:run, :tool, :calls)
ON CONFLICT (run, tool) DO UPDATE SET calls = calls + excluded.calls";

/// Trees of named runs that all ended long ago, and in which no call or question is open.
const OLD_TREES: &str = "
SELECT root.tree FROM runs AS root
WHERE root.parent IS NULL AND root.ended < :before
  AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.tree = root.tree
        AND (runs.ended IS NULL OR runs.ended >= :before))
  AND NOT EXISTS (SELECT 1 FROM runs JOIN calls ON calls.run = runs.id
        WHERE runs.tree = root.tree AND calls.state = 'open')
  AND NOT EXISTS (SELECT 1 FROM runs JOIN questions ON questions.run = runs.id
        WHERE runs.tree = root.tree AND questions.state = 'open')
ORDER BY root.ended LIMIT :most";

/// Shared runs may still carry a tree's marks. What decides that (see `marks.rs`) is kept for
/// each agent and tool: the latest position of a mark or an end, and the latest end by time.
const DROP_TREE: &[&str] = &[
    "INSERT INTO past_marks (agent, tool, position, expired)
     SELECT runs.agent, marks.tool, max(marks.position, coalesce(max(runs.ended_position), 0)),
       coalesce(max(runs.expires) FILTER (WHERE runs.ended_position IS NULL), :never)
     FROM runs JOIN marks ON marks.tree = runs.tree
     WHERE runs.tree = :tree GROUP BY runs.agent, marks.tool
     ON CONFLICT (agent, tool) DO UPDATE SET
       position = max(position, excluded.position), expired = max(expired, excluded.expired)",
    "DELETE FROM marks WHERE tree = :tree",
    "DELETE FROM calls WHERE run IN (SELECT id FROM runs WHERE tree = :tree)",
    "DELETE FROM questions WHERE run IN (SELECT id FROM runs WHERE tree = :tree)",
    "DELETE FROM client_keys WHERE run IN (SELECT id FROM runs WHERE tree = :tree)",
    "UPDATE runs SET parent = NULL WHERE tree = :tree",
    "DELETE FROM runs WHERE tree = :tree",
];

/// Drops what can no longer count.
pub(super) fn sweep(
    connection: &Connection,
    now: Millis,
    before: Millis,
) -> Result<(), StoreError> {
    for sql in OF_ENDED_RUNS {
        run(connection, sql, &[(":now", &now)])?;
    }
    for sql in OF_OLD {
        run(connection, sql, &[(":before", &before)])?;
    }
    drop_calls(connection, before)?;
    let mut statement = connection.prepare_cached(OLD_TREES).map_err(of)?;
    let values = named_params! { ":before": before, ":most": MOST_TREES };
    let trees = statement.query_map(values, |row| row.get(0)).map_err(of)?;
    let trees: Vec<String> = trees.collect::<Result<_, _>>().map_err(of)?;
    for tree in &trees {
        for sql in DROP_TREE {
            run(
                connection,
                sql,
                &[(":tree", tree), (":never", &Millis::MIN)],
            )?;
        }
    }
    Ok(())
}

fn drop_calls(connection: &Connection, before: Millis) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(DROP_CALLS).map_err(of)?;
    let values = named_params! { ":before": before, ":most": MOST_CALLS };
    let mut rows = statement.query(values).map_err(of)?;
    let mut counts: BTreeMap<(String, String), u32> = BTreeMap::new();
    while let Some(row) = rows.next().map_err(of)? {
        if row.get(2).map_err(of)? {
            let place = (row.get(0).map_err(of)?, row.get(1).map_err(of)?);
            *counts.entry(place).or_default() += 1;
        }
    }
    for ((run_id, tool), calls) in &counts {
        let values: &[(&str, &dyn ToSql)] = &[(":run", run_id), (":tool", tool), (":calls", calls)];
        run(connection, COUNT_CALLS, values)?;
    }
    Ok(())
}

/// Runs a statement with those of the values that it names.
fn run(
    connection: &Connection,
    sql: &str,
    values: &[(&str, &dyn ToSql)],
) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    for (name, value) in values {
        if let Some(index) = statement.parameter_index(name).map_err(of)? {
            statement.raw_bind_parameter(index, value).map_err(of)?;
        }
    }
    statement.raw_execute().map_err(of)?;
    Ok(())
}
