//! The published schema takes every IR that is emitted.

use jsonschema::validator_for;
use serde_json::{Value, json};
use stalwart::ir::{schema, to_bytes};

use crate::compiled::{compile, files, root};

#[test]
fn every_fixture_fits_the_schema() {
    let schema = validator_for(&serde_json::from_str(&schema()).unwrap()).unwrap();
    let mut count = 0;
    for path in files("fixtures", "co") {
        let text = std::fs::read(root().join(&path)).unwrap();
        let Ok(compiled) = compile(&text, "suite.fixture") else {
            continue;
        };
        let document: Value = serde_json::from_slice(&to_bytes(&compiled.rulebook)).unwrap();
        if let Err(fault) = schema.validate(&document) {
            panic!("{}: {}: {fault}", path.display(), fault.instance_path());
        }
        count += 1;
        // The check can fail: each of these is wrong in one place.
        for (pointer, wrong) in [
            ("/format", json!("rulebook-ir/2")),
            ("/flows/0/line", json!(0)),
            ("/flows/0/kind", json!("other")),
            ("/flows/0/branches", Value::Null),
            ("/source", json!({"file": "a.co"})),
        ] {
            let mut edited = document.clone();
            if let Some(place) = edited.pointer_mut(pointer) {
                *place = wrong;
                assert!(!schema.is_valid(&edited), "{pointer}");
            }
        }
    }
    assert!(count > 40, "{count}");
}
