//! The rulebooks that the benchmarks measure, and what they are measured beside.

pub mod floor;
pub mod ladder;
pub mod ours;
#[cfg(feature = "peers")]
pub mod peers;
pub mod race;
pub mod table;
pub mod workload;

use std::fmt::Write;

/// Names that the conditions of [`large`] choose from.
const NAMES: usize = 64;
/// Branches of each flow of [`large`].
const BRANCHES: usize = 6;

/// A rulebook of `flows` flows, each with six branches of conditions over three of 64 boolean
/// names and a tool of its own. The same text for the same number, always.
pub fn large(flows: usize) -> String {
    of_flows(flows, 3)
}

/// About as large as a rulebook may be, in lines and in the bytes of its IR: [`large`] with longer
/// conditions.
pub fn largest() -> String {
    of_flows(1300, 6)
}

fn of_flows(flows: usize, names_of_a_branch: usize) -> String {
    let mut text = String::new();
    let mut sequence = Sequence::new(1);
    for flow in 0..flows {
        let _ = writeln!(text, "define flow flow {flow}");
        for branch in 0..BRANCHES - 1 {
            let word = if branch == 0 { "if" } else { "else if" };
            let names: Vec<String> = (0..names_of_a_branch)
                .map(|_| format!("$name_{:02}", sequence.below(NAMES)))
                .collect();
            let _ = writeln!(text, "  {word} {}", names.join(" and "));
            let _ = match branch % 3 {
                2 => writeln!(text, "    bot refuse case {branch}"),
                _ => writeln!(text, "    execute tool_{flow}"),
            };
        }
        let _ = writeln!(text, "  else\n    bot refuse flow {flow}\n");
    }
    text
}

/// A linear congruential generator: any fixed sequence would do.
pub struct Sequence(u64);

impl Sequence {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number, below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % limit
    }
}
