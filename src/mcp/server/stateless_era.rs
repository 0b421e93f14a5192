//! The era without sessions: 2026-07-28.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, Response, StatusCode};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::call::{Call, Channel, caller_without, relay_of, request_of, unknown_run};
use super::endpoint::{Authenticated, Endpoint};
use super::exchange::{BUFFER, Event, empty, of_final, stream_of};
use super::mirror;
use super::observer::Fault;
use super::params::{CallParams, Meta};
use super::question::{can_be_asked, string};
use super::session_era::{is_true, named_run, tell_of_changes};
use super::shape::Final;
use crate::gateway::{Caller, Era};
use crate::json::Members;
use crate::mcp::wire::{
    CLIENT_CAPABILITIES, ErrorCode, Id, Message, PROTOCOL_VERSION, Version, era_of,
    write_notification,
};

/// The key of `_meta` that says which request a message on its stream belongs to.
const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// What a request says of itself.
struct Envelope {
    capabilities: String,
    /// The run that it names.
    named: Option<String>,
}

impl Endpoint {
    /// Answers a message of this era.
    pub(super) async fn stateless(
        self: &Arc<Self>,
        who: &Authenticated,
        headers: &HeaderMap,
        message: Message<'_>,
        meta: Meta,
    ) -> Response<Body> {
        let (id, method, params) = match message {
            Message::Request { id, method, params } => (id, method, params),
            // This era has no notifications of clients: closing the stream is what cancels.
            Message::Notification { .. } => return empty(StatusCode::ACCEPTED),
            Message::Response { .. } => {
                let text = "a client of this version answers within a request";
                return self.refuse_message(None, ErrorCode::InvalidRequest, text, None);
            }
        };
        let envelope = match self.envelope(headers, &id, &method, params, &meta) {
            Ok(envelope) => envelope,
            Err(refused) => return *refused,
        };
        match method.as_str() {
            "server/discover" => {
                let result = format!(
                    "{{\"supportedVersions\":[\"{}\"],\"capabilities\":{{\"tools\":\
                     {{\"listChanged\":true}}}},\"ttlMs\":0,\"cacheScope\":\"private\",\
                     \"_meta\":{}}}",
                    Version::NEWEST_STATELESS.as_str(),
                    Self::own_meta()
                );
                of_final(Final::own_result(&id, Era::Stateless, &result))
            }
            "tools/list" => match self.caller(who, &envelope).await {
                Ok(caller) => of_final(self.list(&caller, &id, params).await),
                Err(_) => {
                    let text = "no live run of this agent has the id that was given";
                    let data = "{\"stalwart\":{\"refused\":\"unknown_run\"}}";
                    self.refuse_message(Some(&id), ErrorCode::InvalidParams, text, Some(data))
                }
            },
            "tools/call" => {
                self.call_without_session(who, headers, id, params, &meta, &envelope)
                    .await
            }
            "subscriptions/listen" => self.listen(who, &id, params),
            _ => {
                let text = "the method is not served here";
                let code = ErrorCode::MethodNotFound;
                self.refuse_message(Some(&id), code, text, None)
            }
        }
    }

    /// What every request of this era carries, and its headers repeat.
    fn envelope(
        &self,
        headers: &HeaderMap,
        id: &Id,
        method: &str,
        params: Option<&str>,
        meta: &Meta,
    ) -> Result<Envelope, Box<Response<Body>>> {
        let invalid = |text: &str| Box::new(self.refuse_params(Some(id), text));
        let Some(version) = &meta.version else {
            return Err(invalid(&format!("`_meta` lacks `{PROTOCOL_VERSION}`")));
        };
        let Some(version) = string(version) else {
            return Err(invalid(&format!("`{PROTOCOL_VERSION}` is no string")));
        };
        let Some(capabilities) = &meta.capabilities else {
            return Err(invalid(&format!("`_meta` lacks `{CLIENT_CAPABILITIES}`")));
        };
        if !capabilities.starts_with('{') {
            return Err(invalid(&format!("`{CLIENT_CAPABILITIES}` is no object")));
        }
        // Before the version is judged: a client that contradicts itself is told so.
        if let Err(wrong) = mirror::check_envelope(headers, &version, method, params) {
            let code = ErrorCode::HeaderMismatch;
            return Err(Box::new(self.refuse_message(Some(id), code, &wrong, None)));
        }
        if era_of(&version) != Some(Era::Stateless) {
            return Err(Box::new(self.refuse_version(Some(id), &version)));
        }
        let named = named_run(headers, meta).map_err(invalid)?;
        Ok(Envelope {
            capabilities: capabilities.clone(),
            named,
        })
    }

