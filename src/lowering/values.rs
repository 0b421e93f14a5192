//! Which value a name has where a condition reads it: the host's, a constant, an alias, or one
//! that the gate cannot know (contract section 3, `$x = …`).

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::syntax::tree::{Literal, PathName, StatementKind, Unreadable, Value};
use crate::text::{Span, Spanned};

use super::definitions::Definitions;
use super::graph::{Graph, NodeId, NodeKind, StepKind};

/// What is known of a name at a place.
#[derive(Clone, Debug, PartialEq)]
pub enum Known<'t> {
    /// The value the host supplies under the name.
    Host,
    /// A constant.
    Constant(&'t Literal),
    /// The value the host supplies under another name.
    Alias(PathName),
    /// A value the gate cannot see; the place of the assignment. On other paths that lead here
    /// it may be the host's or a constant.
    Unseen(Unseen<'t>, Span, Elsewhere),
    /// Assigned on some of the paths that lead here; the place of an assignment.
    OnSomePaths(Span),
    /// One of several values; the places of two assignments.
    SeveralValues(Span, Span),
}

/// Whether a value is unseen on every path, or on some of them readable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// It is unseen on every path.
    Unseen,
    /// On some path it is the host's, a constant or an alias.
    Readable,
}

/// Where an unseen value comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unseen<'t> {
    /// `$x = execute t`
    Result(&'t str),
    /// `$x = ...`
    Model,
    /// `$x = <an expression that the gate cannot read>`
    Expression(&'t Unreadable),
    /// An alias of a name whose value is not known.
    AliasOfUnknown,
    /// A part of a constant, which has none.
    PartOfConstant,
}

/// The values that names have at each place of a flow that assigns some.
#[derive(Debug, Default)]
pub struct Values<'t> {
    /// By name, all values that the flow assigns to it, each with its first place.
    assigned: BTreeMap<&'t str, Vec<(Assigned<'t>, Span)>>,
    /// By node of an `if`, the values that reach it; names that are not listed have the host's.
    at: BTreeMap<NodeId, Rc<State<'t>>>,
}

/// By name, a bit per possible value: bit 0 the host's, bit `n` the flow's n-th value.
type State<'t> = BTreeMap<&'t str, u64>;

const HOST: u64 = 1;
/// The last bit stands for every value beyond the sixty-second.
const MOST_VALUES: usize = 62;

