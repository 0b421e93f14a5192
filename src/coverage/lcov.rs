//! Coverage as an lcov tracefile, which editors and code hosts read.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::counts::{Coverage, Target};
use super::gaps::{Gaps, Reason};
use crate::text::escaped;

/// The tracefile for one rulebook, whose file has this name: flows as functions; the lines of
/// flows and of arms; as branches of a line, the outcomes of its leaves that some context can
/// reach.
pub fn lcov(coverage: &Coverage<'_>, gaps: &Gaps, file: &str) -> String {
    let mut out = String::new();
    let _ = write!(out, "TN:\nSF:{}\n", escaped(file));
    functions(coverage, &mut out);
    branches(coverage, gaps, &mut out);
    lines(coverage, &mut out);
    out.push_str("end_of_record\n");
    out
}

fn functions(coverage: &Coverage<'_>, out: &mut String) {
    for counts in &coverage.flows {
        let _ = writeln!(
            out,
            "FN:{},{}",
            counts.flow.line,
            escaped(&counts.flow.name)
        );
    }
    for counts in &coverage.flows {
        let _ = writeln!(out, "FNDA:{},{}", counts.calls, escaped(&counts.flow.name));
    }
    let hit = coverage.flows.iter().filter(|counts| counts.calls > 0);
    let _ = writeln!(out, "FNF:{}\nFNH:{}", coverage.flows.len(), hit.count());
}

/// A block is an arm, counted over all flows; an arm of a subflow is one in each flow that
/// inlines it.
fn branches(coverage: &Coverage<'_>, gaps: &Gaps, out: &mut String) {
    let (mut found, mut hit, mut block) = (0_usize, 0_usize, 0_usize);
    for (flow, counts) in coverage.flows.iter().enumerate() {
        for (arm, counts) in counts.arms.iter().enumerate() {
            let mut number = 0_usize;
            for (leaf, leaf_counts) in counts.leaves.iter().enumerate() {
                for (truth, count) in leaf_counts.outcomes() {
                    let target = Target::Leaf {
                        flow,
                        arm,
                        leaf,
                        truth,
                    };
                    if gaps.reason(target) == Some(&Reason::Impossible) {
                        continue;
                    }
                    let taken = if counts.met == 0 {
                        "-".to_owned()
                    } else {
                        count.to_string()
                    };
                    let _ = writeln!(out, "BRDA:{},{block},{number},{taken}", counts.arm.line);
                    number += 1;
                    found += 1;
                    hit += usize::from(count > 0);
                }
            }
            block += usize::from(number > 0);
        }
    }
    let _ = writeln!(out, "BRF:{found}\nBRH:{hit}");
}

fn lines(coverage: &Coverage<'_>, out: &mut String) {
    let mut lines: BTreeMap<usize, u64> = BTreeMap::new();
    for counts in &coverage.flows {
        *lines.entry(counts.flow.line).or_default() += counts.calls;
        for arm in &counts.arms {
            *lines.entry(arm.arm.line).or_default() += arm.met;
        }
    }
    for (line, count) in &lines {
        let _ = writeln!(out, "DA:{line},{count}");
    }
    let hit = lines.values().filter(|count| **count > 0).count();
    let _ = writeln!(out, "LF:{}\nLH:{hit}", lines.len());
}
