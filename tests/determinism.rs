//! The same source gives the same bytes, however it was checked out and wherever it lies.

use serde_json::Value;
use stalwart::compiler::{Depth, compile};
use stalwart::emitter::{Artifacts, emit};

use crate::compiled::{files, must_compile};

fn artifacts(name: &str, text: &str) -> Artifacts {
    let compilation = compile(name, text.as_bytes(), "suite.determinism", Depth::Errors);
    let rulebook = compilation
        .rulebook
        .expect("a fixture checks without errors");
    emit(&rulebook).expect("a fixture is small")
}

/// The artifacts without hashes, and with every line as it would be `shift` lines above.
pub fn without_places(artifacts: &Artifacts, shift: u64) -> (Value, Vec<String>) {
    let mut ir: Value = serde_json::from_slice(&artifacts.ir).expect("the IR is JSON");
    ir["source"]["sha256"] = Value::Null;
    let mut values = vec![&mut ir];
    while let Some(value) = values.pop() {
        match value {
            Value::Object(object) => {
                for (key, inner) in object.iter_mut() {
                    match inner.as_u64() {
                        Some(line) if key == "line" => *inner = Value::from(line - shift),
                        _ => values.push(inner),
                    }
                }
            }
            Value::Array(array) => values.extend(array.iter_mut()),
            _ => {}
        }
    }
    // The first two lines of the Rego hold the two hashes.
    let rego = artifacts.rego.lines().skip(2).map(str::to_owned).collect();
    (ir, rego)
}

#[test]
fn fixtures_give_the_same_bytes_from_everywhere() {
    for path in files("fixtures", "co") {
        let text = std::fs::read_to_string(&path).expect("a fixture is text");
        if compile(
            "policy.co",
            text.as_bytes(),
            "suite.determinism",
            Depth::Errors,
        )
        .rulebook
        .is_none()
        {
            continue; // A fixture of a diagnostic.
        }
        let once = artifacts("policy.co", &text);
        let same = |name: &str, text: &str| {
            assert!(artifacts(name, text) == once, "{}: {name}", path.display());
        };
        same("policy.co", &text);
        same("/some/where/else/policy.co", &text);
        same("below/policy.co", &text);
        same("policy.co", &text.replace('\n', "\r\n"));
        same("policy.co", &format!("\u{feff}{text}"));

        let below = artifacts("policy.co", &format!("{text}# one more comment\n"));
        assert_eq!(without_places(&below, 0), without_places(&once, 0));
        assert_ne!(below, once, "the hashes differ");
        let above = artifacts("policy.co", &format!("# one more comment\n{text}"));
        assert_eq!(without_places(&above, 1), without_places(&once, 0));
    }
}

#[test]
fn the_artifacts_hold_no_time_host_or_path() {
    let text = "define flow refunds\n  if $order_paid\n    execute refund_card\n";
    let compiled = must_compile(text.as_bytes(), "suite.determinism");
    let artifacts = compiled.emit();
    let all = format!(
        "{}{}",
        String::from_utf8_lossy(&artifacts.ir),
        artifacts.rego
    );
    for part in [env!("CARGO_MANIFEST_DIR"), "/tmp", "localhost"] {
        assert!(!all.contains(part), "{part} in {all}");
    }
}
