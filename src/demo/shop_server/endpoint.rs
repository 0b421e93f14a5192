//! The HTTP endpoint of the shop.

use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use axum::routing::any;
use futures_util::stream;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::conduct::{Conduct, Manner, ServedEras};
use super::session::Sessions;
use crate::demo::shop::{ReceivedCall, Shop, result};
use crate::gateway::Era;
use crate::json::{Bounds, Members};
use crate::mcp::wire::{
    CLIENT_CAPABILITIES, ErrorCode, Id, MCP_METHOD, MCP_NAME, MCP_PROTOCOL_VERSION, MCP_SESSION_ID,
    META, Message, Outcome, PROGRESS_TOKEN, PROTOCOL_VERSION, Version, decode_mirrored,
    read_message, write_error, write_notification, write_request, write_result, write_text,
};

const BOUNDS: Bounds = Bounds {
    bytes: 4 << 20,
    depth: 100,
};

/// An HTTP request that the shop received.
#[derive(Clone, Debug)]
pub struct ReceivedRequest {
    /// The method.
    pub method: Method,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: String,
}

/// The shop, its conduct, and what it remembers.
pub(super) struct Endpoint {
    shop: Shop,
    eras: ServedEras,
    manner: Mutex<Manner>,
    requests: Mutex<Vec<ReceivedRequest>>,
    sessions: Sessions,
}

/// The routes.
pub(super) fn router(endpoint: Arc<Endpoint>) -> Router {
    Router::new().route("/mcp", any(serve)).with_state(endpoint)
}

impl Endpoint {
    pub(super) fn new(shop: Shop, conduct: Conduct) -> Self {
        Self {
            shop,
            eras: conduct.eras,
            manner: Mutex::new(conduct.manner),
            requests: Mutex::new(Vec::new()),
            sessions: Sessions::default(),
        }
    }

    pub(super) fn shop(&self) -> &Shop {
        &self.shop
    }

    pub(super) fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    pub(super) fn requests(&self) -> Vec<ReceivedRequest> {
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.clone()
    }

    pub(super) fn set_manner(&self, manner: Manner) {
        *self.manner.lock().unwrap_or_else(PoisonError::into_inner) = manner;
    }

    fn manner(&self) -> Manner {
        let manner = self.manner.lock().unwrap_or_else(PoisonError::into_inner);
        manner.clone()
    }
}

async fn serve(
    State(endpoint): State<Arc<Endpoint>>,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let received = ReceivedRequest {
        method: method.clone(),
        headers: headers.clone(),
        body: String::from_utf8_lossy(&body).into_owned(),
    };
    endpoint
        .requests
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(received);
    match method {
        Method::POST => endpoint.post(&headers, &body).await,
        Method::DELETE if endpoint.eras != ServedEras::Stateless => {
            let known = session(&headers).is_some_and(|name| endpoint.sessions.end(name));
            empty(match known {
                true => StatusCode::OK,
                false => StatusCode::NOT_FOUND,
            })
        }
        Method::GET if headers.contains_key("last-event-id") => endpoint.resumed(&headers),
        _ => empty(StatusCode::METHOD_NOT_ALLOWED),
    }
}

/// A request as it stands in its body.
struct Request<'a> {
    id: Id,
    method: String,
    params: Option<Members<'a>>,
    era: Era,
}

impl Request<'_> {
    fn member(&self, key: &str) -> Option<&str> {
        self.params.as_ref()?.get(key)
    }

    fn meta(&self, key: &str) -> Option<String> {
        let meta = Members::read(self.member(META)?).ok().flatten()?;
        meta.get(key).map(str::to_owned)
    }

    fn error(&self, status: StatusCode, code: ErrorCode, message: &str) -> Response {
        json(status, write_error(Some(&self.id), code, message, None))
    }
}

