//! Any bytes as a context: the same decision, or the same refusal to read it, on all ways.

use std::sync::LazyLock;

use serde_json::{Value, json};
use stalwart::compiler::{Depth, compile};
use stalwart::evaluator::decide;
use stalwart::ir::Rulebook;
use stalwart::json::parse;

/// Reads names of each type and depth.
const RULEBOOK: &str = include_str!("json_context.co");

static COMPILED: LazyLock<Rulebook> = LazyLock::new(|| {
    let compilation = compile(
        "policy.co",
        RULEBOOK.as_bytes(),
        "fuzz.policy",
        Depth::Errors,
    );
    compilation.rulebook.expect("the rulebook checks")
});

pub fn run(bytes: &[u8]) {
    let rulebook = &*COMPILED;
    let Ok(context) = parse(bytes) else {
        assert!(
            serde_json::from_slice::<Value>(bytes).is_err(),
            "what a library reads is read"
        );
        return;
    };
    for tool in ["by_bool", "by_number", "by_string", "by_path", "other"] {
        let decision = decide(rulebook, &json!({"tool": tool, "context": context}));
        assert_eq!(
            decision,
            decide(rulebook, &json!({"tool": tool, "context": context}))
        );
    }
}
