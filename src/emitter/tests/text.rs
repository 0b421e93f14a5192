//! What must hold for the text of every package.

use std::collections::{BTreeMap, BTreeSet};

use crate::emitter::rego::MAX_CHAIN;
use crate::text::is_invisible;

/// Checks lines, characters, what `not` stands before, and the depth of chains.
pub fn check(rego: &str) {
    assert!(rego.ends_with('\n') && !rego.ends_with("\n\n"));
    for line in rego.lines() {
        assert!(line.chars().count() < 1_000, "{line}");
        assert!(line.len() < 1_000, "{line}");
        assert_eq!(line.trim_end(), line);
        assert!(!line.contains("object.get"));
        for character in line.chars() {
            assert!(character == '\t' || !is_invisible(character), "{line:?}");
        }
        let code = line.trim_start();
        if let Some((_, negated)) = code.split_once("not ").filter(|_| !code.starts_with('#')) {
            let is_allowed = ["ctx", "f", "governed", "name_"]
                .iter()
                .any(|start| negated.starts_with(start))
                || !line.contains("\tnot ") && !line.contains(" if not ");
            assert!(is_allowed, "{line}");
        }
    }
    let depth = depth(rego);
    assert!(depth <= MAX_CHAIN, "a chain of {depth} rules");
}

/// The rules on the longest way from `decision` to a leaf.
pub fn depth(rego: &str) -> usize {
    let mut uses = BTreeMap::<String, BTreeSet<String>>::new();
    let mut current = String::new();
    let (_, body) = rego.split_once("import rego.v1\n").unwrap();
    for line in body.lines().filter(|line| !line.starts_with('#')) {
        let names = identifiers(line);
        let is_head = !line.starts_with(['\t', '}', ']', ' ']) && !line.is_empty();
        if is_head && !line.starts_with("else") {
            let at = usize::from(line.starts_with("default "));
            current = names[at].clone();
        }
        uses.entry(current.clone()).or_default().extend(names);
    }
    let rules = uses.keys().cloned().collect::<BTreeSet<_>>();
    for (rule, names) in &mut uses {
        names.retain(|name| rules.contains(name) && name != rule);
    }
    let mut depths = BTreeMap::new();
    depth_of("decision", &uses, &mut depths)
}

fn depth_of<'a>(
    rule: &'a str,
    uses: &'a BTreeMap<String, BTreeSet<String>>,
    depths: &mut BTreeMap<&'a str, usize>,
) -> usize {
    if let Some(depth) = depths.get(rule) {
        return *depth;
    }
    let below = uses[rule]
        .iter()
        .map(|used| depth_of(used, uses, depths))
        .max();
    let depth = 1 + below.unwrap_or(0);
    depths.insert(rule, depth);
    depth
}

/// The words of a line that stand in no string.
fn identifiers(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut in_string = false;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' if in_string => {
                characters.next();
            }
            '"' => in_string = !in_string,
            word if !in_string && (word.is_ascii_alphanumeric() || word == '_') => {
                words.last_mut().unwrap().push(word);
                continue;
            }
            _ => {}
        }
        words.push(String::new());
    }
    words.retain(|word| !word.is_empty());
    words
}
