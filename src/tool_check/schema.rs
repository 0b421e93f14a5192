//! The JSON Schemas of tools (gateway contract, section 3, step 2).

use std::borrow::Cow;

use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use crate::catalogue::{self, SchemaFault};
use crate::text::quoted;

use super::arguments::{Arguments, RESERVED};

/// Most faults that a refusal names.
const MAX_FAULTS: usize = 3;

/// Most names that a fault names.
const MAX_NAMES: usize = 3;

/// A tool's schema, compiled.
#[derive(Debug)]
pub(super) struct Schema {
    validator: Validator,
    reserved: Vec<&'static str>,
}

/// The [`RESERVED`] members that a schema's top-level `properties` declares.
pub(super) fn declared(schema: &Value) -> impl Iterator<Item = &'static str> + '_ {
    RESERVED.into_iter().filter(|member| {
        let properties = schema.get("properties");
        properties
            .and_then(|properties| properties.get(member))
            .is_some()
    })
}

impl Schema {
    /// Compiles a schema.
    ///
    /// # Errors
    /// It is none that calls can be held to.
    pub(super) fn new(schema: &Value) -> Result<Self, SchemaFault> {
        Ok(Self {
            validator: catalogue::validator(schema)?,
            reserved: declared(schema).collect(),
        })
    }

    /// The reserved members that it declares.
    pub(super) fn reserved(&self) -> &[&'static str] {
        &self.reserved
    }

    /// What does not fit, in words, without any value: at most three faults. The reserved members
    /// that the schema declares are taken to be there, as `true`.
    pub(super) fn faults(&self, arguments: &Arguments) -> Vec<String> {
        let mut instance = Cow::Borrowed(arguments.value());
        if !self.reserved.is_empty()
            && let Some(object) = instance.to_mut().as_object_mut()
        {
            for member in &self.reserved {
                object.insert((*member).to_owned(), Value::Bool(true));
            }
        }
        if self.validator.is_valid(&instance) {
            return Vec::new();
        }
        let errors = self.validator.iter_errors(&instance);
        let mut faults: Vec<String> = errors.take(MAX_FAULTS).map(|error| fault(&error)).collect();
        if faults.is_empty() {
            faults.push("they do not fit".to_owned());
        }
        faults
    }
}

/// A fault with its place, a JSON pointer.
fn fault(error: &ValidationError<'_>) -> String {
    let what = describe(error.kind());
    match error.instance_path().as_str() {
        "" => what,
        place => format!("at {}, {what}", quoted(place)),
    }
}

/// What is wrong, from the schema and the names of members alone.
fn describe(kind: &Kind) -> String {
    let at_least = |count: u64, of: &str| format!("there must be at least {count} {of}");
    let at_most = |count: u64, of: &str| format!("there may be at most {count} {of}");
    match kind {
        Kind::Custom { message, .. } => message.clone(),
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            format!("{} is missing", quoted(name))
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let names = unexpected.iter().take(MAX_NAMES);
            let mut names: Vec<String> = names.map(|name| short(name)).collect();
            if unexpected.len() > names.len() {
                names.push("others".to_owned());
            }
            match names.as_slice() {
                [] => "there is a member that is not known".to_owned(),
                [name] => format!("{name} is not known"),
                names => format!("{} are not known", names.join(", ")),
            }
        }
        Kind::FalseSchema => "nothing may stand here".to_owned(),
        Kind::Format { format } => format!("it must be of the format {}", quoted(format)),
        Kind::Pattern { pattern } => format!("it must fit the pattern {}", quoted(pattern)),
        Kind::MinLength { limit } => at_least(*limit, "characters"),
        Kind::MaxLength { limit } => at_most(*limit, "characters"),
        Kind::MinItems { limit } => at_least(*limit, "items"),
        Kind::MaxItems { limit } => at_most(*limit, "items"),
        Kind::MinProperties { limit } => at_least(*limit, "members"),
        Kind::MaxProperties { limit } => at_most(*limit, "members"),
        Kind::AdditionalItems { .. } | Kind::UnevaluatedItems { .. } => {
            "there are items that are not known".to_owned()
        }
        Kind::Contains => "an item that has to be there is not".to_owned(),
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => {
            "it fits none of the forms that it may have".to_owned()
        }
        Kind::OneOfMultipleValid { .. } => "it fits more than one form".to_owned(),
        Kind::PropertyNames { .. } => "the name of a member does not fit".to_owned(),
        kind => format!("{} is not kept", quoted(kind.keyword())),
    }
}

/// The name of a member, cut where it is long.
fn short(name: &str) -> String {
    const MOST: usize = 60;
    let cut: String = name.chars().take(MOST).collect();
    let ellipsis = if cut.len() < name.len() { "…" } else { "" };
    quoted(&(cut + ellipsis))
}
