//! The params of a `tools/call`, of which only five members are read; others are dropped (gateway
//! contract, section 4).

use super::question::string;
use crate::json::Members;
use crate::mcp::wire::{
    CLIENT_CAPABILITIES, CLIENT_INFO, IDEMPOTENCY_KEY, Id, META, PROGRESS_TOKEN, PROTOCOL_VERSION,
    RUN_ID, is_own_key,
};

/// Longest `requestState` in bytes.
const LONGEST_STATE: usize = 256 << 10;

/// Longest name of a tool in bytes.
const LONGEST_NAME: usize = 1024;

/// What is read of `_meta`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Meta {
    /// What is passed on: without the gateway's own keys and those of the protocol's envelope.
    pub foreign: Option<String>,
    /// The run that the client names.
    pub run: Option<String>,
    /// The client's idempotency key.
    pub idempotency_key: Option<String>,
    /// The token under which the client wants progress, as JSON text.
    pub progress_token: Option<String>,
    /// The version of the protocol, as JSON text.
    pub version: Option<String>,
    /// The client's capabilities, as JSON text.
    pub capabilities: Option<String>,
}

/// The params of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CallParams {
    pub name: String,
    pub arguments: Option<String>,
    pub input_responses: Option<String>,
    pub request_state: Option<String>,
    /// Whether there is a `task`, which is refused.
    pub has_task: bool,
    /// Whether the arguments are there and no object.
    pub has_other_arguments: bool,
    /// What is wrong with the client's idempotency key.
    pub has_bad_key: bool,
}

impl Meta {
    /// Reads the `_meta` of params.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn read(params: Option<&str>) -> Result<Self, &'static str> {
        let members = params.and_then(|params| Members::read(params).ok().flatten());
        let Some(text) = members.as_ref().and_then(|members| members.get(META)) else {
            return Ok(Self::default());
        };
        let Ok(Some(meta)) = Members::read(text) else {
            return Err("`_meta` is no object");
        };
        let run = match meta.get(RUN_ID) {
            Some(run) => Some(string(run).ok_or("`dev.stalwart/run-id` is no string")?),
            None => None,
        };
        let progress_token = meta.get(PROGRESS_TOKEN);
        if progress_token.is_some_and(|token| Id::of_json(token).is_none()) {
            return Err("`progressToken` is neither a string nor an integer");
        }
        let is_dropped = |key: &str| {
            is_own_key(key) || [PROTOCOL_VERSION, CLIENT_CAPABILITIES, CLIENT_INFO].contains(&key)
        };
        let has_foreign = meta.iter().any(|member| !is_dropped(&member.key));
        Ok(Self {
            foreign: has_foreign.then(|| meta.edited(is_dropped, &[])),
            run,
            // Not a string counts as a key that nobody may give: it is refused with the call.
            idempotency_key: meta
                .get(IDEMPOTENCY_KEY)
                .map(|key| string(key).unwrap_or_default()),
            progress_token: progress_token.map(str::to_owned),
            version: meta.get(PROTOCOL_VERSION).map(str::to_owned),
            capabilities: meta.get(CLIENT_CAPABILITIES).map(str::to_owned),
        })
    }

    /// Whether the client's idempotency key is 1 to 128 visible ASCII characters, or none.
    pub(super) fn has_good_key(&self) -> bool {
        self.idempotency_key.as_ref().is_none_or(|key| {
            (1..=128).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic())
        })
    }
}

impl CallParams {
    /// Reads the params of a call.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(super) fn read(params: Option<&str>, meta: &Meta) -> Result<Self, &'static str> {
        let members = params.and_then(|params| Members::read(params).ok().flatten());
        let members = members.ok_or("`params` is missing")?;
        let name = members.get("name").ok_or("`params.name` is missing")?;
        let name = string(name).ok_or("`params.name` is no string")?;
        if name.len() > LONGEST_NAME {
            return Err("`params.name` is too long");
        }
        let request_state = match members.get("requestState") {
            Some(state) if state.len() > LONGEST_STATE => return Err("`requestState` is too long"),
            Some(state) => Some(string(state).ok_or("`requestState` is no string")?),
            None => None,
        };
        let input_responses = members.get("inputResponses");
        if input_responses.is_some_and(|responses| !responses.starts_with('{')) {
            return Err("`inputResponses` is no object");
        }
        let arguments = members.get("arguments");
        Ok(Self {
            name,
            arguments: arguments.map(str::to_owned),
            input_responses: input_responses.map(str::to_owned),
            request_state,
            has_task: members.get("task").is_some(),
            has_other_arguments: arguments.is_some_and(|arguments| !arguments.starts_with('{')),
            has_bad_key: !meta.has_good_key(),
        })
    }
}
