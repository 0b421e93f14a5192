//! Questions to a person, and noes that hold for a time.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::fault::{of, unknown_word};
use crate::store::{
    Decline, Millis, NewQuestion, Question, QuestionState, RunId, Scope, StoreError,
};
use crate::tool_check::Reason;

const COLUMNS: &str = "id, run, session, agent, tool, digest, shown, decision, changes, repeats, at, expires, state, call, client_key, reason";

/// Opens a question; the older one that it takes the place of.
pub(super) fn insert(
    connection: &Connection,
    question: &NewQuestion,
) -> Result<Option<String>, StoreError> {
    let sql = "UPDATE questions SET state = 'withdrawn'
               WHERE run = ? AND tool = ? AND digest = ? AND state = 'open' RETURNING id";
    let withdrawn = connection
        .prepare_cached(sql)
        .and_then(|mut statement| {
            statement
                .query_row(
                    [question.run.as_str(), &question.tool, &question.digest],
                    |row| row.get(0),
                )
                .optional()
        })
        .map_err(of)?;
    let sql = format!(
        "INSERT INTO questions ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', NULL, ?, NULL)"
    );
    let mut statement = connection.prepare_cached(&sql).map_err(of)?;
    statement
        .execute(params![
            question.id,
            question.run.as_str(),
            question.session,
            question.agent,
            question.tool,
            question.digest,
            question.shown,
            question.decision,
            question.changes,
            question.repeats,
            question.at,
            question.expires,
            question.client_key,
        ])
        .map_err(of)?;
    Ok(withdrawn)
}

/// Whether a question of this call is open.
pub(super) fn has_open(
    connection: &Connection,
    run: &RunId,
    tool: &str,
    digest: &str,
) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM questions
               WHERE run = ? AND tool = ? AND digest = ? AND state = 'open')";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    statement
        .query_row([run.as_str(), tool, digest], |row| row.get(0))
        .map_err(of)
}

/// A question by its id.
pub(super) fn find(connection: &Connection, id: &str) -> Result<Option<Question>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM questions WHERE id = ?");
    let mut statement = connection.prepare_cached(&sql).map_err(of)?;
    statement.query_row([id], read).optional().map_err(of)
}

/// Closes a question, once; whether it was open.
pub(super) fn close(
    connection: &Connection,
    id: &str,
    state: QuestionState,
    reason: Option<Reason>,
    call: Option<u64>,
) -> Result<bool, StoreError> {
    let sql =
        "UPDATE questions SET state = ?, reason = ?, call = ? WHERE id = ? AND state = 'open'";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    let changed = statement
        .execute(params![word(state), reason.map(Reason::as_str), call, id])
        .map_err(of)?;
    Ok(changed > 0)
}

/// How many are open: of the scope, and of the agent.
pub(super) fn count_open(
    connection: &Connection,
    scope: &Scope,
    agent: &str,
    now: Millis,
) -> Result<(u64, u64), StoreError> {
    let sql = "SELECT count(*) FILTER (WHERE run = ?3 AND (NOT ?4 OR session = ?5)), count(*)
               FROM questions WHERE agent = ?1 AND state = 'open' AND expires > ?2";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    statement
        .query_row(
            params![
                agent,
                now,
                scope.run.as_str(),
                scope.run.is_shared(),
                scope.session
            ],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .map_err(of)
}

/// Closes the questions whose time is over.
pub(super) fn expire(connection: &Connection, now: Millis) -> Result<Vec<Question>, StoreError> {
    let sql = format!(
        "UPDATE questions SET state = 'expired' WHERE state = 'open' AND expires <= ?
         RETURNING {COLUMNS}"
    );
    let mut statement = connection.prepare_cached(&sql).map_err(of)?;
    let expired = statement.query_map([now], read).map_err(of)?;
    let mut expired = expired.collect::<Result<Vec<Question>, _>>().map_err(of)?;
    expired.sort_by(|one, other| {
        let order = |it: &Question| (it.question.at, it.question.id.clone());
        order(one).cmp(&order(other))
    });
    Ok(expired)
}

/// Keeps a no.
pub(super) fn decline(connection: &Connection, decline: &Decline) -> Result<(), StoreError> {
    let sql = "INSERT INTO declines (run, tool, digest, until) VALUES (?, ?, ?, ?)
               ON CONFLICT DO UPDATE SET until = max(until, excluded.until)";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    statement
        .execute(params![
            decline.run.as_str(),
            decline.tool,
            decline.digest,
            decline.until
        ])
        .map_err(of)?;
    Ok(())
}

/// Whether a no holds.
pub(super) fn is_declined(
    connection: &Connection,
    run: &RunId,
    tool: &str,
    digest: &str,
    now: Millis,
) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (
                 SELECT 1 FROM declines WHERE run = ? AND tool = ? AND digest = ? AND until > ?)";
    let mut statement = connection.prepare_cached(sql).map_err(of)?;
    statement
        .query_row(params![run.as_str(), tool, digest, now], |row| row.get(0))
        .map_err(of)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Question> {
    let state: String = row.get(12)?;
    Ok(Question {
        question: NewQuestion {
            id: row.get(0)?,
            run: RunId::named(row.get::<_, String>(1)?),
            session: row.get(2)?,
            agent: row.get(3)?,
            tool: row.get(4)?,
            digest: row.get(5)?,
            shown: row.get(6)?,
            decision: row.get(7)?,
            client_key: row.get(14)?,
            changes: row.get(8)?,
            repeats: row.get(9)?,
            at: row.get(10)?,
            expires: row.get(11)?,
        },
        state: state_of(&state).ok_or_else(|| unknown_word(12, &state))?,
        reason: reason(row.get(15)?)?,
        call: row.get(13)?,
    })
}

fn reason(written: Option<String>) -> rusqlite::Result<Option<Reason>> {
    let Some(written) = written else {
        return Ok(None);
    };
    let known = Reason::ALL.into_iter();
    let found = known.into_iter().find(|reason| reason.as_str() == written);
    found.map(Some).ok_or_else(|| unknown_word(15, &written))
}

fn word(state: QuestionState) -> &'static str {
    match state {
        QuestionState::Open => "open",
        QuestionState::Answered => "answered",
        QuestionState::Withdrawn => "withdrawn",
        QuestionState::Expired => "expired",
        QuestionState::Gone => "gone",
    }
}

fn state_of(written: &str) -> Option<QuestionState> {
    [
        QuestionState::Open,
        QuestionState::Answered,
        QuestionState::Withdrawn,
        QuestionState::Expired,
        QuestionState::Gone,
    ]
    .into_iter()
    .find(|state| word(*state) == written)
}
