//! A real OPA: many rulebooks as packages in one process, thousands of inputs each.
//!
//! `STALWART_OPA` names the binary (`scripts/test` sets it). Without it these tests say loudly
//! that they were skipped; with `CI=true` they fail.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::Value;
use stalwart::evaluator::Decision;

use super::{Batch, read_decision};

/// What is said without an OPA.
const SKIPPED: &str = "
!!! SKIPPED: STALWART_OPA is not set, so nothing was asked of a real OPA.
!!! Run scripts/test, or set it to the path that scripts/opa prints.

";

/// A real OPA.
pub struct Opa {
    binary: OsString,
}

impl Opa {
    /// The OPA of this run, if there is one.
    pub fn find() -> Option<Self> {
        super::setting("STALWART_OPA", SKIPPED).map(|binary| Self { binary })
    }

    /// The program.
    pub fn path(&self) -> &Path {
        Path::new(&self.binary)
    }

    /// Runs `opa` in a directory: its standard output, or all it said.
    pub fn run(&self, directory: &Path, arguments: &[&str]) -> Result<String, String> {
        let output = Command::new(&self.binary)
            .args(arguments)
            .current_dir(directory)
            .stdin(Stdio::null())
            .output()
            .expect("STALWART_OPA runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() {
            Ok(text(&output.stdout))
        } else {
            Err(format!(
                "opa {}: {}\n{}{}",
                arguments.join(" "),
                output.status,
                text(&output.stdout),
                text(&output.stderr)
            ))
        }
    }

    /// `opa check --strict` and `opa fmt --fail` over some packages.
    pub fn accepts(&self, packages: &[(String, String)]) -> Result<(), String> {
        let directory = tempfile::tempdir().expect("a temporary directory");
        for (index, (_, rego)) in packages.iter().enumerate() {
            let path = directory.path().join(format!("p{index}.rego"));
            std::fs::write(path, rego).expect("a file is written");
        }
        self.run(directory.path(), &["check", "--strict", "."])?;
        self.run(directory.path(), &["fmt", "--fail", "--diff", "."])?;
        Ok(())
    }

    /// Asks each input of each batch, in one process. The packages must differ.
    ///
    /// An undefined decision is an error of that input; a conflict or any other error of the
    /// evaluation ends the process and is the error of the whole run.
    pub fn decide(&self, batches: &[Batch]) -> Result<Vec<Vec<Result<Decision, String>>>, String> {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let write = |name: &str, text: &str| {
            std::fs::write(directory.path().join(name), text).expect("a file is written");
        };
        let mut driver = String::from("package stalwart_tests\n\nimport rego.v1\n");
        let mut data = String::from("{\"stalwart_cases\":{");
        for (index, batch) in batches.iter().enumerate() {
            write(&format!("p{index}.rego"), &batch.rego);
            driver.push_str(&format!(
                "\nresults.p{index}[i] := d if {{\n\tsome i, c in data.stalwart_cases.p{index}\n\
                 \td := data.{package}.decision with input as c\n}}\n\
                 \nwithout_input.p{index} := data.{package}.decision\n",
                package = batch.package
            ));
            let inputs: Vec<_> = batch.inputs.iter().flatten().map(String::as_str).collect();
            let comma = if index == 0 { "" } else { "," };
            data.push_str(&format!("{comma}\"p{index}\":[{}]", inputs.join(",\n")));
        }
        data.push_str("}}");
        write("driver.rego", &driver);
        write("data.json", &data);
        let output = self.run(
            directory.path(),
            &[
                "eval",
                "--format=raw",
                "--data=.",
                "{\"results\": data.stalwart_tests.results, \
                 \"without_input\": data.stalwart_tests.without_input}",
            ],
        )?;

        /// What the driver gives: indices are keys.
        #[derive(Deserialize)]
        struct Output {
            results: BTreeMap<String, BTreeMap<String, Value>>,
            without_input: BTreeMap<String, Value>,
        }
        let output: Output =
            serde_json::from_str(&output).map_err(|error| format!("{error}: {output}"))?;
        let read = |found: Option<&Value>| {
            found.map_or(Err("undefined".to_owned()), |it| {
                read_decision(&it.to_string())
            })
        };
        let all = batches.iter().enumerate().map(|(index, batch)| {
            let package = format!("p{index}");
            let mut asked = 0..;
            batch
                .inputs
                .iter()
                .map(|input| match input {
                    None => read(output.without_input.get(&package)),
                    Some(_) => {
                        let key = asked.next().map(|number| number.to_string());
                        let found = output.results.get(&package);
                        read(found.and_then(|found| found.get(&key?)))
                    }
                })
                .collect()
        });
        Ok(all.collect())
    }
}

#[test]
fn answers_each_input_of_each_batch() {
    use super::sample::{REGO, batch, decision};
    use stalwart::evaluator::Verdict;

    let Some(opa) = Opa::find() else { return };
    let far = format!(
        r#"{{"tool":"t","context":{{"amount":100.{}1}}}}"#,
        "0".repeat(90)
    );
    let mut second = batch(&[None]);
    second.package = "other".to_owned();
    second.rego = "package other\n\nimport rego.v1\n\ndecision := {\"decision\": \"allow\", \"rule\": \"\"} if input.x\n".to_owned();
    second.inputs.push(Some("{\"x\":1}".to_owned()));
    second.inputs.push(Some("7".to_owned()));
    let first = batch(&[
        Some(r#"{"tool":"t","context":{"amount":1e2}}"#),
        None,
        Some(&far),
        Some(r#"{"tool":"t","context":{"amount":1e400}}"#),
        Some(r#"{"tool":"t","context":{"amount":"1","amount":-1e400}}"#),
        Some("[]"),
    ]);
    let answers = opa.decide(&[first, second]).unwrap();
    let late = || Ok(decision(Verdict::Refuse, "late\"\u{202e}"));
    let (allow, silent) = (
        || Ok(decision(Verdict::Allow, "")),
        || Ok(decision(Verdict::Silent, "")),
    );
    assert_eq!(
        answers[0],
        [allow(), silent(), late(), late(), allow(), silent()]
    );
    let undefined = || Err("undefined".to_owned());
    assert_eq!(answers[1], [undefined(), allow(), undefined()]);

    let conflict = batch(&[Some(r#"{"tool":"conflict"}"#)]);
    let error = opa.decide(&[conflict]).unwrap_err();
    assert!(error.contains("eval_conflict_error"), "{error}");

    let package = |rego: &str| [("p".to_owned(), rego.to_owned())];
    assert_eq!(opa.accepts(&package(REGO)), Ok(()));
    let unformatted = REGO.replace('\t', "  ");
    assert!(opa.accepts(&package(&unformatted)).is_err());
    let unused = REGO.replace("import rego.v1", "import rego.v1\n\nf(x) if true");
    assert!(opa.accepts(&package(&unused)).is_err());
}
