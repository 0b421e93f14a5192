//! Why what is not reached is not: the smallest call that reaches it, or that there is none.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::counts::{Coverage, FlowCoverage, Target};
use super::paths::{out_of_the_way, reaching, requirements};
use crate::decision_space::{ConditionId, Problem, Smallest, Space, TruthSet, Witness};
use crate::evaluator::{Call, Truth};
use crate::ir::{
    BranchSummary, Compare, Condition, Flow, FlowKind, Literal, OneOf, Operator, TOOL_NAME, Word,
};

/// Most steps of solving that one question may take.
const MOST_STEPS: u64 = 200_000;
/// What preparing a question counts for.
const STEPS_OF_PREPARATION: u64 = 200;
/// Most steps that all questions on a rulebook may take.
const MOST_STEPS_IN_ALL: u64 = 20_000_000;

/// What a call of a rulebook that governs no tool calls.
const ANY_TOOL: &str = "any_tool";

/// Why a target is not reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No call like this is made.
    Missing(SuggestedCall),
    /// No context reaches it: proved.
    Impossible,
    /// Not found out within the bound.
    NotDecided,
}

/// The smallest call that reaches a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuggestedCall {
    /// The tool; none where it must be no string.
    pub tool: Option<String>,
    /// The context.
    pub context: Map<String, Value>,
}

impl SuggestedCall {
    /// The call.
    pub fn call(&self) -> Call<'_> {
        Call::new(self.tool.as_deref(), &self.context)
    }
}

/// A target that is not reached, and why not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The target.
    pub target: Target,
    /// Why it is not reached.
    pub reason: Reason,
}

/// All targets that are not reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    /// In the order of [`Coverage::targets`].
    pub all: Vec<Gap>,
    by_target: BTreeMap<Target, usize>,
}

impl Gaps {
    /// Why a target is not reached; none where it is.
    pub fn reason(&self, target: Target) -> Option<&Reason> {
        let gap = self.by_target.get(&target)?;
        self.all.get(*gap).map(|gap| &gap.reason)
    }

    /// The gaps of a line and flow order: by line, then as they stand.
    pub fn by_line(&self, coverage: &Coverage<'_>) -> Vec<&Gap> {
        let mut gaps: Vec<&Gap> = self.all.iter().collect();
        gaps.sort_by_key(|gap| coverage.line(gap.target));
        gaps
    }
}

impl Coverage<'_> {
    /// Why each target that was not reached was not.
    ///
    /// The smallest call is one on which no other flow stands in the way, where there is such a
    /// call: then what the flow itself says decides.
    pub fn gaps(&self) -> Gaps {
        let mut by_flow: BTreeMap<(Option<usize>, usize), Vec<Target>> = BTreeMap::new();
        let mut reasons: BTreeMap<Target, Reason> = BTreeMap::new();
        let missing: Vec<Target> = self
            .targets()
            .into_iter()
            .filter_map(|(target, count)| (count == 0).then_some(target))
            .collect();
        for target in &missing {
            match target {
                Target::Tool { tool } => {
                    let tool = self.rulebook.tools.get(*tool);
                    let call = SuggestedCall {
                        tool: tool.map(|tool| tool.name.clone()),
                        context: Map::new(),
                    };
                    reasons.insert(*target, Reason::Missing(call));
                }
                Target::Branch { flow, .. } | Target::Leaf { flow, .. } => {
                    let tool = self
                        .flows
                        .get(*flow)
                        .and_then(|counts| self.tool_for(counts.flow, *target));
                    by_flow
                        .entry((Some(*flow), tool.unwrap_or(usize::MAX)))
                        .or_default()
                        .push(*target);
                }
            }
        }
        let mut left = MOST_STEPS_IN_ALL;
        for ((flow, tool), targets) in by_flow {
            let Some(index) = flow else { continue };
            let asked = Question {
                coverage: self,
                flow: index,
                tool,
            };
            reasons.extend(asked.answer(&targets, &mut left));
        }
        let mut gaps = Gaps::default();
        for target in missing {
            let reason = reasons.remove(&target).unwrap_or(Reason::NotDecided);
            gaps.by_target.insert(target, gaps.all.len());
            gaps.all.push(Gap { target, reason });
        }
        gaps
    }

    /// The tool that a call of a flow that governs is best made with: one that the branch speaks
    /// on, where a branch is meant.
    fn tool_for(&self, flow: &Flow, target: Target) -> Option<usize> {
        let tools = self.rulebook.tools.iter().enumerate();
        let mut governed = tools.filter(|(_, tool)| tool.is_governed_by(flow));
        let first = governed.clone().next().map(|(index, _)| index);
        let Target::Branch { branch, .. } = target else {
            return first;
        };
        let summary = BranchSummary::of(flow.branches.get(branch)?);
        governed
            .find(|(_, tool)| summary.word(&tool.name) != Word::NoMatch)
            .map(|(index, _)| index)
            .or(first)
    }
}