    /// Who makes a request; and, where its run is not known, who would.
    async fn caller(&self, who: &Authenticated, envelope: &Envelope) -> Result<Caller, Caller> {
        let of = |run| {
            let can_be_asked = can_be_asked(&envelope.capabilities);
            caller_without(who, run, envelope.capabilities.clone(), can_be_asked)
        };
        let run = self.core.run_for(&who.agent, envelope.named.as_deref());
        run.await.map(of).map_err(|_| of(unknown_run()))
    }

    async fn call_without_session(
        self: &Arc<Self>,
        who: &Authenticated,
        headers: &HeaderMap,
        id: Id,
        params: Option<&str>,
        meta: &Meta,
        envelope: &Envelope,
    ) -> Response<Body> {
        let params = match CallParams::read(params, meta) {
            Ok(params) => params,
            Err(wrong) => return self.refuse_params(Some(&id), wrong),
        };
        if let Some(schema) = self.core.input_schema(&who.agent, &params.name) {
            let arguments = params.arguments.as_deref();
            let bounds = self.settings.message;
            if let Err(wrong) = mirror::check_arguments(headers, &schema, arguments, bounds) {
                let code = ErrorCode::HeaderMismatch;
                return self.refuse_message(Some(&id), code, &wrong, None);
            }
        }
        let (caller, unknown_run) = match self.caller(who, envelope).await {
            Ok(caller) => (caller, false),
            Err(caller) => (caller, true),
        };
        let channel = Channel::new();
        let tool = params.name.clone();
        // The client cancels by closing the stream.
        let cancelled = channel.gone.clone();
        let relay = relay_of(self, &channel, None, cancelled, meta, &tool);
        let call = Call {
            endpoint: Arc::clone(self),
            id,
            request: request_of(caller, &params, meta),
            params,
            relay,
            unknown_run,
            counted: self.begin_call(&who.agent),
        };
        self.run_call(call, channel, || ()).await
    }

    /// A long stream that tells of changes.
    fn listen(&self, who: &Authenticated, id: &Id, params: Option<&str>) -> Response<Body> {
        let members = params.and_then(|params| Members::read(params).ok().flatten());
        let wanted = members.and_then(|members| members.get("notifications"));
        let Some(Ok(Some(wanted))) = wanted.map(Members::read) else {
            return self.refuse_params(Some(id), "`params.notifications` is no object");
        };
        let wants_tools = is_true(wanted.get("toolsListChanged"));
        let Some(listening) = self.begin_listening(&who.agent) else {
            self.observer.faulted(Fault::Rate);
            return empty(StatusCode::SERVICE_UNAVAILABLE);
        };
        let (sender, receiver) = mpsc::channel(BUFFER);
        let gone = CancellationToken::new();
        let guard = gone.clone().drop_guard();
        let changes = self.changes.subscribe();
        let ending = self.ending.clone();
        let meta = format!("\"_meta\":{{\"{SUBSCRIPTION_ID}\":{}}}", id.as_json());
        let honoured = if wants_tools {
            "{\"toolsListChanged\":true}"
        } else {
            "{}"
        };
        let first = write_notification(
            "notifications/subscriptions/acknowledged",
            Some(&format!("{{\"notifications\":{honoured},{meta}}}")),
        );
        let id = id.clone();
        tokio::spawn(async move {
            let _listening = listening;
            let params = format!("{{{meta}}}");
            let told = async {
                if !wants_tools {
                    return std::future::pending().await;
                }
                let method = "notifications/tools/list_changed";
                let message = || write_notification(method, Some(&params));
                tell_of_changes(changes, &sender, message).await;
            };
            tokio::select! {
                () = gone.cancelled() => return,
                () = ending.cancelled() => {}
                () = told => {}
            }
            let last = Final::own_result(&id, Era::Stateless, &params);
            let _ = sender.send(Event::End(last)).await;
        });
        stream_of(Some(first), receiver, guard, self.settings.keep_alive)
    }
}
