//! A whole picture: what the signs mean, an index of the tools, and the way of a call through the
//! guards to the flows of its tool.

use crate::graph::markup::shown;
use crate::graph::model::{FlowGraph, Graph, Kind, Selection, ToolEntry};
use crate::graph::width::{cut, wrap};

use super::card::{AROUND, card};
use super::ladder::ladder;
use super::{Area, Drawing, Ink, Line, Part, Shape, cell};

const MARGIN: usize = 32;
/// The way of a call, from the left.
const RAIL: usize = MARGIN + 16;
/// The left of all cards.
const CARDS: usize = MARGIN + 56;
/// Where a card is joined to the way, below its top.
const JOINT: usize = 29;
const BETWEEN_CARDS: usize = 24;
/// Least width of the cards.
const LEAST_CARD: usize = 760;
/// Cards are made as wide as the widest, where that is no wider than this, else as wide as this.
const MOST_EVEN: usize = 1_900;
const EVEN: usize = 1_240;
/// With more tools, their index needs room.
const MOST_NARROW: usize = 30;
const INDEX_ROW: usize = 34;
/// The room of a tool and its flows in the index.
const INDEX_COLUMN: usize = 360;
/// So many tools stand below one another before they stand beside one another.
const MOST_ROWS: usize = 3;
/// Most lines of flows that decide nothing.
const MOST_QUIET_LINES: usize = 8;

/// A picture: what stands around the cards, and the cards in places of their own.
#[derive(Clone, Debug)]
pub struct Page {
    /// What is around the cards, and the size of all.
    pub frame: Drawing,
    /// The cards.
    pub cards: Vec<PlacedCard>,
}

/// A card in its place.
#[derive(Clone, Debug)]
pub struct PlacedCard {
    /// The flow's id.
    pub id: String,
    /// Its left.
    pub x: usize,
    /// Its top.
    pub y: usize,
    /// The card.
    pub drawing: Drawing,
}

/// Lays out a picture.
pub fn page(graph: &Graph<'_>) -> Page {
    let ladders: Vec<Drawing> = graph.speaking().map(ladder).collect();
    let widest = ladders.iter().map(|ladder| ladder.width + AROUND).max();
    let least = if graph.tools.len() > MOST_NARROW {
        EVEN
    } else {
        LEAST_CARD
    };
    let widest = widest.unwrap_or(0).max(least);
    let even = if widest > MOST_EVEN { EVEN } else { widest };
    let right = CARDS + widest;
    let mut page = Page {
        frame: Drawing {
            width: right + MARGIN,
            height: MARGIN,
            ..Drawing::default()
        },
        cards: Vec::new(),
    };
    page.head(graph);
    page.legend(graph, right);
    page.index(graph, even);
    page.way(graph, ladders, even);
    page.dialogue(graph, right);
    page.frame.height += MARGIN;
    page
}

/// `1 tool`, `2 tools`, `no tools`.
pub fn counted(count: usize, word: &str) -> String {
    match count {
        0 => format!("no {word}s"),
        1 => format!("1 {word}"),
        more => format!("{more} {word}s"),
    }
}

/// What a picture is of, in a few words.
pub fn summary(graph: &Graph<'_>) -> String {
    let branches: usize = graph.speaking().map(|flow| flow.endings().count()).sum();
    let counts = [
        counted(graph.tools.len(), "tool"),
        counted(graph.guards.len(), "guard"),
        counted(graph.governing.len(), "flow"),
        format!("{} in all", counted(branches, "outcome")),
    ];
    let counts = counts.join(" · ");
    match graph.selection {
        Selection::Whole => counts,
        Selection::Flow(name) => format!("the flow {} · {counts}", shown(name)),
        Selection::Tool(name) => format!("what speaks on {} · {counts}", shown(name)),
    }
}

impl Page {
    fn text(&mut self, x: usize, down: usize, text: impl Into<String>, ink: Ink) {
        self.frame.height += down;
        let part = Part::text(x, self.frame.height, text, ink);
        self.frame.parts.push(part);
    }

    fn head(&mut self, graph: &Graph<'_>) {
        let room = self.frame.width - 2 * MARGIN;
        for (text, ink, down) in [
            (shown(&graph.rulebook.source.file), Ink::Title, 22),
            (summary(graph), Ink::Quiet, 24),
        ] {
            let line = cut(&text, ink.face(), ink.size(), room);
            self.text(MARGIN, down, line, ink);
            if let Some(part) = self.frame.parts.last_mut() {
                part.title = text;
            }
        }
        self.frame.height += 14;
    }

