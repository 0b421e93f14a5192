//! A context that is a JSON value: a name is looked up when a condition first asks for it.

use serde_json::{Map, Value};

use super::DecisionRef;
use super::compiled::Compiled;
use super::conditions::{Booleans, Facts};
use super::names::{LACKING, Names, class_of_bool};
use super::scratch::{self, Word};
use super::table::index;

/// Decides a call whose context is a value.
pub(super) fn decide<'g>(
    compiled: &'g Compiled,
    tool: Option<&str>,
    context: &Value,
) -> DecisionRef<'g> {
    scratch::with(&compiled.names, |words, classes| {
        let context = context.as_object();
        compiled.decide(
            tool,
            ValueFacts {
                context,
                words,
                classes,
            },
        )
    })
}

/// What was asked of a value.
struct ValueFacts<'a> {
    context: Option<&'a Map<String, Value>>,
    words: &'a mut [Word],
    /// The class in each slot, and one; zero for what was not asked.
    classes: &'a mut [u64],
}

impl<'a> ValueFacts<'a> {
    /// The value of a name.
    fn value(&self, names: &Names, node: u32) -> Option<&'a Value> {
        let mut keys = names.path(node);
        let first = self.context?.get(keys.next()?)?;
        keys.try_fold(first, |value, key| value.as_object()?.get(key))
    }
}

impl Facts for ValueFacts<'_> {
    fn booleans(&mut self, names: &Names, word: u32, wanted: u64) -> Booleans {
        let Some(known) = self.words.get(index(word)).map(|word| word.known) else {
            return Booleans::default();
        };
        let mut missing = wanted & !known;
        while missing != 0 {
            let mask = missing & missing.wrapping_neg();
            missing &= !mask;
            let node = names.node_of_bit(word, mask.trailing_zeros());
            let value = node.and_then(|node| self.value(names, node));
            if let Some(word) = self.words.get_mut(index(word)) {
                word.booleans.set(mask, value.and_then(Value::as_bool));
                word.known |= mask;
            }
        }
        self.words
            .get(index(word))
            .map(|word| word.booleans)
            .unwrap_or_default()
    }

    fn class(&mut self, names: &Names, slot: u32) -> u32 {
        let known = self.classes.get(index(slot)).copied().unwrap_or_default();
        if let Some(class) = known.checked_sub(1) {
            return u32::try_from(class).unwrap_or(LACKING);
        }
        let node = names.node_of_slot(slot);
        let class = match node.and_then(|node| self.value(names, node)) {
            Some(Value::Bool(value)) => class_of_bool(*value),
            Some(Value::Number(number)) => names.class_of_number(slot, number.as_str()),
            Some(Value::String(text)) => names.class_of_string(slot, text),
            Some(Value::Null | Value::Array(_) | Value::Object(_)) | None => LACKING,
        };
        if let Some(known) = self.classes.get_mut(index(slot)) {
            *known = u64::from(class) + 1;
        }
        class
    }
}
