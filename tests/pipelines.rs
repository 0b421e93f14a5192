//! What a repository takes in to check its rulebooks: the hooks for pre-commit, the action for
//! GitHub, the template for GitLab. Each of their scripts runs here as its runner would run it, in
//! a repository where all is well and in ones where something is not.

mod github;
mod gitlab;
mod hooks;
mod repository;

use serde_json::Value;
use stalwart::diagnostics::Sink;
use stalwart::text::Source;
use stalwart::yaml;

use crate::compiled::root;

/// A YAML file of this repository, as JSON.
fn read_yaml(path: &str) -> Value {
    let bytes = std::fs::read(root().join(path)).unwrap();
    let (source, _) = Source::decode(path, &bytes);
    let mut sink = Sink::new();
    let node = yaml::read(&source, &mut sink);
    let node = node.unwrap_or_else(|| panic!("{path}: {:?}", sink.into_sorted()));
    node.to_json()
}

/// Holds a document to a schema of somebody else's.
fn must_fit(schema: &str, document: &Value) {
    let schema = std::fs::read(root().join("fixtures/schemas").join(schema)).unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_slice(&schema).unwrap()).unwrap();
    let faults: Vec<String> = schema
        .iter_errors(document)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    let text = value
        .get(key)
        .unwrap_or_else(|| panic!("no {key}: {value}"));
    text.as_str().unwrap_or_else(|| panic!("{key}: {value}"))
}

#[test]
fn they_fit_the_schemas_of_those_who_read_them() {
    let action = read_yaml("action.yml");
    must_fit("github-action.json", &action);
    let template = read_yaml("ci/gitlab.yml");
    must_fit("gitlab-ci.json", &template);
    // The schemas do refuse something.
    for (schema, mut document, pointer) in [
        ("github-action.json", action, "/runs/using"),
        ("gitlab-ci.json", template, "/rulebook-test/artifacts/when"),
    ] {
        *document.pointer_mut(pointer).unwrap() = Value::from("composer");
        let fits = std::panic::catch_unwind(|| must_fit(schema, &document));
        assert!(fits.is_err(), "{schema}");
    }
}
