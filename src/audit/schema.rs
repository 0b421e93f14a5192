//! The JSON Schema of a line.

use serde_json::{Value, json};

use super::FORMAT;
use super::entry::Kind;
use crate::tool_check::Reason;

/// The JSON Schema (2020-12) of a line of the log.
pub fn schema() -> Value {
    let text = || json!({ "type": ["string", "null"] });
    let hash = json!({ "type": "string", "pattern": "^[A-Za-z0-9_-]{1,32}:[0-9a-f]{64}$" });
    let reasons = Reason::ALL
        .iter()
        .map(|reason| Value::from(reason.as_str()))
        .chain([Value::Null]);
    let properties = json!({
        "format": { "const": FORMAT },
        "kind": { "enum": Kind::ALL },
        "seq": { "type": "integer", "minimum": 1 },
        "time": {
            "type": "string",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$",
        },
        "node": { "type": "string" },
        "agent": text(),
        "run": text(),
        "session": text(),
        "server": text(),
        "tool": text(),
        "decision": { "enum": ["allow", "block", null] },
        "reason": { "enum": reasons.collect::<Vec<_>>() },
        "rule": text(),
        "args_sha256": { "anyOf": [hash, { "type": "null" }] },
        "marks": { "type": "array", "items": { "type": "string" }, "uniqueItems": true },
        "policy": text(),
        "request": text(),
        "approval": text(),
        "outcome": { "enum": ["ok", "error", "ambiguous", "not_forwarded", null] },
        "key": { "type": "string", "pattern": "^[A-Za-z0-9_-]{1,32}$" },
        "prev": hash,
    });
    let keys = ORDER.map(Value::from).to_vec();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of the audit log",
        "description": "One JSON object a line. Each key stands on every line, in this order: null where there is nothing to say.",
        "type": "object",
        "additionalProperties": false,
        "required": keys,
        "properties": properties,
        "allOf": [
            {
                "if": { "properties": { "kind": { "const": "decision" } } },
                "then": {
                    "properties": {
                        "decision": { "enum": ["allow", "block"] },
                        "reason": { "type": "string" },
                    },
                },
                "else": { "properties": { "decision": { "type": "null" } } },
            },
            {
                "if": { "properties": { "outcome": { "type": "string" } } },
                "then": { "properties": { "kind": { "enum": ["outcome", "undo"] } } },
            },
        ],
    })
}

/// The keys, as lines write them.
const ORDER: [&str; 21] = [
    "format",
    "kind",
    "seq",
    "time",
    "node",
    "agent",
    "run",
    "session",
    "server",
    "tool",
    "decision",
    "reason",
    "rule",
    "args_sha256",
    "marks",
    "policy",
    "request",
    "approval",
    "outcome",
    "key",
    "prev",
];
