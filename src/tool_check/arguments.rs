//! A call's arguments: read strictly, passed on byte for byte.

use serde_json::Value;
use thiserror::Error;

use crate::catalogue::Tool;
use crate::json::{Bounds, Members, StrictError, canonical, parse_strict};

use super::schema::declared;

/// The members that stand for the yes of a person (gateway contract, section 3, step 2): those of
/// an agent never count, and are cut out.
pub const RESERVED: [&str; 2] = ["confirmed", "confirmation"];

/// Most digits of a number's exponent: beyond, numbers are no longer told apart.
const MAX_EXPONENT_DIGITS: usize = 18;

/// The arguments of a call, without the [`RESERVED`] members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// The client's text without these members.
    text: String,
    value: Value,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            text: "{}".to_owned(),
            value: Value::Object(serde_json::Map::new()),
        }
    }
}

/// Why arguments are not read. What it says has nothing of their values in it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ArgumentsError {
    /// They are no JSON, or break a rule or a bound of it.
    #[error("the arguments cannot be read: {0}")]
    NotReadable(#[from] StrictError),
    /// They are no object.
    #[error("the arguments must be a JSON object")]
    NotAnObject,
    /// A number whose exponent is so large that it would not be told from others.
    #[error("the arguments have a number with an exponent of more than 18 digits")]
    ExponentTooLong,
}

impl Arguments {
    /// Reads the client's text; where it sent none, the arguments are `{}`. Whether the agent has
    /// the tool is to be asked first ([`super::Policy::tool`]): a tool that it does not have is
    /// `unknown_tool`, whatever its arguments.
    ///
    /// # Errors
    /// Not one JSON object, a key that stands twice anywhere, half of a surrogate pair, a number
    /// that cannot be told from others, or more than the bounds allow. The reason of such a call
    /// is [`super::Reason::InvalidArguments`].
    pub fn read(text: Option<&str>, bounds: Bounds) -> Result<Self, ArgumentsError> {
        let text = text.unwrap_or("{}");
        let mut value = parse_strict(text.as_bytes(), bounds)?;
        if has_long_exponent(&value) {
            return Err(ArgumentsError::ExponentTooLong);
        }
        let members = Members::read(text).map_err(StrictError::NotJson)?;
        let (Some(members), Some(object)) = (members, value.as_object_mut()) else {
            return Err(ArgumentsError::NotAnObject);
        };
        object.retain(|key, _| !RESERVED.contains(&key.as_str()));
        Ok(Self {
            text: members.edited(|key| RESERVED.contains(&key), &[]),
            value,
        })
    }

    /// The object, without the reserved members; numbers keep every digit.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The client's text without the reserved members: all other bytes are as it sent them.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is sent to the server: [`Self::text`], after the yes of a person with those of the
    /// reserved members that the tool declares, as literal `true`.
    pub fn forwarded(&self, tool: &Tool, confirmed: bool) -> String {
        let added: Vec<(&str, &str)> = declared(&tool.input_schema)
            .filter(|_| confirmed)
            .map(|member| (member, "true"))
            .collect();
        match Members::read(&self.text) {
            Ok(Some(members)) => members.edited(|_| false, &added),
            // The text was read before.
            Ok(None) | Err(_) => self.text.clone(),
        }
    }

    /// The [canonical text](crate::json::canonical) of the arguments.
    pub fn canonical(&self) -> String {
        canonical(&self.value)
    }

    /// The keyed hash of the arguments: `keyed` of their [canonical text](crate::json::canonical).
    pub fn digest(&self, keyed: &dyn Fn(&[u8]) -> String) -> String {
        keyed(self.canonical().as_bytes())
    }
}

/// Whether a number has an exponent that decimals do not keep exactly.
fn has_long_exponent(value: &Value) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Number(number) => {
                let exponent = number.as_str().split(['e', 'E']).nth(1);
                let digits = exponent.map(|exponent| exponent.trim_start_matches(['+', '-', '0']));
                if digits.is_some_and(|digits| digits.len() > MAX_EXPONENT_DIGITS) {
                    return true;
                }
            }
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
    false
}
