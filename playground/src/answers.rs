//! What can be asked of a rulebook, and what is answered.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use stalwart::compiler::{Depth, compile, fixing};
use stalwart::diagnostics::finding::Finding;
use stalwart::diagnostics::{Diagnostic, Severity};
use stalwart::gate::Gate;
use stalwart::graph::{Graph, Selection, svg};
use stalwart::ir::{FlowKind, Rulebook};
use stalwart::package::package_of_file;
use stalwart::proof::{self, DEFAULT_POINTS};
use stalwart::{emitter, json};

use crate::literals;

/// The package of a rulebook whose file's name gives none.
const ANY_PACKAGE: &str = "stalwart.rulebook";

/// The first line of a request. `name` is the file name of the rulebook that stands behind it.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// What is found, and what the rulebook has: [`Examined`].
    Examine {
        /// The file's name.
        name: String,
    },
    /// The rulebook with its mechanical fixes made: `text`, and `applied`, what was done.
    Fix {
        /// The file's name.
        name: String,
    },
    /// The bytes of both artifacts: `ir` and `rego`, or a `finding`.
    Emit {
        /// The file's name.
        name: String,
    },
    /// The picture of the rulebook, or of one flow: `svg`.
    Draw {
        /// The file's name.
        name: String,
        /// The name of the flow.
        flow: Option<String>,
    },
    /// A call: [`Decided`].
    Decide {
        /// The file's name.
        name: String,
        /// The tool; none where it is no string.
        tool: Option<String>,
        /// The context as JSON text, so that numbers are exact.
        context: String,
    },
    /// The proof that the Rego decides as the rulebook does: `line`, or a `finding`.
    Prove {
        /// The file's name.
        name: String,
        /// Most points; without it, as many as `emit` takes.
        points: Option<u64>,
    },
}

/// What is found in a rulebook, and what it has.
#[derive(Debug, Serialize)]
struct Examined {
    /// As `check --format json` writes them.
    diagnostics: Value,
    /// Title and explanation of each code found.
    codes: BTreeMap<&'static str, Value>,
    /// Whether there is no error.
    valid: bool,
    /// The governed tools.
    tools: Vec<String>,
    /// The flows that guard or govern: name, kind and line.
    flows: Vec<Value>,
    /// The names that the host passes: name, type, and the literals they are compared with.
    context: Vec<Value>,
}

/// How a call is decided, and why.
#[derive(Debug, Serialize)]
struct Decided {
    decision: &'static str,
    rule: String,
    /// What a person is shown of the rule.
    wording: Option<String>,
    /// The questions to ask for a clarify: their rules and wordings.
    questions: Vec<Value>,
    /// Whether a yes to each of them lifts the clarify.
    answerable: bool,
    /// `rulebook-why/1` as JSON text, so that its numbers are exact.
    why: String,
    /// The same in lines of text.
    text: String,
    /// The changes that would allow the call: name, and its new value as JSON text; none where it
    /// is removed.
    change: Vec<Value>,
}

/// Answers a request.
pub fn answer(request: &[u8]) -> String {
    let answered = read(request).map_or_else(fault, |(request, source)| reply(request, source));
    answered.to_string()
}

fn fault(message: String) -> Value {
    json!({ "fault": message })
}

fn read(request: &[u8]) -> Result<(Request, &[u8]), String> {
    let end = request.iter().position(|byte| *byte == b'\n');
    let (line, source) = request.split_at(end.ok_or("a request has a line of JSON")?);
    let request = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    Ok((request, source.get(1..).unwrap_or_default()))
}

fn reply(request: Request, source: &[u8]) -> Value {
    match request {
        Request::Examine { name } => examine(&name, source),
        Request::Fix { name } => fix(&name, source),
        Request::Emit { name } => with_rulebook(&name, source, emit),
        Request::Draw { name, flow } => {
            with_rulebook(&name, source, |rulebook| draw(rulebook, flow.as_deref()))
        }
        Request::Decide {
            name,
            tool,
            context,
        } => decide(&name, source, tool.as_deref(), &context),
        Request::Prove { name, points } => with_rulebook(&name, source, |rulebook| {
            prove(rulebook, points.unwrap_or(DEFAULT_POINTS))
        }),
    }
}

fn package(name: &str) -> String {
    package_of_file(name).unwrap_or_else(|_| ANY_PACKAGE.to_owned())
}

fn examine(name: &str, source: &[u8]) -> Value {
    let compilation = compile(name, source, &package(name), Depth::Analyses);
    let found = &compilation.diagnostics;
    let findings: Vec<Finding<'_>> = found
        .iter()
        .map(|found| Finding::of(Some(&compilation.source), found))
        .collect();
    let codes = found.iter().map(|found| found.code);
    let codes = codes.map(|code| {
        let said = json!({ "title": code.title, "explanation": code.explanation.trim() });
        (code.id, said)
    });
    let rulebook = compilation.rulebook.as_ref();
    let examined = Examined {
        codes: codes.collect(),
        valid: rulebook.is_some()
            && found
                .iter()
                .all(|found| found.severity() != Severity::Error),
        tools: rulebook.map(Graph::tool_names).unwrap_or_default(),
        flows: rulebook.map(flows).unwrap_or_default(),
        context: rulebook.map(literals::context).unwrap_or_default(),
        diagnostics: serde_json::to_value(&findings).unwrap_or_default(),
    };
    serde_json::to_value(examined).unwrap_or_default()
}

