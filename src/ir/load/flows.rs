//! Invariants of flows: their kind, their `if`s, and what their branches say and run.

use super::super::limits::{MAX_BRANCHES, MAX_BRANCHES_IN_ALL};
use super::super::{
    Argument, Branch, End, Execute, Flow, FlowKind, If, Step, TOOL_NAME, is_question, is_refusal,
};
use super::rulebook::{Known, check_line};
use super::{Fault, conditions, ensure, names, paths};
use crate::text::{is_identifier, quoted};

/// Checks all flows.
pub(super) fn check(flows: &[Flow], known: &Known<'_>) -> Result<(), Fault> {
    let mut branches = 0;
    for (at, flow) in flows.iter().enumerate() {
        let pointer = || format!("/flows/{at}");
        check_kind(flow, known, &pointer)?;
        branches += flow.branches.len();
        ensure(
            branches <= MAX_BRANCHES_IN_ALL,
            || format!("/flows/{at}/branches"),
            || "the rulebook has more than 20,000 branches".to_owned(),
        )?;
        for (index, decision) in flow.ifs.iter().enumerate() {
            let pointer = || format!("/flows/{at}/ifs/{index}");
            check_if(decision, index, flow, known, &pointer)?;
        }
        paths::check(flow, &pointer)?;
        for (index, branch) in flow.branches.iter().enumerate() {
            let pointer = || format!("/flows/{at}/branches/{index}");
            check_steps(branch, flow, known, &pointer)?;
        }
    }
    Ok(())
}

fn check_kind(flow: &Flow, known: &Known<'_>, pointer: &dyn Fn() -> String) -> Result<(), Fault> {
    let kind_place = || format!("{}/kind", pointer());
    if flow.kind == FlowKind::Dialogue {
        return ensure(
            flow.branches.is_empty() && flow.ifs.is_empty(),
            kind_place,
            || "a dialogue flow decides nothing, and has neither branches nor `if`s".to_owned(),
        );
    }
    let branches_place = || format!("{}/branches", pointer());
    ensure(!flow.branches.is_empty(), branches_place, || {
        "a flow that speaks has a branch at least".to_owned()
    })?;
    ensure(flow.branches.len() <= MAX_BRANCHES, branches_place, || {
        "the flow has more than 1,000 branches".to_owned()
    })?;
    if flow.kind == FlowKind::Governing {
        let governs = known.governing.contains(flow.id.as_str());
        return ensure(governs, kind_place, || {
            "a governing flow governs a tool, and `tools` has none for this one".to_owned()
        });
    }
    let stops = flow.branches.iter().any(|branch| branch.end == End::Stop);
    ensure(stops, kind_place, || {
        "a guard flow has a branch that ends in `stop`".to_owned()
    })
}

fn check_if(
    decision: &If,
    index: usize,
    flow: &Flow,
    known: &Known<'_>,
    pointer: &dyn Fn() -> String,
) -> Result<(), Fault> {
    let want = format!("{}_i{}", flow.id, index + 1);
    ensure(
        decision.id == want,
        || format!("{}/id", pointer()),
        || {
            format!(
                "the `if` is {}, not {}",
                quoted(&want),
                quoted(&decision.id)
            )
        },
    )?;
    check_line(decision.line, || format!("{}/line", pointer()))?;
    ensure(
        !decision.arms.is_empty(),
        || format!("{}/arms", pointer()),
        || "an `if` has an arm at least".to_owned(),
    )?;
    let mut last_line = None;
    for (at, arm) in decision.arms.iter().enumerate() {
        let place = || format!("{}/arms/{at}", pointer());
        let line_place = || format!("{}/line", place());
        check_line(arm.line, line_place)?;
        ensure(at > 0 || arm.line == decision.line, line_place, || {
            "the first arm begins on the line of its `if`".to_owned()
        })?;
        ensure(last_line < Some(arm.line), line_place, || {
            "arms stand in the order of their lines".to_owned()
        })?;
        last_line = Some(arm.line);
        conditions::check_arm(arm, flow.kind, known, &place)?;
    }
    Ok(())
}

