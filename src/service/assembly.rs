//! From a configuration to what the core and the process are made of: the same at the start and
//! at a reload.

use std::sync::Arc;
use std::time::Duration;

use zeroize::Zeroizing;

use super::Metrics;
use super::access::{Access, Rate};
use super::context_url::ContextUrl;
use super::settings::{Hooks, Limits, Settings, TlsFiles};
use super::timing::TimedServers;
use crate::configuration::{self, Configuration, SecretText};
use crate::gateway::{
    self, Clock as _, ContextSource, ContextValues, Current, ServerSettings, SystemClock,
};
use crate::json::Bounds;
use crate::keys::{KeyRing, SystemRandomness};
use crate::mcp::client::{HttpServers, Limits as ClientLimits, ServerAddress};
use crate::mcp::server::{EndpointSettings, Now};
use crate::store::Millis;
use crate::tool_check::Policy;

/// The clock of the process.
pub fn clock() -> Now {
    Arc::new(|| SystemClock.now())
}

fn millis(duration: Duration) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX)
}

fn secret(text: &SecretText) -> Zeroizing<String> {
    text.clone().into_inner()
}

/// The servers of a configuration, over HTTP. Nothing is connected yet.
///
/// # Errors
/// A server's address or headers cannot be used. What is wrong, without any secret.
pub fn servers(configuration: &Configuration) -> Result<HttpServers, String> {
    let addresses = configuration.servers.iter().map(|(name, server)| {
        let headers = server.headers.iter();
        ServerAddress {
            name: name.clone(),
            url: server.url.clone(),
            headers: headers
                .map(|(name, value)| (name.clone(), secret(value)))
                .collect(),
            idempotent: server.idempotent,
            timeout: server.timeout,
        }
    });
    let limits = ClientLimits {
        sessions: configuration.limits.sessions.saturating_mul(2),
        ..ClientLimits::default()
    };
    HttpServers::new(addresses.collect(), limits, clock()).map_err(|error| error.to_string())
}

/// What the core judges calls by. `metrics` are told how long servers take.
///
/// # Errors
/// A server, the host of the context or a schema of the catalogue cannot be used. What is wrong.
pub fn current(
    configuration: &Configuration,
    keys: Arc<KeyRing>,
    metrics: &Metrics,
) -> Result<Current, String> {
    let catalogue = &configuration.catalogue;
    let policy = Policy::new((**catalogue).clone(), catalogue.hash());
    let limits = &configuration.limits;
    let settings = gateway::Settings {
        elicitation_timeout: millis(configuration.elicitation_timeout),
        run_ttl: millis(configuration.run_ttl),
        run_idle: millis(configuration.run_idle),
        replay_ttl: millis(configuration.replay_ttl),
        node: configuration.node.clone(),
        upstreams: configuration.upstreams.clone(),
        servers: configuration
            .servers
            .iter()
            .map(|(name, server)| {
                let known = ServerSettings {
                    idempotent: server.idempotent,
                    timeout: server.timeout,
                };
                (name.clone(), known)
            })
            .collect(),
        arguments: bounds(configuration),
        questions_per_run: limits.questions_per_run,
        questions_per_agent: limits.questions_per_agent,
        runs: limits.runs,
        ..gateway::Settings::default()
    };
    let source: Option<Arc<dyn ContextSource>> = match &configuration.context_url {
        Some(url) => {
            let token = configuration.context_token.as_ref().map(secret);
            let host = ContextUrl::new(url, token.as_ref());
            Some(Arc::new(host.map_err(|error| error.to_string())?))
        }
        None => None,
    };
    Ok(Current {
        policy: policy.map_err(|error| error.to_string())?,
        keys,
        settings,
        servers: Arc::new(TimedServers::new(
            servers(configuration)?,
            metrics.clone(),
            clock(),
        )),
        context: ContextValues {
            fixed: configuration.context.clone(),
            source,
        },
    })
}

