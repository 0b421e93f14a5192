//! The routes, and what holds for all of them: whose host and origin are let in, and how bodies
//! are read.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arc_swap::ArcSwap;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use axum::middleware::{self, Next};
use axum::routing::{any, delete, get, post};
use axum_server::tls_rustls::RustlsConfig;
use futures_util::StreamExt;
use serde_json::{Value, json};
use tower_http::catch_panic::CatchPanicLayer;

use super::access::Doors;
use super::metrics::Metrics;
use super::settings::{Hooks, TlsFiles};
use super::{administration, health, tls};
use crate::keys::KeyRing;
use crate::mcp::server::{Core, Endpoint, Fault, Observer};

/// What the routes share.
pub(super) struct App {
    pub core: Arc<dyn Core>,
    pub endpoint: Arc<Endpoint>,
    pub doors: Arc<ArcSwap<Doors>>,
    /// The keys of the start: digests of tokens stay comparable while others seal.
    pub token_keys: Arc<KeyRing>,
    pub hooks: Hooks,
    pub metrics: Metrics,
    pub is_draining: AtomicBool,
    pub message_bytes: usize,
    pub body_timeout: Duration,
    /// Whether only this machine comes in, and under its own names.
    pub is_local: bool,
    pub tls: Option<(TlsFiles, RustlsConfig)>,
    /// One reload at a time.
    pub reloading: tokio::sync::Mutex<()>,
}

impl App {
    /// Reads all anew. Where something is broken the old stays in force, and the text says why.
    pub(super) async fn reload(&self) -> Result<(), String> {
        let _one = self.reloading.lock().await;
        let result = self.reload_now().await;
        match &result {
            Ok(()) => tracing::info!("catalogue and configuration were read anew"),
            Err(error) => {
                tracing::error!(%error, "not reloaded: the old configuration stays in force");
            }
        }
        result
    }

    async fn reload_now(&self) -> Result<(), String> {
        // First: a broken certificate must not leave half of a new configuration in force.
        let certificate = match &self.tls {
            Some((files, _)) => Some(tls::read(files)?),
            None => None,
        };
        let access = (self.hooks.reload)().await?;
        if let (Some((_, running)), Some(certificate)) = (&self.tls, certificate) {
            running.reload_from_config(certificate);
        }
        if let Some(keys) = &access.keys {
            self.endpoint.set_keys(Arc::clone(keys));
        }
        let doors = Doors::new(&access, &self.token_keys, Some(&self.doors.load()));
        let doors = Arc::new(doors);
        self.doors.store(Arc::clone(&doors));
        self.endpoint
            .end_sessions_of_others(|agent, token| doors.still_counts(agent, token));
        self.endpoint.tools_changed();
        Ok(())
    }
}

/// All routes.
pub(super) fn router(app: Arc<App>) -> Router {
    let rollback = post(administration::rollback);
    Router::new()
        .route("/mcp", any(mcp))
        .route("/v1/runs", post(administration::mint))
        .route("/v1/runs/{id}", delete(administration::end_by_host))
        .route("/admin/runs/{id}/end", post(administration::end_by_admin))
        .route("/admin/runs/{id}/rollback", rollback.clone())
        .route("/admin/sessions/{id}/rollback", rollback)
        .route("/admin/agents/{agent}/clear", post(administration::clear))
        .route("/admin/reload", post(administration::reload))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .route("/metrics", get(health::metrics))
        .fallback(async || not_found())
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app),
            check_origin,
        ))
        .layer(CatchPanicLayer::custom(|_| {
            tracing::error!("a request ended in a fault of the gateway");
            failed(StatusCode::INTERNAL_SERVER_ERROR, "a fault of the gateway")
        }))
        .with_state(app)
}

/// `/mcp`, with any method.
async fn mcp(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    let (head, body) = request.into_parts();
    let headers = &head.headers;
    let who = app.doors.load().agent(headers, &app.token_keys);
    let Some(who) = who else {
        return unauthenticated(&app);
    };
    match head.method {
        Method::POST => match read_body(&app, headers, body, app.message_bytes).await {
            Ok(body) => app.endpoint.post(&who, headers, &body).await,
            Err(status) => {
                app.metrics.faulted(Fault::Unreadable);
                failed(status, "the body is too large, too slow, or broken")
            }
        },
        Method::GET => app.endpoint.get(&who, headers),
        Method::DELETE => {
            let mut pairs = head.uri.query().unwrap_or_default().split('&');
            let aborts = pairs.any(|pair| pair == "abort=1");
            app.endpoint.delete(&who, headers, aborts)
        }
        _ => {
            let mut response = failed(StatusCode::METHOD_NOT_ALLOWED, "the method is not served");
            let methods = HeaderValue::from_static("POST, GET, DELETE");
            response.headers_mut().insert(header::ALLOW, methods);
            response
        }
    }
}

