//! One request and its answer: a body of JSON, or a stream of events that is taken up again where
//! it broke.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, Response, StatusCode, Url};
use tokio::sync::mpsc::Sender;

use super::address::Limits;
use super::connection::{Failure, cause, send};
use crate::json::Bounds;
use crate::mcp::wire::{EventReader, Id, MCP_SESSION_ID, Message, Outcome, read_message};

/// Most bytes of the body of an HTTP error that are read.
const ERROR_BYTES: usize = 64 << 10;
/// How long to wait before a broken stream is taken up again, where the server does not say.
const USUAL_PAUSE: u64 = 1_000;
/// The longest that a server may have it wait.
const LONGEST_PAUSE: u64 = 30_000;
/// How many times a stream is taken up again.
const MOST_RESUMPTIONS: usize = 100;
/// How long the end of a stream is waited for behind its answer, so that the connection can serve
/// the next request.
const LAST_WAIT: Duration = Duration::from_secs(1);

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// A request that is to be sent.
pub(super) struct Exchange<'a> {
    pub(super) client: &'a Client,
    pub(super) url: &'a Url,
    pub(super) limits: Limits,
    pub(super) id: &'a Id,
    pub(super) headers: HeaderMap,
    pub(super) body: String,
    /// Whether a broken stream may be taken up again by GET: before 2026-07-28.
    pub(super) is_resumable: bool,
    /// Where the server's notifications and requests go.
    pub(super) notices: Option<Sender<String>>,
}

/// An answer of JSON-RPC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answered {
    pub(super) status: StatusCode,
    /// The session that the server named.
    pub(super) session: Option<HeaderValue>,
    pub(super) outcome: Answer,
}

/// What it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A result's text.
    Result(String),
    /// An error's text.
    Error {
        json: String,
        /// Whether it names this request; else the server could not read which it was.
        is_named: bool,
    },
}

