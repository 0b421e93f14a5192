//! The shop as an MCP server of both eras, on a port of this machine.
//!
//! It checks what it receives as a strict server would, so that what goes through the gateway is
//! seen to be fit for one. Tests have it behave badly by a [`Conduct`].

mod conduct;
mod endpoint;
mod session;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::shop::{ReceivedCall, Shop};
use endpoint::Endpoint;

pub use conduct::{Conduct, Manner, ServedEras};
pub use endpoint::ReceivedRequest;

/// How long calls may go on when the shop is stopped.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// A shop that listens.
pub struct ShopServer {
    address: SocketAddr,
    endpoint: Arc<Endpoint>,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl ShopServer {
    /// A shop of both eras that behaves well.
    ///
    /// # Errors
    /// The listener has no address.
    pub fn start(listener: TcpListener) -> io::Result<Self> {
        Self::start_with(listener, Conduct::default())
    }

    /// A shop for tests, which behaves as it is told.
    ///
    /// # Errors
    /// The listener has no address.
    pub fn start_with(listener: TcpListener, conduct: Conduct) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let endpoint = Arc::new(Endpoint::new(Shop::new(), conduct));
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let router = endpoint::router(Arc::clone(&endpoint));
        let task = tokio::spawn(async move {
            let served = axum::serve(listener, router);
            // A listener that fails has nothing to tell anybody.
            let _ = served
                .with_graceful_shutdown(stopped.cancelled_owned())
                .await;
        });
        Ok(Self {
            address,
            endpoint,
            stop,
            task,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its endpoint, as `gateway.yaml` names it.
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// The shop behind it.
    pub fn shop(&self) -> &Shop {
        self.endpoint.shop()
    }

    /// The calls that reached it, in order.
    pub fn received(&self) -> Vec<ReceivedCall> {
        self.endpoint.shop().received()
    }

    /// All HTTP requests that reached it, in order.
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        self.endpoint.requests()
    }

    /// Answers the calls that come from now on in this manner.
    pub fn set_manner(&self, manner: Manner) {
        self.endpoint.set_manner(manner);
    }

    /// Forgets all sessions.
    pub fn forget_sessions(&self) {
        self.endpoint.sessions().forget();
    }

    /// Stops it: calls that run have a second to end.
    pub async fn stop(mut self) {
        self.stop.cancel();
        if timeout(LAST_WAIT, &mut self.task).await.is_err() {
            self.task.abort();
        }
    }
}
