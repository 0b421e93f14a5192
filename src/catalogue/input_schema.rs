//! Input schemas (contract section 1): JSON Schema 2020-12 of an object, without anything that is
//! fetched, that takes more than linear time, or that nobody asserts.

mod exact;
mod references;
mod walk;

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;
use thiserror::Error;

use super::draft::member;
use crate::diagnostics::codes::catalogue::BAD_SCHEMA;
use crate::diagnostics::{Diagnostic, Sink};
use crate::text::{quoted, visible};
use crate::yaml::{Content, Node, nearest};

/// The one dialect that is read.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Most bytes of one input schema.
const MOST_BYTES: usize = 64 * 1024;

/// The names that `type` has.
const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// Keywords that a boolean may have beside its type, none of which says more of its value.
const ANNOTATIONS: [&str; 9] = [
    "$comment",
    "default",
    "deprecated",
    "description",
    "examples",
    "readOnly",
    "title",
    "type",
    "writeOnly",
];

/// Why a schema judges nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("at `{pointer}`: {message}")]
pub struct SchemaFault {
    /// The JSON pointer of what is wrong, in the schema.
    pub pointer: String,
    /// What is wrong.
    pub message: String,
}

/// What judges arguments by an input schema: as JSON Schema 2020-12, formats asserted, patterns in
/// linear time, numbers compared exactly, nothing fetched, no default applied. Every schema of a
/// [`super::Catalogue`] has one.
///
/// # Errors
/// The schema is none.
pub fn validator(schema: &Value) -> Result<Validator, SchemaFault> {
    let options = jsonschema::options()
        .with_draft(Draft::Draft202012)
        .offline()
        .should_validate_formats(true)
        .should_ignore_unknown_formats(false)
        .with_pattern_options(PatternOptions::regex());
    exact::with_exact_keywords(options)
        .build(schema)
        .map_err(|error| SchemaFault {
            // A fault of the schema is one of the instance that the meta-schema judges.
            pointer: match error.instance_path().as_str() {
                "" => error.schema_path().as_str().to_owned(),
                path => path.to_owned(),
            },
            message: error.to_string(),
        })
}

/// Checks the input schema of a tool.
pub(super) fn check(schema: &Node, sink: &mut Sink) {
    let Content::Mapping(_) = &schema.content else {
        sink.push(
            Diagnostic::new(&BAD_SCHEMA, schema.place, "an input schema is a mapping")
                .with_help("write `input_schema: { type: object }` and what its arguments are"),
        );
        return;
    };
    let mut found = Sink::new();
    top(schema, &mut found);
    let json = schema.to_json();
    let length = json.to_string().len();
    if length > MOST_BYTES {
        let message =
            format!("an input schema has {length} bytes as JSON, and may have {MOST_BYTES}");
        let help = "move long texts out of it: a client gets it with every list of tools";
        found.push(Diagnostic::new(&BAD_SCHEMA, schema.place, message).with_help(help));
    }
    walk::check(schema, &mut found);
    // What follows from a fault that was found is not said again.
    if !found.has_errors()
        && let Err(fault) = validator(&json)
    {
        found.push(refused(schema, &fault));
    }
    sink.extend(found.into_sorted());
}

/// The top of an input schema.
fn top(schema: &Node, sink: &mut Sink) {
    let kind = member(schema, "type");
    let is_object =
        |node: &&Node| matches!(&node.content, Content::Text(text) if text.value == "object");
    if kind.filter(is_object).is_none() {
        let place = kind.map_or(schema.place, |kind| kind.place);
        sink.push(
            Diagnostic::new(
                &BAD_SCHEMA,
                place,
                "the `type` of an input schema is `object`",
            )
            .with_help("write `type: object`: the arguments of a call are one"),
        );
    }
    if let Some(dialect) = member(schema, "$schema") {
        let is_read = matches!(&dialect.content, Content::Text(text) if text.value.trim_end_matches('#') == DIALECT);
        if !is_read {
            let message = "an input schema is read as JSON Schema 2020-12, and this one says that it is another";
            let help = format!("write `$schema: {DIALECT}`, or delete the key");
            sink.push(Diagnostic::new(&BAD_SCHEMA, dialect.place, message).with_help(help));
        }
    }
}

/// What the validator refuses, at its place.
fn refused(schema: &Node, fault: &SchemaFault) -> Diagnostic {
    let mut node = schema;
    let mut keyword = String::new();
    for segment in fault.pointer.split('/').skip(1) {
        let segment = segment.replace("~1", "/").replace("~0", "~");
        let next = match &node.content {
            Content::List(items) => segment.parse().ok().and_then(|at: usize| items.get(at)),
            _ => member(node, &segment),
        };
        let Some(next) = next else {
            break;
        };
        node = next;
        keyword = segment;
    }
    let (message, help) = match (keyword.as_str(), &node.content) {
        ("type", Content::Text(text)) => {
            let help = match nearest(&text.value, TYPES) {
                Some(near) => format!("did you mean {}?", quoted(near)),
                None => format!("the types are {}", TYPES.map(quoted).join(", ")),
            };
            (format!("{} is no type", quoted(&text.value)), help)
        }
        ("format", Content::Text(text)) => (
            format!("nobody asserts the format {}", quoted(&text.value)),
            "delete `format`, or write a `pattern`; asserted are those of JSON Schema 2020-12, such as `date-time`, `email`, `uri`, `uuid`".to_owned(),
        ),
        ("pattern", _) => (
            "this pattern is not read".to_owned(),
            "write a regular expression without look-around and back-references: it has to run in linear time".to_owned(),
        ),
        ("", _) => (
            format!("this is no JSON Schema: {}", visible(&fault.message)),
            "look at the version 2020-12 of JSON Schema".to_owned(),
        ),
        (keyword, _) => (
            format!("{} has no such value in JSON Schema 2020-12", quoted(keyword)),
            visible(&fault.message),
        ),
    };
    Diagnostic::new(&BAD_SCHEMA, node.place, message).with_help(help)
}

/// Whether a schema takes both booleans and nothing else.
pub(super) fn is_plain_boolean(schema: &Node) -> bool {
    let Content::Mapping(entries) = &schema.content else {
        return false;
    };
    let is_boolean = matches!(
        member(schema, "type").map(|node| &node.content),
        Some(Content::Text(text)) if text.value == "boolean"
    );
    let says_no_more = |key: &str| ANNOTATIONS.contains(&key);
    is_boolean && entries.iter().all(|entry| says_no_more(&entry.key.value))
}
