//! Counting what calls reach.

use crate::evaluator::{Call, Truth, follow, truth};
use crate::ir::{Arm, Condition, Flow, FlowKind, Rulebook};

/// How often each part of a rulebook was reached.
#[derive(Clone, Debug)]
pub struct Coverage<'r> {
    /// The rulebook.
    pub rulebook: &'r Rulebook,
    /// The flows that govern and the guards, in source order.
    pub flows: Vec<FlowCoverage<'r>>,
    /// By tool of the rulebook, how many calls of it there were.
    pub tools: Vec<u64>,
}

/// How often each part of a flow was reached.
#[derive(Clone, Debug)]
pub struct FlowCoverage<'r> {
    /// The flow.
    pub flow: &'r Flow,
    /// Calls on which it had to say something.
    pub calls: u64,
    /// By branch, how often it was taken.
    pub branches: Vec<u64>,
    /// All arms of all its `if`s, in order.
    pub arms: Vec<ArmCoverage<'r>>,
    /// By `if`, the index of its first arm in `arms`.
    first_arms: Vec<usize>,
}

/// How often an arm's condition was asked, and with what outcome.
#[derive(Clone, Debug)]
pub struct ArmCoverage<'r> {
    /// The index of its `if` in the flow.
    pub decision: usize,
    /// Its place in its `if`, from 0.
    pub number: usize,
    /// The arm.
    pub arm: &'r Arm,
    /// How often its condition was asked.
    pub met: u64,
    /// How often it held.
    pub taken: u64,
    /// The leaves that read a name, from left to right.
    pub leaves: Vec<LeafCoverage<'r>>,
}

/// How often a leaf had each outcome, when the condition it is in was asked.
#[derive(Clone, Debug)]
pub struct LeafCoverage<'r> {
    /// The leaf.
    pub leaf: &'r Condition,
    /// How often it was true.
    pub held: u64,
    /// How often it was false.
    pub failed: u64,
    /// How often it lacked a value.
    pub lacked: u64,
}

/// A thing to reach. Numbers are indexes in [`Coverage`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// A branch of a flow is taken.
    Branch {
        /// The flow.
        flow: usize,
        /// The branch.
        branch: usize,
    },
    /// A leaf has an outcome where the condition it is in is asked.
    Leaf {
        /// The flow.
        flow: usize,
        /// The arm.
        arm: usize,
        /// The leaf.
        leaf: usize,
        /// Its outcome.
        truth: Truth,
    },
    /// A tool is called.
    Tool {
        /// The tool.
        tool: usize,
    },
}

impl Target {
    /// The flow it lies in; none for a tool.
    pub fn flow(self) -> Option<usize> {
        match self {
            Self::Branch { flow, .. } | Self::Leaf { flow, .. } => Some(flow),
            Self::Tool { .. } => None,
        }
    }
}

impl LeafCoverage<'_> {
    /// The outcomes it can be asked for: a bare name never lacks a value.
    pub fn outcomes(&self) -> impl Iterator<Item = (Truth, u64)> {
        let all = [
            (Truth::True, self.held),
            (Truth::False, self.failed),
            (Truth::Unknown, self.lacked),
        ];
        let count = if self.leaf.can_be_undecided() { 3 } else { 2 };
        all.into_iter().take(count)
    }

    fn note(&mut self, found: Truth) {
        let count = match found {
            Truth::True => &mut self.held,
            Truth::False => &mut self.failed,
            Truth::Unknown => &mut self.lacked,
        };
        *count += 1;
    }
}

