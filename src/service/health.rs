//! `/healthz`, `/readyz`, `/metrics`.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, Response, StatusCode, header};
use serde_json::json;

use super::routes::{App, answer};

/// The process answers.
pub(super) async fn healthz() -> Response<Body> {
    answer(StatusCode::OK, &json!({"status": "ok"}))
}

/// Whether calls are served, and what the operator should know.
pub(super) async fn readyz(State(app): State<Arc<App>>) -> Response<Body> {
    let warnings = (app.hooks.readiness)();
    if app.is_draining.load(Ordering::Relaxed) {
        let body = json!({"status": "draining", "reasons": ["draining"], "warnings": warnings});
        return answer(StatusCode::SERVICE_UNAVAILABLE, &body);
    }
    if !app.core.is_recording() {
        let body = json!({"status": "failing", "reasons": ["recording"], "warnings": warnings});
        return answer(StatusCode::SERVICE_UNAVAILABLE, &body);
    }
    let body = json!({"status": "ready", "reasons": [], "warnings": warnings});
    answer(StatusCode::OK, &body)
}

/// What the process counted.
pub(super) async fn metrics(State(app): State<Arc<App>>) -> Response<Body> {
    if let Some(live) = app.core.live_runs().await {
        app.metrics.set_runs(live);
    }
    let mut response = Response::new(Body::from(app.metrics.text()));
    let text = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let text = HeaderValue::from_static(text);
    response.headers_mut().insert(header::CONTENT_TYPE, text);
    response
}