/// The targets of one flow that are asked about with one tool.
struct Question<'c, 'r> {
    coverage: &'c Coverage<'r>,
    flow: usize,
    /// The index of the tool; of none for a guard.
    tool: usize,
}

/// What is required beside the target itself, the most first.
struct Attempt {
    conditions: Vec<ConditionId>,
}

impl Question<'_, '_> {
    fn answer(&self, targets: &[Target], left: &mut u64) -> BTreeMap<Target, Reason> {
        let mut reasons = BTreeMap::new();
        let Some(flow) = self.coverage.flows.get(self.flow) else {
            return reasons;
        };
        let tool = self.tool_condition(flow);
        let others = self.others();
        let reached: BTreeMap<&str, Condition> = flow
            .flow
            .ifs
            .iter()
            .map(|decision| (decision.id.as_str(), reaching(flow, &decision.id)))
            .collect();
        let arms = flow.arms.iter().map(|arm| &arm.arm.condition);
        let space = Space::of(arms.chain(&tool).chain(others.iter().flatten()));
        let mut problem = Problem::new(&space).with_budget(MOST_STEPS);
        let arms: Vec<ConditionId> = flow
            .arms
            .iter()
            .map(|arm| problem.add(&arm.arm.condition))
            .collect();
        let leaves: Vec<Vec<ConditionId>> = flow
            .arms
            .iter()
            .map(|arm| {
                arm.leaves
                    .iter()
                    .map(|leaf| problem.add(leaf.leaf))
                    .collect()
            })
            .collect();
        let reached: BTreeMap<&str, ConditionId> = reached
            .iter()
            .map(|(id, condition)| (*id, problem.add(condition)))
            .collect();
        let tool = tool.as_ref().map(|tool| problem.add(tool));
        let mut attempts = Vec::new();
        if let Some(others) = &others {
            let mut conditions = problem.add_all(&others.iter().collect::<Vec<_>>());
            conditions.extend(tool);
            attempts.push(Attempt { conditions });
        }
        if let Some(tool) = tool {
            attempts.push(Attempt {
                conditions: vec![tool],
            });
        }
        attempts.push(Attempt {
            conditions: Vec::new(),
        });
        for target in targets {
            let required = self.required(flow, *target, &arms, &leaves, &reached);
            let reason = match required {
                Some(required) => self.ask(*target, &required, &attempts, &mut problem, left),
                None => Reason::NotDecided,
            };
            reasons.insert(*target, reason);
        }
        reasons
    }

    /// What a target requires of the flow's own conditions.
    fn required(
        &self,
        flow: &FlowCoverage<'_>,
        target: Target,
        arms: &[ConditionId],
        leaves: &[Vec<ConditionId>],
        reached: &BTreeMap<&str, ConditionId>,
    ) -> Option<Vec<(ConditionId, TruthSet)>> {
        match target {
            Target::Branch { branch, .. } => {
                let path = &flow.flow.branches.get(branch)?.path;
                requirements(flow, path)
                    .into_iter()
                    .map(|(arm, holds)| Some((*arms.get(arm)?, TruthSet::from(Truth::from(holds)))))
                    .collect()
            }
            Target::Leaf {
                arm, leaf, truth, ..
            } => {
                let counts = flow.arms.get(arm)?;
                let decision = flow.flow.ifs.get(counts.decision)?;
                let mut required = vec![(*reached.get(decision.id.as_str())?, TruthSet::TRUE)];
                let first = arm.checked_sub(counts.number)?;
                let before = arms.get(first..arm)?;
                required.extend(before.iter().map(|arm| (*arm, TruthSet::FALSE)));
                required.push((*leaves.get(arm)?.get(leaf)?, TruthSet::from(truth)));
                Some(required)
            }
            Target::Tool { .. } => None,
        }
    }

