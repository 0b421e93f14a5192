//! The gateway's side towards servers: the conformance suite's scenarios of clients, with an
//! official client behind the gateway that calls whatever is listed.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::conformance::read;
use super::programs::{self, Programs};
use super::stage::{Gateway, SUITE, catalogue};

/// The tools that the suite's servers have. What they take is left to the servers.
const TOOLS: [&str; 23] = [
    "add_numbers",
    "invalid_array_header",
    "invalid_colon_in_name",
    "invalid_control_char_name",
    "invalid_duplicate_diff_case",
    "invalid_duplicate_same_case",
    "invalid_empty_header",
    "invalid_non_ascii_name",
    "invalid_null_header",
    "invalid_number_header",
    "invalid_object_header",
    "invalid_space_in_name",
    "lookup_user",
    "my-hyphenated-tool",
    "test_custom_headers",
    "test_custom_headers_null",
    "test_headers",
    "test_mrtr_echo_state",
    "test_mrtr_no_result_type",
    "test_mrtr_no_state",
    "test_mrtr_unrelated",
    "test_reconnection",
    "valid_tool",
];

/// Starts a gateway before each server that is asked for, and keeps them.
#[derive(Clone, Default)]
struct Control(Arc<Mutex<Vec<Gateway>>>);

async fn start(State(control): State<Control>, server: String) -> String {
    let definition = |name: &&str| json!({"name": name, "inputSchema": {"type": "object"}});
    let tools: Vec<Value> = TOOLS.iter().map(definition).collect();
    let gateway = Gateway::start(&server, &catalogue(&tools), 60).await;
    let started = json!({"url": gateway.url, "token": SUITE});
    control.0.lock().expect("no panic").push(gateway);
    started.to_string()
}

/// Runs a scenario of a revision; what failed.
async fn passes(scenario: &str, revision: &str) {
    let Some(programs) = Programs::find() else {
        return;
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    let control = Control::default();
    let app = Router::new()
        .route("/", axum::routing::post(start))
        .with_state(control.clone());
    tokio::spawn(async move { axum::serve(listener, app).await });
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = programs.conformance_of_client(&url);
    command
        .args(["--scenario", scenario, "--spec-version", revision])
        .arg("--output-dir")
        .arg(folder.path());
    let output = programs::output(command).await;
    let scenarios = read(folder.path(), "");
    let said = String::from_utf8_lossy(&output.stderr);
    let faults = scenarios.get(scenario).expect("the scenario ran");
    assert!(faults.is_empty(), "{faults:#?}\n{said}");
    // A scenario in which nothing was checked has no faults either.
    assert!(
        said.contains("Passed: ") && !said.contains("Passed: 0/"),
        "{said}"
    );
    assert_eq!(control.0.lock().expect("no panic").len(), 1, "{said}");
}

/// A test for each scenario in a revision.
macro_rules! scenarios {
    ($($(#[$attribute:meta])* $name:ident: $scenario:literal, $revision:literal;)*) => {
        $(
            $(#[$attribute])*
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                passes($scenario, $revision).await;
            }
        )*
    };
}

scenarios! {
    initialize: "initialize", "2025-11-25";
    tools_call_legacy: "tools_call", "2025-11-25";
    tools_call_modern: "tools_call", "2026-07-28";
    sse_retry: "sse-retry", "2025-11-25";
    request_metadata: "request-metadata", "2026-07-28";
    standard_headers: "http-standard-headers", "2026-07-28";
    custom_headers: "http-custom-headers", "2026-07-28";
    invalid_tool_headers: "http-invalid-tool-headers", "2026-07-28";
    no_reference_is_fetched: "json-schema-ref-no-deref", "2026-07-28";
    request_state: "sep-2322-client-request-state", "2026-07-28";
}
