//! JSON-RPC messages: an envelope that is read, around texts that are not.

use serde_json::Value;
use thiserror::Error;

use super::ErrorCode;
use crate::json::{Bounds, JsonError, Members, StrictError, check_strict, parse};

/// Longest id in bytes of its text.
const LONGEST_ID: usize = 512;

/// The id of a request: a string or an integer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id {
    /// JSON: digits, or the string as this program writes it, so that two ids are one exactly
    /// where their texts are.
    json: String,
}

impl Id {
    /// An id that is a string.
    pub fn of_string(text: &str) -> Self {
        Self {
            json: write_text(text),
        }
    }

    /// An id that is a number.
    pub fn of_number(number: u64) -> Self {
        Self {
            json: number.to_string(),
        }
    }

    /// An id as it is written; none where it is neither a string nor an integer, or too long.
    pub fn of_json(text: &str) -> Option<Self> {
        if text.len() > LONGEST_ID {
            return None;
        }
        if text.starts_with('"') {
            let Ok(Value::String(string)) = parse(text.as_bytes()) else {
                return None;
            };
            return Some(Self::of_string(&string));
        }
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_integer.then(|| Self {
            json: text.to_owned(),
        })
    }

    /// Its JSON text.
    pub fn as_json(&self) -> &str {
        &self.json
    }
}

/// A message. Params, results and errors are the peer's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message<'a> {
    /// It wants a response.
    Request {
        /// Its id.
        id: Id,
        /// Its method.
        method: String,
        /// Its params, an object.
        params: Option<&'a str>,
    },
    /// It wants none.
    Notification {
        /// Its method.
        method: String,
        /// Its params, an object.
        params: Option<&'a str>,
    },
    /// It answers a request.
    Response {
        /// The id of the request; none (null) where the peer could not read it.
        id: Option<Id>,
        /// The answer.
        outcome: Outcome<'a>,
    },
}

/// The answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome<'a> {
    /// A result, an object.
    Result(&'a str),
    /// An error object, with an integer `code` and a string `message`.
    Error(&'a str),
}

/// Why bytes are no message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MessageError {
    /// They are no JSON as it is read here.
    #[error("{0}")]
    Json(#[from] StrictError),
    /// An array: this gateway takes one message at a time.
    #[error("several messages in one body are not accepted")]
    Batch,
    /// JSON, but no message of JSON-RPC 2.0. What is wrong.
    #[error("{0}")]
    NotAMessage(&'static str),
}

impl MessageError {
    /// The code of the error that answers it.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Json(_) => ErrorCode::Parse,
            Self::Batch | Self::NotAMessage(_) => ErrorCode::InvalidRequest,
        }
    }
}

/// Reads one message. Duplicate keys anywhere, and what is deeper or longer than the bounds, are
/// refused.
///
/// # Errors
/// The bytes are no JSON, or no message.
pub fn read_message(bytes: &[u8], bounds: Bounds) -> Result<Message<'_>, MessageError> {
    let text = check_strict(bytes, bounds)?;
    let members = Members::read(text).map_err(|error: JsonError| StrictError::from(error))?;
    let Some(members) = members else {
        let is_batch = text.trim_start().starts_with('[');
        return Err(if is_batch {
            MessageError::Batch
        } else {
            MessageError::NotAMessage("the body is not an object")
        });
    };
    if string(members.get("jsonrpc")).as_deref() != Some("2.0") {
        return Err(MessageError::NotAMessage("`jsonrpc` is not \"2.0\""));
    }
    let id = members.get("id");
    let known_id = match id {
        None | Some("null") => None,
        Some(text) => Some(Id::of_json(text).ok_or(MessageError::NotAMessage(
            "`id` is neither a string nor an integer",
        ))?),
    };
    let outcome = (members.get("result"), members.get("error"));
    let Some(method) = members.get("method") else {
        return response(id.is_some(), known_id, outcome);
    };
    if outcome != (None, None) {
        return Err(MessageError::NotAMessage(
            "it is both a request and a response",
        ));
    }
    let method = string(Some(method)).ok_or(MessageError::NotAMessage("`method` is no string"))?;
    let params = members.get("params");
    if params.is_some_and(|params| !params.starts_with('{')) {
        return Err(MessageError::NotAMessage("`params` is no object"));
    }
    match (id, known_id) {
        (None, _) => Ok(Message::Notification { method, params }),
        (Some(_), Some(id)) => Ok(Message::Request { id, method, params }),
        (Some(_), None) => Err(MessageError::NotAMessage("the `id` of a request is null")),
    }
}

