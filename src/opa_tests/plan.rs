//! Which calls are tested: one for each branch on each tool that it has a word of its own on, what
//! lies beside it at each condition of its path, one for each two words of which one goes before
//! the other, and inputs of odd shapes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, json};

use super::cases::{Case, Cases, Made};
use super::order::{Kind, Precedence, Slot, Voice, deciding};
use super::parts::decisive_parts;
use super::samples::{Range, samples};
use super::scene::{Required, Scene, Stage};
use crate::coverage::{Coverage, FlowCoverage, Reason, Target, requirements};
use crate::decision_space::{compared_tools, conditions_of};
use crate::evaluator::{Truth, decisive, words};
use crate::ir::{BranchSummary, FlowKind, Rulebook, Tool, Word};
use crate::test_suite::ANY_TOOL;
use crate::text::visible_in_comment;

/// Most steps of solving that all calls together may take.
const MOST_STEPS: u64 = 10_000_000;
/// Most branches on which a part of a condition is tried.
const MOST_WAYS: usize = 4;
/// Most tests behind which no more are made of what lies beside a branch.
const MOST_CASES: usize = 6_000;
/// Most calls that are made of what lies beside others: most of a long chain are there already.
const MOST_TRIES: usize = 40_000;
/// Most bytes of inputs behind which no more calls are added at all.
const MOST_BYTES: usize = 5 << 20;

/// The tests of a rulebook.
pub struct Plan {
    /// The tests, by flow and line.
    pub cases: Vec<Case>,
    /// What has no test, and why, a line each.
    pub left_out: Vec<String>,
    /// Why a branch has no test, by its id.
    pub branches: BTreeMap<String, &'static str>,
}

/// A call that takes a branch.
struct Base {
    /// The index of the flow in the coverage.
    flow: usize,
    branch: usize,
    made: Made,
}

/// Plans the tests.
pub fn plan(rulebook: &Rulebook) -> Plan {
    let coverage = Coverage::of(rulebook);
    let mut planner = Planner {
        rulebook,
        coverage: &coverage,
        reached: coverage.clone(),
        cases: Cases::of(rulebook),
        bases: Vec::new(),
        left: MOST_STEPS,
        is_full: false,
        is_counted: false,
        decided: BTreeSet::new(),
        slots: Vec::new(),
        possible: BTreeSet::new(),
        unreached: BTreeMap::new(),
        tries: 0,
    };
    planner.branches();
    planner.beside_each_arm();
    planner.odd_inputs();
    planner.near_names();
    let mut left_out = planner.gaps();
    left_out.extend(planner.undecided_slots());
    planner.is_counted = true;
    left_out.extend(planner.beside_each_branch());
    Plan {
        cases: planner.cases.into_sorted(),
        left_out,
        branches: planner.unreached,
    }
}

struct Planner<'c, 'r> {
    rulebook: &'r Rulebook,
    coverage: &'c Coverage<'r>,
    /// What the calls so far reach.
    reached: Coverage<'r>,
    cases: Cases<'r>,
    bases: Vec<Base>,
    left: u64,
    is_full: bool,
    /// Whether what calls reach is counted no more: long chains take their time.
    is_counted: bool,
    /// The words that decide some call, by tool; by none for the tools that no flow governs.
    decided: BTreeSet<(Option<String>, Slot)>,
    /// The words that could decide, in the order in which they do.
    slots: Vec<(Option<String>, Slot)>,
    /// Those of them that some branch, or a value that lacks, leads to.
    possible: BTreeSet<(Option<String>, Slot)>,
    /// Why a branch has no test, by its id.
    unreached: BTreeMap<String, &'static str>,
    /// How many calls beside others were made, those that were there already included.
    tries: usize,
}

impl<'c, 'r> Planner<'c, 'r> {
    fn add(&mut self, flow: Option<usize>, line: usize, what: &str, made: &Made) {
        if self.cases.bytes() >= MOST_BYTES {
            self.is_full = true;
            return;
        }
        let flow = flow
            .and_then(|flow| self.coverage.flows.get(flow))
            .and_then(|counts| {
                let mut flows = self.rulebook.flows.iter();
                flows.position(|flow| flow.id == counts.flow.id)
            });
        let is_new = self.cases.add(flow, line, what, made);
        if is_new && !self.is_counted {
            let call = made.call();
            self.reached.record(&call);
            let governed = call
                .tool()
                .filter(|tool| self.rulebook.tool(tool).is_some());
            let words = words(self.rulebook, &call);
            if let Some(slot) = deciding(self.rulebook, &words, governed) {
                self.decided.insert((governed.map(str::to_owned), slot));
            }
        }
    }

