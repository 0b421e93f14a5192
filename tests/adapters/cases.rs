//! The recorded inputs of `fixtures/adapters`: what a proxy sends, and the whole answer that it gets.

use serde_json::Value;
use stalwart::adapters::Adapter;

use super::{BUILDS, GATE, Gate, ask, document, put};
use crate::compiled::files;
use crate::engines::opa::Opa;
use crate::engines::opa_1_20::OpaEngine;

/// The inputs of a proxy: name, input, answer where what is silent passes, and where not.
fn recorded(one: Adapter) -> Vec<(String, String, [Value; 2])> {
    let paths = files(&format!("fixtures/adapters/{}", one.as_str()), "json");
    assert!(paths.len() >= 5, "{one:?}: {}", paths.len());
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("a fixture is read");
        let mut case: Value = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let want = case["want"].take();
        let strict = match case["want_with_deny_silent"].take() {
            Value::Null => want.clone(),
            strict => strict,
        };
        (
            path.display().to_string(),
            case["input"].to_string(),
            [want, strict],
        )
    };
    paths.iter().map(read).collect()
}

#[test]
fn recorded_inputs_have_their_answers() {
    let gate = Gate::new(GATE);
    let known = document();
    let server = Opa::find().map(|opa| gate.serve(&opa));
    if let Some(server) = &server {
        put(server, Some(&known));
    }
    let engine = OpaEngine::find();
    for one in Adapter::ALL {
        for (name, input, want) in recorded(one) {
            for ((_, package), want) in BUILDS.iter().zip(&want) {
                if let Some(server) = &server {
                    assert_eq!(ask(server, package, one, &input), *want, "{name} {package}");
                }
                if let Some(engine) = &engine {
                    let inputs = std::slice::from_ref(&input);
                    let answers = gate.engine(engine, Some(&known), package, one, inputs);
                    assert_eq!(answers[0], *want, "{name} {package}, OPA 1.20");
                }
            }
        }
    }
}