fn flows(rulebook: &Rulebook) -> Vec<Value> {
    let flows = rulebook.flows.iter();
    let speaking = flows.filter(|flow| matches!(flow.kind, FlowKind::Guard | FlowKind::Governing));
    speaking
        .map(|flow| json!({ "name": flow.name, "kind": flow.kind, "line": flow.line }))
        .collect()
}

fn fix(name: &str, source: &[u8]) -> Value {
    let fixed = fixing::fix(name, source);
    let applied: Vec<Value> = fixed
        .applied
        .iter()
        .map(|one| json!({ "code": one.code.id, "line": one.position.line, "title": one.title }))
        .collect();
    json!({ "text": String::from_utf8_lossy(&fixed.bytes), "applied": applied })
}

/// Answers from a rulebook without errors.
fn with_rulebook(name: &str, source: &[u8], reply: impl FnOnce(&Rulebook) -> Value) -> Value {
    match compile(name, source, &package(name), Depth::Errors).rulebook {
        Some(rulebook) => reply(&rulebook),
        None => json!({ "invalid": true }),
    }
}

fn without_place(diagnostic: &Diagnostic) -> Value {
    json!({ "finding": Finding::of(None, diagnostic) })
}

fn emit(rulebook: &Rulebook) -> Value {
    match emitter::emit(rulebook) {
        Ok(artifacts) => json!({
            "ir": String::from_utf8_lossy(&artifacts.ir),
            "rego": artifacts.rego,
        }),
        Err(diagnostic) => without_place(&diagnostic),
    }
}

fn draw(rulebook: &Rulebook, flow: Option<&str>) -> Value {
    let has_flow = |name: &str| rulebook.flows.iter().any(|flow| flow.name == name);
    let selection = match flow {
        Some(name) if has_flow(name) => Selection::Flow(name),
        _ => Selection::Whole,
    };
    json!({ "svg": svg::render(&Graph::of(rulebook, selection)) })
}

fn prove(rulebook: &Rulebook, points: u64) -> Value {
    let artifacts = match emitter::emit(rulebook) {
        Ok(artifacts) => artifacts,
        Err(diagnostic) => return without_place(&diagnostic),
    };
    let options = proof::Options {
        points,
        opa: None,
        progress: &mut |_| {},
    };
    match proof::prove(rulebook, &artifacts.rego, options) {
        Ok(proof) => json!({ "line": proof.to_string() }),
        Err(failure) => without_place(&failure.to_diagnostic()),
    }
}

/// The gate of the last rulebook, since many calls are made of one.
struct Kept {
    name: String,
    source: Vec<u8>,
    gate: Option<Gate>,
}

thread_local! {
    static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) };
}

fn decide(name: &str, source: &[u8], tool: Option<&str>, context: &str) -> Value {
    let context = match json::parse(context.as_bytes()) {
        Ok(context) => context,
        Err(error) => return fault(format!("the context cannot be read: {error}")),
    };
    KEPT.with_borrow_mut(|kept| {
        let is_kept = |kept: &Kept| kept.name == name && kept.source == source;
        if !kept.as_ref().is_some_and(is_kept) {
            let rulebook = compile(name, source, &package(name), Depth::Errors).rulebook;
            *kept = Some(Kept {
                name: name.to_owned(),
                source: source.to_vec(),
                gate: rulebook.map(Gate::new),
            });
        }
        match kept.as_ref().and_then(|kept| kept.gate.as_ref()) {
            Some(gate) => serde_json::to_value(decided(gate, tool, &context)).unwrap_or_default(),
            None => json!({ "invalid": true }),
        }
    })
}

fn decided(gate: &Gate, tool: Option<&str>, context: &Value) -> Decided {
    let why = gate.why(tool, context);
    let words = gate.words(tool, context);
    let deciding = why.decided_by.as_ref().and_then(|by| {
        let mut flows = why.flows.iter();
        flows.find(|flow| flow.said.flow.id == by.flow.id)
    });
    let edits = why.change.edits().iter();
    Decided {
        decision: why.decision.decision.as_str(),
        rule: why.decision.rule.clone(),
        wording: deciding.and_then(|flow| flow.said.wording.map(str::to_owned)),
        questions: words.questions().map(|asked| json!(asked)).collect(),
        answerable: words.is_answerable(),
        why: serde_json::to_string(&why).unwrap_or_default(),
        text: why.to_string(),
        change: edits
            .map(|edit| {
                let set = edit.set.as_ref().map(Value::to_string);
                json!({ "name": edit.name.join("."), "set": set })
            })
            .collect(),
    }
}
