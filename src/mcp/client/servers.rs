//! All servers, and the sessions with them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::{BoxFuture, join_all};
use reqwest::Client;
use tokio::sync::OnceCell;

use super::address::{AddressError, Limits, ServerAddress, parsed};
use super::answer::OwnKeys;
use super::connection::{Failure, client};
use super::peer::{Peer, Server};
use crate::gateway::{
    CallEnd, Era, ForwardedCall, Relay, Servers, ToolDefinition, Unavailable, UpstreamScope,
    UpstreamSession,
};
use crate::store::Millis;
use crate::text::quoted;

/// Tells the time, in milliseconds since 1970-01-01 UTC.
pub type Clock = Arc<dyn Fn() -> Millis + Send + Sync>;

/// How often sessions that are unused are looked for, in milliseconds.
const SWEEP: Millis = 60_000;

/// Scope and server of a session.
type Key = (String, String);

/// A session of the old era, or one that is being opened.
type Slot = Arc<OnceCell<Arc<Peer>>>;

/// The sessions that are open.
#[derive(Default)]
struct Sessions {
    slots: BTreeMap<Key, Slot>,
    /// When those that are unused were looked for last.
    swept: Millis,
}

impl Sessions {
    /// Takes out the sessions that are unused since `before`. They end when they are dropped.
    #[must_use]
    fn take_unused(&mut self, before: Millis) -> Vec<Slot> {
        let mut taken = Vec::new();
        self.slots.retain(|_, slot| {
            let is_taken = unused_since(slot).is_some_and(|since| since < before);
            if is_taken {
                taken.push(Arc::clone(slot));
            }
            !is_taken
        });
        taken
    }

    /// Takes out the session that is unused longest; none where all are in use.
    fn take_oldest(&mut self) -> Option<Slot> {
        let unused = self.slots.iter();
        let unused = unused.filter_map(|(key, slot)| Some((unused_since(slot)?, key)));
        let (_, key) = unused.min()?;
        let key = key.clone();
        self.slots.remove(&key)
    }
}

/// Since when a session is unused; none while somebody has it or opens it. To be asked under the
/// lock of all, by which alone it is given out.
fn unused_since(slot: &Slot) -> Option<Millis> {
    let peer = slot.get()?;
    let is_unused = Arc::strong_count(slot) == 1 && Arc::strong_count(peer) == 1;
    is_unused.then(|| peer.last_used())
}

/// The servers of `gateway.yaml`, over HTTP.
pub struct HttpServers {
    servers: BTreeMap<String, Arc<Server>>,
    sessions: Mutex<Sessions>,
    limits: Limits,
    clock: Clock,
}

impl HttpServers {
    /// Servers at these addresses. Nothing is connected yet.
    ///
    /// # Errors
    /// An address cannot be used.
    pub fn new(
        addresses: Vec<ServerAddress>,
        limits: Limits,
        clock: Clock,
    ) -> Result<Self, AddressError> {
        Self::with(addresses, limits, clock, OwnKeys::Stripped)
    }

