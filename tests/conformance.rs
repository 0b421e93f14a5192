//! The vectors of `fixtures/conformance`, against every engine.

mod coverage;

use std::path::Path;

use serde::de::IgnoredAny;
use serde_json::Value;
use stalwart::evaluator::Decision;
use stalwart::gate::Gate;
use stalwart::json;

use crate::compiled::{Compiled, files, must_compile};
use crate::engines::opa::Opa;
use crate::engines::opa_1_20::OpaEngine;
use crate::engines::{Batch, regorus};
use crate::gate::agree;

/// The engines that a vector may be out of reach for, each with the number of vectors that are.
/// The numbers may only shrink.
const OUT_OF_REACH: [(&str, usize); 3] = [("regorus", 21), ("opa-1.4", 0), ("opa-1.20", 0)];

/// A vector.
pub struct Vector {
    name: String,
    /// The input as it is written, numbers and duplicate keys included.
    pub text: String,
    input: Value,
    pub want: Decision,
    /// Engines that cannot answer it.
    out_of_reach: Vec<String>,
}

/// A file of vectors with its rulebook.
pub struct Suite {
    pub file: String,
    pub package: String,
    pub compiled: Compiled,
    pub vectors: Vec<Vector>,
}

impl Suite {
    fn read(path: &Path, package: String) -> Self {
        let file = path
            .file_name()
            .expect("a file")
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(path).expect("vectors are text");
        let document =
            json::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(document["format"], "rulebook-vectors/1", "{file}");
        let rulebook = path.with_file_name(document["rulebook"].as_str().expect("a path"));
        let source = std::fs::read(&rulebook)
            .unwrap_or_else(|error| panic!("{}: {error}", rulebook.display()));
        let vectors: Vec<_> = document["vectors"]
            .as_array()
            .expect("a list")
            .iter()
            .zip(inputs(&text))
            .map(|(vector, input)| Vector::read(&file, vector, input))
            .collect();
        let mut names: Vec<_> = vectors.iter().map(|vector| &vector.name).collect();
        names.sort();
        names.dedup();
        assert_eq!(
            names.len(),
            vectors.len(),
            "{file}: two vectors of one name"
        );
        assert!(!vectors.is_empty(), "{file}: no vectors");
        assert_eq!(
            Some(vectors.len()),
            document["vectors"].as_array().map(Vec::len)
        );
        Self {
            compiled: must_compile(&source, &package),
            file,
            package,
            vectors,
        }
    }

    fn batch(&self) -> Batch {
        Batch {
            package: self.package.clone(),
            rego: self.compiled.emit().rego,
            inputs: self
                .vectors
                .iter()
                .map(|it| Some(it.text.clone()))
                .collect(),
        }
    }
}

impl Vector {
    fn read(file: &str, vector: &Value, text: &str) -> Self {
        let object = vector.as_object().expect("a vector is an object");
        let known = ["name", "because", "input", "want", "out_of_reach"];
        let name = vector["name"].as_str().expect("a name").to_owned();
        for key in object.keys() {
            assert!(known.contains(&key.as_str()), "{file}: {name}: `{key}`");
        }
        let because = vector["because"].as_str().expect("a reason");
        assert!(because.starts_with("section "), "{file}: {name}: {because}");
        let engines = vector.get("out_of_reach").and_then(Value::as_object);
        let out_of_reach: Vec<_> = engines
            .into_iter()
            .flatten()
            .map(|(key, _)| key.clone())
            .collect();
        for engine in &out_of_reach {
            assert!(
                OUT_OF_REACH.iter().any(|(known, _)| known == engine),
                "{file}: {name}: {engine}"
            );
        }
        Self {
            text: text.to_owned(),
            input: object.get("input").expect("an input").clone(),
            want: serde_json::from_value(vector["want"].clone())
                .unwrap_or_else(|error| panic!("{file}: {name}: {error}")),
            name,
            out_of_reach,
        }
    }

    pub fn reaches(&self, engine: &str) -> bool {
        !self.out_of_reach.iter().any(|other| other == engine)
    }
}

/// The text of the `input` of each vector of a file.
fn inputs(file: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    for (at, byte) in file.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => {
                // The file is an object with a list of vectors, which are objects.
                let rest = &file[at..];
                if let (false, 3, Some(value)) = (in_string, depth, rest.strip_prefix("\"input\":"))
                {
                    let mut values = serde_json::Deserializer::from_str(value).into_iter();
                    let _: IgnoredAny = values.next().expect("an input").expect("JSON");
                    found.push(value[..values.byte_offset()].trim());
                }
                in_string = !in_string;
            }
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth -= 1,
            _ => {}
        }
    }
    found
}

/// All files of vectors.
pub fn suites() -> Vec<Suite> {
    files("fixtures/conformance", "json")
        .iter()
        .enumerate()
        .map(|(index, path)| Suite::read(path, format!("suite.c{index}")))
        .collect()
}

/// Collects what differs, so that a run shows all of it.
#[derive(Default)]
struct Tally {
    asked: usize,
    left_out: usize,
    differences: Vec<String>,
}

