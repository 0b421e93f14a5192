//! Routes of the host, which mints runs, and of the admin (gateway contract, section 2).

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Response, StatusCode};
use serde_json::{Map, Value, json};

use super::access::Door;
use super::routes::{App, answer, failed, not_found, read_body, unauthenticated};
use crate::json::{Bounds, parse_strict};
use crate::mcp::server::RunError;

/// Bounds of a body of these routes.
const BODY: Bounds = Bounds {
    bytes: 16 << 10,
    depth: 8,
};

/// Longest text in a body, in characters.
const LONGEST_TEXT: usize = 512;

/// The answer to whoever is not the host.
fn unless_host(app: &App, headers: &HeaderMap) -> Option<Response<Body>> {
    through(app, app.doors.load().host(headers, &app.token_keys))
}

/// The answer to whoever is not the admin.
fn unless_admin(app: &App, headers: &HeaderMap) -> Option<Response<Body>> {
    through(app, app.doors.load().admin(headers, &app.token_keys))
}

fn through(app: &App, door: Door) -> Option<Response<Body>> {
    match door {
        Door::Open => None,
        // Routes that are off look like routes that are not there.
        Door::Off => Some(not_found()),
        Door::Closed => Some(unauthenticated(app)),
    }
}

/// `POST /v1/runs`.
pub(super) async fn mint(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    let (head, body) = request.into_parts();
    if let Some(refused) = unless_host(&app, &head.headers) {
        return refused;
    }
    let body = match read_body(&app, &head.headers, body, BODY.bytes).await {
        Ok(body) => body,
        Err(status) => return failed(status, "the body is too large, too slow, or broken"),
    };
    let wrong = |text: &str| failed(StatusCode::BAD_REQUEST, text);
    let run = match parse_strict(&body, BODY) {
        Ok(Value::Object(run)) => run,
        Ok(_) => return wrong("the body is no object"),
        Err(error) => return wrong(&format!("the body is no JSON as it is read here: {error}")),
    };
    let known = ["agent", "subject", "parent"];
    if run.keys().any(|key| !known.contains(&key.as_str())) {
        return wrong("the body may have `agent`, `subject` and `parent` alone");
    }
    let (agent, subject, parent) = match (
        text_of(&run, "agent"),
        text_of(&run, "subject"),
        text_of(&run, "parent"),
    ) {
        (Ok(Some(agent)), Ok(subject), Ok(parent)) => (agent, subject, parent),
        (Ok(None), _, _) => return wrong("`agent` is missing"),
        _ => return wrong("`agent`, `subject` and `parent` are texts of 1 to 512 characters"),
    };
    match app.core.mint_run(agent, subject, parent).await {
        Ok(run) => {
            tracing::info!(run = run.as_str(), agent, "a run was minted");
            answer(StatusCode::CREATED, &json!({"run": run.as_str()}))
        }
        Err(error) => {
            let status = match error {
                RunError::UnknownAgent
                | RunError::UnknownParent
                | RunError::NoHandOff
                | RunError::BadSubject => StatusCode::BAD_REQUEST,
                RunError::TooMany => StatusCode::SERVICE_UNAVAILABLE,
                RunError::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            };
            failed(status, &error.to_string())
        }
    }
}

fn text_of<'a>(run: &'a Map<String, Value>, key: &str) -> Result<Option<&'a str>, ()> {
    match run.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => {
            let is_long = text.chars().count() > LONGEST_TEXT;
            if is_long || text.is_empty() {
                return Err(());
            }
            Ok(Some(text))
        }
        Some(_) => Err(()),
    }
}

/// `DELETE /v1/runs/{id}`.
pub(super) async fn end_by_host(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response<Body> {
    if let Some(refused) = unless_host(&app, &headers) {
        return refused;
    }
    end(&app, &id, false).await
}

/// `POST /admin/runs/{id}/end`.
pub(super) async fn end_by_admin(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response<Body> {
    if let Some(refused) = unless_admin(&app, &headers) {
        return refused;
    }
    end(&app, &id, true).await
}

async fn end(app: &App, id: &str, by_admin: bool) -> Response<Body> {
    if !app.core.end_run(id).await {
        return failed(StatusCode::NOT_FOUND, "no live run has this id");
    }
    tracing::info!(run = id, by_admin, "a run was ended");
    answer(StatusCode::OK, &json!({"ended": id}))
}

/// `POST /admin/agents/{a}/clear`.
pub(super) async fn clear(
    State(app): State<Arc<App>>,
    Path(agent): Path<String>,
    headers: HeaderMap,
) -> Response<Body> {
    if let Some(refused) = unless_admin(&app, &headers) {
        return refused;
    }
    if !app.core.clear_agent(&agent).await {
        return failed(StatusCode::NOT_FOUND, "there is no such agent");
    }
    tracing::info!(agent, "an agent's shared run was cleared");
    answer(StatusCode::OK, &json!({"cleared": agent}))
}

/// `POST /admin/runs/{id}/rollback`, and its alias for sessions.
pub(super) async fn rollback(State(app): State<Arc<App>>, headers: HeaderMap) -> Response<Body> {
    if let Some(refused) = unless_admin(&app, &headers) {
        return refused;
    }
    failed(StatusCode::NOT_IMPLEMENTED, "this build does not undo")
}

/// `POST /admin/reload`.
pub(super) async fn reload(State(app): State<Arc<App>>, headers: HeaderMap) -> Response<Body> {
    if let Some(refused) = unless_admin(&app, &headers) {
        return refused;
    }
    match app.reload().await {
        Ok(()) => answer(StatusCode::OK, &json!({"reloaded": true})),
        Err(error) => failed(StatusCode::UNPROCESSABLE_ENTITY, &error),
    }
}
