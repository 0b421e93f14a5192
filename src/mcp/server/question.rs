//! Questions on the wire: what a person is asked. What an answer says, `tool_check` decides.

use serde_json::Value;

use crate::json::{Members, parse};
use crate::mcp::wire::write_text;
use crate::text::escaped;
use crate::tool_check::confirm::REQUESTED_SCHEMA;

/// The method of a question.
pub(super) const ELICITATION: &str = "elicitation/create";

/// The params of the gateway's own question: a form with one yes or no.
pub(super) fn params_of(text: &str, has_mode: bool) -> String {
    let mode = if has_mode { "\"mode\":\"form\"," } else { "" };
    format!(
        "{{{mode}\"message\":{},\"requestedSchema\":{REQUESTED_SCHEMA}}}",
        write_text(text)
    )
}

/// The params of a server's question with its name before the message: a person has to see that
/// it is not the gateway who asks. Each line of it has the name before it, and what would deceive
/// the eye is escaped. None where there is no message.
pub(super) fn prefixed(params: &str, server: &str) -> Option<String> {
    let members = Members::read(params).ok()??;
    let message = string(members.get("message")?)?;
    let lines = message
        .lines()
        .map(|line| format!("{server} asks: {}", escaped(line)));
    let text = write_text(&lines.collect::<Vec<_>>().join("\n"));
    Some(members.edited(|key| key == "message", &[("message", &text)]))
}

/// Whether declared capabilities have form elicitation: `elicitation` with `form`, or with
/// nothing, which means the same.
pub(super) fn can_be_asked(capabilities: &str) -> bool {
    let Ok(Some(capabilities)) = Members::read(capabilities) else {
        return false;
    };
    let elicitation = capabilities.get("elicitation");
    match elicitation.map(Members::read) {
        Some(Ok(Some(modes))) => modes.is_empty() || modes.get("form").is_some_and(is_object),
        _ => false,
    }
}

fn is_object(text: &str) -> bool {
    text.starts_with('{')
}

/// A JSON string behind its escapes; none for what is no string.
pub(super) fn string(text: &str) -> Option<String> {
    match parse(text.as_bytes()) {
        Ok(Value::String(string)) => Some(string),
        _ => None,
    }
}
