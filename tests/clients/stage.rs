//! The gateway between the server of these tests and the programs: the process, as an operator runs
//! it.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use serde_json::Value;
use stalwart::catalogue::{Agent, Catalogue, FILE_NAME, OperationType, Tool};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::time::Instant;

use super::fixture_server::{self, FixtureServer};

/// The agents of the worked example.
const SHOP: &[u8] = include_bytes!("../../fixtures/gateway/shop/agent.catalogue.json");
/// The bearer token of the agent that has the shop's tools.
pub const DESK: &str = "desk-token-of-the-tests";
/// The bearer token of the agent that has the suite's tools.
pub const SUITE: &str = "suite-token-of-the-tests";
/// The gateway's key.
const KEY: &str = "6b65792d6f662d7468652d74657374732d6b65792d6f662d7468652d74657374";
/// The token of the admin routes.
const ADMIN: &str = "admin-token-of-the-tests";

/// A server and the gateway before it.
pub struct Stage {
    /// The server.
    pub server: FixtureServer,
    /// The gateway.
    pub gateway: Gateway,
}

/// A gateway, as a process of its own.
pub struct Gateway {
    /// Its endpoint.
    pub url: String,
    folder: TempDir,
    process: Child,
}

impl Gateway {
    /// Starts one before a server; a person has so many seconds to answer a question.
    pub async fn start(server: &str, catalogue: &Catalogue, elicitation_timeout: u64) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let write = |name: &str, bytes: &[u8]| {
            std::fs::write(folder.path().join(name), bytes).expect("a file is written");
        };
        write(FILE_NAME, &catalogue.to_bytes());
        let configuration = format!(
            "catalogue: ./{FILE_NAME}
servers: {{ fixture: {{ url: '{server}' }} }}
upstreams: {{ '*': fixture }}
agents: {{ desk: '${{DESK}}', suite: '${{SUITE}}' }}
admin_token: ${{ADMIN}}
keys: [{{ id: k1, secret: '${{KEY}}' }}]
audit: decisions.jsonl
elicitation_timeout: {elicitation_timeout}
listen: 127.0.0.1:0
context: {{ order_paid: true }}
"
        );
        write("gateway.yaml", configuration.as_bytes());
        let path = folder.path().join("gateway.yaml");
        let started = tokio::task::spawn_blocking(move || start(&path));
        let (process, address) = started.await.expect("the gateway starts");
        Self {
            url: format!("http://{address}/mcp"),
            folder,
            process,
        }
    }

    /// The audit lines of kind `decision`: decision and reason.
    fn decisions(&self) -> Vec<String> {
        let path = self.folder.path().join("decisions.jsonl");
        let text = std::fs::read_to_string(path).expect("the audit log");
        // The last line may be half written.
        let lines = text.split_inclusive('\n').filter(|it| it.ends_with('\n'));
        lines
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
            .filter(|line| line["kind"] == "decision")
            .map(|line| {
                let word = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
                format!("{} {}", word("decision"), word("reason"))
            })
            .collect()
    }

    /// Waits until a call was decided; the decisions there are then.
    pub async fn wait_for_decision(&self, patience: Duration) -> Vec<String> {
        let end = Instant::now() + patience;
        loop {
            let decisions = self.decisions();
            if !decisions.is_empty() || Instant::now() > end {
                return decisions;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Stage {
    /// Starts both; a person has so many seconds to answer a question.
    pub async fn set(elicitation_timeout: u64) -> Self {
        let server = FixtureServer::start().await;
        let tools = fixture_server::definitions();
        let gateway = Gateway::start(&server.url, &catalogue(&tools), elicitation_timeout).await;
        let stage = Self { server, gateway };
        stage.reload_on_change();
        stage
    }

    /// Reloads the gateway when the server says that its list of tools has changed, as an operator
    /// does who has reviewed the new list.
    fn reload_on_change(&self) {
        let changed = self.server.tools_changed();
        let route = self.gateway.url.replace("/mcp", "/admin/reload");
        let client = http_client();
        tokio::spawn(async move {
            loop {
                changed.notified().await;
                let reloaded = client.post(&route).bearer_auth(ADMIN).send().await;
                assert!(reloaded.expect("an answer").status().is_success());
            }
        });
    }

    /// An endpoint for programs that cannot send a token: it passes every request on, with the
    /// token of the agent that has the suite's tools.
    pub async fn with_token(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
        let passed = Passed {
            to: self.gateway.url.clone(),
            client: http_client(),
        };
        let app = Router::new().fallback(pass).with_state(passed);
        tokio::spawn(async move { axum::serve(listener, app).await });
        url
    }
}

/// Starts the gateway; the process, and the address that its log names.
#[expect(
    clippy::zombie_processes,
    reason = "whoever has the process ends it; a panic ends the test"
)]
fn start(configuration: &Path) -> (Child, String) {
    let mut gateway = Command::new(env!("CARGO_BIN_EXE_stalwart"))
        .args(["gateway", "--config"])
        .arg(configuration)
        .envs([
            ("DESK", DESK),
            ("SUITE", SUITE),
            ("ADMIN", ADMIN),
            ("KEY", KEY),
        ])
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the gateway starts");
    let mut log = BufReader::new(gateway.stderr.take().expect("its log is for the test"));
    let mut said = String::new();
    loop {
        let mut line = String::new();
        let read = log.read_line(&mut line).expect("a line of its log");
        said.push_str(&line);
        assert!(read > 0, "the gateway ended:\n{said}");
        let Ok(entry) = serde_json::from_str::<Value>(&line) else {
            continue;
        };
        if let Some(address) = entry["address"].as_str() {
            let address = address.to_owned();
            // A full pipe would stop it.
            std::thread::spawn(move || log.read_to_string(&mut String::new()));
            return (gateway, address);
        }
    }
}

fn http_client() -> reqwest::Client {
    // An error says that there is a provider already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::new()
}

#[derive(Clone)]
struct Passed {
    to: String,
    client: reqwest::Client,
}

async fn pass(State(passed): State<Passed>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let sent = passed
        .client
        .request(parts.method, &passed.to)
        .headers(parts.headers)
        .bearer_auth(SUITE)
        .body(reqwest::Body::wrap_stream(body.into_data_stream()))
        .send()
        .await
        .expect("the gateway answers");
    let mut response = Response::builder().status(sent.status());
    *response.headers_mut().unwrap() = sent.headers().clone();
    response
        .body(Body::from_stream(sent.bytes_stream()))
        .unwrap()
}

/// The catalogue: two tools of the shop, and these of the suite, all of them reads.
pub fn catalogue(tools: &[Value]) -> Catalogue {
    let mut catalogue = Catalogue::from_bytes(FILE_NAME, SHOP).expect("a sound catalogue");
    catalogue.pins = None;
    let desk = catalogue.agents.get_mut("desk").unwrap();
    desk.tools
        .retain(|tool| ["charge_card", "get_order"].contains(&tool.as_str()));
    let mut suite = Agent::default();
    for definition in tools {
        let name = definition["name"].as_str().unwrap().to_owned();
        if catalogue.tools.contains_key(&name) {
            continue;
        }
        suite.tools.insert(name.clone());
        let tool = Tool {
            confirm: None,
            context_arguments: BTreeSet::new(),
            input_schema: definition["inputSchema"].clone(),
            operation_type: OperationType::ReadOnly,
            outside: false,
            require_confirmation: false,
            undo: None,
        };
        catalogue.tools.insert(name, tool);
    }
    catalogue.agents.insert("suite".to_owned(), suite);
    catalogue
}
