//! Scalable vector graphics: one file that needs nothing else, light or dark as the reader's
//! screen is.

use std::fmt::Write;

use crate::palette::{MONO, SANS, Tone, VARIABLES};

use super::drawing::{Area, Drawing, Ink, PILL_WIDTH, Page, Part, Shape, Wire, page, summary};
use super::markup::text;
use super::model::{Graph, Kind};

/// The radius of a corner where a wire turns.
const BEND: usize = 8;

/// A picture of a rulebook, or of a part of it.
pub fn render(graph: &Graph<'_>) -> String {
    let page = page(graph);
    let mut out = String::new();
    let title = format!("{}: {}", graph.rulebook.source.file, summary(graph));
    open(&mut out, page.frame.width, page.frame.height, &title);
    let _ = writeln!(out, "<desc>{}</desc>", text(&description(graph)));
    let _ = write!(out, "<style>\n{}{}</style>\n", VARIABLES, style());
    let (width, height) = (page.frame.width, page.frame.height);
    let _ = writeln!(
        out,
        "<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>"
    );
    write_page(&mut out, &page);
    out.push_str("</svg>\n");
    out
}

/// How far lines and signs reach over the edges of their boxes.
const OVER: usize = 10;

/// A drawing to stand in a page that has the style; it shrinks with the page, but stays readable.
pub fn inline(drawing: &Drawing, title: &str) -> String {
    let (width, height) = (drawing.width + 2 * OVER, drawing.height + 2 * OVER);
    let least = width * 4 / 5;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" \
         viewBox=\"-{OVER} -{OVER} {width} {height}\" role=\"img\" \
         style=\"max-width:100%;min-width:{least}px\"><title>{}</title>\n",
        text(title)
    );
    write_drawing(&mut out, drawing);
    out.push_str("</svg>\n");
    out
}

fn open(out: &mut String, width: usize, height: usize, title: &str) {
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" xml:space=\"preserve\">\
         <title>{}</title>",
        text(title)
    );
}

/// What a reader who cannot see the picture is told.
fn description(graph: &Graph<'_>) -> String {
    let tools: Vec<&str> = graph
        .tools
        .iter()
        .map(|entry| entry.tool.name.as_str())
        .collect();
    let guards: Vec<&str> = graph
        .guards
        .iter()
        .map(|guard| guard.flow.name.as_str())
        .collect();
    let mut description = String::from("Decision trees of an agent's rulebook.");
    for (what, names) in [
        (" Every call passes the guards: ", guards),
        (" Tools decided on: ", tools),
    ] {
        if !names.is_empty() {
            let _ = write!(description, "{what}{}.", names.join(", "));
        }
    }
    description
}

/// The rules of a style sheet for the classes of a picture; its variables are the palette's.
pub fn style() -> String {
    let mut style = format!(
        "svg text{{font-family:{SANS};fill:var(--ink);white-space:pre}}\n\
         .page{{fill:var(--page)}}\n\
         .card{{fill:var(--card);stroke:var(--line)}}\n\
         .condition{{fill:var(--sunken);stroke:var(--line)}}\n\
         .chip{{fill:var(--accent-fill)}}\n\
         .wire{{fill:none;stroke:var(--path);stroke-width:1.5}}\n\
         .head{{fill:var(--path)}}\n\
         .number{{fill:var(--accent)}}\n\
         svg .count{{font-size:11px;font-weight:600;text-anchor:middle;fill:var(--card)}}\n\
         .start,.stop{{fill:var(--accent)}}\n\
         .gate{{fill:var(--card);stroke:var(--accent);stroke-width:2}}\n\
         .bars{{fill:none;stroke:var(--accent);stroke-width:2;stroke-linecap:round}}\n\
         .lack{{fill:var(--card);stroke:var(--refuse);stroke-dasharray:3 2}}\n\
         .cross{{fill:none;stroke:var(--refuse);stroke-width:1.5;stroke-linecap:round}}\n\
         .sign{{fill:none;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}}\n\
         svg a .quiet{{fill:var(--accent)}}\n"
    );
    for ink in [
        Ink::Title,
        Ink::Name,
        Ink::Head,
        Ink::Prose,
        Ink::Quiet,
        Ink::Code,
        Ink::Word,
    ] {
        let rest = match ink {
            Ink::Title | Ink::Name | Ink::Head | Ink::Word => ";font-weight:600".to_owned(),
            Ink::Prose => String::new(),
            Ink::Quiet => ";fill:var(--quiet)".to_owned(),
            Ink::Code => format!(";font-family:{MONO}"),
        };
        let (class, size) = (class(ink), ink.size());
        let _ = writeln!(style, "svg .{class}{{font-size:{size}px{rest}}}");
    }
    style.push_str("svg .start-word{fill:var(--card)}\nsvg .chip-name{fill:var(--accent)}\n");
    for tone in Tone::ALL {
        let name = tone.name();
        let _ = write!(
            style,
            ".{name}{{fill:var(--{name}-fill);stroke:var(--{name}-edge)}}\n\
             svg .{name}-word{{fill:var(--{name})}}\n\
             .{name}-sign{{stroke:var(--{name})}}\n"
        );
    }
    style
}

