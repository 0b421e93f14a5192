//! The published schema takes every IR that is emitted: its keywords, read by hand.

use serde_json::Value;
use stalwart::ir::{schema, to_bytes};

use crate::compiled::{compile, files, root};

/// Keywords that say something about a document; any other in the schema fails the test.
const IGNORED: [&str; 5] = ["$schema", "$defs", "title", "description", "pattern"];

struct Schema {
    root: Value,
}

impl Schema {
    /// What is wrong with a value, as a pointer and a few words.
    fn check(&self, rule: &Value, value: &Value, at: &str) -> Result<(), String> {
        for (keyword, wanted) in rule.as_object().unwrap() {
            let holds = match keyword.as_str() {
                ignored if IGNORED.contains(&ignored) => true,
                "$ref" => {
                    let pointer = wanted.as_str().unwrap().trim_start_matches('#');
                    let target = self.root.pointer(pointer).unwrap();
                    self.check(target, value, at)?;
                    true
                }
                "type" => match wanted.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "integer" => value.is_u64(),
                    "boolean" => value.is_boolean(),
                    other => panic!("the type {other}"),
                },
                "const" => value == wanted,
                "enum" => wanted.as_array().unwrap().contains(value),
                "minimum" => value.as_u64() >= wanted.as_u64(),
                "required" => {
                    let mut keys = wanted.as_array().unwrap().iter();
                    keys.all(|key| value.get(key.as_str().unwrap()).is_some())
                }
                "additionalProperties" => {
                    assert_eq!(*wanted, Value::Bool(false));
                    let known = rule["properties"].as_object().unwrap();
                    value
                        .as_object()
                        .unwrap()
                        .keys()
                        .all(|key| known.contains_key(key))
                }
                "properties" => {
                    for (key, rule) in wanted.as_object().unwrap() {
                        if let Some(inner) = value.get(key) {
                            self.check(rule, inner, &format!("{at}/{key}"))?;
                        }
                    }
                    true
                }
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(wanted, item, &format!("{at}/{index}"))?;
                    }
                    true
                }
                "oneOf" => {
                    let fitting = wanted.as_array().unwrap().iter();
                    let fitting = fitting.filter(|rule| self.check(rule, value, at).is_ok());
                    fitting.count() == 1
                }
                other => panic!("the keyword {other} is not read here"),
            };
            if !holds {
                return Err(format!("{at}: `{keyword}` does not hold of {value}"));
            }
        }
        Ok(())
    }
}

#[test]
fn every_fixture_fits_the_schema() {
    let schema = Schema {
        root: serde_json::from_str(&schema()).unwrap(),
    };
    let mut count = 0;
    for path in files("fixtures", "co") {
        let text = std::fs::read(root().join(&path)).unwrap();
        let Ok(compiled) = compile(&text, "suite.fixture") else {
            continue;
        };
        let document: Value = serde_json::from_slice(&to_bytes(&compiled.rulebook)).unwrap();
        if let Err(fault) = schema.check(&schema.root, &document, "") {
            panic!("{}: {fault}", path.display());
        }
        count += 1;
        // The check can fail: each of these is wrong in one place.
        for (pointer, wrong) in [
            ("/format", Value::from("rulebook-ir/2")),
            ("/flows/0/line", Value::from(0)),
            ("/flows/0/kind", Value::from("other")),
            ("/flows/0/branches", Value::Null),
            ("/source", serde_json::json!({"file": "a.co"})),
        ] {
            let mut edited = document.clone();
            if let Some(place) = edited.pointer_mut(pointer) {
                *place = wrong;
                assert!(
                    schema.check(&schema.root, &edited, "").is_err(),
                    "{pointer}"
                );
            }
        }
    }
    assert!(count > 40, "{count}");
}