#[derive(Clone, Debug, PartialEq)]
enum Assigned<'t> {
    Constant(&'t Literal),
    Alias(PathName),
    Unseen(Unseen<'t>),
}

impl<'t> Values<'t> {
    /// Follows all assignments of a flow along its paths. Declared names stay the host's: that
    /// they are assigned is an error of its own.
    pub fn follow(graph: &Graph<'t>, definitions: &Definitions<'_>) -> Self {
        let mut values = Self::default();
        let assigns = graph.nodes.iter().any(|node| {
            matches!(
                node.statement.map(|statement| &statement.kind),
                Some(StatementKind::Assign(_))
            ) || matches!(&node.kind, NodeKind::Step { step: StepKind::Execute(execute), .. } if execute.result.is_some())
        });
        if !assigns {
            return values;
        }
        let mut waiting: BTreeMap<NodeId, Rc<State<'t>>> = BTreeMap::new();
        waiting.insert(graph.entry, Rc::default());
        for (id, node) in graph.nodes.iter().enumerate().rev() {
            let Some(mut state) = waiting.remove(&id) else {
                continue;
            };
            match (&node.kind, node.statement.map(|statement| &statement.kind)) {
                (NodeKind::Plain { .. }, Some(StatementKind::Assign(assign))) => {
                    let value = match &assign.value {
                        Value::Literal(literal) => Assigned::Constant(&literal.value),
                        Value::Model(_) => Assigned::Unseen(Unseen::Model),
                        Value::Unreadable(unreadable) => {
                            Assigned::Unseen(Unseen::Expression(unreadable))
                        }
                        Value::Name(path) => values.alias(&path.value, &state),
                    };
                    let state = Rc::make_mut(&mut state);
                    values.assign(state, &assign.name, value, definitions);
                }
                (
                    NodeKind::Step {
                        step: StepKind::Execute(execute),
                        ..
                    },
                    _,
                ) => {
                    if let Some(result) = &execute.result {
                        let value = Assigned::Unseen(Unseen::Result(&execute.tool.value));
                        let state = Rc::make_mut(&mut state);
                        values.assign(state, result, value, definitions);
                    }
                }
                (NodeKind::If { .. }, _) => {
                    values.at.insert(id, state.clone());
                }
                _ => {}
            }
            let mut successors: Vec<NodeId> = graph.successors(node).collect();
            let last = successors.pop();
            for successor in successors {
                join(&mut waiting, successor, state.clone());
            }
            if let Some(last) = last {
                join(&mut waiting, last, state);
            }
        }
        values
    }

    fn assign(
        &mut self,
        state: &mut State<'t>,
        name: &'t Spanned<String>,
        value: Assigned<'t>,
        definitions: &Definitions<'_>,
    ) {
        let (name, span) = (name.value.as_str(), name.span);
        if definitions.declared_roots.contains_key(name) {
            return;
        }
        let known = self.assigned.entry(name).or_default();
        let index = match known.iter().position(|(other, _)| *other == value) {
            Some(index) => index,
            // The last one stands for all beyond it: more than one value is an error anyway.
            None if known.len() > MOST_VALUES => MOST_VALUES,
            None => {
                known.push((value, span));
                known.len() - 1
            }
        };
        state.insert(name, 1 << (index.min(MOST_VALUES) + 1));
    }

    fn alias(&self, path: &PathName, state: &State<'t>) -> Assigned<'t> {
        match self.known_in(path, state) {
            Known::Host => Assigned::Alias(path.clone()),
            Known::Constant(literal) => Assigned::Constant(literal),
            Known::Alias(target) => Assigned::Alias(target),
            Known::Unseen(unseen, ..) => Assigned::Unseen(unseen),
            Known::OnSomePaths(_) | Known::SeveralValues(..) => {
                Assigned::Unseen(Unseen::AliasOfUnknown)
            }
        }
    }

    /// Whether the flow assigns the name anywhere; the place of the first assignment.
    pub fn assigned_at(&self, name: &str) -> Option<Span> {
        let (_, span) = self.assigned.get(name)?.first()?;
        Some(*span)
    }

    /// What is known of a path at the `if` of this node.
    pub fn known(&self, path: &PathName, node: NodeId) -> Known<'t> {
        match self.at.get(&node) {
            Some(state) => self.known_in(path, state),
            None => Known::Host,
        }
    }

    fn known_in(&self, path: &PathName, state: &State<'t>) -> Known<'t> {
        let Some((root, rest)) = path.0.split_first() else {
            return Known::Host;
        };
        let Some((name, all)) = self.assigned.get_key_value(root.as_str()) else {
            return Known::Host;
        };
        let bits = state.get(name).copied().unwrap_or(HOST);
        if bits == HOST {
            return Known::Host;
        }
        let reaching: Vec<&(Assigned<'t>, Span)> = all
            .iter()
            .enumerate()
            .filter(|(index, _)| bits & (1 << (index.min(&MOST_VALUES) + 1)) != 0)
            .map(|(_, value)| value)
            .collect();
        let first_span = reaching.first().map_or(Span::default(), |(_, span)| *span);
        let unseen = reaching.iter().find_map(|(value, span)| match value {
            Assigned::Unseen(unseen) => Some((*unseen, *span)),
            _ => None,
        });
        if let Some((unseen, span)) = unseen {
            let all_unseen = reaching
                .iter()
                .all(|(value, _)| matches!(value, Assigned::Unseen(_)));
            let elsewhere = match bits & HOST == 0 && all_unseen {
                true => Elsewhere::Unseen,
                false => Elsewhere::Readable,
            };
            return Known::Unseen(unseen, span, elsewhere);
        }
        if bits & HOST != 0 {
            return Known::OnSomePaths(first_span);
        }
        match all.as_slice() {
            [(Assigned::Constant(literal), _)] if rest.is_empty() => Known::Constant(literal),
            [(Assigned::Constant(_), span)] => {
                Known::Unseen(Unseen::PartOfConstant, *span, Elsewhere::Unseen)
            }
            [(Assigned::Alias(target), _)] => {
                let mut segments = target.0.clone();
                segments.extend(rest.iter().cloned());
                Known::Alias(PathName(segments))
            }
            [(_, first), (_, second), ..] => Known::SeveralValues(*first, *second),
            _ => Known::Unseen(Unseen::AliasOfUnknown, first_span, Elsewhere::Unseen),
        }
    }
}

/// Ways on which nothing was assigned share one state, and join without a look at it.
fn join<'t>(waiting: &mut BTreeMap<NodeId, Rc<State<'t>>>, node: NodeId, state: Rc<State<'t>>) {
    let Some(known) = waiting.get_mut(&node) else {
        waiting.insert(node, state);
        return;
    };
    if Rc::ptr_eq(known, &state) {
        return;
    }
    let known = Rc::make_mut(known);
    for (name, bits) in known.iter_mut() {
        *bits |= state.get(name).copied().unwrap_or(HOST);
    }
    for (name, bits) in state.iter() {
        known.entry(name).or_insert(bits | HOST);
    }
}
