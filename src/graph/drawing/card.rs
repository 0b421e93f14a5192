//! The card of a flow: its name, the tools that it is about, and its ladder.

use crate::graph::markup::shown;
use crate::graph::model::FlowGraph;
use crate::graph::width::cut;

use super::{Area, Drawing, Ink, Part, Shape, cell, chips};

/// The room inside of a card's edges.
const PAD: usize = 24;
/// Most names of tools in a head; the others are told where a reader points.
const MOST_CHIPS: usize = 24;

/// The room that a card takes beside its ladder.
pub const AROUND: usize = 2 * PAD;

/// The card of a flow around its ladder, at least this wide.
pub fn card(flow: &FlowGraph<'_>, ladder: Drawing, least_width: usize) -> Drawing {
    let width = (ladder.width + AROUND).max(least_width);
    let mut drawing = Drawing {
        width,
        ..Drawing::default()
    };
    let place = format!("line {}", flow.flow.line);
    let place_left = width - PAD - Ink::Quiet.width(&place);
    let name = shown(&flow.flow.name);
    let ink = Ink::Name;
    let kind = if flow.is_guard() { "guard" } else { "flow" };
    let name_left = PAD + Ink::Quiet.width(kind) + 10;
    let text = cut(&name, ink.face(), ink.size(), place_left - name_left - PAD);
    let mut surface = Part::new(Shape::Card, Area::default());
    surface.title = format!("{kind} {name}, {place}");
    let head = Part::text(PAD, 34, kind, Ink::Quiet);
    let mut head_name = Part::text(name_left, 34, text, ink);
    head_name.title = name;
    let head_place = Part::text(place_left, 34, place, Ink::Quiet);
    let mut parts = vec![head, head_name, head_place];
    let height = chips(&mut parts, subject(flow), (PAD, 48), width - 2 * PAD);
    let top = 48 + height + 20;
    for mut part in ladder.parts {
        part.shift(PAD, top);
        parts.push(part);
    }
    for mut wire in ladder.wires {
        for (x, y) in &mut wire.points {
            *x += PAD;
            *y += top;
        }
        drawing.wires.push(wire);
    }
    drawing.height = top + ladder.height + PAD - 8;
    surface.area = Area {
        width,
        height: drawing.height,
        ..Area::default()
    };
    drawing.parts.push(surface);
    drawing.parts.append(&mut parts);
    drawing
}

/// What a flow is about: chips, and words between them.
fn subject(flow: &FlowGraph<'_>) -> Vec<Part> {
    let (words, names): (&str, Vec<&str>) = match &flow.scope {
        None => ("decides on", flow.tools.clone()),
        Some(scope) => (scope.words(), scope.exceptions().collect()),
    };
    let mut parts = vec![cell::words(words)];
    parts.extend(names.iter().take(MOST_CHIPS).map(|name| cell::chip(name)));
    if let Some(more @ 1..) = names.len().checked_sub(MOST_CHIPS) {
        let rest: Vec<&str> = names.iter().skip(MOST_CHIPS).copied().collect();
        let more = cell::words(&format!("and {more} more"));
        parts.push(more.titled(shown(&rest.join(", "))));
    }
    parts
}
