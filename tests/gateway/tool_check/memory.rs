//! The state of runs in memory, as plain as the contract (section 2): a list of all that happened,
//! looked through anew at each question.

use std::collections::BTreeSet;
use std::convert::Infallible;

use stalwart::tool_check::{Facts, Policy};

/// Where a call is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub agent: &'static str,
    /// A named run, by its number; none for the agent's shared run.
    pub run: Option<usize>,
    /// An old-era session; none in the new era.
    pub session: Option<u8>,
}

/// A named run.
#[derive(Clone, Debug)]
pub struct NamedRun {
    pub agent: &'static str,
    pub parent: Option<usize>,
    pub is_live: bool,
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Open,
    Ok,
    Error,
    Ambiguous,
    NotForwarded,
}

/// A call whose intent was recorded.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub place: Place,
    pub tool: &'static str,
    pub digest: String,
    pub is_write: bool,
    pub state: State,
}

/// All runs.
#[derive(Debug, Default)]
pub struct Memory {
    pub runs: Vec<NamedRun>,
    pub calls: Vec<Recorded>,
    /// Tools that marked the run of a place, in the order in which that happened.
    pub marks: Vec<(Place, &'static str)>,
    pub declined: Vec<(Place, &'static str, String)>,
}

impl Memory {
    /// The run that handed off first.
    pub fn root(&self, mut run: usize) -> usize {
        while let Some(parent) = self.runs[run].parent {
            run = parent;
        }
        run
    }

    /// Whether two places are of one run.
    pub fn is_same_run(one: &Place, other: &Place) -> bool {
        match (one.run, other.run) {
            (Some(one), Some(other)) => one == other,
            (None, None) => one.agent == other.agent,
            _ => false,
        }
    }
}

/// What a check may see of the memory.
pub struct Seen<'m> {
    pub memory: &'m Memory,
    pub policy: &'m Policy,
    pub place: &'m Place,
}

impl Facts for Seen<'_> {
    type Error = Infallible;

    fn has_succeeded(&mut self, tool: &str) -> Result<bool, Infallible> {
        Ok(self.memory.calls.iter().any(|call| {
            call.tool == tool
                && call.state == State::Ok
                && Memory::is_same_run(&call.place, self.place)
                && (self.place.run.is_some()
                    || self.place.session.is_some() && call.place.session == self.place.session)
        }))
    }

    fn count_calls(&mut self, tool: &str) -> Result<u64, Infallible> {
        let counted = self.memory.calls.iter().filter(|call| {
            call.tool == tool
                && call.state != State::NotForwarded
                && Memory::is_same_run(&call.place, self.place)
        });
        Ok(counted.count() as u64)
    }

    fn marks(&mut self) -> Result<BTreeSet<String>, Infallible> {
        let sources = self.policy.mark_sources(self.place.agent);
        let reaches = |place: &Place| match (self.place.run, place.run) {
            (Some(run), Some(other)) => self.memory.root(run) == self.memory.root(other),
            (Some(_), None) => false,
            (None, _) => {
                Memory::is_same_run(place, self.place)
                    || sources.iter().any(|source| source == place.agent)
            }
        };
        let marks = self.memory.marks.iter();
        let marks = marks.filter(|(place, _)| reaches(place));
        Ok(marks.map(|(_, tool)| (*tool).to_owned()).collect())
    }

    fn is_declined(&mut self, tool: &str, digest: &str) -> Result<bool, Infallible> {
        Ok(self.memory.declined.iter().any(|(place, of, with)| {
            *of == tool && with == digest && Memory::is_same_run(place, self.place)
        }))
    }

    fn has_ambiguous(&mut self, tool: &str, digest: &str) -> Result<bool, Infallible> {
        Ok(self.memory.calls.iter().any(|call| {
            call.tool == tool
                && call.digest == digest
                && call.is_write
                && call.state == State::Ambiguous
                && Memory::is_same_run(&call.place, self.place)
        }))
    }
}
