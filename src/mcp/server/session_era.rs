//! The era of `initialize` and sessions: 2025-03-26, 2025-06-18, 2025-11-25.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use tokio::sync::{broadcast, mpsc};
use tokio_util::sync::CancellationToken;

use super::call::{Call, Channel, caller_in, relay_of, request_of, unknown_run};
use super::endpoint::{Authenticated, Endpoint, accepts};
use super::exchange::{BUFFER, Event, empty, json, of_final, stream_of};
use super::mirror::{Header, header as header_of};
use super::observer::Fault;
use super::params::{CallParams, Meta};
use super::question::{can_be_asked, string};
use super::relay::cancelled_id;
use super::session::{Most, NewSession, Session};
use super::shape::Final;
use crate::gateway::Era;
use crate::json::Members;
use crate::mcp::wire::{
    ErrorCode, Id, MCP_PROTOCOL_VERSION, MCP_SESSION_ID, Message, Outcome, STALWART_RUN, Version,
    era_of, write_error, write_notification,
};

/// What may be wrong with the run that a request names.
pub(super) const TWO_RUNS: &str =
    "the header `Stalwart-Run` and `dev.stalwart/run-id` name different runs";

/// The run that a request names: in its `_meta` or in a header.
///
/// # Errors
/// Both name one, and not the same; or the header is no text.
pub(super) fn named_run(headers: &HeaderMap, meta: &Meta) -> Result<Option<String>, &'static str> {
    match (header_of(headers, STALWART_RUN), &meta.run) {
        (Header::Absent, run) => Ok(run.clone()),
        (Header::Once(run), None) => Ok(Some(run.to_owned())),
        (Header::Once(run), Some(other)) if run == other => Ok(Some(run.to_owned())),
        (Header::Once(_), Some(_)) => Err(TWO_RUNS),
        (Header::Unclear, _) => Err("the header `Stalwart-Run` stands twice, or is no text"),
    }
}

impl Endpoint {
    /// Answers a message of this era.
    pub(super) async fn in_session(
        self: &Arc<Self>,
        who: &Authenticated,
        headers: &HeaderMap,
        message: Message<'_>,
        meta: Meta,
    ) -> Response<Body> {
        if let Message::Request { id, method, params } = &message
            && method == "initialize"
        {
            return self.initialize(who, headers, id, *params, &meta).await;
        }
        let id = match &message {
            Message::Request { id, .. } => Some(id),
            _ => None,
        };
        let session = match self.session_of(who, headers, id) {
            Ok(session) => session,
            Err(refused) => return *refused,
        };
        match message {
            Message::Request { id, method, params } => {
                let named = match named_run(headers, &meta) {
                    Ok(named) => named,
                    Err(wrong) => return self.refuse_params(Some(&id), wrong),
                };
                let is_other_run = named.is_some() && named != session.named_run;
                self.request_in_session(session, id, &method, params, meta, is_other_run)
                    .await
            }
            Message::Notification { method, params } => {
                if method == "notifications/cancelled"
                    && let Some(id) = cancelled_id(params)
                {
                    session.cancel_call(&id);
                }
                empty(StatusCode::ACCEPTED)
            }
            Message::Response { id, outcome } => {
                if let Some(id) = id {
                    let result = match outcome {
                        Outcome::Result(result) => Some(result.to_owned()),
                        Outcome::Error(_) => None,
                    };
                    session.take_answer(&id, result);
                }
                empty(StatusCode::ACCEPTED)
            }
        }
    }

