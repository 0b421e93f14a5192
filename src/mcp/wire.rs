//! What both sides of the protocol share: messages on raw text, versions, headers, the rules for
//! `_meta`, error codes.
//!
//! Nothing here builds a tree of a peer's values: what is passed on is passed on as it was
//! written.

mod codes;
mod event_stream;
mod header;
mod message;
mod meta;
mod version;

pub use codes::ErrorCode;
pub use event_stream::{EventReader, ServerEvent, TooLong};
pub use header::{
    MCP_METHOD, MCP_NAME, MCP_PARAM_PREFIX, MCP_PROTOCOL_VERSION, MCP_SESSION_ID, STALWART_RUN,
    decode_mirrored, encode_mirrored,
};
pub use message::{
    Id, Message, MessageError, Outcome, read_message, write_error, write_notification,
    write_request, write_response, write_result, write_text,
};
pub use meta::{
    CLIENT_CAPABILITIES, CLIENT_INFO, IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_ALIAS, META, PROGRESS_TOKEN,
    PROTOCOL_VERSION, RUN_ID, SERVER_INFO, is_own_key, with_meta, without_own_data,
    without_own_keys, without_own_meta,
};
pub use version::{Version, era_of};
