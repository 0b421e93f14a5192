//! What is drawn can be read: nothing lies on something else, and texts fit.

use stalwart::graph::Graph;
use stalwart::graph::drawing::{Area, Drawing, Part, Shape, page};

fn overlap(one: Area, other: Area) -> bool {
    one.x < other.right()
        && other.x < one.right()
        && one.y < other.bottom()
        && other.y < one.bottom()
}

fn is_inside(inner: Area, outer: Area) -> bool {
    inner.x >= outer.x
        && inner.y >= outer.y
        && inner.right() <= outer.right()
        && inner.bottom() <= outer.bottom()
}

/// All pictures: parts are apart, inside of the picture, and wide enough for their texts; wires
/// pass beside the boxes.
pub fn nothing_overlaps(graph: &Graph<'_>) -> Result<(), String> {
    let page = page(graph);
    let frame = Area {
        width: page.frame.width,
        height: page.frame.height,
        ..Area::default()
    };
    apart(&page.frame)?;
    let mut areas = Vec::new();
    for card in &page.cards {
        apart(&card.drawing).map_err(|fault| format!("{}: {fault}", card.id))?;
        areas.push(Area {
            x: card.x,
            y: card.y,
            width: card.drawing.width,
            height: card.drawing.height,
        });
    }
    areas.extend(
        page.frame
            .parts
            .iter()
            .map(|part| part.area)
            .filter(|area| area.height > 30),
    );
    for (at, area) in areas.iter().enumerate() {
        if !is_inside(*area, frame) {
            return Err(format!("{area:?} is outside of {frame:?}"));
        }
        // The gates and stops of the way are as high as text, and stand beside the cards.
        if let Some(other) = areas[..at].iter().find(|other| overlap(*area, **other)) {
            let both = [area, other].map(|area| (area.x, area.y, area.width, area.height));
            return Err(format!("{both:?} overlap"));
        }
    }
    for part in &page.frame.parts {
        let inside_a_card = page
            .frame
            .parts
            .iter()
            .any(|card| card.shape == Shape::Card && is_inside(part.area, card.area));
        if !inside_a_card
            && areas
                .iter()
                .any(|area| *area != part.area && overlap(*area, part.area))
        {
            return Err(format!("{part:?} lies on a card"));
        }
    }
    Ok(())
}

/// One drawing.
fn apart(drawing: &Drawing) -> Result<(), String> {
    let all = Area {
        width: drawing.width,
        height: drawing.height,
        ..Area::default()
    };
    // The number of a condition sits on its corner.
    let mut parts: Vec<&Part> = drawing
        .parts
        .iter()
        .filter(|part| !matches!(part.shape, Shape::Card | Shape::Number(_)))
        .collect();
    parts.sort_by_key(|part| part.area.y);
    for (at, part) in parts.iter().enumerate() {
        if !is_inside(part.area, all) {
            return Err(format!("{part:?} is outside of {all:?}"));
        }
        let near = parts[at + 1..]
            .iter()
            .take_while(|other| other.area.y < part.area.bottom());
        for other in near {
            if overlap(part.area, other.area) {
                return Err(format!("{part:?}\nlies on\n{other:?}"));
            }
        }
        for line in &part.lines {
            let end = line.x + line.ink.width(&line.text);
            if line.x < part.area.x
                || end > part.area.right()
                || line.baseline > part.area.bottom()
                || line.baseline < part.area.y
            {
                return Err(format!("{line:?} does not fit into {:?}", part.area));
            }
        }
    }
    for wire in &drawing.wires {
        for ends in wire.points.windows(2) {
            let [(x1, y1), (x2, y2)] = [ends[0], ends[1]];
            if x1 != x2 && y1 != y2 {
                return Err(format!("{wire:?} is not straight"));
            }
            let segment = Area {
                x: x1.min(x2),
                y: y1.min(y2),
                width: x1.abs_diff(x2),
                height: y1.abs_diff(y2),
            };
            let boxes = parts.iter().filter(|part| {
                matches!(
                    part.shape,
                    Shape::Condition { .. } | Shape::Outcome(_) | Shape::Repeat(_) | Shape::Chip
                )
            });
            for part in boxes {
                let area = part.area;
                // A wire may touch an edge, and end there.
                let passes = segment.x < area.right()
                    && segment.right() > area.x
                    && segment.y < area.bottom()
                    && segment.bottom() > area.y;
                if passes {
                    return Err(format!("{wire:?} passes through {part:?}"));
                }
            }
        }
    }
    Ok(())
}

/// The index names each tool once.
pub fn every_tool_is_there_once(graph: &Graph<'_>, _svg: &str) -> Result<(), String> {
    let page = page(graph);
    let chips = page
        .frame
        .parts
        .iter()
        .filter(|part| part.shape == Shape::Chip)
        .count();
    let named: std::collections::BTreeSet<String> = page
        .frame
        .parts
        .iter()
        .filter(|part| part.shape == Shape::Chip)
        .map(|part| {
            if part.title.is_empty() {
                part.lines[0].text.clone()
            } else {
                part.title.clone()
            }
        })
        .collect();
    let tools: std::collections::BTreeSet<String> = graph
        .rulebook
        .tools
        .iter()
        .map(|tool| tool.name.clone())
        .collect();
    if named != tools || chips != tools.len() {
        return Err(format!("{named:?} are not {tools:?}"));
    }
    Ok(())
}