impl Endpoint {
    async fn post(&self, headers: &HeaderMap, body: &[u8]) -> Response {
        let (id, method, params) = match read_message(body, BOUNDS) {
            Ok(Message::Request { id, method, params }) => (id, method, params),
            Ok(Message::Notification { method, params }) => {
                let params = params.and_then(|params| Members::read(params).ok().flatten());
                let id = params.and_then(|params| params.get("requestId"));
                if let (Some(id), "notifications/cancelled") = (id, method.as_str()) {
                    self.sessions.cancel(id);
                }
                return empty(StatusCode::ACCEPTED);
            }
            Ok(Message::Response { id, outcome }) => {
                if let (Some(id), Outcome::Result(text) | Outcome::Error(text)) = (id, outcome) {
                    self.sessions.respond(id.as_json(), text);
                }
                return empty(StatusCode::ACCEPTED);
            }
            Err(error) => {
                let body = write_error(None, error.code(), &error.to_string(), None);
                return json(StatusCode::BAD_REQUEST, body);
            }
        };
        let params = params.and_then(|params| Members::read(params).ok().flatten());
        let mut request = Request {
            id,
            method,
            params,
            era: Era::Session,
        };
        if request.meta(PROTOCOL_VERSION).is_some() {
            request.era = Era::Stateless;
        }
        match (request.era, self.eras) {
            (Era::Stateless, ServedEras::Session) => {
                let body = write_error(None, ErrorCode::InvalidRequest, "no session", None);
                json(StatusCode::BAD_REQUEST, body)
            }
            (Era::Session, ServedEras::Stateless) => request.error(
                StatusCode::BAD_REQUEST,
                ErrorCode::UnsupportedVersion,
                "unsupported version",
            ),
            (Era::Stateless, _) => self.stateless(&request, headers).await,
            (Era::Session, _) => self.in_session(&request, headers).await,
        }
    }

    async fn stateless(&self, request: &Request<'_>, headers: &HeaderMap) -> Response {
        let version = write_text(Version::NEWEST_STATELESS.as_str());
        let agrees = |header: &str, text: Option<&str>| {
            let value = headers.get(header).and_then(|value| value.to_str().ok());
            value
                .and_then(decode_mirrored)
                .map(|text| write_text(&text))
                == text.map(str::to_owned)
        };
        let method = write_text(&request.method);
        let is_well_formed = request.meta(PROTOCOL_VERSION).as_ref() == Some(&version)
            && request.meta(CLIENT_CAPABILITIES).is_some()
            && agrees(MCP_PROTOCOL_VERSION, Some(&version))
            && agrees(MCP_METHOD, Some(&method))
            && agrees(MCP_NAME, request.member("name"));
        if !is_well_formed {
            return request.error(
                StatusCode::BAD_REQUEST,
                ErrorCode::HeaderMismatch,
                "the headers differ from the body",
            );
        }
        match request.method.as_str() {
            "server/discover" => {
                let result = format!(
                    "{{\"resultType\":\"complete\",\"supportedVersions\":[{version}],\"capabilities\":{{\"tools\":{{}}}},\"serverInfo\":{SERVER_INFO},\"ttlMs\":0,\"cacheScope\":\"private\"}}"
                );
                json(StatusCode::OK, write_result(&request.id, &result))
            }
            "tools/list" => self.list(
                request,
                "\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"private\",",
            ),
            "tools/call" => self.call(request).await,
            _ => request.error(
                StatusCode::NOT_FOUND,
                ErrorCode::MethodNotFound,
                "no such method",
            ),
        }
    }

    async fn in_session(&self, request: &Request<'_>, headers: &HeaderMap) -> Response {
        if request.method == "initialize" {
            let asked = request.member("protocolVersion").unwrap_or("\"\"");
            let is_known = |version: &Version| {
                version.era() == Era::Session && write_text(version.as_str()) == asked
            };
            let version = Version::ALL.into_iter().find(is_known);
            let result = format!(
                "{{\"protocolVersion\":{},\"capabilities\":{{\"tools\":{{\"listChanged\":true}}}},\"serverInfo\":{SERVER_INFO}}}",
                write_text(version.unwrap_or(Version::NEWEST_SESSION).as_str())
            );
            let mut response = json(StatusCode::OK, write_result(&request.id, &result));
            if let Ok(name) = HeaderValue::from_str(&self.sessions.open()) {
                response.headers_mut().insert(MCP_SESSION_ID, name);
            }
            return response;
        }
        match session(headers) {
            Some(name) if self.sessions.is_live(name) => {}
            Some(_) => {
                let body = write_error(None, ErrorCode::InvalidRequest, "no such session", None);
                return json(StatusCode::NOT_FOUND, body);
            }
            None => return empty(StatusCode::BAD_REQUEST),
        }
        match request.method.as_str() {
            "ping" => json(StatusCode::OK, write_result(&request.id, "{}")),
            "tools/list" => self.list(request, ""),
            "tools/call" => self.call(request).await,
            _ => request.error(StatusCode::OK, ErrorCode::MethodNotFound, "no such method"),
        }
    }

