//! The JSON Schema of a catalogue, generated from its types and published as
//! `schema/agent-catalogue-1.schema.json`. It tells shapes; what else must hold,
//! [`Catalogue::from_bytes`] checks.

use schemars::schema_for;
use serde_json::Value;

use super::types::{Catalogue, FORMAT};

impl Catalogue {
    /// The text of the schema: sorted keys, two-space indentation, one final newline.
    pub fn schema() -> String {
        let mut schema = schema_for!(Catalogue).to_value();
        leave_out_null(&mut schema);
        for (pointer, value) in [
            ("/properties/format", FORMAT),
            ("/$defs/Rulebook/properties/format", crate::ir::FORMAT),
        ] {
            if let Some(Value::Object(property)) = schema.pointer_mut(pointer) {
                property.insert("const".to_owned(), Value::from(value));
            }
        }
        format!("{schema:#}\n")
    }
}

/// An optional key is left out rather than null, and no number has a size of its own.
fn leave_out_null(schema: &mut Value) {
    let mut rest = vec![schema];
    while let Some(value) = rest.pop() {
        match value {
            Value::Array(items) => rest.extend(items),
            Value::Object(fields) => {
                if fields.get("format").is_some_and(Value::is_string) {
                    fields.remove("format");
                }
                if fields.get("default").is_some_and(Value::is_null) {
                    fields.remove("default");
                }
                if let Some(Value::Array(types)) = fields.get_mut("type") {
                    types.retain(|name| name != "null");
                    if let [only] = types.as_slice() {
                        let only = only.clone();
                        fields.insert("type".to_owned(), only);
                    }
                }
                if let Some(Value::Array(choices)) = fields.get_mut("anyOf") {
                    choices.retain(|choice| choice.get("type").is_none_or(|name| name != "null"));
                }
                rest.extend(fields.values_mut());
            }
            _ => {}
        }
    }
}
