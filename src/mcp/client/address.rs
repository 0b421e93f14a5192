//! Where a server is, and what is sent to it beside messages.

use std::fmt;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use thiserror::Error;
use zeroize::Zeroizing;

use crate::store::Millis;
use crate::text::quoted;

/// A server, as `gateway.yaml` names it.
#[derive(Clone)]
pub struct ServerAddress {
    /// Its name.
    pub name: String,
    /// Its endpoint: `http` or `https`.
    pub url: String,
    /// Headers that every request to it carries, and their values.
    pub headers: Vec<(String, Zeroizing<String>)>,
    /// Whether it does a write with the same idempotency key only once, so that a write may be
    /// sent again.
    pub idempotent: bool,
    /// How long it may take for anything but a call, whose time the call says.
    pub timeout: Duration,
}

impl fmt::Debug for ServerAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The values are secrets, and so may be parts of the address.
        let headers: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        formatter
            .debug_struct("ServerAddress")
            .field("name", &self.name)
            .field("headers", &headers)
            .field("idempotent", &self.idempotent)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

/// Why a server cannot be spoken to as it is configured.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("server {}: {problem}", quoted(.server))]
pub struct AddressError {
    /// The server's name.
    pub server: String,
    /// What is wrong, without the value of any header.
    pub problem: String,
}

/// Bounds of what a server may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of an answer, or of one event of a stream.
    pub answer_bytes: usize,
    /// Most bytes of all of a stream.
    pub stream_bytes: usize,
    /// Most levels of arrays and objects in a message.
    pub depth: usize,
    /// Most pages of a list of tools.
    pub pages: usize,
    /// Most tools of a server.
    pub tools: usize,
    /// Most sessions with all servers. Beyond it the one that was unused longest ends.
    pub sessions: usize,
    /// How long a session may be unused before it ends, in milliseconds. Longer than a client's
    /// session may be idle: a server may keep state in its own, which must not be lost under it.
    pub session_idle: Millis,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            answer_bytes: 8 << 20,
            stream_bytes: 64 << 20,
            depth: 128,
            pages: 100,
            tools: 5_000,
            sessions: 20_000,
            session_idle: 70 * 60_000,
        }
    }
}

/// Headers that say how a request is to be read: the gateway writes them itself.
const OWN_HEADERS: &[&str] = &[
    "accept",
    "connection",
    "content-length",
    "content-type",
    "cookie",
    "expect",
    "host",
    "keep-alive",
    "last-event-id",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The parsed endpoint and headers of an address.
pub(super) fn parsed(address: &ServerAddress) -> Result<(Url, HeaderMap), AddressError> {
    let error = |problem: String| AddressError {
        server: address.name.clone(),
        problem,
    };
    let url = Url::parse(&address.url).map_err(|_| error("its URL cannot be read".to_owned()))?;
    if !["http", "https"].contains(&url.scheme()) {
        return Err(error(
            "its URL begins with neither `http://` nor `https://`".to_owned(),
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(error(
            "its URL holds a password; write an `Authorization` header instead".to_owned(),
        ));
    }
    let mut headers = HeaderMap::new();
    for (name, value) in &address.headers {
        let parsed_name = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| error(format!("{} is no name of a header", quoted(name))))?;
        let text = parsed_name.as_str();
        if OWN_HEADERS.contains(&text) || text.starts_with("mcp-") {
            return Err(error(format!(
                "the header {} is the gateway's own",
                quoted(name)
            )));
        }
        let mut value = HeaderValue::from_str(value).map_err(|_| {
            error(format!(
                "the value of the header {} has characters that no header can have",
                quoted(name)
            ))
        })?;
        value.set_sensitive(true);
        if headers.insert(parsed_name, value).is_some() {
            return Err(error(format!("the header {} is there twice", quoted(name))));
        }
    }
    Ok((url, headers))
}
