//! The flows that have a word on a tool, as one problem: the smallest call on which some of them
//! go given ways while the others stay out of the way.

use crate::coverage::{Coverage, FlowCoverage, out_of_the_way, quiet};
use crate::decision_space::{Called, ConditionId, Problem, Smallest, Space, TruthSet, Witness};
use crate::evaluator::{Truth, truth};
use crate::ir::{Condition, FlowKind, OneOf, Rulebook, TOOL_NAME};
use crate::test_suite::ANY_TOOL;

use super::cases::Made;

/// Most steps of solving that one question may take.
const MOST_STEPS: u64 = 100_000;
/// What preparing a question counts for.
const STEPS_OF_PREPARATION: u64 = 100;
/// Most leaves that the ways of other flows are written out into.
const MOST_LEAVES: usize = 20_000;

/// What a call has to make true, false, or neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Required<'r> {
    /// The condition of an arm: the index of the speaker, and that of the arm among the arms of
    /// its flow.
    Arm(usize, usize, Truth),
    /// A part of a condition.
    Part(&'r Condition, Truth),
}

/// The flows that speak on one tool, or on all that no flow governs.
pub struct Scene<'c, 'r> {
    /// In source order.
    pub speakers: Vec<Speaker<'c, 'r>>,
    tool: Option<Condition>,
    /// Whether no flow governs the tool that stands for any.
    is_any_tool_free: bool,
    space: Space,
}

/// A flow that speaks.
pub struct Speaker<'c, 'r> {
    /// Its index in the coverage.
    pub index: usize,
    /// Its parts.
    pub counts: &'c FlowCoverage<'r>,
    /// What holds when it says nothing at all, and when it does not stand in the way.
    aside: [Option<Condition>; 2],
}

impl<'c, 'r> Scene<'c, 'r> {
    /// The flows that speak on a tool that some flow governs; without one, the guards, for every
    /// tool that none does.
    pub fn of(coverage: &'c Coverage<'r>, tool: Option<&str>) -> Self {
        let governed = tool.and_then(|tool| coverage.rulebook.tool(tool));
        let is_any_tool_free = coverage.rulebook.tool(ANY_TOOL).is_none();
        let flows = coverage.flows.iter().enumerate();
        let speaking = flows.filter(|(_, counts)| {
            counts.flow.kind == FlowKind::Guard
                || governed.is_some_and(|tool| tool.is_governed_by(counts.flow))
        });
        let mut left = MOST_LEAVES;
        let speakers: Vec<Speaker<'_, '_>> = speaking
            .map(|(index, counts)| Speaker {
                index,
                counts,
                aside: [
                    quiet(counts, tool, &mut left),
                    out_of_the_way(counts, tool, &mut left),
                ],
            })
            .collect();
        let tool = tool_condition(coverage.rulebook, tool);
        let conditions = speakers.iter().flat_map(|speaker| {
            let arms = speaker.counts.arms.iter().map(|arm| &arm.arm.condition);
            arms.chain(speaker.aside.iter().flatten())
        });
        let space = Space::of(conditions.chain(&tool));
        Self {
            speakers,
            is_any_tool_free,
            tool,
            space,
        }
    }

    /// The problem, with nothing required. `left` are the steps that may still be taken.
    pub fn stage<'s>(&'s self, left: &mut u64) -> Stage<'s, 'c, 'r> {
        let mut problem = Problem::new(&self.space).with_budget(MOST_STEPS);
        let arms: Vec<Vec<ConditionId>> = self
            .speakers
            .iter()
            .map(|speaker| {
                let arms = speaker.counts.arms.iter();
                arms.map(|arm| problem.add(&arm.arm.condition)).collect()
            })
            .collect();
        let aside = self
            .speakers
            .iter()
            .map(|speaker| {
                let mut add =
                    |level: &Option<Condition>| level.as_ref().map(|level| problem.add(level));
                let [quiet, out] = &speaker.aside;
                [add(quiet), add(out)]
            })
            .collect();
        let tool = self.tool.as_ref().map(|tool| problem.add(tool));
        let size = arms.iter().map(Vec::len).sum::<usize>() + self.space.names().len();
        *left = left.saturating_sub(steps(size));
        Stage {
            scene: self,
            names: steps(self.space.names().len() / 8),
            problem,
            arms,
            aside,
            tool,
        }
    }
}

/// The tool itself, or that it is none that a flow governs.
fn tool_condition(rulebook: &Rulebook, tool: Option<&str>) -> Option<Condition> {
    if let Some(tool) = tool {
        return Some(Called::Tool(tool.to_owned()).condition());
    }
    let literal = |name: &str| crate::ir::Literal::String(name.to_owned());
    let values: Vec<_> = rulebook
        .tools
        .iter()
        .map(|tool| literal(&tool.name))
        .collect();
    (!values.is_empty()).then(|| {
        Condition::OneOf(OneOf {
            name: vec![TOOL_NAME.to_owned()],
            negated: true,
            values,
        })
    })
}

