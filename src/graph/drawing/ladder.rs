//! A decision tree as a ladder: conditions below one another where the answer is no, to the right
//! where it is yes, and what is said at the ends in one column on the right.
//!
//! Each end has a height of its own that no other box of the ladder is in, so nothing overlaps and
//! no wires cross. Where trees nest deeply on the yes side, the answer that leads to the larger
//! one goes down: the number of columns grows as the logarithm of the number of ends.

use std::collections::{BTreeMap, BTreeSet};

use crate::graph::model::{FlowGraph, Node};

use super::cell::{self, ANCHOR};
use super::{Area, Drawing, Ink, Part, Shape};

/// From a column to the next, with room for an answer.
const BETWEEN_COLUMNS: usize = 58;
/// From a condition to the one below it, with room for an answer.
const BETWEEN_QUESTIONS: usize = 26;
/// From a condition to the end below it.
const BEFORE_END: usize = 8;
/// Where a wire leaves a condition at its bottom, from its left.
const DOWN: usize = 24;
/// Up to so many columns, yes goes to the right and no goes down, whatever is larger.
const MOST_PLAIN_COLUMNS: usize = 4;

/// A node with its box, and where its answers lead.
struct Rung {
    parts: Vec<Part>,
    /// The node on the right, and the answer that leads there.
    right: Option<(usize, &'static str)>,
    /// The node below.
    down: Option<(usize, &'static str)>,
    /// Columns of conditions in its tree.
    columns: usize,
    /// Height of its tree.
    height: usize,
}

/// Lays out the tree of a flow.
pub fn ladder(flow: &FlowGraph<'_>) -> Drawing {
    let numbers = numbers(flow);
    let rungs = rungs(flow, &numbers);
    let places = places(&rungs);
    let columns = column_widths(&rungs, &places);
    let mut lefts = Vec::with_capacity(columns.len());
    let mut left = 0;
    for width in &columns {
        lefts.push(left);
        left += width + BETWEEN_COLUMNS;
    }
    let mut ends = left;
    let mut drawing = Drawing {
        height: rungs.first().map_or(0, |root| root.height),
        ..Drawing::default()
    };
    if columns.is_empty() {
        let part = cell::always();
        ends = part.area.width + BETWEEN_COLUMNS;
        drawing.wire(&[(part.area.width + 10, ANCHOR), (ends, ANCHOR)], true);
        drawing.parts.push(part);
    }
    for ((at, rung), place) in rungs.iter().enumerate().zip(&places) {
        let left = lefts.get(place.column).copied().unwrap_or(ends);
        let is_end = rung.right.is_none() && rung.down.is_none();
        let mut y = place.y;
        let x = if is_end { ends } else { left };
        for (word, part) in rung.parts.iter().enumerate() {
            let mut part = part.clone();
            part.shift(x, y);
            if !is_end {
                part.area.width = columns.get(place.column).copied().unwrap_or(0);
            } else if word > 0 {
                // Further words of one branch hang on the first.
                let bend = x - 14;
                let (from, to) = (place.y + ANCHOR, y + ANCHOR);
                drawing.wire(&[(bend, from), (bend, to), (x, to)], true);
            }
            y += part.area.height;
            drawing.width = drawing.width.max(part.area.right());
            if let (Some((to, answer)), false) = (rung.right, is_end) {
                let (from, y) = (part.area.right(), place.y + ANCHOR);
                let is_leaf = rungs.get(to).is_some_and(|rung| rung.columns == 0);
                let next = lefts.get(place.column + 1).copied().unwrap_or(ends);
                let to = if is_leaf { ends } else { next };
                drawing.wire(&[(from, y), (to, y)], true);
                let label = Part::text(from + 10, y - 6, answer, Ink::Quiet);
                drawing.parts.push(label);
            }
            if let (Some((to, answer)), false) = (rung.down, is_end) {
                let (x, from) = (left + DOWN, part.area.bottom());
                let below = places.get(to).map_or(0, |place| place.y);
                let is_leaf = rungs.get(to).is_some_and(|rung| rung.columns == 0);
                if is_leaf {
                    let y = below + ANCHOR;
                    drawing.wire(&[(x, from), (x, y), (ends, y)], true);
                    let label = Part::text(x + 10, y - 6, answer, Ink::Quiet);
                    drawing.parts.push(label);
                } else {
                    drawing.wire(&[(x, from), (x, below)], true);
                    let label = Part::text(x + 10, from + 17, answer, Ink::Quiet);
                    drawing.parts.push(label);
                }
            }
            drawing.parts.push(part);
        }
        if let Some(number) = numbers.get(&at) {
            let area = Area {
                x: left.saturating_sub(9),
                y: place.y.saturating_sub(9),
                width: 18,
                height: 18,
            };
            drawing.parts.push(Part::new(Shape::Number(*number), area));
        }
    }
    drawing
}

/// The numbers of the nodes that others lead to.
fn numbers(flow: &FlowGraph<'_>) -> BTreeMap<usize, usize> {
    let targets = flow.folded.iter().filter_map(|node| match node {
        Node::Repeat { of, .. } => Some(*of),
        Node::Question { .. } | Node::Ending(_) => None,
    });
    let targets: BTreeSet<usize> = targets.collect();
    targets.into_iter().zip(1..).collect()
}

/// Boxes and sizes, from the ends to the root.
fn rungs(flow: &FlowGraph<'_>, numbers: &BTreeMap<usize, usize>) -> Vec<Rung> {
    let mut rungs: Vec<Option<Rung>> = Vec::new();
    rungs.resize_with(flow.folded.len(), || None);
    for (at, node) in flow.folded.iter().enumerate().rev() {
        let size = |index: Option<usize>| {
            let rung = index
                .and_then(|index| rungs.get(index))
                .and_then(Option::as_ref);
            rung.map_or((0, 0), |rung| (rung.columns, rung.height))
        };
        let rung = match node {
            Node::Ending(ending) => {
                let parts = cell::outcomes(flow, ending);
                Rung {
                    height: parts.iter().map(|part| part.area.height).sum(),
                    parts,
                    right: None,
                    down: None,
                    columns: 0,
                }
            }
            Node::Repeat { of, branches } => {
                let part = cell::repeat(numbers.get(of).copied().unwrap_or(0), branches);
                Rung {
                    height: part.area.height,
                    parts: vec![part],
                    right: None,
                    down: None,
                    columns: 0,
                }
            }
            Node::Question { arm, yes, no } => {
                let ways = [(Some(*yes), "yes"), (*no, "no")];
                let [yes, no] = ways.map(|(to, answer)| to.map(|to| (to, answer)));
                let columns = |right: Option<(usize, &str)>, down: Option<(usize, &str)>| {
                    let [right, down] = [right, down].map(|to| size(to.map(|to| to.0)).0);
                    (right + 1).max(down)
                };
                let (plain, turned) = (columns(yes, no), columns(no, yes));
                let (right, down) = if no.is_none() || plain <= turned.max(MOST_PLAIN_COLUMNS) {
                    (yes, no)
                } else {
                    (no, yes)
                };
                let part = cell::condition(arm);
                let height = part.area.height.max(size(right.map(|to| to.0)).1);
                let (below, height_below) = size(down.map(|to| to.0));
                let gap = match (down, below) {
                    (None, _) => 0,
                    (Some(_), 0) => BEFORE_END,
                    (Some(_), _) => BETWEEN_QUESTIONS,
                };
                Rung {
                    parts: vec![part],
                    right,
                    down,
                    columns: columns(right, down),
                    height: height + gap + height_below,
                }
            }
        };
        if let Some(place) = rungs.get_mut(at) {
            *place = Some(rung);
        }
    }
    rungs.into_iter().flatten().collect()
}

/// Where a rung's box stands.
#[derive(Clone, Copy, Default)]
struct Place {
    column: usize,
    y: usize,
}

/// From the root on, which stands before all others.
fn places(rungs: &[Rung]) -> Vec<Place> {
    let mut places = vec![Place::default(); rungs.len()];
    for (at, rung) in rungs.iter().enumerate() {
        let Place { column, y } = places.get(at).copied().unwrap_or_default();
        let mut put = |to: Option<(usize, &str)>, column: usize, y: usize| {
            if let Some(place) = to.and_then(|(to, _)| places.get_mut(to)) {
                *place = Place { column, y };
            }
        };
        put(rung.right, column + 1, y);
        let below = rung.down.and_then(|(to, _)| rungs.get(to));
        put(
            rung.down,
            column,
            y + rung.height - below.map_or(0, |below| below.height),
        );
    }
    places
}

/// The width of each column of conditions: that of its widest.
fn column_widths(rungs: &[Rung], places: &[Place]) -> Vec<usize> {
    let mut widths = vec![0; rungs.first().map_or(0, |root| root.columns)];
    for (rung, place) in rungs.iter().zip(places) {
        if rung.columns == 0 {
            continue;
        }
        for part in &rung.parts {
            if let Some(width) = widths.get_mut(place.column) {
                *width = part.area.width.max(*width);
            }
        }
    }
    widths
}
