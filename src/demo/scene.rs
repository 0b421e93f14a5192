//! The worked example, as `stalwart demo` plays it: a shop, the gateway before it, two agents.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use serde_json::{Map, Value};
use thiserror::Error;
use tokio::net::TcpListener;
use zeroize::Zeroizing;

use super::agent::{Agent, Ended, Person};
use super::{ReceivedCall, ShopServer};
use crate::audit;
use crate::catalogue::{Catalogue, FILE_NAME};
use crate::gateway::{
    Clock as _, ContextValues, Current, Era, Gateway, Parts, ServerSettings, Settings, SystemClock,
};
use crate::json::parse;
use crate::keys::{KeyRing, Randomness as _, Secret, SystemRandomness};
use crate::mcp::client::{HttpServers, Limits, ServerAddress};
use crate::service::{self, Access, Hooks, Metrics, RunningService, Service};
use crate::store::{Sqlite, Store};
use crate::tool_check::Policy;

/// The compiled agents of the shop.
const CATALOGUE: &[u8] = include_bytes!("../../fixtures/gateway/shop/agent.catalogue.json");

/// The bearer token of `desk`; the demo listens to this machine alone, and for a moment.
pub const DESK: &str = "desk-token-of-the-demo";
/// The bearer token of `billing`.
const BILLING: &str = "billing-token-of-the-demo";

/// Why the demo does not play.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the demo cannot be shown: {0}")]
pub struct DemoError(String);

fn cannot(error: impl ToString) -> DemoError {
    DemoError(error.to_string())
}

/// A shop and a gateway, on ports of their own.
pub struct Stage {
    /// The shop's server.
    pub shop: ShopServer,
    /// The gateway.
    pub gateway: Gateway,
    service: RunningService,
}

impl Stage {
    /// Starts both on free ports of this machine. Store and audit log are in memory or, where a
    /// folder is given, new files in it.
    ///
    /// # Errors
    /// No ports are free, the system gives no random bytes, or the files cannot be made.
    pub async fn set(folder: Option<&Path>) -> Result<Self, DemoError> {
        let local = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
        let listener = TcpListener::bind(local).await.map_err(cannot)?;
        let shop = ShopServer::start(listener).map_err(cannot)?;
        let mut secret = Secret::default();
        SystemRandomness.fill(secret.as_mut()).map_err(cannot)?;
        let keys = KeyRing::new(vec![("demo".to_owned(), secret)]).map_err(cannot)?;
        let keys = Arc::new(keys);
        let catalogue = Catalogue::from_bytes(FILE_NAME, CATALOGUE);
        let catalogue = catalogue.map_err(|_| cannot("its catalogue is damaged"))?;
        let hash = catalogue.hash();
        let timeout = Duration::from_secs(30);
        let address = ServerAddress {
            name: "shop".to_owned(),
            url: shop.url(),
            headers: Vec::new(),
            idempotent: false,
            timeout,
        };
        let clock: Arc<dyn Fn() -> i64 + Send + Sync> = Arc::new(|| SystemClock.now());
        let servers = HttpServers::new(vec![address], Limits::default(), Arc::clone(&clock));
        let server = ServerSettings {
            idempotent: false,
            timeout,
        };
        let settings = Settings {
            upstreams: [("*".to_owned(), "shop".to_owned())].into(),
            servers: [("shop".to_owned(), server)].into(),
            ..Settings::default()
        };
        let store = match folder {
            Some(folder) => Sqlite::open(&folder.join("gateway.db")),
            None => Sqlite::in_memory(),
        };
        let store: Arc<dyn Store> = Arc::new(store.map_err(cannot)?);
        let log = match folder {
            Some(folder) => {
                let (file, now) = (folder.join("decisions.jsonl"), SystemClock.now());
                let (store, keys) = (Arc::clone(&store), Arc::clone(&keys));
                audit::Log::open(&file, store, keys, &settings.node, now)
            }
            None => audit::Log::in_memory(Arc::clone(&store), &settings.node, 1000),
        };
        let gateway = Gateway::start(Parts {
            current: Current {
                policy: Policy::new(catalogue, hash).map_err(cannot)?,
                keys: Arc::clone(&keys),
                settings,
                servers: Arc::new(servers.map_err(cannot)?),
                context: ContextValues {
                    fixed: Map::from_iter([("order_paid".to_owned(), Value::Bool(true))]),
                    source: None,
                },
            },
            store,
            log: log.map_err(cannot)?,
            clock: Arc::new(SystemClock),
            randomness: Arc::new(SystemRandomness),
        });
        let gateway = gateway.await.map_err(cannot)?;
        let token = |text: &str| vec![Zeroizing::new(text.to_owned())];
        let agents = [("desk", DESK), ("billing", BILLING)];
        let access = Access {
            agents: agents
                .map(|(agent, text)| (agent.to_owned(), token(text)))
                .into(),
            ..Access::default()
        };
        let settings = service::Settings {
            listen: local,
            tls: None,
            endpoint: Default::default(),
            limits: Default::default(),
            access,
            keys,
            randomness: Arc::new(SystemRandomness),
            clock,
            metrics: Metrics::default(),
            hooks: Hooks {
                reload: Arc::new(|| {
                    let text = "the demo has no files to read anew".to_owned();
                    std::future::ready(Err(text)).boxed()
                }),
                readiness: Arc::new(Vec::new),
            },
        };
        let service = Service::start(settings, Arc::new(gateway.clone())).map_err(cannot)?;
        Ok(Self {
            shop,
            gateway,
            service,
        })
    }

