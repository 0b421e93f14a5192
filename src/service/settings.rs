//! What an operator sets of the process.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;

use super::access::Access;
use super::metrics::Metrics;
use crate::keys::{KeyRing, Randomness};
use crate::mcp::server::{EndpointSettings, Now};

/// Everything the process is started with.
#[derive(Clone)]
pub struct Settings {
    /// Where it listens; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The certificate and key of TLS; none for plain HTTP.
    pub tls: Option<TlsFiles>,
    /// Bounds and times of the endpoint `/mcp`.
    pub endpoint: EndpointSettings,
    /// Bounds and times of connections.
    pub limits: Limits,
    /// Who may do what.
    pub access: Access,
    /// The keys that tokens are digested with, and states sealed.
    pub keys: Arc<KeyRing>,
    /// Where random bytes come from.
    pub randomness: Arc<dyn Randomness>,
    /// The clock.
    pub clock: Now,
    /// Where the process counts.
    pub metrics: Metrics,
    /// What it asks the program around it.
    pub hooks: Hooks,
}

/// The files of TLS, both PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, and those between it and its root.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// Bounds and times of connections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most connections at once; others are closed at once.
    pub connections: usize,
    /// How long a client may take for the head of a request, and for the handshake of TLS.
    pub header_timeout: Duration,
    /// How long a client may take for a body.
    pub body_timeout: Duration,
    /// Most bytes of a request's head.
    pub header_bytes: usize,
    /// How long calls in flight are waited for when the process ends.
    pub drain: Duration,
    /// Whether a proxy stands before it: requests may then be to any host. Else, where it listens
    /// on this machine alone, only to a name of this machine.
    pub behind_proxy: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 10_000,
            header_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(30),
            header_bytes: 64 << 10,
            drain: Duration::from_secs(30),
            behind_proxy: false,
        }
    }
}

/// Reads catalogue and configuration anew and puts them in force; the new access. A text for the
/// operator where they are broken: the old ones stay in force.
pub type Reload = Arc<dyn Fn() -> BoxFuture<'static, Result<Access, String>> + Send + Sync>;

/// What the operator should know although calls are served: no pins, no audit file.
pub type Readiness = Arc<dyn Fn() -> Vec<String> + Send + Sync>;

/// What the process asks the program around it.
#[derive(Clone)]
pub struct Hooks {
    /// Reads all anew, on SIGHUP and `POST /admin/reload`.
    pub reload: Reload,
    /// Warnings of `/readyz`.
    pub readiness: Readiness,
}

impl fmt::Debug for Hooks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Hooks")
    }
}
