//! Few conjunctions that cover the points at which a function has a value, each point once.
//!
//! One after another, a short way to the value is widened to a conjunction that holds nowhere
//! else and cannot be widened further; its points are taken away, and the rest is covered.

use std::collections::BTreeMap;

use crate::decision_space::ClassSet;

use super::TooLarge;
use super::diagram::{Diagram, Node, NodeId, Piece};

/// A conjunction: by level, the classes that are left; levels that are not in it have all.
pub(super) type Cube = BTreeMap<u32, ClassSet>;

/// The values of a function that says where something is so.
const OUTSIDE: u32 = 0;
const INSIDE: u32 = 1;

/// Disjoint conjunctions that cover where a function has a value, and whether they cover all of
/// it: there are at most `most`, and after `steps` no more are looked for. `counts` has the number
/// of classes of each level.
///
/// # Errors
/// When no steps are left at all.
pub(super) fn cover(
    diagram: &mut Diagram,
    function: NodeId,
    value: u32,
    counts: &[u32],
    (most, steps): (usize, u64),
) -> Result<(Vec<Cube>, bool), TooLarge> {
    let last = diagram.left().saturating_sub(steps);
    let mut rest = diagram.map(
        function,
        |other| if other == value { INSIDE } else { OUTSIDE },
    )?;
    let mut cubes: Vec<Cube> = Vec::new();
    let mut is_complete = true;
    while diagram.constant(rest) != Some(OUTSIDE) {
        if cubes.len() >= most || (diagram.left() < last && !cubes.is_empty()) {
            is_complete = false;
            break;
        }
        match next(diagram, rest, counts) {
            Ok((cube, others)) => {
                cubes.push(cube);
                rest = others;
            }
            Err(TooLarge) if cubes.is_empty() => return Err(TooLarge),
            Err(TooLarge) => {
                is_complete = false;
                break;
            }
        }
    }
    Ok((merged(cubes, counts), is_complete))
}

/// A conjunction inside of a function, and the rest of the function.
fn next(
    diagram: &mut Diagram,
    function: NodeId,
    counts: &[u32],
) -> Result<(Cube, NodeId), TooLarge> {
    let mut cube = short_way(diagram, function)?;
    widen(diagram, function, &mut cube, counts)?;
    let taken = conjunction(diagram, &cube, counts)?;
    let rest = diagram.join(function, taken, |inside, taken| match (inside, taken) {
        (Some(OUTSIDE), _) | (_, Some(INSIDE)) => Some(OUTSIDE),
        (inside, Some(_)) => inside,
        (_, None) => None,
    })?;
    Ok((cube, rest))
}

/// The way from a function to where it is so that looks at the fewest names.
fn short_way(diagram: &mut Diagram, function: NodeId) -> Result<Cube, TooLarge> {
    let nodes = diagram.reachable(function, |_, _, _| true);
    diagram.spend(nodes.len())?;
    // By node, how many names are looked at from it on; none where it is nowhere so.
    let mut lengths: BTreeMap<NodeId, usize> = BTreeMap::new();
    for id in nodes {
        let length = match diagram.node(id) {
            Some(Node::Value(INSIDE)) => Some(0),
            Some(Node::Fork(_, pieces)) => {
                let lengths = pieces.iter().filter_map(|(_, next)| lengths.get(next));
                lengths.min().map(|length| length + 1)
            }
            _ => None,
        };
        if let Some(length) = length {
            lengths.insert(id, length);
        }
    }
    let mut cube = Cube::new();
    let mut at = function;
    while let Some(Node::Fork(level, pieces)) = diagram.node(at) {
        let shortest = pieces
            .iter()
            .filter_map(|(_, next)| Some((lengths.get(next)?, *next)))
            .min_by_key(|(length, _)| **length);
        let Some((_, next)) = shortest else {
            return Err(TooLarge);
        };
        cube.insert(*level, classes_to(pieces, |other| other == next));
        at = next;
    }
    Ok(cube)
}

/// The classes whose pieces lead to where it is so.
fn classes_to(pieces: &[Piece], leads: impl Fn(NodeId) -> bool) -> ClassSet {
    let mut start = 0;
    ClassSet::from_ranges(pieces.iter().filter_map(|(end, next)| {
        let range = (start, *end);
        start = *end;
        leads(*next).then_some(range)
    }))
}