fn response<'a>(
    has_id: bool,
    id: Option<Id>,
    outcome: (Option<&'a str>, Option<&'a str>),
) -> Result<Message<'a>, MessageError> {
    let outcome = match outcome {
        (Some(result), None) if result.starts_with('{') => {
            if id.is_none() {
                return Err(MessageError::NotAMessage("a result without an `id`"));
            }
            Outcome::Result(result)
        }
        (Some(_), None) => return Err(MessageError::NotAMessage("`result` is no object")),
        (None, Some(error)) if is_error_object(error) => Outcome::Error(error),
        (None, Some(_)) => {
            return Err(MessageError::NotAMessage(
                "`error` is no object with a `code` and a `message`",
            ));
        }
        (Some(_), Some(_)) => {
            return Err(MessageError::NotAMessage("both `result` and `error`"));
        }
        (None, None) if has_id => {
            return Err(MessageError::NotAMessage(
                "neither `method` nor `result` nor `error`",
            ));
        }
        (None, None) => return Err(MessageError::NotAMessage("no `method`")),
    };
    Ok(Message::Response { id, outcome })
}

fn is_error_object(text: &str) -> bool {
    let Ok(Some(members)) = Members::read(text) else {
        return false;
    };
    let is_code = |code: &str| code.parse::<i64>().is_ok();
    members.get("code").is_some_and(is_code) && string(members.get("message")).is_some()
}

/// A JSON string behind its escapes.
fn string(text: Option<&str>) -> Option<String> {
    match parse(text?.as_bytes()) {
        Ok(Value::String(string)) => Some(string),
        _ => None,
    }
}

/// A text as a JSON string.
pub fn write_text(text: &str) -> String {
    Value::from(text).to_string()
}

/// A request. Params are JSON text.
pub fn write_request(id: &Id, method: &str, params: Option<&str>) -> String {
    message(Some(id), method, params)
}

/// A notification. Params are JSON text.
pub fn write_notification(method: &str, params: Option<&str>) -> String {
    message(None, method, params)
}

fn message(id: Option<&Id>, method: &str, params: Option<&str>) -> String {
    let mut out = String::from("{\"jsonrpc\":\"2.0\"");
    if let Some(id) = id {
        out.push_str(",\"id\":");
        out.push_str(id.as_json());
    }
    out.push_str(",\"method\":");
    out.push_str(&write_text(method));
    if let Some(params) = params {
        out.push_str(",\"params\":");
        out.push_str(params);
    }
    out.push('}');
    out
}

/// A response: a result or an error object, as JSON text. Without an id it is null.
pub fn write_response(id: Option<&Id>, outcome: Outcome<'_>) -> String {
    let id = id.map_or("null", Id::as_json);
    let (key, text) = match outcome {
        Outcome::Result(text) => ("result", text),
        Outcome::Error(text) => ("error", text),
    };
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"{key}\":{text}}}")
}

/// A response with a result, as JSON text.
pub fn write_result(id: &Id, result: &str) -> String {
    write_response(Some(id), Outcome::Result(result))
}

/// A response with an error. `data` is JSON text.
pub fn write_error(id: Option<&Id>, code: ErrorCode, message: &str, data: Option<&str>) -> String {
    write_response(id, Outcome::Error(&error_object(code, message, data)))
}

/// An error object. `data` is JSON text.
pub fn error_object(code: ErrorCode, message: &str, data: Option<&str>) -> String {
    let mut out = format!(
        "{{\"code\":{},\"message\":{}",
        code.number(),
        write_text(message)
    );
    if let Some(data) = data {
        out.push_str(",\"data\":");
        out.push_str(data);
    }
    out.push('}');
    out
}
