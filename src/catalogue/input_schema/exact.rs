//! The keywords of JSON Schema that look at numbers, over exact decimals.
//!
//! The library compares some numbers as doubles, for which 9007199254740993 is 9007199254740992
//! and `0.1` with a digit in its thirtieth place is `0.1`.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use jsonschema::{Keyword, ValidationError, ValidationOptions};
use serde_json::Value;

use crate::json::canonical;
use crate::text::{Decimal, Divisor, visible};

/// What a value is held to.
#[derive(Debug)]
enum Test {
    /// A number must not stand so to the limit.
    Order(Decimal, &'static [Ordering]),
    MultipleOf(Divisor),
    /// One of these texts of [`canonical`].
    OneOf(BTreeSet<String>),
    Unique,
    /// Of one of these types.
    Type(BTreeSet<String>),
}

/// A keyword with its value.
#[derive(Debug)]
struct ExactKeyword {
    test: Test,
    /// What is said of a value that does not pass.
    message: String,
}

/// The options with these keywords in place of the library's own.
pub(super) fn with_exact_keywords(mut options: ValidationOptions<'_>) -> ValidationOptions<'_> {
    for keyword in [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "const",
        "enum",
        "uniqueItems",
        "type",
    ] {
        options = options.with_keyword(keyword, move |_, value, _| {
            match ExactKeyword::new(keyword, value) {
                Some(keyword) => Ok(Box::new(keyword)),
                None => Err(ValidationError::schema(format!(
                    "`{keyword}` has a value that it cannot have"
                ))),
            }
        });
    }
    options
}

impl ExactKeyword {
    /// A keyword of a schema; none for a value that it cannot have.
    fn new(keyword: &str, value: &Value) -> Option<Self> {
        use Ordering::{Equal, Greater, Less};
        let number = || decimal(value);
        let shown = || visible(&canonical(value));
        let (test, message) = match keyword {
            "minimum" => (
                Test::Order(number()?, &[Less]),
                format!("it must be at least {}", shown()),
            ),
            "maximum" => (
                Test::Order(number()?, &[Greater]),
                format!("it must be at most {}", shown()),
            ),
            "exclusiveMinimum" => (
                Test::Order(number()?, &[Less, Equal]),
                format!("it must be more than {}", shown()),
            ),
            "exclusiveMaximum" => (
                Test::Order(number()?, &[Greater, Equal]),
                format!("it must be less than {}", shown()),
            ),
            "multipleOf" => (
                Test::MultipleOf(Divisor::new(&number()?)?),
                format!("it must be a multiple of {}", shown()),
            ),
            "const" => (
                Test::OneOf(BTreeSet::from([canonical(value)])),
                format!("it must be {}", shown()),
            ),
            "enum" => {
                let options: Vec<String> = value.as_array()?.iter().map(canonical).collect();
                let message = format!("it must be one of {}", visible(&options.join(", ")));
                (Test::OneOf(options.into_iter().collect()), message)
            }
            "uniqueItems" if value.as_bool()? => {
                (Test::Unique, "no two items may be alike".to_owned())
            }
            "uniqueItems" => (Test::Order(Decimal::zero(), &[]), String::new()),
            "type" => {
                let types = types(value)?;
                let shown: Vec<&str> = types.iter().map(String::as_str).collect();
                let message = format!("it must be of type {}", shown.join(" or "));
                (Test::Type(types), message)
            }
            _ => return None,
        };
        Some(Self { test, message })
    }

    fn passes(&self, instance: &Value) -> bool {
        match &self.test {
            Test::Order(limit, wrong) => {
                decimal(instance).is_none_or(|number| !wrong.contains(&number.cmp(limit)))
            }
            Test::MultipleOf(divisor) => {
                decimal(instance).is_none_or(|number| divisor.divides(&number))
            }
            Test::OneOf(options) => options.contains(&canonical(instance)),
            Test::Unique => {
                let mut known = BTreeSet::new();
                let items = instance.as_array().into_iter().flatten();
                items.map(canonical).all(|item| known.insert(item))
            }
            Test::Type(types) => {
                let is_type = |name: &str| types.contains(name);
                match instance {
                    Value::Null => is_type("null"),
                    Value::Bool(_) => is_type("boolean"),
                    Value::String(_) => is_type("string"),
                    Value::Array(_) => is_type("array"),
                    Value::Object(_) => is_type("object"),
                    Value::Number(_) if is_type("number") => true,
                    Value::Number(_) => {
                        let is_integer = || decimal(instance).is_some_and(|n| n.is_integer());
                        is_type("integer") && is_integer()
                    }
                }
            }
        }
    }
}

impl<'i> Keyword<'i> for ExactKeyword {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.passes(instance) {
            Ok(())
        } else {
            Err(ValidationError::custom(self.message.clone()))
        }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        self.passes(instance)
    }
}

fn decimal(value: &Value) -> Option<Decimal> {
    let Value::Number(number) = value else {
        return None;
    };
    Decimal::from_json(number.as_str())
}

/// The types that a schema names: one, or several.
fn types(value: &Value) -> Option<BTreeSet<String>> {
    let named = match value {
        Value::Array(named) => named.iter().collect(),
        named => vec![named],
    };
    let named = named.into_iter().map(Value::as_str);
    named.map(|name| name.map(str::to_owned)).collect()
}