    /// The session that a request belongs to.
    fn session_of(
        &self,
        who: &Authenticated,
        headers: &HeaderMap,
        id: Option<&Id>,
    ) -> Result<Arc<Session>, Box<Response<Body>>> {
        let invalid =
            |text| Box::new(self.refuse_message(id, ErrorCode::InvalidRequest, text, None));
        let known = match header_of(headers, MCP_SESSION_ID) {
            Header::Absent => {
                return Err(invalid(
                    "the header `Mcp-Session-Id` is missing: initialize first",
                ));
            }
            Header::Unclear => {
                return Err(invalid(
                    "the header `Mcp-Session-Id` stands twice, or is no text",
                ));
            }
            Header::Once(session) => {
                self.sessions
                    .find(session, &who.agent, &who.token, self.now())
            }
        };
        let Some(session) = known else {
            self.observer.faulted(Fault::UnknownSession);
            let text = "there is no such session: initialize anew";
            let text = write_error(id, ErrorCode::InvalidRequest, text, None);
            return Err(Box::new(json(StatusCode::NOT_FOUND, text)));
        };
        match header_of(headers, MCP_PROTOCOL_VERSION) {
            Header::Absent => Ok(session),
            Header::Once(version) if era_of(version) == Some(Era::Session) => Ok(session),
            Header::Once(_) => Err(invalid(
                "the header `MCP-Protocol-Version` is no version with sessions",
            )),
            Header::Unclear => Err(invalid(
                "the header `MCP-Protocol-Version` stands twice, or is no text",
            )),
        }
    }

    async fn initialize(
        self: &Arc<Self>,
        who: &Authenticated,
        headers: &HeaderMap,
        id: &Id,
        params: Option<&str>,
        meta: &Meta,
    ) -> Response<Body> {
        let members = params.and_then(|params| Members::read(params).ok().flatten());
        let members = match &members {
            Some(members) => members,
            None => return self.refuse_params(Some(id), "`params` is missing"),
        };
        let Some(requested) = members.get("protocolVersion").and_then(string) else {
            return self.refuse_params(Some(id), "`params.protocolVersion` is no string");
        };
        let capabilities = members.get("capabilities").unwrap_or("{}");
        if !capabilities.starts_with('{') {
            return self.refuse_params(Some(id), "`params.capabilities` is no object");
        }
        let named = match named_run(headers, meta) {
            Ok(named) => named,
            Err(wrong) => return self.refuse_params(Some(id), wrong),
        };
        let run = match self.core.run_for(&who.agent, named.as_deref()).await {
            Ok(run) => run,
            Err(unknown) => {
                let data = "{\"stalwart\":{\"refused\":\"unknown_run\"}}";
                let code = ErrorCode::InvalidParams;
                return self.refuse_message(Some(id), code, &unknown.to_string(), Some(data));
            }
        };
        let version = Version::of_text(&requested)
            .filter(|version| version.era() == Era::Session)
            .unwrap_or(Version::NEWEST_SESSION);
        let mut random = [0; 32];
        if self.randomness.fill(&mut random).is_err() {
            let text = "the gateway has no random bytes for a session";
            let text = write_error(Some(id), ErrorCode::Internal, text, None);
            return json(StatusCode::INTERNAL_SERVER_ERROR, text);
        }
        let new = NewSession {
            id: hex::encode(random),
            agent: who.agent.clone(),
            token: who.token.clone(),
            run,
            named_run: named,
            version,
            capabilities: capabilities.to_owned(),
            // The version of March 2025 has no elicitation.
            can_be_asked: version != Version::V2025March && can_be_asked(capabilities),
        };
        let most = Most {
            of_all: self.settings.sessions,
            of_agent: self.settings.sessions_per_agent,
        };
        let Some((session, evicted)) = self.sessions.open(new, most, self.now()) else {
            self.observer.faulted(Fault::Rate);
            let text = "there are too many sessions, and none of the agent's can make room";
            let text = write_error(Some(id), ErrorCode::Internal, text, None);
            return json(StatusCode::SERVICE_UNAVAILABLE, text);
        };
        if let Some(evicted) = evicted {
            self.close_session(evicted);
        }
        self.observer.sessions(self.sessions.len());
        let result = format!(
            "{{\"protocolVersion\":\"{}\",\"capabilities\":{{\"tools\":{{\"listChanged\":true}}}},\
             \"serverInfo\":{}}}",
            session.version.as_str(),
            Self::server_info()
        );
        let mut response = of_final(Final::result(id, &result));
        if let Ok(value) = HeaderValue::from_str(&session.id) {
            response.headers_mut().insert(MCP_SESSION_ID, value);
        }
        response
    }

