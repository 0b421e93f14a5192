//! A real `opa`, asked for the same points in batches: one process for many inputs.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::Failure;
use super::difference::{Difference, expected};
use super::input::Input;
use super::package::DECISION;
use crate::evaluator::{Decision, Verdict};
use crate::ir::Rulebook;
use crate::json;
use crate::text::reason;

/// Inputs of one process.
const BATCH: usize = 1_000;

/// Most inputs of a batch whose evaluation may fail: each takes a few processes to find.
const FAILURES: usize = 16;

/// Name of the engine in messages.
const ENGINE: &str = "opa";

/// The variable that names the `opa` to use.
const VARIABLE: &str = "STALWART_OPA";

/// The `opa` that `STALWART_OPA` names, else the first on the path; none if there is none.
pub fn find() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
        return Some(PathBuf::from(named));
    }
    let name = format!("opa{}", std::env::consts::EXE_SUFFIX);
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .map(|folder| folder.join(&name))
        .find(|path| path.is_file())
}

/// An `opa` and the package it is asked about.
pub(super) struct Opa<'a> {
    /// The program, as an absolute path.
    program: PathBuf,
    rulebook: &'a Rulebook,
    rego: &'a str,
    /// Package of the rules that ask; not that of the rulebook.
    asking: String,
}

impl<'a> Opa<'a> {
    /// Prepares to ask.
    pub(super) fn new(program: &Path, rulebook: &'a Rulebook, rego: &'a str) -> Self {
        let root = rulebook.package.split('.').next().unwrap_or_default();
        let mut asking = "stalwart_proof".to_owned();
        while asking == root {
            asking.push('_');
        }
        Self {
            program: std::path::absolute(program).unwrap_or_else(|_| program.to_owned()),
            rulebook,
            rego,
            asking,
        }
    }

    /// The smallest difference on these inputs; `done` is told how many were asked.
    ///
    /// # Errors
    /// An `opa` that does not run, or does not read the package.
    pub(super) fn compare(
        &self,
        inputs: impl Iterator<Item = Input>,
        mut done: impl FnMut(u64),
    ) -> Result<Option<Difference>, Failure> {
        self.check()?;
        let mut inputs = inputs.peekable();
        let mut least = None;
        while inputs.peek().is_some() {
            let batch: Vec<Input> = inputs.by_ref().take(BATCH).collect();
            let answers = self.ask(&batch)?;
            for (input, answer) in batch.iter().zip(&answers) {
                let rulebook = expected(self.rulebook, input.document().as_ref());
                let found = Difference::on(input, &rulebook, answer, ENGINE);
                least = Difference::least(least.take(), found);
            }
            done(u64::try_from(batch.len()).unwrap_or(0));
        }
        Ok(least)
    }

    /// Whether it runs at all and reads the package.
    fn check(&self) -> Result<(), Failure> {
        match self.run(&[]) {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(said)) => Err(Failure::NotEvaluated(format!("opa: {said}"))),
            Err(failure) => Err(failure),
        }
    }

    /// The answers to some inputs. An error of an evaluation ends the process and does not say of
    /// which input, so the inputs are then asked in halves.
    fn ask(&self, inputs: &[Input]) -> Result<Vec<Result<Decision, String>>, Failure> {
        let mut answers = Vec::with_capacity(inputs.len());
        let mut rest = vec![inputs];
        let mut failed = 0;
        while let Some(part) = rest.pop() {
            match self.run(part)? {
                Ok(found) => answers.extend(found),
                Err(said) if part.len() <= 1 => {
                    failed += 1;
                    if failed > FAILURES {
                        return Err(Failure::NotEvaluated(format!("opa: {said}")));
                    }
                    answers.push(Err(said));
                }
                Err(_) => {
                    let (first, second) = part.split_at(part.len() / 2);
                    rest.extend([second, first]);
                }
            }
        }
        Ok(answers)
    }

    /// One process: an answer for each input, or what `opa` says instead.
    fn run(
        &self,
        inputs: &[Input],
    ) -> Result<Result<Vec<Result<Decision, String>>, String>, Failure> {
        let no_opa = |what: &str, error: std::io::Error| {
            Failure::NoOpa(format!("{what}: {}", reason(&error)))
        };
        let folder = tempfile::tempdir()
            .map_err(|error| no_opa("no temporary folder can be made", error))?;
        let documents: Vec<Option<Value>> = inputs.iter().map(Input::document).collect();
        let asked: Vec<&Value> = documents.iter().flatten().collect();
        let data = serde_json::json!({ self.asking.as_str(): { "inputs": asked } });
        for (name, text) in [
            ("Rulebook.rego", self.rego.to_owned()),
            ("asking.rego", self.rules()),
            ("inputs.json", data.to_string()),
        ] {
            std::fs::write(folder.path().join(name), text)
                .map_err(|error| no_opa("a temporary file cannot be written", error))?;
        }
        let query = format!("data.{0}.answers", self.asking);
        let arguments = [
            "eval",
            "--format=raw",
            "--data=Rulebook.rego",
            "--data=asking.rego",
            "--data=inputs.json",
            query.as_str(),
        ];
        let output = Command::new(&self.program)
            .args(arguments.map(OsStr::new))
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .map_err(|error| no_opa("it cannot be started", error))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let printed = String::from_utf8_lossy(&output.stdout);
            let mut lines = said.lines().chain(printed.lines()).map(str::trim);
            let first = lines.find(|line| !line.is_empty());
            return Ok(Err(first
                .unwrap_or("it failed and said nothing")
                .to_owned()));
        }
        let answers = json::parse(&output.stdout)
            .ok()
            .and_then(|value| read(&value, &documents));
        Ok(answers.ok_or_else(|| "its answer cannot be read".to_owned()))
    }

    /// The rules that ask: an object of the inputs that have a decision, and a list of the one
    /// decision without any input.
    fn rules(&self) -> String {
        format!(
            "package {asking}\n\nimport rego.v1\n\n\
             answers := {{\"with\": with_input, \"without\": without_input}}\n\n\
             with_input[number] := decision if {{\n\
             \tsome number, asked in data.{asking}.inputs\n\
             \tdecision := data.{package}.{DECISION} with input as asked\n}}\n\n\
             without_input := [decision | decision := data.{package}.{DECISION}]\n",
            asking = self.asking,
            package = self.rulebook.package,
        )
    }
}

/// The answer for each document, in order; none when the output has another shape.
fn read(output: &Value, documents: &[Option<Value>]) -> Option<Vec<Result<Decision, String>>> {
    let with: BTreeMap<&str, &Value> = output
        .get("with")?
        .as_object()?
        .iter()
        .map(|(number, value)| (number.as_str(), value))
        .collect();
    let without = output.get("without")?.as_array()?.first();
    let mut number = 0_usize;
    let answers = documents.iter().map(|document| {
        let found = match document {
            None => without,
            Some(_) => {
                let found = with.get(number.to_string().as_str()).copied();
                number += 1;
                found
            }
        };
        found.map_or_else(|| Err("undefined".to_owned()), decision)
    });
    Some(answers.collect())
}

/// A decision as `opa` writes it; or the value as JSON.
fn decision(value: &Value) -> Result<Decision, String> {
    let read = || {
        let object = value.as_object().filter(|object| object.len() == 2)?;
        let verdict = object.get("decision")?.as_str()?;
        Some(Decision {
            decision: Verdict::named(verdict)?,
            rule: object.get("rule")?.as_str()?.to_owned(),
        })
    };
    read().ok_or_else(|| value.to_string())
}
