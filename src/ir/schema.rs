//! The JSON Schema of the IR, generated from its types and published as
//! `schema/rulebook-ir-1.schema.json`. It tells shapes; what else must hold, [`super::from_bytes`]
//! checks.

use schemars::schema_for;
use serde_json::Value;

use super::{FORMAT, Rulebook};

/// The text of the schema: sorted keys, two-space indentation, one final newline.
pub fn schema() -> String {
    let mut schema = schema_for!(Rulebook).to_value();
    tighten(&mut schema);
    for (pointer, value) in [
        ("/properties/format", Value::from(FORMAT)),
        ("/$defs/Choice/properties/passed", Value::from(true)),
    ] {
        if let Some(Value::Object(property)) = schema.pointer_mut(pointer) {
            property.remove("default");
            property.insert("const".to_owned(), value);
        }
    }
    format!("{schema:#}\n")
}

/// Says what the types leave open: an optional key is left out rather than null, and all
/// numbers count from 1.
fn tighten(schema: &mut Value) {
    let mut rest = vec![schema];
    while let Some(value) = rest.pop() {
        match value {
            Value::Array(items) => rest.extend(items),
            Value::Object(fields) => {
                if fields.get("format").is_some_and(|format| format == "uint") {
                    fields.remove("format");
                    fields.insert("minimum".to_owned(), Value::from(1));
                }
                if let Some(Value::Array(types)) = fields.get_mut("type") {
                    types.retain(|name| name != "null");
                    if let [only] = types.as_slice() {
                        let only = only.clone();
                        fields.insert("type".to_owned(), only);
                    }
                }
                rest.extend(fields.values_mut());
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{example, to_bytes};
    use super::*;

    const PATH: &str = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/schema/rulebook-ir-1.schema.json"
    );

    #[test]
    fn the_kept_file_is_current() {
        let current = schema();
        let kept = std::fs::read_to_string(PATH).unwrap_or_default();
        assert!(
            kept == current,
            "schema/rulebook-ir-1.schema.json is not that of the types in src/ir/types.rs; \
             `cargo run -- schema ir > schema/rulebook-ir-1.schema.json` writes it anew. A \
             change that files of format {FORMAT} do not fit needs another format."
        );
    }

    /// Every key that a document has is one that the schema knows.
    #[test]
    fn the_schema_knows_every_key() {
        let text = schema();
        let document: Value = serde_json::from_slice(&to_bytes(&example::maximal())).unwrap();
        let mut rest = vec![&document];
        let mut keys = 0;
        while let Some(value) = rest.pop() {
            match value {
                Value::Array(items) => rest.extend(items),
                Value::Object(fields) => {
                    for (key, value) in fields {
                        assert!(text.contains(&format!("\"{key}\": {{")), "{key}");
                        keys += 1;
                        rest.push(value);
                    }
                }
                _ => {}
            }
        }
        assert!(keys > 100);
        assert!(text.contains("\"const\": \"rulebook-ir/1\""));
        assert!(!text.contains("\"additionalProperties\": true"));
        assert!(!text.contains("\"null\"") && !text.contains("\"minimum\": 0"));
    }
}
