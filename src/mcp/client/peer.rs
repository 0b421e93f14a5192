//! A server, and a session with it in the era that it serves.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, StatusCode, Url};
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::Sender;
use tokio::time::timeout;

use super::address::{Limits, ServerAddress};
use super::answer::OwnKeys;
use super::connection::{Failure, no_answer, send};
use super::definitions::{Definitions, Kept, Pages};
use super::exchange::{Answer, Answered, Exchange};
use super::servers::Clock;
use crate::gateway::{Era, Unavailable, UpstreamScope};
use crate::json::{Members, items, parse};
use crate::mcp::wire::{
    CLIENT_CAPABILITIES, CLIENT_INFO, ErrorCode, Id, MCP_METHOD, MCP_NAME, MCP_PROTOCOL_VERSION,
    MCP_SESSION_ID, PROTOCOL_VERSION, Version, encode_mirrored, with_meta, write_notification,
    write_request, write_text,
};
use crate::store::Millis;
use crate::text::{quoted, visible};

/// How long it is remembered which eras a server serves, in milliseconds.
const REMEMBERED: Millis = 600_000;
/// How long a message that wants no answer may take.
pub(super) const MESSAGE_TIMEOUT: Duration = Duration::from_secs(10);
/// How many sessions with a server are ended at once.
const ENDING_AT_ONCE: usize = 8;
/// Longest name of a session.
const LONGEST_SESSION: usize = 1_024;

/// A server.
pub(super) struct Server {
    pub(super) address: ServerAddress,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) client: Client,
    pub(super) limits: Limits,
    pub(super) clock: Clock,
    pub(super) own_keys: OwnKeys,
    served: Mutex<BTreeMap<Era, (Millis, bool)>>,
    /// Those of the stateless era, which has no sessions that they could differ in.
    definitions: Kept,
    next_id: AtomicU64,
    ending: Semaphore,
}

impl Server {
    pub(super) fn new(
        address: ServerAddress,
        (url, headers): (Url, HeaderMap),
        client: Client,
        limits: Limits,
        clock: Clock,
        own_keys: OwnKeys,
    ) -> Self {
        Self {
            address,
            url,
            headers,
            client,
            limits,
            clock,
            own_keys,
            served: Mutex::new(BTreeMap::new()),
            definitions: Kept::default(),
            next_id: AtomicU64::new(1),
            ending: Semaphore::new(ENDING_AT_ONCE),
        }
    }

    /// A number that no other request to the server has.
    pub(super) fn next_number(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }

    /// Whether it serves an era, where that was found out lately.
    pub(super) fn serves(&self, era: Era) -> Option<bool> {
        let served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, serves) = served.get(&era)?;
        let age = (self.clock)().saturating_sub(*at);
        (0..REMEMBERED).contains(&age).then_some(*serves)
    }

    /// Remembers whether it serves an era.
    pub(super) fn remember(&self, era: Era, serves: bool) {
        let now = (self.clock)();
        let mut served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        let known = served.get(&era);
        // What is known already does not grow old by being used.
        if known.is_none_or(|(at, known)| *known != serves || now.saturating_sub(*at) >= REMEMBERED)
        {
            served.insert(era, (now, serves));
        }
    }

    /// Forgets what it serves.
    pub(super) fn forget(&self) {
        let mut served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        served.clear();
    }

    /// The headers of every request.
    pub(super) fn headers(&self) -> HeaderMap {
        let mut headers = self.headers.clone();
        headers.insert(
            ACCEPT,
            HeaderValue::from_static("application/json, text/event-stream"),
        );
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers
    }

    fn session_headers(&self, established: &Established) -> HeaderMap {
        let mut headers = self.headers();
        headers.insert(
            HeaderName::from_static(MCP_PROTOCOL_VERSION),
            HeaderValue::from_static(established.version.as_str()),
        );
        if let Some(id) = &established.id {
            headers.insert(HeaderName::from_static(MCP_SESSION_ID), id.clone());
        }
        headers
    }

    /// Ends a session on the server, where it keeps one.
    async fn end_session(&self, established: &Established) {
        if established.id.is_none() {
            return;
        }
        let Ok(_permit) = self.ending.acquire().await else {
            return;
        };
        let mut headers = self.session_headers(established);
        headers.remove(CONTENT_TYPE);
        let sent = send(&self.client, Method::DELETE, &self.url, headers, None);
        // A server may refuse it, and forgets the session in its own time.
        let _ = timeout(MESSAGE_TIMEOUT, sent).await;
    }

    /// The same in the background, where there is a runtime for it.
    fn end_session_later(self: &Arc<Self>, established: Arc<Established>) {
        if let Ok(runtime) = Handle::try_current() {
            let server = Arc::clone(self);
            runtime.spawn(async move { server.end_session(&established).await });
        }
    }
}

