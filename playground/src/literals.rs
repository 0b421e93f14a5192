//! The names that a rulebook reads, with the values that matter: what a form of the context needs.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use stalwart::ir::{Condition, Literal, Name, Rulebook, is_tool_name};

/// Most literals that are told of a name.
const MOST: usize = 100;

/// Name, type and literals of each context name, in the order of names.
pub fn context(rulebook: &Rulebook) -> Vec<Value> {
    let mut literals: BTreeMap<&Name, Vec<&Literal>> = BTreeMap::new();
    let ifs = rulebook.flows.iter().flat_map(|flow| &flow.ifs);
    let mut waiting: Vec<&Condition> = ifs
        .flat_map(|one| one.arms.iter().rev().map(|arm| &arm.condition))
        .collect();
    waiting.reverse();
    while let Some(condition) = waiting.pop() {
        match condition {
            Condition::All(parts) | Condition::Any(parts) => waiting.extend(parts.iter().rev()),
            Condition::Compare(compare) => {
                literals
                    .entry(&compare.name)
                    .or_default()
                    .push(&compare.value);
            }
            Condition::OneOf(one_of) => {
                literals
                    .entry(&one_of.name)
                    .or_default()
                    .extend(&one_of.values);
            }
            Condition::Const(_) | Condition::IsTrue(_) | Condition::NotTrue(_) => {}
        }
    }
    let names = rulebook.context.iter();
    names
        .filter(|known| !is_tool_name(&known.name))
        .map(|known| {
            let mut texts: Vec<String> = Vec::new();
            for literal in literals.get(&known.name).into_iter().flatten() {
                let text = match literal {
                    Literal::Bool(_) => continue,
                    Literal::Number(number) => number.0.to_string(),
                    Literal::String(text) => text.clone(),
                };
                if !texts.contains(&text) && texts.len() < MOST {
                    texts.push(text);
                }
            }
            json!({
                "name": known.name.join("."),
                "path": known.name,
                "type": known.value_type,
                "literals": texts,
            })
        })
        .collect()
}
