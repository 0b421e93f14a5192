//! The flows that speak on one tool, and the search for contexts in which they come to a
//! certain decision together.

use std::ops::ControlFlow;

use crate::decision_space::{ConditionId, Problem, Space, TruthSet};
use crate::ir::{Compare, Condition, Literal, Operator, TOOL_NAME, Word};

use super::Subject;
use super::ways::{Ways, walk};

/// Most flows on one tool that are looked at together; the search goes as deep.
pub const MOST_SPEAKERS: usize = 64;

/// A flow that speaks on a tool: its ways, and its conditions in the problem.
#[derive(Debug)]
pub struct Speaker<'s, 'r> {
    /// The ways through the flow.
    pub ways: &'s Ways<'r>,
    /// By index in [`Ways::conditions`].
    pub conditions: Vec<ConditionId>,
}

/// Everything that a search on one tool needs.
#[derive(Debug)]
pub struct Question<'s, 'r> {
    /// The tool's name.
    pub tool: &'r str,
    /// The guards and the tool's governing flows, in source order.
    flows: Vec<&'s Ways<'r>>,
    is_tool: Condition,
    space: Space,
}

impl<'s, 'r> Question<'s, 'r> {
    /// The question for a tool; none when too many flows speak on it. `others` are conditions
    /// that it is to deal with besides those of the flows.
    pub fn new(subject: &'s Subject<'r>, tool: usize, others: &[Condition]) -> Option<Self> {
        let indexes = subject.speakers(tool);
        if indexes.len() > MOST_SPEAKERS {
            return None;
        }
        let tool = subject.rulebook.tools.get(tool)?.name.as_str();
        let is_tool = Condition::Compare(Compare {
            name: vec![TOOL_NAME.to_owned()],
            op: Operator::Equal,
            value: Literal::String(tool.to_owned()),
        });
        let flows: Vec<&Ways<'r>> = indexes
            .into_iter()
            .filter_map(|index| subject.ways.get(index))
            .collect();
        let read = flows
            .iter()
            .flat_map(|ways| ways.conditions.iter().copied());
        let space = Space::of(read.chain([&is_tool]).chain(others));
        Some(Self {
            tool,
            flows,
            is_tool,
            space,
        })
    }

    /// A problem without requirements, and the flows that speak on the tool.
    pub fn problem(&self) -> (Problem<'_>, Vec<Speaker<'s, 'r>>) {
        let mut problem = Problem::new(&self.space);
        let speakers = self
            .flows
            .iter()
            .map(|ways| Speaker {
                ways,
                conditions: problem.add_all(&ways.conditions),
            })
            .collect();
        (problem, speakers)
    }

    /// Requires `$tool_name` to be the tool: what every search does first.
    pub fn require_tool(&self, problem: &mut Problem<'_>) {
        problem.push(&self.is_tool, TruthSet::TRUE);
    }
}

/// What is called at each context found: with the problem as it stands there.
type Visit<'v, B> = dyn FnMut(&mut Problem<'_>, &mut u64) -> ControlFlow<B> + 'v;

/// Visits the ways of all speakers together that allow the tool: no word is refuse or clarify,
/// and one at least is allow.
pub fn allowed<B>(
    speakers: &[Speaker<'_, '_>],
    tool: &str,
    problem: &mut Problem<'_>,
    budget: &mut u64,
    visit: &mut Visit<'_, B>,
) -> ControlFlow<Option<B>> {
    together(
        speakers,
        tool,
        problem,
        budget,
        Wanted::Allowed,
        false,
        visit,
    )
}

/// Visits ways that do not allow the tool: one speaker refuses or asks, or none allows.
pub fn not_allowed<B>(
    speakers: &[Speaker<'_, '_>],
    tool: &str,
    problem: &mut Problem<'_>,
    budget: &mut u64,
    visit: &mut Visit<'_, B>,
) -> ControlFlow<Option<B>> {
    for speaker in speakers {
        walk(
            speaker.ways,
            &speaker.conditions,
            problem,
            budget,
            &mut |problem, _, outcome, budget| match outcome.word(speaker.ways.kind, tool) {
                Word::Refuse(_) | Word::Clarify(_) => visit(problem, budget),
                Word::Allow | Word::NoMatch => ControlFlow::Continue(()),
            },
        )?;
    }
    together(
        speakers,
        tool,
        problem,
        budget,
        Wanted::NoMatch,
        false,
        visit,
    )
}

#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    Allowed,
    NoMatch,
}

/// Recursion over speakers, of which there are at most [`MOST_SPEAKERS`].
fn together<B>(
    speakers: &[Speaker<'_, '_>],
    tool: &str,
    problem: &mut Problem<'_>,
    budget: &mut u64,
    wanted: Wanted,
    allows: bool,
    visit: &mut Visit<'_, B>,
) -> ControlFlow<Option<B>> {
    let Some((speaker, rest)) = speakers.split_first() else {
        if wanted == Wanted::Allowed && !allows {
            return ControlFlow::Continue(());
        }
        return match visit(problem, budget) {
            ControlFlow::Break(found) => ControlFlow::Break(Some(found)),
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
        };
    };
    let flat = walk(
        speaker.ways,
        &speaker.conditions,
        problem,
        budget,
        &mut |problem, _, outcome, budget| {
            let allows = match outcome.word(speaker.ways.kind, tool) {
                Word::Refuse(_) | Word::Clarify(_) => return ControlFlow::Continue(()),
                Word::Allow if wanted == Wanted::NoMatch => return ControlFlow::Continue(()),
                Word::Allow => true,
                Word::NoMatch => allows,
            };
            together(rest, tool, problem, budget, wanted, allows, visit)
        },
    );
    match flat {
        ControlFlow::Continue(()) => ControlFlow::Continue(()),
        ControlFlow::Break(None) => ControlFlow::Break(None),
        ControlFlow::Break(Some(inner)) => ControlFlow::Break(inner),
    }
}
