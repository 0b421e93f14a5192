//! What lines of the audit log say of a call, whether it is under way, asked about or recorded.

use crate::audit::{Entry, Kind};
use crate::store::{NewCall, NewQuestion, RunId};

use super::Current;

/// Most characters of a tool's name in the audit log: no tool of a catalogue has more, and a
/// stranger may send any text.
const MOST_TOOL_CHARACTERS: usize = 128;

/// The call that a line is about.
pub(super) struct About<'a> {
    pub(super) agent: &'a str,
    pub(super) run: &'a RunId,
    pub(super) session: Option<&'a str>,
    pub(super) tool: &'a str,
    pub(super) digest: &'a str,
    pub(super) decision: &'a str,
}

impl<'a> About<'a> {
    /// The call that a question was asked about.
    pub(super) fn question(asked: &'a NewQuestion) -> Self {
        Self {
            agent: &asked.agent,
            run: &asked.run,
            session: asked.session.as_deref(),
            tool: &asked.tool,
            digest: &asked.digest,
            decision: &asked.decision,
        }
    }

    /// A recorded call.
    pub(super) fn call(made: &'a NewCall) -> Self {
        Self {
            agent: &made.agent,
            run: &made.run,
            session: made.session.as_deref(),
            tool: &made.tool,
            digest: &made.digest,
            decision: &made.decision,
        }
    }
}

impl Current {
    /// A line about a call.
    pub(super) fn entry(&self, kind: Kind, about: &About<'_>) -> Entry {
        let tool = about.tool.chars().take(MOST_TOOL_CHARACTERS);
        Entry {
            agent: Some(about.agent.to_owned()),
            run: Some(about.run.to_string()),
            session: about.session.map(str::to_owned),
            server: self.settings.server_of(about.tool).map(str::to_owned),
            tool: Some(tool.collect()),
            args_sha256: Some(about.digest.to_owned()),
            policy: Some(self.policy.hash().to_owned()),
            request: Some(about.decision.to_owned()),
            ..Entry::of(kind)
        }
    }
}
