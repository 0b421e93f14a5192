//! What a `gateway.yaml` says, behind its defaults.

use std::collections::BTreeMap;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use zeroize::Zeroizing;

use crate::catalogue::Catalogue;
use crate::keys::KeyRing;

/// The name that stands for all tools that `upstreams` does not name.
pub const ALL_OTHERS: &str = "*";

/// A secret text: overwritten when it is no longer needed, and not printed.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretText(Zeroizing<String>);

impl SecretText {
    pub(super) fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    /// The text itself.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The text itself, for those who keep it.
    pub fn into_inner(self) -> Zeroizing<String> {
        self.0
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SecretText")
    }
}

/// A `gateway.yaml`, resolved: defaults filled in, variables put in, paths absolute or below the
/// file's folder, the catalogue loaded (gateway contract, section 1).
#[derive(Clone)]
#[non_exhaustive]
pub struct Configuration {
    /// The catalogue.
    pub catalogue: Arc<Catalogue>,
    /// The file that it was loaded from.
    pub catalogue_file: PathBuf,
    /// The servers, by name; a bare URL of `upstreams` is one named by its host and port.
    pub servers: BTreeMap<String, Server>,
    /// Which server has a tool; [`ALL_OTHERS`] for all that are not named.
    pub upstreams: BTreeMap<String, String>,
    /// The bearer tokens of each agent, at least one.
    pub agents: BTreeMap<String, Vec<SecretText>>,
    /// May mint runs; off where there is none.
    pub host_token: Option<SecretText>,
    /// Opens the admin routes; off where there is none.
    pub admin_token: Option<SecretText>,
    /// The keys; none where one is to be made beside the store.
    pub keys: Option<Arc<KeyRing>>,
    /// The audit log; in memory where there is none.
    pub audit: Option<PathBuf>,
    /// How long a person may think.
    pub elicitation_timeout: Duration,
    /// Where agents connect.
    pub listen: SocketAddr,
    /// Static values of the context.
    pub context: Map<String, Value>,
    /// The address that is asked for the context.
    pub context_url: Option<String>,
    /// The bearer token that it gets.
    pub context_token: Option<SecretText>,
    /// The SQLite file.
    pub store: PathBuf,
    /// The certificate of `listen`.
    pub tls: Option<Tls>,
    /// Whether a proxy with TLS stands in front.
    pub behind_proxy: bool,
    /// How long a named run lives.
    pub run_ttl: Duration,
    /// How long a shared run keeps its state without a call of its agent.
    pub run_idle: Duration,
    /// How long a shared run keeps what a replay answers.
    pub replay_ttl: Duration,
    /// The name of this gateway in audit lines.
    pub node: String,
    /// How often an agent may ask; as often as it likes where there is none.
    pub rate: Option<Rate>,
    /// Bounds.
    pub limits: Limits,
    /// Origins of web pages that may use the gateway.
    pub allowed_origins: Vec<String>,
}

impl fmt::Debug for Configuration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Configuration")
            .field("catalogue_file", &self.catalogue_file)
            .field("servers", &self.servers)
            .field("upstreams", &self.upstreams)
            .field("agents", &self.agents.keys())
            .field("listen", &self.listen)
            .field("node", &self.node)
            .finish_non_exhaustive()
    }
}

/// An MCP server.
#[derive(Clone, PartialEq, Eq)]
pub struct Server {
    /// Its endpoint: `http` or `https`, without credentials.
    pub url: String,
    /// Headers that every request to it carries.
    pub headers: Vec<(String, SecretText)>,
    /// Whether its annotations count.
    pub trusted: bool,
    /// Whether it does a write with the same idempotency key once.
    pub idempotent: bool,
    /// How long it may take for a call.
    pub timeout: Duration,
}

impl fmt::Debug for Server {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        formatter
            .debug_struct("Server")
            .field("headers", &names)
            .field("trusted", &self.trusted)
            .field("idempotent", &self.idempotent)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

/// The files of TLS, both PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tls {
    /// The certificate, and those between it and its root.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// How often an agent may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Requests a minute, over time.
    pub per_minute: NonZeroU32,
    /// Requests at once.
    pub burst: NonZeroU32,
}

/// Bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of a request.
    pub body: usize,
    /// Deepest JSON of a request.
    pub depth: usize,
    /// Most connections at once.
    pub connections: usize,
    /// Most MCP sessions at once, of all agents.
    pub sessions: usize,
    /// Most MCP sessions of one agent.
    pub sessions_per_agent: usize,
    /// Most calls of one session at once.
    pub calls_per_session: usize,
    /// Most calls of one agent at once.
    pub calls_per_agent: usize,
    /// Most open streams of one agent.
    pub streams_per_agent: usize,
    /// Most named runs that live at once.
    pub runs: u64,
    /// Most open questions of a named run, and of a session in a shared run.
    pub questions_per_run: u64,
    /// Most open questions of one agent in its shared run.
    pub questions_per_agent: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 1 << 20,
            depth: 64,
            connections: 10_000,
            sessions: 10_000,
            sessions_per_agent: 1_000,
            calls_per_session: 64,
            calls_per_agent: 1_000,
            streams_per_agent: 1_000,
            runs: 100_000,
            questions_per_run: 3,
            questions_per_agent: 50,
        }
    }
}

/// Where agents connect by default.
pub(super) const LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8800);