    fn ask(
        &self,
        target: Target,
        required: &[(ConditionId, TruthSet)],
        attempts: &[Attempt],
        problem: &mut Problem<'_>,
        left: &mut u64,
    ) -> Reason {
        let mut reason = Reason::NotDecided;
        for attempt in attempts {
            if *left == 0 {
                return Reason::NotDecided;
            }
            let depth = problem.depth();
            for (condition, truths) in required {
                problem.require(*condition, *truths);
            }
            for condition in &attempt.conditions {
                problem.require(*condition, TruthSet::TRUE);
            }
            let found = problem.smallest();
            while problem.depth() > depth {
                problem.pop();
            }
            let spent = problem.take_spent().saturating_add(STEPS_OF_PREPARATION);
            *left = left.saturating_sub(spent);
            match found {
                Smallest::Found { witness, .. } => {
                    if let Some(call) = self.call(target, witness) {
                        return Reason::Missing(call);
                    }
                    reason = Reason::NotDecided;
                }
                Smallest::Unsatisfiable => reason = Reason::Impossible,
                Smallest::GaveUp => reason = Reason::NotDecided,
            }
        }
        reason
    }

    /// The witness as a call, if it reaches the target indeed.
    fn call(&self, target: Target, witness: Witness) -> Option<SuggestedCall> {
        let rulebook = self.coverage.rulebook;
        let governing = rulebook.tools.get(self.tool).map(|tool| tool.name.clone());
        let any = rulebook.tools.is_empty().then(|| ANY_TOOL.to_owned());
        let tools = [governing, witness.tool, any, None];
        tools.into_iter().enumerate().find_map(|(at, tool)| {
            // No tool at all is a last resort, however the others come out.
            if tool.is_none() && at < 3 {
                return None;
            }
            let call = SuggestedCall {
                tool,
                context: witness.context.clone(),
            };
            self.reaches(target, &call.call()).then_some(call)
        })
    }

    fn reaches(&self, target: Target, call: &Call<'_>) -> bool {
        let flow = self.coverage.flows.get(self.flow);
        flow.is_some_and(|flow| flow.reaches(target, call))
    }

    /// What is required of the tool: for a flow that governs, the one it is asked with; for a
    /// guard, any that some flow governs.
    fn tool_condition(&self, flow: &FlowCoverage<'_>) -> Option<Condition> {
        let name = vec![TOOL_NAME.to_owned()];
        let tools = &self.coverage.rulebook.tools;
        let literal = |name: &String| Literal::String(name.clone());
        match flow.flow.kind {
            FlowKind::Guard => {
                let values: Vec<Literal> = tools.iter().map(|tool| literal(&tool.name)).collect();
                (!values.is_empty()).then(|| {
                    Condition::OneOf(OneOf {
                        name,
                        negated: false,
                        values,
                    })
                })
            }
            _ => tools.get(self.tool).map(|tool| {
                Condition::Compare(Compare {
                    name,
                    op: Operator::Equal,
                    value: literal(&tool.name),
                })
            }),
        }
    }

    /// What holds when no other flow stands in the way; none where that is too long.
    fn others(&self) -> Option<Vec<Condition>> {
        let tool = self.coverage.rulebook.tools.get(self.tool);
        let flows = self.coverage.flows.iter().enumerate();
        let others = flows.filter(|(index, counts)| {
            let governs = tool.is_some_and(|tool| tool.is_governed_by(counts.flow));
            *index != self.flow && (counts.flow.kind == FlowKind::Guard || governs)
        });
        let name = tool.map(|tool| tool.name.as_str());
        others
            .map(|(_, counts)| out_of_the_way(counts, name))
            .collect()
    }
}