fn class(ink: Ink) -> &'static str {
    match ink {
        Ink::Title => "title",
        Ink::Name => "name",
        Ink::Head => "section",
        Ink::Prose => "prose",
        Ink::Quiet => "quiet",
        Ink::Code => "code",
        Ink::Word => "word",
    }
}

fn write_page(out: &mut String, page: &Page) {
    write_drawing(out, &page.frame);
    for card in &page.cards {
        let _ = writeln!(
            out,
            "<g id=\"{}\" transform=\"translate({} {})\">",
            card.id, card.x, card.y
        );
        write_drawing(out, &card.drawing);
        out.push_str("</g>\n");
    }
}

fn write_drawing(out: &mut String, drawing: &Drawing) {
    let is_card = |part: &&Part| part.shape == Shape::Card;
    drawing
        .parts
        .iter()
        .filter(is_card)
        .for_each(|part| write_part(out, part));
    drawing.wires.iter().for_each(|wire| write_wire(out, wire));
    drawing
        .parts
        .iter()
        .filter(|part| !is_card(part))
        .for_each(|part| write_part(out, part));
}

fn write_part(out: &mut String, part: &Part) {
    let has_title = !part.title.is_empty() && part.shape != Shape::Card;
    if let Some(link) = &part.link {
        let _ = write!(out, "<a href=\"#{link}\">");
    }
    if has_title {
        let lines: Vec<String> = part.title.split('\n').map(text).collect();
        let _ = write!(out, "<g><title>{}</title>", lines.join("\n"));
    }
    write_shape(out, part);
    for line in &part.lines {
        let class = match (part.shape, line.ink) {
            (Shape::Outcome(kind), Ink::Word) => format!("word {}-word", kind.tone().name()),
            (Shape::Start, ink) => format!("{} start-word", class(ink)),
            (Shape::Chip, ink) => format!("{} chip-name", class(ink)),
            (_, ink) => class(ink).to_owned(),
        };
        let _ = write!(
            out,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>",
            line.x,
            line.baseline,
            text(&line.text)
        );
    }
    if has_title {
        out.push_str("</g>");
    }
    if part.link.is_some() {
        out.push_str("</a>");
    }
    out.push('\n');
}

fn write_shape(out: &mut String, part: &Part) {
    let Area {
        x,
        y,
        width,
        height,
    } = part.area;
    let mut surface = |class: &str, radius: usize, height: usize, y: usize, width: usize| {
        let _ = write!(
            out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             rx=\"{radius}\"/>"
        );
    };
    match part.shape {
        Shape::Card => surface("card", 14, height, y, width),
        Shape::Condition { may_lack } => {
            surface("condition", 8, height, y, width);
            if may_lack {
                write_lack(out, x + width - 18, y + height);
            }
        }
        Shape::Outcome(kind) => {
            surface(kind.tone().name(), 13, 26, y + 7, PILL_WIDTH);
            write_sign(out, kind, x + 18, y + 20);
        }
        Shape::Repeat(number) => write_number(out, number, x + 12, y + 20),
        Shape::Number(number) => write_number(out, number, x + 9, y + 9),
        Shape::Chip => surface("chip", 12, height, y, width),
        Shape::Start => surface("start", 15, height, y, width),
        Shape::Gate => {
            surface("gate", 7, height, y, width);
            let _ = write!(
                out,
                "<path class=\"bars\" d=\"M{} {}v10M{} {}v10M{} {}v10\"/>",
                x + 7,
                y + 7,
                x + 12,
                y + 7,
                x + 17,
                y + 7
            );
        }
        Shape::Stop => {
            let _ = write!(
                out,
                "<circle class=\"stop\" cx=\"{}\" cy=\"{}\" r=\"6\"/>",
                x + width / 2,
                y + height / 2
            );
        }
        Shape::Lack => write_lack(out, x + 12, y + 20),
        Shape::Text => {}
    }
}

