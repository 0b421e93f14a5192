//! Files of the format `rulebook-vectors/1`: a rulebook, and the decisions that it must give.

use std::collections::BTreeMap;

use schemars::{JsonSchema, schema_for};
use serde::Deserialize;
use serde_json::Value;

use crate::evaluator::Decision;
use crate::json::{JsonError, parse_sequence};
use crate::text::quoted;

/// The format's name.
const FORMAT: &str = "rulebook-vectors/1";

/// Decisions that one rulebook must give, whoever decides.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct VectorFile {
    /// What this file is.
    #[serde(rename = "format")]
    _format: String,
    /// The path of the rulebook, relative to the folder of this file.
    pub(super) rulebook: String,
    /// The vectors; they do not depend on each other, nor on their order.
    #[schemars(length(min = 1))]
    pub(super) vectors: Vec<Vector>,
}

/// An input and the decision that it must get.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Vector {
    /// What is tried; no other vector of the file has this name.
    pub(super) name: String,
    /// The section of the language's contract, and the rule in it, that gives the answer.
    #[serde(rename = "because")]
    _because: String,
    /// The input document as Open Policy Agent gets it: any JSON. Numbers are exact decimals,
    /// and of duplicate keys the last wins.
    pub(super) input: Value,
    /// The whole answer.
    pub(super) want: Decision,
    /// Engines that cannot give this answer, each with the reason.
    #[serde(rename = "out_of_reach", default)]
    _out_of_reach: BTreeMap<String, String>,
}

/// Reads the files that stand in a text one behind the other, with every digit of their inputs.
/// The error is a line that says what is wrong.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<VectorFile>, String> {
    let documents = parse_sequence(bytes).map_err(|error| match error {
        JsonError::Empty => "there are no vectors".to_owned(),
        other => other.to_string(),
    })?;
    documents.into_iter().map(read_file).collect()
}

fn read_file(mut document: Value) -> Result<VectorFile, String> {
    let format = document.get("format").and_then(Value::as_str);
    if format != Some(FORMAT) {
        return Err(format!(
            "a file does not begin with `\"format\": \"{FORMAT}\"`"
        ));
    }
    // Inputs go past the reader of the shape, which would take an object with a certain key for
    // a number.
    let vectors = document.get_mut("vectors").and_then(Value::as_array_mut);
    let inputs: Vec<Option<Value>> = vectors
        .into_iter()
        .flatten()
        .map(|vector| vector.get_mut("input").map(Value::take))
        .collect();
    let rulebook = document.get("rulebook").map(Value::to_string);
    let place = rulebook.map_or_else(String::new, |path| {
        format!("the vectors of {}: ", quoted(path.trim_matches('"')))
    });
    let mut file: VectorFile =
        serde_json::from_value(document).map_err(|error| format!("{place}{error}"))?;
    if file.vectors.is_empty() {
        return Err(format!("{place}there are none"));
    }
    for (vector, input) in file.vectors.iter_mut().zip(inputs) {
        vector.input = input.unwrap_or_default();
    }
    Ok(file)
}

/// The JSON Schema of a file: sorted keys, two-space indentation, one final newline.
pub(in super::super) fn schema() -> String {
    let mut schema = schema_for!(VectorFile).to_value();
    if let Some(Value::Object(format)) = schema.pointer_mut("/properties/format") {
        format.insert("const".to_owned(), Value::from(FORMAT));
    }
    if let Some(Value::Object(engines)) =
        schema.pointer_mut("/$defs/Vector/properties/out_of_reach")
    {
        engines.remove("default");
    }
    format!("{schema:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(vectors: &str) -> String {
        format!(r#"{{"format": "{FORMAT}", "rulebook": "a.co", "vectors": {vectors}}}"#)
    }

    #[test]
    fn inputs_keep_what_decisions_look_at() {
        let marked = r#"{"$serde_json::private::Number": "5"}"#;
        let text = file(&format!(
            r#"[{{"name": "n", "because": "section 3", "want": {{"rule": "", "decision": "silent"}},
                "input": {{"a": 1.50, "b": 1e+999999999, "c": 1, "c": {marked}}}}}]"#
        ));
        let files = read(format!("{text}\n{text}").as_bytes()).unwrap();
        assert_eq!(files.len(), 2);
        let input = &files[1].vectors[0].input;
        assert_eq!(
            input.to_string(),
            format!(
                r#"{{"a":1.50,"b":1e+999999999,"c":{}}}"#,
                marked.replace(": ", ":")
            )
        );
    }

    #[test]
    fn faults_are_said_in_a_line() {
        for (text, said) in [
            ("", "there are no vectors"),
            ("{", "the JSON value is not complete"),
            (
                "[]",
                "a file does not begin with `\"format\": \"rulebook-vectors/1\"`",
            ),
            (&file("[]"), "the vectors of `a.co`: there are none"),
            (
                &file("[{\"name\": \"n\"}]"),
                "the vectors of `a.co`: missing field `because`",
            ),
            (
                &file(
                    r#"[{"name": "n", "because": "", "input": 1, "want": {"decision": "perhaps", "rule": ""}}]"#,
                ),
                "the vectors of `a.co`: unknown variant `perhaps`, expected one of `allow`, `clarify`, `refuse`, `silent`",
            ),
        ] {
            assert_eq!(read(text.as_bytes()).unwrap_err(), said, "{text}");
        }
    }

    #[test]
    fn the_kept_schema_is_current() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/schema/rulebook-vectors-1.schema.json"
        );
        let kept = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            kept == schema(),
            "`cargo run -- schema vectors > schema/rulebook-vectors-1.schema.json` writes it anew"
        );
    }
}
