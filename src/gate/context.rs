//! A typed context: values that are the gate's own from the moment they are set.

use std::io::Write as _;
use std::sync::Arc;

use serde_json::Value;

use crate::evaluator::Verdict;
use crate::ir::RULE_NO_MATCH;

use super::DecisionRef;
use super::compiled::Compiled;
use super::conditions::{Booleans, Facts};
use super::names::{LACKING, Names, class_of_bool};
use super::table::index;

/// Decides a call for the gate of this stamp.
pub(super) fn decide<'g>(
    compiled: &'g Compiled,
    stamp: u64,
    tool: Option<&str>,
    context: &Context,
) -> DecisionRef<'g> {
    if context.stamp != stamp {
        return DecisionRef {
            decision: Verdict::Refuse,
            rule: RULE_NO_MATCH,
        };
    }
    compiled.decide(tool, context)
}

/// A value of a name, as far as decisions can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextValue<'a> {
    /// A boolean.
    Bool(bool),
    /// A whole number.
    Integer(i128),
    /// A number as JSON writes it, of any length and exponent. Any other text is no value.
    Number(&'a str),
    /// A string.
    String(&'a str),
    /// Null, an array or an object, or absent: decisions do not tell these apart.
    Other,
}

impl From<bool> for ContextValue<'_> {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl<'a> From<&'a str> for ContextValue<'a> {
    fn from(value: &'a str) -> Self {
        Self::String(value)
    }
}

impl<'a> From<&'a String> for ContextValue<'a> {
    fn from(value: &'a String) -> Self {
        Self::String(value)
    }
}

impl<'a> From<&'a serde_json::Number> for ContextValue<'a> {
    fn from(value: &'a serde_json::Number) -> Self {
        Self::Number(value.as_str())
    }
}

impl<'a> From<&'a Value> for ContextValue<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => number.into(),
            Value::String(text) => Self::String(text),
            Value::Null | Value::Array(_) | Value::Object(_) => Self::Other,
        }
    }
}

macro_rules! from_integers {
    ($($integer:ty)*) => {$(
        impl From<$integer> for ContextValue<'_> {
            fn from(value: $integer) -> Self {
                Self::Integer(value.into())
            }
        }
    )*};
}

from_integers!(i8 i16 i32 i64 i128 u8 u16 u32 u64);

/// A context name of a gate, found once by [`super::Gate::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContextName {
    stamp: u64,
    node: u32,
}

impl ContextName {
    pub(super) fn find(compiled: &Compiled, stamp: u64, name: &str) -> Option<Self> {
        let node = compiled.names.find_name(name.split('.'))?;
        Some(Self { stamp, node })
    }
}

/// The values of one context, for the gate that made it and its clones. A name that is not set
/// is absent.
#[derive(Clone, Debug)]
pub struct Context {
    compiled: Arc<Compiled>,
    /// That of the gate; that of none when a name of another gate was set.
    stamp: u64,
    own_stamp: u64,
    words: Box<[Booleans]>,
    classes: Box<[u32]>,
}

/// No gate has it.
const FOREIGN: u64 = 0;

impl Context {
    pub(super) fn new(compiled: Arc<Compiled>, stamp: u64) -> Self {
        let names = &compiled.names;
        Self {
            words: vec![Booleans::default(); names.words()].into(),
            classes: vec![LACKING; names.slots()].into(),
            compiled,
            stamp,
            own_stamp: stamp,
        }
    }

    /// Sets a name, segments joined by dots, as the rulebook writes it behind the `$`. A name
    /// that no decision reads is left out. Nothing is allocated.
    pub fn set<'v>(&mut self, name: &str, value: impl Into<ContextValue<'v>>) {
        if let Some(node) = self.compiled.names.find_name(name.split('.')) {
            self.set_node(node, value.into());
        }
    }

    /// Sets a name that was looked up once. Nothing is allocated.
    ///
    /// With a name of another gate the context is no longer of its own: until it is cleared
    /// every call is refused, `no_match`.
    pub fn set_name<'v>(&mut self, name: ContextName, value: impl Into<ContextValue<'v>>) {
        if name.stamp == self.own_stamp {
            self.set_node(name.node, value.into());
        } else {
            self.stamp = FOREIGN;
        }
    }

    fn set_node(&mut self, node: u32, value: ContextValue<'_>) {
        let names = &self.compiled.names;
        let Some(node) = names.node(node) else {
            return;
        };
        if let Some(bit) = node.bit()
            && let Some(word) = self.words.get_mut(index(bit.word()))
        {
            let boolean = match value {
                ContextValue::Bool(value) => Some(value),
                _ => None,
            };
            word.set(bit.mask(), boolean);
        }
        if let Some(slot) = node.slot()
            && let Some(class) = self.classes.get_mut(index(slot))
        {
            *class = class_of(names, slot, value);
        }
    }

    /// Makes every name absent again.
    pub fn clear(&mut self) {
        self.words.fill(Booleans::default());
        self.classes.fill(LACKING);
        self.stamp = self.own_stamp;
    }
}

fn class_of(names: &Names, slot: u32, value: ContextValue<'_>) -> u32 {
    match value {
        ContextValue::Bool(value) => class_of_bool(value),
        ContextValue::Integer(value) => {
            // An `i128` has at most 39 digits, and a sign.
            let mut buffer = [0; 40];
            let mut rest = buffer.as_mut_slice();
            let written = write!(rest, "{value}").map(|()| rest.len());
            let length = 40 - written.unwrap_or(40);
            let text = buffer.get(..length).map(std::str::from_utf8);
            match text {
                Some(Ok(text)) => names.class_of_number(slot, text),
                _ => LACKING,
            }
        }
        ContextValue::Number(text) => names.class_of_number(slot, text),
        ContextValue::String(text) => names.class_of_string(slot, text),
        ContextValue::Other => LACKING,
    }
}

impl Facts for &Context {
    #[inline]
    fn booleans(&mut self, _: &Names, word: u32, _: u64) -> Booleans {
        self.words.get(index(word)).copied().unwrap_or_default()
    }

    #[inline]
    fn class(&mut self, _: &Names, slot: u32) -> u32 {
        self.classes.get(index(slot)).copied().unwrap_or(LACKING)
    }
}