    /// The signs that are used, each with its meaning.
    fn legend(&mut self, graph: &Graph<'_>, right: usize) {
        let mut parts: Vec<Part> = graph
            .kinds()
            .into_iter()
            .map(|kind| cell::beside_pill(kind, vec![(meaning(kind).to_owned(), Ink::Quiet)]))
            .collect();
        if graph.speaking().any(FlowGraph::may_lack) {
            parts.push(lack());
        }
        let (mut x, mut y) = (MARGIN, self.frame.height);
        for mut part in parts {
            if x > MARGIN && x + part.area.width > right {
                x = MARGIN;
                y += 40;
            }
            part.shift(x, y);
            x += part.area.width + 28;
            self.frame.parts.push(part);
            self.frame.height = y + 40;
        }
        if graph.speaking().count() > 1 {
            let rule = "All guards and all flows of the tool are heard: a refusal wins over a \
                        question, and a question over a permission.";
            self.text(MARGIN, 18, rule, Ink::Quiet);
            self.frame.height += 6;
        }
        self.frame.height += 12;
    }

    /// Every tool with the flows that govern it.
    fn index(&mut self, graph: &Graph<'_>, even: usize) {
        if graph.tools.is_empty() {
            return;
        }
        let width = CARDS + even - MARGIN;
        let inner = width - 48;
        let columns = if graph.tools.len() <= MOST_ROWS {
            1
        } else {
            (inner / INDEX_COLUMN).max(1)
        };
        let rows = graph.tools.len().div_ceil(columns);
        let top = self.frame.height;
        let surface = Part::new(
            Shape::Card,
            Area {
                x: MARGIN,
                y: top,
                width,
                height: 56 + rows * INDEX_ROW + 8,
            },
        );
        self.frame.height += surface.area.height + 28;
        self.frame
            .parts
            .push(surface.titled("tools and the flows that decide on them"));
        let head = Part::text(MARGIN + 24, top + 34, "Tools", Ink::Head);
        self.frame.parts.push(head);
        let room = inner / columns - 24;
        for (at, entry) in graph.tools.iter().enumerate() {
            let x = MARGIN + 24 + (at / rows) * (inner / columns);
            let y = top + 50 + (at % rows) * INDEX_ROW;
            self.index_row(entry, (x, y), room);
        }
    }

    fn index_row(&mut self, entry: &ToolEntry<'_>, (x, y): (usize, usize), room: usize) {
        let mut chip = cell::chip_within(&entry.tool.name, room / 2);
        chip.shift(x, y);
        let mut left = chip.area.right() + 12;
        self.frame.parts.push(chip);
        let end = x + room;
        let ink = Ink::Quiet;
        let mut flows = entry.flows.iter().peekable();
        let mut shown_flows = 0;
        while let Some(flow) = flows.next() {
            let more = entry.flows.len() - shown_flows;
            let rest = if flows.peek().is_some() {
                ink.width(&format!("and {more} more")) + 10
            } else {
                0
            };
            let name = shown(&flow.name);
            let space = end.saturating_sub(left + rest);
            if shown_flows > 0 && ink.width(&name) > space {
                let names: Vec<&str> = entry.flows.iter().map(|it| it.name.as_str()).collect();
                let text = format!("and {more} more");
                let part = Part::text(left, y + 16, text, ink).titled(names.join(", "));
                self.frame.parts.push(part);
                return;
            }
            let text = cut(&name, ink.face(), ink.size(), space);
            let part = Part::text(left, y + 16, text, ink);
            left = part.area.right() + 12;
            self.frame.parts.push(part.titled(name).linked(&flow.id));
            shown_flows += 1;
        }
    }