impl<'r> FlowCoverage<'r> {
    fn of(flow: &'r Flow) -> Self {
        let mut arms = Vec::new();
        let mut first_arms = Vec::with_capacity(flow.ifs.len());
        for (decision, found) in flow.ifs.iter().enumerate() {
            first_arms.push(arms.len());
            for (number, arm) in found.arms.iter().enumerate() {
                let leaves = arm.condition.leaves().filter(|leaf| leaf.name().is_some());
                let leaves = leaves.map(|leaf| LeafCoverage {
                    leaf,
                    held: 0,
                    failed: 0,
                    lacked: 0,
                });
                arms.push(ArmCoverage {
                    decision,
                    number,
                    arm,
                    met: 0,
                    taken: 0,
                    leaves: leaves.collect(),
                });
            }
        }
        Self {
            flow,
            calls: 0,
            branches: vec![0; flow.branches.len()],
            arms,
            first_arms,
        }
    }

    /// The index in `arms` of the first arm of an `if`.
    pub(super) fn first_arm(&self, if_id: &str) -> Option<usize> {
        let decision = self.flow.if_index(if_id)?;
        self.first_arms.get(decision).copied()
    }

    /// Whether a call, of a tool that the flow speaks on, reaches a target in it.
    pub(super) fn reaches(&self, target: Target, call: &Call<'_>) -> bool {
        let mut seen = false;
        let taken = follow(self.flow, |fork| {
            let mut next = self.first_arm(&fork.decision.id)?;
            fork.way(|arm| {
                if let Target::Leaf {
                    arm: wanted,
                    leaf,
                    truth: outcome,
                    ..
                } = target
                    && wanted == next
                {
                    let leaf = self.arms.get(next).and_then(|arm| arm.leaves.get(leaf));
                    seen |= leaf.is_some_and(|leaf| truth(leaf.leaf, call) == outcome);
                }
                next += 1;
                truth(&arm.condition, call)
            })
        });
        match target {
            Target::Branch { branch, .. } => taken == Some(branch),
            _ => seen,
        }
    }

    fn record(&mut self, call: &Call<'_>) {
        self.calls += 1;
        let flow = self.flow;
        let taken = follow(flow, |fork| {
            let mut next = self.first_arm(&fork.decision.id)?;
            fork.way(|arm| {
                let found = truth(&arm.condition, call);
                if let Some(count) = self.arms.get_mut(next) {
                    count.met += 1;
                    count.taken += u64::from(found == Truth::True);
                    for leaf in &mut count.leaves {
                        leaf.note(truth(leaf.leaf, call));
                    }
                }
                next += 1;
                found
            })
        });
        if let Some(count) = taken.and_then(|branch| self.branches.get_mut(branch)) {
            *count += 1;
        }
    }
}

impl<'r> Coverage<'r> {
    /// Nothing reached yet.
    pub fn of(rulebook: &'r Rulebook) -> Self {
        let speaks = |flow: &&Flow| flow.kind != FlowKind::Dialogue;
        Self {
            rulebook,
            flows: rulebook
                .flows
                .iter()
                .filter(speaks)
                .map(FlowCoverage::of)
                .collect(),
            tools: vec![0; rulebook.tools.len()],
        }
    }

    /// Counts what a call reaches: guards on every call, flows that govern on those of their
    /// tools.
    pub fn record(&mut self, call: &Call<'_>) {
        let named = call.tool();
        let mut called = None;
        for (tool, count) in self.rulebook.tools.iter().zip(&mut self.tools) {
            if named == Some(tool.name.as_str()) {
                *count += 1;
                called = Some(tool);
            }
        }
        for flow in &mut self.flows {
            let governs = called.is_some_and(|tool| tool.is_governed_by(flow.flow));
            if flow.flow.kind == FlowKind::Guard || governs {
                flow.record(call);
            }
        }
    }