    /// A call for each branch, tool by tool.
    fn branches(&mut self) {
        let mut reached: BTreeSet<(usize, usize)> = BTreeSet::new();
        let scene = Scene::of(self.coverage, None);
        if !scene.speakers.is_empty() {
            let mut stage = scene.stage(&mut self.left);
            for speaker in 0..scene.speakers.len() {
                self.branches_of(speaker, &scene, &mut stage, &mut reached, &|_| true);
            }
            self.precedence(&scene, &mut stage, None);
        }
        let mut asked: BTreeMap<usize, &'r Tool> = BTreeMap::new();
        for tool in self
            .rulebook
            .tools
            .iter()
            .filter(|tool| !tool.flows.is_empty())
        {
            let scene = Scene::of(self.coverage, Some(&tool.name));
            let mut stage = scene.stage(&mut self.left);
            for (at, speaker) in scene.speakers.iter().enumerate() {
                let flow = speaker.counts.flow;
                if flow.kind == FlowKind::Guard {
                    let mut compared = conditions_of(flow).flat_map(compared_tools);
                    if compared.any(|compared| compared == tool.name) {
                        let known = reached.clone();
                        let is_new = |branch| !known.contains(&(speaker.index, branch));
                        self.branches_of(at, &scene, &mut stage, &mut reached, &is_new);
                    }
                    continue;
                }
                let first = *asked.entry(speaker.index).or_insert(tool);
                let is_other = |branch: usize| {
                    let branch = flow.branches.get(branch).map(BranchSummary::of);
                    branch.is_some_and(|one| {
                        let mut runs = one.runs();
                        runs.any(|(name, _)| name == tool.name)
                            || one.word(&tool.name) != one.word(&first.name)
                    })
                };
                let is_first = first.name == tool.name;
                let is_asked = |branch| is_first || is_other(branch);
                self.branches_of(at, &scene, &mut stage, &mut reached, &is_asked);
            }
            self.precedence(&scene, &mut stage, Some(tool));
        }
    }

