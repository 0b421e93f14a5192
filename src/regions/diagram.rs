//! Decision diagrams: functions from points of a space to numbers, each equal part kept once.
//!
//! A function is a graph of forks, each of which looks at one name's class, in one order of
//! names on every way. Parts that are equal are one node, so equal functions are the same node
//! and no product of classes is ever listed. Nothing here recurses: the depth of a graph is the
//! number of names, which a rulebook decides.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::TooLarge;

/// A node, equal for equal functions of one diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeId(u32);

/// What classes lead to: the class behind the last one, and where they lead. Pieces ascend and
/// cover all classes; neighbours lead to different nodes.
pub(super) type Piece = (u32, NodeId);

/// A node: the value of a function, or the name it looks at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Node {
    /// The value, whatever the classes of names further down.
    Value(u32),
    /// By class of the name at this level, where it goes on.
    Fork(u32, Rc<[Piece]>),
}

/// By class, the nodes that several functions go on to.
type Parts<const N: usize> = Vec<(u32, [NodeId; N])>;

/// How a function is computed at one place.
pub(super) enum Step<K> {
    /// It is this node.
    Done(NodeId),
    /// It looks at a level: by class, what is to be computed there.
    Split(u32, Vec<(u32, K)>),
}

/// All nodes, and how many steps may still be taken to make more.
#[derive(Debug)]
pub(super) struct Diagram {
    nodes: Vec<Node>,
    numbers: BTreeMap<Node, NodeId>,
    left: u64,
}

/// A computation that waits for one of its parts.
struct Frame<K> {
    key: K,
    level: u32,
    rest: std::vec::IntoIter<(u32, K)>,
    /// The end of the piece that is computed now.
    end: u32,
    done: Vec<Piece>,
}

impl Diagram {
    /// Without nodes; `steps` is how many pieces may be looked at.
    pub(super) fn new(steps: u64) -> Self {
        Self {
            nodes: Vec::new(),
            numbers: BTreeMap::new(),
            left: steps,
        }
    }

