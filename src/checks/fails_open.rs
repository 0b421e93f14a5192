//! Names whose absence allows a call that their presence would not (contract section 5).

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use crate::decision_space::{Problem, Space, TruthSet};
use crate::diagnostics::{Diagnostic, Sink, codes::analyses};
use crate::ir::{Condition, Name, Rulebook, Tool};
use crate::lowering::Places;
use crate::text::{Span, quoted, visible};

use super::speakers::{
    MOST_SPEAKERS, allowed, not_allowed, push_tool, speakers, tool_is, with_ways,
};
use super::ways::{Conditions, conditions_of};
use super::{BUDGET, Example, not_decided};

/// Reports each name once, with the first tool that it lets through by being absent.
///
/// Only a name that is read as a boolean alone can do so: a comparison without its value decides
/// nothing, and what is decided without a value stays so with any.
pub fn check(rulebook: &Rulebook, places: &Places, sink: &mut Sink) {
    let conditions: Vec<Conditions> = rulebook.flows.iter().map(conditions_of).collect();
    let mut tools_by_name: BTreeMap<&Name, BTreeSet<usize>> = BTreeMap::new();
    for (index, tool) in rulebook.tools.iter().enumerate() {
        for flow in speakers(rulebook, tool) {
            for name in conditions.get(flow).into_iter().flat_map(bare_names) {
                tools_by_name.entry(name).or_default().insert(index);
            }
        }
    }
    for (name, tools) in tools_by_name {
        let tools = tools.iter().filter_map(|index| rulebook.tools.get(*index));
        for tool in tools {
            match look(rulebook, &conditions, tool, name) {
                Some(None) => {}
                Some(Some(example)) => {
                    let place = place_of(rulebook, places, &conditions, tool, name);
                    sink.push(fails_open(name, tool, &example, place));
                    break;
                }
                None => {
                    let place = place_of(rulebook, places, &conditions, tool, name);
                    sink.push(not_decided(
                        place,
                        &format!(
                            "whether {} is allowed by the absence of {}",
                            quoted(&tool.name),
                            dollar(name)
                        ),
                    ));
                }
            }
        }
    }
}

fn dollar(name: &[String]) -> String {
    quoted(&format!("${}", name.join(".")))
}

/// The names that conditions read alone.
fn bare_names(conditions: &Conditions) -> impl Iterator<Item = &Name> {
    let leaves = conditions.iter().flatten().flat_map(Condition::leaves);
    leaves.filter_map(|leaf| match leaf {
        Condition::IsTrue(name) | Condition::NotTrue(name) => Some(name),
        _ => None,
    })
}

/// The smallest context without the name that allows the tool, though with the name true and
/// all else the same it would not; the outer none when that was not found out.
fn look(
    rulebook: &Rulebook,
    conditions: &[Conditions],
    tool: &Tool,
    name: &Name,
) -> Option<Option<Example>> {
    let indexes = speakers(rulebook, tool);
    if indexes.len() > MOST_SPEAKERS {
        return None;
    }
    // In the second copy of the flows the name is another one, which is true.
    let twin = vec![String::new(), "present".to_owned()];
    let twins: Vec<Conditions> = conditions
        .iter()
        .enumerate()
        .map(|(index, of_flow)| {
            if !indexes.contains(&index) {
                return Vec::new();
            }
            let of_if = |arms: &Vec<Condition>| {
                arms.iter()
                    .map(|condition| renamed(condition, name, &twin))
                    .collect()
            };
            of_flow.iter().map(of_if).collect()
        })
        .collect();
    let absent = with_ways(&rulebook.flows, &indexes, conditions);
    let present = with_ways(&rulebook.flows, &indexes, &twins);
    let is_tool = tool_is(&tool.name);
    let (is_true, twin_is_true) = (Condition::IsTrue(name.clone()), Condition::IsTrue(twin));
    let fixed = [&is_tool, &is_true, &twin_is_true];
    let read = indexes.iter().filter_map(|index| conditions.get(*index));
    let twins_read = indexes.iter().filter_map(|index| twins.get(*index));
    let all = read.chain(twins_read).flatten().flatten();
    let space = Space::of(all.chain(fixed));
    let mut problem = Problem::new(&space);
    push_tool(&mut problem, &is_tool);
    problem.push(&is_true, TruthSet::FALSE);
    problem.push(&twin_is_true, TruthSet::TRUE);
    let mut budget = BUDGET;
    let mut best: Option<Example> = None;
    let searched = allowed::<()>(
        &absent,
        &tool.name,
        &mut problem,
        &mut budget,
        &mut |problem, budget| {
            let refused =
                not_allowed::<()>(&present, &tool.name, problem, budget, &mut |problem, _| {
                    if let Some(example) = Example::smallest(problem)
                        && best.as_ref().is_none_or(|best| example < *best)
                    {
                        best = Some(example);
                    }
                    ControlFlow::Continue(())
                });
            match refused {
                ControlFlow::Break(_) => ControlFlow::Break(()),
                ControlFlow::Continue(()) => ControlFlow::Continue(()),
            }
        },
    );
    match (best, searched) {
        (Some(example), _) => Some(Some(example)),
        (None, ControlFlow::Continue(())) => Some(None),
        (None, ControlFlow::Break(_)) => None,
    }
}

/// The condition with one boolean name in place of another.
fn renamed(condition: &Condition, from: &Name, to: &Name) -> Condition {
    match condition {
        Condition::All(parts) => {
            Condition::All(parts.iter().map(|part| renamed(part, from, to)).collect())
        }
        Condition::Any(parts) => {
            Condition::Any(parts.iter().map(|part| renamed(part, from, to)).collect())
        }
        Condition::IsTrue(name) if name == from => Condition::IsTrue(to.clone()),
        Condition::NotTrue(name) if name == from => Condition::NotTrue(to.clone()),
        other => other.clone(),
    }
}

/// The first condition in the tool's flows that reads the name alone.
fn place_of(
    rulebook: &Rulebook,
    places: &Places,
    conditions: &[Conditions],
    tool: &Tool,
    name: &Name,
) -> Span {
    speakers(rulebook, tool)
        .into_iter()
        .filter_map(|index| Some((conditions.get(index)?, places.flows.get(index)?)))
        .flat_map(|(of_flow, place)| of_flow.iter().zip(&place.ifs))
        .flat_map(|(arms, place)| arms.iter().zip(&place.arms))
        .find(|(condition, _)| {
            condition.leaves().any(|leaf| {
                matches!(leaf, Condition::IsTrue(read) | Condition::NotTrue(read) if read == name)
            })
        })
        .map_or(Span::default(), |(_, span)| places.read_in(name, *span))
}

fn fails_open(name: &Name, tool: &Tool, example: &Example, place: Span) -> Diagnostic {
    Diagnostic::new(
        &analyses::FAILS_OPEN,
        place,
        format!(
            "fails open: without {} the call of {} is allowed in the context {}, and with it true it is not",
            dollar(name),
            quoted(&tool.name),
            quoted(&example.context)
        ),
    )
    .with_label("absent, false and wrongly typed are all the same here")
    .with_help(format!(
        "`${} == False` needs the host to say so: without the value nothing is decided, and the call is refused",
        visible(&name.join("."))
    ))
}
