//! What each branch decides, in words: on hover, and at the ends of lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;

use crate::graph::{Kind, Outcome, guard_outcome, outcomes};
use crate::ir::{Branch, Flow, FlowKind, Rulebook, Tool};
use crate::text::markdown::{code, plain};
use crate::text::{escaped, quoted};

/// How a text is written that a person reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Markup {
    Markdown,
    /// None: what every client can show.
    #[default]
    Plain,
}

impl Markup {
    fn strong(self, words: &str) -> String {
        match self {
            Self::Markdown => format!("**{words}**"),
            Self::Plain => words.to_owned(),
        }
    }

    /// A name of the rulebook.
    pub(super) fn name(self, name: &str) -> String {
        match self {
            Self::Markdown => code(name),
            Self::Plain => quoted(name),
        }
    }

    /// A text of the rulebook.
    pub(super) fn text(self, text: &str) -> String {
        match self {
            Self::Markdown => plain(text),
            Self::Plain => escaped(text),
        }
    }
}

/// Most branches that are told of one line.
const MOST_TOLD: usize = 12;

/// Most words at the end of one line.
const MOST_HINTS: usize = 3;

fn tools<'r>(rulebook: &'r Rulebook, flow: &Flow) -> Vec<&'r Tool> {
    let governed = rulebook.tools.iter();
    governed.filter(|tool| tool.is_governed_by(flow)).collect()
}

/// The words of a branch; `tools` are those that its flow governs.
fn words<'r>(
    rulebook: &'r Rulebook,
    flow: &Flow,
    branch: &'r Branch,
    tools: &[&'r Tool],
) -> Vec<Outcome<'r>> {
    match flow.kind {
        FlowKind::Governing => outcomes(rulebook, branch, tools),
        FlowKind::Guard => vec![guard_outcome(rulebook, branch)],
        FlowKind::Dialogue => Vec::new(),
    }
}

/// Whether a branch goes through the arm that begins on a line.
fn goes_through(flow: &Flow, branch: &Branch, line: usize) -> bool {
    branch.path.iter().any(|choice| {
        let taken = choice.arm.and_then(|arm| arm.checked_sub(1));
        let arms = flow.find_if(&choice.if_id).map(|decision| &decision.arms);
        let arm = arms.and_then(|arms| arms.get(taken?));
        arm.is_some_and(|arm| arm.line == line)
    })
}

/// Whether the last choice of a branch is to pass an `if`.
fn passes(branch: &Branch) -> bool {
    branch.path.last().is_some_and(|choice| choice.passed)
}

/// Which branches are meant.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meant<'a> {
    /// Those of the flow that begins on this line.
    Flow(usize),
    /// Those that go through the arm that begins on this line.
    Arm(usize),
    /// Those that run this tool, of the flow or arm that begins on this line.
    Run(usize, &'a str),
}

/// What branches decide, in words; none where none is meant.
pub(super) fn told(rulebook: &Rulebook, meant: Meant<'_>, markup: Markup) -> Option<String> {
    let (Meant::Flow(line) | Meant::Arm(line) | Meant::Run(line, _)) = meant;
    let mut text = String::new();
    for flow in &rulebook.flows {
        let runs = |branch: &Branch| match meant {
            Meant::Run(_, tool) => branch.steps.iter().any(
                |step| matches!(step, crate::ir::Step::Execute(execute) if execute.tool == tool),
            ),
            Meant::Flow(_) | Meant::Arm(_) => true,
        };
        let through = |branch: &&Branch| {
            (goes_through(flow, branch, line)
                || (flow.line == line && !matches!(meant, Meant::Arm(_))))
                && runs(branch)
        };
        let branches: Vec<&Branch> = flow.branches.iter().filter(through).collect();
        if branches.is_empty() {
            continue;
        }
        let kind = match flow.kind {
            FlowKind::Guard => "guard",
            FlowKind::Governing | FlowKind::Dialogue => "flow",
        };
        let _ = writeln!(text, "{kind} {}:\n", markup.name(&flow.name));
        let tools = tools(rulebook, flow);
        for branch in branches.iter().take(MOST_TOLD) {
            let place = match passes(branch) {
                true => format!("line {}, no arm", branch.line),
                false => format!("line {}", branch.line),
            };
            for outcome in words(rulebook, flow, branch, &tools) {
                let word = sentence(&outcome, &tools, markup);
                let _ = writeln!(text, "- {place}: {word}");
            }
        }
        if let Some(more @ 1..) = branches.len().checked_sub(MOST_TOLD) {
            let _ = writeln!(text, "- and {more} more");
        }
        text.push('\n');
        if let Some(remark) = remark(rulebook, flow) {
            let _ = writeln!(text, "{remark}\n");
        }
    }
    (!text.is_empty()).then(|| text.trim_end().to_owned())
}

