//! `Rulebook.rego`: the rulebook as a package for Open Policy Agent (contract section 7).
//!
//! Data flows one way: conditions become [`formula`]s, formulas become statements of a small
//! Rego [`tree`], each flow becomes a section of rules ([`flow`]), the tools' decisions combine
//! the flows' words ([`decisions`]), and one [`printer`] writes all of it.

mod blocks;
mod decisions;
mod flow;
mod formula;
mod leaves;
mod printer;
mod trace;
mod tree;

use std::collections::BTreeMap;

use crate::diagnostics::Diagnostic;
use crate::ir::Rulebook;

use decisions::Combination;
use leaves::Vocabulary;
use tree::{Expression, Item, Rule};

pub use trace::{Because, Trace, Unreached};

/// Most rules on the longest way from `decision` to a leaf: interpreters recurse.
pub const MAX_CHAIN: usize = 16;

/// The body of the Rego in pieces, so that its parts can be measured.
#[derive(Debug)]
pub struct Body {
    /// From `package` to the `default decision`.
    opening: String,
    /// The sections of the flows that guard or govern, in source order.
    flows: Vec<Section>,
    /// The decisions.
    closing: String,
}

/// The rules of one flow.
#[derive(Debug)]
pub struct Section {
    /// The flow's place in the rulebook, from 0.
    pub flow: usize,
    /// Length of its text in bytes.
    pub length: usize,
    /// Its text; dropped when the body is too long anyway.
    text: String,
}

impl Body {
    /// Length in bytes.
    pub fn length(&self) -> usize {
        let flows = self.flows.iter().map(|section| section.length);
        self.opening.len() + flows.sum::<usize>() + self.closing.len()
    }

    /// The sections of the flows.
    pub fn sections(&self) -> &[Section] {
        &self.flows
    }

    /// The whole text, from `package` to the end.
    pub fn append_to(&self, out: &mut String) {
        out.push_str(&self.opening);
        for section in &self.flows {
            out.push_str(&section.text);
        }
        out.push_str(&self.closing);
    }
}

/// Builds the body. Of one that is longer than `limit` bytes only the lengths are right.
///
/// # Errors
/// A package name that Rego cannot read; a condition that no chain of rules of the allowed depth
/// can express.
pub fn body(rulebook: &Rulebook, limit: usize) -> Result<Body, Diagnostic> {
    let mut flows = Vec::new();
    let mut total = 0_usize;
    let parts = parts(rulebook, Vocabulary::default(), |flow, items| {
        let text = printer::section(&items);
        let length = text.len();
        total = total.saturating_add(length);
        flows.push(Section {
            flow,
            length,
            text: if total > limit { String::new() } else { text },
        });
    })?;
    let mut opening = printer::opening(&rulebook.package);
    opening.push_str(&printer::section(&parts.vocabulary.into_items()));
    opening.push_str(&printer::section(&[default_decision()]));
    Ok(Body {
        opening,
        flows,
        closing: printer::section(&parts.decisions),
    })
}

/// The rules of the body behind a header of so many lines, to follow calls through.
///
/// # Errors
/// Those of [`body`].
pub fn trace(rulebook: &Rulebook, header_lines: usize) -> Result<Trace, Diagnostic> {
    let mut sections = Vec::new();
    let parts = parts(rulebook, Vocabulary::with_leaves(), |_, items| {
        sections.extend(items);
    })?;
    let mut vocabulary = parts.vocabulary;
    let leaves = vocabulary.take_leaves();
    let mut items = vocabulary.into_items();
    items.push(default_decision());
    items.extend(sections);
    items.extend(parts.decisions);
    Ok(Trace::of(header_lines, &rulebook.package, &items, leaves))
}

/// What is written around the sections of the flows.
struct Parts {
    vocabulary: Vocabulary,
    decisions: Vec<Item>,
}

/// Builds the items, section by section.
fn parts(
    rulebook: &Rulebook,
    mut vocabulary: Vocabulary,
    mut section: impl FnMut(usize, Vec<Item>),
) -> Result<Parts, Diagnostic> {
    let combination = Combination::of(rulebook);
    let mut words = BTreeMap::new();
    for (index, flow) in rulebook.flows.iter().enumerate() {
        let Some(role) = combination.role(flow) else {
            continue;
        };
        let levels = combination.levels_above(&role);
        let rules = flow::rules(flow, &role, levels, &mut vocabulary)?;
        words.insert(flow.id.as_str(), rules.words);
        section(index, rules.items);
    }
    let decisions = combination.decisions(&words, &mut vocabulary);
    Ok(Parts {
        vocabulary,
        decisions,
    })
}

/// `default decision := {"decision": "silent", "rule": ""}`.
fn default_decision() -> Item {
    Item::Rule(Rule::default_value(
        "decision",
        Expression::decision("silent", Expression::text("")),
    ))
}
