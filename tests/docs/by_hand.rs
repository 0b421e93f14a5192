//! What the guide from Rego says of a policy written by hand is what that policy decides.

use regorus::{Engine, Value};

use super::markdown::{Block, Document};
use super::{read, table};

const GUIDE: &str = "docs/from-rego.md";

/// What OPA cannot decide is `an error` in the table.
fn decide(policy: &str, input: &str) -> String {
    let mut engine = Engine::new();
    engine
        .add_policy("tools.rego".into(), policy.into())
        .expect("the policy of the guide");
    engine.set_input(Value::from_json_str(input).expect("a call"));
    match engine.eval_rule("data.tools.decision".into()) {
        Ok(Value::String(decision)) => decision.to_string(),
        Ok(other) => panic!("{input}: {other}"),
        Err(_) => "an error".to_owned(),
    }
}

#[test]
fn the_policy_by_hand_decides_as_the_guide_says() {
    let text = read(GUIDE);
    let document = Document::read(&text).unwrap_or_else(|error| panic!("{GUIDE}:{error}"));
    let policy = document.blocks.iter().find_map(|block| match block {
        Block::File(file) if file.name == "tools.rego" => Some(&file.text),
        _ => None,
    });
    let policy = policy.expect("the policy by hand");
    let mut count = 0;
    for block in &document.blocks {
        let Block::Decisions(decisions) = block else {
            continue;
        };
        let column = decisions.rows[0].iter().position(|cell| cell == "by hand");
        let Some(column) = column else { continue };
        let calls = table::calls(&decisions.rows).expect("a table of calls");
        for (row, call) in decisions.rows[1..].iter().zip(calls) {
            count += 1;
            let want = row[column].trim_matches('*');
            assert_eq!(decide(policy, &call.input), want, "{}", call.input);
        }
    }
    assert!(count >= 8, "{count}");
}