    /// From every call through the guards to the flows.
    fn way(&mut self, graph: &Graph<'_>, ladders: Vec<Drawing>, even: usize) {
        let mut ladders = ladders.into_iter();
        let mut next = move || ladders.next().unwrap_or_default();
        if graph.speaking().next().is_none() {
            self.text(MARGIN, 20, NOTHING_SPEAKS, Ink::Prose);
            return;
        }
        if matches!(graph.selection, Selection::Flow(_)) {
            for flow in graph.speaking() {
                self.place(flow, next(), even);
            }
            return;
        }
        let start = self.start(graph);
        let mut joints = vec![start];
        for (flows, shape, text) in [
            (&graph.guards, Shape::Gate, GUARDS),
            (&graph.governing, Shape::Stop, FLOWS),
        ] {
            if flows.is_empty() {
                continue;
            }
            self.text(CARDS, 8, text, Ink::Head);
            self.frame.height += 16;
            for flow in flows {
                let joint = self.frame.height + JOINT;
                joints.push(joint);
                let area = Area {
                    x: RAIL - 12,
                    y: joint - 12,
                    width: 24,
                    height: 24,
                };
                self.frame.parts.push(Part::new(shape, area));
                self.frame.wire(&[(RAIL, joint), (CARDS, joint)], true);
                self.place(flow, next(), even);
            }
            self.frame.height += 16;
        }
        for pair in joints.windows(2) {
            if let [from, to] = pair {
                self.frame.wire(&[(RAIL, *from), (RAIL, *to)], false);
            }
        }
    }

    /// Where calls come from; its middle.
    fn start(&mut self, graph: &Graph<'_>) -> usize {
        let text = match graph.selection {
            Selection::Tool(name) => format!("every call of {}", shown(name)),
            Selection::Whole | Selection::Flow(_) => "every call".to_owned(),
        };
        let ink = Ink::Head;
        let text = cut(&text, ink.face(), ink.size(), 600);
        let mut part = Part::new(
            Shape::Start,
            Area {
                x: MARGIN,
                y: self.frame.height,
                width: ink.width(&text) + 32,
                height: 30,
            },
        );
        part.lines.push(Line {
            x: MARGIN + 16,
            baseline: self.frame.height + 20,
            text,
            ink,
        });
        self.frame.parts.push(part);
        let middle = self.frame.height + 15;
        self.frame.height += 30 + 30;
        middle
    }

    fn place(&mut self, flow: &FlowGraph<'_>, ladder: Drawing, even: usize) {
        let drawing = card(flow, ladder, even);
        let y = self.frame.height;
        self.frame.height += drawing.height + BETWEEN_CARDS;
        self.cards.push(PlacedCard {
            id: flow.flow.id.clone(),
            x: CARDS,
            y,
            drawing,
        });
    }

    /// The flows without a word, in a list that can be passed over.
    fn dialogue(&mut self, graph: &Graph<'_>, right: usize) {
        if graph.dialogue.is_empty() {
            return;
        }
        let names: Vec<String> = graph
            .dialogue
            .iter()
            .map(|flow| shown(&flow.name))
            .collect();
        let text = format!("Talk that decides nothing: {}", names.join(", "));
        let ink = Ink::Quiet;
        let room = right - CARDS;
        self.frame.height += 8;
        for line in wrap(&text, ink.face(), ink.size(), room, MOST_QUIET_LINES, 0) {
            self.text(CARDS, 18, line, ink);
        }
    }
}

/// What a word means, for the legend.
pub fn meaning(kind: Kind) -> &'static str {
    match kind {
        Kind::Allow => "the tool may run",
        Kind::Clarify => "a person is asked first",
        Kind::Refuse => "the call is refused",
        Kind::NoWord => "refused if no other flow speaks",
        Kind::Passes => "the guard lets the call go on",
    }
}

/// The heads of the two stretches of a call's way.
pub const GUARDS: &str = "Guards: every call passes them";
/// The second of them.
pub const FLOWS: &str = "Flows: a call goes to those of its tool";

/// What is drawn where there is nothing to draw.
pub const NOTHING_SPEAKS: &str = "Nothing here decides on a tool.";

/// What the sign of a missing value means, for the legend.
pub const LACK_MEANING: &str = "a comparison whose value is missing refuses";

/// The sign of a missing value with its meaning.
fn lack() -> Part {
    let mut part = Part::new(
        Shape::Lack,
        Area {
            width: 28 + Ink::Quiet.width(LACK_MEANING),
            height: 40,
            ..Area::default()
        },
    );
    part.lines.push(Line {
        x: 28,
        baseline: 25,
        text: LACK_MEANING.to_owned(),
        ink: Ink::Quiet,
    });
    part
}
