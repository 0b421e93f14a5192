//! Headers that mirror the body (2026-07-28): what stands in both must be the same, since others
//! on the way may look at the headers alone.

use axum::http::{HeaderMap, HeaderName};
use serde_json::Value;

use super::question::string;
use crate::json::{Bounds, Members, parse_strict};
use crate::mcp::wire::{
    MCP_METHOD, MCP_NAME, MCP_PARAM_PREFIX, MCP_PROTOCOL_VERSION, decode_mirrored,
};
use crate::text::Decimal;

/// The keyword of a schema that names the header of a property.
const KEYWORD: &str = "x-mcp-header";

/// The one value of a header.
pub(super) enum Header<'a> {
    /// It is not there.
    Absent,
    /// It is there once, in visible ASCII.
    Once(&'a str),
    /// It is there more than once, or holds other bytes.
    Unclear,
}

/// A header by its name.
pub(super) fn header<'a>(headers: &'a HeaderMap, name: &str) -> Header<'a> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Header::Absent,
        (Some(value), None) => value.to_str().map_or(Header::Unclear, Header::Once),
        (Some(_), Some(_)) => Header::Unclear,
    }
}

/// Compares the headers of a request with its body.
///
/// # Errors
/// Which header is missing or differs.
pub(super) fn check_envelope(
    headers: &HeaderMap,
    version: &str,
    method: &str,
    params: Option<&str>,
) -> Result<(), String> {
    let equals = |name: &str, body: &str| match header(headers, name) {
        Header::Once(value) if value == body => Ok(()),
        Header::Once(_) => Err(format!("the header `{name}` differs from the body")),
        Header::Absent => Err(format!("the header `{name}` is missing")),
        Header::Unclear => Err(format!("the header `{name}` stands twice, or is no text")),
    };
    equals(MCP_PROTOCOL_VERSION, version)?;
    equals(MCP_METHOD, method)?;
    let key = match method {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return Ok(()),
    };
    let members = params.and_then(|params| Members::read(params).ok().flatten());
    let Some(name) = members.and_then(|members| members.get(key).and_then(string)) else {
        return Ok(());
    };
    match header(headers, MCP_NAME) {
        Header::Once(value) if decode_mirrored(value).as_deref() == Some(&name) => Ok(()),
        Header::Once(_) => Err(format!("the header `{MCP_NAME}` differs from the body")),
        Header::Absent => Err(format!("the header `{MCP_NAME}` is missing")),
        Header::Unclear => Err(format!(
            "the header `{MCP_NAME}` stands twice, or is no text"
        )),
    }
}

/// Compares the headers of a call with the arguments that its tool's schema says are mirrored.
///
/// # Errors
/// Which header is missing or differs.
pub(super) fn check_arguments(
    headers: &HeaderMap,
    schema: &Value,
    arguments: Option<&str>,
    bounds: Bounds,
) -> Result<(), String> {
    let mirrored = mirrored_properties(schema);
    if mirrored.is_empty() {
        return Ok(());
    }
    let arguments = arguments.map(|text| parse_strict(text.as_bytes(), bounds));
    let arguments = match arguments {
        Some(Ok(arguments)) => arguments,
        Some(Err(_)) => return Err("the arguments cannot be read".to_owned()),
        None => Value::Null,
    };
    for (path, token, kind) in mirrored {
        let name = format!("{MCP_PARAM_PREFIX}{}", token.to_ascii_lowercase());
        let value = path
            .iter()
            .try_fold(&arguments, |value, key| value.get(key))
            .filter(|value| !value.is_null());
        let wrong = |what: &str| Err(format!("the header `Mcp-Param-{token}` {what}"));
        let text = match (header(headers, &name), value.and_then(rendered)) {
            (Header::Unclear, _) => return wrong("stands twice, or is no text"),
            (Header::Absent, None) => continue,
            (Header::Absent, Some(_)) => return wrong("is missing"),
            (Header::Once(_), None) => return wrong("stands for an argument that is not there"),
            (Header::Once(value), Some(text)) => match decode_mirrored(value) {
                Some(decoded) if decoded == text => continue,
                Some(decoded) => (decoded, text),
                None => return wrong("is no text"),
            },
        };
        let number = |text: &str| Decimal::from_json(text);
        let is_equal_number = kind == "integer"
            && matches!((number(&text.0), number(&text.1)), (Some(a), Some(b)) if a == b);
        if !is_equal_number {
            return wrong("differs from the body");
        }
    }
    Ok(())
}

/// Properties that are mirrored: the keys that lead to each, its header, its type. Only those
/// below nothing but `properties` count, as the protocol has it; where two share a header, or a
/// header's name is none, clients drop the tool, and nothing is compared.
fn mirrored_properties(schema: &Value) -> Vec<(Vec<&str>, &str, &str)> {
    let mut found: Vec<(Vec<&str>, &str, &str)> = Vec::new();
    let mut open: Vec<(Vec<&str>, &Value)> = vec![(Vec::new(), schema)];
    while let Some((path, schema)) = open.pop() {
        if let (Some(token), false) = (schema.get(KEYWORD).and_then(Value::as_str), path.is_empty())
        {
            let kind = schema.get("type").and_then(Value::as_str);
            let kind = kind.filter(|kind| ["string", "integer", "boolean"].contains(kind));
            let is_name = HeaderName::from_bytes(token.as_bytes()).is_ok();
            let (Some(kind), true) = (kind, is_name) else {
                return Vec::new();
            };
            let is_taken = |(_, other, _): &(_, &str, _)| other.eq_ignore_ascii_case(token);
            if found.iter().any(is_taken) {
                return Vec::new();
            }
            found.push((path.clone(), token, kind));
        }
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            continue;
        };
        for (key, below) in properties {
            let mut path = path.clone();
            path.push(key);
            open.push((path, below));
        }
    }
    found
}

/// A value as a header mirrors it; none for what is not mirrored.
fn rendered(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
