//! How long servers take for forwarded calls.

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use super::metrics::Metrics;
use crate::gateway::{
    CallEnd, ForwardedCall, Relay, Servers, ToolDefinition, Unavailable, UpstreamScope,
    UpstreamSession,
};
use crate::mcp::server::Now;

/// Servers whose calls are timed.
pub struct TimedServers<S> {
    servers: S,
    metrics: Metrics,
    clock: Now,
}

struct TimedSession {
    session: Arc<dyn UpstreamSession>,
    server: String,
    metrics: Metrics,
    clock: Now,
}

impl<S> TimedServers<S> {
    /// The same servers; `metrics` are told how long each forwarded call took.
    pub fn new(servers: S, metrics: Metrics, clock: Now) -> Self {
        Self {
            servers,
            metrics,
            clock,
        }
    }
}

impl<S: Servers> Servers for TimedServers<S> {
    fn open<'a>(
        &'a self,
        server: &'a str,
        scope: &'a UpstreamScope,
    ) -> BoxFuture<'a, Result<Arc<dyn UpstreamSession>, Unavailable>> {
        async move {
            let session = self.servers.open(server, scope).await?;
            let timed = TimedSession {
                session,
                server: server.to_owned(),
                metrics: self.metrics.clone(),
                clock: Arc::clone(&self.clock),
            };
            Ok(Arc::new(timed) as Arc<dyn UpstreamSession>)
        }
        .boxed()
    }

    fn close<'a>(&'a self, scope_key: &'a str) -> BoxFuture<'a, ()> {
        self.servers.close(scope_key)
    }
}

impl UpstreamSession for TimedSession {
    fn tools(&self) -> BoxFuture<'_, Result<Arc<[ToolDefinition]>, Unavailable>> {
        self.session.tools()
    }

    fn call<'a>(&'a self, call: &'a ForwardedCall, relay: &'a dyn Relay) -> BoxFuture<'a, CallEnd> {
        async move {
            let began = (self.clock)();
            let end = self.session.call(call, relay).await;
            let took = (self.clock)().saturating_sub(began).max(0);
            // A call that reached nobody says nothing of how long its server takes.
            if !matches!(end, CallEnd::NotForwarded(_)) {
                self.metrics.forwarded(&self.server, took);
            }
            end
        }
        .boxed()
    }
}
