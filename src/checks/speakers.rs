//! The flows that speak on one tool, and the search for contexts in which they come to a
//! certain decision together.

use std::ops::ControlFlow;

use crate::decision_space::{Problem, TruthSet};
use crate::ir::{
    Compare, Condition, Flow, FlowKind, Literal, Operator, Rulebook, TOOL_NAME, Tool, Word,
};

use super::ways::{Conditions, Way, walk, ways};

/// Most flows on one tool that are looked at together; the search goes as deep.
pub const MOST_SPEAKERS: usize = 64;

/// A flow that speaks on a tool, and its ways.
#[derive(Debug)]
pub struct Speaker<'f, 'c> {
    kind: FlowKind,
    ways: Vec<Way<'f, 'c>>,
}

/// The guards and the tool's governing flows, by index of the flow, in source order.
pub fn speakers(rulebook: &Rulebook, tool: &Tool) -> Vec<usize> {
    rulebook
        .flows
        .iter()
        .enumerate()
        .filter(|(_, flow)| flow.kind == FlowKind::Guard || tool.is_governed_by(flow))
        .map(|(index, _)| index)
        .collect()
}

/// The speakers' ways under the given conditions, by index of the flow.
pub fn with_ways<'f, 'c>(
    flows: &'f [Flow],
    indexes: &[usize],
    conditions: &'c [Conditions],
) -> Vec<Speaker<'f, 'c>> {
    indexes
        .iter()
        .filter_map(|index| {
            let flow = flows.get(*index)?;
            Some(Speaker {
                kind: flow.kind,
                ways: ways(flow, conditions.get(*index)?),
            })
        })
        .collect()
}

/// `$tool_name` is this tool: what every search on a tool requires first.
pub fn tool_is(tool: &str) -> Condition {
    Condition::Compare(Compare {
        name: vec![TOOL_NAME.to_owned()],
        op: Operator::Equal,
        value: Literal::String(tool.to_owned()),
    })
}

/// Requires `$tool_name` to be the tool.
pub fn push_tool(problem: &mut Problem<'_>, condition: &Condition) {
    problem.push(condition, TruthSet::TRUE);
}

/// What is called at each context found: with the problem as it stands there.
type Visit<'v, B> = dyn FnMut(&mut Problem<'_>, &mut usize) -> ControlFlow<B> + 'v;

/// Visits the ways of all speakers together that allow the tool: no word is refuse or clarify,
/// and one at least is allow.
pub fn allowed<B>(
    speakers: &[Speaker<'_, '_>],
    tool: &str,
    problem: &mut Problem<'_>,
    budget: &mut usize,
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
    budget: &mut usize,
    visit: &mut Visit<'_, B>,
) -> ControlFlow<Option<B>> {
    for speaker in speakers {
        walk(
            &speaker.ways,
            problem,
            budget,
            &mut |problem, way, budget| match way.outcome.word(speaker.kind, tool) {
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
    budget: &mut usize,
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
        &speaker.ways,
        problem,
        budget,
        &mut |problem, way, budget| {
            let allows = match way.outcome.word(speaker.kind, tool) {
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