/// A scene under questions.
pub struct Stage<'s, 'c, 'r> {
    scene: &'s Scene<'c, 'r>,
    /// Steps that looking at every name counts for.
    names: u64,
    problem: Problem<'s>,
    arms: Vec<Vec<ConditionId>>,
    aside: Vec<[Option<ConditionId>; 2]>,
    tool: Option<ConditionId>,
}

impl Stage<'_, '_, '_> {
    /// The smallest call for each list of requirements, on which no flow but those of `own` says
    /// anything, else on which none of them stands in the way, else any. None where there is none,
    /// or it is not found within the steps that are `left`.
    pub fn ask(
        &mut self,
        own: &[usize],
        wanted: &[Vec<Required<'_>>],
        left: &mut u64,
    ) -> Vec<Option<Made>> {
        let mut found: Vec<Option<Made>> = vec![None; wanted.len()];
        for level in [Some(0), Some(1), None] {
            if found.iter().all(Option::is_some) || *left == 0 {
                break;
            }
            let base = self.problem.depth();
            let mut requirements: Vec<ConditionId> = self.tool.into_iter().collect();
            if let Some(level) = level {
                let others = self.aside.iter().enumerate();
                let others = others.filter(|(index, _)| !own.contains(index));
                requirements.extend(others.filter_map(|(_, aside)| *aside.get::<usize>(level)?));
            }
            for condition in requirements {
                if !self.problem.require(condition, TruthSet::TRUE) {
                    break;
                }
            }
            self.ask_here(wanted, &mut found, left);
            while self.problem.depth() > base {
                self.problem.pop();
            }
        }
        found
    }

    /// Neighbours share requirements, which are pushed once.
    fn ask_here(
        &mut self,
        wanted: &[Vec<Required<'_>>],
        found: &mut [Option<Made>],
        left: &mut u64,
    ) {
        let base = self.problem.depth();
        let mut pushed: &[Required<'_>] = &[];
        for (required, found) in wanted.iter().zip(found) {
            if found.is_some() || *left == 0 {
                continue;
            }
            let both = pushed.iter().zip(required);
            let shared = both.take_while(|(one, other)| one == other).count();
            while self.problem.depth() > base + shared {
                self.problem.pop();
            }
            for required in required.iter().skip(shared) {
                self.require(*required);
            }
            pushed = required;
            let answer = self.problem.smallest();
            let spent = self.problem.take_spent();
            let preparation = STEPS_OF_PREPARATION.saturating_add(self.names);
            *left = left.saturating_sub(spent.saturating_add(preparation));
            if let Smallest::Found { witness, .. } = answer {
                *found = self.made(required, witness);
            }
        }
        while self.problem.depth() > base {
            self.problem.pop();
        }
    }

    /// Pushes one requirement.
    fn require(&mut self, required: Required<'_>) {
        match required {
            Required::Arm(speaker, arm, truth) => {
                let arms = self.arms.get(speaker);
                match arms.and_then(|arms| arms.get(arm)) {
                    Some(arm) => self.problem.require(*arm, TruthSet::from(truth)),
                    None => self.problem.push(&Condition::Const(false), TruthSet::TRUE),
                };
            }
            Required::Part(condition, truth) => {
                self.problem.push(condition, TruthSet::from(truth));
            }
        }
    }

    /// The witness as a call, if it does what is required indeed; with a tool that people can
    /// read, where any would do.
    fn made(&self, required: &[Required<'_>], witness: Witness) -> Option<Made> {
        let is_free =
            self.scene.is_any_tool_free && witness.tool.as_deref().is_none_or(str::is_empty);
        let any = is_free.then(|| Some(ANY_TOOL.to_owned()));
        let tools = any.into_iter().chain([witness.tool.clone()]);
        tools.into_iter().find_map(|tool| {
            let made = Made {
                tool,
                context: witness.context.clone(),
            };
            self.does(required, &made).then_some(made)
        })
    }

    fn does(&self, required: &[Required<'_>], made: &Made) -> bool {
        let call = made.call();
        required.iter().all(|required| match *required {
            Required::Arm(speaker, arm, wanted) => {
                let speaker = self.scene.speakers.get(speaker);
                let arm = speaker.and_then(|speaker| speaker.counts.arms.get(arm));
                arm.is_some_and(|arm| truth(&arm.arm.condition, &call) == wanted)
            }
            Required::Part(condition, wanted) => truth(condition, &call) == wanted,
        })
    }
}

fn steps(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
