//! Names of headers, and the values that mirror parts of a body (2026-07-28).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The version of the protocol.
pub const MCP_PROTOCOL_VERSION: &str = "mcp-protocol-version";
/// The session (before 2026-07-28).
pub const MCP_SESSION_ID: &str = "mcp-session-id";
/// Mirrors the method.
pub const MCP_METHOD: &str = "mcp-method";
/// Mirrors `params.name`, or `params.uri`.
pub const MCP_NAME: &str = "mcp-name";
/// Before the name of a header that mirrors an argument.
pub const MCP_PARAM_PREFIX: &str = "mcp-param-";
/// The run that a client names (gateway contract, section 2).
pub const STALWART_RUN: &str = "stalwart-run";

const ENCODED_BEFORE: &str = "=?base64?";
const ENCODED_BEHIND: &str = "?=";

/// The text that a mirrored header stands for; none where it is no visible ASCII, or is marked as
/// base64 and is none, or none of UTF-8.
pub fn decode_mirrored(value: &str) -> Option<String> {
    if !value.chars().all(is_plain) {
        return None;
    }
    let Some(encoded) = value
        .strip_prefix(ENCODED_BEFORE)
        .and_then(|rest| rest.strip_suffix(ENCODED_BEHIND))
    else {
        return Some(value.to_owned());
    };
    String::from_utf8(STANDARD.decode(encoded).ok()?).ok()
}

/// The value of a header that mirrors a text: the text where it can stand there as it is, else
/// its base64.
pub fn encode_mirrored(text: &str) -> String {
    let stands = text.chars().all(is_plain)
        && text.trim() == text
        && !(text.starts_with(ENCODED_BEFORE) && text.ends_with(ENCODED_BEHIND));
    if stands {
        return text.to_owned();
    }
    format!("{ENCODED_BEFORE}{}{ENCODED_BEHIND}", STANDARD.encode(text))
}

fn is_plain(character: char) -> bool {
    matches!(character, ' '..='~')
}
