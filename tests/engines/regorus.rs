//! `regorus`: an interpreter that computes in `f64`, on a thread with a stack of its own.

use std::num::{NonZeroU32, NonZeroUsize};

use regorus::{Engine, PolicyLengthConfig, Value};
use stalwart::evaluator::Decision;

use super::{Batch, read_decision};

/// The interpreter recurses over rules.
const STACK: usize = 64 << 20;

/// Asks each input of a batch. An error of one input (a number that cannot be read, a conflict,
/// undefined) is its answer.
pub fn decide(batch: Batch) -> Vec<Result<Decision, String>> {
    let run = move || {
        let mut engine = match load(&batch.rego) {
            Ok(engine) => engine,
            Err(error) => return vec![Err(error); batch.inputs.len()],
        };
        let rule = format!("data.{}.decision", batch.package);
        batch
            .inputs
            .iter()
            .map(|input| {
                let input = match input {
                    Some(text) => Value::from_json_str(text).map_err(|it| it.to_string())?,
                    None => Value::Undefined,
                };
                engine.set_input(input);
                let value = engine
                    .eval_rule(rule.clone())
                    .map_err(|error| error.to_string())?;
                if value == Value::Undefined {
                    return Err("undefined".to_owned());
                }
                read_decision(&value.to_json_str().map_err(|error| error.to_string())?)
            })
            .collect()
    };
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(run)
        .expect("a thread starts")
        .join()
        .expect("regorus does not panic")
}

fn load(rego: &str) -> Result<Engine, String> {
    let mut engine = Engine::new();
    engine.set_policy_length_config(PolicyLengthConfig {
        max_col: NonZeroU32::MAX,
        max_file_bytes: NonZeroUsize::MAX,
        max_lines: NonZeroUsize::MAX,
    });
    engine.set_strict_builtin_errors(true);
    engine
        .add_policy("Rulebook.rego".to_owned(), rego.to_owned())
        .map_err(|error| error.to_string())?;
    Ok(engine)
}

#[test]
fn answers_each_input_of_a_batch() {
    use super::sample::{batch, decision};
    use stalwart::evaluator::Verdict;

    let answers = decide(batch(&[
        Some(r#"{"tool":"t","context":{"amount":100}}"#),
        Some(r#"{"tool":"t","context":{"amount":100.5}}"#),
        Some(r#"{"tool":"t","context":{"amount":"100"}}"#),
        None,
        Some(r#"{"tool":"conflict"}"#),
    ]));
    assert_eq!(answers[0], Ok(decision(Verdict::Allow, "")));
    assert_eq!(answers[1], Ok(decision(Verdict::Refuse, "late\"\u{202e}")));
    assert_eq!(answers[2], Ok(decision(Verdict::Silent, "")));
    assert_eq!(answers[3], Ok(decision(Verdict::Silent, "")));
    assert!(answers[4].is_err(), "{:?}", answers[4]);
}