impl Tally {
    fn take(&mut self, suite: &Suite, vector: &Vector, answer: &Result<Decision, String>) {
        self.asked += 1;
        if answer.as_ref() != Ok(&vector.want) {
            self.differences.push(format!(
                "{}: {}\n  input {}\n  want {:?}\n  got  {answer:?}",
                suite.file, vector.name, vector.text, vector.want
            ));
        }
    }

    fn finish(self, engine: &str) {
        println!(
            "{engine}: {} vectors, {} left out",
            self.asked, self.left_out
        );
        assert!(self.asked > 0, "no vectors");
        let differences = self.differences;
        assert!(
            differences.is_empty(),
            "{} of {}:\n{}",
            differences.len(),
            self.asked,
            differences.join("\n")
        );
    }
}

#[test]
fn the_evaluator_answers_every_vector() {
    let mut tally = Tally::default();
    for suite in suites() {
        for vector in &suite.vectors {
            tally.take(&suite, vector, &Ok(suite.compiled.decide(&vector.input)));
        }
    }
    tally.finish("evaluator");
}

#[test]
fn the_reference_walk_answers_every_vector() {
    let mut tally = Tally::default();
    for suite in suites() {
        let reference = suite.compiled.reference();
        for vector in &suite.vectors {
            tally.take(&suite, vector, &Ok(reference.decide(&vector.input)));
        }
    }
    tally.finish("reference walk");
}

#[test]
fn the_gate_answers_every_vector_in_every_form() {
    let mut tally = Tally::default();
    for suite in suites() {
        let gate = Gate::new(suite.compiled.rulebook.clone());
        let mut typed = gate.context();
        for vector in &suite.vectors {
            let input = stalwart::json::parse(vector.text.as_bytes()).expect("an input is JSON");
            tally.take(&suite, vector, &Ok(gate.decide_input(&input).to_decision()));
            let tool = input.get("tool").and_then(Value::as_str);
            let context = input.get("context").unwrap_or(&Value::Null).to_string();
            if let Err(difference) = agree(&gate, &mut typed, tool, context.as_bytes()) {
                panic!("{}: {}: {difference}", suite.file, vector.name);
            }
        }
    }
    tally.finish("gate");
}

#[test]
fn regorus_answers_every_vector_in_its_reach() {
    let mut tally = Tally::default();
    for suite in suites() {
        for (vector, answer) in suite.vectors.iter().zip(regorus::decide(suite.batch())) {
            if vector.reaches("regorus") {
                tally.take(&suite, vector, &answer);
            } else {
                tally.left_out += 1;
            }
        }
    }
    tally.finish("regorus");
}

#[test]
fn opa_answers_every_vector() {
    let Some(opa) = Opa::find() else { return };
    let suites = suites();
    let batches: Vec<_> = suites.iter().map(Suite::batch).collect();
    let packages: Vec<_> = batches
        .iter()
        .map(|batch| (batch.package.clone(), batch.rego.clone()))
        .collect();
    if let Err(error) = opa.accepts(&packages) {
        panic!("{error}");
    }
    let answers = opa
        .decide(&batches)
        .unwrap_or_else(|error| panic!("{error}"));
    let mut tally = Tally::default();
    for (suite, answers) in suites.iter().zip(answers) {
        for (vector, answer) in suite.vectors.iter().zip(answers) {
            if vector.reaches("opa-1.4") {
                tally.take(suite, vector, &answer);
            } else {
                tally.left_out += 1;
            }
        }
    }
    tally.finish("OPA 1.4");
}

#[test]
fn opa_1_20_answers_every_vector() {
    let Some(opa) = OpaEngine::find() else { return };
    let suites = suites();
    let batches: Vec<_> = suites.iter().map(Suite::batch).collect();
    let mut tally = Tally::default();
    for (suite, answers) in suites.iter().zip(opa.decide(&batches)) {
        for (vector, answer) in suite.vectors.iter().zip(answers) {
            if vector.reaches("opa-1.20") {
                tally.take(suite, vector, &answer);
            } else {
                tally.left_out += 1;
            }
        }
    }
    tally.finish("OPA 1.20");
}

#[test]
fn no_more_vectors_are_out_of_reach() {
    let suites = suites();
    for (engine, most) in OUT_OF_REACH {
        let found = suites
            .iter()
            .flat_map(|suite| &suite.vectors)
            .filter(|vector| !vector.reaches(engine))
            .count();
        assert!(
            found <= most,
            "{engine}: {found} are out of reach, {most} were"
        );
        assert!(
            found >= most,
            "{engine}: only {found} are out of reach: write {found} in this test"
        );
    }
}

#[test]
fn inputs_are_cut_out_as_they_are_written() {
    let text = r#"{"vectors": [{"name": "\"input\":1", "input": {"a": 1e400, "a": [{"input": 2}]}, "want": 3}, {"input":-0}]}"#;
    assert_eq!(inputs(text), [r#"{"a": 1e400, "a": [{"input": 2}]}"#, "-0"]);
}

/// Whoever reads a whole file with the program's reader asks what is asked here.
#[test]
fn the_programs_reader_keeps_inputs() {
    for suite in suites() {
        for vector in &suite.vectors {
            assert_eq!(
                json::parse(vector.text.as_bytes()).as_ref(),
                Ok(&vector.input),
                "{}: {}",
                suite.file,
                vector.name
            );
        }
    }
}