    /// The same for an agent of ours, whose servers are gateways: what they say of themselves in
    /// results and errors is kept.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn of_agent(
        addresses: Vec<ServerAddress>,
        limits: Limits,
        clock: Clock,
    ) -> Result<Self, AddressError> {
        Self::with(addresses, limits, clock, OwnKeys::Kept)
    }

    fn with(
        addresses: Vec<ServerAddress>,
        limits: Limits,
        clock: Clock,
        own_keys: OwnKeys,
    ) -> Result<Self, AddressError> {
        let mut servers = BTreeMap::new();
        let mut clients: BTreeMap<bool, Client> = BTreeMap::new();
        for address in addresses {
            let name = address.name.clone();
            let parts = parsed(&address)?;
            let is_secure = parts.0.scheme() == "https";
            let client = match clients.get(&is_secure) {
                Some(client) => client.clone(),
                None => {
                    let client = client(is_secure).map_err(|problem| AddressError {
                        server: name.clone(),
                        problem: format!("no connections can be made: {problem}"),
                    })?;
                    clients.insert(is_secure, client.clone());
                    client
                }
            };
            let own_clock = Arc::clone(&clock);
            let server = Server::new(address, parts, client, limits, own_clock, own_keys);
            if servers.insert(name.clone(), Arc::new(server)).is_some() {
                return Err(AddressError {
                    server: name,
                    problem: "there are two of this name".to_owned(),
                });
            }
        }
        Ok(Self {
            servers,
            sessions: Mutex::default(),
            limits,
            clock,
        })
    }

    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the sessions that are unused for too long.
    fn sweep(&self) {
        let now = (self.clock)();
        let unused = {
            let mut sessions = self.sessions();
            if (0..SWEEP).contains(&now.saturating_sub(sessions.swept)) {
                return;
            }
            sessions.swept = now;
            sessions.take_unused(now.saturating_sub(self.limits.session_idle))
        };
        drop(unused);
    }

    /// The place of a session; none where there are too many, and all are in use.
    fn slot(&self, key: &Key) -> Option<Slot> {
        let mut sessions = self.sessions();
        if let Some(slot) = sessions.slots.get(key) {
            return Some(Arc::clone(slot));
        }
        let is_full = sessions.slots.len() >= self.limits.sessions;
        let unused = match is_full {
            true => Some(sessions.take_oldest()?),
            false => None,
        };
        let slot = Slot::default();
        sessions.slots.insert(key.clone(), Arc::clone(&slot));
        drop(sessions);
        drop(unused);
        Some(slot)
    }

    /// The session of a scope that is open already.
    fn open_session(&self, key: &Key) -> Option<Arc<Peer>> {
        let sessions = self.sessions();
        let session = sessions.slots.get(key)?.get()?;
        session.touch();
        Some(Arc::clone(session))
    }

    /// A session of the old era, opened once however many ask for it.
    async fn session(
        &self,
        key: &Key,
        server: &Arc<Server>,
        scope: &UpstreamScope,
    ) -> Result<Arc<Peer>, Failure> {
        let slot = self.slot(key).ok_or_else(|| {
            Failure::NeverSent(format!(
                "more than {} sessions are in use",
                self.limits.sessions
            ))
        })?;
        let opened = slot
            .get_or_try_init(|| async {
                let peer = Peer::new(Arc::clone(server), Era::Session, scope);
                peer.established().await?;
                Ok(Arc::new(peer))
            })
            .await;
        if opened.is_err() {
            let mut sessions = self.sessions();
            let is_same = |known: &Slot| Arc::ptr_eq(known, &slot);
            if slot.get().is_none() && sessions.slots.get(key).is_some_and(is_same) {
                sessions.slots.remove(key);
            }
        }
        opened.map(Arc::clone)
    }

    async fn open_in(
        &self,
        era: Era,
        key: &Key,
        server: &Arc<Server>,
        scope: &UpstreamScope,
    ) -> Result<Arc<Peer>, Failure> {
        match era {
            Era::Session => self.session(key, server, scope).await,
            Era::Stateless => {
                let peer = Peer::new(Arc::clone(server), Era::Stateless, scope);
                if server.serves(Era::Stateless) != Some(true) {
                    peer.discover().await?;
                }
                Ok(Arc::new(peer))
            }
        }
    }

    async fn opened(&self, name: &str, scope: &UpstreamScope) -> Result<Arc<Peer>, Unavailable> {
        let server = self.servers.get(name);
        let server =
            server.ok_or_else(|| Unavailable(format!("there is no server {}", quoted(name))))?;
        let unavailable = |failure: Failure| {
            Unavailable(format!("server {}: {}", quoted(name), failure.into_text()))
        };
        self.sweep();
        let key = (scope.key.clone(), name.to_owned());
        if let Some(session) = self.open_session(&key) {
            return Ok(session);
        }
        let other = match scope.era {
            Era::Session => Era::Stateless,
            Era::Stateless => Era::Session,
        };
        if server.serves(scope.era) != Some(false) {
            match self.open_in(scope.era, &key, server, scope).await {
                Ok(peer) => {
                    server.remember(scope.era, true);
                    return Ok(peer);
                }
                Err(failure @ Failure::NeverSent(_)) => return Err(unavailable(failure)),
                Err(first) => {
                    return match self.open_in(other, &key, server, scope).await {
                        Ok(peer) => {
                            server.remember(other, true);
                            // A server that hung, or whose connection broke, said nothing of what
                            // it serves.
                            if matches!(first, Failure::Status(..)) {
                                server.remember(scope.era, false);
                            }
                            Ok(peer)
                        }
                        Err(_) => Err(unavailable(first)),
                    };
                }
            }
        }
        let opened = self.open_in(other, &key, server, scope).await;
        if opened.is_err() {
            server.forget();
        }
        opened.map_err(unavailable)
    }
}

impl Servers for HttpServers {
    fn open<'a>(
        &'a self,
        server: &'a str,
        scope: &'a UpstreamScope,
    ) -> BoxFuture<'a, Result<Arc<dyn UpstreamSession>, Unavailable>> {
        Box::pin(async move {
            let peer = self.opened(server, scope).await?;
            Ok(peer as Arc<dyn UpstreamSession>)
        })
    }

    fn close<'a>(&'a self, scope_key: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let closed: Vec<Arc<Peer>> = {
                let mut sessions = self.sessions();
                let first = (scope_key.to_owned(), String::new());
                let keys: Vec<Key> = sessions
                    .slots
                    .range(first..)
                    .map(|(key, _)| key.clone())
                    .take_while(|(scope, _)| scope == scope_key)
                    .collect();
                let slots = keys.iter().filter_map(|key| sessions.slots.remove(key));
                slots
                    .filter_map(|slot| slot.get().map(Arc::clone))
                    .collect()
            };
            join_all(closed.iter().map(|peer| peer.close())).await;
        })
    }
}

impl UpstreamSession for Peer {
    fn tools(&self) -> BoxFuture<'_, Result<Arc<[ToolDefinition]>, Unavailable>> {
        Box::pin(async move {
            let definitions = self.definitions().await;
            let definitions = definitions.map_err(|failure| self.unavailable(failure))?;
            Ok(definitions.tools)
        })
    }

    fn call<'a>(&'a self, call: &'a ForwardedCall, relay: &'a dyn Relay) -> BoxFuture<'a, CallEnd> {
        Box::pin(async move {
            let end = self.forward(call, relay).await;
            self.touch();
            end
        })
    }
}
