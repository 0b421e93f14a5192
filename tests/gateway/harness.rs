//! A gateway in process, with a clock that stands still, ids that count, and a server that does
//! what it is told and remembers what it got.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};
use stalwart::audit;
use stalwart::catalogue::{Agent, Catalogue, FORMAT, OperationType, OrderRule, Tool, Ungoverned};
use stalwart::compiler::{Depth, compile};
use stalwart::gateway::{
    Answer, Ask, CallEnd, CallRequest, Caller, Clock, ContextSource, ContextValues, Current, Era,
    ForwardedCall, Gateway, Parts, Relay, Reply, Servers, Settings, ToolDefinition, Unavailable,
    UpstreamScope, UpstreamSession,
};
use stalwart::keys::{KeyRing, Randomness, RandomnessError, Secret};
use stalwart::store::{Millis, RunId, Sqlite, Store};
use stalwart::tool_check::Policy;
use tokio::sync::Notify;

/// The rulebook of the shop.
pub const SHOP: &str = include_str!("../../fixtures/shop/policy.co");

/// A clock that is told the time.
#[derive(Debug)]
pub struct StandingClock(AtomicI64);

impl StandingClock {
    pub fn advance(&self, by: Millis) {
        self.0.fetch_add(by, Ordering::SeqCst);
    }
}

impl Clock for StandingClock {
    fn now(&self) -> Millis {
        self.0.load(Ordering::SeqCst)
    }
}

/// Ids that count.
#[derive(Debug, Default)]
pub struct Counting(AtomicU64);

impl Randomness for Counting {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomnessError> {
        let next = self.0.fetch_add(1, Ordering::SeqCst);
        for (byte, value) in bytes.iter_mut().rev().zip(next.to_le_bytes()) {
            *byte = value;
        }
        Ok(())
    }
}

/// A call as the server got it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    pub tool: String,
    pub arguments: String,
    pub has_key: bool,
    pub scope: String,
}

/// A server in process.
#[derive(Default)]
pub struct Scripted {
    pub received: Mutex<Vec<Received>>,
    /// What the next calls come to; behind them, all succeed.
    pub ends: Mutex<VecDeque<CallEnd>>,
    pub is_down: std::sync::atomic::AtomicBool,
    pub definitions: Mutex<Vec<ToolDefinition>>,
    /// Where set, sessions wait for it before they are open; tells when one waits.
    pub opening: Mutex<Option<(Arc<Notify>, Arc<Notify>)>>,
    /// Where set, calls wait for it before they end.
    pub gate: Mutex<Option<Arc<Notify>>>,
}

pub fn ok() -> CallEnd {
    CallEnd::Result {
        json: r#"{"content":[{"type":"text","text":"done"}]}"#.to_owned(),
        is_error: false,
    }
}

struct ScriptedSession {
    server: Arc<Scripted>,
    scope: String,
}

/// The scripted server as the gateway reaches it.
struct Reached(Arc<Scripted>);

impl Servers for Reached {
    fn open<'a>(
        &'a self,
        _: &'a str,
        scope: &'a UpstreamScope,
    ) -> BoxFuture<'a, Result<Arc<dyn UpstreamSession>, Unavailable>> {
        async move {
            if self.0.is_down.load(Ordering::SeqCst) {
                return Err(Unavailable("it is down".to_owned()));
            }
            let opening = self.0.opening.lock().unwrap().clone();
            if let Some((waits, gate)) = opening {
                waits.notify_one();
                gate.notified().await;
            }
            let session: Arc<dyn UpstreamSession> = Arc::new(ScriptedSession {
                server: Arc::clone(&self.0),
                scope: scope.key.clone(),
            });
            Ok(session)
        }
        .boxed()
    }

    fn close<'a>(&'a self, _: &'a str) -> BoxFuture<'a, ()> {
        std::future::ready(()).boxed()
    }
}

impl UpstreamSession for ScriptedSession {
    fn tools(&self) -> BoxFuture<'_, Result<Arc<[ToolDefinition]>, Unavailable>> {
        let definitions = self.server.definitions.lock().unwrap().clone();
        std::future::ready(Ok(definitions.into())).boxed()
    }

    fn call<'a>(&'a self, call: &'a ForwardedCall, _: &'a dyn Relay) -> BoxFuture<'a, CallEnd> {
        async move {
            self.server.received.lock().unwrap().push(Received {
                tool: call.tool.clone(),
                arguments: call.arguments.clone(),
                has_key: call.idempotency_key.is_some(),
                scope: self.scope.clone(),
            });
            let end = self.server.ends.lock().unwrap().pop_front();
            let gate = self.server.gate.lock().unwrap().clone();
            if let Some(gate) = gate {
                gate.notified().await;
            }
            end.unwrap_or_else(ok)
        }
        .boxed()
    }
}

/// A host that answers what it is told to.
#[derive(Default)]
pub struct Host {
    pub answers: Mutex<Map<String, Value>>,
    pub asked: Mutex<Vec<stalwart::gateway::ContextQuestion>>,
    pub is_down: std::sync::atomic::AtomicBool,
}

