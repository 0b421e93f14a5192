//! A call on its way: the answer, what the server says and asks meanwhile, the client's cancel and
//! the time that is left.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use super::answer::lost;
use super::connection::{Failure, no_answer};
use super::exchange::Answered;
use super::mirrored::mirror;
use super::peer::{Established, Peer, has_expired};
use crate::gateway::{CallEnd, Era, ForwardedCall, Relay, RelayError, ServerQuestion, Unavailable};
use crate::json::{Bounds, Members};
use crate::mcp::wire::{
    CLIENT_CAPABILITIES, CLIENT_INFO, ErrorCode, IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_ALIAS, Id, META,
    Message, PROGRESS_TOKEN, PROTOCOL_VERSION, is_own_key, read_message, without_own_meta,
    write_error, write_notification, write_request, write_result, write_text,
};
use crate::store::Millis;

/// Notifications and requests of a server that may wait to be looked at.
const WAITING_NOTICES: usize = 16;
/// How long the client may take to take a notification; then it is dropped.
const NOTIFY_TIMEOUT: Duration = Duration::from_secs(5);
/// What a request says of the level of messages that it wants, which pass only where exposed.
const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

/// What goes on beside the exchange.
enum Errand {
    /// The client answered the server's question.
    Asked(Id, Result<String, RelayError>),
    /// A message was sent, or could not be.
    Sent,
}

/// How an attempt ended.
enum Attempt {
    Over(CallEnd),
    Answered(Result<Answered, Failure>),
}

/// A call as it goes over the wire.
struct Outgoing {
    id: Id,
    body: String,
    headers: HeaderMap,
    /// The client's token for progress, and that which the server was given for it.
    token: Option<(String, String)>,
    established: Option<Arc<Established>>,
}

impl Peer {
    /// Forwards a call.
    pub(super) async fn forward(&self, call: &ForwardedCall, relay: &dyn Relay) -> CallEnd {
        let mut is_second = false;
        loop {
            let outgoing = match self.outgoing(call).await {
                Ok(outgoing) => outgoing,
                Err(failure) if is_second => return CallEnd::Lost(self.unavailable(failure)),
                // Until here nothing of the call was sent.
                Err(failure) => return CallEnd::NotForwarded(self.unavailable(failure)),
            };
            if relay.cancellation().is_cancelled() && !is_second {
                let text = "the call was cancelled before it was sent".to_owned();
                return CallEnd::NotForwarded(Unavailable(text));
            }
            let answered = match self.attempt(&outgoing, call, relay).await {
                Attempt::Over(end) => return end,
                Attempt::Answered(answered) => answered,
            };
            if let Some(established) = &outgoing.established
                && has_expired(established, &answered)
            {
                self.end(established).await;
                let is_read = call.idempotency_key.is_none();
                let may_repeat = is_read || self.server.address.idempotent;
                let is_unknown = match &answered {
                    Ok(answered) => answered.status == StatusCode::NOT_FOUND,
                    Err(failure) => matches!(failure, Failure::Status(404, _)),
                };
                let is_first = !std::mem::replace(&mut is_second, true);
                if is_first && may_repeat && is_unknown {
                    continue;
                }
            }
            return match answered {
                Ok(answered) => self.end_of_call(answered.outcome),
                Err(Failure::NeverSent(text)) if !is_second => {
                    CallEnd::NotForwarded(self.unavailable(Failure::NeverSent(text)))
                }
                Err(failure) => CallEnd::Lost(self.unavailable(failure)),
            };
        }
    }

