//! Inputs of a proof: what OPA would get as `input`, built for both sides from one description.

use serde_json::{Map, Value};

use crate::decision_space::insert;
use crate::ir::Name;

/// An input.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Input {
    /// None at all.
    Nothing,
    /// One that is no object.
    NoObject(Value),
    /// A call.
    Call {
        /// The tool; may be anything, or absent.
        tool: Option<Value>,
        /// The context.
        context: Context,
    },
}

/// The context of a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Context {
    /// None.
    Absent,
    /// One that is no object.
    NoObject(Value),
    /// Values at dotted names, none of which is the beginning of another.
    Names(Vec<(Name, Value)>),
}

impl Input {
    /// The document; none for no input at all.
    pub(super) fn document(&self) -> Option<Value> {
        match self {
            Self::Nothing => None,
            Self::NoObject(value) => Some(value.clone()),
            Self::Call { tool, context } => {
                let mut document = Map::new();
                if let Some(tool) = tool {
                    document.insert("tool".to_owned(), tool.clone());
                }
                match context {
                    Context::Absent => {}
                    Context::NoObject(value) => {
                        document.insert("context".to_owned(), value.clone());
                    }
                    Context::Names(names) => {
                        let mut context = Map::new();
                        for (name, value) in names {
                            insert(&mut context, name, value.clone());
                        }
                        document.insert("context".to_owned(), Value::Object(context));
                    }
                }
                Some(Value::Object(document))
            }
        }
    }

    /// Number of names of the context that are present.
    fn names_present(&self) -> usize {
        match self {
            Self::Call {
                context: Context::Names(names),
                ..
            } => names.len(),
            _ => 0,
        }
    }

    /// The order in which one input is smaller than another: fewest names present, then fewest
    /// characters, then byte order.
    pub(super) fn size(&self) -> (usize, usize, String) {
        let text = self
            .document()
            .map_or_else(String::new, |it| it.to_string());
        (self.names_present(), text.chars().count(), text)
    }
}
