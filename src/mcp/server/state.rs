//! What is sealed in a `requestState` (2026-07-28). It says which call a retry goes on with; that
//! it may, and whether it did already, the store decides.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::question::{ELICITATION, can_be_asked, prefixed, string};
use crate::json::Members;
use crate::keys::{KeyRing, Purpose, Randomness, SealError};
use crate::mcp::wire::write_text;

/// What a sealed state is for.
const ASSOCIATED: &[u8] = b"request-state/1";

/// The key of the gateway's own question.
pub(super) const CONFIRM: &str = "stalwart.confirm";

/// Before the keys of a server's questions.
const SERVER_PREFIX: &str = "server.";

/// What a retry goes on with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    pub agent: String,
    pub run: String,
    pub tool: String,
    pub waits: Waits,
}

/// Whose question is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Waits {
    /// The gateway's own, a row of the store.
    Person {
        question: String,
        digest: String,
        /// SHA-256 of what was shown.
        shown: String,
    },
    /// The server's.
    Server {
        /// The call's number in the store.
        call: u64,
        /// Which of the server's questions it is.
        round: String,
        /// The server's own `requestState`, as JSON text.
        state: Option<String>,
    },
}

impl State {
    /// The state as the client gets it.
    ///
    /// # Errors
    /// There is no randomness.
    pub(super) fn seal(
        &self,
        keys: &KeyRing,
        randomness: &dyn Randomness,
    ) -> Result<String, SealError> {
        let plain = serde_json::to_vec(self).unwrap_or_default();
        keys.seal_text(Purpose::State, ASSOCIATED, &plain, randomness)
    }

    /// Opens what a client sent; none where it was not sealed here.
    pub(super) fn open(keys: &KeyRing, sealed: &str) -> Option<Self> {
        let plain = keys.open_text(Purpose::State, ASSOCIATED, sealed).ok()?;
        serde_json::from_slice(&plain).ok()
    }
}

/// SHA-256 of a text, in hexadecimal digits.
pub(super) fn hash_of(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

/// The server's answers among a client's: under the server's own keys.
pub(super) fn responses_to_server(responses: Option<&str>) -> String {
    let members = responses.and_then(|responses| Members::read(responses).ok().flatten());
    let mut members_of_server = Vec::new();
    for member in members.iter().flat_map(Members::iter) {
        if let Some(key) = member.key.strip_prefix(SERVER_PREFIX) {
            members_of_server.push(format!("{}:{}", write_text(key), member.value));
        }
    }
    format!("{{{}}}", members_of_server.join(","))
}

/// Why a server's `input_required` is not passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotPassed {
    /// The client did not declare that it can be asked so.
    Capability,
    /// It asks for what this gateway does not let through, or cannot be read.
    Method,
}

/// The questions of a server's `input_required` result as the client gets them: with renamed keys,
/// and the server's name before each message. And the server's own state, as JSON text.
pub(super) fn wrapped(
    result: &str,
    server: &str,
    capabilities: &str,
) -> Result<(String, Option<String>), NotPassed> {
    let members = Members::read(result).ok().flatten();
    let members = members.ok_or(NotPassed::Method)?;
    let requests = match members.get("inputRequests") {
        Some(requests) => Members::read(requests).ok().flatten(),
        None => Members::read("{}").ok().flatten(),
    };
    let requests = requests.ok_or(NotPassed::Method)?;
    let mut renamed = Vec::new();
    for request in requests.iter() {
        let parts = Members::read(request.value).ok().flatten();
        let parts = parts.ok_or(NotPassed::Method)?;
        let method = parts.get("method").and_then(string);
        if method.as_deref() != Some(ELICITATION) {
            return Err(NotPassed::Method);
        }
        let params = parts.get("params").ok_or(NotPassed::Method)?;
        if !is_declared(params, capabilities) {
            return Err(NotPassed::Capability);
        }
        let params = prefixed(params, server).ok_or(NotPassed::Method)?;
        let key = write_text(&format!("{SERVER_PREFIX}{}", request.key));
        let request = parts.edited(|key| key == "params", &[("params", &params)]);
        renamed.push(format!("{key}:{request}"));
    }
    let state = members.get("requestState").map(str::to_owned);
    Ok((format!("{{{}}}", renamed.join(",")), state))
}

/// Whether a client declared the mode of a question.
pub(super) fn is_declared(params: &str, capabilities: &str) -> bool {
    let Ok(Some(params)) = Members::read(params) else {
        return false;
    };
    match params.get("mode").map(string) {
        None => can_be_asked(capabilities),
        Some(Some(mode)) if mode == "form" => can_be_asked(capabilities),
        Some(Some(mode)) if mode == "url" => {
            let capabilities = Members::read(capabilities).ok().flatten();
            let modes = capabilities.and_then(|capabilities| capabilities.get("elicitation"));
            let modes = modes.and_then(|modes| Members::read(modes).ok().flatten());
            modes.is_some_and(|modes| modes.get("url").is_some())
        }
        Some(_) => false,
    }
}
