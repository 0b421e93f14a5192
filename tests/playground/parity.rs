//! The compiler as WebAssembly against the programs: the same findings, bytes, pictures, decisions
//! and proofs for every rulebook of the fixtures.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use serde_json::{Map, Value, json};

use crate::built::{given, root};

/// Contexts that are made of each rulebook's names.
const CONTEXTS: usize = 12;

/// The compiler of the page in Node.js.
struct Page {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Page {
    fn start() -> Option<Self> {
        let folder = given("STALWART_PLAYGROUND")?;
        let mut child = Command::new("node")
            .arg(root().join("tests/playground/driver.mjs"))
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Node.js runs");
        Some(Self {
            requests: child.stdin.take().expect("a pipe"),
            answers: BufReader::new(child.stdout.take().expect("a pipe")),
            child,
        })
    }

    fn ask(&mut self, path: &Path, mut request: Value) -> Value {
        request["name"] = json!(name(path));
        let line = json!({ "request": request, "path": path });
        writeln!(self.requests, "{line}").expect("the driver reads");
        let mut answer = String::new();
        self.answers
            .read_line(&mut answer)
            .expect("the driver writes");
        let answer: Value = serde_json::from_str(&answer)
            .unwrap_or_else(|_| panic!("{}: no answer to {request}", path.display()));
        assert!(
            answer.get("fault").is_none(),
            "{}: {answer}",
            path.display()
        );
        answer
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn name(path: &Path) -> &str {
    path.file_name()
        .and_then(|name| name.to_str())
        .expect("a name")
}

/// The program in the folder of a rulebook.
fn program(path: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_RulebookTranslator"));
    command
        .current_dir(path.parent().expect("a folder"))
        .args(arguments)
        .stdin(Stdio::null());
    command
}

fn output(mut command: Command) -> Output {
    command.output().expect("the program runs")
}

/// All rulebooks of the fixtures, sorted.
fn rulebooks() -> Vec<PathBuf> {
    let mut waiting = vec![root().join("fixtures")];
    let mut found = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "co") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(found.len() > 100, "only {} rulebooks", found.len());
    found
}

#[test]
fn findings_are_those_of_check() {
    let Some(mut page) = Page::start() else {
        return;
    };
    for path in rulebooks() {
        let said = page.ask(&path, json!({ "ask": "examine" }));
        let native = output(program(&path, &["check", "--format", "json", name(&path)]));
        let native: Value = serde_json::from_slice(&native.stdout).expect("a report");
        assert_eq!(
            said["diagnostics"],
            native["files"][0]["diagnostics"],
            "{}",
            path.display()
        );
        assert_eq!(
            said["valid"],
            native["summary"]["errors"] == 0,
            "{}",
            path.display()
        );
        for found in said["diagnostics"].as_array().expect("findings") {
            let code = found["code"].as_str().expect("a code");
            let explained = output(program(&path, &["explain", code]));
            let explained = String::from_utf8(explained.stdout).expect("text");
            let shown = said["codes"][code]["explanation"].as_str().expect("text");
            assert!(explained.contains(shown), "{code}");
        }
    }
}

#[test]
fn artifacts_are_those_of_emit() {
    let Some(mut page) = Page::start() else {
        return;
    };
    let mut emitted = 0;
    for path in rulebooks() {
        let said = page.ask(&path, json!({ "ask": "emit" }));
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().to_str().expect("a path");
        let mut arguments = vec!["emit", name(&path), "--no-proof", "--out-dir", out];
        if stalwart::package::package_of_file(name(&path)).is_err() {
            arguments.extend(["--package", "stalwart.rulebook"]);
        }
        let native = output(program(&path, &arguments));
        if said.get("invalid").is_some() {
            assert!(!native.status.success(), "{}", path.display());
            continue;
        }
        let written = |file: &str| std::fs::read_to_string(folder.path().join(file));
        match said.get("ir") {
            None => assert!(written("rulebook.ir.json").is_err(), "{}", path.display()),
            Some(ir) => {
                let (own, rego) = (written("rulebook.ir.json"), written("Rulebook.rego"));
                assert!(*ir == own.expect("an IR"), "{}: IR", path.display());
                assert!(
                    said["rego"] == rego.expect("a Rego"),
                    "{}: Rego",
                    path.display()
                );
                emitted += 1;
            }
        }
    }
    assert!(emitted > 50, "only {emitted} rulebooks are valid");
}

#[test]
fn pictures_are_those_of_graph() {
    let Some(mut page) = Page::start() else {
        return;
    };
    for path in rulebooks() {
        let said = page.ask(&path, json!({ "ask": "draw", "flow": null }));
        let native = output(program(&path, &["graph", name(&path), "--format", "svg"]));
        let svg = said["svg"].as_str().unwrap_or_default();
        assert!(svg.as_bytes() == native.stdout, "{}", path.display());
    }
}

/// Values of a name, the first of them none.
fn values(known: &Value) -> Vec<Option<Value>> {
    let literals = known["literals"].as_array().expect("literals");
    let texts = literals.iter().map(|text| text.as_str().expect("text"));
    let mut values = vec![None];
    match known["type"].as_str() {
        Some("bool") => values.extend([Some(json!(true)), Some(json!(false))]),
        Some("number") => {
            values.extend(texts.map(|text| Some(serde_json::from_str(text).expect("a number"))));
            values.extend([
                Some(json!(0)),
                Some(json!(1_000_000_007_u64)),
                Some(json!("1")),
            ]);
        }
        _ => {
            values.extend(texts.map(|text| Some(json!(text))));
            values.extend([Some(json!("something else")), Some(json!(""))]);
        }
    }
    values
}

/// The `number`-th context of a rulebook.
fn context(names: &[Value], number: usize) -> Value {
    let mut context = Map::new();
    for (place, known) in names.iter().enumerate() {
        let values = values(known);
        let Some(value) = values[(number * (place + 1) + number / 3) % values.len()].clone() else {
            continue;
        };
        let path = known["path"].as_array().expect("a path");
        let mut holder = &mut context;
        let (last, parents) = path.split_last().expect("a segment");
        for segment in parents {
            let below = holder
                .entry(segment.as_str().expect("text"))
                .or_insert(json!({}));
            if !below.is_object() {
                *below = json!({});
            }
            holder = below.as_object_mut().expect("an object");
        }
        holder.insert(last.as_str().expect("text").to_owned(), value);
    }
    Value::Object(context)
}

#[test]
fn decisions_and_reasons_are_those_of_eval() {
    let Some(mut page) = Page::start() else {
        return;
    };
    let mut decided = 0;
    for path in rulebooks() {
        let said = page.ask(&path, json!({ "ask": "examine" }));
        if said["valid"] == false {
            continue;
        }
        let names = said["context"].as_array().expect("names");
        let mut tools = said["tools"].as_array().expect("tools").clone();
        tools.truncate(8);
        tools.extend([json!("a tool that no rulebook has"), Value::Null]);
        let calls: Vec<(Value, Value)> = (0..CONTEXTS)
            .flat_map(|number| tools.iter().map(move |tool| (tool, number)))
            .map(|(tool, number)| (tool.clone(), context(names, number)))
            .collect();

        let mut eval = program(
            &path,
            &["eval", name(&path), "--input", "-", "--explain=json"],
        );
        let mut eval = eval
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut lines = String::new();
        for (tool, context) in &calls {
            lines += &format!("{}\n", json!({ "tool": tool, "context": context }));
        }
        let mut input = eval.stdin.take().expect("a pipe");
        let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
        let native = eval.wait_with_output().expect("the program ends");
        writer.join().expect("no panic").expect("it reads");
        let native = String::from_utf8(native.stdout).expect("text");
        assert_eq!(native.lines().count(), calls.len(), "{}", path.display());

        for ((tool, context), native) in calls.iter().zip(native.lines()) {
            let request = json!({ "ask": "decide", "tool": tool, "context": context.to_string() });
            let said = page.ask(&path, request);
            let native: Value = serde_json::from_str(native).expect("JSON");
            let why: Value =
                serde_json::from_str(said["why"].as_str().expect("text")).expect("JSON");
            let what = format!("{}: {tool} {context}", path.display());
            assert_eq!(why, native, "{what}");
            assert_eq!(said["decision"], native["decision"], "{what}");
            assert_eq!(said["rule"], native["rule"], "{what}");
            decided += 1;
        }
    }
    println!("{decided} calls");
    assert!(decided > 3_000, "only {decided} calls");
}

#[test]
fn proofs_and_fixes_are_those_of_the_program() {
    let Some(mut page) = Page::start() else {
        return;
    };
    for file in [
        "shop/policy.co",
        "clinic/patient_records.co",
        "language/exact_numbers.co",
    ] {
        let path = root().join("fixtures").join(file);
        let said = page.ask(&path, json!({ "ask": "prove", "points": 20_000 }));
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().to_str().expect("a path");
        let mut native = program(
            &path,
            &[
                "emit",
                name(&path),
                "--proof-points",
                "20000",
                "--out-dir",
                out,
            ],
        );
        // Another engine would tell numbers apart that the page's cannot.
        native.env("STALWART_OPA", "").env("PATH", "");
        let native = String::from_utf8(output(native).stderr).expect("text");
        let line = said["line"].as_str().expect("a line");
        assert!(
            native.lines().any(|own| own == line),
            "{file}: {line}\n{native}"
        );
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("policy.co");
    let text = "define flow refunds\r\n  if $paid && !$frozen\r\n    exec refund\r\n";
    std::fs::write(&path, text).expect("a file");
    let said = page.ask(&path, json!({ "ask": "fix" }));
    output(program(&path, &["check", "--fix", "policy.co"]));
    let fixed = std::fs::read_to_string(&path).expect("a file");
    assert_ne!(fixed, text);
    assert_eq!(said["text"], fixed);
}
