//! How sessions with servers end, and what a silent server holds up.

use super::*;

/// The sessions that the shop was told to end, in order.
fn ended(shop: &ShopServer) -> Vec<String> {
    let requests = shop.requests();
    let deletes = requests.iter().filter(|request| request.method == "DELETE");
    let id = |request: &stalwart::demo::ReceivedRequest| {
        let id = request.headers.get("mcp-session-id").unwrap();
        id.to_str().unwrap().to_owned()
    };
    deletes.map(id).collect()
}

/// Waits until the shop was told to end so many sessions.
async fn ends(shop: &ShopServer, count: usize) -> Vec<String> {
    for _ in 0..200 {
        if ended(shop).len() >= count {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    ended(shop)
}

fn scopes<const N: usize>(keys: [&str; N]) -> [UpstreamScope; N] {
    keys.map(|key| UpstreamScope {
        key: key.to_owned(),
        ..scope(Era::Session)
    })
}

#[tokio::test]
async fn a_session_that_is_unused_for_long_ends_on_its_server() {
    let setup = Setup::new(ServedEras::Session, Manner::Usual).await;
    let [unused, used, later] = scopes(["unused", "used", "later"]);
    setup.open(&unused).await;
    // Somebody has it, and may call at any time.
    let held = setup.open(&used).await;
    let idle = limits().session_idle;
    setup.now.fetch_add(idle, Ordering::Relaxed);
    setup.open(&later).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(ended(&setup.shop).is_empty(), "not before its time");
    setup.now.fetch_add(60_000, Ordering::Relaxed);
    setup.open(&later).await;
    assert_eq!(ends(&setup.shop, 1).await, ["shop-session-1"]);
    let end = held.call(&read(), &Client::default()).await;
    assert!(matches!(end, CallEnd::Result { .. }), "{end:?}");
    assert_eq!(ended(&setup.shop).len(), 1);
}

#[tokio::test]
async fn too_many_sessions_end_the_one_that_is_unused_longest() {
    let setup = Setup::new(ServedEras::Session, Manner::Usual).await;
    let limits = Limits {
        sessions: 2,
        ..limits()
    };
    let now = Arc::clone(&setup.now);
    let clock = Arc::new(move || now.fetch_add(1, Ordering::Relaxed));
    let servers = HttpServers::new(vec![address(&setup.shop.url())], limits, clock).unwrap();
    let [a, b, c, d] = scopes(["a", "b", "c", "d"]);
    let open = async |scope| servers.open("shop", scope).await;
    open(&a).await.unwrap();
    open(&b).await.unwrap();
    open(&a).await.unwrap();
    let held = open(&c).await.unwrap();
    assert_eq!(ends(&setup.shop, 1).await, ["shop-session-2"]);
    let too = open(&a).await.unwrap();
    let error = open(&d).await.err().unwrap();
    assert!(
        error.0.contains("more than 2 sessions are in use"),
        "{error}"
    );
    drop((held, too));
    open(&d).await.unwrap();
    assert_eq!(ends(&setup.shop, 2).await.len(), 2);
}

#[tokio::test]
async fn servers_that_are_replaced_end_their_sessions_behind_the_last_call() {
    let setup = Setup::new(ServedEras::Session, Manner::Usual).await;
    let [a, b] = scopes(["a", "b"]);
    setup.open(&a).await;
    let held = setup.open(&b).await;
    let Setup { shop, servers, .. } = setup;
    drop(servers);
    assert_eq!(ends(&shop, 1).await, ["shop-session-1"]);
    let end = held.call(&read(), &Client::default()).await;
    assert!(matches!(end, CallEnd::Result { .. }), "{end:?}");
    drop(held);
    assert_eq!(ends(&shop, 2).await, ["shop-session-1", "shop-session-2"]);
}

/// A server of the new era that never answers what is not `server/discover`, and the methods that
/// it was asked.
async fn silent_server() -> (String, Arc<Mutex<Vec<String>>>) {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = Arc::clone(&asked);
    let answer = move |body: String| {
        let seen = Arc::clone(&seen);
        async move {
            let body = stalwart::json::parse(body.as_bytes()).unwrap();
            let method = body["method"].as_str().unwrap().to_owned();
            seen.lock().unwrap().push(method.clone());
            if method != "server/discover" {
                std::future::pending::<()>().await;
            }
            let answer = format!(
                r#"{{"jsonrpc":"2.0","id":{},"result":{{"supportedVersions":["2026-07-28"]}}}}"#,
                body["id"]
            );
            ([("content-type", "application/json")], answer)
        }
    };
    let listener = listener().await;
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let router = axum::Router::new().route("/", axum::routing::post(answer));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url, asked)
}

#[tokio::test]
async fn a_silent_server_holds_up_all_who_want_its_tools_once() {
    let (url, asked) = silent_server().await;
    let address = ServerAddress {
        timeout: Duration::from_millis(500),
        ..address(&url)
    };
    let servers = HttpServers::new(vec![address], limits(), Arc::new(|| 0)).unwrap();
    let session = servers.open("shop", &scope(Era::Stateless)).await.unwrap();
    let all = futures_util::future::join_all((0..8).map(|_| session.tools()));
    // One after the other they would take four seconds.
    let all = tokio::time::timeout(Duration::from_secs(2), all).await;
    for outcome in all.unwrap() {
        let error = outcome.err().unwrap();
        assert!(error.0.contains("no answer in"), "{error}");
    }
    let lists = || {
        let asked = asked.lock().unwrap();
        asked
            .iter()
            .filter(|method| *method == "tools/list")
            .count()
    };
    assert_eq!(lists(), 1);
    // Who reads them may go away: another reads them then.
    let gone = tokio::time::timeout(Duration::from_millis(100), session.tools());
    let (gone, other) = tokio::join!(gone, session.tools());
    assert!(gone.is_err() && other.is_err());
    assert_eq!(lists(), 3);
}

#[tokio::test]
async fn the_time_that_a_server_takes_is_counted() {
    let setup = Setup::new(ServedEras::Both, Manner::Usual).await;
    let Setup { shop, servers, .. } = setup;
    let metrics = stalwart::service::Metrics::new();
    let clock = AtomicI64::new(0);
    let clock = Arc::new(move || clock.fetch_add(40, Ordering::Relaxed));
    let servers = stalwart::service::TimedServers::new(servers, metrics.clone(), clock);
    let counts = |line: &str| {
        let text = metrics.text();
        text.lines().any(|it| it == line)
    };
    let session = servers.open("shop", &scope(Era::Stateless)).await.unwrap();
    session.tools().await.unwrap();
    assert!(!metrics.text().contains("server=\"shop\""));
    session.call(&read(), &Client::default()).await;
    assert!(counts("stalwart_upstream_seconds_count{server=\"shop\"} 1"));
    assert!(counts(
        "stalwart_upstream_seconds_sum{server=\"shop\"} 0.04"
    ));
    // What reaches nobody says nothing of a server.
    shop.stop().await;
    session.call(&read(), &Client::default()).await;
    assert!(counts("stalwart_upstream_seconds_count{server=\"shop\"} 1"));
}
