//! The gateway's side towards servers, against a shop that listens on this machine.

mod ends;
mod outcomes;
mod sessions;
mod talk;

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use stalwart::demo::{Conduct, Manner, ServedEras, ShopServer};
use stalwart::gateway::{
    CallEnd, Era, ForwardedCall, Relay, RelayError, ServerQuestion, Servers, UpstreamScope,
    UpstreamSession,
};
use stalwart::mcp::client::{HttpServers, Limits, ServerAddress, pin};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use zeroize::Zeroizing;

const ERAS: [Era; 2] = [Era::Session, Era::Stateless];

/// A relay that remembers what it was told, and answers questions alike.
#[derive(Default)]
struct Client {
    notified: Mutex<Vec<(String, String)>>,
    asked: Mutex<Vec<ServerQuestion>>,
    /// None: it cannot be asked.
    answer: Option<String>,
    /// How long it takes to answer.
    thinks: Duration,
    cancellation: CancellationToken,
}

impl Client {
    fn notified(&self) -> Vec<(String, String)> {
        self.notified.lock().unwrap().clone()
    }

    fn asked(&self) -> Vec<ServerQuestion> {
        self.asked.lock().unwrap().clone()
    }
}

impl Relay for Client {
    fn notify(&self, method: &str, params: &str) -> BoxFuture<'_, ()> {
        let told = (method.to_owned(), params.to_owned());
        self.notified.lock().unwrap().push(told);
        Box::pin(async {})
    }

    fn ask(&self, question: ServerQuestion) -> BoxFuture<'_, Result<String, RelayError>> {
        self.asked.lock().unwrap().push(question);
        let answer = self.answer.clone();
        Box::pin(async move {
            tokio::time::sleep(self.thinks).await;
            answer.ok_or_else(|| RelayError("nobody is there".to_owned()))
        })
    }

    fn cancellation(&self) -> CancellationToken {
        self.cancellation.clone()
    }
}

/// A shop, and the servers that reach it.
struct Setup {
    shop: ShopServer,
    servers: HttpServers,
    now: Arc<AtomicI64>,
}

fn limits() -> Limits {
    Limits {
        answer_bytes: 64 << 10,
        stream_bytes: 128 << 10,
        ..Limits::default()
    }
}

fn address(url: &str) -> ServerAddress {
    ServerAddress {
        name: "shop".to_owned(),
        url: url.to_owned(),
        headers: vec![(
            "Authorization".to_owned(),
            Zeroizing::new("Bearer of-the-server".to_owned()),
        )],
        idempotent: false,
        timeout: Duration::from_secs(5),
    }
}

async fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.unwrap()
}

impl Setup {
    async fn new(eras: ServedEras, manner: Manner) -> Self {
        Self::with(eras, manner, |_| {}).await
    }

    async fn with(
        eras: ServedEras,
        manner: Manner,
        change: impl FnOnce(&mut ServerAddress),
    ) -> Self {
        let conduct = Conduct { eras, manner };
        let shop = ShopServer::start_with(listener().await, conduct).unwrap();
        let mut address = address(&shop.url());
        change(&mut address);
        let now = Arc::new(AtomicI64::new(1_000_000));
        let clock = Arc::clone(&now);
        let clock = Arc::new(move || clock.load(Ordering::Relaxed));
        let servers = HttpServers::new(vec![address], limits(), clock).unwrap();
        Self { shop, servers, now }
    }

    async fn open(&self, scope: &UpstreamScope) -> Arc<dyn UpstreamSession> {
        self.servers.open("shop", scope).await.unwrap()
    }

    async fn call(&self, era: Era, call: &ForwardedCall, client: &Client) -> CallEnd {
        self.open(&scope(era)).await.call(call, client).await
    }

    /// The JSON-RPC methods of the requests that the shop received, HTTP methods for those that
    /// have no body.
    fn methods(&self) -> Vec<String> {
        let requests = self.shop.requests();
        let method = |request: &stalwart::demo::ReceivedRequest| {
            let body = stalwart::json::parse(request.body.as_bytes());
            let method = body
                .ok()
                .and_then(|body| Some(body.get("method")?.as_str()?.to_owned()));
            method.unwrap_or_else(|| request.method.to_string())
        };
        requests.iter().map(method).collect()
    }
}

fn scope(era: Era) -> UpstreamScope {
    UpstreamScope {
        key: "desk/run/session".to_owned(),
        era,
        capabilities: r#"{"elicitation":{},"sampling":{}}"#.to_owned(),
    }
}

fn read() -> ForwardedCall {
    ForwardedCall {
        tool: "get_order".to_owned(),
        arguments: r#"{ "order_id":"4411" }"#.to_owned(),
        meta: None,
        idempotency_key: None,
        answers: None,
        timeout: Duration::from_secs(5),
    }
}

fn write() -> ForwardedCall {
    ForwardedCall {
        tool: "charge_card".to_owned(),
        arguments: r#"{"order_id": "4411", "amount" : 40.0}"#.to_owned(),
        idempotency_key: Some("key-1".to_owned()),
        ..read()
    }
}
