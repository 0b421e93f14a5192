//! Who may do what: tokens are kept and compared as keyed digests alone.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, header};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use zeroize::Zeroizing;

use crate::keys::{KeyRing, TokenDigest};
use crate::mcp::server::Authenticated;

/// Tokens, origins and rates, as the configuration has them.
#[derive(Clone, Default)]
pub struct Access {
    /// The bearer tokens of each agent: several while they are rotated.
    pub agents: BTreeMap<String, Vec<Zeroizing<String>>>,
    /// The token that may mint runs; off where there is none.
    pub host_token: Option<Zeroizing<String>>,
    /// The token of the admin routes; off where there is none.
    pub admin_token: Option<Zeroizing<String>>,
    /// Origins of pages that may use the gateway.
    pub allowed_origins: Vec<String>,
    /// How often an agent may ask; as often as it likes where there is none.
    pub rate: Option<Rate>,
    /// Other keys to seal with; those of the start where there are none.
    pub keys: Option<Arc<KeyRing>>,
}

/// How often an agent may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Requests a minute, over time.
    pub per_minute: NonZeroU32,
    /// Requests at once.
    pub burst: NonZeroU32,
}

/// Names alone: tokens are not printed.
impl fmt::Debug for Access {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Access")
            .field("agents", &self.agents.keys())
            .field("allowed_origins", &self.allowed_origins)
            .field("rate", &self.rate)
            .finish_non_exhaustive()
    }
}

/// [`Access`], digested.
pub(super) struct Doors {
    agents: Vec<(TokenDigest, String)>,
    host: Option<TokenDigest>,
    admin: Option<TokenDigest>,
    pub(super) allowed_origins: Vec<String>,
    limiters: BTreeMap<String, (Rate, Arc<DefaultDirectRateLimiter>)>,
}

/// Whether a token opens a door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Door {
    /// There is none.
    Off,
    /// It does not.
    Closed,
    /// It does.
    Open,
}

impl Doors {
    /// Digests all tokens. An agent whose rate is as it was in `before` has used what it used.
    pub(super) fn new(access: &Access, ring: &KeyRing, before: Option<&Self>) -> Self {
        let mut agents = Vec::new();
        let mut limiters = BTreeMap::new();
        for (agent, tokens) in &access.agents {
            for token in tokens {
                agents.push((ring.token_digest(token), agent.clone()));
            }
            if let Some(rate) = access.rate {
                let known = before.and_then(|doors| doors.limiters.get(agent));
                let known = known.filter(|(known, _)| *known == rate);
                let limiter = known.map(|(_, limiter)| Arc::clone(limiter));
                let limiter = limiter.unwrap_or_else(|| {
                    let quota = Quota::per_minute(rate.per_minute).allow_burst(rate.burst);
                    Arc::new(RateLimiter::direct(quota))
                });
                limiters.insert(agent.clone(), (rate, limiter));
            }
        }
        let digest = |token: &Option<Zeroizing<String>>| {
            let token = token.as_ref();
            token.map(|token| ring.token_digest(token))
        };
        Self {
            agents,
            host: digest(&access.host_token),
            admin: digest(&access.admin_token),
            allowed_origins: access.allowed_origins.clone(),
            limiters,
        }
    }

    /// The agent whose token a request carries.
    pub(super) fn agent(&self, headers: &HeaderMap, ring: &KeyRing) -> Option<Authenticated> {
        let token = ring.token_digest(bearer(headers)?);
        let known = self.agents.iter().map(|(digest, agent)| (digest, agent));
        let agent = token.find(known)?.clone();
        Some(Authenticated { agent, token })
    }

    /// Whether a request carries the host's token.
    pub(super) fn host(&self, headers: &HeaderMap, ring: &KeyRing) -> Door {
        door(self.host.as_ref(), headers, ring)
    }

    /// Whether a request carries the admin's token.
    pub(super) fn admin(&self, headers: &HeaderMap, ring: &KeyRing) -> Door {
        door(self.admin.as_ref(), headers, ring)
    }

    /// Whether a token is still one of an agent's.
    pub(super) fn still_counts(&self, agent: &str, token: &TokenDigest) -> bool {
        let known = self.agents.iter().map(|(digest, agent)| (digest, agent));
        token.find(known).is_some_and(|owner| owner == agent)
    }

    /// Whether an agent may ask now; else how long it has to wait.
    pub(super) fn admit(&self, agent: &str) -> Result<(), Duration> {
        let Some((_, limiter)) = self.limiters.get(agent) else {
            return Ok(());
        };
        limiter
            .check()
            .map_err(|wait| wait.wait_time_from(DefaultClock::default().now()))
    }
}

fn door(token: Option<&TokenDigest>, headers: &HeaderMap, ring: &KeyRing) -> Door {
    let Some(token) = token else {
        return Door::Off;
    };
    let is_it = bearer(headers).is_some_and(|given| ring.token_digest(given).matches(token));
    if is_it { Door::Open } else { Door::Closed }
}

/// The one bearer token of a request.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}
