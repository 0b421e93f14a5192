//! What an answer means for the call.

use serde_json::Value;

use super::exchange::Answer;
use crate::gateway::{CallEnd, Era, Unavailable};
use crate::json::{Members, parse};
use crate::mcp::wire::{ErrorCode, error_object, without_own_data, without_own_meta};

/// The end of a call by its answer; `spoken` is the era in which the server was asked, and
/// `caller` the one of who made the call. A server does not speak for the gateway: what it
/// says under the gateway's own keys is taken out, but where it `is_gateway` itself.
pub(super) fn end_of_call(answer: Answer, spoken: Era, caller: Era, is_gateway: bool) -> CallEnd {
    let cleaned = |json: &str, clean: fn(&str) -> String| {
        if is_gateway {
            json.to_owned()
        } else {
            clean(json)
        }
    };
    let json = match answer {
        Answer::Error { json, .. } => return CallEnd::Error(cleaned(&json, without_own_data)),
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
            return CallEnd::InputRequired(cleaned(&json, without_own_meta));
        }
        (Some("input_required"), Era::Stateless, Era::Session) => {
            let message = "the tool's server asks for input, which this version of the protocol \
                           cannot carry to the client";
            return CallEnd::Error(error_object(ErrorCode::Internal, message, None));
        }
        _ => return lost("its result is of a type that was not asked for"),
    }
    let is_error = match members.get("isError") {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => return lost("`isError` of its result is neither `true` nor `false`"),
    };
    CallEnd::Result {
        json: cleaned(&json, without_own_meta),
        is_error,
    }
}

pub(super) fn lost(text: &str) -> CallEnd {
    CallEnd::Lost(Unavailable(text.to_owned()))
}