    /// The gateway's endpoint.
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.service.address)
    }

    /// Stops both.
    pub async fn clear(self) {
        self.service.stop().await;
        self.shop.stop().await;
    }
}

/// What an act of the example is: who calls what.
const CALLS: [(&str, &str, &str); 6] = [
    (
        "desk",
        "refund_card",
        r#"{"order_id": "4411", "amount": 40.00}"#,
    ),
    ("desk", "get_order", r#"{"order_id": "4411"}"#),
    (
        "desk",
        "charge_card",
        r#"{"order_id": "4411", "amount": 40.0}"#,
    ),
    ("desk", "read_inbox", "{}"),
    (
        "desk",
        "charge_card",
        r#"{"order_id": "4412", "amount": 12.50}"#,
    ),
    (
        "billing",
        "refund_card",
        r#"{"order_id": "4411", "amount": 40.00}"#,
    ),
];

/// Plays the example on a stage, in one era, and says line by line what happens.
///
/// # Errors
/// An agent cannot reach the gateway.
pub async fn play(
    stage: &Stage,
    era: Era,
    say: &mut (dyn FnMut(&str) + Send),
) -> Result<(), DemoError> {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let person: Person = {
        let asked = Arc::clone(&asked);
        Arc::new(move |message: &str| {
            let first = message.lines().next().unwrap_or_default().to_owned();
            let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.push(first);
            true
        })
    };
    let url = stage.url();
    let desk = Agent::connect(&url, DESK, era, Some(person)).await;
    let desk = desk.map_err(cannot)?;
    let billing = Agent::connect(&url, BILLING, era, None).await;
    let billing = billing.map_err(cannot)?;
    for (name, agent) in [("desk", &desk), ("billing", &billing)] {
        let tools = agent.tools().await.map_err(cannot)?;
        say(&format!("{name} sees: {}", tools.join(", ")));
    }
    for (name, tool, arguments) in CALLS {
        let agent = if name == "desk" { &desk } else { &billing };
        let ended = agent.call(tool, arguments).await;
        let shown = shown(arguments);
        say(&format!("{name} {tool}{shown} -> {}", {
            let questions =
                std::mem::take(&mut *asked.lock().unwrap_or_else(PoisonError::into_inner));
            let asked: String = questions
                .iter()
                .map(|question| format!("asked `{question}`, approved, "))
                .collect();
            let end = match ended {
                Ended::Ran(_) => "ran".to_owned(),
                Ended::Refused(reason) => format!("refused `{reason}`"),
                Ended::Failed(text) => format!("failed: {text}"),
            };
            format!("{asked}{end}")
        }));
    }
    say("");
    say("the shop received:");
    for call in stage.shop.received() {
        say(&format!("  {}", received(&call)));
    }
    say("");
    say("the audit log has:");
    for line in stage.gateway.audit() {
        say(&format!("  {}", recorded(&line.text)));
    }
    Ok(())
}

/// The values of arguments, as a sentence has them.
fn shown(arguments: &str) -> String {
    let members = crate::json::Members::read(arguments).ok().flatten();
    let values = members.iter().flat_map(crate::json::Members::iter);
    values
        .map(|member| format!(" {}", member.value.trim_matches('"')))
        .collect()
}

fn received(call: &ReceivedCall) -> String {
    let key = match call.idempotency_key {
        Some(_) => "with an idempotency key",
        None => "without a key",
    };
    format!("{} {} {key}", call.tool, call.arguments)
}

/// What a line of the audit log says of kind, agent, tool and decision.
fn recorded(line: &str) -> String {
    let line = parse(line.as_bytes()).unwrap_or_default();
    let keys = ["kind", "agent", "tool", "decision", "reason", "outcome"];
    let words = keys.iter().filter_map(|key| line.get(*key)?.as_str());
    words.collect::<Vec<_>>().join(" ")
}
