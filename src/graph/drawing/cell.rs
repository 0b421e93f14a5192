//! The boxes of a picture, each at 0, 0 until it has its place: conditions, outcomes, chips.

use crate::graph::markup::shown;
use crate::graph::model::{Ending, FlowGraph, Kind, Outcome, compared};
use crate::graph::width::{cut, wrap};
use crate::ir::{Arm, Branch};

use super::{Area, Ink, Line, Part, Shape, condition};

/// Where wires meet a box, below its top.
pub const ANCHOR: usize = 20;
/// The distance of lines in a box.
const LEADING: usize = 18;
/// The distance of a box's first baseline from its top, and of its last from its bottom.
const FIRST: usize = 25;
const LAST: usize = 15;
/// The room beside the text of a condition.
const SIDE: usize = 14;
/// Most room for the text of a condition.
const MOST_CONDITION: usize = 350;
/// Least width of a condition.
const LEAST_CONDITION: usize = 120;
/// The width of an outcome's pill.
pub const PILL_WIDTH: usize = 104;
/// The room between a pill and its text.
const BESIDE_PILL: usize = 12;
/// Most room for the text of an outcome.
const MOST_OUTCOME: usize = 360;
/// Most lines of one wording.
const MOST_WORDING_LINES: usize = 3;
/// Most questions of one outcome that are shown.
const MOST_WORDINGS: usize = 4;
/// Chips.
pub const CHIP_HEIGHT: usize = 24;
const MOST_CHIP: usize = 300;

/// The box of an arm's condition.
pub fn condition(arm: &Arm) -> Part {
    let texts = condition::lines(&arm.condition, MOST_CONDITION);
    let names = compared(&arm.condition);
    let widest = texts.iter().map(|text| Ink::Code.width(text)).max();
    let mut part = Part::new(
        Shape::Condition {
            may_lack: !names.is_empty(),
        },
        Area {
            width: (widest.unwrap_or(0) + 2 * SIDE).max(LEAST_CONDITION),
            height: height(texts.len()),
            ..Area::default()
        },
    );
    for (text, baseline) in texts.into_iter().zip(baselines()) {
        part.lines.push(Line {
            x: SIDE,
            baseline,
            text,
            ink: Ink::Code,
        });
    }
    part.title = format!("line {}: {}", arm.line, arm.condition);
    if !names.is_empty() {
        let names = names.join(", ");
        part.title.push_str(&format!(
            "\nwhere a value of {names} is missing and it matters, the call is refused"
        ));
    }
    part
}

/// The boxes of a branch's end, to stand below one another.
pub fn outcomes(flow: &FlowGraph<'_>, ending: &Ending<'_>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for outcome in &ending.outcomes {
        let title = title(ending, outcome);
        match parts.last_mut() {
            // That a branch does not speak on some of its tools is worth a line, not a pill.
            Some(part) if outcome.kind == Kind::NoWord => {
                let text = format!("no word on {}", outcome.tools.join(", "));
                let ink = Ink::Quiet;
                let line = cut(&shown(&text), ink.face(), ink.size(), MOST_OUTCOME);
                add_line(part, line, ink);
                part.title.push_str(&format!("\n{title}"));
            }
            _ => {
                let mut part = beside_pill(outcome.kind, texts(flow, outcome));
                part.title = title;
                parts.push(part);
            }
        }
    }
    parts
}

/// The box that leads to where the same stands already.
pub fn repeat(number: usize, branches: &[&Branch]) -> Part {
    let text = format!("continues at {number}");
    let mut part = Part::new(
        Shape::Repeat(number),
        Area {
            width: 34 + Ink::Quiet.width(&text),
            height: height(1),
            ..Area::default()
        },
    );
    let lines: Vec<String> = branches.iter().map(|it| it.line.to_string()).collect();
    part.title = format!("the same {} outcomes as at {number}", lines.len());
    part.lines.push(Line {
        x: 34,
        baseline: FIRST - 1,
        text,
        ink: Ink::Quiet,
    });
    part
}

/// Where nothing is asked.
pub fn always() -> Part {
    Part::text(0, FIRST - 1, "always", Ink::Quiet)
}