/// Who may do what. `keys` seal and digest.
pub fn access(configuration: &Configuration, keys: Arc<KeyRing>) -> Access {
    let agents = configuration.agents.iter();
    Access {
        agents: agents
            .map(|(agent, tokens)| (agent.clone(), tokens.iter().map(secret).collect()))
            .collect(),
        host_token: configuration.host_token.as_ref().map(secret),
        admin_token: configuration.admin_token.as_ref().map(secret),
        allowed_origins: configuration.allowed_origins.clone(),
        rate: configuration.rate.map(|rate| Rate {
            per_minute: rate.per_minute,
            burst: rate.burst,
        }),
        keys: Some(keys),
    }
}

/// What the process is started with.
pub fn settings(
    configuration: &Configuration,
    keys: Arc<KeyRing>,
    metrics: Metrics,
    hooks: Hooks,
) -> Settings {
    let limits = &configuration.limits;
    Settings {
        listen: configuration.listen,
        tls: configuration.tls.as_ref().map(|tls| TlsFiles {
            certificate: tls.certificate.clone(),
            key: tls.key.clone(),
        }),
        endpoint: EndpointSettings {
            message: bounds(configuration),
            elicitation_timeout: configuration.elicitation_timeout,
            sessions: limits.sessions,
            sessions_per_agent: limits.sessions_per_agent,
            calls_per_session: limits.calls_per_session,
            calls_per_agent: limits.calls_per_agent,
            streams_per_agent: limits.streams_per_agent,
            ..EndpointSettings::default()
        },
        limits: Limits {
            connections: limits.connections,
            behind_proxy: configuration.behind_proxy,
            ..Limits::default()
        },
        access: access(configuration, Arc::clone(&keys)),
        keys,
        randomness: Arc::new(SystemRandomness),
        clock: clock(),
        metrics,
        hooks,
    }
}

fn bounds(configuration: &Configuration) -> Bounds {
    Bounds {
        bytes: configuration.limits.body,
        depth: configuration.limits.depth,
    }
}

/// The keys of `gateway.yaml` that two configurations differ in and that a reload cannot apply:
/// the process is bound to them when it starts.
pub fn bound_keys(old: &Configuration, new: &Configuration) -> Vec<&'static str> {
    // All fields are named, so that a new one has to be put on one side or the other.
    let Configuration {
        catalogue: _,
        catalogue_file: _,
        servers: _,
        upstreams: _,
        agents: _,
        host_token: _,
        admin_token: _,
        keys: _,
        audit,
        elicitation_timeout,
        listen,
        context: _,
        context_url: _,
        context_token: _,
        store,
        tls,
        behind_proxy,
        run_ttl: _,
        run_idle: _,
        replay_ttl: _,
        node,
        rate: _,
        limits,
        allowed_origins: _,
    } = old;
    let configuration::Limits {
        body,
        depth,
        connections,
        sessions,
        sessions_per_agent,
        calls_per_session,
        calls_per_agent,
        streams_per_agent,
        runs: _,
        questions_per_run: _,
        questions_per_agent: _,
    } = limits;
    let bounds = &new.limits;
    let compared = [
        ("listen", *listen == new.listen),
        ("store", *store == new.store),
        ("audit", *audit == new.audit),
        ("node", *node == new.node),
        ("tls", *tls == new.tls),
        ("behind_proxy", *behind_proxy == new.behind_proxy),
        (
            "elicitation_timeout",
            *elicitation_timeout == new.elicitation_timeout,
        ),
        ("limits.body", *body == bounds.body),
        ("limits.depth", *depth == bounds.depth),
        ("limits.connections", *connections == bounds.connections),
        ("limits.sessions", *sessions == bounds.sessions),
        (
            "limits.sessions_per_agent",
            *sessions_per_agent == bounds.sessions_per_agent,
        ),
        (
            "limits.calls_per_session",
            *calls_per_session == bounds.calls_per_session,
        ),
        (
            "limits.calls_per_agent",
            *calls_per_agent == bounds.calls_per_agent,
        ),
        (
            "limits.streams_per_agent",
            *streams_per_agent == bounds.streams_per_agent,
        ),
    ];
    let changed = compared.iter().filter(|(_, is_same)| !is_same);
    changed.map(|(key, _)| *key).collect()
}
