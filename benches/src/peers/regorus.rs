//! `regorus`: the emitted Rego, whole and cut to one tool, and a short package for each tool made
//! by hand, in its interpreter; the latter in its virtual machine (RVM) too, which is known to
//! answer wrongly elsewhere.

use std::collections::HashMap;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;

use regorus::languages::rego::compiler::Compiler;
use regorus::rvm::{Program, RegoVM};
use regorus::{Engine, PolicyLengthConfig, Value};
use stalwart::emitter::emit;
use stalwart::evaluator::Decision;
use stalwart::ir::{Condition, Rulebook};

use crate::ladder::{Ladder, ladders};
use crate::race::{Entrant, Kind, Seen};
use crate::workload::{Call, Workload};

const WHOLE: &str = "regorus, the emitted package";
const CUT: &str = "regorus, the emitted package of one tool";
const SHORT: &str = "regorus, a short package per tool";
const SHORT_RVM: &str = "regorus RVM (unsound), a short package per tool";

pub fn of_values(workload: &Workload) -> Vec<Entrant<'_>> {
    let inputs = || {
        let inputs: Vec<Value> = workload.calls.iter().map(input).collect();
        move |call: usize| inputs[call].clone()
    };
    entrants(workload, inputs)
}

pub fn of_json(workload: &Workload) -> Vec<Entrant<'_>> {
    entrants(workload, || |call: usize| input(&workload.calls[call]))
}

/// The entrants, each with an input of its own from `inputs`.
fn entrants<'a, I: Fn(usize) -> Value + 'a>(
    workload: &'a Workload,
    inputs: impl Fn() -> I,
) -> Vec<Entrant<'a>> {
    let tool = |call: usize| workload.calls[call].tool.as_str();
    let rule = format!("data.{}.decision", workload.rulebook.package);

    let by_interpreter = |mut engines: HashMap<String, Engine>| {
        let (read, query) = (inputs(), rule.clone());
        move |call: usize| {
            let engine = engines.get_mut(tool(call)).expect("a tool");
            engine.set_input(read(call));
            engine.eval_rule(query.clone()).expect("a decision")
        }
    };

    let (mut machines, read) = (HashMap::new(), inputs());
    for (tool, engine) in short(workload) {
        let mut machine = RegoVM::new();
        machine.load_program(program(engine, &rule));
        machines.insert(tool, machine);
    }
    let by_machine = move |call: usize| {
        let machine: &mut RegoVM = machines.get_mut(tool(call)).expect("a tool");
        machine.set_input(read(call));
        machine.execute().expect("a decision")
    };

    let mut entrants = vec![
        Entrant::new(SHORT, Kind::Peer, by_interpreter(short(workload)), seen),
        Entrant::new(CUT, Kind::Peer, by_interpreter(emitted(workload)), seen),
        Entrant::new(SHORT_RVM, Kind::UnsoundPeer, by_machine, seen),
    ];
    if workload.rulebook.tools.len() > 1 {
        let (mut engine, read) = (engine(rego(&workload.rulebook)), inputs());
        let whole = move |call: usize| {
            engine.set_input(read(call));
            engine.eval_rule(rule.clone()).expect("a decision")
        };
        entrants.push(Entrant::new(WHOLE, Kind::Peer, whole, seen));
    }
    entrants
}

/// The input document of a call, its context read from JSON.
fn input(call: &Call) -> Value {
    let mut input = Value::new_object();
    let entries = input.as_object_mut().expect("an object");
    entries.insert("tool".into(), call.tool.as_str().into());
    let context = Value::from_json_str(&call.json).expect("it is JSON");
    entries.insert("context".into(), context);
    input
}

fn seen(value: Value) -> Seen {
    let json = value.to_json_str().expect("JSON");
    let decision: Decision = serde_json::from_str(&json).expect("a decision");
    Seen::Decision(decision.decision, decision.rule)
}

fn emitted(workload: &Workload) -> HashMap<String, Engine> {
    cut(&workload.rulebook)
        .map(|rulebook| (rulebook.tools[0].name.clone(), engine(rego(&rulebook))))
        .collect()
}

/// A package for each tool that is one `else` chain.
fn short(workload: &Workload) -> HashMap<String, Engine> {
    let ladders = ladders(&workload.rulebook).expect("ladders");
    let of_ladder = |ladder: &Ladder<'_>| {
        let text = format!(
            "package {}\n\nimport rego.v1\n\n{}",
            workload.rulebook.package,
            chain(ladder)
        );
        (ladder.tool.name.clone(), engine(text))
    };
    ladders.iter().map(of_ladder).collect()
}

fn chain(ladder: &Ladder<'_>) -> String {
    let mut text = String::new();
    for (number, rung) in ladder.rungs.iter().enumerate() {
        let (verdict, rule) = rung.answer;
        let start = if number == 0 { "decision" } else { " else" };
        let parts = match rung.condition {
            Some(Condition::All(parts)) => parts.as_slice(),
            Some(one) => std::slice::from_ref(one),
            None => &[],
        };
        text += &format!(
            "{start} := {{\"decision\": \"{}\", \"rule\": \"{rule}\"}}",
            verdict.as_str()
        );
        let parts: Vec<String> = parts
            .iter()
            .filter(|part| **part != Condition::Const(true))
            .map(|part| match part {
                Condition::IsTrue(name) => format!("input.context.{} == true", name.join(".")),
                _ => unimplemented!("the benchmarks' rulebooks are conjunctions"),
            })
            .collect();
        if !parts.is_empty() {
            text += &format!(" if {{ {} }}", parts.join("; "));
        }
    }
    text + "\n"
}

/// The rulebook cut to each of its tools.
pub fn cut(rulebook: &Rulebook) -> impl Iterator<Item = Rulebook> {
    ladders(rulebook)
        .expect("ladders")
        .into_iter()
        .map(|ladder| Rulebook {
            flows: vec![ladder.flow.clone()],
            tools: vec![ladder.tool.clone()],
            ..rulebook.clone()
        })
}

fn rego(rulebook: &Rulebook) -> String {
    let artifacts = emit(rulebook).expect("the benchmarks' rulebooks can be emitted");
    artifacts.rego
}

fn engine(rego: String) -> Engine {
    let mut engine = Engine::new();
    engine.set_policy_length_config(PolicyLengthConfig {
        max_col: NonZeroU32::MAX,
        max_file_bytes: NonZeroUsize::MAX,
        max_lines: NonZeroUsize::MAX,
    });
    engine
        .add_policy("Rulebook.rego".to_owned(), rego)
        .expect("regorus reads it");
    engine
}

fn program(mut engine: Engine, rule: &str) -> Arc<Program> {
    let policy = engine
        .compile_with_entrypoint(&rule.into())
        .expect("a policy");
    Compiler::compile_from_policy(&policy, &[rule]).expect("a program")
}
