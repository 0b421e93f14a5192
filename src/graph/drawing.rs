//! Where everything stands in a picture, in whole units: parts with their texts, and the wires
//! between them. What is drawn here is written by [`super::svg`].

mod card;
mod cell;
mod condition;
mod ladder;
mod page;

use super::model::Kind;
use super::width::{Face, width};

pub use card::card;
pub use cell::PILL_WIDTH;
pub use ladder::ladder;
pub use page::{
    FLOWS, GUARDS, LACK_MEANING, NOTHING_SPEAKS, Page, PlacedCard, counted, meaning, page, summary,
};

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// Left.
    pub x: usize,
    /// Top.
    pub y: usize,
    /// From left to right.
    pub width: usize,
    /// From top to bottom.
    pub height: usize,
}

impl Area {
    /// The first unit on the right of it.
    pub fn right(self) -> usize {
        self.x + self.width
    }

    /// The first unit below it.
    pub fn bottom(self) -> usize {
        self.y + self.height
    }
}

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The picture's title.
    Title,
    /// The name of a flow.
    Name,
    /// The head of a section.
    Head,
    /// What is said to a person.
    Prose,
    /// What may be passed over.
    Quiet,
    /// As a rulebook writes it.
    Code,
    /// The word in a pill.
    Word,
}

impl Ink {
    /// How it is set.
    pub fn face(self) -> Face {
        match self {
            Self::Title | Self::Name | Self::Head | Self::Word => Face::Bold,
            Self::Prose | Self::Quiet => Face::Sans,
            Self::Code => Face::Mono,
        }
    }

    /// Its size.
    pub fn size(self) -> usize {
        match self {
            Self::Title => 22,
            Self::Name => 16,
            Self::Prose => 14,
            Self::Head | Self::Code | Self::Word => 13,
            Self::Quiet => 12,
        }
    }

    /// The room that a line of it takes.
    pub fn width(self, text: &str) -> usize {
        width(text, self.face(), self.size())
    }
}

/// A line of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where it begins.
    pub x: usize,
    /// What it stands on.
    pub baseline: usize,
    /// The text, nothing in it invisible.
    pub text: String,
    /// How it looks.
    pub ink: Ink,
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The surface that a flow, or a list, stands on.
    Card,
    /// A condition that is asked for.
    Condition {
        /// Whether it can lack a value, and the call then is refused.
        may_lack: bool,
    },
    /// What a branch says: a pill and the texts beside it.
    Outcome(Kind),
    /// It goes on as at the condition with this number.
    Repeat(usize),
    /// The number of a condition that others lead to.
    Number(usize),
    /// A small frame with one name.
    Chip,
    /// Text alone.
    Text,
    /// The beginning of all calls.
    Start,
    /// A guard on the way of every call.
    Gate,
    /// A flow at the end of the way.
    Stop,
    /// The sign of a condition that can lack a value, to be explained.
    Lack,
}

/// A part of a picture. Parts that are no cards do not overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub shape: Shape,
    /// Where it is.
    pub area: Area,
    /// Its texts, inside of its area.
    pub lines: Vec<Line>,
    /// What is told of it where a reader points at it: whole texts, lines of the source.
    pub title: String,
    /// The id of the card that it leads to.
    pub link: Option<String>,
}

impl Part {
    fn new(shape: Shape, area: Area) -> Self {
        Self {
            shape,
            area,
            lines: Vec::new(),
            title: String::new(),
            link: None,
        }
    }

    /// A line of text alone; its area is what the text takes.
    fn text(x: usize, baseline: usize, text: impl Into<String>, ink: Ink) -> Self {
        let text = text.into();
        let area = Area {
            x,
            y: baseline.saturating_sub(ink.size()),
            width: ink.width(&text),
            height: ink.size() + ink.size() / 3,
        };
        let mut part = Self::new(Shape::Text, area);
        part.lines.push(Line {
            x,
            baseline,
            text,
            ink,
        });
        part
    }

    fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    fn linked(mut self, id: &str) -> Self {
        self.link = Some(id.to_owned());
        self
    }

    fn shift(&mut self, right: usize, down: usize) {
        self.area.x += right;
        self.area.y += down;
        for line in &mut self.lines {
            line.x += right;
            line.baseline += down;
        }
    }
}

/// A line that connects parts, with corners where it turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wire {
    /// Its ends and corners.
    pub points: Vec<(usize, usize)>,
    /// Whether its last point is an arrow's head.
    pub has_head: bool,
}

/// Parts and wires in a frame of their own, which begins at 0, 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The width of all of it.
    pub width: usize,
    /// The height of all of it.
    pub height: usize,
    /// The parts, those below others first.
    pub parts: Vec<Part>,
    /// The wires, which lie below all parts but cards.
    pub wires: Vec<Wire>,
}

impl Drawing {
    fn wire(&mut self, points: &[(usize, usize)], has_head: bool) {
        self.wires.push(Wire {
            points: points.to_vec(),
            has_head,
        });
    }
}

/// Lays chips in rows of a width; the height that they take.
fn chips(
    parts: &mut Vec<Part>,
    names: impl IntoIterator<Item = Part>,
    (left, top): (usize, usize),
    most: usize,
) -> usize {
    let (mut x, mut y) = (left, top);
    for mut chip in names {
        if x > left && x + chip.area.width > left + most {
            x = left;
            y += cell::CHIP_HEIGHT + 6;
        }
        chip.shift(x, y);
        x += chip.area.width + 8;
        parts.push(chip);
    }
    y + cell::CHIP_HEIGHT - top
}
