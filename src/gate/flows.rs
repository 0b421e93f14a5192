//! Flows compiled: trees of decisions, at whose ends a branch has its words.

use std::collections::BTreeMap;

use crate::evaluator::Truth;
use crate::ir::{
    Branch, BranchSummary, Condition, Flow, FlowKind, RULE_NO_MATCH, Rulebook, UNDECIDED, Word,
};

use super::conditions::{Call, ConditionId, Conditions, Facts};
use super::names::Names;
use super::table::{index, number, part};

/// A word: its weight, so that the greatest wins, and the number of its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) weight: Weight,
    pub(super) rule: u32,
}

/// Words by what goes before what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// A guard that does not speak.
    Silent,
    NoMatch,
    Allow,
    Clarify,
    Refuse,
}

/// The number of the rule that is no text at all.
const RULE_NONE: u32 = 0;

/// No flow speaks.
pub(super) const SILENT: Said = Said {
    weight: Weight::Silent,
    rule: RULE_NONE,
};

/// A flow that does not decide refuses.
pub(super) const REFUSED: Said = Said {
    weight: Weight::Refuse,
    rule: 1,
};

/// What a way leads to: a decision, or the end of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Target(u32);

impl Target {
    /// Nothing: no branch takes this way.
    const NOWHERE: Self = Self(u32::MAX);
    const BRANCH: u32 = 1 << 31;

    fn decision(at: usize) -> Self {
        Self(number(at))
    }

    fn branch(at: usize) -> Self {
        Self(number(at) | Self::BRANCH)
    }
}

/// An `if` as some paths meet it.
#[derive(Clone, Copy, Debug)]
struct Decision {
    /// The arms, from the first to before the end.
    arms: (u32, u32),
    /// The way past all arms.
    past: Target,
}

#[derive(Clone, Copy, Debug)]
struct Arm {
    condition: ConditionId,
    taken: Target,
}

/// The end of a branch. In a flow that governs one tool the word on that tool is the word on
/// any, since no other asks.
#[derive(Clone, Copy, Debug)]
struct Ending {
    /// The word on tools that the branch does not run.
    otherwise: Said,
    /// The words on tools that it runs, from the first to before the end.
    runs: (u32, u32),
}

/// All flows that govern or guard.
#[derive(Debug)]
pub(super) struct Flows {
    conditions: Conditions,
    decisions: Vec<Decision>,
    arms: Vec<Arm>,
    endings: Vec<Ending>,
    /// Numbers of tools, ascending in each branch, and the word on each.
    runs: Vec<(u32, Said)>,
    /// Where each flow begins, by its place in the rulebook.
    begins: Vec<Target>,
    rules: Rules,
}

/// The rules that decisions name.
#[derive(Debug)]
struct Rules(Vec<Box<str>>);

