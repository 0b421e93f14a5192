//! What an operator sets of the endpoint.

use std::sync::Arc;
use std::time::Duration;

use crate::json::Bounds;
use crate::store::Millis;

/// Tells the time: milliseconds since 1970-01-01 UTC.
pub type Now = Arc<dyn Fn() -> Millis + Send + Sync>;

/// Bounds and times of the endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointSettings {
    /// Bounds of a message.
    pub message: Bounds,
    /// How long a person may think about a question on a stream.
    pub elicitation_timeout: Duration,
    /// How long a session lives without a request.
    pub session_idle: Duration,
    /// Most sessions of all agents. Beyond it an agent's own one that was idle longest makes room
    /// for its next one.
    pub sessions: usize,
    /// Most sessions of one agent. Beyond it the one that was idle longest ends.
    pub sessions_per_agent: usize,
    /// Most calls of one session at once.
    pub calls_per_session: usize,
    /// Most calls of one agent at once, in either era. Beyond it they are refused `limit`.
    pub calls_per_agent: usize,
    /// Most open streams of one agent for changes of its list.
    pub streams_per_agent: usize,
    /// How often progress is told while a person thinks, and a comment sent on silent streams.
    pub keep_alive: Duration,
    /// How long a call may be silent before its answer becomes a stream.
    pub patience: Duration,
}

impl Default for EndpointSettings {
    fn default() -> Self {
        Self {
            message: Bounds {
                bytes: 1 << 20,
                depth: 64,
            },
            elicitation_timeout: Duration::from_secs(600),
            session_idle: Duration::from_secs(3600),
            sessions: 10_000,
            sessions_per_agent: 1000,
            calls_per_session: 64,
            calls_per_agent: 1000,
            streams_per_agent: 1000,
            keep_alive: Duration::from_secs(15),
            patience: Duration::from_secs(15),
        }
    }
}
