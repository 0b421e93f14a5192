//! A line: what its keys are, how it is written, and reading it back.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::entry::{Entry, Kind};
use crate::store::{CallState, Millis};
use crate::tool_check::Reason;

/// Most bytes of a line that is read.
pub(super) const MAX_BYTES: usize = 1 << 20;

/// The format that a line names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// This one.
    #[serde(rename = "qls-decision/1")]
    QlsDecision1,
}

/// Whether a call was let through; on decision lines alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It was.
    Allow,
    /// It was refused.
    Block,
}

impl Decision {
    /// As lines write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Block => "block",
        }
    }
}

/// A line. Its keys are written in this order, each on every line: null where there is nothing to
/// say, and an empty list without marks (contract section 5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The format.
    pub format: Format,
    /// The kind.
    pub kind: Kind,
    /// Its number in the node's chain, from 1.
    pub seq: u64,
    /// When, in RFC 3339, UTC, with milliseconds.
    pub time: String,
    /// The gateway that wrote it.
    pub node: String,
    /// The agent.
    pub agent: Option<String>,
    /// The run.
    pub run: Option<String>,
    /// The session.
    pub session: Option<String>,
    /// The server.
    pub server: Option<String>,
    /// The tool.
    pub tool: Option<String>,
    /// Whether the call was let through; on decision lines alone.
    pub decision: Option<Decision>,
    /// Why.
    pub reason: Option<Reason>,
    /// The rule of the rulebook that decided.
    pub rule: Option<String>,
    /// The keyed digest of the arguments.
    pub args_sha256: Option<String>,
    /// The marks that the call carried, sorted.
    pub marks: Vec<String>,
    /// The hash of the catalogue.
    pub policy: Option<String>,
    /// The decision's id, which all lines of one call share.
    pub request: Option<String>,
    /// The approval that was used.
    pub approval: Option<String>,
    /// What became of the call; on outcome lines alone.
    pub outcome: Option<CallState>,
    /// The id of the key that hashes this line for the next one.
    pub key: String,
    /// The keyed hash of the line before; of the node's name on the first.
    pub prev: String,
}

impl Line {
    /// A line that says what `entry` does.
    pub(super) fn of(
        entry: Entry,
        at: Millis,
        node: &str,
        seq: u64,
        key: &str,
        prev: String,
    ) -> Self {
        let decides = |reason: Reason| match reason.allows() {
            true => Decision::Allow,
            false => Decision::Block,
        };
        Self {
            format: Format::QlsDecision1,
            kind: entry.kind,
            seq,
            time: written_time(at),
            node: node.to_owned(),
            agent: entry.agent,
            run: entry.run,
            session: entry.session,
            server: entry.server,
            tool: entry.tool,
            decision: (entry.kind == Kind::Decision)
                .then_some(entry.reason)
                .flatten()
                .map(decides),
            reason: entry.reason,
            rule: entry.rule,
            args_sha256: entry.args_sha256,
            marks: entry.marks.into_iter().collect(),
            policy: entry.policy,
            request: entry.request,
            approval: entry.approval,
            outcome: entry.outcome,
            key: key.to_owned(),
            prev,
        }
    }

    /// Its text, without a line end.
    pub(super) fn text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// Reads a line. None where it is not exactly as [`Line`]s are written, or its time is none.
    pub fn read(text: &str) -> Option<Self> {
        let line: Self = serde_json::from_str(text).ok()?;
        let is_written = line.text().is_ok_and(|written| written == text);
        (is_written && line.seq > 0 && is_time(&line.time)).then_some(line)
    }
}

/// A time as lines write it. One that no calendar has is the first or last that it has.
pub(super) fn written_time(at: Millis) -> String {
    let nanos = i128::from(at) * 1_000_000;
    let last = OffsetDateTime::from_unix_timestamp(253_402_300_799);
    let time = OffsetDateTime::from_unix_timestamp_nanos(nanos)
        .ok()
        .filter(|time| time.year() >= 1970)
        .or(if at < 0 { None } else { last.ok() })
        .unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (date, clock) = (time.date(), time.time());
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
        date.year(),
        u8::from(date.month()),
        date.day(),
        clock.hour(),
        clock.minute(),
        clock.second(),
        clock.millisecond()
    )
}

fn is_time(text: &str) -> bool {
    OffsetDateTime::parse(text, &Rfc3339).is_ok_and(|time| {
        let millis = time.unix_timestamp_nanos() / 1_000_000;
        Millis::try_from(millis).is_ok_and(|at| written_time(at) == text)
    })
}