    async fn outgoing(&self, call: &ForwardedCall) -> Result<Outgoing, Failure> {
        let number = self.server.next_number();
        let id = Id::of_number(number);
        let known = call.meta.as_deref().map(Members::read);
        let known = known.and_then(Result::ok).flatten();
        let token = known.as_ref().and_then(|meta| meta.get(PROGRESS_TOKEN));
        let token = token.map(|token| (token.to_owned(), format!("\"call-{number}\"")));
        let mut added: Vec<(&str, String)> = Vec::new();
        if let Some((_, token)) = &token {
            added.push((PROGRESS_TOKEN, token.clone()));
        }
        if let Some(key) = &call.idempotency_key {
            added.push((IDEMPOTENCY_KEY, write_text(key)));
            added.push((IDEMPOTENCY_KEY_ALIAS, write_text(key)));
        }
        let mut established = None;
        let headers = match self.era {
            Era::Session => {
                let session = self.established().await?;
                let headers = self.session_headers(&session);
                established = Some(session);
                headers
            }
            Era::Stateless => {
                added.extend(self.stateless_meta());
                let mut headers = self.stateless_headers("tools/call", Some(&call.tool));
                let definitions = self.definitions().await?;
                if let Some(mirrored) = definitions.mirrored.get(&call.tool) {
                    mirror(mirrored, &call.arguments, &mut headers).map_err(Failure::NeverSent)?;
                }
                headers
            }
        };
        let added: Vec<(&str, &str)> = added
            .iter()
            .map(|(key, value)| (*key, value.as_str()))
            .collect();
        let mut params = format!(
            "{{\"name\":{},\"arguments\":{}",
            write_text(&call.tool),
            call.arguments
        );
        if let Some(answers) = call.answers.as_ref().filter(|_| self.era == Era::Stateless) {
            params.push_str(",\"inputResponses\":");
            params.push_str(&answers.responses);
            if let Some(state) = &answers.state {
                params.push_str(",\"requestState\":");
                params.push_str(state);
            }
        }
        let meta = meta(call.meta.as_deref(), &added);
        if let Some(meta) = meta {
            params.push_str(&format!(",\"{META}\":{meta}"));
        }
        params.push('}');
        Ok(Outgoing {
            body: write_request(&id, "tools/call", Some(&params)),
            id,
            headers,
            token,
            established,
        })
    }

    /// Sends a call once, and serves the server and the client until it is over.
    async fn attempt(
        &self,
        outgoing: &Outgoing,
        call: &ForwardedCall,
        relay: &dyn Relay,
    ) -> Attempt {
        let (sender, mut notices) = mpsc::channel(WAITING_NOTICES);
        let mut exchange = pin!(self.exchange(
            &outgoing.id,
            outgoing.headers.clone(),
            outgoing.body.clone(),
            Some(sender),
        ));
        let mut time = pin!(sleep(call.timeout));
        let mut errands: FuturesUnordered<BoxFuture<'_, Errand>> = FuturesUnordered::new();
        let cancellation = relay.cancellation();
        let mut is_told = false;
        // Since when a question of the server's is open: a person's time is not the server's.
        let mut asked_at: Option<Millis> = None;
        loop {
            tokio::select! {
                biased;
                Some(text) = notices.recv() => {
                    let errand = self.notice(&text, outgoing, relay, asked_at.is_some()).await;
                    match errand {
                        Some((errand, is_question)) => {
                            if is_question {
                                asked_at = Some((self.server.clock)());
                            }
                            errands.push(errand);
                        }
                        None => continue,
                    }
                }
                answered = &mut exchange => {
                    while let Ok(text) = notices.try_recv() {
                        // The answers to what the server asked before would come too late.
                        let _ = self.notice(&text, outgoing, relay, true).await;
                    }
                    return Attempt::Answered(answered);
                }
                Some(errand) = errands.next(), if !errands.is_empty() => match errand {
                    Errand::Sent => {}
                    Errand::Asked(id, result) => {
                        if let Some(since) = asked_at.take() {
                            let waited = (self.server.clock)().saturating_sub(since);
                            let waited = Duration::from_millis(u64::try_from(waited).unwrap_or(0));
                            let end = time.deadline() + waited;
                            time.as_mut().reset(end);
                        }
                        let body = match result {
                            Ok(result) => write_result(&id, &result),
                            Err(error) => {
                                write_error(Some(&id), ErrorCode::Internal, &error.to_string(), None)
                            }
                        };
                        errands.extend(self.sent(outgoing, body));
                    }
                },
                () = cancellation.cancelled(), if !is_told => {
                    is_told = true;
                    match &outgoing.established {
                        None => {
                            let text = "the call was cancelled, and its stream closed";
                            return Attempt::Over(lost(text));
                        }
                        Some(_) => {
                            let body = cancelled(&outgoing.id, "the client cancelled the call");
                            errands.extend(self.sent(outgoing, body));
                        }
                    }
                }
                () = &mut time, if asked_at.is_none() => {
                    if let Some(established) = &outgoing.established {
                        let body = cancelled(&outgoing.id, "no answer in time");
                        let _ = timeout(Duration::from_secs(1), self.post(established, body)).await;
                    }
                    return Attempt::Answered(Err(no_answer(call.timeout)));
                }
            }
        }
    }

    /// A message to the session on the way; none in the new era, which has no such messages.
    fn sent<'a>(&'a self, outgoing: &'a Outgoing, body: String) -> Option<BoxFuture<'a, Errand>> {
        let established = outgoing.established.as_ref()?;
        Some(Box::pin(async move {
            // What cannot be told to the server ends with the call's time.
            let _ = self.post(established, body).await;
            Errand::Sent
        }))
    }