    /// Calls for the branches of one speaker that are asked for, and for the parts of their
    /// conditions.
    fn branches_of(
        &mut self,
        at: usize,
        scene: &Scene<'c, 'r>,
        stage: &mut Stage<'_, '_, 'r>,
        reached: &mut BTreeSet<(usize, usize)>,
        is_asked: &dyn Fn(usize) -> bool,
    ) {
        let Some(speaker) = scene.speakers.get(at) else {
            return;
        };
        let counts = speaker.counts;
        let paths: Vec<(usize, Vec<Required<'r>>)> = (0..counts.flow.branches.len())
            .filter(|branch| is_asked(*branch))
            .map(|branch| (branch, path(counts, at, branch)))
            .collect();
        let wanted: Vec<Vec<Required<'r>>> = paths.iter().map(|(_, path)| path.clone()).collect();
        let found = stage.ask(&[at], &wanted, &mut self.left);
        for ((branch, _), made) in paths.iter().zip(found) {
            let (Some(made), Some(about)) = (made, counts.flow.branches.get(*branch)) else {
                continue;
            };
            reached.insert((speaker.index, *branch));
            let what = format!("branch {}", branch + 1);
            self.add(Some(speaker.index), about.line, &what, &made);
            self.bases.push(Base {
                flow: speaker.index,
                branch: *branch,
                made,
            });
        }
        self.parts_of(speaker.index, at, counts, &paths, stage);
    }

    /// For each leaf of a condition that is so for one of several reasons, a call on which this leaf
    /// alone is the reason, and a branch goes on behind it.
    fn parts_of(
        &mut self,
        index: usize,
        at: usize,
        counts: &FlowCoverage<'r>,
        paths: &[(usize, Vec<Required<'r>>)],
        stage: &mut Stage<'_, '_, 'r>,
    ) {
        let mut tries: BTreeMap<(usize, bool), (usize, BTreeSet<usize>)> = BTreeMap::new();
        for (branch, path) in paths {
            for (place, required) in path.iter().enumerate() {
                let Required::Arm(_, number, truth) = *required else {
                    continue;
                };
                let Some(arm) = counts.arms.get(number) else {
                    continue;
                };
                let key = (number, truth == Truth::True);
                let (tried, done) = tries.entry(key).or_default();
                if *tried >= MOST_WAYS {
                    continue;
                }
                *tried += 1;
                let parts = decisive_parts(&arm.arm.condition, truth)
                    .into_iter()
                    .enumerate();
                let (numbers, wanted): (Vec<usize>, Vec<Vec<Required<'r>>>) = parts
                    .filter(|(part, _)| !done.contains(part))
                    .map(|(part, required)| {
                        let mut wanted = path.clone();
                        wanted.splice(place..=place, required);
                        (part, wanted)
                    })
                    .unzip();
                let found = stage.ask(&[at], &wanted, &mut self.left);
                for (part, made) in numbers.into_iter().zip(found) {
                    let Some(made) = made else { continue };
                    done.insert(part);
                    self.add(Some(index), arm.arm.line, "by one part", &made);
                    self.bases.push(Base {
                        flow: index,
                        branch: *branch,
                        made,
                    });
                }
            }
        }
    }

    /// For each two words on a tool of which one goes before the other, a call that earns both.
    fn precedence(
        &mut self,
        scene: &Scene<'c, 'r>,
        stage: &mut Stage<'_, '_, 'r>,
        tool: Option<&Tool>,
    ) {
        let name = tool.map(|tool| tool.name.clone());
        let precedence = Precedence::of(scene, name.as_deref());
        for entry in precedence.entries() {
            let slot = (name.clone(), entry.slot.clone());
            for way in entry.ways() {
                if self.decided.contains(&slot) {
                    break;
                }
                let found = stage.ask(&[entry.speaker], std::slice::from_ref(way), &mut self.left);
                let speaker = scene.speakers.get(entry.speaker);
                if let (Some(made), Some(speaker)) = (found.into_iter().flatten().next(), speaker) {
                    let flow = speaker.counts.flow;
                    self.add(Some(speaker.index), flow.line, entry.slot.1.as_str(), &made);
                }
            }
            if entry.ways().next().is_some() {
                self.possible.insert(slot.clone());
            }
            self.slots.push(slot);
        }
        for (own, ways) in precedence.pairs() {
            // The first that exists is enough.
            let made = ways.iter().find_map(|way| {
                stage
                    .ask(&own, std::slice::from_ref(way), &mut self.left)
                    .pop()?
            });
            let [first, second] = own;
            let flows = [first, second].map(|at| scene.speakers.get(at));
            if let (Some(made), [Some(first), Some(second)]) = (made, flows) {
                let what = format!("beside {}", second.counts.flow.name);
                self.add(Some(first.index), first.counts.flow.line, &what, &made);
            }
        }
    }

    /// What lies beside each arm's condition where it is first met, taken and not.
    fn beside_each_arm(&mut self) {
        let bases = std::mem::take(&mut self.bases);
        let mut seen = BTreeSet::new();
        for base in &bases {
            let Some(counts) = self.coverage.flows.get(base.flow) else {
                continue;
            };
            for (arm, holds) in arms_of(counts, base.branch) {
                if seen.insert((base.flow, arm, holds)) {
                    self.beside(base, counts, arm, Range::Wide);
                }
            }
        }
        self.bases = bases;
    }

    /// What lies beside each condition on the path of each branch, as far as there is room.
    fn beside_each_branch(&mut self) -> Option<String> {
        let bases = std::mem::take(&mut self.bases);
        let mut done = 0;
        'all: for base in &bases {
            let Some(counts) = self.coverage.flows.get(base.flow) else {
                continue;
            };
            for (arm, _) in arms_of(counts, base.branch) {
                if self.has_enough() {
                    break 'all;
                }
                self.beside(base, counts, arm, Range::Narrow);
            }
            done += 1;
        }
        (done < bases.len()).then(|| {
            format!(
                "{} of {} calls that take a branch: what lies beside their conditions is tested \
                 where each condition is met first, not on every way to it",
                bases.len() - done,
                bases.len()
            )
        })
    }

    /// Whether no more is made of what lies beside others.
    fn has_enough(&self) -> bool {
        self.cases.len() >= MOST_CASES || self.tries >= MOST_TRIES || self.is_full
    }

    fn beside(&mut self, base: &Base, counts: &FlowCoverage<'r>, arm: usize, range: Range) {
        let Some(arm) = counts.arms.get(arm) else {
            return;
        };
        for leaf in &arm.leaves {
            let name = leaf.leaf.name().map(|name| name.join(" "));
            for sample in samples(leaf.leaf, range) {
                if self.has_enough() {
                    return;
                }
                if let Some(made) = sample.applied(leaf.leaf, &base.made) {
                    self.tries += 1;
                    let what = format!("{} {}", name.as_deref().unwrap_or_default(), sample.what);
                    self.add(Some(base.flow), arm.arm.line, &what, &made);
                }
            }
        }
    }

    /// Calls of tools that nobody governs, and inputs that are no calls.
    fn odd_inputs(&mut self) {
        let mut other = ANY_TOOL.to_owned();
        let compared: BTreeSet<&str> = self
            .rulebook
            .flows
            .iter()
            .flat_map(conditions_of)
            .flat_map(compared_tools)
            .collect();
        while self.rulebook.tool(&other).is_some() || compared.contains(other.as_str()) {
            other.push_str("_2");
        }
        let nothing = |tool: &str| Made {
            tool: Some(tool.to_owned()),
            context: Map::new(),
        };
        for tool in &self.rulebook.tools {
            self.add(None, 0, "empty context", &nothing(&tool.name));
        }
        for tool in compared {
            self.add(None, 0, "empty context", &nothing(tool));
        }
        self.add(None, 0, "unknown", &nothing(&other));
        let tool = self.rulebook.tools.first();
        let tool = tool.map_or(other.as_str(), |tool| tool.name.as_str());
        let odd = [
            ("no_input", None),
            ("empty_input", Some(json!({}))),
            ("input_is_no_object", Some(json!([tool]))),
            ("no_context", Some(json!({"tool": tool}))),
            (
                "context_is_null",
                Some(json!({"context": null, "tool": tool})),
            ),
            (
                "context_is_an_array",
                Some(json!({"context": [true], "tool": tool})),
            ),
            (
                "context_is_a_string",
                Some(json!({"context": "true", "tool": tool})),
            ),
            ("no_tool", Some(json!({"context": {}}))),
            ("tool_is_null", Some(json!({"context": {}, "tool": null}))),
            (
                "tool_is_an_array",
                Some(json!({"context": {}, "tool": [tool]})),
            ),
            ("tool_is_a_number", Some(json!({"context": {}, "tool": 1}))),
        ];
        for (name, input) in odd {
            self.cases
                .add_input(None, 0, name.to_owned(), input.as_ref());
        }
    }

    /// Calls on which a guard speaks, of tools whose names come near those that a flow governs: what
    /// the guards say of a tool that is taken for another is not what they say here.
    fn near_names(&mut self) {
        let spoken = self.bases.iter().find(|base| {
            let governed = base.made.tool.as_deref();
            let is_governed = governed.is_some_and(|tool| self.rulebook.tool(tool).is_some());
            !is_governed && decisive(words_of(self.rulebook, &base.made)).is_some()
        });
        let Some((flow, made)) = spoken.map(|base| (base.flow, base.made.clone())) else {
            return;
        };
        for tool in &self.rulebook.tools {
            for near in [format!("x{}", tool.name), format!("{}x", tool.name)] {
                let made = Made {
                    tool: Some(near),
                    context: made.context.clone(),
                };
                let line = self.coverage.flows.get(flow).map(|counts| counts.flow.line);
                self.add(Some(flow), line.unwrap_or_default(), "near", &made);
            }
        }
    }

    /// Calls for what is not reached yet; what none reaches, in words.
    fn gaps(&mut self) -> Vec<String> {
        let gaps = self.reached.gaps();
        let mut left_out = Vec::new();
        for gap in &gaps.all {
            match &gap.reason {
                Reason::Missing(call) => {
                    if self.reached.count(gap.target) > 0 {
                        continue;
                    }
                    let made = Made {
                        tool: call.tool.clone(),
                        context: call.context.clone(),
                    };
                    let what = self.coverage.describe(gap.target);
                    let line = self.coverage.line(gap.target).unwrap_or_default();
                    self.add(gap.target.flow(), line, &what, &made);
                    if let Target::Branch { flow, branch } = gap.target {
                        self.bases.push(Base { flow, branch, made });
                    }
                }
                Reason::Impossible => {
                    left_out.push(self.gap(gap.target, "no context reaches it"));
                }
                Reason::NotDecided => {
                    left_out.push(self.gap(gap.target, "no call found in time"));
                }
            }
        }
        if self.is_full {
            left_out.push("more calls: the tests would pass their limit of bytes".to_owned());
        }
        left_out
    }

    /// What is not reached, and why.
    fn gap(&mut self, target: Target, why: &'static str) -> String {
        let title = self.title(target);
        if let Target::Branch { flow, branch } = target {
            let flow = self.coverage.flows.get(flow);
            let branch = flow.and_then(|counts| counts.flow.branches.get(branch));
            self.unreached
                .extend(branch.map(|branch| (branch.id.clone(), why)));
        }
        format!("{title}: {why}")
    }

    fn title(&self, target: Target) -> String {
        let line = self.coverage.line(target).unwrap_or_default();
        let what = visible_in_comment(&self.coverage.describe(target));
        let flow = target.flow().and_then(|flow| self.coverage.flows.get(flow));
        match (target, flow) {
            (Target::Branch { branch, .. }, Some(counts)) => {
                let id = counts.flow.branches.get(branch).map(|branch| &branch.id);
                let id = id.map_or("", String::as_str);
                format!("line {line}, branch {id}, {what}")
            }
            (_, Some(counts)) => format!("line {line}, flow {}, {what}", counts.flow.id),
            (_, None) => what,
        }
    }

    /// The words that decide no call that is tested.
    fn undecided_slots(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let mut slots = self.slots.clone();
        for tool in self
            .rulebook
            .tools
            .iter()
            .filter(|tool| !tool.flows.is_empty())
        {
            // The last word on a tool is there, though no branch says it.
            slots.push((Some(tool.name.clone()), (Voice::Nobody, Kind::NoMatch)));
        }
        slots.retain(|slot| !self.decided.contains(slot) && seen.insert(slot.clone()));
        let line = |slot: &(Option<String>, Slot)| {
            let (tool, (voice, kind)) = slot;
            let tool = match tool {
                Some(tool) => format!("tool {}", visible_in_comment(tool)),
                None => "every other tool".to_owned(),
            };
            let voice = match voice {
                Voice::Guards(0) => " by the first guards".to_owned(),
                Voice::Guards(before) => format!(" by the guards behind {before} of its flows"),
                Voice::Flow(flow) => format!(" by flow {flow}"),
                Voice::Nobody => String::new(),
            };
            let why = match (self.possible.contains(slot), kind) {
                (true, _) => "no call was found that it decides",
                (false, Kind::Undecided) => "each condition on the way is true or false",
                (false, _) => "each branch has a word on it",
            };
            format!("{tool}, {}{voice}: {why}", kind.as_str())
        };
        slots.iter().map(line).collect()
    }
}

fn words_of<'r>(rulebook: &'r Rulebook, made: &Made) -> Vec<Word<'r>> {
    let words = words(rulebook, &made.call());
    words.into_iter().map(|word| word.word).collect()
}

/// The arms on the path of a branch, each with whether it holds.
fn arms_of(counts: &FlowCoverage<'_>, branch: usize) -> Vec<(usize, bool)> {
    let branch = counts.flow.branches.get(branch);
    branch.map_or_else(Vec::new, |branch| requirements(counts, &branch.path))
}

/// The path of a branch, as what is required of the arms of a speaker.
pub fn path<'r>(counts: &FlowCoverage<'r>, speaker: usize, branch: usize) -> Vec<Required<'r>> {
    arms_of(counts, branch)
        .into_iter()
        .map(|(arm, holds)| Required::Arm(speaker, arm, Truth::from(holds)))
        .collect()
}
