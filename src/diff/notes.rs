//! What changed beside decisions: wordings of messages, and the names that conditions read.

use std::collections::BTreeMap;

use crate::ir::{Name, Rulebook, ValueType};

/// A message of both versions whose wordings differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordingChange {
    /// The message.
    pub message: String,
    /// Its wordings in the old version; without any, its name is the wording.
    pub old: Vec<String>,
    /// Its wordings in the new version.
    pub new: Vec<String>,
}

/// A context name that only one version has, or whose type changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameChange {
    /// The name.
    pub name: Name,
    /// Its type in the old version, if it is there.
    pub old: Option<ValueType>,
    /// Its type in the new version, if it is there.
    pub new: Option<ValueType>,
}

pub(super) fn wordings(old: &Rulebook, new: &Rulebook) -> Vec<WordingChange> {
    let both = old.messages.iter().filter_map(|message| {
        let other = new.message(&message.name)?;
        (message.wordings != other.wordings).then(|| WordingChange {
            message: message.name.clone(),
            old: message.wordings.clone(),
            new: other.wordings.clone(),
        })
    });
    both.collect()
}

pub(super) fn names(old: &Rulebook, new: &Rulebook) -> Vec<NameChange> {
    let mut types: BTreeMap<&Name, [Option<ValueType>; 2]> = BTreeMap::new();
    for name in &old.context {
        let [known, _] = types.entry(&name.name).or_default();
        *known = Some(name.value_type);
    }
    for name in &new.context {
        let [_, known] = types.entry(&name.name).or_default();
        *known = Some(name.value_type);
    }
    let changed = types.into_iter().filter(|(_, [old, new])| old != new);
    changed
        .map(|(name, [old, new])| NameChange {
            name: name.clone(),
            old,
            new,
        })
        .collect()
}