    /// Looks at a notification or a request of the server's; what is to be done for it, and
    /// whether that is a question to the client.
    async fn notice<'a>(
        &'a self,
        text: &str,
        outgoing: &'a Outgoing,
        relay: &'a dyn Relay,
        has_question: bool,
    ) -> Option<(BoxFuture<'a, Errand>, bool)> {
        let limits = self.server.limits;
        let bounds = Bounds {
            bytes: limits.answer_bytes,
            depth: limits.depth,
        };
        let (id, method, params) = match read_message(text.as_bytes(), bounds) {
            Ok(Message::Notification { method, params }) => (None, method, params),
            Ok(Message::Request { id, method, params }) => (Some(id), method, params),
            _ => return None,
        };
        let params = params.unwrap_or("{}");
        let Some(id) = id else {
            match method.as_str() {
                "notifications/progress" => {
                    if let Some(params) = progress(params, outgoing.token.as_ref()) {
                        let told = relay.notify(&method, &params);
                        let _ = timeout(NOTIFY_TIMEOUT, told).await;
                    }
                }
                "notifications/tools/list_changed" => self.definitions_changed(),
                _ => {}
            }
            return None;
        };
        let body = match method.as_str() {
            "ping" => write_result(&id, "{}"),
            "elicitation/create" => match self.question(params, has_question) {
                Ok(params) => {
                    let question = ServerQuestion { method, params };
                    let asked = relay.ask(question);
                    return Some((
                        Box::pin(async move { Errand::Asked(id, asked.await) }),
                        true,
                    ));
                }
                Err((code, message)) => write_error(Some(&id), code, message, None),
            },
            _ => write_error(Some(&id), ErrorCode::MethodNotFound, "no such method", None),
        };
        Some((self.sent(outgoing, body)?, false))
    }

    /// The params of a question that may pass to the client.
    fn question(
        &self,
        params: &str,
        has_question: bool,
    ) -> Result<String, (ErrorCode, &'static str)> {
        let no_method = (ErrorCode::MethodNotFound, "the client cannot be asked");
        if self.era == Era::Stateless {
            return Err(no_method);
        }
        let elicitation = self.elicitation.as_deref().ok_or(no_method)?;
        let members = Members::read(params).ok().flatten();
        let mode = members.and_then(|members| members.get("mode"));
        let modes = Members::read(elicitation).ok().flatten();
        let has_mode = |mode: &str| {
            modes
                .as_ref()
                .is_some_and(|modes| modes.get(mode).is_some())
        };
        let is_declared = match mode {
            None | Some("\"form\"") => has_mode("form") || !has_mode("url"),
            Some("\"url\"") => has_mode("url"),
            Some(_) => false,
        };
        if !is_declared {
            let message = "the client cannot be asked in this mode";
            return Err((ErrorCode::InvalidParams, message));
        }
        if has_question {
            let message = "another question of this call is open";
            return Err((ErrorCode::Internal, message));
        }
        Ok(without_own_meta(params))
    }
}

/// The `_meta` of a forwarded call: the client's without what is the gateway's or the transport's,
/// and what is added.
fn meta(known: Option<&str>, added: &[(&str, &str)]) -> Option<String> {
    let drops = |key: &str| {
        let transport = [
            PROGRESS_TOKEN,
            PROTOCOL_VERSION,
            CLIENT_CAPABILITIES,
            CLIENT_INFO,
            LOG_LEVEL,
        ];
        is_own_key(key) || transport.contains(&key)
    };
    if known.is_none() && added.is_empty() {
        return None;
    }
    let known = Members::read(known.unwrap_or("{}")).ok().flatten();
    let known = known.or_else(|| Members::read("{}").ok().flatten())?;
    Some(known.edited(drops, added))
}

/// The params of a progress notification under the client's token; none where it is not that of
/// this call.
fn progress(params: &str, token: Option<&(String, String)>) -> Option<String> {
    let (of_client, of_server) = token?;
    let params = without_own_meta(params);
    let members = Members::read(&params).ok().flatten()?;
    if members.get(PROGRESS_TOKEN)? != of_server {
        return None;
    }
    Some(members.edited(|key| key == PROGRESS_TOKEN, &[(PROGRESS_TOKEN, of_client)]))
}

fn cancelled(id: &Id, reason: &str) -> String {
    let params = format!(
        "{{\"requestId\":{},\"reason\":{}}}",
        id.as_json(),
        write_text(reason)
    );
    write_notification("notifications/cancelled", Some(&params))
}
