//! The life of the process: start, signals, drain.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arc_swap::ArcSwap;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use axum_server::{Address, Handle, Server};
use thiserror::Error;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinHandle;

use super::access::Doors;
use super::connections::Limited;
use super::routes::{App, is_loopback, router};
use super::settings::{Limits, Settings};
use super::tls;
use crate::mcp::server::{Core, Endpoint, Limiter, Observer};
use crate::text::reason;

/// How often idle sessions are looked for.
const SWEEP: Duration = Duration::from_secs(30);

/// How long connections get to close once their calls are over.
const CLOSING: Duration = Duration::from_secs(1);

/// Why the process does not start.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StartError {
    /// It cannot listen there. The address, and what the system says.
    #[error("the gateway cannot listen on {0}: {1}")]
    Listen(SocketAddr, String),
    /// Certificate or key cannot be used. What is wrong.
    #[error("{0}")]
    Tls(String),
}

/// Starts the process around a gateway core.
#[derive(Clone, Copy, Debug)]
pub struct Service;

/// A process that serves.
pub struct RunningService {
    /// Where it listens.
    pub address: SocketAddr,
    app: Arc<App>,
    drain: Duration,
    handle: Handle<SocketAddr>,
    serving: JoinHandle<io::Result<()>>,
    sweeping: JoinHandle<()>,
}

impl Service {
    /// Listens and serves. To be called within a runtime.
    ///
    /// # Errors
    /// It cannot listen, or TLS cannot be set up.
    pub fn start(settings: Settings, core: Arc<dyn Core>) -> Result<RunningService, StartError> {
        let cannot = |error: io::Error| StartError::Listen(settings.listen, reason(&error));
        let tls = match &settings.tls {
            Some(files) => {
                let configuration = tls::read(files).map_err(StartError::Tls)?;
                let running = RustlsConfig::from_config(configuration);
                Some((files.clone(), running))
            }
            None => None,
        };
        let listener = TcpListener::bind(settings.listen).map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        let doors = Doors::new(&settings.access, &settings.keys, None);
        let doors = Arc::new(ArcSwap::from_pointee(doors));
        let limiter: Limiter = {
            let doors = Arc::clone(&doors);
            Arc::new(move |agent| doors.load().admit(agent))
        };
        let observer: Arc<dyn Observer> = Arc::new(settings.metrics.clone());
        let sealing = settings.access.keys.as_ref().unwrap_or(&settings.keys);
        let endpoint = Endpoint::new(
            Arc::clone(&core),
            settings.endpoint.clone(),
            Arc::clone(sealing),
            settings.randomness,
            observer,
            limiter,
            settings.clock,
        );
        let app = Arc::new(App {
            core,
            endpoint: Arc::clone(&endpoint),
            doors,
            token_keys: settings.keys,
            hooks: settings.hooks,
            metrics: settings.metrics,
            is_draining: AtomicBool::new(false),
            message_bytes: settings.endpoint.message.bytes,
            body_timeout: settings.limits.body_timeout,
            is_local: is_loopback(address) && !settings.limits.behind_proxy,
            tls: tls.clone(),
            reloading: tokio::sync::Mutex::new(()),
        });
        let routes = router(Arc::clone(&app)).into_make_service();
        let handle = Handle::new();
        let limited = Limited::new(settings.limits.connections);
        let server = axum_server::from_tcp(listener).map_err(cannot)?;
        let server = bounded(server, &settings.limits).handle(handle.clone());
        let serving = match tls {
            Some((_, configuration)) => {
                let acceptor = RustlsAcceptor::new(configuration)
                    .handshake_timeout(settings.limits.header_timeout)
                    .acceptor(limited);
                tokio::spawn(server.acceptor(acceptor).serve(routes))
            }
            None => tokio::spawn(server.acceptor(limited).serve(routes)),
        };
        let sweeping = tokio::spawn(async move {
            let mut ticks = tokio::time::interval(SWEEP);
            loop {
                ticks.tick().await;
                endpoint.end_idle_sessions();
            }
        });
        tracing::info!(%address, tls = app.tls.is_some(), "listening");
        Ok(RunningService {
            address,
            app,
            drain: settings.limits.drain,
            handle,
            serving,
            sweeping,
        })
    }
}

/// A server with the bounds of its connections.
fn bounded<A: Address>(mut server: Server<A>, limits: &Limits) -> Server<A> {
    let builder = server.http_builder();
    builder
        .http1()
        .header_read_timeout(limits.header_timeout)
        .max_buf_size(limits.header_bytes.max(8192));
    builder
        .http2()
        .max_header_list_size(u32::try_from(limits.header_bytes).unwrap_or(u32::MAX))
        .keep_alive_interval(Some(limits.body_timeout));
    server.first_request_timeout(limits.header_timeout)
}

impl RunningService {
    /// Reads catalogue and configuration anew, as SIGHUP does.
    ///
    /// # Errors
    /// They are broken, and the old ones stay in force. What is wrong.
    pub async fn reload(&self) -> Result<(), String> {
        self.app.reload().await
    }

    /// Tells clients that listen that their lists of tools may have changed.
    pub fn tools_changed(&self) {
        self.app.endpoint.tools_changed();
    }

    /// Ends the sessions that were idle for too long, as happens every 30 seconds.
    pub fn end_idle_sessions(&self) {
        self.app.endpoint.end_idle_sessions();
    }

    /// How many sessions are open.
    pub fn open_sessions(&self) -> usize {
        self.app.endpoint.open_sessions()
    }

    /// Serves until SIGTERM or SIGINT, and reloads on SIGHUP.
    ///
    /// # Errors
    /// Signals cannot be received.
    pub async fn until_signal(self) -> io::Result<()> {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut hang_up = signal(SignalKind::hangup())?;
        loop {
            tokio::select! {
                _ = terminate.recv() => break,
                _ = interrupt.recv() => break,
                _ = hang_up.recv() => {
                    // What is wrong was logged.
                    let _ = self.app.reload().await;
                }
            }
        }
        self.stop().await;
        Ok(())
    }

    /// Drains and stops: new calls are refused as `draining`, those in flight are waited for as
    /// long as there is time, then all connections are closed.
    pub async fn stop(self) {
        self.app.is_draining.store(true, Ordering::Relaxed);
        tracing::info!("draining");
        let drained = async {
            tokio::join!(self.app.core.drain(), self.app.endpoint.drain());
        };
        if tokio::time::timeout(self.drain, drained).await.is_err() {
            tracing::warn!("calls were still in flight when the time to drain was over");
        }
        self.handle.graceful_shutdown(Some(CLOSING));
        // It ends behind the last connection, or when the time is over.
        let _ = self.serving.await;
        self.sweeping.abort();
        tracing::info!("stopped");
    }
}
