//! The process: routes of host and admin, health, metrics, reload, drain, slow clients, TLS.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::peer::{
    ADMIN, DESK, DESK_TOO, Gateway, HOST, access, asked, meta, modern_params, request, settings,
};
use super::scripted::RUN;

#[tokio::test]
async fn the_host_mints_and_ends_runs() {
    let gateway = Gateway::start();
    for (body, status) in [
        (json!({"agent": "desk", "subject": "ana"}).to_string(), 201),
        (json!({"agent": "desk"}).to_string(), 201),
        (json!({"agent": "nobody"}).to_string(), 400),
        (json!({"agent": "desk", "parent": RUN}).to_string(), 400),
        (json!({"agent": "full"}).to_string(), 503),
        (json!({"agent": "desk", "agents": 1}).to_string(), 400),
        (json!({"agent": 1}).to_string(), 400),
        (json!({"agent": ""}).to_string(), 400),
        (json!({}).to_string(), 400),
        ("{\"agent\":\"desk\",\"agent\":\"desk\"}".to_owned(), 400),
        ("[]".to_owned(), 400),
        ("x".repeat(20_000), 413),
    ] {
        let reply = gateway
            .send(Method::POST, "/v1/runs", HOST, &[], body.clone())
            .await;
        assert_eq!(reply.status.as_u16(), status, "{body}");
        let answer = reply.json().await;
        if status == 201 {
            assert_eq!(answer, json!({"run": RUN}));
        } else {
            assert!(answer["error"].is_string());
        }
    }
    let path = format!("/v1/runs/{RUN}");
    for (path, status) in [(path.as_str(), 200), ("/v1/runs/other", 404)] {
        let reply = gateway.send(Method::DELETE, path, HOST, &[], "").await;
        assert_eq!(reply.status.as_u16(), status);
    }
    assert!(gateway.core.log().contains(&format!("ended {RUN}")));
}

