//! Arguments that a tool's schema wants mirrored in headers (2026-07-28).

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::json::parse;
use crate::mcp::wire::{MCP_PARAM_PREFIX, encode_mirrored};
use crate::text::quoted;

/// The keyword of a schema.
const ANNOTATION: &str = "x-mcp-header";
/// Most bytes of a value.
const LONGEST_VALUE: usize = 8 << 10;
/// The largest integer that every reader of JSON keeps: 2^53 - 1.
const LARGEST_INTEGER: i64 = (1 << 53) - 1;

/// An argument that is mirrored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mirrored {
    /// Its keys from the top of the arguments.
    path: Vec<String>,
    header: HeaderName,
}

/// Where a value of a schema stands.
enum Place {
    /// A schema that is reached from the top by `properties` only: its path.
    Reachable(Vec<String>),
    /// The `properties` of such a one.
    Properties(Vec<String>),
    /// The `properties` of any other.
    OtherProperties,
    /// Anything else.
    Other,
}

/// The arguments that a schema wants mirrored.
///
/// # Errors
/// An annotation is not valid: the tool may not be used. What is wrong.
pub(super) fn annotations(schema: &Value) -> Result<Vec<Mirrored>, String> {
    let mut found: Vec<Mirrored> = Vec::new();
    let mut open = vec![(schema, Place::Reachable(Vec::new()))];
    while let Some((value, place)) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, Place::Other))),
            Value::Object(members) => match place {
                Place::Properties(path) => {
                    for (name, schema) in members {
                        let mut path = path.clone();
                        path.push(name.clone());
                        open.push((schema, Place::Reachable(path)));
                    }
                }
                Place::OtherProperties => {
                    open.extend(members.values().map(|schema| (schema, Place::Other)));
                }
                Place::Reachable(_) | Place::Other => {
                    let path = match place {
                        Place::Reachable(path) => Some(path),
                        _ => None,
                    };
                    if let Some(annotation) = members.get(ANNOTATION) {
                        let path = path
                            .as_ref()
                            .filter(|path| !path.is_empty())
                            .ok_or("`x-mcp-header` stands where no argument of the call is")?;
                        let mirrored = annotated(annotation, members.get("type"), path)?;
                        if found.iter().any(|known| known.header == mirrored.header) {
                            return Err(format!(
                                "two arguments are mirrored as {}",
                                quoted(mirrored.header.as_str())
                            ));
                        }
                        found.push(mirrored);
                    }
                    for (key, value) in members {
                        let place = match (&path, key.as_str()) {
                            (Some(path), "properties") => Place::Properties(path.clone()),
                            (None, "properties") => Place::OtherProperties,
                            _ => Place::Other,
                        };
                        open.push((value, place));
                    }
                }
            },
            _ => {}
        }
    }
    found.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(found)
}

fn annotated(name: &Value, kind: Option<&Value>, path: &[String]) -> Result<Mirrored, String> {
    let name = name.as_str().ok_or("`x-mcp-header` is no string")?;
    if name.is_empty() {
        return Err("`x-mcp-header` is empty".to_owned());
    }
    let header = HeaderName::from_bytes(format!("{MCP_PARAM_PREFIX}{name}").as_bytes())
        .map_err(|_| format!("{} is no name of a header", quoted(name)))?;
    let kind = kind.and_then(Value::as_str);
    if !matches!(kind, Some("string" | "integer" | "boolean")) {
        return Err(format!(
            "{} is mirrored, and neither a string nor an integer nor a boolean",
            quoted(&path.join("."))
        ));
    }
    Ok(Mirrored {
        path: path.to_vec(),
        header,
    })
}

/// Puts the headers that mirror a call's arguments to the others.
///
/// # Errors
/// A value cannot be mirrored: the server would refuse the call. What is wrong, without the value.
pub(super) fn mirror(
    mirrored: &[Mirrored],
    arguments: &str,
    headers: &mut HeaderMap,
) -> Result<(), String> {
    if mirrored.is_empty() {
        return Ok(());
    }
    let arguments = parse(arguments.as_bytes()).map_err(|error| error.to_string())?;
    for Mirrored { path, header } in mirrored {
        let mut value = Some(&arguments);
        for key in path {
            value = value.and_then(|value| value.get(key));
        }
        let text = match value {
            None | Some(Value::Null) => continue,
            Some(Value::String(text)) => encode_mirrored(text),
            Some(Value::Bool(value)) => value.to_string(),
            Some(Value::Number(number)) => integer(&number.to_string()).ok_or_else(|| {
                format!(
                    "{} is no integer that a header can mirror",
                    quoted(&path.join("."))
                )
            })?,
            Some(Value::Array(_) | Value::Object(_)) => {
                return Err(format!(
                    "{} is nothing that a header can mirror",
                    quoted(&path.join("."))
                ));
            }
        };
        if text.len() > LONGEST_VALUE {
            return Err(format!(
                "{} is too long for a header",
                quoted(&path.join("."))
            ));
        }
        let value = HeaderValue::from_str(&text).map_err(|error| error.to_string())?;
        headers.insert(header.clone(), value);
    }
    Ok(())
}

/// An integer as digits: `42` of `42` and of `42.0`.
fn integer(text: &str) -> Option<String> {
    let digits = match text.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|byte| byte == b'0') => whole,
        Some(_) => return None,
        None => text,
    };
    let number: i64 = digits.parse().ok()?;
    let is_safe = (-LARGEST_INTEGER..=LARGEST_INTEGER).contains(&number);
    is_safe.then(|| number.to_string())
}
