//! The names of a set of conditions with their classes, and points of their product.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::evaluator::Call;
use crate::ir::{Condition, Name, is_tool_name};

use super::classes::{Classes, Literals};

/// The names that conditions read, each with its classes. Names are independent of one another:
/// any choice of a class for each is a call's context (no name is a prefix of another).
#[derive(Debug)]
pub struct Space {
    names: Vec<Name>,
    classes: Vec<Classes>,
}

/// A point of the space as a call: the smallest member of a class of each name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The tool called, where the conditions ask for a string; none where they ask for no tool
    /// or do not read it.
    pub tool: Option<String>,
    /// The context.
    pub context: Map<String, Value>,
}

impl Witness {
    /// The call with this context and this witness' tool.
    pub fn call(&self) -> Call<'_> {
        Call::new(self.tool.as_deref(), &self.context)
    }

    /// Number of names present, of dotted paths too.
    pub fn names_present(&self) -> usize {
        let mut rest: Vec<&Map<String, Value>> = vec![&self.context];
        let mut count = 0;
        while let Some(object) = rest.pop() {
            for value in object.values() {
                match value {
                    Value::Object(inner) => rest.push(inner),
                    _ => count += 1,
                }
            }
        }
        count
    }
}

impl Space {
    /// The space of all leaves of the conditions.
    pub fn of<'a>(conditions: impl IntoIterator<Item = &'a Condition>) -> Self {
        let mut literals: BTreeMap<&'a Name, Literals> = BTreeMap::new();
        for leaf in conditions.into_iter().flat_map(Condition::leaves) {
            if let Some(name) = leaf.name() {
                literals.entry(name).or_default().add_leaf(leaf);
            }
        }
        let (names, classes) = literals
            .into_iter()
            .map(|(name, literals)| (name.clone(), Classes::from(literals)))
            .unzip();
        Self { names, classes }
    }

    /// The names, sorted.
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    /// The classes of a name; none when no leaf reads it.
    pub fn classes(&self, name: &[String]) -> Option<&Classes> {
        self.index(name).and_then(|index| self.classes.get(index))
    }

    pub(super) fn classes_at(&self, index: usize) -> Option<&Classes> {
        self.classes.get(index)
    }

    /// Each name with its classes, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &Classes)> {
        self.names.iter().zip(&self.classes)
    }

    /// Number of points of the product; none when it does not fit 128 bits.
    pub fn points(&self) -> Option<u128> {
        self.classes.iter().try_fold(1_u128, |points, classes| {
            points.checked_mul(classes.len().into())
        })
    }

    pub(super) fn index(&self, name: &[String]) -> Option<usize> {
        self.names
            .binary_search_by(|other| other.as_slice().cmp(name))
            .ok()
    }

    /// The call at a point: a class of each name, in the order of [`Space::names`]. Names for
    /// which there is none are absent.
    pub fn witness(&self, point: &[u32]) -> Witness {
        let mut witness = Witness {
            tool: None,
            context: Map::new(),
        };
        for ((name, classes), class) in self.iter().zip(point) {
            let Some(value) = classes.representative(*class) else {
                continue;
            };
            if is_tool_name(name) {
                witness.tool = value.as_str().map(str::to_owned);
            } else {
                insert(&mut witness.context, name, value);
            }
        }
        witness
    }
}

/// Takes a name out of a context; the objects that it lies in stay.
pub(crate) fn remove(context: &mut Map<String, Value>, name: &[String]) {
    let Some((last, parents)) = name.split_last() else {
        return;
    };
    let mut holder = context;
    for segment in parents {
        match holder.get_mut(segment) {
            Some(Value::Object(inner)) => holder = inner,
            _ => return,
        }
    }
    holder.remove(last);
}

/// Puts a value at a dotted path, objects on the way made where there are none.
pub(crate) fn insert(context: &mut Map<String, Value>, name: &[String], value: Value) {
    let Some((last, parents)) = name.split_last() else {
        return;
    };
    let mut holder = context;
    for segment in parents {
        let entry = holder
            .entry(segment)
            .or_insert_with(|| Value::Object(Map::new()));
        match entry {
            Value::Object(inner) => holder = inner,
            // A name that is another's parent, which the checks refuse.
            _ => return,
        }
    }
    holder.insert(last.clone(), value);
}
