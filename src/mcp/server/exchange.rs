//! The answer to one request: JSON where nothing comes before the response, else a stream of
//! events.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use futures_util::stream;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::DropGuard;

use super::shape::Final;

/// What is sent to the client, in order.
pub(super) enum Event {
    /// A message before the response.
    Message(String),
    /// The response.
    End(Final),
}

/// How many events wait for a slow client.
pub(super) const BUFFER: usize = 64;

/// A JSON answer.
pub(super) fn json(status: StatusCode, text: String) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

/// An answer without a body.
pub(super) fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

/// The answer of one response.
pub(super) fn of_final(last: Final) -> Response<Body> {
    json(last.status, last.message)
}

/// The answer to a request whose events come one by one. `gone` fires when the client is no
/// longer there to read them; also at the end, when it means nothing.
pub(super) async fn respond(
    mut events: mpsc::Receiver<Event>,
    gone: DropGuard,
    patience: Duration,
    keep_alive: Duration,
) -> Response<Body> {
    match timeout(patience, events.recv()).await {
        Ok(Some(Event::End(last))) => of_final(last),
        Ok(Some(Event::Message(message))) => stream_of(Some(message), events, gone, keep_alive),
        // The task that answers ended without an answer: it panicked.
        Ok(None) => empty(StatusCode::INTERNAL_SERVER_ERROR),
        Err(_) => stream_of(None, events, gone, keep_alive),
    }
}

/// A stream of events, with a comment now and then so that nothing on the way takes it for dead.
pub(super) fn stream_of(
    first: Option<String>,
    events: mpsc::Receiver<Event>,
    gone: DropGuard,
    keep_alive: Duration,
) -> Response<Body> {
    let start = (first, Some((events, gone)));
    let frames = stream::unfold(start, move |(first, open)| async move {
        let (mut events, gone) = open?;
        if let Some(first) = first {
            return Some((frame(&first), (None, Some((events, gone)))));
        }
        match timeout(keep_alive, events.recv()).await {
            Err(_) => Some((": \n\n".to_owned(), (None, Some((events, gone))))),
            Ok(Some(Event::Message(message))) => {
                Some((frame(&message), (None, Some((events, gone)))))
            }
            Ok(Some(Event::End(last))) => Some((frame(&last.message), (None, None))),
            Ok(None) => None,
        }
    });
    let frames = futures_util::StreamExt::map(frames, Ok::<_, Infallible>);
    let mut response = Response::new(Body::from_stream(frames));
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/event-stream"),
    );
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("no-cache, no-transform"),
    );
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// A message as an event. A break in JSON stands between values alone, so it may be another one.
fn frame(message: &str) -> String {
    let mut out = String::with_capacity(message.len() + 32);
    out.push_str("event: message\n");
    for line in message.split(['\n', '\r']) {
        out.push_str("data: ");
        out.push_str(line);
        out.push('\n');
    }
    out.push('\n');
    out
}
