//! Names whose absence allows a call that their presence would not (contract section 5).

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use crate::decision_space::TruthSet;
use crate::diagnostics::{Diagnostic, Sink, codes::analyses};
use crate::ir::{Condition, Name};
use crate::text::{Span, quoted, visible};

use super::speakers::{Question, Speaker, allowed, not_allowed};
use super::{BUDGET, Example, Subject, not_decided};

/// Reports each name once, with the first tool that it lets through by being absent.
///
/// Only a name that is read as a boolean alone can do so: a comparison without its value decides
/// nothing, and what is decided without a value stays so with any.
pub fn check(subject: &Subject<'_>, sink: &mut Sink) {
    let bare: Vec<BTreeSet<&Name>> = subject
        .ways
        .iter()
        .map(|ways| {
            ways.conditions
                .iter()
                .copied()
                .flat_map(bare_names)
                .collect()
        })
        .collect();
    let mut tools_by_name: BTreeMap<&Name, Vec<usize>> = BTreeMap::new();
    for tool in 0..subject.rulebook.tools.len() {
        let speakers = subject.speakers(tool);
        let names = speakers.iter().filter_map(|flow| bare.get(*flow)).flatten();
        for name in names.copied().collect::<BTreeSet<_>>() {
            tools_by_name.entry(name).or_default().push(tool);
        }
    }
    let twin = Condition::IsTrue(twin_name());
    let questions: Vec<OnceCell<Option<Question<'_, '_>>>> = subject
        .rulebook
        .tools
        .iter()
        .map(|_| OnceCell::new())
        .collect();
    for (name, tools) in tools_by_name {
        for index in tools {
            let Some(question) = questions.get(index) else {
                continue;
            };
            let question =
                question.get_or_init(|| Question::new(subject, index, std::slice::from_ref(&twin)));
            let found = question
                .as_ref()
                .and_then(|question| look(question, name, &twin));
            if matches!(found, Some(None)) {
                continue;
            }
            let Some(tool) = subject.rulebook.tools.get(index) else {
                continue;
            };
            let place = place_of(subject, index, name);
            let Some(example) = found.flatten() else {
                sink.push(not_decided(
                    place,
                    &format!(
                        "whether {} is allowed by the absence of {}",
                        quoted(&tool.name),
                        dollar(name)
                    ),
                ));
                continue;
            };
            sink.push(fails_open(name, &tool.name, &example, place));
            break;
        }
    }
}

/// A name that no host can send: it stands for the name in question where that is true.
fn twin_name() -> Name {
    vec![String::new(), "present".to_owned()]
}

fn dollar(name: &[String]) -> String {
    quoted(&format!("${}", name.join(".")))
}

/// The names that a condition reads alone.
fn bare_names(condition: &Condition) -> impl Iterator<Item = &Name> {
    condition.leaves().filter_map(|leaf| match leaf {
        Condition::IsTrue(name) | Condition::NotTrue(name) => Some(name),
        _ => None,
    })
}

fn reads_bare(condition: &Condition, name: &Name) -> bool {
    bare_names(condition).any(|read| read == name)
}

/// The smallest context without the name that allows the tool, though with the name true and
/// all else the same it would not; the outer none when that was not found out.
fn look(question: &Question<'_, '_>, name: &Name, twin: &Condition) -> Option<Option<Example>> {
    let tool = question.tool;
    let (mut problem, absent) = question.problem();
    // In the second copy of the flows the name is another one, which is true.
    let twin_name = twin.name()?;
    let present: Vec<Speaker<'_, '_>> = absent
        .iter()
        .map(|speaker| Speaker {
            ways: speaker.ways,
            conditions: speaker
                .ways
                .conditions
                .iter()
                .zip(&speaker.conditions)
                .map(|(condition, id)| {
                    if reads_bare(condition, name) {
                        problem.add(&renamed(condition, name, twin_name))
                    } else {
                        *id
                    }
                })
                .collect(),
        })
        .collect();
    question.require_tool(&mut problem);
    problem.push(&Condition::IsTrue(name.clone()), TruthSet::FALSE);
    problem.push(twin, TruthSet::TRUE);
    let mut budget = BUDGET;
    let mut best: Option<Example> = None;
    let searched = allowed::<()>(
        &absent,
        tool,
        &mut problem,
        &mut budget,
        &mut |problem, budget| {
            let refused = not_allowed::<()>(&present, tool, problem, budget, &mut |problem, _| {
                let names = problem.least_names();
                if best.as_ref().is_some_and(|best| names > best.names) {
                    return ControlFlow::Continue(());
                }
                let Some(example) = Example::smallest(problem) else {
                    return ControlFlow::Break(());
                };
                if best.as_ref().is_none_or(|best| example < *best) {
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
fn place_of(subject: &Subject<'_>, tool: usize, name: &Name) -> Span {
    subject
        .speakers(tool)
        .into_iter()
        .filter_map(|index| Some((subject.ways.get(index)?, subject.places.flows.get(index)?)))
        .flat_map(|(ways, place)| {
            let spans = place.ifs.iter().flat_map(|of_if| &of_if.arms);
            ways.conditions.iter().zip(spans)
        })
        .find(|(condition, _)| reads_bare(condition, name))
        .map_or(Span::default(), |(_, span)| {
            subject.places.read_in(name, *span)
        })
}

fn fails_open(name: &Name, tool: &str, example: &Example, place: Span) -> Diagnostic {
    Diagnostic::new(
        &analyses::FAILS_OPEN,
        place,
        format!(
            "fails open: without {} the call of {} is allowed in the context {}, and with it true it is not",
            dollar(name),
            quoted(tool),
            quoted(&example.context)
        ),
    )
    .with_label("absent, false and wrongly typed are all the same here")
    .with_help(format!(
        "`${} == False` needs the host to say so: without the value nothing is decided, and the call is refused",
        visible(&name.join("."))
    ))
}
