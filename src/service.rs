//! The process around the gateway: sockets and TLS, tokens, routes, health, metrics, logs, limits,
//! reload and drain (gateway contract, sections 1, 2 and 9).

mod access;
mod administration;
pub mod assembly;
mod connections;
mod context_url;
mod health;
mod lifecycle;
pub mod logs;
mod metrics;
mod routes;
mod settings;
mod timing;
mod tls;

pub use access::{Access, Rate};
pub use context_url::ContextUrl;
pub use lifecycle::{RunningService, Service, StartError};
pub use metrics::Metrics;
pub use settings::{Hooks, Limits, Readiness, Reload, Settings, TlsFiles};
pub use timing::TimedServers;