/// Widens a conjunction inside of a function: first names are left out that need not be in it,
/// those that rules read last first; then the others get all classes that they may have.
fn widen(
    diagram: &mut Diagram,
    function: NodeId,
    cube: &mut Cube,
    counts: &[u32],
) -> Result<(), TooLarge> {
    for leave_out in [true, false] {
        let levels: Vec<u32> = cube.keys().rev().copied().collect();
        for level in levels {
            let Some(own) = cube.remove(&level) else {
                continue;
            };
            let widest = widest(diagram, function, cube, level, counts)?;
            if widest == all(level, counts) {
                continue;
            }
            cube.insert(level, if leave_out { own } else { widest });
        }
    }
    Ok(())
}

fn all(level: u32, counts: &[u32]) -> ClassSet {
    let count = usize::try_from(level).ok().and_then(|at| counts.get(at));
    ClassSet::range(0, count.copied().unwrap_or_default())
}

/// All classes that a level may have in a conjunction that has no such limit yet.
fn widest(
    diagram: &mut Diagram,
    function: NodeId,
    cube: &Cube,
    level: u32,
    counts: &[u32],
) -> Result<ClassSet, TooLarge> {
    let allowed = |level: u32, start: u32, end: u32| {
        cube.get(&level)
            .is_none_or(|set| set.intersects(&ClassSet::range(start, end)))
    };
    let nodes = diagram.reachable(function, allowed);
    diagram.spend(nodes.len())?;
    let mut widest = all(level, counts);
    // Whether a function is so wherever the conjunction holds.
    let mut holds: BTreeMap<NodeId, bool> = BTreeMap::new();
    for id in nodes {
        let is_held = match diagram.node(id) {
            Some(Node::Value(value)) => *value == INSIDE,
            Some(Node::Fork(own, pieces)) => {
                let leads = |next: NodeId| holds.get(&next) == Some(&true);
                let to = classes_to(pieces, leads);
                if *own == level {
                    widest = widest.intersection(&to);
                    continue;
                }
                let wanted = all(*own, counts);
                cube.get(own).unwrap_or(&wanted).is_subset(&to)
            }
            None => false,
        };
        holds.insert(id, is_held);
    }
    Ok(widest)
}

/// The function that is so where a conjunction holds.
fn conjunction(diagram: &mut Diagram, cube: &Cube, counts: &[u32]) -> Result<NodeId, TooLarge> {
    let outside = diagram.value(OUTSIDE)?;
    let mut function = diagram.value(INSIDE)?;
    for (level, set) in cube.iter().rev() {
        let lacking = set.complement(all(*level, counts).len());
        let inside = set.ranges().map(|(_, end)| (end, function));
        let mut pieces: Vec<Piece> = inside
            .chain(lacking.ranges().map(|(_, end)| (end, outside)))
            .collect();
        pieces.sort_unstable();
        function = diagram.fork(*level, pieces)?;
    }
    Ok(function)
}

/// Joins conjunctions that differ in one name only.
fn merged(cubes: Vec<Cube>, counts: &[u32]) -> Vec<Cube> {
    let mut merged: Vec<Cube> = Vec::with_capacity(cubes.len());
    for mut cube in cubes {
        let joined = |cube: &Cube, merged: &[Cube]| {
            let mut others = merged.iter().enumerate();
            others.find_map(|(at, other)| Some((at, join(other, cube, counts)?)))
        };
        while let Some((at, both)) = joined(&cube, &merged) {
            merged.remove(at);
            cube = both;
        }
        merged.push(cube);
    }
    merged
}

/// One conjunction for two that have the same limits but for one level.
fn join(one: &Cube, other: &Cube, counts: &[u32]) -> Option<Cube> {
    if one.len() != other.len() || one.keys().ne(other.keys()) {
        return None;
    }
    let mut levels = one
        .keys()
        .filter(|level| one.get(*level) != other.get(*level));
    let level = *levels.next()?;
    if levels.next().is_some() {
        return None;
    }
    let mut cube = one.clone();
    let both = cube.remove(&level)?.union(other.get(&level)?);
    if both != all(level, counts) {
        cube.insert(level, both);
    }
    Some(cube)
}