/// What a path brings to a run that must not be behind it (contract section 4, the errors).
#[derive(Default)]
struct Before<'a> {
    message: bool,
    refusal: Option<&'a str>,
    question: Option<&'a str>,
    turn_without_question: bool,
}

fn check_steps(
    branch: &Branch,
    flow: &Flow,
    known: &Known<'_>,
    pointer: &dyn Fn() -> String,
) -> Result<(), Fault> {
    let mut before = Before::default();
    for (at, step) in branch.steps.iter().enumerate() {
        let place = || format!("{}/steps/{at}", pointer());
        match step {
            Step::Event(name) => {
                ensure(at == 0, place, || {
                    "an event is the first step of a path, and opens it".to_owned()
                })?;
                names::check_written(name, "an event", place)?;
            }
            Step::Say(name) => {
                names::check_said(name, place)?;
                ensure(known.messages.contains(name.as_str()), place, || {
                    format!("the message {} is missing in `messages`", quoted(name))
                })?;
                before.message = true;
                if is_refusal(name) {
                    before.refusal = Some(name);
                }
                if is_question(name) {
                    before.question = Some(name);
                }
            }
            Step::SayText(_) => before.message = true,
            Step::Turn(turn) => {
                check_turn(turn, flow.kind, place)?;
                if at == 0 {
                    continue;
                }
                before.turn_without_question |= !before.message;
                before.message = false;
                before.question = None;
            }
            Step::Execute(execute) => {
                check_run(&before, place)?;
                check_execute(execute, flow, known, place)?;
            }
        }
    }
    Ok(())
}

fn check_run(before: &Before<'_>, place: impl Fn() -> String) -> Result<(), Fault> {
    if let Some(refusal) = before.refusal {
        return ensure(false, place, || {
            format!("a tool runs behind the refusal {}", quoted(refusal))
        });
    }
    if let Some(question) = before.question {
        return ensure(false, place, || {
            format!(
                "a tool runs behind the question {} without a turn between",
                quoted(question)
            )
        });
    }
    ensure(!before.turn_without_question, place, || {
        "a tool runs behind a turn that answers no question".to_owned()
    })
}

fn check_execute(
    execute: &Execute,
    flow: &Flow,
    known: &Known<'_>,
    place: impl Fn() -> String,
) -> Result<(), Fault> {
    ensure(flow.kind == FlowKind::Governing, &place, || {
        "a flow that runs a tool is a governing flow".to_owned()
    })?;
    let governs = known
        .tools
        .get(execute.tool.as_str())
        .is_some_and(|flows| flows.contains(flow.id.as_str()));
    ensure(governs, &place, || {
        format!(
            "the flow runs {}, and `tools` does not say that it governs it",
            quoted(&execute.tool)
        )
    })?;
    let may_hold = |name: &String| is_identifier(name) && name != TOOL_NAME;
    ensure(execute.result.as_ref().is_none_or(may_hold), &place, || {
        "a result is assigned to one ASCII identifier, and not to `tool_name`".to_owned()
    })?;
    execute
        .arguments
        .iter()
        .try_for_each(|argument| check_argument(argument, &place))
}

fn check_argument(argument: &Argument, place: impl Fn() -> String) -> Result<(), Fault> {
    let named = argument.name.as_deref();
    ensure(named.is_none_or(is_identifier), &place, || {
        "an argument's name is an ASCII identifier".to_owned()
    })?;
    let value = argument.value.as_str();
    let is_value = value.trim_matches(' ') == value
        && names::is_on_one_line(value)
        && (named.is_some() || !value.is_empty());
    ensure(is_value, place, || {
        format!("{} is no argument as a line has it", quoted(value))
    })
}

/// A guard flow waits for anything, `...`, or by `when` for a message or an event, which stands
/// here as it is named there; a person's own turn would make it no guard flow. Elsewhere a turn
/// may be any text.
fn check_turn(turn: &str, kind: FlowKind, place: impl Fn() -> String) -> Result<(), Fault> {
    match kind {
        FlowKind::Guard => names::check_written(turn, "a turn of a guard flow", place),
        FlowKind::Governing | FlowKind::Dialogue => Ok(()),
    }
}
