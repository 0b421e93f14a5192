//! The rulebook's step: its decision, the questions that it wants asked, and whether arguments are
//! what the host supplied.

use serde_json::Value;

use crate::catalogue::Ungoverned;
use crate::evaluator::{self, Call, Verdict as Decision};
use crate::gate::{WordKind, Words};
use crate::ir::{Argument, Execute, Rulebook, Step};
use crate::json::canonical;
use crate::text::{is_identifier, quoted, visible};

use super::examination::{Context, Examination, Halt};
use super::facts::Facts;
use super::reason::Reason;
use super::refusal::Refused;

pub(super) fn step<F: Facts>(examination: &mut Examination<'_, F>) -> Result<(), Halt<F::Error>> {
    let (policy, tool) = (examination.policy, examination.call.tool);
    let context = match examination.context {
        // Without a flow that could speak, nothing that the host says matters.
        _ if !policy.needs_context(tool) => &Value::Null,
        Context::Known(context) => context,
        Context::NotAsked => return Err(Halt::NeedsContext),
        Context::Unavailable => {
            let text = format!(
                "what decides on {} is not known now, since the application did not answer: try \
                 again later",
                examination.tool_name()
            );
            return Err(Halt::refused(Reason::ContextUnavailable, text));
        }
    };
    let decision = policy.gate().decide_value(tool, context).decision;
    match decision {
        Decision::Allow => {}
        Decision::Silent => return silent(examination),
        Decision::Clarify | Decision::Refuse => {
            let words = policy.gate().words(tool, context);
            if let Some(refused) = refusal(&words, tool) {
                return Err(Halt::Refused(refused));
            }
            let questions = words.questions().map(|asked| asked.wording.to_owned());
            examination.wordings = questions.collect();
            examination.asks = true;
        }
    }
    origin(examination, context)
}

fn silent<F: Facts>(examination: &Examination<'_, F>) -> Result<(), Halt<F::Error>> {
    let is_write = examination.reached()?.is_write();
    if is_write && examination.policy.catalogue().ungoverned == Ungoverned::Refuse {
        let text = format!(
            "no rule of the rulebook says that {} may be called",
            examination.tool_name()
        );
        return Err(Halt::refused(Reason::Rulebook, text));
    }
    Ok(())
}

/// Why a call that the rulebook neither allows nor leaves alone is refused; none where yeses of a
/// person can lift it.
fn refusal(words: &Words<'_>, tool: &str) -> Option<Refused> {
    let tool = quoted(tool);
    let rule = words.decision.rule.as_str();
    if words.decision.decision == Decision::Clarify {
        // Without a question there is nothing that a yes could answer.
        if words.is_answerable() && words.questions().next().is_some() {
            return None;
        }
        let unanswerable = words
            .words
            .iter()
            .find(|word| word.word == WordKind::Clarify && !word.answerable);
        let wording = unanswerable.and_then(|word| word.wording).unwrap_or(rule);
        let rule = unanswerable.map_or(rule, |word| word.rule);
        let text = format!(
            "before {tool}, the rulebook wants to know what no confirmation can tell it, only the \
             application: {}",
            one_line(wording)
        );
        return Some(Refused::new(Reason::Clarify, text).by_rule(rule));
    }
    let decisive = words
        .words
        .iter()
        .find(|word| word.word == WordKind::Refuse && word.rule == rule);
    let text = match decisive.and_then(|word| word.wording) {
        Some(wording) => format!("the rulebook refuses {tool}: {}", one_line(wording)),
        None if rule == crate::ir::RULE_NO_MATCH => {
            format!("the rulebook does not allow {tool} in this situation")
        }
        None => format!("the rulebook refuses {tool}"),
    };
    Some(Refused::new(Reason::Rulebook, text).by_rule(rule))
}

/// A message of the rulebook on one line, as a refusal shows it.
fn one_line(wording: &str) -> String {
    let lines: Vec<&str> = wording.lines().collect();
    visible(&lines.join(" "))
}

/// Holds the arguments to the values that the host supplied: in every governing flow whose branch
/// runs the tool, some run of it must fit.
fn origin<F: Facts>(
    examination: &Examination<'_, F>,
    context: &Value,
) -> Result<(), Halt<F::Error>> {
    let tool = examination.call.tool;
    if !examination.reached()?.rules.is_bound {
        return Ok(());
    }
    let rulebook = examination.policy.gate().rulebook();
    let host = Call::of(Some(tool), context);
    for word in evaluator::words(rulebook, &host) {
        let steps = word.branch.map_or(&[][..], |branch| &branch.steps);
        let mut fault = None;
        let mut fits = false;
        for run in runs_of(steps, tool) {
            match unfit(run, examination.call.arguments.value(), rulebook, &host) {
                Some(found) => fault = fault.or(Some(found)),
                None => fits = true,
            }
        }
        if let (false, Some(argument)) = (fits, fault) {
            let text = format!(
                "the argument {} of {} is not the value that the application supplied: use that \
                 value and no other",
                quoted(argument),
                examination.tool_name()
            );
            return Err(Halt::refused(Reason::ArgumentOrigin, text));
        }
    }
    Ok(())
}

/// The runs of a tool among the steps of a branch.
pub(super) fn runs_of<'a>(
    steps: &'a [Step],
    tool: &'a str,
) -> impl Iterator<Item = &'a Execute> + 'a {
    steps.iter().filter_map(move |step| match step {
        Step::Execute(execute) if execute.tool == tool => Some(execute),
        _ => None,
    })
}

/// The name of an argument that is bound to a name of the context, and the segments of that name:
/// `k=$x` or `k=$x.y`, and nothing else.
pub(super) fn binding(argument: &Argument) -> Option<(&str, Vec<String>)> {
    let name = argument.name.as_deref()?;
    let path = argument.value.strip_prefix('$')?;
    let segments: Vec<String> = path.split('.').map(str::to_owned).collect();
    let is_path = segments.iter().all(|segment| is_identifier(segment));
    is_path.then_some((name, segments))
}

/// The first argument of a run that is not what the host supplied.
fn unfit<'a>(
    run: &'a Execute,
    arguments: &Value,
    rulebook: &Rulebook,
    host: &Call<'_>,
) -> Option<&'a str> {
    let bound = run.arguments.iter().filter_map(binding);
    let mut unfit = bound.filter(
        |(name, path)| match (host.json(path), arguments.get(*name)) {
            (Some(supplied), Some(given)) => canonical(supplied) != canonical(given),
            (Some(_), None) => true,
            (None, _) => is_declared(rulebook, path),
        },
    );
    unfit.next().map(|(name, _)| name)
}

/// Whether the rulebook knows a name of the context: itself, a part of it, or what it is a part
/// of. The IR does not tell a declared name from one that is only read, so both count.
fn is_declared(rulebook: &Rulebook, path: &[String]) -> bool {
    rulebook
        .context
        .iter()
        .any(|known| known.name.starts_with(path) || path.starts_with(&known.name))
}
