//! What an answer means for the call.

use serde_json::Value;

use super::exchange::Answer;
use super::peer::Peer;
use crate::gateway::{CallEnd, Era, Unavailable};
use crate::json::{Members, parse};
use crate::mcp::wire::{without_own_data, without_own_meta};

/// What becomes of the gateway's own keys in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OwnKeys {
    /// They are taken out: a server does not speak for the gateway.
    Stripped,
    /// They stay: the server is a gateway.
    Kept,
}

impl Peer {
    /// The end of a call by its answer.
    pub(super) fn end_of_call(&self, answer: Answer) -> CallEnd {
        let end = end_of_call(answer, self.era, self.caller);
        match (end, self.server.own_keys) {
            (end, OwnKeys::Kept) => end,
            (CallEnd::Error(json), _) => CallEnd::Error(without_own_data(&json)),
            (CallEnd::InputRequired(json), _) => CallEnd::InputRequired(without_own_meta(&json)),
            (CallEnd::Result { json, is_error }, _) => CallEnd::Result {
                json: without_own_meta(&json),
                is_error,
            },
            (end @ (CallEnd::NotForwarded(_) | CallEnd::Lost(_)), _) => end,
        }
    }
}

/// The end of a call by its answer; `spoken` is the era in which the server was asked, and
/// `caller` the one of who made the call.
fn end_of_call(answer: Answer, spoken: Era, caller: Era) -> CallEnd {
    let json = match answer {
        Answer::Error { json, .. } => return CallEnd::Error(json),
        Answer::Result(json) => json,
    };
    let Ok(Some(members)) = Members::read(&json) else {
        return lost("its result is no object");
    };
    let result_type = match members.get("resultType") {
        None => None,
        Some(text) => match parse(text.as_bytes()) {
            Ok(Value::String(word)) => Some(word),
            _ => return lost("the type of its result is no string"),
        },
    };
    match (result_type.as_deref(), spoken, caller) {
        (None | Some("complete"), _, _) => {}
        (Some("input_required"), Era::Stateless, Era::Stateless) => {
            return CallEnd::InputRequired(json);
        }
        (Some("input_required"), Era::Stateless, Era::Session) => {
            // What it did before it asked is not known.
            return lost(
                "it asks for input, which this version of the protocol cannot carry to the client",
            );
        }
        _ => return lost("its result is of a type that was not asked for"),
    }
    let is_error = match members.get("isError") {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => return lost("`isError` of its result is neither `true` nor `false`"),
    };
    CallEnd::Result { json, is_error }
}

pub(super) fn lost(text: &str) -> CallEnd {
    CallEnd::Lost(Unavailable(text.to_owned()))
}
