//! Reads the files of `deploy/`.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use stalwart::diagnostics::Sink;
use stalwart::text::Source;

/// The text of a file of this repository.
pub fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A JSON file.
pub fn json(path: &str) -> Value {
    serde_json::from_str(&read(path)).unwrap()
}

/// A YAML file of one document.
pub fn yaml(path: &str) -> Value {
    documents(path).pop().unwrap()
}

/// The documents of a YAML file.
fn documents(path: &str) -> Vec<Value> {
    read(path)
        .split("\n---\n")
        .map(|document| {
            let (source, _) = Source::decode(path, document.as_bytes());
            let mut sink = Sink::new();
            let node = stalwart::yaml::read(&source, &mut sink);
            let node = node.unwrap_or_else(|| panic!("{path}: {:?}", sink.into_sorted()));
            node.to_json()
        })
        .collect()
}

/// The paths of the manifests below `deploy/`.
pub fn manifest_paths() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/kubernetes");
    let mut paths: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| format!("kubernetes/{}", entry.unwrap().file_name().display()))
        .collect();
    paths.push("network-policy.yaml".to_owned());
    paths
}

/// Every object of Kubernetes that is deployed, with its file.
pub fn manifests() -> Vec<(String, Value)> {
    let paths = manifest_paths();
    let read = paths.into_iter().flat_map(|path| {
        let objects = documents(&format!("deploy/{path}"));
        objects
            .into_iter()
            .map(move |object| (path.clone(), object))
    });
    read.collect()
}

/// The first object of a kind.
pub fn object(kind: &str) -> Value {
    let mut all = manifests().into_iter().map(|(_, object)| object);
    all.find(|object| text(object, "/kind") == kind).unwrap()
}

/// The Compose file.
pub fn compose() -> Value {
    yaml("deploy/compose.yaml")
}

/// The text at a place.
pub fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    let found = value.pointer(pointer).and_then(Value::as_str);
    found.unwrap_or_else(|| panic!("{pointer}: {value}"))
}

/// The whole number at a place.
pub fn number(value: &Value, pointer: &str) -> u64 {
    let found = value.pointer(pointer).and_then(Value::as_u64);
    found.unwrap_or_else(|| panic!("{pointer}: {value}"))
}

/// The list of texts at a place.
pub fn texts(value: &Value, pointer: &str) -> Vec<String> {
    let found = value.pointer(pointer).and_then(Value::as_array);
    let list = found.unwrap_or_else(|| panic!("{pointer}: {value}"));
    let texts = list.iter().map(|text| text.as_str().unwrap().to_owned());
    texts.collect()
}

/// The variables of a Deployment's first container, all from secrets and each from the key of its
/// own name; and the secrets.
pub fn environment_of(deployment: &Value) -> (BTreeSet<String>, BTreeSet<String>) {
    let variables = deployment.pointer("/spec/template/spec/containers/0/env");
    let variables = variables.and_then(Value::as_array).unwrap().iter();
    variables
        .map(|variable| {
            let name = text(variable, "/name");
            assert_eq!(text(variable, "/valueFrom/secretKeyRef/key"), name);
            let secret = text(variable, "/valueFrom/secretKeyRef/name");
            (name.to_owned(), secret.to_owned())
        })
        .unzip()
}

/// The names in `${}` of a file, comments left out.
pub fn variables(path: &str) -> BTreeSet<String> {
    let text = read(path);
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'));
    let names = lines.flat_map(|line| line.split("${").skip(1));
    names
        .map(|rest| rest.split('}').next().unwrap().to_owned())
        .collect()
}

/// What stands behind an instruction of the Dockerfile, each time it does.
pub fn dockerfile(instruction: &str) -> Vec<String> {
    let text = read("deploy/Dockerfile");
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix(instruction));
    lines
        .filter_map(|rest| rest.strip_prefix(' '))
        .map(str::to_owned)
        .collect()
}

/// The values of a key of the systemd unit.
pub fn unit(key: &str) -> Vec<String> {
    let text = read("deploy/stalwart.service");
    let values = text
        .lines()
        .filter_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    values.map(str::to_owned).collect()
}
