//! Measures one decision: the gate, the floor and the peers beside each other. Prints Markdown for
//! `docs/benchmarks.md`. With `STALWART_OPA` set, that opa too.

use std::env;
use std::path::PathBuf;

use stalwart_benches::ours::Deciders;
use stalwart_benches::peers::{self, opa};
use stalwart_benches::race::{Time, race};
use stalwart_benches::table;
use stalwart_benches::workload::Workload;

fn main() {
    let opa = env::var_os("STALWART_OPA").filter(|path| !path.is_empty());
    let opa = opa.map(PathBuf::from);
    let mut cells = Vec::new();
    for workload in [Workload::shop(), Workload::large()] {
        let deciders = Deciders::new(&workload);
        let allowed = workload
            .calls
            .iter()
            .filter(|call| call.is_allowed())
            .count();
        println!("### {}\n", workload.title());
        println!(
            "{} calls, {allowed} of them allowed; all entrants agree on each.\n",
            workload.calls.len()
        );

        let mut entrants = deciders.of_values();
        entrants.extend(peers::of_values(&workload));
        let mut times = race(&workload, entrants);
        if let Some(opa) = &opa {
            times.extend(opa::times(opa, &workload));
        }
        cells.push(cell(format!("{}, value", workload.name), times));

        let mut entrants = deciders.of_json();
        entrants.extend(peers::of_json(&workload));
        let times = race(&workload, entrants);
        cells.push(cell(format!("{}, JSON", workload.name), times));
    }
    println!("### The gate beside the floor and the best sound peer\n");
    print!("{}", table::summary(&cells));
}

fn cell(name: String, times: Vec<Time>) -> table::Cell {
    let cell = table::Cell { name, times };
    println!("{}\n", cell.table());
    cell
}
