//! References within a schema: each leads to a schema of it, and judging by it comes to an end.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::codes::catalogue::SCHEMA_REFERENCE;
use crate::diagnostics::{Diagnostic, Sink};
use crate::text::{Span, quoted};
use crate::yaml::{Content, Node, nearest};

/// The pointer that a `$ref` leads to, within its schema; others are reported.
pub(super) fn target(reference: &Node, sink: &mut Sink) -> Option<String> {
    let Content::Text(text) = &reference.content else {
        // The validator has more to say of it.
        return None;
    };
    let within = text.value.strip_prefix('#');
    let pointer = within.filter(|pointer| pointer.is_empty() || pointer.starts_with('/'));
    if pointer.is_none() {
        let message = match within {
            Some(_) => format!(
                "{} leads to a name of a place, which is not read",
                quoted(&text.value)
            ),
            None => format!(
                "{} leads out of this schema, and nothing is fetched",
                quoted(&text.value)
            ),
        };
        let help = "copy the schema below `$defs`, and write `$ref: \"#/$defs/NAME\"`";
        sink.push(Diagnostic::new(&SCHEMA_REFERENCE, reference.place, message).with_help(help));
        return None;
    }
    if text.value.contains('%') {
        let message = format!(
            "{} has a character that is written in hexadecimal digits",
            quoted(&text.value)
        );
        let help = "write the name as it is, and give it letters and digits only";
        sink.push(Diagnostic::new(&SCHEMA_REFERENCE, reference.place, message).with_help(help));
        return None;
    }
    pointer.map(str::to_owned)
}

/// Checks where references lead. `known` are all schemas, `same_value` leads from each to those
/// that judge the same value.
pub(super) fn check(
    references: &[(String, Span)],
    known: &BTreeMap<String, Span>,
    same_value: &BTreeMap<String, Vec<String>>,
    sink: &mut Sink,
) {
    for (target, place) in references {
        if !known.contains_key(target) {
            let message = format!(
                "{} leads to no schema of this one",
                quoted(&format!("#{target}"))
            );
            let help = match nearest(target, known.keys().map(String::as_str)) {
                Some(near) => format!("did you mean {}?", quoted(&format!("#{near}"))),
                None => "write the schema below `$defs`".to_owned(),
            };
            sink.push(Diagnostic::new(&SCHEMA_REFERENCE, *place, message).with_help(help));
            continue;
        }
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut pending: Vec<&str> = same_value
            .get(target)
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect();
        while let Some(next) = pending.pop() {
            if seen.insert(next) {
                let further = same_value.get(next).into_iter().flatten();
                pending.extend(further.map(String::as_str));
            }
        }
        if seen.contains(target.as_str()) {
            let message = format!(
                "{} leads back to itself, so that judging by it would not end",
                quoted(&format!("#{target}"))
            );
            let help = "let it lead to itself below `properties` or `items` only, where it judges a smaller part";
            sink.push(Diagnostic::new(&SCHEMA_REFERENCE, *place, message).with_help(help));
        }
    }
}