/// The number of a place that others lead to.
fn write_number(out: &mut String, number: usize, x: usize, y: usize) {
    let (half, digits) = (9, number.to_string());
    let wide = half + 3 * digits.len().saturating_sub(1);
    let _ = write!(
        out,
        "<rect class=\"number\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"18\" rx=\"9\"/>\
         <text class=\"count\" x=\"{x}\" y=\"{}\">{digits}</text>",
        x.saturating_sub(wide),
        y.saturating_sub(half),
        2 * wide,
        y + 4
    );
}

/// A way out, for a value that is missing.
fn write_lack(out: &mut String, x: usize, y: usize) {
    let _ = write!(
        out,
        "<circle class=\"lack\" cx=\"{x}\" cy=\"{y}\" r=\"8\"/>\
         <path class=\"cross\" d=\"M{} {}l6 6m0 -6l-6 6\"/>",
        x - 3,
        y - 3
    );
}

/// The sign of a word, around a point: drawn, since not every font has it.
fn write_sign(out: &mut String, kind: Kind, x: usize, y: usize) {
    let tone = kind.tone().name();
    let shape = match kind {
        Kind::Allow => format!("M{} {y}l3 4l7 -8", x - 5),
        Kind::Clarify => format!(
            "M{} {}a3.5 3.5 0 1 1 5 3.2c-1.2 .6 -1.5 1.2 -1.5 2.3m0 3.4v.1",
            x - 4,
            y - 3
        ),
        Kind::Refuse => format!("M{} {}l8 8m0 -8l-8 8", x - 4, y - 4),
        Kind::NoWord => format!("M{} {y}h8", x - 4),
        Kind::Passes => format!("M{} {y}h9m-4 -4l4 4l-4 4", x - 5),
    };
    let _ = write!(out, "<path class=\"sign {tone}-sign\" d=\"{shape}\"/>");
}

fn write_wire(out: &mut String, wire: &Wire) {
    let mut path = String::new();
    let points = &wire.points;
    for (at, (x, y)) in points.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| points.get(at));
        match (before, points.get(at + 1)) {
            (None, _) => {
                let _ = write!(path, "M{x} {y}");
            }
            (Some(_), None) => {
                let _ = write!(path, "L{x} {y}");
            }
            (Some(before), Some(after)) => {
                let near = towards((*x, *y), *before);
                let far = towards((*x, *y), *after);
                let _ = write!(path, "L{} {}Q{x} {y} {} {}", near.0, near.1, far.0, far.1);
            }
        }
    }
    let _ = writeln!(out, "<path class=\"wire\" d=\"{path}\"/>");
    if let ([.., from, (x, y)], true) = (points.as_slice(), wire.has_head) {
        let (x, y) = (*x, *y);
        let _ = if from.1 == y {
            writeln!(out, "<path class=\"head\" d=\"M{x} {y}l-8 -4.5v9z\"/>")
        } else {
            writeln!(out, "<path class=\"head\" d=\"M{x} {y}l-4.5 -8h9z\"/>")
        };
    }
}

/// A point a bend's radius away from a corner.
fn towards(corner: (usize, usize), other: (usize, usize)) -> (usize, usize) {
    let step = |from: usize, to: usize| {
        let distance = from.abs_diff(to).min(BEND);
        if to < from {
            from - distance
        } else {
            from + distance
        }
    };
    (step(corner.0, other.0), step(corner.1, other.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wires_bend_before_and_behind_a_corner() {
        let mut out = String::new();
        let wire = Wire {
            points: vec![(24, 40), (24, 68), (100, 68)],
            has_head: true,
        };
        write_wire(&mut out, &wire);
        assert_eq!(
            out,
            "<path class=\"wire\" d=\"M24 40L24 60Q24 68 32 68L100 68\"/>\n\
             <path class=\"head\" d=\"M100 68l-8 -4.5v9z\"/>\n"
        );
        assert_eq!(towards((10, 10), (10, 7)), (10, 7));
    }
}
