//! What an operator sets of the core (gateway contract, section 1).

use std::collections::BTreeMap;
use std::time::Duration;

use crate::json::Bounds;
use crate::store::Millis;

/// The settings of the core; durations in milliseconds unless they say otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How long a person may think.
    pub elicitation_timeout: Millis,
    /// How long a named run lives.
    pub run_ttl: Millis,
    /// How long a shared run keeps its state without a call of its agent.
    pub run_idle: Millis,
    /// How long a shared run keeps what a replay answers.
    pub replay_ttl: Millis,
    /// How long a no holds for the same call.
    pub decline_ttl: Millis,
    /// The name of this node in audit lines.
    pub node: String,
    /// Which server has a tool; `*` for all that are not named.
    pub upstreams: BTreeMap<String, String>,
    /// The servers, by name.
    pub servers: BTreeMap<String, ServerSettings>,
    /// Bounds of a call's arguments.
    pub arguments: Bounds,
    /// Most open questions of a named run, and of a session in a shared run.
    pub questions_per_run: u64,
    /// Most open questions of an agent.
    pub questions_per_agent: u64,
    /// Most named runs that live at once.
    pub runs: u64,
}

/// What the core knows of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerSettings {
    /// Whether it does a call with the same key once, however often it is sent.
    pub idempotent: bool,
    /// How long it may take for a call.
    pub timeout: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        const MINUTE: Millis = 60_000;
        const HOUR: Millis = 60 * MINUTE;
        Self {
            elicitation_timeout: 10 * MINUTE,
            run_ttl: 24 * HOUR,
            run_idle: 8 * HOUR,
            replay_ttl: 24 * HOUR,
            decline_ttl: 10 * MINUTE,
            node: "gateway".to_owned(),
            upstreams: BTreeMap::new(),
            servers: BTreeMap::new(),
            arguments: Bounds {
                bytes: 1 << 20,
                depth: 64,
            },
            questions_per_run: 3,
            questions_per_agent: 50,
            runs: 100_000,
        }
    }
}

impl Settings {
    /// The server that has a tool.
    pub fn server_of(&self, tool: &str) -> Option<&str> {
        let named = self.upstreams.get(tool);
        let server = named.or_else(|| self.upstreams.get("*"))?;
        Some(server)
    }

    /// How long a server may take for a call.
    pub fn timeout_of(&self, server: &str) -> Duration {
        let known = self.servers.get(server);
        known.map_or(Duration::from_secs(30), |server| server.timeout)
    }
}