/// Lets in requests whose `Origin`, where they have one, is allowed; and, where the gateway
/// listens on this machine alone, only those to a name of this machine. Else a page in a browser
/// could reach it under a name of its own (DNS rebinding).
async fn check_origin(State(app): State<Arc<App>>, request: Request, next: Next) -> Response<Body> {
    let allowed = {
        let doors = app.doors.load();
        let authority = request.uri().authority().map(Authority::as_str);
        is_let_in(
            request.headers(),
            authority,
            &doors.allowed_origins,
            app.is_local,
        )
    };
    if !allowed {
        app.metrics.faulted(Fault::Origin);
        return failed(
            StatusCode::FORBIDDEN,
            "this `Host` or `Origin` is not let in",
        );
    }
    next.run(request).await
}

fn is_let_in(
    headers: &HeaderMap,
    authority: Option<&str>,
    allowed_origins: &[String],
    is_local: bool,
) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().ok(),
        // HTTP/2 has the host in its pseudo-header.
        (None, _) => authority,
        (Some(_), Some(_)) => return false,
    };
    let is_local_host = host.is_some_and(is_of_this_machine);
    if is_local && !is_local_host {
        return false;
    }
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let origin = match (origins.next(), origins.next()) {
        (None, _) => return true,
        (Some(origin), None) => origin.to_str().ok(),
        (Some(_), Some(_)) => None,
    };
    let Some(origin) = origin else {
        return false;
    };
    if allowed_origins.iter().any(|allowed| allowed == origin) {
        return true;
    }
    // A page of the gateway's own host; elsewhere than on this machine nobody knows its scheme.
    let of_origin = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"));
    is_local && of_origin.is_some() && of_origin == host
}

/// Whether a host, with its port, is a name of this machine.
fn is_of_this_machine(host: &str) -> bool {
    let Ok(authority) = host.parse::<Authority>() else {
        return false;
    };
    let name = authority.host();
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || bare
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// Whether an address is reached from this machine alone.
pub(super) fn is_loopback(address: SocketAddr) -> bool {
    address.ip().is_loopback()
}

/// A body of at most so many bytes, within the time that there is.
pub(super) async fn read_body(
    app: &App,
    headers: &HeaderMap,
    body: Body,
    most: usize,
) -> Result<Vec<u8>, StatusCode> {
    let announced = headers.get(header::CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > most) {
        return Err(StatusCode::PAYLOAD_TOO_LARGE);
    }
    let read = async {
        let mut bytes = Vec::with_capacity(announced.unwrap_or(0));
        let mut chunks = body.into_data_stream();
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|_| StatusCode::BAD_REQUEST)?;
            if bytes.len() + chunk.len() > most {
                return Err(StatusCode::PAYLOAD_TOO_LARGE);
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    };
    tokio::time::timeout(app.body_timeout, read)
        .await
        .unwrap_or(Err(StatusCode::REQUEST_TIMEOUT))
}

/// A JSON answer.
pub(super) fn answer(status: StatusCode, body: &Value) -> Response<Body> {
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

/// A JSON answer that says what is wrong.
pub(super) fn failed(status: StatusCode, text: &str) -> Response<Body> {
    answer(status, &json!({"error": text}))
}

/// Nothing is there.
pub(super) fn not_found() -> Response<Body> {
    failed(StatusCode::NOT_FOUND, "there is nothing here")
}

/// No token, or one that does not count here.
pub(super) fn unauthenticated(app: &App) -> Response<Body> {
    app.metrics.faulted(Fault::Unauthenticated);
    let mut response = failed(StatusCode::UNAUTHORIZED, "a bearer token is wanted");
    let bearer = HeaderValue::from_static("Bearer");
    response
        .headers_mut()
        .insert(header::WWW_AUTHENTICATE, bearer);
    response
}
