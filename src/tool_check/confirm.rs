//! What a client's answer to a question says (gateway contract, section 3, *Questions*).

use serde_json::Value;

use crate::json::{Bounds, parse_strict};

/// The schema that an elicitation asks a client to fill in: the one box `confirm`.
pub const REQUESTED_SCHEMA: &str = r#"{"type":"object","properties":{"confirm":{"type":"boolean","title":"Confirm","description":"Whether the call may run as shown"}},"required":["confirm"]}"#;

/// Most bytes and levels of an answer.
const BOUNDS: Bounds = Bounds {
    bytes: 64 * 1024,
    depth: 16,
};

/// What came of asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Exactly `accept` with `confirm: true`.
    Yes,
    /// `decline`, or `confirm: false`.
    No,
    /// `cancel`, or the call was cancelled.
    Cancelled,
    /// Anything else: the question is asked once more.
    Unusable,
    /// Nobody answered in time.
    TimedOut,
    /// The client went away.
    Gone,
}

/// Reads the client's result of an elicitation. A yes has `confirm: true` in its content and
/// nothing beside it: nobody was asked for more.
pub fn answer(result: &str) -> Answer {
    let Ok(result) = parse_strict(result.as_bytes(), BOUNDS) else {
        return Answer::Unusable;
    };
    let content = result.get("content").and_then(Value::as_object);
    let confirm = content.and_then(|content| content.get("confirm"));
    match (result.get("action").and_then(Value::as_str), confirm) {
        (Some("decline"), _) => Answer::No,
        (Some("cancel"), _) => Answer::Cancelled,
        (Some("accept"), Some(Value::Bool(false))) => Answer::No,
        (Some("accept"), Some(Value::Bool(true)))
            if content.is_some_and(|content| content.len() == 1) =>
        {
            Answer::Yes
        }
        _ => Answer::Unusable,
    }
}
