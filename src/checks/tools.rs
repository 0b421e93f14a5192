//! Tools that are never or always allowed, and tools with several flows.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::decision_space::Problem;
use crate::diagnostics::{Diagnostic, Sink, codes::analyses};
use crate::ir::{BranchSummary, Tool, Word};
use crate::text::{Span, quoted};

use super::speakers::{Question, allowed, not_allowed};
use super::{Subject, not_decided};

/// Reports what is so of a tool in every context.
pub fn check(subject: &Subject<'_>, sink: &mut Sink) {
    for (index, tool) in subject.rulebook.tools.iter().enumerate() {
        if sink.is_given_up() {
            return;
        }
        let place = subject
            .places
            .tools
            .get(&tool.name)
            .copied()
            .unwrap_or_default();
        if tool.flows.len() > 1 {
            sink.push(several_flows(subject, tool, place));
        }
        if subject.is_exhausted() {
            continue;
        }
        match look(subject, index) {
            Some(Found::Both) => {}
            None => sink.push(not_decided(
                place,
                &format!("whether {} can be both allowed and not allowed", quoted(&tool.name)),
            )),
            Some(Found::AlwaysAllowed) => sink.push(
                Diagnostic::new(
                    &analyses::ALWAYS_ALLOWED,
                    place,
                    format!("{} is allowed in every context", quoted(&tool.name)),
                )
                .with_help("no condition stands before it: put it under an `if` when some calls are to be refused"),
            ),
            Some(Found::NeverAllowed) => sink.push(never_allowed(subject, tool, place)),
        }
    }
}

enum Found {
    NeverAllowed,
    AlwaysAllowed,
    Both,
}

impl Found {
    /// From whether some context allows, and some does not.
    fn of(allowed: bool, not_allowed: bool) -> Self {
        match (allowed, not_allowed) {
            (false, _) => Self::NeverAllowed,
            (true, false) => Self::AlwaysAllowed,
            (true, true) => Self::Both,
        }
    }
}

/// What one flow makes of a tool on which no other speaks: its ways are known already.
fn look_at_one(subject: &Subject<'_>, flow: usize, tool: &str) -> Option<Found> {
    let (ways, met) = (subject.ways.get(flow)?, subject.met(flow)?);
    let met = ways.outcomes().zip(met).filter(|(_, met)| **met);
    let (mut allowed, mut not_allowed) = (false, false);
    for (outcome, _) in met {
        let allows = outcome.word(ways.kind, tool) == Word::Allow;
        allowed |= allows;
        not_allowed |= !allows;
    }
    Some(Found::of(allowed, not_allowed))
}

fn look(subject: &Subject<'_>, tool: usize) -> Option<Found> {
    if let [flow] = subject.speakers(tool)[..] {
        let tool = subject.rulebook.tools.get(tool)?;
        return look_at_one(subject, flow, &tool.name);
    }
    let question = Question::new(subject, tool, &[])?;
    let (mut problem, flows) = question.problem();
    question.require_tool(&mut problem);
    let mut budget = subject.budget();
    let given = budget;
    let name = question.tool;
    let found = &mut |_: &mut Problem<'_>, _: &mut u64| ControlFlow::Break(());
    let allowed = allowed(&flows, name, &mut problem, &mut budget, found);
    let not_allowed = match allowed {
        ControlFlow::Break(Some(())) => not_allowed(&flows, name, &mut problem, &mut budget, found),
        other => other,
    };
    subject.spend(given - budget);
    match (allowed, not_allowed) {
        (ControlFlow::Break(None), _) | (_, ControlFlow::Break(None)) => None,
        (allowed, not_allowed) => Some(Found::of(allowed.is_break(), not_allowed.is_break())),
    }
}

fn never_allowed(subject: &Subject<'_>, tool: &Tool, place: Span) -> Diagnostic {
    let mut questions = BTreeSet::new();
    let mut runs_at_once = false;
    for flow in subject.flows_of(tool) {
        for branch in &flow.branches {
            let summary = BranchSummary::of(branch);
            let runs = summary.runs().any(|(name, _)| name == tool.name);
            match summary.word(&tool.name) {
                Word::Allow => runs_at_once = true,
                Word::Clarify(question) if runs => {
                    questions.insert(question);
                }
                _ => {}
            }
        }
    }
    let shown: Vec<String> = questions.iter().map(|question| quoted(question)).collect();
    if runs_at_once || shown.is_empty() {
        Diagnostic::new(
            &analyses::NEVER_ALLOWED,
            place,
            format!("{} is allowed in no context", quoted(&tool.name)),
        )
        .with_help("its conditions contradict one another, or another flow always refuses or asks: `eval --explain` shows which")
    } else {
        Diagnostic::new(
            &analyses::ONLY_ASKED,
            place,
            format!(
                "{} runs only behind a question: {}",
                quoted(&tool.name),
                shown.join(", ")
            ),
        )
        .with_help(
            "the gate answers `clarify`; whoever calls it asks the person and goes on by itself",
        )
    }
}

fn several_flows(subject: &Subject<'_>, tool: &Tool, place: Span) -> Diagnostic {
    let governing = subject
        .flows_of(tool)
        .zip(subject.governing(tool))
        .filter_map(|(flow, index)| Some((flow, subject.places.flows.get(index)?)));
    let mut diagnostic = Diagnostic::new(
        &analyses::SEVERAL_FLOWS,
        place,
        format!(
            "{} flows speak on {}: the first refusal wins, else the first question, else the first allow",
            tool.flows.len(),
            quoted(&tool.name)
        ),
    );
    for (flow, of_flow) in governing.take(4) {
        diagnostic = diagnostic.with_other(of_flow.name, combined(flow, &tool.name));
    }
    diagnostic
}

/// What one flow can say on a tool, in a few words.
fn combined(flow: &crate::ir::Flow, tool: &str) -> String {
    let mut words = BTreeSet::new();
    for branch in &flow.branches {
        words.insert(match BranchSummary::of(branch).word(tool) {
            Word::Allow => "allows",
            Word::Clarify(_) => "asks",
            Word::Refuse(_) => "refuses",
            Word::NoMatch => "says nothing",
        });
    }
    let words: Vec<&str> = words.into_iter().collect();
    format!("this flow {}", words.join(", "))
}
