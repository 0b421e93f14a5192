//! Keys of `_meta`, and which of them are the gateway's own: those are never passed on, in either
//! direction (gateway contract, section 4).

use crate::json::Members;

/// The member of params and results that holds what is beside the protocol.
pub const META: &str = "_meta";
/// The token under which a request's progress is told.
pub const PROGRESS_TOKEN: &str = "progressToken";
/// The version that a request speaks (2026-07-28).
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// What the client can do (2026-07-28).
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// What the client calls itself (2026-07-28).
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// What the server calls itself (2026-07-28).
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The run that a client names.
pub const RUN_ID: &str = "dev.stalwart/run-id";
/// The key under which a write is done once.
pub const IDEMPOTENCY_KEY: &str = "dev.stalwart/idempotency-key";
/// Its other name, towards servers.
pub const IDEMPOTENCY_KEY_ALIAS: &str = "idempotency_key";

/// Whether a key of `_meta` is the gateway's own.
pub fn is_own_key(key: &str) -> bool {
    key.starts_with("dev.stalwart/")
        || ["stalwart", "approval_status", IDEMPOTENCY_KEY_ALIAS].contains(&key)
}

/// The text of a `_meta` without the gateway's own keys; a text that is no object as it is.
pub fn without_own_keys(meta: &str) -> String {
    match Members::read(meta) {
        Ok(Some(members)) => members.edited(is_own_key, &[]),
        _ => meta.to_owned(),
    }
}

/// The text of an object (params, a result, a tool's definition) whose `_meta` has none of the
/// gateway's own keys. A `_meta` without them, and a text that is no object, stay as they are.
pub fn without_own_meta(object: &str) -> String {
    let Ok(Some(members)) = Members::read(object) else {
        return object.to_owned();
    };
    let is_foreign = |meta: &str| match Members::read(meta) {
        Ok(Some(meta)) => !meta.iter().any(|member| is_own_key(&member.key)),
        _ => true,
    };
    match members.get(META) {
        Some(meta) if !is_foreign(meta) => {
            members.edited(|key| key == META, &[(META, &without_own_keys(meta))])
        }
        _ => object.to_owned(),
    }
}

/// A server's error without what looks like the gateway's in its `data`.
pub fn without_own_data(error: &str) -> String {
    let Ok(Some(members)) = Members::read(error) else {
        return error.to_owned();
    };
    let data = members.get("data").map(Members::read);
    let Some(Ok(Some(data))) = data else {
        return error.to_owned();
    };
    if !data.iter().any(|member| is_own_key(&member.key)) {
        return error.to_owned();
    }
    let data = data.edited(is_own_key, &[]);
    members.edited(|key| key == "data", &[("data", &data)])
}

/// The text of an object whose `_meta` has these keys too, with values as JSON text; they take
/// the place of those that it has. A `_meta` that is no object is replaced, and a text that is no
/// object stays as it is.
pub fn with_meta(object: &str, added: &[(&str, &str)]) -> String {
    let Ok(Some(members)) = Members::read(object) else {
        return object.to_owned();
    };
    if added.is_empty() {
        return object.to_owned();
    }
    let is_added = |key: &str| added.iter().any(|(name, _)| *name == key);
    let meta = members.get(META).and_then(|text| Members::read(text).ok());
    let meta = match meta.flatten() {
        Some(meta) => meta.edited(is_added, added),
        None => Members::read("{}")
            .ok()
            .flatten()
            .map(|none| none.edited(is_added, added))
            .unwrap_or_default(),
    };
    members.edited(|key| key == META, &[(META, &meta)])
}
