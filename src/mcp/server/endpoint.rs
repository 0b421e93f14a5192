//! The endpoint: tells the eras apart, and keeps what both share.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::call::{Call, Channel};
use super::core::Core;
use super::exchange::{self, json, respond};
use super::mirror::{Header, header as header_of};
use super::observer::{Fault, Observer};
use super::params::Meta;
use super::session::Sessions;
use super::settings::{EndpointSettings, Now};
use super::shape::Final;
use crate::gateway::Era;
use crate::keys::{KeyRing, Randomness, TokenDigest};
use crate::mcp::wire::{
    ErrorCode, MCP_PROTOCOL_VERSION, Message, SERVER_INFO, Version, era_of, read_message,
    write_error, write_text,
};
use crate::store::Millis;

/// Whose request it is.
#[derive(Clone, Debug)]
pub struct Authenticated {
    /// The agent.
    pub agent: String,
    /// The digest of its token, which sessions are bound to.
    pub token: TokenDigest,
}

/// Whether an agent may make a request now; else how long to wait.
pub type Limiter = Arc<dyn Fn(&str) -> Result<(), Duration> + Send + Sync>;

/// The endpoint `/mcp`, without its authentication.
pub struct Endpoint {
    pub(super) core: Arc<dyn Core>,
    pub(super) settings: EndpointSettings,
    pub(super) randomness: Arc<dyn Randomness>,
    pub(super) observer: Arc<dyn Observer>,
    pub(super) sessions: Sessions,
    /// Told when the lists of tools may have changed.
    pub(super) changes: broadcast::Sender<()>,
    /// Calls in flight.
    pub(super) calls: TaskTracker,
    /// Cancelled when long streams have to end.
    pub(super) ending: CancellationToken,
    /// Streams for changes that are open.
    streams: Counts,
    /// Calls in flight, of each agent.
    in_flight: Counts,
    keys: ArcSwap<KeyRing>,
    limiter: Limiter,
    clock: Now,
}

impl Endpoint {
    /// An endpoint before a core. `keys` seal what clients carry; `limiter` is asked for each
    /// request.
    pub fn new(
        core: Arc<dyn Core>,
        settings: EndpointSettings,
        keys: Arc<KeyRing>,
        randomness: Arc<dyn Randomness>,
        observer: Arc<dyn Observer>,
        limiter: Limiter,
        clock: Now,
    ) -> Arc<Self> {
        let (changes, _) = broadcast::channel(16);
        Arc::new(Self {
            core,
            settings,
            randomness,
            observer,
            sessions: Sessions::default(),
            changes,
            calls: TaskTracker::new(),
            ending: CancellationToken::new(),
            streams: Counts::default(),
            in_flight: Counts::default(),
            keys: ArcSwap::new(keys),
            limiter,
            clock,
        })
    }

    pub(super) fn now(&self) -> Millis {
        (self.clock)()
    }

    pub(super) fn keys(&self) -> Arc<KeyRing> {
        self.keys.load_full()
    }

    /// Seals with other keys from now on.
    pub fn set_keys(&self, keys: Arc<KeyRing>) {
        self.keys.store(keys);
    }

    /// Tells clients that listen that their lists of tools may have changed.
    pub fn tools_changed(&self) {
        // Nobody may be listening.
        let _ = self.changes.send(());
    }

    /// How many sessions are open.
    pub fn open_sessions(&self) -> usize {
        self.sessions.len()
    }

    /// Ends the sessions that were idle for too long. To be called now and then.
    pub fn end_idle_sessions(self: &Arc<Self>) {
        let idle = Millis::try_from(self.settings.session_idle.as_millis());
        let before = self.now().saturating_sub(idle.unwrap_or(Millis::MAX));
        for session in self.sessions.remove_idle(before) {
            self.close_session(session);
        }
    }

    /// Ends the sessions of tokens that do not count any more.
    pub fn end_sessions_of_others(
        self: &Arc<Self>,
        still_counts: impl Fn(&str, &TokenDigest) -> bool,
    ) {
        let ended = self
            .sessions
            .remove_where(|session| !still_counts(&session.agent, &session.token));
        for session in ended {
            self.close_session(session);
        }
    }

