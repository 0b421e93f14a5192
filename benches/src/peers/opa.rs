//! A real Open Policy Agent, by `opa bench`: its own timer of the evaluation, input ready.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use stalwart::emitter::emit;
use stalwart::ir::Rulebook;

use super::regorus::cut;
use crate::race::{Kind, Time};
use crate::workload::{Call, Workload};

/// Calls that are measured: each takes a run of `opa bench`.
const CALLS: usize = 3;

/// The times of the opa at a path. Each is a median of the calls' medians.
pub fn times(opa: &Path, workload: &Workload) -> Vec<Time> {
    let calls = &workload.calls[..CALLS];
    let whole = calls
        .iter()
        .map(|call| bench(opa, &workload.rulebook, call));
    let mut times = vec![time("opa bench, the emitted package", whole.collect())];
    if workload.rulebook.tools.len() > 1 {
        let per_tool = calls.iter().map(|call| {
            let of_tool = |rulebook: &Rulebook| rulebook.tools[0].name == call.tool;
            let rulebook = cut(&workload.rulebook).find(of_tool).expect("a tool");
            bench(opa, &rulebook, call)
        });
        times.push(time("opa bench, a package per tool", per_tool.collect()));
    }
    times
}

fn time(name: &str, mut times: Vec<f64>) -> Time {
    times.sort_by(f64::total_cmp);
    Time {
        name: name.to_owned(),
        kind: Kind::Peer,
        median: times[times.len() / 2],
        quartiles: (times[0], times[times.len() - 1]),
    }
}

fn bench(opa: &Path, rulebook: &Rulebook, call: &Call) -> f64 {
    let folder = std::env::temp_dir().join(format!("stalwart-opa-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    write("Rulebook.rego", &emit(rulebook).expect("emitted").rego);
    let input = format!("{{\"tool\":\"{}\",\"context\":{}}}", call.tool, call.json);
    write("call.json", &input);
    let query = format!("data.{}.decision", rulebook.package);
    let output = Command::new(opa)
        .current_dir(&folder)
        .args([
            "bench",
            "--format",
            "json",
            "-d",
            "Rulebook.rego",
            "-i",
            "call.json",
            &query,
        ])
        .output()
        .expect("opa runs");
    std::fs::remove_dir_all(&folder).expect("removed");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    report["Extra"]["histogram_timer_rego_query_eval_ns_median"]
        .as_f64()
        .expect("a time")
}
