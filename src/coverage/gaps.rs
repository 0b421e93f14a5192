//! Why what is not reached is not: the smallest call that reaches it, or that there is none.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::counts::{Coverage, FlowCoverage, Target};
use super::paths::{MOST_LEAVES, out_of_the_way, reaching, requirements};
use crate::decision_space::{ConditionId, Problem, Smallest, Space, TruthSet, Witness};
use crate::evaluator::{Call, Truth};
use crate::ir::{
    BranchSummary, Compare, Condition, Flow, FlowKind, Literal, OneOf, Operator, TOOL_NAME, Word,
};
use crate::test_suite::ANY_TOOL;

/// Most steps of solving that one question may take.
const MOST_STEPS: u64 = 200_000;
/// What preparing a question counts for.
const STEPS_OF_PREPARATION: u64 = 200;
/// Most steps that all questions on a rulebook may take.
const MOST_STEPS_IN_ALL: u64 = 20_000_000;

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

    /// The gaps by line, those without one at last.
    pub fn by_line(&self, coverage: &Coverage<'_>) -> Vec<&Gap> {
        let mut gaps: Vec<&Gap> = self.all.iter().collect();
        gaps.sort_by_key(|gap| {
            let line = coverage.line(gap.target);
            (line.is_none(), line)
        });
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

/// The truths that a condition may have.
type Required = (ConditionId, TruthSet);

/// What is required beside the targets themselves, the most first.
struct Attempt {
    conditions: Vec<ConditionId>,
}

impl Question<'_, '_> {
    fn answer(&self, targets: &[Target], left: &mut u64) -> BTreeMap<Target, Reason> {
        let mut reasons = BTreeMap::new();
        let Some(flow) = self.coverage.flows.get(self.flow) else {
            return reasons;
        };
        if *left == 0 {
            return reasons;
        }
        let tool = self.tool_condition(flow);
        let mut leaves_left = MOST_LEAVES;
        let others = self.others(&mut leaves_left);
        let mut spent = MOST_LEAVES - leaves_left;
        // Where a leaf is asked for, its `if` has to be come to.
        let decisions: BTreeSet<usize> = targets
            .iter()
            .filter_map(|target| match target {
                Target::Leaf { arm, .. } => flow.arms.get(*arm).map(|arm| arm.decision),
                _ => None,
            })
            .collect();
        let mut leaves_left = MOST_LEAVES;
        let reached: BTreeMap<&str, Condition> = decisions
            .into_iter()
            .filter_map(|decision| {
                let id = flow.flow.ifs.get(decision)?.id.as_str();
                Some((id, reaching(flow, id, &mut leaves_left)?))
            })
            .collect();
        spent += MOST_LEAVES - leaves_left;
        let arms = flow.arms.iter().map(|arm| &arm.arm.condition);
        let space = Space::of(arms.chain(&tool).chain(others.iter().flatten()));
        // Every question looks at every name.
        let names = steps(space.names().len());
        *left = left.saturating_sub(steps(spent).saturating_add(names));
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
        let mut pending: Vec<(Target, Vec<Required>)> = Vec::new();
        for target in targets {
            reasons.insert(*target, Reason::NotDecided);
            if let Some(required) = self.required(flow, *target, &arms, &leaves, &reached) {
                pending.push((*target, required));
            }
        }
        for attempt in attempts {
            for condition in &attempt.conditions {
                problem.require(*condition, TruthSet::TRUE);
            }
            pending = self.ask(pending, &mut problem, names, &mut reasons, left);
            for _ in &attempt.conditions {
                problem.pop();
            }
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
    ) -> Option<Vec<Required>> {
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

    /// Asks for a call for each target under what the problem requires already; those for which
    /// there is none are left over. Neighbours share requirements, which are pushed once.
    fn ask(
        &self,
        pending: Vec<(Target, Vec<Required>)>,
        problem: &mut Problem<'_>,
        names: u64,
        reasons: &mut BTreeMap<Target, Reason>,
        left: &mut u64,
    ) -> Vec<(Target, Vec<Required>)> {
        let base = problem.depth();
        let mut pushed: Vec<Required> = Vec::new();
        let mut rest = Vec::new();
        for (target, required) in pending {
            if *left == 0 {
                reasons.insert(target, Reason::NotDecided);
                continue;
            }
            let shared = pushed
                .iter()
                .zip(&required)
                .take_while(|(a, b)| a == b)
                .count();
            while problem.depth() > base + shared {
                problem.pop();
            }
            for (condition, truths) in required.iter().skip(shared) {
                problem.require(*condition, *truths);
            }
            pushed.clone_from(&required);
            let found = problem.smallest();
            let preparation = STEPS_OF_PREPARATION.saturating_add(names);
            *left = left.saturating_sub(problem.take_spent().saturating_add(preparation));
            let reason = match found {
                Smallest::Found { witness, .. } => self
                    .call(target, witness)
                    .map_or(Reason::NotDecided, Reason::Missing),
                Smallest::Unsatisfiable => Reason::Impossible,
                Smallest::GaveUp => Reason::NotDecided,
            };
            if !matches!(reason, Reason::Missing(_)) {
                rest.push((target, required));
            }
            reasons.insert(target, reason);
        }
        while problem.depth() > base {
            problem.pop();
        }
        rest
    }

    /// The witness as a call, if it reaches the target indeed.
    fn call(&self, target: Target, witness: Witness) -> Option<SuggestedCall> {
        let rulebook = self.coverage.rulebook;
        let governing = rulebook.tools.get(self.tool).map(|tool| tool.name.clone());
        let asked = witness.tool.as_deref();
        let governed = asked.filter(|asked| rulebook.tool(asked).is_some());
        let named = [governing.as_deref(), governed, Some(ANY_TOOL), asked];
        // No tool at all is a last resort.
        let tools = named.into_iter().flatten().map(Some).chain([None]);
        tools.into_iter().find_map(|tool| {
            let tool = tool.map(str::to_owned);
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
                (!values.is_empty()).then_some(Condition::OneOf(OneOf {
                    name,
                    negated: false,
                    values,
                }))
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

    /// What holds when no other flow stands in the way; none where that is longer than
    /// `leaves_left`.
    fn others(&self, leaves_left: &mut usize) -> Option<Vec<Condition>> {
        let tool = self.coverage.rulebook.tools.get(self.tool);
        let flows = self.coverage.flows.iter().enumerate();
        let others = flows.filter(|(index, counts)| {
            let governs = tool.is_some_and(|tool| tool.is_governed_by(counts.flow));
            *index != self.flow && (counts.flow.kind == FlowKind::Guard || governs)
        });
        let name = tool.map(|tool| tool.name.as_str());
        others
            .map(|(_, counts)| out_of_the_way(counts, name, leaves_left))
            .collect()
    }
}

fn steps(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