    /// Ends long streams, and waits for the calls in flight.
    pub async fn drain(&self) {
        self.ending.cancel();
        self.calls.close();
        self.calls.wait().await;
    }

    /// Answers a `POST` with its body.
    pub async fn post(
        self: &Arc<Self>,
        who: &Authenticated,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Response<Body> {
        if let Some(refused) = self.refuse_media(headers) {
            return refused;
        }
        let message = match read_message(body, self.settings.message) {
            Ok(message) => message,
            Err(error) => {
                self.observer.faulted(Fault::Unreadable);
                let text = write_error(None, error.code(), &error.to_string(), None);
                return json(StatusCode::BAD_REQUEST, text);
            }
        };
        let (id, params) = match &message {
            Message::Request { id, params, .. } => (Some(id), *params),
            Message::Notification { params, .. } => (None, *params),
            Message::Response { .. } => (None, None),
        };
        let meta = match Meta::read(params) {
            Ok(meta) => meta,
            Err(wrong) => return self.refuse_params(id, wrong),
        };
        if let (Some(id), Err(wait)) = (id, (self.limiter)(&who.agent)) {
            self.observer.faulted(Fault::Rate);
            let text = "the agent makes more requests than it may";
            let text = write_error(Some(id), ErrorCode::Internal, text, None);
            let mut response = json(StatusCode::TOO_MANY_REQUESTS, text);
            let seconds = wait.as_secs().saturating_add(1);
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            return response;
        }
        match self.era_of_message(headers, &message, &meta) {
            Ok(Era::Stateless) => self.stateless(who, headers, message, meta).await,
            Ok(Era::Session) => self.in_session(who, headers, message, meta).await,
            Err(requested) => self.refuse_version(id, &requested),
        }
    }

    /// The era that a message speaks; else the version that is not served.
    fn era_of_message(
        &self,
        headers: &HeaderMap,
        message: &Message<'_>,
        meta: &Meta,
    ) -> Result<Era, String> {
        if meta.version.is_some() {
            return Ok(Era::Stateless);
        }
        let is = |name: &str| matches!(message, Message::Request { method, .. } if method == name);
        if is("initialize") {
            return Ok(Era::Session);
        }
        let Header::Once(version) = header_of(headers, MCP_PROTOCOL_VERSION) else {
            return Ok(Era::Session);
        };
        match era_of(version) {
            Some(era) => Ok(era),
            None => Err(version.to_owned()),
        }
    }

    /// Refuses a body that is no JSON, and a client that does not take what may come back.
    fn refuse_media(&self, headers: &HeaderMap) -> Option<Response<Body>> {
        let media = |name: header::HeaderName| -> Option<String> {
            let values: Vec<&str> = headers
                .get_all(name)
                .iter()
                .filter_map(|value| value.to_str().ok())
                .collect();
            (!values.is_empty()).then(|| values.join(",").to_ascii_lowercase())
        };
        let types = media(header::CONTENT_TYPE).unwrap_or_default();
        let status = if types.split(';').next().map(str::trim) != Some("application/json") {
            StatusCode::UNSUPPORTED_MEDIA_TYPE
        } else if media(header::ACCEPT).is_none_or(|accepted| {
            accepts(&accepted, "application", "json") && accepts(&accepted, "text", "event-stream")
        }) {
            return None;
        } else {
            StatusCode::NOT_ACCEPTABLE
        };
        self.observer.faulted(Fault::Protocol);
        let text = if status == StatusCode::NOT_ACCEPTABLE {
            "`Accept` must have application/json and text/event-stream"
        } else {
            "`Content-Type` must be application/json"
        };
        let text = write_error(None, ErrorCode::InvalidRequest, text, None);
        Some(json(status, text))
    }

    /// Params that are not as the protocol wants them.
    pub(super) fn refuse_params(
        &self,
        id: Option<&crate::mcp::wire::Id>,
        wrong: &str,
    ) -> Response<Body> {
        self.refuse_message(id, ErrorCode::InvalidParams, wrong, None)
    }

    /// A message that is refused with status 400 in either era.
    pub(super) fn refuse_message(
        &self,
        id: Option<&crate::mcp::wire::Id>,
        code: ErrorCode,
        wrong: &str,
        data: Option<&str>,
    ) -> Response<Body> {
        self.observer.faulted(Fault::Protocol);
        exchange::of_final(Final::error(id, Era::Stateless, code, wrong, data))
    }

    /// A version that is not served.
    pub(super) fn refuse_version(
        &self,
        id: Option<&crate::mcp::wire::Id>,
        requested: &str,
    ) -> Response<Body> {
        let data = format!(
            "{{\"supported\":[\"{}\"],\"requested\":{}}}",
            Version::NEWEST_STATELESS.as_str(),
            write_text(&requested.chars().take(64).collect::<String>())
        );
        let text = "this version of the protocol is not served";
        self.refuse_message(id, ErrorCode::UnsupportedVersion, text, Some(&data))
    }

    /// Runs a call on a task of its own, which a client that goes away does not end, and answers
    /// with what comes of it.
    pub(super) async fn run_call(
        &self,
        call: Call,
        channel: Channel,
        at_end: impl FnOnce() + Send + 'static,
    ) -> Response<Body> {
        let Channel {
            sender,
            receiver,
            gone,
        } = channel;
        // The call has a sender of its own: the events end with it.
        drop(sender);
        let session = call.relay.session.clone();
        let in_session = session.map(|session| session.calls.token());
        self.calls.spawn(async move {
            let _in_session = in_session;
            let _end = AtEnd(Some(at_end));
            call.run().await;
        });
        let settings = &self.settings;
        let gone = gone.drop_guard();
        respond(receiver, gone, settings.patience, settings.keep_alive).await
    }

    /// What the gateway calls itself.
    pub(super) fn server_info() -> String {
        format!(
            "{{\"name\":\"stalwart\",\"version\":\"{}\"}}",
            env!("CARGO_PKG_VERSION")
        )
    }

    /// The `_meta` of the gateway's own results in the new era.
    pub(super) fn own_meta() -> String {
        format!("{{\"{SERVER_INFO}\":{}}}", Self::server_info())
    }

    /// Counts a stream for changes; none where the agent has too many.
    pub(super) fn begin_listening(&self, agent: &str) -> Option<Counted> {
        self.streams.begin(agent, self.settings.streams_per_agent)
    }

    /// Counts a call; none where the agent has too many in flight.
    pub(super) fn begin_call(&self, agent: &str) -> Option<Counted> {
        self.in_flight.begin(agent, self.settings.calls_per_agent)
    }
}

/// How many of something each agent has.
#[derive(Clone, Default)]
pub(super) struct Counts(Arc<Mutex<BTreeMap<String, usize>>>);

impl Counts {
    fn begin(&self, agent: &str, most: usize) -> Option<Counted> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.get(agent).copied().unwrap_or_default();
        if count >= most {
            return None;
        }
        counts.insert(agent.to_owned(), count + 1);
        Some(Counted {
            agent: agent.to_owned(),
            counts: self.clone(),
        })
    }
}

/// Something that counts for an agent until it is dropped.
pub(super) struct Counted {
    agent: String,
    counts: Counts,
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.counts.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.agent) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                counts.remove(&self.agent);
            }
        }
    }
}

/// Does something when a call ends, even where it panics.
struct AtEnd<F: FnOnce()>(Option<F>);

impl<F: FnOnce()> Drop for AtEnd<F> {
    fn drop(&mut self) {
        if let Some(at_end) = self.0.take() {
            at_end();
        }
    }
}

/// Whether an `Accept` takes a media type.
pub(super) fn accepts(accepted: &str, kind: &str, subtype: &str) -> bool {
    accepted.split(',').any(|range| {
        let range = range.split(';').next().unwrap_or_default().trim();
        match range.split_once('/') {
            Some(("*", "*")) => true,
            Some((one, other)) => one == kind && (other == subtype || other == "*"),
            None => false,
        }
    })
}
