//! The part of a package that decides on one tool, as text cut from the emitted bytes.
//!
//! Left out are the rules whose every case begins by asking for another tool, and what only these
//! name. That is harmless in this vocabulary: such a rule has no value for this tool, whatever
//! its further statements say, and a value depends on the rules that it names alone.

use std::collections::BTreeSet;

use super::package::{DECISION, Package, Rule, named};

/// A slice of a package.
#[derive(Debug)]
pub(super) struct Slice {
    /// The places of its rules in the package, ascending.
    pub(super) rules: Vec<usize>,
    /// Whether it is the whole package.
    pub(super) is_whole: bool,
}

/// Cuts the rules for a tool; for none, those for what is no string.
pub(super) fn cut(package: &Package, tool: Option<&str>) -> Slice {
    let mut kept = BTreeSet::new();
    let mut seen = BTreeSet::from([DECISION]);
    let mut open = vec![DECISION];
    while let Some(name) = open.pop() {
        for (index, rule) in kept_rules(package, name, tool) {
            kept.insert(index);
            open.extend(named(package, rule).filter(|name| seen.insert(*name)));
        }
    }
    Slice {
        is_whole: kept.len() == package.rules.len(),
        rules: kept.into_iter().collect(),
    }
}

/// The rules of a name that can have a value for the tool; never none, since without any the
/// name would mean nothing.
fn kept_rules<'a>(
    package: &'a Package,
    name: &str,
    tool: Option<&str>,
) -> impl Iterator<Item = (usize, &'a Rule)> {
    let rules: Vec<_> = package.rules_of(name).collect();
    let all_others = rules.iter().all(|(_, rule)| rule.is_of_another_tool(tool));
    rules
        .into_iter()
        .enumerate()
        .filter(move |(number, (_, rule))| {
            !rule.is_of_another_tool(tool) || (all_others && *number == 0)
        })
        .map(|(_, found)| found)
}

impl Slice {
    /// Its text; `rego` is that of the package.
    pub(super) fn text(&self, package: &Package, rego: &str) -> String {
        let mut text = format!("package {}\n\nimport rego.v1\n", package.name);
        for rule in self
            .rules
            .iter()
            .filter_map(|index| package.rules.get(*index))
        {
            text.push('\n');
            text.push_str(rego.get(rule.text.clone()).unwrap_or_default());
            // A string's place is that of its characters, without the quotes.
            let behind = rego.get(rule.text.end..).unwrap_or_default();
            text.push_str(if behind.starts_with('"') {
                "\"\n"
            } else {
                "\n"
            });
        }
        text
    }
}
