//! An MCP server for the tests: it serves what the conformance suite asks of a server, and two
//! tools of a shop, in both eras, and keeps what it received.

mod offered;
mod tools;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use stalwart::json::Members;
use tokio::net::TcpListener;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::UnboundedReceiverStream;

/// The revision without sessions.
pub const MODERN: &str = "2026-07-28";
/// The revisions with `initialize` that the server speaks, the newest first.
const LEGACY: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

const HEADER_MISMATCH: i64 = -32020;
const MISSING_CAPABILITY: i64 = -32021;
const UNSUPPORTED_VERSION: i64 = -32022;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;

/// A running server; it ends with the runtime.
pub struct FixtureServer {
    /// The address of its MCP endpoint.
    pub url: String,
    shared: Arc<Shared>,
}

/// A call that reached the server.
#[derive(Clone, Debug)]
pub struct Received {
    /// The tool.
    pub tool: String,
    /// The arguments, byte for byte.
    pub arguments: String,
    /// The call's `_meta`, or null.
    pub meta: Value,
    /// Whether it came in a session.
    pub is_legacy: bool,
    /// The header `Authorization`.
    pub authorization: Option<String>,
}

#[derive(Default)]
struct Shared {
    received: Mutex<Vec<Received>>,
    sessions: Mutex<BTreeMap<String, Session>>,
    numbers: AtomicU64,
    tools_changed: Arc<Notify>,
}

/// What is known of an old-era client.
#[derive(Clone, Default)]
struct Session {
    capabilities: Value,
    questions: Arc<Mutex<BTreeMap<String, oneshot::Sender<Value>>>>,
}

/// An error that ends a request.
struct Fault {
    status: StatusCode,
    code: i64,
    message: String,
    data: Value,
}

impl Fault {
    fn new(code: i64, message: impl Into<String>) -> Self {
        let status = match code {
            METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
            _ => StatusCode::BAD_REQUEST,
        };
        Self {
            status,
            code,
            message: message.into(),
            data: Value::Null,
        }
    }

    fn with_data(self, data: Value) -> Self {
        Self { data, ..self }
    }

    fn to_json(&self, id: &Value) -> Value {
        let mut error = json!({"code": self.code, "message": self.message});
        if !self.data.is_null() {
            error["data"] = self.data.clone();
        }
        json!({"jsonrpc": "2.0", "id": id, "error": error})
    }
}

/// The client of a call, as a tool sees it.
struct Peer {
    /// The client's capabilities.
    capabilities: Value,
    /// The session, in the old era.
    session: Option<Session>,
    params: Value,
    events: mpsc::UnboundedSender<Event>,
}

enum Event {
    Message(Value),
    Refused(Fault),
}

impl Peer {
    fn notify(&self, method: &str, params: Value) {
        let notification = json!({"jsonrpc": "2.0", "method": method, "params": params});
        let _ = self.events.send(Event::Message(notification));
    }

    /// Asks the client on the stream of the call, in the old era.
    async fn ask(&self, id: String, method: &str, params: Value) -> Result<Value, Fault> {
        let Some(session) = &self.session else {
            return Err(Fault::new(
                INVALID_PARAMS,
                "this tool asks in the old era only",
            ));
        };
        let (answer, answered) = oneshot::channel();
        lock(&session.questions).insert(id.clone(), answer);
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let _ = self.events.send(Event::Message(request));
        answered
            .await
            .map_err(|_| Fault::new(INVALID_PARAMS, "the client went away"))
    }
}

impl FixtureServer {
    /// Starts a server on a free port of the loopback interface.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
        let shared = Arc::new(Shared::default());
        let app = Router::new()
            .route("/mcp", axum::routing::any(serve))
            .with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { url, shared }
    }

    /// Notified when a call has changed the list of tools, or says so.
    pub fn tools_changed(&self) -> Arc<Notify> {
        Arc::clone(&self.shared.tools_changed)
    }

    /// The calls that reached it, in order.
    pub fn received(&self) -> Vec<Received> {
        lock(&self.shared.received).clone()
    }
}