/// A session of the old era, as the server opened it.
#[derive(Debug)]
pub(super) struct Established {
    /// Its name, where the server keeps sessions.
    pub(super) id: Option<HeaderValue>,
    pub(super) version: Version,
}

/// A session with a server. In the new era it is only what its requests have in common.
pub(super) struct Peer {
    pub(super) server: Arc<Server>,
    /// The era in which the server is spoken to.
    pub(super) era: Era,
    /// The caller's.
    pub(super) caller: Era,
    /// What the server is told that the client can do: a JSON object's text.
    pub(super) capabilities: String,
    /// Whether questions of the server's pass to the client.
    pub(super) elicitation: Option<String>,
    established: tokio::sync::Mutex<Option<Arc<Established>>>,
    definitions: Kept,
    last_used: AtomicI64,
}

/// A session that nobody uses any more ends on the server, whether its scope was closed, it was
/// unused for long, or the servers were replaced.
impl Drop for Peer {
    fn drop(&mut self) {
        if let Some(established) = self.established.get_mut().take() {
            self.server.end_session_later(established);
        }
    }
}

impl Peer {
    pub(super) fn new(server: Arc<Server>, era: Era, scope: &UpstreamScope) -> Self {
        let elicitation = elicitation(&scope.capabilities).filter(|_| scope.era == era);
        let capabilities = match &elicitation {
            Some(text) => format!("{{\"elicitation\":{text}}}"),
            None => "{}".to_owned(),
        };
        let last_used = AtomicI64::new((server.clock)());
        Self {
            server,
            era,
            caller: scope.era,
            capabilities,
            elicitation,
            established: tokio::sync::Mutex::new(None),
            definitions: Kept::default(),
            last_used,
        }
    }

    /// Notes that it is used now.
    pub(super) fn touch(&self) {
        self.last_used
            .store((self.server.clock)(), Ordering::Relaxed);
    }

    /// When it was used last.
    pub(super) fn last_used(&self) -> Millis {
        self.last_used.load(Ordering::Relaxed)
    }

    /// What is fit for an operator to read.
    pub(super) fn unavailable(&self, failure: Failure) -> Unavailable {
        Unavailable(format!(
            "server {}: {}",
            quoted(&self.server.address.name),
            failure.into_text()
        ))
    }

    /// Asks a server of the new era what it is.
    pub(super) async fn discover(&self) -> Result<(), Failure> {
        let mut answered = self.ask("server/discover", "{}").await?;
        if let Answer::Error { json, .. } = &answered.outcome
            && serves_newest(json)
        {
            // It may have looked at something else than the version that it names itself.
            answered = self.ask("server/discover", "{}").await?;
        }
        let result = match answered.outcome {
            Answer::Result(json) => json,
            Answer::Error { json, .. } => {
                return Err(refused("server/discover", answered.status, &json));
            }
        };
        let members = Members::read(&result).ok().flatten();
        let versions = members.and_then(|members| members.get("supportedVersions"));
        let versions = versions.and_then(|text| items(text).ok().flatten());
        let newest = write_text(Version::NEWEST_STATELESS.as_str());
        if versions.is_some_and(|versions| versions.contains(&newest.as_str())) {
            return Ok(());
        }
        Err(Failure::Status(
            answered.status.as_u16(),
            "it serves no version of the protocol that is known here".to_owned(),
        ))
    }

    /// The session of the old era, opened where there is none.
    pub(super) async fn established(&self) -> Result<Arc<Established>, Failure> {
        let mut established = self.established.lock().await;
        if let Some(established) = established.as_ref() {
            return Ok(Arc::clone(established));
        }
        let new = Arc::new(self.within(self.initialize()).await?);
        *established = Some(Arc::clone(&new));
        Ok(new)
    }

    /// A session that the server knows no longer is not used again.
    pub(super) async fn end(&self, ended: &Arc<Established>) {
        let mut established = self.established.lock().await;
        if established
            .as_ref()
            .is_some_and(|current| Arc::ptr_eq(current, ended))
        {
            *established = None;
        }
    }

