//! The published shape of a tests file. [`super::read`] reads it, key by key and with places; a
//! test holds the two together.

use schemars::{JsonSchema, schema_for};
use serde_json::{Map, Value};

use crate::evaluator::Verdict;

/// A tests file.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Tests of a rulebook")]
#[expect(dead_code, reason = "a shape, made for its schema")]
struct TestsFile {
    /// The rulebook that the tests are for, as a path from the folder of this file.
    rulebook: Option<String>,
    /// The tool of every case that names none itself, nor through a group.
    tool: Option<Tool>,
    /// What the context of every case has, unless the case or a group around it says otherwise. A
    /// key with dots means nested objects.
    context: Option<Map<String, Value>>,
    /// Cases.
    cases: Option<Vec<CaseShape>>,
    /// Groups of cases that have something in common.
    groups: Option<Vec<GroupShape>>,
}

/// Cases that have something in common.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Group")]
#[expect(dead_code, reason = "a shape, made for its schema")]
struct GroupShape {
    /// What they have in common; no group beside it has this name.
    name: String,
    /// The tool of every case in it that names none itself, nor through a group.
    tool: Option<Tool>,
    /// What the context of every case in it has, over what is said further out.
    context: Option<Map<String, Value>>,
    /// Context names, dotted, that are said further out and are absent here.
    absent: Option<Vec<String>>,
    /// Why none of its cases is run.
    skip: Option<String>,
    /// Cases.
    cases: Option<Vec<CaseShape>>,
    /// Groups inside of it.
    groups: Option<Vec<GroupShape>>,
}

/// A call, and the decision it must get.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Case")]
#[expect(dead_code, reason = "a shape, made for its schema")]
struct CaseShape {
    /// What is tried; no other case of its group has this name.
    name: String,
    /// The tool called.
    tool: Option<Tool>,
    /// The context: an object goes over what is said further out, key by key; anything else is the
    /// whole context.
    context: Option<Value>,
    /// Context names, dotted, that are said further out and are absent here.
    absent: Option<Vec<String>>,
    /// What the call must get.
    want: WantShape,
    /// Why it is not run.
    skip: Option<String>,
}

/// A tool's name; `null` for a call whose tool is no string.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "a shape, made for its schema")]
enum Tool {
    /// The tool's name.
    Named(String),
    /// No string.
    None(()),
}

/// The decision, or the decision with its rule.
#[derive(JsonSchema)]
#[schemars(untagged, rename = "Want")]
#[expect(dead_code, reason = "a shape, made for its schema")]
enum WantShape {
    /// The decision, by whatever rule.
    Decision(Verdict),
    /// The decision and its rule.
    Whole(WantedDecision),
}

/// The decision and its rule.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "a shape, made for its schema")]
struct WantedDecision {
    /// The decision.
    decision: Verdict,
    /// The message, `stop` or `no_match`; empty for a call that is allowed or on which nothing is
    /// said. Without it, any rule will do.
    rule: Option<String>,
}

/// The JSON Schema of a tests file: sorted keys, two-space indentation, one final newline.
pub fn schema() -> String {
    let mut schema = schema_for!(TestsFile).to_value();
    tighten(&mut schema);
    format!("{schema:#}\n")
}

/// Says what the types leave open: an optional key is left out rather than null.
fn tighten(schema: &mut Value) {
    let mut rest = vec![schema];
    while let Some(value) = rest.pop() {
        match value {
            Value::Array(items) => rest.extend(items),
            Value::Object(fields) => {
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
