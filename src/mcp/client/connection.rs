//! One HTTP client for all servers, and what failures of it mean.

use std::error::Error;
use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Client, Method, Response, Url};

use crate::text::visible;

/// Longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a connection is kept for the next request. Shorter than the five seconds after which
/// common servers close an idle one: a write that is sent into a closing connection is lost.
const IDLE_TIMEOUT: Duration = Duration::from_secs(4);

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// No connection came about: the server cannot have the request.
    NeverSent(String),
    /// It may have the request.
    Lost(String),
    /// It answered with this status, and with nothing that can be read.
    Status(u16, String),
}

impl Failure {
    /// What there is to tell.
    pub(super) fn into_text(self) -> String {
        match self {
            Self::NeverSent(text) | Self::Lost(text) | Self::Status(_, text) => text,
        }
    }
}

/// A server was silent for as long as it may.
pub(super) fn no_answer(limit: Duration) -> Failure {
    Failure::Lost(format!("no answer in {} seconds", limit.as_secs()))
}

/// A client of HTTP: no redirects, proxies, cookies or retries. `is_secure` says whether it has to reach
/// servers over TLS, and needs the certificates of this machine.
///
/// # Errors
/// The certificates cannot be used. What is wrong.
pub(crate) fn client(is_secure: bool) -> Result<Client, String> {
    // Whoever came first has installed the very same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = match is_secure {
        true => Client::builder(),
        false => Client::builder().tls_certs_only([]),
    };
    builder
        .user_agent(concat!("stalwart/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .no_proxy()
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_idle_timeout(IDLE_TIMEOUT)
        .build()
        .map_err(|error| cause(&error))
}

/// Sends a request once, and waits for the head of its answer.
pub(super) async fn send(
    client: &Client,
    method: Method,
    url: &Url,
    headers: HeaderMap,
    body: Option<String>,
) -> Result<Response, Failure> {
    let mut request = client.request(method, url.clone()).headers(headers);
    if let Some(body) = body {
        request = request.body(body);
    }
    request.send().await.map_err(|error| {
        if error.is_builder() {
            Failure::NeverSent(format!("the request cannot be made: {}", cause(&error)))
        } else if error.is_connect() {
            Failure::NeverSent(format!("no connection: {}", cause(&error)))
        } else {
            Failure::Lost(format!("the connection broke: {}", cause(&error)))
        }
    })
}

/// The innermost cause of an error, which names no address and no header.
pub(super) fn cause(error: &(dyn Error + 'static)) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    visible(&innermost.to_string())
}