/// The host as the gateway asks it.
struct Asked(Arc<Host>);

impl ContextSource for Asked {
    fn ask(
        &self,
        question: stalwart::gateway::ContextQuestion,
    ) -> BoxFuture<'_, Result<Map<String, Value>, stalwart::gateway::ContextUnavailable>> {
        self.0.asked.lock().unwrap().push(question);
        let answer = if self.0.is_down.load(Ordering::SeqCst) {
            Err(stalwart::gateway::ContextUnavailable("down".to_owned()))
        } else {
            Ok(self.0.answers.lock().unwrap().clone())
        };
        std::future::ready(answer).boxed()
    }
}

/// A person who answers from a list, and remembers what was shown.
#[derive(Default)]
pub struct Person {
    pub answers: Mutex<VecDeque<Answer>>,
    pub shown: Mutex<Vec<String>>,
}

impl Person {
    pub fn who_says(answers: impl IntoIterator<Item = Answer>) -> Self {
        Self {
            answers: Mutex::new(answers.into_iter().collect()),
            shown: Mutex::default(),
        }
    }

    /// The first lines of what was shown.
    pub fn first_lines(&self) -> Vec<String> {
        let shown = self.shown.lock().unwrap();
        let first = |text: &String| text.lines().next().unwrap_or_default().to_owned();
        shown.iter().map(first).collect()
    }
}

impl Ask for Person {
    fn ask<'a>(&'a self, text: &'a str) -> BoxFuture<'a, Answer> {
        self.shown.lock().unwrap().push(text.to_owned());
        let answer = self.answers.lock().unwrap().pop_front();
        std::future::ready(answer.expect("nobody expected this question")).boxed()
    }
}

/// A tool with any arguments.
pub fn tool(operation_type: OperationType) -> Tool {
    Tool {
        confirm: None,
        context_arguments: BTreeSet::new(),
        input_schema: json!({"type": "object"}),
        operation_type,
        outside: false,
        require_confirmation: true,
        undo: None,
    }
}

pub fn read() -> Tool {
    tool(OperationType::ReadOnly)
}

pub fn write() -> Tool {
    tool(OperationType::Transactional)
}

/// A gateway under test.
pub struct Bench {
    pub gateway: Gateway,
    pub server: Arc<Scripted>,
    pub clock: Arc<StandingClock>,
    pub host: Arc<Host>,
}

/// What a gateway under test is made of.
pub struct Plan {
    pub catalogue: Catalogue,
    pub settings: Settings,
    pub context: Map<String, Value>,
    pub asks_host: bool,
}

/// The rulebook of a text.
pub fn rulebook(text: &str) -> stalwart::ir::Rulebook {
    let compilation = compile(
        "policy.co",
        text.as_bytes(),
        "stalwart.policy",
        Depth::Errors,
    );
    compilation.rulebook.expect("the rulebook checks")
}

/// The example of the worked scenario.
pub fn example_catalogue() -> Catalogue {
    let charge = json!({
        "type": "object",
        "properties": {"order_id": {"type": "string"}, "amount": {"type": "number"}},
        "required": ["order_id", "amount"]
    });
    let order = json!({
        "type": "object",
        "properties": {"order_id": {"type": "string"}},
        "required": ["order_id"]
    });
    let with = |tool: Tool, schema: &Value| Tool {
        input_schema: schema.clone(),
        ..tool
    };
    let tools = [
        ("charge_card", with(write(), &charge)),
        ("refund_card", with(write(), &charge)),
        ("get_order", with(read(), &order)),
        (
            "read_inbox",
            Tool {
                outside: true,
                ..read()
            },
        ),
        (
            "send_receipt",
            Tool {
                require_confirmation: false,
                ..with(write(), &order)
            },
        ),
    ];
    let agent = |tools: &[&str], hand_off: &[&str]| Agent {
        tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
        hand_off: hand_off.iter().map(|agent| (*agent).to_owned()).collect(),
        owners: BTreeSet::new(),
    };
    Catalogue {
        agents: BTreeMap::from([
            (
                "desk".to_owned(),
                agent(
                    &["charge_card", "get_order", "read_inbox", "send_receipt"],
                    &["billing"],
                ),
            ),
            ("billing".to_owned(), agent(&["refund_card"], &[])),
        ]),
        format: FORMAT.to_owned(),
        order: vec![
            OrderRule::After {
                after: "charge_card".to_owned(),
                tool: "send_receipt".to_owned(),
            },
            OrderRule::AtMost {
                at_most: 3,
                tool: "charge_card".to_owned(),
            },
        ],
        pins: None,
        rulebook: rulebook(SHOP),
        sources: Vec::new(),
        tools: tools
            .into_iter()
            .map(|(name, tool)| (name.to_owned(), tool))
            .collect(),
        ungoverned: Ungoverned::Allow,
    }
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            catalogue: example_catalogue(),
            settings: Settings {
                upstreams: BTreeMap::from([("*".to_owned(), "shop".to_owned())]),
                ..Settings::default()
            },
            context: Map::from_iter([("order_paid".to_owned(), Value::Bool(true))]),
            asks_host: false,
        }
    }
}