#[tokio::test]
async fn each_route_has_its_token() {
    let end = format!("/admin/runs/{RUN}/end");
    let rollback = format!("/admin/runs/{RUN}/rollback");
    let delete = format!("/v1/runs/{RUN}");
    let routes = [
        (Method::POST, "/v1/runs", HOST, 201),
        (Method::DELETE, &delete, HOST, 200),
        (Method::POST, &end, ADMIN, 200),
        (Method::POST, "/admin/runs/other/end", ADMIN, 404),
        (Method::POST, &rollback, ADMIN, 501),
        (Method::POST, "/admin/sessions/x/rollback", ADMIN, 501),
        (Method::POST, "/admin/agents/desk/clear", ADMIN, 200),
        (Method::POST, "/admin/agents/nobody/clear", ADMIN, 404),
        (Method::POST, "/admin/reload", ADMIN, 200),
    ];
    let gateway = Gateway::start();
    let body = json!({"agent": "desk"}).to_string();
    for (method, path, own, status) in &routes {
        for token in [HOST, ADMIN, DESK, "other-token-0123456789"] {
            let reply = gateway
                .send(method.clone(), path, token, &[], body.clone())
                .await;
            let wanted = if token == *own { *status } else { 401 };
            assert_eq!(reply.status.as_u16(), wanted, "{path} {token}");
        }
    }
    // Nor do their tokens open the endpoint.
    for token in [HOST, ADMIN] {
        let reply = gateway
            .post(token, &[], request(1, "ping", json!({})))
            .await;
        assert_eq!(reply.status, StatusCode::UNAUTHORIZED);
    }
    // Off, they are not there.
    let mut settings = settings();
    settings.access.host_token = None;
    settings.access.admin_token = None;
    let gateway = Gateway::with(settings);
    for (method, path, own, _) in routes {
        let reply = gateway.send(method, path, own, &[], body.clone()).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{path}");
    }
    let reply = gateway.send(Method::GET, "/nothing", DESK, &[], "").await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn health_and_metrics() {
    let gateway = Gateway::start();
    let health = gateway.send(Method::GET, "/healthz", "", &[], "").await;
    assert_eq!(health.json().await, json!({"status": "ok"}));
    let ready = gateway.send(Method::GET, "/readyz", "", &[], "").await;
    assert_eq!(ready.status, StatusCode::OK);
    let warnings = json!(["no audit file is kept"]);
    let ready = ready.json().await;
    assert_eq!(
        ready,
        json!({"status": "ready", "reasons": [], "warnings": warnings})
    );

    gateway.initialize(DESK, json!({})).await;
    gateway
        .modern(DESK, modern_params("get_order", json!({}), json!({})))
        .await;
    gateway
        .modern(DESK, modern_params("charge_card", json!({}), json!({})))
        .await;
    gateway
        .modern(DESK, modern_params("made up \"", json!({}), json!({})))
        .await;
    gateway
        .modern("wrong", modern_params("get_order", json!({}), json!({})))
        .await;
    gateway.send(Method::POST, "/mcp", DESK, &[], "{").await;
    let metrics = gateway.send(Method::GET, "/metrics", "", &[], "").await;
    assert!(
        metrics
            .header("content-type")
            .starts_with("application/openmetrics-text")
    );
    let text = metrics.text().await;
    for line in [
        "stalwart_decisions_total{tool=\"get_order\",reason=\"allow\"} 1",
        "stalwart_decisions_total{tool=\"charge_card\",reason=\"confirmation_unavailable\"} 1",
        "stalwart_decisions_total{tool=\"(none)\",reason=\"unknown_tool\"} 1",
        "stalwart_outcomes_total{outcome=\"ok\"} 1",
        "stalwart_outcomes_total{outcome=\"refused\"} 2",
        "stalwart_faults_total{fault=\"unauthenticated\"} 1",
        "stalwart_faults_total{fault=\"unreadable\"} 1",
        "stalwart_sessions 1",
        "stalwart_runs 7",
        "stalwart_call_seconds_count 3",
    ] {
        assert!(
            text.lines().any(|it| it == line),
            "{line} is not in\n{text}"
        );
    }
    assert!(!text.contains("made up"));
}

#[tokio::test]
async fn a_reload_ends_the_sessions_of_removed_tokens() {
    let gateway = Gateway::start();
    let kept = gateway.initialize(DESK, json!({})).await;
    let ended = gateway.initialize(DESK_TOO, json!({})).await;
    let headers = [("mcp-session-id", kept.as_str())];
    let mut stream = gateway.send(Method::GET, "/mcp", DESK, &headers, "").await;

    *gateway.reloaded.lock().unwrap() = Err("agent.yaml is broken".to_owned());
    let reply = gateway
        .send(Method::POST, "/admin/reload", ADMIN, &[], "")
        .await;
    assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(reply.json().await, json!({"error": "agent.yaml is broken"}));
    let ping = |token: &'static str, session: &str| {
        let headers = [("mcp-session-id".to_owned(), session.to_owned())];
        let gateway = &gateway;
        async move {
            let headers = [(headers[0].0.as_str(), headers[0].1.as_str())];
            gateway
                .post(token, &headers, request(9, "ping", json!({})))
                .await
                .status
        }
    };
    assert_eq!(ping(DESK_TOO, &ended).await, StatusCode::OK);

    let mut changed = access();
    changed.agents.get_mut("desk").unwrap().truncate(1);
    changed.admin_token = None;
    *gateway.reloaded.lock().unwrap() = Ok(changed);
    let reply = gateway
        .send(Method::POST, "/admin/reload", ADMIN, &[], "")
        .await;
    assert_eq!(reply.status, StatusCode::OK);
    assert_eq!(ping(DESK, &kept).await, StatusCode::OK);
    assert_eq!(ping(DESK_TOO, &ended).await, StatusCode::UNAUTHORIZED);
    assert_eq!(gateway.running.open_sessions(), 1);
    assert_eq!(
        stream.next().await.unwrap()["method"],
        "notifications/tools/list_changed"
    );
    let reply = gateway
        .send(Method::POST, "/admin/reload", ADMIN, &[], "")
        .await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_drain_waits_for_calls_and_refuses_new_ones() {
    let gateway = Gateway::start();
    let session = gateway.initialize(DESK, json!({})).await;
    let (address, client) = (gateway.url(""), gateway.client.clone());
    let Gateway { core, running, .. } = gateway;
    let send = move |params: Value, session: String| {
        let request = client
            .post(format!("{address}/mcp"))
            .bearer_auth(DESK)
            .header("content-type", "application/json")
            .header("mcp-session-id", session)
            .body(
                request(
                    if params["name"] == "slow" { 2 } else { 3 },
                    "tools/call",
                    params,
                )
                .to_string(),
            );
        async move { request.send().await.unwrap().text().await.unwrap() }
    };
    let slow = tokio::spawn(send(json!({"name": "slow"}), session.clone()));
    core.saw("slow began").await;
    let stopping = tokio::spawn(running.stop());
    tokio::time::sleep(Duration::from_millis(50)).await;
    let refused = send(json!({"name": "get_order"}), session).await;
    assert!(
        refused.contains("\"stalwart\":{\"refused\":\"draining\"}"),
        "{refused}"
    );
    let slow = slow.await.unwrap();
    assert!(slow.contains("\"result\":{\"content\""), "{slow}");
    stopping.await.unwrap();
    assert!(core.log().contains(&"decided slow allow".to_owned()));
}

/// What a server sends before it closes a connection on which bytes come slowly.
fn slowly(address: std::net::SocketAddr, bytes: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(5)))
        .unwrap();
    stream.write_all(bytes.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[tokio::test]
async fn slow_and_oversized_clients_are_cut_off() {
    let gateway = Gateway::start();
    let address = gateway.running.address;
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {DESK}\r\n\
         content-type: application/json\r\n"
    );
    for (bytes, answer) in [
        (String::new(), ""),
        ("POST /mcp HT".to_owned(), ""),
        (head.clone(), ""),
        (
            format!("{head}content-length: 10\r\n\r\n{{"),
            "HTTP/1.1 408",
        ),
        (
            format!("{head}content-length: 9999999999\r\n\r\n"),
            "HTTP/1.1 413",
        ),
        (
            format!("{head}x: {}\r\n\r\n", "y".repeat(100_000)),
            "HTTP/1.1 431",
        ),
    ] {
        let got = tokio::task::spawn_blocking({
            let bytes = bytes.clone();
            move || slowly(address, &bytes)
        });
        let got = got.await.unwrap();
        let shown: String = bytes.chars().take(80).collect();
        assert!(got.starts_with(answer), "{shown}: {got}");
        assert!(!got.contains("200 OK"), "{shown}: {got}");
    }
}