    async fn initialize(&self) -> Result<Established, Failure> {
        let params = format!(
            "{{\"protocolVersion\":{},\"capabilities\":{},\"clientInfo\":{}}}",
            write_text(Version::NEWEST_SESSION.as_str()),
            self.capabilities,
            client_info()
        );
        let id = Id::of_number(self.server.next_number());
        let body = write_request(&id, "initialize", Some(&params));
        let answered = self
            .exchange(&id, self.server.headers(), body, None)
            .await?;
        let status = answered.status.as_u16();
        let result = match answered.outcome {
            Answer::Result(json) => json,
            Answer::Error { json, .. } => {
                return Err(refused("initialize", answered.status, &json));
            }
        };
        let members = Members::read(&result).ok().flatten();
        let version = members.and_then(|members| string(members.get("protocolVersion")?));
        let version = version.as_deref().and_then(Version::of_text);
        let Some(version) = version.filter(|version| version.era() == Era::Session) else {
            let text = "it serves no version of the protocol that is known here";
            return Err(Failure::Status(status, text.to_owned()));
        };
        let is_name = |id: &HeaderValue| {
            id.len() <= LONGEST_SESSION && id.as_bytes().iter().all(u8::is_ascii_graphic)
        };
        if answered.session.as_ref().is_some_and(|id| !is_name(id)) {
            let text = "the name of its session has characters that it must not have";
            return Err(Failure::Status(status, text.to_owned()));
        }
        let established = Established {
            id: answered.session,
            version,
        };
        let body = write_notification("notifications/initialized", None);
        if let Err(failure) = self.post(&established, body).await {
            self.server.end_session_later(Arc::new(established));
            return Err(failure);
        }
        Ok(established)
    }

    /// Sends a message that wants no answer.
    pub(super) async fn post(
        &self,
        established: &Established,
        body: String,
    ) -> Result<(), Failure> {
        let server = &self.server;
        let headers = self.session_headers(established);
        let sent = send(
            &server.client,
            Method::POST,
            &server.url,
            headers,
            Some(body),
        );
        let response = timeout(MESSAGE_TIMEOUT, sent)
            .await
            .map_err(|_| Failure::Lost("it does not take messages".to_owned()))??;
        if response.status().is_success() {
            return Ok(());
        }
        let status = response.status().as_u16();
        Err(Failure::Status(
            status,
            format!("it answered a notification with HTTP {status}"),
        ))
    }

    /// Ends the session on the server, where it keeps one.
    pub(super) async fn close(&self) {
        let Some(established) = self.established.lock().await.take() else {
            return;
        };
        self.server.end_session(&established).await;
    }

    pub(super) fn session_headers(&self, established: &Established) -> HeaderMap {
        self.server.session_headers(established)
    }

    /// The headers of a request of the new era.
    pub(super) fn stateless_headers(&self, method: &str, name: Option<&str>) -> HeaderMap {
        let mut headers = self.server.headers();
        headers.insert(
            HeaderName::from_static(MCP_PROTOCOL_VERSION),
            HeaderValue::from_static(Version::NEWEST_STATELESS.as_str()),
        );
        let mirrored = [(MCP_METHOD, Some(method)), (MCP_NAME, name)];
        for (header, text) in mirrored {
            let value = text.and_then(|text| HeaderValue::from_str(&encode_mirrored(text)).ok());
            if let Some(value) = value {
                headers.insert(HeaderName::from_static(header), value);
            }
        }
        headers
    }

