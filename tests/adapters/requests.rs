//! Requests as agents send them, and what each proxy makes of them.

use serde_json::{Map, Value, json};
use stalwart::adapters::Adapter;

/// A request as it reaches the proxy, who knows the agent.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: &'static str,
    pub headers: Vec<(&'static str, Value)>,
    /// The bytes of the body.
    pub raw: Option<String>,
    /// What the proxy read of them.
    pub parsed: Option<Value>,
    /// Whether the raw body is given beside it, which one can turn off.
    pub shows_raw: bool,
    pub agent: Option<&'static str>,
    /// What Envoy and agentgateway vouch for.
    pub vouched: Option<Value>,
}

impl Request {
    /// A POST of some JSON by the agent whose refund is allowed.
    pub fn post(body: &str) -> Self {
        Self {
            method: "POST",
            headers: vec![("content-type", json!("application/json"))],
            raw: Some(body.to_owned()),
            parsed: serde_json::from_str(body).ok(),
            shows_raw: true,
            agent: Some("small"),
            vouched: None,
        }
    }

    /// A call of a tool.
    pub fn call(tool: &str) -> Self {
        Self::post(&call(tool).to_string())
    }

    pub fn by(mut self, agent: &'static str) -> Self {
        self.agent = Some(agent);
        self
    }

    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.headers.retain(|(given, _)| *given != name);
        self.headers.push((name, value.into()));
        self
    }

    /// A method without a body.
    pub fn without_body(method: &'static str) -> Self {
        Self {
            method,
            headers: Vec::new(),
            raw: None,
            parsed: None,
            ..Self::post("{}")
        }
    }

    /// The input that a proxy gives to OPA.
    pub fn input(&self, one: Adapter) -> Value {
        match one {
            Adapter::Kong => self.kong(),
            _ => self.envoy(),
        }
    }

    fn headers(&self) -> Map<String, Value> {
        let headers = self.headers.iter();
        headers
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect()
    }

    fn kong(&self) -> Value {
        let mut http = json!({
            "host": "tools.internal", "port": "8000", "tls": {}, "method": self.method,
            "scheme": "http", "path": "/mcp", "querystring": {}, "headers": self.headers(),
            "uri_captures": {"named": {}, "unnamed": []},
        });
        if let Some(raw) = self.raw.as_ref().filter(|_| self.shows_raw) {
            http["body"] = json!(raw);
        }
        if let Some(raw) = &self.raw {
            http["body_size"] = json!(raw.len());
        }
        if let Some(parsed) = &self.parsed {
            http["parsed_body"] = parsed.clone();
        }
        let mut input = json!({"request": {"http": http}, "client_ip": "127.0.0.1"});
        if let Some(agent) = self.agent {
            input["consumer"] = json!({"id": "c1", "username": agent});
        }
        input
    }

    fn envoy(&self) -> Value {
        let mut http = json!({
            "id": "1", "method": self.method, "headers": self.headers(), "path": "/mcp",
            "host": "tools.internal", "scheme": "http", "protocol": "HTTP/1.1",
        });
        if let Some(raw) = self.raw.as_ref().filter(|_| self.shows_raw) {
            http["body"] = json!(raw);
        }
        if let Some(raw) = &self.raw {
            http["size"] = json!(raw.len());
        }
        let mut attributes = json!({"request": {"http": http}, "source": {}, "destination": {}});
        let agent = self.agent.map(|agent| json!({"agent": agent}));
        if let Some(vouched) = self.vouched.clone().or(agent) {
            attributes["metadataContext"] = json!({"filterMetadata": {"stalwart": vouched}});
        }
        json!({
            "attributes": attributes, "parsed_path": ["mcp"], "parsed_query": {},
            "parsed_body": self.parsed, "truncated_body": false,
            "version": {"ext_authz": "v3", "encoding": "protojson"},
        })
    }
}

/// The message of a call.
pub fn call(tool: &str) -> Value {
    json!({
        "jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": {"name": tool, "arguments": {"order": 5}},
    })
}