    /// Lists the tools, three to a page.
    fn list(&self, request: &Request<'_>, members: &str) -> Response {
        let cursor = request.member("cursor").map(|text| text.trim_matches('"'));
        let start = cursor.and_then(|text| text.parse().ok()).unwrap_or(0_usize);
        let definitions = self.shop.definitions();
        let page: Vec<&str> = definitions
            .iter()
            .skip(start)
            .take(PAGE)
            .map(String::as_str)
            .collect();
        let next = match definitions.len() > start + PAGE {
            true => format!(",\"nextCursor\":\"{}\"", start + PAGE),
            false => String::new(),
        };
        let result = format!("{{{members}\"tools\":[{}]{next}}}", page.join(","));
        json(StatusCode::OK, write_result(&request.id, &result))
    }

    async fn call(&self, request: &Request<'_>) -> Response {
        let name = request.member("name").unwrap_or_default().trim_matches('"');
        let arguments = request.member("arguments").unwrap_or("{}");
        let call = ReceivedCall::new(name, arguments, request.member(META));
        let answer = |result: &str| write_result(&request.id, &complete(request.era, result));
        let manner = self.manner();
        if matches!(manner, Manner::Usual | Manner::Slow(_) | Manner::ByteByByte) {
            if let Manner::Slow(time) = manner {
                self.shop.remember(call.clone());
                tokio::time::sleep(time).await;
                let body = answer(&result("Late.", false));
                return json(StatusCode::OK, body);
            }
            let body = answer(&self.shop.call(call));
            return match manner {
                Manner::ByteByByte => {
                    let text = format!(": hello\r\nid: 1\r\ndata: {body}\r\n\r\n");
                    let bytes: Vec<u8> = text.into_bytes();
                    let pieces = bytes
                        .into_iter()
                        .map(|byte| Ok::<_, Infallible>(Bytes::from(vec![byte])));
                    events(Body::from_stream(stream::iter(pieces)))
                }
                _ => json(StatusCode::OK, body),
            };
        }
        self.shop.remember(call);
        match manner {
            Manner::Raw {
                status,
                content_type,
                location,
                body,
            } => {
                let body = body.replace("$ID", request.id.as_json());
                let status = StatusCode::from_u16(status).unwrap_or_default();
                let mut response = Response::new(Body::from(body));
                *response.status_mut() = status;
                for (name, text) in [
                    (header::CONTENT_TYPE, content_type),
                    (header::LOCATION, location),
                ] {
                    if let Ok(value) = HeaderValue::from_str(&text)
                        && !text.is_empty()
                    {
                        response.headers_mut().insert(name, value);
                    }
                }
                response
            }
            Manner::Broken => {
                let pieces = [
                    Ok(Bytes::from_static(b"data: {\"jsonrpc\"")),
                    Err(io::Error::from(io::ErrorKind::ConnectionReset)),
                ];
                events(Body::from_stream(stream::iter(pieces)))
            }
            Manner::Resumed => {
                let text = format!("retry: 10\nid: {}\ndata:\n\n", request.id.as_json());
                events(Body::from(text))
            }
            Manner::Chatty => events(Body::from(chat(request, &answer(&result("Done.", false))))),
            Manner::Asks(params) if request.era == Era::Stateless => {
                let result = match request.member("inputResponses") {
                    Some(responses) => complete(request.era, &result(responses, false)),
                    None => format!(
                        "{{\"resultType\":\"input_required\",\"inputRequests\":{{\"ask\":{{\"method\":\"elicitation/create\",\"params\":{params}}}}},\"requestState\":\"shop-state\",\"_meta\":{{\"dev.stalwart/reason\":\"allow\"}}}}"
                    ),
                };
                json(StatusCode::OK, write_result(&request.id, &result))
            }
            Manner::Asks(params) => self.ask(request, "elicitation/create", &params),
            Manner::Requests(method) => self.ask(request, &method, "{}"),
            Manner::UntilCancelled => {
                let cancelled = self.sessions.await_cancel(request.id.as_json());
                // In the new era nobody tells: the connection is closed instead.
                let _ = cancelled.await;
                json(StatusCode::OK, answer(&result("Cancelled.", false)))
            }
            Manner::Huge(size) => {
                let body = answer(&result(&"x".repeat(size), false));
                json(StatusCode::OK, body)
            }
            Manner::Usual | Manner::Slow(_) | Manner::ByteByByte => empty(StatusCode::OK),
        }
    }