/// The keys of gateways under test.
pub fn keys() -> KeyRing {
    KeyRing::new(vec![("k1".to_owned(), Secret::from([7; 32]))]).unwrap()
}

impl Plan {
    /// What calls are judged by.
    pub fn current(self, server: &Arc<Scripted>, host: &Arc<Host>) -> Current {
        let source: Option<Arc<dyn ContextSource>> = if self.asks_host {
            Some(Arc::new(Asked(Arc::clone(host))))
        } else {
            None
        };
        Current {
            policy: Policy::new(self.catalogue, "policy-1".to_owned()).unwrap(),
            keys: Arc::new(keys()),
            settings: self.settings,
            servers: Arc::new(Reached(Arc::clone(server))),
            context: ContextValues {
                fixed: self.context,
                source,
            },
        }
    }

    pub async fn start(self) -> Bench {
        let server = Arc::new(Scripted::default());
        let definition = |name: &String| ToolDefinition {
            name: name.clone(),
            json: json!({"name": name, "description": "a tool", "inputSchema": {}}).to_string(),
            sha256: format!("sha-{name}"),
        };
        let definitions = self.catalogue.tools.keys().map(definition).collect();
        *server.definitions.lock().unwrap() = definitions;
        let host = Arc::new(Host::default());
        let clock = Arc::new(StandingClock(AtomicI64::new(1_000_000)));
        let store: Arc<dyn Store> = Arc::new(Sqlite::in_memory().unwrap());
        let gateway = Gateway::start(Parts {
            current: self.current(&server, &host),
            log: audit::Log::in_memory(Arc::clone(&store), "gateway", 10_000).unwrap(),
            store,
            clock: Arc::clone(&clock) as Arc<dyn Clock>,
            randomness: Arc::new(Counting::default()),
        })
        .await
        .unwrap();
        Bench {
            gateway,
            server,
            clock,
            host,
        }
    }
}

impl Bench {
    /// The tools that the server got, in order.
    pub fn received(&self) -> Vec<String> {
        let received = self.server.received.lock().unwrap();
        received.iter().map(|call| call.tool.clone()).collect()
    }

    /// The lines of a kind of the audit log.
    pub fn lines(&self, kind: &str) -> Vec<Value> {
        let lines = self.gateway.audit().into_iter();
        lines
            .map(|line| stalwart::json::parse(line.text.as_bytes()).unwrap())
            .filter(|line| line["kind"] == kind)
            .collect()
    }

    /// Decisions and their reasons, as the audit log has them.
    pub fn decisions(&self) -> Vec<String> {
        let lines = self.lines("decision");
        let text = |line: &Value| {
            let word = |key: &str| line[key].as_str().unwrap_or("?").to_owned();
            format!("{} {}", word("decision"), word("reason"))
        };
        lines.iter().map(text).collect()
    }

    /// The outcomes in the audit log.
    pub fn outcomes(&self) -> Vec<String> {
        let lines = self.lines("outcome");
        let outcome = |line: &Value| line["outcome"].as_str().unwrap_or("?").to_owned();
        lines.iter().map(outcome).collect()
    }
}

/// A call of the new era in a run; none is the shared one.
pub fn stateless(agent: &str, run: Option<&RunId>, tool: &str, arguments: &str) -> CallRequest {
    CallRequest {
        caller: Caller {
            agent: agent.to_owned(),
            run: run.cloned().unwrap_or_else(|| RunId::shared(agent)),
            session: None,
            era: Era::Stateless,
            capabilities: r#"{"elicitation":{}}"#.to_owned(),
            can_be_asked: true,
        },
        tool: tool.to_owned(),
        arguments: Some(arguments.to_owned()),
        meta: None,
        idempotency_key: None,
        upstream_answers: None,
    }
}

/// A relay that hears nothing and never cancels.
#[derive(Default)]
pub struct Deaf(pub tokio_util::sync::CancellationToken);

impl Relay for Deaf {
    fn notify(&self, _: &str, _: &str) -> BoxFuture<'_, ()> {
        std::future::ready(()).boxed()
    }

    fn ask(
        &self,
        _: stalwart::gateway::ServerQuestion,
    ) -> BoxFuture<'_, Result<String, stalwart::gateway::RelayError>> {
        std::future::ready(Err(stalwart::gateway::RelayError("deaf".to_owned()))).boxed()
    }

    fn cancellation(&self) -> tokio_util::sync::CancellationToken {
        self.0.clone()
    }
}

pub fn deaf() -> Arc<dyn Relay> {
    Arc::new(Deaf::default())
}

/// The reason of a reply.
pub fn reason(reply: &Reply) -> &'static str {
    reply.reason.as_str()
}

/// A bound for what must not hang.
pub const SOON: Duration = Duration::from_secs(20);
