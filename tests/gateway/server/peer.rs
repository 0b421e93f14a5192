//! A gateway before the scripted core, and a client that sends what it is told.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use stalwart::keys::{KeyRing, Secret, SystemRandomness};
use stalwart::mcp::server::EndpointSettings;
use stalwart::service::{Access, Hooks, Limits, Metrics, Rate, RunningService, Service, Settings};
use stalwart::store::Millis;

use super::scripted::Scripted;

pub const DESK: &str = "desk-token-0123456789";
pub const DESK_TOO: &str = "desk-token-9876543210";
pub const BILLING: &str = "billing-token-0123456789";
pub const HOST: &str = "host-token-0123456789";
pub const ADMIN: &str = "admin-token-0123456789";
pub const STATELESS: &str = "2026-07-28";

/// A gateway that serves.
pub struct Gateway {
    pub core: Arc<Scripted>,
    pub running: RunningService,
    /// What the next reload gives.
    pub reloaded: Arc<Mutex<Result<Access, String>>>,
    /// How far the clock was set forward.
    pub ahead: Arc<AtomicI64>,
    pub client: reqwest::Client,
}

pub fn access() -> Access {
    let tokens = |tokens: &[&str]| tokens.iter().map(|it| (*it).to_owned().into()).collect();
    Access {
        agents: [
            ("desk".to_owned(), tokens(&[DESK, DESK_TOO])),
            ("billing".to_owned(), tokens(&[BILLING])),
        ]
        .into(),
        host_token: Some(HOST.to_owned().into()),
        admin_token: Some(ADMIN.to_owned().into()),
        allowed_origins: vec!["https://desk.example.com".to_owned()],
        rate: None,
        keys: None,
    }
}

pub fn settings() -> Settings {
    let secret = Secret::new([7; 32]);
    Settings {
        listen: "127.0.0.1:0".parse().unwrap(),
        tls: None,
        endpoint: EndpointSettings {
            elicitation_timeout: Duration::from_millis(1500),
            keep_alive: Duration::from_millis(100),
            patience: Duration::from_millis(1000),
            ..EndpointSettings::default()
        },
        limits: Limits {
            header_timeout: Duration::from_millis(400),
            body_timeout: Duration::from_millis(400),
            drain: Duration::from_secs(2),
            ..Limits::default()
        },
        access: access(),
        keys: Arc::new(KeyRing::new(vec![("k1".to_owned(), secret)]).unwrap()),
        randomness: Arc::new(SystemRandomness),
        clock: Arc::new(|| 0),
        metrics: Metrics::new(),
        hooks: Hooks {
            reload: Arc::new(|| Box::pin(std::future::ready(Ok(Access::default())))),
            readiness: Arc::new(|| vec!["no audit file is kept".to_owned()]),
        },
    }
}

pub fn rate(per_minute: u32) -> Rate {
    let number = NonZeroU32::new(per_minute).unwrap();
    Rate {
        per_minute: number,
        burst: number,
    }
}

impl Gateway {
    pub fn start() -> Self {
        Self::with(settings())
    }

    pub fn with(mut settings: Settings) -> Self {
        // A second test of the process finds it installed.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let core = Arc::new(Scripted::default());
        let reloaded = Arc::new(Mutex::new(Ok(access())));
        let next = Arc::clone(&reloaded);
        settings.hooks.reload = Arc::new(move || {
            let next = next.lock().unwrap().clone();
            Box::pin(std::future::ready(next))
        });
        let ahead = Arc::new(AtomicI64::new(0));
        let clock = Arc::clone(&ahead);
        settings.clock = Arc::new(move || -> Millis { clock.load(Ordering::Relaxed) });
        let running = Service::start(settings, Arc::<Scripted>::clone(&core)).unwrap();
        Self {
            core,
            running,
            reloaded,
            ahead,
            client: reqwest::Client::builder().build().unwrap(),
        }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.running.address)
    }

    /// A request with a token; headers as they are given.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        token: &str,
        headers: &[(&str, &str)],
        body: impl Into<String>,
    ) -> Reply {
        let mut request = self
            .client
            .request(method, self.url(path))
            .bearer_auth(token)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Reply::of(request.body(body.into()).send().await.unwrap())
    }

    pub async fn post(&self, token: &str, headers: &[(&str, &str)], body: Value) -> Reply {
        self.send(Method::POST, "/mcp", token, headers, body.to_string())
            .await
    }

    /// Opens a session, and gives its id.
    pub async fn initialize(&self, token: &str, capabilities: Value) -> String {
        self.initialize_as(token, "2025-11-25", capabilities, &[])
            .await
    }

    pub async fn initialize_as(
        &self,
        token: &str,
        version: &str,
        capabilities: Value,
        headers: &[(&str, &str)],
    ) -> String {
        let params = json!({"protocolVersion": version, "capabilities": capabilities,
            "clientInfo": {"name": "test", "version": "1"}});
        let reply = self
            .post(token, headers, request(1, "initialize", params))
            .await;
        assert_eq!(reply.status, StatusCode::OK);
        reply.header("mcp-session-id")
    }

    /// A call in a session.
    pub async fn call(&self, session: &str, id: u64, params: Value) -> Reply {
        let headers = [("mcp-session-id", session)];
        self.post(DESK, &headers, request(id, "tools/call", params))
            .await
    }

    /// A call without one.
    pub async fn modern(&self, token: &str, params: Value) -> Reply {
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let headers = [
            ("mcp-protocol-version", STATELESS),
            ("mcp-method", "tools/call"),
            ("mcp-name", name.as_str()),
        ];
        self.post(token, &headers, request(1, "tools/call", params))
            .await
    }
}

/// A client that can be asked.
pub fn asked() -> Value {
    json!({"elicitation": {}})
}

/// A `_meta` of the stateless era.
pub fn meta(capabilities: Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    })
}

/// The params of a call in the stateless era.
pub fn modern_params(tool: &str, arguments: Value, capabilities: Value) -> Value {
    json!({"name": tool, "arguments": arguments, "_meta": meta(capabilities)})
}

pub fn request(id: u64, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// An answer, of which the body comes as it is read.
pub struct Reply {
    pub status: StatusCode,
    response: reqwest::Response,
    read: String,
}

impl Reply {
    fn of(response: reqwest::Response) -> Self {
        Self {
            status: response.status(),
            response,
            read: String::new(),
        }
    }

    pub fn header(&self, name: &str) -> String {
        let value = self.response.headers().get(name);
        value.map_or(String::new(), |value| value.to_str().unwrap().to_owned())
    }

    pub async fn text(self) -> String {
        self.response.text().await.unwrap()
    }

    pub async fn json(self) -> Value {
        let text = self.text().await;
        stalwart::json::parse(text.as_bytes()).unwrap_or_else(|_| panic!("no JSON: {text}"))
    }

    /// The next message of a stream; none at its end.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            while let Some(end) = self.read.find("\n\n") {
                let event: String = self.read.drain(..end + 2).collect();
                let data: Vec<&str> = event
                    .lines()
                    .filter_map(|line| line.strip_prefix("data: "))
                    .collect();
                if !data.is_empty() {
                    let text = data.join("\n");
                    return Some(stalwart::json::parse(text.as_bytes()).unwrap());
                }
            }
            let chunk = self.response.chunk().await.unwrap()?;
            self.read.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }
}