impl Flows {
    /// Compiles the flows of a rulebook. `tool` gives the number of a tool's name, `only_tool`
    /// the name of the one tool that a flow governs, by the flow's place.
    pub(super) fn new<'a>(
        rulebook: &'a Rulebook,
        names: &'a Names,
        tool: impl Fn(&str) -> Option<u32>,
        only_tool: impl Fn(usize) -> Option<&'a str>,
    ) -> Self {
        let mut builder = Builder {
            names,
            tool,
            only_tool: None,
            rules: BTreeMap::from([("", RULE_NONE), (RULE_NO_MATCH, REFUSED.rule)]),
            flows: Self {
                conditions: Conditions::default(),
                decisions: Vec::new(),
                arms: Vec::new(),
                endings: Vec::new(),
                runs: Vec::new(),
                begins: Vec::with_capacity(rulebook.flows.len()),
                rules: Rules(vec!["".into(), RULE_NO_MATCH.into()]),
            },
        };
        for (flow, at) in rulebook.flows.iter().zip(0..) {
            builder.only_tool = only_tool(at);
            let begin = match flow.kind {
                FlowKind::Dialogue => Target::NOWHERE,
                FlowKind::Governing | FlowKind::Guard => builder.flow(flow),
            };
            builder.flows.begins.push(begin);
        }
        builder.flows
    }

    /// The text of a rule.
    #[inline]
    pub(super) fn rule(&self, rule: u32) -> &str {
        self.rules.0.get(index(rule)).map_or("", |rule| rule)
    }

    /// The word of a flow on a tool.
    #[inline]
    pub(super) fn word<F: Facts>(
        &self,
        flow: u32,
        tool: Option<u32>,
        call: &mut Call<'_, F>,
    ) -> Said {
        let Some(ending) = self.ending(flow, call) else {
            return REFUSED;
        };
        let (start, end) = ending.runs;
        if start == end {
            return ending.otherwise;
        }
        let runs = part(&self.runs, (start, end));
        let found = tool.and_then(|tool| {
            let at = runs.binary_search_by_key(&tool, |(run, _)| *run).ok()?;
            runs.get(at)
        });
        found.map_or(ending.otherwise, |(_, said)| *said)
    }

    /// The end of the branch that holds; none when the flow is undecided.
    #[inline]
    fn ending<F: Facts>(&self, flow: u32, call: &mut Call<'_, F>) -> Option<&Ending> {
        let mut target = *self.begins.get(index(flow))?;
        // Each decision leads to one further down in the tree.
        while target.0 & Target::BRANCH == 0 {
            let decision = self.decisions.get(index(target.0))?;
            let (start, end) = decision.arms;
            let arms = self.arms.get(index(start)..index(end))?;
            target = decision.past;
            for arm in arms {
                match self.conditions.truth(arm.condition, call) {
                    Truth::True => {
                        target = arm.taken;
                        break;
                    }
                    Truth::False => {}
                    Truth::Unknown => return None,
                }
            }
        }
        if target == Target::NOWHERE {
            return None;
        }
        self.endings.get(index(target.0 & !Target::BRANCH))
    }
}

struct Builder<'a, T> {
    names: &'a Names,
    tool: T,
    /// That of the flow in hand.
    only_tool: Option<&'a str>,
    rules: BTreeMap<&'a str, u32>,
    flows: Flows,
}

/// Where a target is to be written.
#[derive(Clone, Copy)]
enum Place {
    Begin,
    Arm(usize),
    Past(usize),
}

/// Neighbouring branches that made the same choices up to a depth.
struct Ways {
    branches: (usize, usize),
    depth: usize,
    place: Place,
}

impl<'a, T: Fn(&str) -> Option<u32>> Builder<'a, T> {
    fn flow(&mut self, flow: &'a Flow) -> Target {
        let conditions: Vec<Vec<ConditionId>> = flow
            .ifs
            .iter()
            .map(|decision| {
                let arms = decision.arms.iter();
                arms.map(|arm| self.flows.conditions.add(self.names, &arm.condition))
                    .collect()
            })
            .collect();
        let first_ending = self.flows.endings.len();
        for branch in &flow.branches {
            let ending = self.ending(flow.kind, branch);
            self.flows.endings.push(ending);
        }
        let mut begin = Target::NOWHERE;
        let mut rest = vec![Ways {
            branches: (0, flow.branches.len()),
            depth: 0,
            place: Place::Begin,
        }];
        while let Some(ways) = rest.pop() {
            let place = ways.place;
            let target = self.ways(flow, &conditions, first_ending, &ways, &mut rest);
            match place {
                Place::Begin => begin = target,
                Place::Arm(at) => {
                    if let Some(arm) = self.flows.arms.get_mut(at) {
                        arm.taken = target;
                    }
                }
                Place::Past(at) => {
                    if let Some(decision) = self.flows.decisions.get_mut(at) {
                        decision.past = target;
                    }
                }
            }
        }
        begin
    }

