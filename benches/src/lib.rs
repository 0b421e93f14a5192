//! The rulebooks that the benchmarks measure, and what they are measured beside.

pub mod floor;

use std::fmt::Write;

/// Names that the conditions of [`large`] choose from.
const NAMES: usize = 64;
/// Branches of each flow of [`large`].
const BRANCHES: usize = 6;

/// A call of the tool of one flow of [`large`], as OPA's input: a context that has all names,
/// every other one of them true.
pub fn call(flow: usize) -> String {
    let names: Vec<String> = (0..NAMES)
        .map(|name| format!("\"name_{name:02}\": {}", name % 2 == 0))
        .collect();
    format!(
        "{{\"tool\": \"tool_{flow}\", \"context\": {{{}}}}}",
        names.join(", ")
    )
}

/// A rulebook of `flows` flows, each with six branches of conditions over three of 64 boolean
/// names and a tool of its own. The same text for the same number, always.
pub fn large(flows: usize) -> String {
    let mut text = String::new();
    let mut state = 1_u64;
    let mut name = || {
        // A linear congruential generator: any fixed sequence would do.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % NAMES as u64
    };
    for flow in 0..flows {
        let _ = writeln!(text, "define flow flow {flow}");
        for branch in 0..BRANCHES - 1 {
            let word = if branch == 0 { "if" } else { "else if" };
            let _ = writeln!(
                text,
                "  {word} $name_{:02} and $name_{:02} and $name_{:02}",
                name(),
                name(),
                name()
            );
            let _ = match branch % 3 {
                2 => writeln!(text, "    bot refuse case {branch}"),
                _ => writeln!(text, "    execute tool_{flow}"),
            };
        }
        let _ = writeln!(text, "  else\n    bot refuse flow {flow}\n");
    }
    text
}
