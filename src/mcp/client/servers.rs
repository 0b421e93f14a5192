//! All servers, and the sessions with them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

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

/// Scope and server of a session.
type Key = (String, String);

/// The servers of `gateway.yaml`, over HTTP.
pub struct HttpServers {
    servers: BTreeMap<String, Arc<Server>>,
    /// Sessions of the old era, and such as are being opened.
    sessions: Mutex<BTreeMap<Key, Arc<OnceCell<Arc<Peer>>>>>,
    limits: Limits,
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
            let clock = Arc::clone(&clock);
            let server = Server::new(address, parts, client, limits, clock, own_keys);
            if servers.insert(name.clone(), Arc::new(server)).is_some() {
                return Err(AddressError {
                    server: name,
                    problem: "there are two of this name".to_owned(),
                });
            }
        }
        Ok(Self {
            servers,
            sessions: Mutex::new(BTreeMap::new()),
            limits,
        })
    }

    fn slot(&self, key: &Key) -> Option<Arc<OnceCell<Arc<Peer>>>> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = sessions.get(key) {
            return Some(Arc::clone(slot));
        }
        if sessions.len() >= self.limits.sessions {
            return None;
        }
        let slot = Arc::new(OnceCell::new());
        sessions.insert(key.clone(), Arc::clone(&slot));
        Some(slot)
    }

    /// The session of a scope that is open already.
    fn open_session(&self, key: &Key) -> Option<Arc<Peer>> {
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.get(key)?.get().map(Arc::clone)
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
                "more than {} sessions are open",
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
            let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
            let is_same = |known: &Arc<OnceCell<_>>| Arc::ptr_eq(known, &slot);
            if slot.get().is_none() && sessions.get(key).is_some_and(is_same) {
                sessions.remove(key);
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
                let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
                let first = (scope_key.to_owned(), String::new());
                let keys: Vec<Key> = sessions
                    .range(first..)
                    .map(|(key, _)| key.clone())
                    .take_while(|(scope, _)| scope == scope_key)
                    .collect();
                let slots = keys.iter().filter_map(|key| sessions.remove(key));
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
        Box::pin(self.forward(call, relay))
    }
}