/// The tools it has: name, description and input schema.
pub fn definitions() -> Vec<Value> {
    tools::definitions()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nothing panics while it holds a lock")
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

fn respond(status: StatusCode, body: &Value) -> Response {
    Response::builder()
        .status(status)
        .header("content-type", "application/json")
        .body(Body::from(body.to_string()))
        .expect("a response")
}

fn empty(status: StatusCode) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

async fn serve(
    State(shared): State<Arc<Shared>>,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let is_local = |name| {
        header(&headers, name).is_none_or(|value| {
            let host = value.rsplit("//").next().unwrap_or_default();
            host.starts_with("127.0.0.1") || host.starts_with("localhost")
        })
    };
    if !is_local("host") || !is_local("origin") {
        return empty(StatusCode::FORBIDDEN);
    }
    match method {
        Method::POST => {}
        Method::DELETE => {
            let session = header(&headers, "mcp-session-id").unwrap_or_default();
            let removed = lock(&shared.sessions).remove(session);
            return empty(removed.map_or(StatusCode::NOT_FOUND, |_| StatusCode::OK));
        }
        _ => return empty(StatusCode::METHOD_NOT_ALLOWED),
    }
    let Ok(message) = serde_json::from_slice::<Value>(&body) else {
        return respond(
            StatusCode::BAD_REQUEST,
            &Fault::new(-32700, "not JSON").to_json(&Value::Null),
        );
    };
    let id = message["id"].clone();
    let taken = if id.is_null() || message["method"].is_null() {
        take(&shared, &headers, &message).map(|()| empty(StatusCode::ACCEPTED))
    } else if is_modern(&headers, &message) {
        answer_modern(&shared, &headers, &message, &body).await
    } else {
        answer_legacy(&shared, &headers, &message, &body).await
    };
    taken.unwrap_or_else(|fault| respond(fault.status, &fault.to_json(&id)))
}

fn is_modern(headers: &HeaderMap, message: &Value) -> bool {
    let version = header(headers, "mcp-protocol-version");
    !message["params"]["_meta"][VERSION_KEY].is_null()
        || version.is_some_and(|version| !LEGACY.contains(&version))
}

fn session(shared: &Shared, headers: &HeaderMap) -> Result<Session, Fault> {
    let id = header(headers, "mcp-session-id")
        .ok_or_else(|| Fault::new(INVALID_PARAMS, "a session is needed"))?;
    lock(&shared.sessions)
        .get(id)
        .cloned()
        .ok_or_else(|| Fault {
            status: StatusCode::NOT_FOUND,
            ..Fault::new(INVALID_PARAMS, "no such session")
        })
}

/// Takes a notification, or the answer to a question.
fn take(shared: &Shared, headers: &HeaderMap, message: &Value) -> Result<(), Fault> {
    if message["method"].is_null() {
        let session = session(shared, headers)?;
        let asked = message["id"].as_str().unwrap_or_default();
        if let Some(question) = lock(&session.questions).remove(asked) {
            let _ = question.send(message["result"].clone());
        }
    }
    Ok(())
}

async fn answer_legacy(
    shared: &Arc<Shared>,
    headers: &HeaderMap,
    message: &Value,
    body: &[u8],
) -> Result<Response, Fault> {
    let (id, params) = (&message["id"], &message["params"]);
    let method = message["method"].as_str().unwrap_or_default();
    let reply = |result| {
        respond(
            StatusCode::OK,
            &json!({"jsonrpc": "2.0", "id": id, "result": result}),
        )
    };
    if method == "initialize" {
        let wanted = params["protocolVersion"].as_str().unwrap_or_default();
        let version = LEGACY.into_iter().find(|version| *version == wanted);
        let session = format!("session-{}", shared.numbers.fetch_add(1, Ordering::Relaxed));
        let known = Session {
            capabilities: params["capabilities"].clone(),
            ..Session::default()
        };
        lock(&shared.sessions).insert(session.clone(), known);
        let mut response = reply(json!({
            "protocolVersion": version.unwrap_or(LEGACY[0]),
            "capabilities": {
                "tools": {}, "logging": {}, "prompts": {}, "completions": {},
                "resources": {"subscribe": true},
            },
            "serverInfo": offered::server_info(),
        }));
        let session = session.parse().expect("a header's value");
        response.headers_mut().insert("mcp-session-id", session);
        return Ok(response);
    }
    let session = session(shared, headers)?;
    if method == "tools/call" {
        let capabilities = session.capabilities.clone();
        return call(shared, headers, message, body, capabilities, Some(session)).await;
    }
    let result = match method {
        "ping" | "logging/setLevel" | "resources/subscribe" | "resources/unsubscribe" => json!({}),
        _ => offered::result(method, params)?,
    };
    Ok(reply(result))
}

async fn answer_modern(
    shared: &Arc<Shared>,
    headers: &HeaderMap,
    message: &Value,
    body: &[u8],
) -> Result<Response, Fault> {
    let (id, params) = (&message["id"], &message["params"]);
    let method = message["method"].as_str().unwrap_or_default();
    check_modern(headers, method, params)?;
    if method == "tools/call" {
        let capabilities = params["_meta"][CAPABILITIES_KEY].clone();
        return call(shared, headers, message, body, capabilities, None).await;
    }
    let mut result = match method {
        "server/discover" => json!({
            "supportedVersions": [MODERN],
            "capabilities": {"tools": {}, "prompts": {}, "resources": {}, "completions": {}},
        }),
        _ => offered::result(method, params)?,
    };
    complete(&mut result);
    if method.ends_with("/list") || ["server/discover", "resources/read"].contains(&method) {
        result["ttlMs"] = json!(1000);
        result["cacheScope"] = json!("private");
    }
    let reply = json!({"jsonrpc": "2.0", "id": id, "result": result});
    Ok(respond(StatusCode::OK, &reply))
}

/// Adds what every result of the new era has.
fn complete(result: &mut Value) {
    if result["resultType"].is_null() {
        result["resultType"] = json!("complete");
    }
    result["_meta"]["io.modelcontextprotocol/serverInfo"] = offered::server_info();
}

/// Holds a request of the new era against its headers.
fn check_modern(headers: &HeaderMap, method: &str, params: &Value) -> Result<(), Fault> {
    let meta = &params["_meta"];
    let Some(version) = meta[VERSION_KEY].as_str() else {
        return Err(Fault::new(INVALID_PARAMS, "_meta names no version"));
    };
    if !meta[CAPABILITIES_KEY].is_object() {
        return Err(Fault::new(INVALID_PARAMS, "_meta names no capabilities"));
    }
    let mismatch = |name: &str| Err(Fault::new(HEADER_MISMATCH, format!("header {name}")));
    if header(headers, "mcp-protocol-version") != Some(version) {
        return mismatch("MCP-Protocol-Version");
    }
    if version != MODERN {
        return Err(Fault::new(UNSUPPORTED_VERSION, "version not supported")
            .with_data(json!({"supported": [MODERN], "requested": version})));
    }
    if header(headers, "mcp-method") != Some(method) {
        return mismatch("Mcp-Method");
    }
    let name = match method {
        "tools/call" | "prompts/get" => &params["name"],
        "resources/read" => &params["uri"],
        _ => return Ok(()),
    };
    if header(headers, "mcp-name").and_then(decoded).as_deref() != name.as_str() {
        return mismatch("Mcp-Name");
    }
    for (argument, annotated) in tools::annotated(&params["name"]) {
        let name = format!("mcp-param-{annotated}");
        let mirrored = header(headers, &name).and_then(decoded);
        if mirrored.as_deref() != params["arguments"][&argument].as_str() {
            return mismatch(&name);
        }
    }
    Ok(())
}

/// A header's value, without the Base64 that it may be wrapped in; nothing if that is broken.
fn decoded(value: &str) -> Option<String> {
    let wrapped = value
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="));
    let Some(encoded) = wrapped else {
        return Some(value.to_owned());
    };
    String::from_utf8(BASE64_STANDARD.decode(encoded).ok()?).ok()
}

/// Runs a tool. Its notifications and questions go over the stream that its result ends; a refusal
/// before all of them is a response of its own.
async fn call(
    shared: &Arc<Shared>,
    headers: &HeaderMap,
    message: &Value,
    body: &[u8],
    capabilities: Value,
    session: Option<Session>,
) -> Result<Response, Fault> {
    let params = message["params"].clone();
    let is_legacy = session.is_some();
    lock(&shared.received).push(Received {
        tool: params["name"].as_str().unwrap_or_default().to_owned(),
        arguments: arguments_of(body),
        meta: params["_meta"].clone(),
        is_legacy,
        authorization: header(headers, "authorization").map(str::to_owned),
    });
    if params["name"] == "test_trigger_tool_change" {
        shared.tools_changed.notify_one();
    }
    let (events, mut receiver) = mpsc::unbounded_channel();
    let peer = Peer {
        capabilities,
        session,
        params,
        events: events.clone(),
    };
    let id = message["id"].clone();
    let question = format!("ask-{}", shared.numbers.fetch_add(1, Ordering::Relaxed));
    tokio::spawn(async move {
        let event = match tools::call(&peer, question).await {
            Ok(mut result) => {
                if !is_legacy {
                    complete(&mut result);
                }
                Event::Message(json!({"jsonrpc": "2.0", "id": id, "result": result}))
            }
            Err(fault) => Event::Refused(fault),
        };
        let _ = events.send(event);
    });
    let id = message["id"].clone();
    let first = match receiver.recv().await {
        Some(Event::Message(first)) => first,
        Some(Event::Refused(fault)) if is_legacy => fault.to_json(&id),
        Some(Event::Refused(fault)) => return Err(fault),
        None => return Err(Fault::new(-32603, "the tool ended without a result")),
    };
    let rest = UnboundedReceiverStream::new(receiver).map(move |event| match event {
        Event::Message(message) => message,
        Event::Refused(fault) => fault.to_json(&id),
    });
    let frames = tokio_stream::once(first)
        .chain(rest)
        .map(|message| Ok::<_, Infallible>(format!("event: message\ndata: {message}\n\n")));
    Ok(Response::builder()
        .header("content-type", "text/event-stream")
        .body(Body::from_stream(frames))
        .expect("a response"))
}

/// The arguments of a call, byte for byte.
fn arguments_of(body: &[u8]) -> String {
    let text = std::str::from_utf8(body).expect("UTF-8, for it was JSON");
    let member = |text: &str, name: &str| {
        let members = Members::read(text).expect("JSON")?;
        members.get(name).map(str::to_owned)
    };
    let params = member(text, "params").unwrap_or_default();
    member(&params, "arguments").unwrap_or_default()
}