fn title(ending: &Ending<'_>, outcome: &Outcome<'_>) -> String {
    let mut title = format!("line {}: {}", ending.branch.line, outcome.kind.label());
    if !outcome.rule.is_empty() && outcome.kind != Kind::NoWord {
        title.push_str(&format!(", rule `{}`", outcome.rule));
    }
    if !outcome.tools.is_empty() {
        title.push_str(&format!("\n{}", outcome.tools.join(", ")));
    }
    for wording in &outcome.wordings {
        title.push_str(&format!("\n“{wording}”"));
    }
    title
}

/// A pill and lines of text beside it.
pub fn beside_pill(kind: Kind, texts: Vec<(String, Ink)>) -> Part {
    let mut part = Part::new(
        Shape::Outcome(kind),
        Area {
            width: PILL_WIDTH,
            height: height(1),
            ..Area::default()
        },
    );
    part.lines.push(Line {
        x: 32,
        baseline: FIRST,
        text: kind.label().to_owned(),
        ink: Ink::Word,
    });
    for (text, ink) in texts {
        add_line(&mut part, text, ink);
    }
    part
}

/// One more line beside a pill.
fn add_line(part: &mut Part, text: String, ink: Ink) {
    let before = part.lines.len().saturating_sub(1);
    let left = PILL_WIDTH + BESIDE_PILL;
    part.area.width = part.area.width.max(left + ink.width(&text));
    part.area.height = height(before + 1);
    part.lines.push(Line {
        x: left,
        baseline: FIRST + before * LEADING,
        text,
        ink,
    });
}

/// What stands beside an outcome's pill.
fn texts(flow: &FlowGraph<'_>, outcome: &Outcome<'_>) -> Vec<(String, Ink)> {
    let mut texts = Vec::new();
    let mut add = |text: &str, ink: Ink, most_lines: usize| {
        let lines = wrap(
            &shown(text),
            ink.face(),
            ink.size(),
            MOST_OUTCOME,
            most_lines,
            0,
        );
        texts.extend(lines.into_iter().map(|line| (line, ink)));
    };
    let tools = outcome.tool_words(&flow.tools);
    for wording in outcome.wordings.iter().take(MOST_WORDINGS) {
        add(&format!("“{wording}”"), Ink::Prose, MOST_WORDING_LINES);
    }
    if let Some(more @ 1..) = outcome.wordings.len().checked_sub(MOST_WORDINGS) {
        add(&format!("and {more} more"), Ink::Quiet, 1);
    }
    match outcome.kind {
        Kind::Allow => add(&tools, Ink::Code, 4),
        Kind::Clarify if outcome.runs => add(&format!("then {tools}"), Ink::Code, 4),
        Kind::Refuse if outcome.wordings.is_empty() => add("without a reason", Ink::Quiet, 1),
        Kind::NoWord if outcome.is_alone => add("and no other flow speaks", Ink::Quiet, 1),
        Kind::Clarify | Kind::Refuse | Kind::NoWord | Kind::Passes => {}
    }
    texts
}

/// A chip with a name.
pub fn chip(name: &str) -> Part {
    chip_within(name, MOST_CHIP)
}

/// A chip with a name, no wider than this.
pub fn chip_within(name: &str, most: usize) -> Part {
    let name = shown(name);
    let ink = Ink::Code;
    let text = cut(&name, ink.face(), ink.size(), most.saturating_sub(20));
    let mut part = Part::new(
        Shape::Chip,
        Area {
            width: ink.width(&text) + 20,
            height: CHIP_HEIGHT,
            ..Area::default()
        },
    );
    if text != name {
        part.title = name;
    }
    part.lines.push(Line {
        x: 10,
        baseline: 17,
        text,
        ink,
    });
    part
}

/// Words between chips.
pub fn words(text: &str) -> Part {
    Part::text(0, 17, text, Ink::Quiet)
}

fn height(lines: usize) -> usize {
    FIRST + LAST + lines.saturating_sub(1) * LEADING
}

fn baselines() -> impl Iterator<Item = usize> {
    (FIRST..).step_by(LEADING)
}