/// What else has a word on the tools of a flow.
fn remark(rulebook: &Rulebook, flow: &Flow) -> Option<&'static str> {
    let has_guards = rulebook.flows.iter().any(|it| it.kind == FlowKind::Guard);
    let is_shared = tools(rulebook, flow)
        .iter()
        .any(|tool| tool.flows.len() > 1);
    match (flow.kind, has_guards, is_shared) {
        (FlowKind::Governing, true, _) => Some("The guards are asked first; a refusal wins."),
        (FlowKind::Governing, false, true) => {
            Some("Other flows govern the same tools; a refusal wins, then a question.")
        }
        _ => None,
    }
}

fn sentence(outcome: &Outcome<'_>, all: &[&Tool], markup: Markup) -> String {
    let names: Vec<&str> = all.iter().map(|tool| tool.name.as_str()).collect();
    let tools = outcome.tool_words(&names);
    let tools = match tools.is_empty() {
        true => "every call".to_owned(),
        false => markup.name(&tools),
    };
    let wordings = outcome.wordings.iter();
    let wordings: Vec<String> = wordings
        .map(|it| format!("“{}”", markup.text(it)))
        .collect();
    let wordings = wordings.join(", then ");
    let word = |word: &str| markup.strong(word);
    match outcome.kind {
        Kind::Allow => format!("{} {tools}", word("allows")),
        Kind::Clarify if outcome.runs => format!("{} before {tools}: {wordings}", word("asks")),
        Kind::Clarify => format!("{} and does not run {tools}: {wordings}", word("asks")),
        Kind::Refuse if wordings.is_empty() => {
            format!(
                "{} {tools} by {}",
                word("refuses"),
                markup.name(outcome.rule)
            )
        }
        Kind::Refuse => format!("{} {tools}: {wordings}", word("refuses")),
        Kind::NoWord => format!("says nothing on {tools}"),
        Kind::Passes => "lets the call pass".to_owned(),
    }
}

/// What stands at the ends of some lines: by line, the words of the branches that end there.
pub(super) fn hints(rulebook: &Rulebook, lines: &Range<usize>) -> BTreeMap<usize, String> {
    let mut by_line: BTreeMap<usize, (BTreeSet<String>, BTreeSet<String>)> = BTreeMap::new();
    for flow in &rulebook.flows {
        let is_meant = |branch: &&Branch| lines.contains(&branch.line);
        let mut branches = flow.branches.iter().filter(is_meant).peekable();
        if branches.peek().is_none() {
            continue;
        }
        let tools = tools(rulebook, flow);
        for branch in branches {
            let words: Vec<String> = words(rulebook, flow, branch, &tools)
                .iter()
                .filter_map(|outcome| short(outcome, &tools))
                .collect();
            if words.is_empty() {
                continue;
            }
            let (taken, passed) = by_line.entry(branch.line).or_default();
            match passes(branch) {
                true => passed.insert(words.join(", ")),
                false => taken.insert(words.join(", ")),
            };
        }
    }
    let lines = by_line.into_iter();
    lines
        .map(|(line, (taken, passed))| {
            let parts = [("", taken), ("else ", passed)];
            let parts = parts.into_iter().filter(|(_, words)| !words.is_empty());
            let parts: Vec<String> = parts
                .map(|(before, words)| format!("{before}{}", few(&words)))
                .collect();
            (line, parts.join("; "))
        })
        .collect()
}

fn few(words: &BTreeSet<String>) -> String {
    let shown: Vec<&str> = words.iter().take(MOST_HINTS).map(String::as_str).collect();
    let more = if words.len() > MOST_HINTS {
        " | …"
    } else {
        ""
    };
    format!("{}{more}", shown.join(" | "))
}

fn short(outcome: &Outcome<'_>, all: &[&Tool]) -> Option<String> {
    let tools = match (all, outcome.tools.as_slice()) {
        (_, []) | ([_], _) => String::new(),
        (_, some) => format!(" {}", some.join(", ")),
    };
    Some(match outcome.kind {
        Kind::Allow => format!("allow{tools}"),
        Kind::Clarify => format!("ask{tools}: {}", outcome.rule),
        Kind::Refuse => format!("refuse{tools}: {}", outcome.rule),
        Kind::NoWord => format!("no word{tools}"),
        Kind::Passes => return None,
    })
}