    /// The steps that are left.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Takes steps.
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), TooLarge> {
        let steps = u64::try_from(steps).unwrap_or(u64::MAX);
        self.left = self.left.checked_sub(steps).ok_or(TooLarge)?;
        Ok(())
    }

    fn add(&mut self, node: Node) -> Result<NodeId, TooLarge> {
        if let Some(found) = self.numbers.get(&node) {
            return Ok(*found);
        }
        let id = NodeId(u32::try_from(self.nodes.len()).map_err(|_| TooLarge)?);
        self.nodes.push(node.clone());
        self.numbers.insert(node, id);
        Ok(id)
    }

    /// The function that has this value everywhere.
    pub(super) fn value(&mut self, value: u32) -> Result<NodeId, TooLarge> {
        self.add(Node::Value(value))
    }

    /// The function that looks at a level; its pieces ascend and cover all classes.
    pub(super) fn fork(
        &mut self,
        level: u32,
        pieces: impl IntoIterator<Item = Piece>,
    ) -> Result<NodeId, TooLarge> {
        let mut joined: Vec<Piece> = Vec::new();
        for (end, node) in pieces {
            match joined.last_mut() {
                Some((last, before)) if *before == node => *last = end,
                _ => joined.push((end, node)),
            }
        }
        self.spend(joined.len())?;
        match joined.as_slice() {
            [(_, only)] => Ok(*only),
            _ => self.add(Node::Fork(level, joined.into())),
        }
    }

    /// A node.
    pub(super) fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(usize::try_from(id.0).ok()?)
    }

    /// The value of a function that has one value everywhere.
    pub(super) fn constant(&self, id: NodeId) -> Option<u32> {
        match self.node(id)? {
            Node::Value(value) => Some(*value),
            Node::Fork(..) => None,
        }
    }

    /// Computes a function from its parts; `step` says how each is made of others.
    pub(super) fn compute<K: Ord + Clone>(
        &mut self,
        whole: K,
        mut step: impl FnMut(&mut Self, &K) -> Result<Step<K>, TooLarge>,
    ) -> Result<NodeId, TooLarge> {
        let mut known: BTreeMap<K, NodeId> = BTreeMap::new();
        let mut frames: Vec<Frame<K>> = Vec::new();
        let mut key = whole;
        loop {
            let mut found = match known.get(&key) {
                Some(found) => Some(*found),
                None => match step(self, &key)? {
                    Step::Done(found) => Some(found),
                    Step::Split(level, parts) => {
                        self.spend(parts.len())?;
                        frames.push(Frame {
                            key: key.clone(),
                            level,
                            done: Vec::with_capacity(parts.len()),
                            rest: parts.into_iter(),
                            end: 0,
                        });
                        None
                    }
                },
            };
            loop {
                let Some(frame) = frames.last_mut() else {
                    return found.ok_or(TooLarge);
                };
                if let Some(found) = found.take() {
                    frame.done.push((frame.end, found));
                }
                if let Some((end, next)) = frame.rest.next() {
                    frame.end = end;
                    key = next;
                    break;
                }
                let Some(frame) = frames.pop() else {
                    return Err(TooLarge);
                };
                let made = self.fork(frame.level, frame.done)?;
                known.insert(frame.key, made);
                found = Some(made);
            }
        }
    }

    /// The first level that some of the nodes look at, and by class the nodes that they go on
    /// to; none when all have one value everywhere.
    pub(super) fn split<const N: usize>(&self, nodes: [NodeId; N]) -> Option<(u32, Parts<N>)> {
        let level_of = |id: &NodeId| match self.node(*id) {
            Some(Node::Fork(level, _)) => Some(*level),
            Some(Node::Value(_)) | None => None,
        };
        let level = nodes.iter().filter_map(level_of).min()?;
        let mut rest: [&[Piece]; N] = nodes.map(|id| match self.node(id) {
            Some(Node::Fork(own, pieces)) if *own == level => pieces.as_ref(),
            _ => &[],
        });
        let mut parts: Parts<N> = Vec::new();
        loop {
            let ends = rest.iter().filter_map(|pieces| pieces.first());
            let Some(end) = ends.map(|(end, _)| *end).min() else {
                break;
            };
            let mut part = nodes;
            for (place, pieces) in part.iter_mut().zip(&mut rest) {
                if let Some(((own, next), others)) = pieces.split_first() {
                    *place = *next;
                    if *own == end {
                        *pieces = others;
                    }
                }
            }
            parts.push((end, part));
        }
        Some((level, parts))
    }

    /// The function whose value at a point is made of the values of two; `join` is asked for it
    /// as soon as one of the two is known, and must know it when both are.
    pub(super) fn join(
        &mut self,
        left: NodeId,
        right: NodeId,
        mut join: impl FnMut(Option<u32>, Option<u32>) -> Option<u32>,
    ) -> Result<NodeId, TooLarge> {
        self.compute([left, right], |diagram, pair| {
            let [left, right] = pair.map(|id| diagram.constant(id));
            if let Some(value) = join(left, right) {
                return diagram.value(value).map(Step::Done);
            }
            let (level, parts) = diagram.split(*pair).ok_or(TooLarge)?;
            Ok(Step::Split(level, parts))
        })
    }

    /// [`Diagram::join`] of many, of whom neighbours may be joined first: `join` is associative.
    /// In halves, since a function that is joined with one after another is walked each time.
    pub(super) fn join_all(
        &mut self,
        mut functions: Vec<NodeId>,
        mut join: impl FnMut(Option<u32>, Option<u32>) -> Option<u32>,
    ) -> Result<NodeId, TooLarge> {
        while functions.len() > 1 {
            let mut joined = Vec::with_capacity(functions.len().div_ceil(2));
            for pair in functions.chunks(2) {
                joined.push(match pair {
                    [left, right] => self.join(*left, *right, &mut join)?,
                    _ => pair.first().copied().ok_or(TooLarge)?,
                });
            }
            functions = joined;
        }
        functions.first().copied().ok_or(TooLarge)
    }

    /// The function with other values.
    pub(super) fn map(
        &mut self,
        of: NodeId,
        mut value: impl FnMut(u32) -> u32,
    ) -> Result<NodeId, TooLarge> {
        self.join(of, of, |known, _| known.map(&mut value))
    }

    /// The function that is one of `ways`, by the value of `by`: 0, 1 or 2.
    pub(super) fn select(&mut self, by: NodeId, ways: [NodeId; 3]) -> Result<NodeId, TooLarge> {
        let [first, second, third] = ways;
        self.compute([by, first, second, third], |diagram, nodes| {
            let [by, first, second, third] = *nodes;
            if first == second && second == third {
                return Ok(Step::Done(first));
            }
            match diagram.constant(by) {
                Some(0) => return Ok(Step::Done(first)),
                Some(1) => return Ok(Step::Done(second)),
                Some(_) => return Ok(Step::Done(third)),
                None => {}
            }
            let (level, parts) = diagram.split(*nodes).ok_or(TooLarge)?;
            Ok(Step::Split(level, parts))
        })
    }

    /// The nodes that a function is made of, from its values up to itself; `allowed` says which
    /// pieces of a level are followed.
    pub(super) fn reachable(
        &self,
        from: NodeId,
        mut allowed: impl FnMut(u32, u32, u32) -> bool,
    ) -> std::collections::BTreeSet<NodeId> {
        // A node is made after those it leads to, so their order is that of their numbers.
        let mut found = std::collections::BTreeSet::from([from]);
        let mut rest = vec![from];
        while let Some(id) = rest.pop() {
            let Some(Node::Fork(level, pieces)) = self.node(id) else {
                continue;
            };
            let mut start = 0;
            for (end, next) in pieces.iter() {
                if allowed(*level, start, *end) && found.insert(*next) {
                    rest.push(*next);
                }
                start = *end;
            }
        }
        found
    }
}