    /// Keys of `_meta` that every request of the new era has, and their values.
    pub(super) fn stateless_meta(&self) -> [(&'static str, String); 3] {
        [
            (
                PROTOCOL_VERSION,
                write_text(Version::NEWEST_STATELESS.as_str()),
            ),
            (CLIENT_CAPABILITIES, self.capabilities.clone()),
            (CLIENT_INFO, client_info()),
        ]
    }

    pub(super) async fn exchange(
        &self,
        id: &Id,
        headers: HeaderMap,
        body: String,
        notices: Option<Sender<String>>,
    ) -> Result<Answered, Failure> {
        let server = &self.server;
        let exchange = Exchange {
            client: &server.client,
            url: &server.url,
            limits: server.limits,
            id,
            headers,
            body,
            is_resumable: self.era == Era::Session,
            notices,
        };
        exchange.run().await
    }

    /// A future that must end in the server's time.
    async fn within<T>(
        &self,
        future: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let limit = self.server.address.timeout;
        let outcome = timeout(limit, future).await;
        outcome.unwrap_or_else(|_| Err(no_answer(limit)))
    }

    /// A request that changes nothing, in the server's time. A session that has expired is opened
    /// anew, once.
    async fn ask(&self, method: &str, params: &str) -> Result<Answered, Failure> {
        let id = Id::of_number(self.server.next_number());
        if self.era == Era::Stateless {
            let meta = self.stateless_meta();
            let meta = meta.each_ref().map(|(key, value)| (*key, value.as_str()));
            let body = write_request(&id, method, Some(&with_meta(params, &meta)));
            let headers = self.stateless_headers(method, None);
            return self.within(self.exchange(&id, headers, body, None)).await;
        }
        let body = write_request(&id, method, Some(params));
        let mut is_second = false;
        loop {
            let established = self.established().await?;
            let headers = self.session_headers(&established);
            let answered = self
                .within(self.exchange(&id, headers, body.clone(), None))
                .await;
            if !has_expired(&established, &answered) {
                return answered;
            }
            self.end(&established).await;
            if std::mem::replace(&mut is_second, true) {
                return answered;
            }
        }
    }

    /// The server said that its tools changed.
    pub(super) fn definitions_changed(&self) {
        self.kept().change();
    }

    fn kept(&self) -> &Kept {
        match self.era {
            Era::Stateless => &self.server.definitions,
            Era::Session => &self.definitions,
        }
    }

    /// The tools as the server describes them, read at most a minute ago.
    pub(super) async fn definitions(&self) -> Result<Definitions, Failure> {
        let clock = self.server.clock.as_ref();
        let limit = self.server.address.timeout;
        let read = self.read_definitions();
        self.kept().get(clock, limit, read).await
    }

    async fn read_definitions(&self) -> Result<Definitions, Failure> {
        let unusable = |text: String| Failure::Status(StatusCode::OK.as_u16(), text);
        let limits = self.server.limits;
        let mut pages = Pages::default();
        let mut params = "{}".to_owned();
        for _ in 0..limits.pages {
            let answered = self.ask("tools/list", &params).await;
            if matches!(answered, Err(Failure::Status(..))) {
                // It may serve another era than it did.
                self.server.forget();
            }
            let answered = answered?;
            let result = match answered.outcome {
                Answer::Result(json) => json,
                Answer::Error { json, .. } => {
                    self.server.forget();
                    return Err(refused("tools/list", answered.status, &json));
                }
            };
            let members = Members::read(&result).ok().flatten();
            let Some((members, list)) =
                members.and_then(|members| members.get("tools").map(|list| (members, list)))
            else {
                return Err(unusable("its list of tools cannot be read".to_owned()));
            };
            pages
                .add(list, self.era, limits.tools)
                .map_err(|error| unusable(format!("its list of tools is not used: {error}")))?;
            match members.get("nextCursor").filter(|text| *text != "null") {
                None => return Ok(pages.definitions()),
                Some(cursor) => params = format!("{{\"cursor\":{cursor}}}"),
            }
        }
        Err(unusable(format!(
            "its list of tools has more than {} pages",
            limits.pages
        )))
    }
}

/// Whether an answer says that the session is over: from then on all of it would be refused. Some
/// servers say so with another status than 404.
pub(super) fn has_expired(established: &Established, answered: &Result<Answered, Failure>) -> bool {
    let status = match answered {
        Ok(answered) => match answered.outcome {
            Answer::Error {
                is_named: false, ..
            } => answered.status.as_u16(),
            _ => return false,
        },
        Err(Failure::Status(status, _)) => *status,
        Err(_) => return false,
    };
    established.id.is_some() && matches!(status, 400 | 404 | 410)
}

/// What a refused request of the gateway's own is called.
fn refused(method: &str, status: StatusCode, error: &str) -> Failure {
    let members = Members::read(error).ok().flatten();
    let message = members.and_then(|members| string(members.get("message")?));
    Failure::Status(
        status.as_u16(),
        format!(
            "it refused `{method}`: {}",
            visible(&message.unwrap_or_default())
        ),
    )
}

/// Whether an error says that the version is not supported, and names the very version that is
/// spoken as one that is.
fn serves_newest(error: &str) -> bool {
    let named = || {
        let error = Members::read(error).ok()??;
        let is_of_version =
            error.get("code")? == ErrorCode::UnsupportedVersion.number().to_string();
        let data = Members::read(error.get("data")?).ok()??;
        let supported = items(data.get("supported")?).ok()??;
        let newest = write_text(Version::NEWEST_STATELESS.as_str());
        Some(is_of_version && supported.contains(&newest.as_str()))
    };
    named().unwrap_or(false)
}

/// The text of the client's `elicitation` capability: the only one that passes.
fn elicitation(capabilities: &str) -> Option<String> {
    let members = Members::read(capabilities).ok().flatten()?;
    let text = members.get("elicitation")?;
    text.starts_with('{').then(|| text.to_owned())
}

/// What the gateway calls itself.
fn client_info() -> String {
    format!(
        "{{\"name\":\"stalwart\",\"version\":{}}}",
        write_text(env!("CARGO_PKG_VERSION"))
    )
}

/// A JSON string behind its escapes.
fn string(text: &str) -> Option<String> {
    match parse(text.as_bytes()) {
        Ok(Value::String(string)) => Some(string),
        _ => None,
    }
}