    /// What branches that go together up to here lead to. The ways on are added to the rest.
    fn ways(
        &mut self,
        flow: &Flow,
        conditions: &[Vec<ConditionId>],
        first_ending: usize,
        ways: &Ways,
        rest: &mut Vec<Ways>,
    ) -> Target {
        let (start, end) = ways.branches;
        let branches = flow.branches.get(start..end).unwrap_or_default();
        let Some(first) = branches.first() else {
            return Target::NOWHERE;
        };
        let Some(choice) = first.path.get(ways.depth) else {
            return Target::branch(first_ending + start);
        };
        let found = flow
            .if_index(&choice.if_id)
            .and_then(|at| flow.ifs.get(at).zip(conditions.get(at)));
        let Some((decision, conditions)) = found else {
            return Target::NOWHERE;
        };
        let mut groups = groups(branches, ways.depth, start);
        let at = self.flows.decisions.len();
        let first_arm = self.flows.arms.len();
        let mut past = None;
        for ((arm, condition), way) in decision.arms.iter().zip(conditions).zip(1..) {
            match arm.condition {
                Condition::Const(false) => continue,
                // An `else`: whatever stands behind it is never reached.
                Condition::Const(true) => {
                    past = Some(way);
                    break;
                }
                _ => {}
            }
            let arm = self.flows.arms.len();
            self.flows.arms.push(Arm {
                condition: *condition,
                taken: Target::NOWHERE,
            });
            if let Some(branches) = groups.remove(&Some(way)) {
                rest.push(Ways {
                    branches,
                    depth: ways.depth + 1,
                    place: Place::Arm(arm),
                });
            }
        }
        self.flows.decisions.push(Decision {
            arms: (number(first_arm), number(self.flows.arms.len())),
            past: Target::NOWHERE,
        });
        if let Some(branches) = groups.remove(&past) {
            rest.push(Ways {
                branches,
                depth: ways.depth + 1,
                place: Place::Past(at),
            });
        }
        Target::decision(at)
    }

    fn ending(&mut self, kind: FlowKind, branch: &'a Branch) -> Ending {
        let summary = BranchSummary::of(branch);
        let start = number(self.flows.runs.len());
        if kind == FlowKind::Guard {
            return Ending {
                otherwise: summary.guard_word().map_or(SILENT, |word| self.said(word)),
                runs: (start, start),
            };
        }
        if let Some(tool) = self.only_tool {
            return Ending {
                otherwise: self.said(summary.word(tool)),
                runs: (start, start),
            };
        }
        let mut runs = Vec::new();
        // A name that no run has, so that the word is that on any other tool.
        let mut other = String::from(" ");
        for (name, _) in summary.runs() {
            other.push_str(name);
            if let Some(tool) = (self.tool)(name) {
                runs.push((tool, self.said(summary.word(name))));
            }
        }
        runs.sort_unstable_by_key(|(tool, _)| *tool);
        self.flows.runs.extend(runs);
        Ending {
            otherwise: self.said(summary.word(&other)),
            runs: (start, number(self.flows.runs.len())),
        }
    }

    fn said(&mut self, word: Word<'a>) -> Said {
        let weight = match word {
            UNDECIDED => return REFUSED,
            Word::NoMatch => Weight::NoMatch,
            Word::Allow => Weight::Allow,
            Word::Clarify(_) => Weight::Clarify,
            Word::Refuse(_) => Weight::Refuse,
        };
        let rules = &mut self.flows.rules.0;
        let rule = *self.rules.entry(word.rule()).or_insert_with_key(|rule| {
            rules.push(Box::from(*rule));
            number(rules.len() - 1)
        });
        Said { weight, rule }
    }
}

/// The first neighbours of each way at a depth.
fn groups(
    branches: &[Branch],
    depth: usize,
    start: usize,
) -> BTreeMap<Option<usize>, (usize, usize)> {
    let mut groups: BTreeMap<Option<usize>, (usize, usize)> = BTreeMap::new();
    let mut last = None;
    for (branch, at) in branches.iter().zip(start..) {
        let way = branch.path.get(depth).map(|choice| choice.arm);
        if let Some(way) = way {
            match groups.get_mut(&way) {
                Some(group) if last == Some(way) && group.1 == at => group.1 = at + 1,
                Some(_) => {}
                None => {
                    groups.insert(way, (at, at + 1));
                }
            }
        }
        last = way;
    }
    groups
}
