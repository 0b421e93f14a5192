//! The floor: what an expert would write by hand for rulebooks of conjunctions of booleans and
//! nothing else. It has no numbers, no strings, no dotted names, no guards, no undecided flows and
//! no explanations; it is what remains of a decision when all of these are left out.
//!
//! The tool is looked up by its string; a branch is two masks, of the names that must be true and
//! of those that must not; the first branch whose masks fit decides. A context is one word of 64
//! bits, ready made or read from JSON text in one pass without a value tree.
//!
//! Reading JSON has two forms: a `serde_json` visitor with std's hash maps ([`Floor::mask_by_serde`]),
//! which is what most people would write, and a scanner made by hand ([`Floor::mask_by_scanner`]),
//! which is the faster and therefore the floor.

mod scanner;
mod table;

use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use stalwart::evaluator::Verdict;
use stalwart::ir::{Condition, Rulebook};

use crate::ladder::{Answer, Ladder, Rung, ladders};
use table::Table;

/// A rulebook of conjunctions of booleans as masks.
#[derive(Debug)]
pub struct Floor {
    tools: Table<Vec<Masks>>,
    names: Table<u64>,
    /// The same as `tools` and `names`, in the maps that most people would take.
    tools_in_std: HashMap<String, Vec<Masks>>,
    names_in_std: HashMap<String, u64>,
}

/// One branch.
#[derive(Clone, Debug)]
struct Masks {
    /// The names that must be true.
    held: u64,
    /// The names that must not be true.
    not_held: u64,
    verdict: Verdict,
    rule: String,
}

impl Floor {
    /// The masks of a rulebook; none when it is no set of [`ladders`] of conjunctions of at most 64
    /// undotted names.
    pub fn new(rulebook: &Rulebook) -> Option<Self> {
        let mut names = HashMap::new();
        for (bit, context_name) in rulebook.context.iter().enumerate() {
            let [name] = context_name.name.as_slice() else {
                return None;
            };
            names.insert(name.clone(), 1_u64.checked_shl(u32::try_from(bit).ok()?)?);
        }
        let mut tools = HashMap::new();
        for ladder in ladders(rulebook)? {
            tools.insert(ladder.tool.name.clone(), masks(&ladder, &names)?);
        }
        Some(Self {
            tools: Table::new(&tools),
            names: Table::new(&names),
            tools_in_std: tools,
            names_in_std: names,
        })
    }

    /// The context in the floor's own type.
    pub fn mask(&self, is_true: impl Fn(&str) -> bool) -> u64 {
        self.names_in_std
            .iter()
            .filter(|(name, _)| is_true(name))
            .fold(0, |mask, (_, bit)| mask | bit)
    }

    /// Decides a call whose context is ready.
    pub fn decide(&self, tool: &str, mask: u64) -> Answer<'_> {
        first_that_holds(self.tools.get(tool.as_bytes()), mask)
    }

    /// Decides a call whose context is JSON text, by the scanner; none for what is not JSON.
    pub fn decide_json(&self, tool: &str, text: &[u8]) -> Option<Answer<'_>> {
        Some(self.decide(tool, self.mask_by_scanner(text)?))
    }

    /// As [`Self::decide`], by std's hash map.
    pub fn decide_in_std(&self, tool: &str, mask: u64) -> Answer<'_> {
        first_that_holds(self.tools_in_std.get(tool), mask)
    }

    /// As [`Self::decide_json`], by `serde_json` and std's hash maps.
    pub fn decide_json_by_serde(&self, tool: &str, text: &[u8]) -> Option<Answer<'_>> {
        Some(self.decide_in_std(tool, self.mask_by_serde(text)?))
    }

    /// Reads a JSON object by hand: blanks, plain keys and booleans. A text with anything else in
    /// it, which may still be JSON, is read again by [`Self::mask_by_serde`].
    pub fn mask_by_scanner(&self, text: &[u8]) -> Option<u64> {
        scanner::read(text, &self.names).or_else(|| self.mask_by_serde(text))
    }

    /// Reads a JSON object with a visitor of `serde_json`. Of duplicate keys the last wins; a value
    /// that is no boolean is not true; none for what is not JSON or no object.
    pub fn mask_by_serde(&self, text: &[u8]) -> Option<u64> {
        let mut reader = serde_json::Deserializer::from_slice(text);
        let mask = reader.deserialize_map(ReadMask(&self.names_in_std)).ok()?;
        reader.end().ok()?;
        Some(mask)
    }
}

fn first_that_holds(branches: Option<&Vec<Masks>>, mask: u64) -> Answer<'_> {
    let Some(branches) = branches else {
        return (Verdict::Silent, "");
    };
    for branch in branches {
        if mask & branch.held == branch.held && mask & branch.not_held == 0 {
            return (branch.verdict, &branch.rule);
        }
    }
    (Verdict::Refuse, "no_match")
}

/// The branches of a ladder. Their order stands for the complements of the arms above.
fn masks(ladder: &Ladder<'_>, names: &HashMap<String, u64>) -> Option<Vec<Masks>> {
    let of_rung = |rung: &Rung<'_>| {
        let (mut held, mut not_held) = (0, 0);
        let parts = match rung.condition {
            Some(Condition::All(parts)) => parts.as_slice(),
            Some(one) => std::slice::from_ref(one),
            None => &[],
        };
        for part in parts {
            match part {
                Condition::IsTrue(name) => held |= names.get(name.first()?)?,
                Condition::NotTrue(name) => not_held |= names.get(name.first()?)?,
                Condition::Const(true) => {}
                _ => return None,
            }
        }
        let (verdict, rule) = rung.answer;
        Some(Masks {
            held,
            not_held,
            verdict,
            rule: rule.to_owned(),
        })
    };
    ladder.rungs.iter().map(of_rung).collect()
}

/// Reads an object straight into a mask.
struct ReadMask<'a>(&'a HashMap<String, u64>);

impl<'de> Visitor<'de> for ReadMask<'_> {
    type Value = u64;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<u64, A::Error> {
        let mut mask = 0;
        while let Some(bit) = map.next_key_seed(ReadBit(self.0))? {
            // A name that no condition reads has no bit: setting none changes nothing.
            match map.next_value::<Flag>()? {
                Flag(true) => mask |= bit,
                Flag(false) => mask &= !bit,
            }
        }
        Ok(mask)
    }
}

/// Reads a key as the bit of its name.
struct ReadBit<'a>(&'a HashMap<String, u64>);

impl<'de> serde::de::DeserializeSeed<'de> for ReadBit<'_> {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for ReadBit<'_> {
    type Value = u64;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E>(self, name: &str) -> Result<u64, E> {
        Ok(self.0.get(name).copied().unwrap_or(0))
    }
}

/// Whether a value is exactly `true`.
struct Flag(bool);

impl<'de> serde::Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ReadFlag)
    }
}

struct ReadFlag;

impl<'de> Visitor<'de> for ReadFlag {
    type Value = Flag;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Flag, E> {
        Ok(Flag(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Flag, E> {
        Ok(Flag(false))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Flag, E> {
        Ok(Flag(false))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Flag, E> {
        Ok(Flag(false))
    }

    fn visit_str<E>(self, _: &str) -> Result<Flag, E> {
        Ok(Flag(false))
    }

    fn visit_unit<E>(self) -> Result<Flag, E> {
        Ok(Flag(false))
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<Flag, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Flag(false))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Flag, A::Error> {
        while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Flag(false))
    }
}

#[cfg(test)]
mod tests;
