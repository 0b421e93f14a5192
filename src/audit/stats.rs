//! Counting the lines of a log.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use serde::Serialize;

use super::entry::Kind;
use super::line::Line;
use super::reading::{Piece, next_line};
use super::verify::VerifyError;
use crate::text::reason;

/// How often what stands in a log. Only decisions are counted by agent, tool and reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Stats {
    /// Lines.
    pub lines: u64,
    /// Lines that are none.
    pub unreadable: u64,
    /// The times of the first and the last line.
    pub from: Option<String>,
    /// The time of the last line.
    pub to: Option<String>,
    /// Lines by kind.
    pub kinds: BTreeMap<Kind, u64>,
    /// Decisions by agent.
    pub agents: BTreeMap<String, Decided>,
    /// Decisions by tool.
    pub tools: BTreeMap<String, Decided>,
    /// Decisions by reason.
    pub reasons: BTreeMap<String, u64>,
    /// Outcomes of forwarded calls.
    pub outcomes: BTreeMap<String, u64>,
}

/// How many calls were let through, and refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Decided {
    /// Let through.
    pub allow: u64,
    /// Refused.
    pub block: u64,
}

/// Counts the lines of a log. Nothing is verified.
///
/// # Errors
/// The file cannot be read.
pub fn stats(path: &Path) -> Result<Stats, VerifyError> {
    let unusable = |error: io::Error| VerifyError(reason(&error));
    let mut reader = BufReader::new(File::open(path).map_err(unusable)?);
    let mut stats = Stats::default();
    while let Some(piece) = next_line(&mut reader).map_err(unusable)? {
        let line = match &piece {
            Piece::Line(text) => Line::read(text),
            Piece::Unreadable | Piece::Torn => None,
        };
        match line {
            Some(line) => stats.count(line),
            None => stats.unreadable += 1,
        }
    }
    Ok(stats)
}

impl Stats {
    fn count(&mut self, line: Line) {
        self.lines += 1;
        self.from.get_or_insert_with(|| line.time.clone());
        self.to = Some(line.time);
        *self.kinds.entry(line.kind).or_default() += 1;
        if let Some(outcome) = line.outcome {
            *self
                .outcomes
                .entry(outcome.as_str().to_owned())
                .or_default() += 1;
        }
        let Some(decision) = line.decision else {
            return;
        };
        let add = |counts: &mut BTreeMap<String, Decided>, name: Option<String>| {
            let counted = counts.entry(name.unwrap_or_default()).or_default();
            match decision {
                super::Decision::Allow => counted.allow += 1,
                super::Decision::Block => counted.block += 1,
            }
        };
        add(&mut self.agents, line.agent);
        add(&mut self.tools, line.tool);
        if let Some(reason) = line.reason {
            *self.reasons.entry(reason.as_str().to_owned()).or_default() += 1;
        }
    }
}