#[tokio::test]
async fn connections_are_bounded() {
    let mut settings = settings();
    settings.limits.connections = 1;
    let gateway = Gateway::with(settings);
    let first = gateway.send(Method::GET, "/healthz", "", &[], "").await;
    assert_eq!(first.status, StatusCode::OK);
    // The first is kept open by the client; a second is closed without an answer.
    let second = reqwest::Client::builder().build().unwrap();
    assert!(second.get(gateway.url("/healthz")).send().await.is_err());
    drop(first);
}

#[tokio::test]
async fn a_port_that_is_taken_is_said() {
    let gateway = Gateway::start();
    let mut other = settings();
    other.listen = gateway.running.address;
    let core = std::sync::Arc::new(super::scripted::Scripted::default());
    let Err(error) = stalwart::service::Service::start(other, core) else {
        panic!("it listens twice");
    };
    let text = error.to_string();
    assert!(text.starts_with(&format!(
        "the gateway cannot listen on {}",
        gateway.running.address
    )));
}

#[tokio::test]
async fn calls_pass_through_tls() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gateway/server/tls");
    let mut settings = settings();
    settings.tls = Some(stalwart::service::TlsFiles {
        certificate: folder.join("certificate.pem"),
        key: folder.join("key.pem"),
    });
    let gateway = Gateway::with(settings);
    let client = reqwest::Client::builder()
        .tls_danger_accept_invalid_certs(true)
        .build()
        .unwrap();
    let url = format!("https://{}/mcp", gateway.running.address);
    let params = json!({"_meta": meta(asked())});
    let reply = client
        .post(url)
        .bearer_auth(DESK)
        .header("content-type", "application/json")
        .header("mcp-protocol-version", super::peer::STATELESS)
        .header("mcp-method", "tools/list")
        .body(request(1, "tools/list", params).to_string())
        .send()
        .await
        .unwrap();
    assert_eq!(reply.status(), StatusCode::OK);
    // Plain HTTP is none on this port.
    assert!(
        gateway
            .client
            .get(gateway.url("/healthz"))
            .send()
            .await
            .is_err()
    );
}

#[tokio::test]
async fn a_broken_certificate_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("certificate.pem");
    std::fs::write(&file, "nothing").unwrap();
    let mut settings = settings();
    settings.tls = Some(stalwart::service::TlsFiles {
        certificate: file.clone(),
        key: file,
    });
    let core = std::sync::Arc::new(super::scripted::Scripted::default());
    let Err(error) = stalwart::service::Service::start(settings, core) else {
        panic!("it starts");
    };
    assert!(
        error.to_string().starts_with("there is no certificate in"),
        "{error}"
    );
}

/// A place that lines are written to.
#[derive(Clone, Default)]
struct Lines(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn logs_are_one_json_object_a_line_without_arguments_and_tokens() {
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber =
        stalwart::service::logs::subscriber(tracing::Level::DEBUG, move || writer.clone());
    let _logging = tracing::subscriber::set_default(subscriber);
    let gateway = Gateway::start();
    let forged = "x\"}\n{\"level\":\"ERROR\",\"message\":\"forged\"}\u{1b}[31m";
    gateway
        .modern(
            DESK,
            modern_params(
                "get_order",
                json!({"order_id": "secret-argument"}),
                json!({}),
            ),
        )
        .await;
    let session = gateway.initialize(DESK, json!({})).await;
    gateway.call(&session, 2, json!({"name": forged})).await;
    let path = format!("/admin/agents/{}/clear", "desk%0A%7B%7D");
    gateway.send(Method::POST, &path, ADMIN, &[], "").await;
    *gateway.reloaded.lock().unwrap() = Err(forged.to_owned());
    gateway
        .send(Method::POST, "/admin/reload", ADMIN, &[], "")
        .await;

    let bytes = lines.0.lock().unwrap().clone();
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.contains("\"message\":\"call\""), "{text}");
    assert!(text.contains("not reloaded"), "{text}");
    for line in text.lines() {
        let line = stalwart::json::parse(line.as_bytes()).unwrap_or_else(|_| panic!("{line}"));
        assert_ne!(line["message"], "forged");
    }
    for secret in ["secret-argument", DESK, ADMIN, "\u{1b}"] {
        assert!(!text.contains(secret), "{secret} is in\n{text}");
    }
}
