//! The boxes of a picture, each at 0, 0 until it has its place: conditions, outcomes, chips.

use crate::graph::markup::shown;
use crate::graph::model::{Ending, FlowGraph, Kind, Outcome};
use crate::graph::width::{cut, wrap};
use crate::ir::Arm;

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
/// The pill of an outcome.
pub const PILL_WIDTH: usize = 96;
pub const PILL_HEIGHT: usize = 26;
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
    let names = condition::compared(&arm.condition);
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
    let all = ending.outcomes.iter();
    all.map(|outcome| {
        let mut part = beside_pill(outcome.kind, texts(flow, outcome));
        part.title = title(ending, outcome);
        part
    })
    .collect()
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
    let widest = texts.iter().map(|(text, ink)| ink.width(text)).max();
    let beside = widest.map_or(0, |widest| BESIDE_PILL + widest);
    let mut part = Part::new(
        Shape::Outcome(kind),
        Area {
            width: PILL_WIDTH + beside,
            height: height(texts.len()),
            ..Area::default()
        },
    );
    part.lines.push(Line {
        x: 32,
        baseline: FIRST,
        text: kind.label().to_owned(),
        ink: Ink::Word,
    });
    for ((text, ink), baseline) in texts.into_iter().zip(baselines()) {
        part.lines.push(Line {
            x: PILL_WIDTH + BESIDE_PILL,
            baseline,
            text,
            ink,
        });
    }
    part
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
    let tools = match (outcome.tools.as_slice(), flow.tools.as_slice()) {
        ([], [one]) => (*one).to_owned(),
        ([], all) => format!("all {} tools", all.len()),
        (some, _) => some.join(", "),
    };
    let ink = if outcome.tools.is_empty() && flow.tools.len() != 1 {
        Ink::Quiet
    } else {
        Ink::Code
    };
    for wording in outcome.wordings.iter().take(MOST_WORDINGS) {
        add(&format!("“{wording}”"), Ink::Prose, MOST_WORDING_LINES);
    }
    if let Some(more @ 1..) = outcome.wordings.len().checked_sub(MOST_WORDINGS) {
        add(&format!("and {more} more"), Ink::Quiet, 1);
    }
    match outcome.kind {
        Kind::Allow => add(&tools, ink, 4),
        Kind::Clarify if outcome.runs => add(&format!("then {tools}"), ink, 4),
        Kind::Refuse if outcome.wordings.is_empty() => add("without a reason", Ink::Quiet, 1),
        Kind::NoWord => {
            if !outcome.tools.is_empty() {
                add(&tools, Ink::Code, 2);
            }
            let note = if outcome.is_alone {
                "no other flow allows it: refused"
            } else {
                "left to other flows; refused if none speaks"
            };
            add(note, Ink::Quiet, 1);
        }
        Kind::Clarify | Kind::Refuse | Kind::Passes => {}
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