    /// Asks the client on the call's stream, and answers with what it says.
    fn ask(&self, request: &Request<'_>, method: &str, params: &str) -> Response {
        let (question, response) = self.sessions.ask();
        let (id, era) = (request.id.clone(), request.era);
        let (sender, receiver) = mpsc::channel::<Result<Bytes, Infallible>>(2);
        let asked = Id::of_json(&question).map(|id| write_request(&id, method, Some(params)));
        tokio::spawn(async move {
            let asked = event(&asked.unwrap_or_default());
            if sender.send(Ok(asked)).await.is_err() {
                return;
            }
            if let Ok(text) = response.await {
                let body = write_result(&id, &complete(era, &result(&text, false)));
                let _ = sender.send(Ok(event(&body))).await;
            }
        });
        events(Body::from_stream(ReceiverStream::new(receiver)))
    }

    /// The rest of a stream that was broken off.
    fn resumed(&self, headers: &HeaderMap) -> Response {
        let last = headers.get("last-event-id");
        let last = last
            .and_then(|value| value.to_str().ok())
            .and_then(Id::of_json);
        match last {
            Some(id) => {
                let body = write_result(&id, &result("Resumed.", false));
                events(Body::from(event(&body)))
            }
            None => empty(StatusCode::BAD_REQUEST),
        }
    }
}

/// Tools of a page.
const PAGE: usize = 3;

const SERVER_INFO: &str = "{\"name\":\"shop\",\"version\":\"1.0.0\"}";

/// A result as its era has it.
fn complete(era: Era, result: &str) -> String {
    match era {
        Era::Session => result.to_owned(),
        Era::Stateless => result.replacen('{', "{\"resultType\":\"complete\",", 1),
    }
}

fn chat(request: &Request<'_>, answer: &str) -> Bytes {
    let progress = |token: &str, done: u32| {
        let params = format!(
            "{{\"progressToken\":{token},\"progress\":{done},\"total\":2.50,\"_meta\":{{\"stalwart\":1,\"x\":2}}}}"
        );
        write_notification("notifications/progress", Some(&params))
    };
    let mut messages = Vec::new();
    if let Some(token) = request.meta(PROGRESS_TOKEN) {
        messages.push(progress(&token, 1));
        messages.push(progress("\"another\"", 1));
        messages.push(progress(&token, 2));
    }
    let log = "{\"level\":\"info\",\"data\":\"charging\"}";
    messages.push(write_notification("notifications/message", Some(log)));
    messages.push(write_notification("notifications/tools/list_changed", None));
    messages.push(answer.to_owned());
    let texts: Vec<Bytes> = messages.iter().map(|message| event(message)).collect();
    Bytes::from(texts.concat())
}

fn event(message: &str) -> Bytes {
    Bytes::from(format!("event: message\ndata: {message}\n\n"))
}

fn events(body: Body) -> Response {
    let mut response = Response::new(body);
    let kind = HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

fn json(status: StatusCode, body: String) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

fn empty(status: StatusCode) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

fn session(headers: &HeaderMap) -> Option<&str> {
    headers.get(MCP_SESSION_ID)?.to_str().ok()
}