impl Exchange<'_> {
    /// Sends the request once, and reads the answer.
    pub(super) async fn run(self) -> Result<Answered, Failure> {
        let response = send(
            self.client,
            Method::POST,
            self.url,
            self.headers.clone(),
            Some(self.body.clone()),
        )
        .await?;
        let status = response.status();
        let session = response.headers().get(MCP_SESSION_ID).cloned();
        let outcome = if status.is_success() && is_of_type(&response, "text/event-stream") {
            self.stream(response).await?
        } else {
            self.single(response).await?
        };
        Ok(Answered {
            status,
            session,
            outcome,
        })
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            bytes: self.limits.answer_bytes,
            depth: self.limits.depth,
        }
    }

    /// Reads a body that is one message.
    async fn single(&self, response: Response) -> Result<Answer, Failure> {
        let status = response.status();
        let unreadable = |text: String| match status.is_success() {
            true => Failure::Lost(text),
            false => Failure::Status(
                status.as_u16(),
                format!("it answered with HTTP {}", status.as_u16()),
            ),
        };
        if status.is_redirection() {
            let text = format!(
                "it answered with a redirect (HTTP {}), which is not followed",
                status.as_u16()
            );
            return Err(Failure::Status(status.as_u16(), text));
        }
        if status.is_success() && !is_of_type(&response, "application/json") {
            return Err(unreadable(
                "its answer is neither JSON nor a stream".to_owned(),
            ));
        }
        let bound = match status.is_success() {
            true => self.limits.answer_bytes,
            false => ERROR_BYTES,
        };
        let body = read_body(response, bound).await.map_err(unreadable)?;
        match read_message(&body, self.bounds()) {
            Ok(Message::Response { id, outcome }) => {
                match (self.answer(id.as_ref(), outcome), status.is_success()) {
                    (Some(Answer::Result(_)), false) => Err(unreadable(String::new())),
                    (Some(answer), _) => Ok(answer),
                    (None, _) => Err(unreadable("it answered another request".to_owned())),
                }
            }
            Ok(_) => Err(unreadable("its answer is no response".to_owned())),
            Err(error) => Err(unreadable(format!("its answer cannot be read: {error}"))),
        }
    }

    /// The answer, where it is one to this request. An error without an id is: the server could
    /// not read whose it was.
    fn answer(&self, id: Option<&Id>, outcome: Outcome<'_>) -> Option<Answer> {
        match outcome {
            Outcome::Result(json) if id == Some(self.id) => Some(Answer::Result(json.to_owned())),
            Outcome::Error(json) if id.is_none_or(|id| id == self.id) => Some(Answer::Error {
                json: json.to_owned(),
                is_named: id.is_some(),
            }),
            _ => None,
        }
    }

    /// Reads a stream up to the answer, and takes it up again where it ends before.
    async fn stream(&self, first: Response) -> Result<Answer, Failure> {
        let mut response = first;
        let mut total = 0_usize;
        let mut last_id: Option<String> = None;
        for _ in 0..=MOST_RESUMPTIONS {
            let mut reader = EventReader::new(self.limits.answer_bytes);
            let end = loop {
                match response.chunk().await {
                    Ok(Some(piece)) => {
                        total = total.saturating_add(piece.len());
                        if total > self.limits.stream_bytes {
                            return Err(Failure::Lost(format!(
                                "its stream is longer than {} bytes",
                                self.limits.stream_bytes
                            )));
                        }
                        let events = reader
                            .push(&piece)
                            .map_err(|error| Failure::Lost(error.to_string()))?;
                        for event in events {
                            if let Some(answer) = self.event(&event.data).await? {
                                finish(response);
                                return Ok(answer);
                            }
                        }
                    }
                    Ok(None) => break "its stream ended without an answer".to_owned(),
                    Err(error) => break format!("its stream broke: {}", cause(&error)),
                }
            };
            let (id, pause) = reader.position();
            last_id = id.map(str::to_owned).or(last_id);
            let position = last_id
                .as_deref()
                .and_then(|id| HeaderValue::from_str(id).ok());
            let Some(position) = position.filter(|_| self.is_resumable) else {
                return Err(Failure::Lost(end));
            };
            let pause = pause.unwrap_or(USUAL_PAUSE).min(LONGEST_PAUSE);
            tokio::time::sleep(Duration::from_millis(pause)).await;
            response = self.resumed(position).await?;
        }
        Err(Failure::Lost("its stream broke again and again".to_owned()))
    }

    async fn resumed(&self, position: HeaderValue) -> Result<Response, Failure> {
        let mut headers = self.headers.clone();
        headers.remove(CONTENT_TYPE);
        headers.insert(LAST_EVENT_ID, position);
        let response = send(self.client, Method::GET, self.url, headers, None)
            .await
            // The request itself was sent long ago.
            .map_err(|failure| Failure::Lost(failure.into_text()))?;
        if response.status().is_success() && is_of_type(&response, "text/event-stream") {
            return Ok(response);
        }
        Err(Failure::Lost(format!(
            "its stream broke, and going on with it was answered with HTTP {}",
            response.status().as_u16()
        )))
    }

    /// Reads an event; the answer, where it is one.
    async fn event(&self, data: &str) -> Result<Option<Answer>, Failure> {
        // An event without data only tells where to go on.
        if data.is_empty() {
            return Ok(None);
        }
        let message = read_message(data.as_bytes(), self.bounds())
            .map_err(|error| Failure::Lost(format!("an event cannot be read: {error}")))?;
        match message {
            Message::Response { id, outcome } => Ok(self.answer(id.as_ref(), outcome)),
            Message::Request { .. } | Message::Notification { .. } => {
                if let Some(notices) = &self.notices {
                    // Nobody listens any more only where nobody wants the answer either.
                    let _ = notices.send(data.to_owned()).await;
                }
                Ok(None)
            }
        }
    }
}

/// Whether a response says that it is of a type, whatever its parameters.
fn is_of_type(response: &Response, expected: &str) -> bool {
    let value = response.headers().get(CONTENT_TYPE);
    let text = value.and_then(|value| value.to_str().ok()).unwrap_or("");
    let essence = text.split(';').next().unwrap_or("").trim();
    essence.eq_ignore_ascii_case(expected)
}

/// Reads a body up to a bound.
async fn read_body(mut response: Response, bound: usize) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(piece)) if body.len().saturating_add(piece.len()) > bound => {
                return Err(format!("its answer is longer than {bound} bytes"));
            }
            Ok(Some(piece)) => body.extend_from_slice(&piece),
            Ok(None) => return Ok(body),
            Err(error) => return Err(format!("its answer broke off: {}", cause(&error))),
        }
    }
}

/// Waits aside for the end of a stream that has given its answer.
fn finish(mut response: Response) {
    tokio::spawn(async move {
        let _ = tokio::time::timeout(LAST_WAIT, response.chunk()).await;
    });
}
