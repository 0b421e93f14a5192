//! The gateway core, usable in process: it checks a call, asks where a person must decide,
//! records, forwards, and records what became of it. It knows nothing of HTTP: agents come in
//! through [`CallRequest`], servers are reached through [`Servers`].

mod request;
mod upstream;

pub use crate::tool_check::Answer;
pub use request::{
    CallRequest, Caller, Era, Lost, OpenQuestion, Progress, Refused, Reply, ReplyBody,
    UpstreamAnswers,
};
pub use upstream::{
    CallEnd, ForwardedCall, Relay, RelayError, ServerQuestion, Servers, ToolDefinition,
    Unavailable, UpstreamScope, UpstreamSession,
};
