//! How the end of a call looks on the wire, in either era (gateway contract, section 4,
//! *Refusals*).

use axum::http::StatusCode;

use super::observer::Outcome;
use crate::gateway::{Era, Refused, Reply, ReplyBody};
use crate::json::Members;
use crate::mcp::wire::{
    ErrorCode, Id, with_meta, without_own_data, without_own_meta, write_error, write_result,
    write_text,
};
use crate::store::CallState;
use crate::text::visible;
use crate::tool_check::Reason;

/// The member that says what kind of result it is (2026-07-28).
const RESULT_TYPE: &str = "resultType";

/// A response: its HTTP status, should it be the whole answer, and its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Final {
    pub status: StatusCode,
    pub message: String,
}

impl Final {
    /// A result.
    pub(super) fn result(id: &Id, result: &str) -> Self {
        Self {
            status: StatusCode::OK,
            message: write_result(id, result),
        }
    }

    /// A result of the gateway's own, which says in the new era what kind it is.
    pub(super) fn own_result(id: &Id, era: Era, result: &str) -> Self {
        Self::result(id, &typed(result, era))
    }

    /// An error. In the new era its code decides the status.
    pub(super) fn error(
        id: Option<&Id>,
        era: Era,
        code: ErrorCode,
        message: &str,
        data: Option<&str>,
    ) -> Self {
        Self {
            status: status_of(Some(code), era),
            message: write_error(id, code, message, data),
        }
    }
}

/// The status of an error that the protocol of 2026-07-28 gives a status; before it, errors of
/// requests that were read have none of their own.
fn status_of(code: Option<ErrorCode>, era: Era) -> StatusCode {
    match (era, code) {
        (Era::Session, _) | (_, None | Some(ErrorCode::Internal)) => StatusCode::OK,
        (_, Some(ErrorCode::MethodNotFound)) => StatusCode::NOT_FOUND,
        (_, Some(_)) => StatusCode::BAD_REQUEST,
    }
}

/// The response to a call, but for what its server asks, which is wrapped elsewhere.
pub(super) fn of_reply(reply: &Reply, id: &Id, era: Era, tool: &str) -> (Final, Outcome) {
    match &reply.body {
        ReplyBody::Result(result) | ReplyBody::InputRequired { json: result, .. } => {
            let outcome = if is_error(result) {
                Outcome::Error
            } else {
                Outcome::Ok
            };
            (Final::result(id, &passed_on(result, reply, era)), outcome)
        }
        ReplyBody::Error(error) => {
            let last = Final {
                status: status_of(code_of(error), era),
                message: format!(
                    "{{\"jsonrpc\":\"2.0\",\"id\":{},\"error\":{}}}",
                    id.as_json(),
                    without_own_data(error)
                ),
            };
            (last, Outcome::Error)
        }
        ReplyBody::Refused(refused) => {
            (of_refusal(reply, refused, id, era, tool), Outcome::Refused)
        }
        ReplyBody::Lost(lost) => {
            let result = own_result(reply, &lost.text, Some(lost.outcome));
            (Final::own_result(id, era, &result), Outcome::Error)
        }
    }
}

/// A refusal: an error for what a client's program has to notice, else a result that a model can
/// act on.
fn of_refusal(reply: &Reply, refused: &Refused, id: &Id, era: Era, tool: &str) -> Final {
    let invalid = |message: &str| invalid_params(reply, id, era, message);
    match (reply.reason, era) {
        (Reason::UnknownTool, _) => invalid(&format!("Unknown tool: {}", visible(tool))),
        (Reason::InvalidState, _) => invalid(&refused.text),
        (Reason::ConfirmationUnavailable, Era::Stateless) => Final::error(
            Some(id),
            era,
            ErrorCode::MissingCapability,
            &refused.text,
            Some(&refused_data(
                reply,
                "\"requiredCapabilities\":{\"elicitation\":{\"form\":{}}},",
            )),
        ),
        _ => Final::own_result(id, era, &own_result(reply, &refused.text, None)),
    }
}

/// A refusal as an error of the params.
pub(super) fn invalid_params(reply: &Reply, id: &Id, era: Era, message: &str) -> Final {
    let data = refused_data(reply, "");
    let code = ErrorCode::InvalidParams;
    Final::error(Some(id), era, code, message, Some(&data))
}

fn refused_data(reply: &Reply, more: &str) -> String {
    let reason = reply.reason.as_str();
    format!("{{{more}\"stalwart\":{{\"refused\":\"{reason}\"}}}}")
}

/// A result with `isError` and the reason.
fn own_result(reply: &Reply, text: &str, outcome: Option<CallState>) -> String {
    let alias = if reply.reason.allows() {
        String::new()
    } else {
        format!(
            ",\"stalwart\":{{\"refused\":\"{}\"}}",
            reply.reason.as_str()
        )
    };
    let outcome = outcome.map_or_else(String::new, |outcome| {
        format!(",\"dev.stalwart/outcome\":\"{}\"", outcome.as_str())
    });
    format!(
        "{{\"content\":[{{\"type\":\"text\",\"text\":{}}}],\"isError\":true,\"_meta\":{{\
         \"dev.stalwart/reason\":\"{}\",\"dev.stalwart/decision-id\":{},\"dev.stalwart/run-id\":{}\
         {outcome}{alias}}}}}",
        write_text(text),
        reply.reason.as_str(),
        write_text(&reply.decision),
        write_text(reply.run.as_str()),
    )
}

/// A server's result: its own bytes, without what looks like the gateway's and with the kind that
/// the era wants. What was recorded before says so.
fn passed_on(result: &str, reply: &Reply, era: Era) -> String {
    let mut result = typed(&without_own_meta(result), era);
    if reply.reason == Reason::Replayed {
        result = with_meta(
            &result,
            &[
                ("dev.stalwart/reason", "\"replayed\""),
                ("dev.stalwart/decision-id", &write_text(&reply.decision)),
                ("dev.stalwart/run-id", &write_text(reply.run.as_str())),
            ],
        );
    }
    result
}

/// A result with `resultType` where the era has it and the result lacks it, and without it where
/// the era has none.
fn typed(result: &str, era: Era) -> String {
    let Ok(Some(members)) = Members::read(result) else {
        return result.to_owned();
    };
    match (era, members.get(RESULT_TYPE)) {
        (Era::Stateless, None) => members.edited(|_| false, &[(RESULT_TYPE, "\"complete\"")]),
        (Era::Session, Some(_)) => members.edited(|key| key == RESULT_TYPE, &[]),
        (Era::Stateless, Some(_)) | (Era::Session, None) => result.to_owned(),
    }
}

fn is_error(result: &str) -> bool {
    let members = Members::read(result).ok().flatten();
    members.is_some_and(|members| members.get("isError") == Some("true"))
}

fn code_of(error: &str) -> Option<ErrorCode> {
    let members = Members::read(error).ok().flatten()?;
    ErrorCode::of_text(members.get("code")?)
}
