//! The gateway between the server of these tests and the programs: on sockets, as it runs.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use futures_util::FutureExt as _;
use serde_json::{Map, Value};
use stalwart::audit;
use stalwart::catalogue::{Agent, Catalogue, FILE_NAME, OperationType, Tool};
use stalwart::gateway::{
    Clock as _, ContextValues, Current, Gateway, Parts, ServerSettings, Settings, SystemClock,
};
use stalwart::keys::{KeyRing, Secret, SystemRandomness};
use stalwart::mcp::client::{HttpServers, Limits, ServerAddress};
use stalwart::mcp::server::EndpointSettings;
use stalwart::service::{self, Access, Hooks, Metrics, RunningService, Service};
use stalwart::store::{Sqlite, Store};
use stalwart::tool_check::Policy;
use tokio::net::TcpListener;
use zeroize::Zeroizing;

use super::fixture_server::{self, FixtureServer};

/// The agents of the worked example.
const SHOP: &[u8] = include_bytes!("../../fixtures/gateway/shop/agent.catalogue.json");
/// The bearer token of the agent that has the shop's tools.
pub const DESK: &str = "desk-token-of-the-tests";
/// The bearer token of the agent that has the suite's tools.
const SUITE: &str = "suite-token-of-the-tests";

/// A server and the gateway before it.
pub struct Stage {
    /// The server.
    pub server: FixtureServer,
    gateway: Gateway,
    service: RunningService,
}

impl Stage {
    /// Starts both; a person has so long to answer a question.
    pub async fn set(elicitation_timeout: Duration) -> Self {
        let server = FixtureServer::start().await;
        let keys = Arc::new(KeyRing::new(vec![("k1".to_owned(), Secret::default())]).unwrap());
        let clock: Arc<dyn Fn() -> i64 + Send + Sync> = Arc::new(|| SystemClock.now());
        let timeout = Duration::from_secs(30);
        let address = ServerAddress {
            name: "fixture".to_owned(),
            url: server.url.clone(),
            headers: Vec::new(),
            idempotent: false,
            timeout,
        };
        let servers = HttpServers::new(vec![address], Limits::default(), Arc::clone(&clock));
        let settings = Settings {
            elicitation_timeout: i64::try_from(elicitation_timeout.as_millis()).unwrap(),
            upstreams: [("*".to_owned(), "fixture".to_owned())].into(),
            servers: [(
                "fixture".to_owned(),
                ServerSettings {
                    idempotent: false,
                    timeout,
                },
            )]
            .into(),
            ..Settings::default()
        };
        let catalogue = catalogue();
        let hash = catalogue.hash();
        let store: Arc<dyn Store> = Arc::new(Sqlite::in_memory().unwrap());
        let log = audit::Log::in_memory(Arc::clone(&store), &settings.node, 1000).unwrap();
        let gateway = Gateway::start(Parts {
            current: Current {
                policy: Policy::new(catalogue, hash).unwrap(),
                keys: Arc::clone(&keys),
                settings,
                servers: Arc::new(servers.unwrap()),
                context: ContextValues {
                    fixed: Map::from_iter([("order_paid".to_owned(), Value::Bool(true))]),
                    source: None,
                },
            },
            store,
            log,
            clock: Arc::new(SystemClock),
            randomness: Arc::new(SystemRandomness),
        });
        let gateway = gateway.await.unwrap();
        let token = |text: &str| vec![Zeroizing::new(text.to_owned())];
        let settings = service::Settings {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            tls: None,
            endpoint: EndpointSettings {
                elicitation_timeout,
                ..EndpointSettings::default()
            },
            limits: Default::default(),
            access: Access {
                agents: [
                    ("desk".to_owned(), token(DESK)),
                    ("suite".to_owned(), token(SUITE)),
                ]
                .into(),
                ..Access::default()
            },
            keys,
            randomness: Arc::new(SystemRandomness),
            clock,
            metrics: Metrics::default(),
            hooks: Hooks {
                reload: Arc::new(|| std::future::ready(Err(String::new())).boxed()),
                readiness: Arc::new(Vec::new),
            },
        };
        let service = Service::start(settings, Arc::new(gateway.clone())).unwrap();
        let tended = gateway.clone();
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(Duration::from_millis(200)).await;
                tended.tend().await.unwrap();
            }
        });
        Self {
            server,
            gateway,
            service,
        }
    }

    /// The gateway's endpoint.
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.service.address)
    }

    /// The audit lines of kind `decision`: decision and reason.
    pub fn decisions(&self) -> Vec<String> {
        let lines = self.gateway.audit().into_iter();
        lines
            .map(|line| serde_json::from_str::<Value>(&line.text).unwrap())
            .filter(|line| line["kind"] == "decision")
            .map(|line| {
                let word = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
                format!("{} {}", word("decision"), word("reason"))
            })
            .collect()
    }

    /// Waits until a call was decided; the decisions there are then.
    pub async fn wait_for_decision(&self, patience: Duration) -> Vec<String> {
        let end = tokio::time::Instant::now() + patience;
        loop {
            let decisions = self.decisions();
            if !decisions.is_empty() || tokio::time::Instant::now() > end {
                return decisions;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// An endpoint for programs that cannot send a token: it passes every request on, with the
    /// token of the agent that has the suite's tools.
    pub async fn with_token(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let passed = Passed {
            to: self.url(),
            client: reqwest::Client::new(),
        };
        let app = Router::new().fallback(pass).with_state(passed);
        tokio::spawn(async move { axum::serve(listener, app).await });
        url
    }
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

/// The catalogue: of the shop what the server has, and the suite's tools, all of them reads.
fn catalogue() -> Catalogue {
    let mut catalogue = Catalogue::from_bytes(FILE_NAME, SHOP).expect("a sound catalogue");
    catalogue.pins = None;
    let desk = catalogue.agents.get_mut("desk").unwrap();
    desk.tools
        .retain(|tool| ["charge_card", "get_order"].contains(&tool.as_str()));
    let mut suite = Agent::default();
    for definition in fixture_server::definitions() {
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
