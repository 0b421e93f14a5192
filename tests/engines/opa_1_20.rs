//! OPA 1.20 as a shared library, asked through a process of Python: evaluation only, with an
//! answer for each input, errors included.
//!
//! `STALWART_OPA_LIBRARY` names the library (`scripts/test` sets it). Without it these tests say
//! loudly that they were skipped; with `CI=true` they fail.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write as _;
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::{Value, json};
use stalwart::evaluator::Decision;

use super::{Batch, read_decision};
use crate::compiled::root;

/// What is said without a library.
const SKIPPED: &str = "
!!! SKIPPED: STALWART_OPA_LIBRARY is not set, so nothing was asked of OPA 1.20.
!!! Run scripts/test, or set it to the path that scripts/opa-engine prints.

";

/// The program between this one and the library.
const BRIDGE: &str = "tests/engines/opa_bridge.py";

/// OPA 1.20.
pub struct OpaEngine {
    library: OsString,
}

/// What the library says on an input.
#[derive(Deserialize)]
struct Said {
    error: Option<Fault>,
    result: Option<Vec<Row>>,
}

#[derive(Deserialize)]
struct Fault {
    code: String,
    message: String,
}

#[derive(Deserialize)]
struct Row {
    expressions: Vec<Expression>,
}

#[derive(Deserialize)]
struct Expression {
    value: Value,
}

impl OpaEngine {
    /// The library of this run, if there is one.
    pub fn find() -> Option<Self> {
        super::setting("STALWART_OPA_LIBRARY", SKIPPED).map(|library| Self { library })
    }

    /// Asks each input of each batch, in one process. An error of one input (a conflict, a
    /// number that cannot be read, undefined) is its answer.
    ///
    /// # Panics
    /// The process ends before it has answered.
    pub fn decide(&self, batches: &[Batch]) -> Vec<Vec<Result<Decision, String>>> {
        let lines: Vec<_> = batches
            .iter()
            .map(|batch| {
                json!({
                    "modules": [batch.rego], "data": {},
                    "rule": format!("{}.decision", batch.package), "inputs": batch.inputs,
                })
            })
            .collect();
        let read = |said: &String| read(said).and_then(|value| read_decision(&value.to_string()));
        let answers = self.exchange(&lines);
        answers
            .iter()
            .map(|said| said.iter().map(read).collect())
            .collect()
    }

    /// Asks one rule of some packages for each input, in one process, with documents beside them
    /// by their path, such as `limits/daily`. An error of one input is its answer.
    ///
    /// # Panics
    /// The process ends before it has answered.
    pub fn values(
        &self,
        modules: &[String],
        data: &BTreeMap<String, String>,
        rule: &str,
        inputs: &[String],
    ) -> Vec<Result<Value, String>> {
        let line = json!({"modules": modules, "data": data, "rule": rule, "inputs": inputs});
        let answers = self.exchange(&[line]);
        answers.iter().flatten().map(|said| read(said)).collect()
    }

    /// What the library says on each input of each line.
    fn exchange(&self, lines: &[Value]) -> Vec<Vec<String>> {
        let mut child = Command::new("python3")
            .arg(root().join(BRIDGE))
            .arg(&self.library)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        // Both pipes have an end: who only writes would wait for who only writes.
        let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
        let output = child.wait_with_output().expect("the process ends");
        let written = writer.join().expect("the thread ends");
        assert!(output.status.success(), "{BRIDGE}: {}", output.status);
        written.expect("the process read everything");
        let text = String::from_utf8(output.stdout).expect("answers are UTF-8");
        let answers: Vec<Vec<String>> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("a list of texts"))
            .collect();
        let asked = lines
            .iter()
            .map(|line| line["inputs"].as_array().map_or(0, Vec::len));
        let counts: Vec<_> = answers.iter().map(Vec::len).collect();
        assert_eq!(
            counts,
            asked.collect::<Vec<_>>(),
            "an answer for each input"
        );
        answers
    }
}

fn read(said: &str) -> Result<Value, String> {
    let envelope: Said = serde_json::from_str(said).map_err(|error| format!("{error}: {said}"))?;
    if let Some(fault) = envelope.error {
        return Err(format!("{}: {}", fault.code, fault.message));
    }
    match envelope.result.as_deref() {
        None => Err("undefined".to_owned()),
        Some([row]) if row.expressions.len() == 1 => Ok(row.expressions[0].value.clone()),
        Some(_) => Err(format!("not one answer: {said}")),
    }
}

#[test]
fn answers_each_input_of_each_batch() {
    use super::sample::{batch, decision};
    use stalwart::evaluator::Verdict;

    let Some(opa) = OpaEngine::find() else { return };
    let far = format!(
        r#"{{"tool":"t","context":{{"amount":100.{}1}}}}"#,
        "0".repeat(90)
    );
    let first = batch(&[
        Some(r#"{"tool":"t","context":{"amount":1e2}}"#),
        None,
        Some(&far),
        Some(r#"{"tool":"t","context":{"amount":"1","amount":-1e400}}"#),
        Some(r#"{"tool":"conflict"}"#),
        Some("{"),
        Some("[]"),
    ]);
    let mut second = batch(&[None, Some("{\"x\": 1}")]);
    second.rego = "package suite.sample\n\nimport rego.v1\n\ndecision := {\"decision\": \"allow\", \"rule\": \"\"} if input.x\n".to_owned();
    let mut broken = batch(&[Some("{}")]);
    broken.rego = "package suite.sample\n\nimport rego".to_owned();
    let mut wrong = batch(&[Some("{}")]);
    wrong.rego = "package suite.sample\n\ndecision := {\"decision\": \"allow\"}".to_owned();

    let answers = opa.decide(&[first, second, broken, wrong]);
    let late = || Ok(decision(Verdict::Refuse, "late\"\u{202e}"));
    let (allow, silent) = (
        || Ok(decision(Verdict::Allow, "")),
        || Ok(decision(Verdict::Silent, "")),
    );
    assert_eq!(answers[0][..4], [allow(), silent(), late(), allow()]);
    assert_eq!(answers[0][6], silent());
    let undefined = || Err("undefined".to_owned());
    assert_eq!(answers[1], [undefined(), allow()]);
    for (answer, said) in [
        (&answers[0][4], "eval_conflict_error"),
        (&answers[0][5], "invalid_json"),
        (&answers[2][0], "rego_parse_error"),
        (&answers[3][0], "no decision"),
    ] {
        let error = answer.as_ref().expect_err(said);
        assert!(error.contains(said), "{said}: {error}");
    }
}