    async fn request_in_session(
        self: &Arc<Self>,
        session: Arc<Session>,
        id: Id,
        method: &str,
        params: Option<&str>,
        meta: Meta,
        is_other_run: bool,
    ) -> Response<Body> {
        match method {
            "ping" => of_final(Final::result(&id, "{}")),
            "tools/list" if is_other_run => {
                let text = "a session keeps the run that it was opened with";
                let data = "{\"stalwart\":{\"refused\":\"unknown_run\"}}";
                self.refuse_message(Some(&id), ErrorCode::InvalidParams, text, Some(data))
            }
            "tools/list" => {
                let last = self.list(&caller_in(&session), &id, params).await;
                of_final(last)
            }
            "tools/call" => {
                let params = match CallParams::read(params, &meta) {
                    Ok(params) => params,
                    Err(wrong) => return self.refuse_params(Some(&id), wrong),
                };
                self.call_in_session(session, id, params, &meta, is_other_run)
                    .await
            }
            _ => {
                let text = "the method is not served here";
                let code = ErrorCode::MethodNotFound;
                of_final(Final::error(Some(&id), Era::Session, code, text, None))
            }
        }
    }

    async fn call_in_session(
        self: &Arc<Self>,
        session: Arc<Session>,
        id: Id,
        params: CallParams,
        meta: &Meta,
        is_other_run: bool,
    ) -> Response<Body> {
        let Some(cancelled) = session.begin_call(&id, self.settings.calls_per_session) else {
            let text = "a request with this `id` is in flight, or too many are";
            return self.refuse_message(Some(&id), ErrorCode::InvalidRequest, text, None);
        };
        let mut caller = caller_in(&session);
        if is_other_run {
            caller.run = unknown_run();
        }
        let channel = Channel::new();
        let tool = params.name.clone();
        let relay = relay_of(
            self,
            &channel,
            Some(Arc::clone(&session)),
            cancelled,
            meta,
            &tool,
        );
        let call = Call {
            endpoint: Arc::clone(self),
            id: id.clone(),
            request: request_of(caller, &params, meta),
            params,
            relay,
            unknown_run: is_other_run,
            counted: self.begin_call(&session.agent),
        };
        let endpoint = Arc::clone(self);
        let at_end = move || session.end_call(&id, endpoint.now());
        self.run_call(call, channel, at_end).await
    }

    /// Answers a `GET`: the stream of a session, which tells of changes.
    pub fn get(self: &Arc<Self>, who: &Authenticated, headers: &HeaderMap) -> Response<Body> {
        if matches!(header_of(headers, MCP_SESSION_ID), Header::Absent) {
            return self.not_allowed();
        }
        let accepted = headers.get(header::ACCEPT).map(HeaderValue::to_str);
        let takes_events = match accepted {
            Some(Ok(accepted)) => accepts(&accepted.to_ascii_lowercase(), "text", "event-stream"),
            Some(Err(_)) => false,
            None => true,
        };
        if !takes_events {
            self.observer.faulted(Fault::Protocol);
            return empty(StatusCode::NOT_ACCEPTABLE);
        }
        let session = match self.session_of(who, headers, None) {
            Ok(session) => session,
            Err(refused) => return *refused,
        };
        let Some(listening) = self.begin_listening(&who.agent) else {
            self.observer.faulted(Fault::Rate);
            return empty(StatusCode::SERVICE_UNAVAILABLE);
        };
        let ends = session.begin_stream();
        let (sender, receiver) = mpsc::channel(BUFFER);
        let gone = CancellationToken::new();
        let guard = gone.clone().drop_guard();
        let changes = self.changes.subscribe();
        let ending = self.ending.clone();
        let endpoint = Arc::clone(self);
        tokio::spawn(async move {
            let _listening = listening;
            let message = write_notification("notifications/tools/list_changed", None);
            let told = tell_of_changes(changes, &sender, || message.clone());
            tokio::select! {
                () = ends.cancelled() => {}
                () = ending.cancelled() => {}
                () = gone.cancelled() => {}
                () = told => {}
            }
            session.end_stream(endpoint.now());
        });
        stream_of(None, receiver, guard, self.settings.keep_alive)
    }

