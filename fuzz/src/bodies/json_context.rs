//! Any bytes as a context: the same decision, or the same refusal to read it, on all ways.

use std::sync::LazyLock;

use serde_json::{Value, json};
use stalwart::compiler::{Depth, compile};
use stalwart::evaluator::decide;
use stalwart::gate::{DecisionRef, Gate};
use stalwart::json::parse;

/// Reads names of each type and depth.
const RULEBOOK: &str = include_str!("json_context.co");

static GATE: LazyLock<Gate> = LazyLock::new(|| {
    let compilation = compile(
        "policy.co",
        RULEBOOK.as_bytes(),
        "fuzz.policy",
        Depth::Errors,
    );
    Gate::new(compilation.rulebook.expect("the rulebook checks"))
});

const TOOLS: [Option<&str>; 6] = [
    Some("by_bool"),
    Some("by_number"),
    Some("by_string"),
    Some("by_path"),
    Some("other"),
    None,
];

pub fn run(bytes: &[u8]) {
    let gate = &*GATE;
    let read = parse(bytes);
    if read.is_err() {
        assert!(
            serde_json::from_slice::<Value>(bytes).is_err(),
            "what a library reads is read"
        );
    }
    for tool in TOOLS {
        let from_bytes = gate.decide_json(tool, bytes).map(DecisionRef::to_decision);
        let context = match &read {
            Ok(context) => context,
            Err(fault) => {
                assert_eq!(from_bytes.as_ref(), Err(fault));
                continue;
            }
        };
        let reference = decide(
            gate.rulebook(),
            &json!({ "tool": tool, "context": context }),
        );
        assert_eq!(from_bytes.as_ref(), Ok(&reference), "from bytes");
        let from_value = gate.decide_value(tool, context).to_decision();
        assert_eq!(from_value, reference, "from a value");
    }
}