    /// Everything to reach with how often it was: branches of flows that govern, branches of
    /// guards, leaves, tools. The first that a call is made for mostly reach others too.
    pub fn targets(&self) -> Vec<(Target, u64)> {
        let mut targets = Vec::new();
        for kind in [FlowKind::Governing, FlowKind::Guard] {
            for (flow, counts) in self.of_kind(kind) {
                let branches = counts.branches.iter().enumerate();
                targets.extend(
                    branches.map(|(branch, count)| (Target::Branch { flow, branch }, *count)),
                );
            }
        }
        for kind in [FlowKind::Governing, FlowKind::Guard] {
            for (flow, counts) in self.of_kind(kind) {
                for (arm, counts) in counts.arms.iter().enumerate() {
                    for (leaf, counts) in counts.leaves.iter().enumerate() {
                        targets.extend(counts.outcomes().map(|(truth, count)| {
                            let target = Target::Leaf {
                                flow,
                                arm,
                                leaf,
                                truth,
                            };
                            (target, count)
                        }));
                    }
                }
            }
        }
        let tools = self.tools.iter().enumerate();
        targets.extend(tools.map(|(tool, count)| (Target::Tool { tool }, *count)));
        targets
    }

    fn of_kind(&self, kind: FlowKind) -> impl Iterator<Item = (usize, &FlowCoverage<'r>)> {
        let flows = self.flows.iter().enumerate();
        flows.filter(move |(_, counts)| counts.flow.kind == kind)
    }

    /// How often a target was reached.
    pub fn count(&self, target: Target) -> u64 {
        let found = match target {
            Target::Branch { flow, branch } => self
                .flows
                .get(flow)
                .and_then(|counts| counts.branches.get(branch).copied()),
            Target::Leaf {
                flow,
                arm,
                leaf,
                truth,
            } => self
                .flows
                .get(flow)
                .and_then(|counts| counts.arms.get(arm)?.leaves.get(leaf))
                .and_then(|leaf| leaf.outcomes().find(|(outcome, _)| *outcome == truth))
                .map(|(_, count)| count),
            Target::Tool { tool } => self.tools.get(tool).copied(),
        };
        found.unwrap_or_default()
    }

    /// The line of the rulebook that a target stands at; none for a tool.
    pub fn line(&self, target: Target) -> Option<usize> {
        match target {
            Target::Branch { flow, branch } => {
                let flow = self.flows.get(flow)?.flow;
                flow.branches.get(branch).map(|branch| branch.line)
            }
            Target::Leaf { flow, arm, .. } => {
                self.flows.get(flow)?.arms.get(arm).map(|arm| arm.arm.line)
            }
            Target::Tool { .. } => None,
        }
    }

    /// What a target is, as a report says it: `branch f1_b2: else`, `$amount <= 100 lacks a
    /// value`.
    pub fn describe(&self, target: Target) -> String {
        self.described(target).unwrap_or_default()
    }

    fn described(&self, target: Target) -> Option<String> {
        Some(match target {
            Target::Branch { flow, branch } => {
                let counts = self.flows.get(flow)?;
                let branch = counts.flow.branches.get(branch)?;
                let Some(choice) = branch.path.last() else {
                    return Some("the whole flow".to_owned());
                };
                let arm = choice.arm.and_then(|number| {
                    let arm = counts.first_arm(&choice.if_id)? + number.checked_sub(1)?;
                    counts.arms.get(arm)
                });
                match arm {
                    None => {
                        let decision = counts.flow.find_if(&choice.if_id)?;
                        format!("past the `if` of line {}", decision.line)
                    }
                    Some(arm) if arm.number > 0 && arm.arm.condition == Condition::Const(true) => {
                        "else".to_owned()
                    }
                    Some(arm) => format!("{} holds", arm.arm.condition),
                }
            }
            Target::Leaf {
                flow,
                arm,
                leaf,
                truth,
            } => {
                let arm = self.flows.get(flow)?.arms.get(arm)?;
                let leaf = arm.leaves.get(leaf)?.leaf;
                let outcome = match truth {
                    Truth::True => "is true",
                    Truth::False => "is false",
                    Truth::Unknown => "lacks a value",
                };
                format!("{leaf} {outcome}")
            }
            Target::Tool { tool } => {
                format!("a call of {}", self.rulebook.tools.get(tool)?.name)
            }
        })
    }
}
