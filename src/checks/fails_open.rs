//! Names whose absence allows a call that their presence would not (contract section 5).

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use crate::decision_space::TruthSet;
use crate::diagnostics::{Diagnostic, Sink, codes::analyses};
use crate::ir::{Condition, Literal, Name, Operator, Word};
use crate::text::{Span, quoted, visible};

use super::speakers::{Question, Speaker, allowed, not_allowed};
use super::ways::Ways;
use super::{Example, Subject, not_decided};

/// Reports each name once, with the first tool that it lets through by being absent.
///
/// Only a name that is read as a boolean alone can do so: a comparison without its value decides
/// nothing, and what is decided without a value stays so with any.
pub fn check(subject: &Subject<'_>, sink: &mut Sink) {
    let mut tools_by_name: BTreeMap<&Name, Vec<usize>> = BTreeMap::new();
    let guards = subject.guards.iter().filter_map(|at| subject.ways.get(*at));
    let of_guards: BTreeSet<&Name> = guards.flat_map(|ways| suspects(ways, "")).collect();
    for (index, tool) in subject.rulebook.tools.iter().enumerate() {
        let governing = subject.governing(tool);
        let governing = governing.filter_map(|at| subject.ways.get(at));
        let mut names = of_guards.clone();
        names.extend(governing.flat_map(|ways| suspects(ways, &tool.name)));
        for name in names {
            tools_by_name.entry(name).or_default().push(index);
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
            if subject.is_exhausted() || sink.is_given_up() {
                return;
            }
            let Some(question) = questions.get(index) else {
                continue;
            };
            let question =
                question.get_or_init(|| Question::new(subject, index, std::slice::from_ref(&twin)));
            let found = question
                .as_ref()
                .and_then(|question| look(subject, question, name, &twin));
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

/// The names whose absence may let a call of the tool through, as far as one flow is concerned.
///
/// Where a name becomes true, and the flow goes another way from some condition on, that is into
/// the condition's arm when the condition reads the name without `not` and is never undecided.
/// A name that leads into arms only in which all ways allow the tool can take nothing back.
fn suspects<'r>(ways: &Ways<'r>, tool: &str) -> Vec<&'r Name> {
    let kind = ways.kind;
    let allows = ways.arms_that(|outcome| outcome.word(kind, tool) == Word::Allow);
    let mut names = Vec::new();
    for (condition, allows) in ways.conditions.iter().zip(allows) {
        let leads_to_allow = allows && !condition.can_be_undecided();
        names.extend(condition.leaves().filter_map(|leaf| match leaf {
            Condition::IsTrue(name) if !leads_to_allow => Some(name),
            Condition::NotTrue(name) => Some(name),
            _ => None,
        }));
    }
    names
}

/// A name that no host can send: it stands for the name in question where that is true.
fn twin_name() -> Name {
    vec![String::new(), "present".to_owned()]
}

fn dollar(name: &[String]) -> String {
    quoted(&format!("${}", name.join(".")))
}

/// Whether a condition reads the name alone.
fn reads_bare(condition: &Condition, name: &Name) -> bool {
    condition.leaves().any(
        |leaf| matches!(leaf, Condition::IsTrue(read) | Condition::NotTrue(read) if read == name),
    )
}

/// The smallest context without the name that allows the tool, though with the name true and
/// all else the same it would not; the outer none when that was not found out.
fn look(
    subject: &Subject<'_>,
    question: &Question<'_, '_>,
    name: &Name,
    twin: &Condition,
) -> Option<Option<Example>> {
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
                    if condition.leaves().any(|leaf| leaf.name() == Some(name)) {
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
    let mut budget = subject.budget();
    let given = budget;
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
    subject.spend(given - budget);
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
        // The name is a boolean, and in this copy it is true.
        Condition::Compare(compare) if compare.name == *from => Condition::Const(
            (compare.op == Operator::Equal) == (compare.value == Literal::Bool(true)),
        ),
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

#[cfg(test)]
mod tests {
    use super::super::{run, samples::lowered};
    use crate::diagnostics::Sink;

    /// The contexts in which names are reported to fail open.
    fn contexts(flows: &str) -> Vec<String> {
        let output = lowered(flows);
        let mut sink = Sink::new();
        run(&output.rulebook, &output.places, &mut sink);
        let found = sink.into_sorted();
        let fails_open = found
            .iter()
            .filter(|found| found.message.starts_with("fails open"));
        fails_open
            .filter_map(|found| Some(found.message.split('`').nth(5)?.to_owned()))
            .collect()
    }

    #[test]
    fn what_takes_an_allow_back_fails_open() {
        // Read with `not`.
        assert_eq!(
            contexts("define flow f\n  if $a and not $b\n    execute t\n"),
            [r#"{"a":true}"#]
        );
        // Read without, and leading to a refusal, to a question, or to nothing decided.
        for arm in [
            "    bot refuse\n",
            "    bot ask\n    user yes\n    execute t\n",
            "    if $n == 1\n      execute t\n    else\n      execute t\n",
        ] {
            let text = format!("define flow f\n  if $b\n{arm}  else\n    execute t\n");
            assert_eq!(contexts(&text), ["{}"], "{arm}");
        }
        // Beside a comparison that then lacks its value.
        assert_eq!(
            contexts("define flow f\n  if $b and $n == 1\n    execute t\n  else\n    execute t\n"),
            ["{}"]
        );
        // In a guard.
        assert_eq!(
            contexts(
                "define flow g\n  if $b\n    bot refuse\n    stop\n\ndefine flow f\n  if $a\n    execute t\n"
            ),
            [r#"{"a":true}"#]
        );
    }

    #[test]
    fn what_leads_to_an_allow_only_does_not() {
        for text in [
            "define flow f\n  if not $a or $a == True\n    execute t\n  else\n    bot refuse\n",
            "define flow f\n  if $a and $b\n    execute t\n  else if $c\n    execute t\n  else\n    bot refuse\n",
            "define flow f\n  if $a\n    if $b\n      execute t\n    else\n      execute t\n  else\n    bot refuse\n",
            "define flow f\n  if $a\n    execute t\n\ndefine flow g\n  if $b\n    execute t\n",
        ] {
            assert_eq!(contexts(text), [""; 0], "{text}");
        }
    }
}