    /// Answers a `DELETE`: ends a session. With `abort=1` it would undo the session's writes,
    /// which this build does not: the session is kept.
    pub fn delete(
        self: &Arc<Self>,
        who: &Authenticated,
        headers: &HeaderMap,
        aborts: bool,
    ) -> Response<Body> {
        if matches!(header_of(headers, MCP_SESSION_ID), Header::Absent) {
            return self.not_allowed();
        }
        let session = match self.session_of(who, headers, None) {
            Ok(session) => session,
            Err(refused) => return *refused,
        };
        if aborts {
            let text = "{\"error\":\"this build does not undo; the session is kept\"}";
            return json(StatusCode::NOT_IMPLEMENTED, text.to_owned());
        }
        if let Some(session) = self.sessions.remove(&session.id) {
            self.close_session(session);
        }
        empty(StatusCode::NO_CONTENT)
    }

    /// `GET` and `DELETE` are of sessions alone.
    fn not_allowed(&self) -> Response<Body> {
        self.observer.faulted(Fault::Protocol);
        let mut response = empty(StatusCode::METHOD_NOT_ALLOWED);
        let post = HeaderValue::from_static("POST");
        response.headers_mut().insert(header::ALLOW, post);
        response
    }

    /// Closes a session that was taken out: its questions end as of a client that is gone, and
    /// what was opened for it is closed behind its last call.
    pub(super) fn close_session(self: &Arc<Self>, session: Arc<Session>) {
        session.ended.cancel();
        self.observer.sessions(self.sessions.len());
        let endpoint = Arc::clone(self);
        tokio::spawn(async move {
            session.calls.close();
            session.calls.wait().await;
            let core = &endpoint.core;
            core.session_closed(&session.agent, &session.run, &session.id)
                .await;
        });
    }

    /// The list of a caller's tools.
    pub(super) async fn list(
        &self,
        caller: &crate::gateway::Caller,
        id: &Id,
        params: Option<&str>,
    ) -> Final {
        let members = params.and_then(|params| Members::read(params).ok().flatten());
        let error = |code, text: &str, data: Option<&str>| {
            Final::error(Some(id), caller.era, code, text, data)
        };
        if members.is_some_and(|members| members.get("cursor").is_some()) {
            let text = "there is no such cursor: the list has one page";
            return error(ErrorCode::InvalidParams, text, None);
        }
        let tools = self.core.tools_list(caller).await;
        let more = match caller.era {
            Era::Session => String::new(),
            Era::Stateless => format!(
                ",\"ttlMs\":0,\"cacheScope\":\"private\",\"_meta\":{}",
                Self::own_meta()
            ),
        };
        let result = format!("{{\"tools\":[{}]{more}}}", tools.join(","));
        Final::own_result(id, caller.era, &result)
    }
}

/// Sends a message for each change, until nobody reads them.
pub(super) async fn tell_of_changes(
    mut changes: broadcast::Receiver<()>,
    sender: &mpsc::Sender<Event>,
    message: impl Fn() -> String,
) {
    loop {
        match changes.recv().await {
            // Some were missed: one more tells all.
            Ok(()) | Err(broadcast::error::RecvError::Lagged(_)) => {}
            Err(broadcast::error::RecvError::Closed) => return,
        }
        if sender.send(Event::Message(message())).await.is_err() {
            return;
        }
    }
}

/// Whether a JSON text is `true`.
pub(super) fn is_true(text: Option<&str>) -> bool {
    text == Some("true")
}
