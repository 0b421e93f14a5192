//! Every schema within a schema, and what is refused of it before it is built.

use std::collections::BTreeMap;

use super::super::draft::member;
use super::references;
use crate::diagnostics::codes::catalogue::{BAD_SCHEMA, SCHEMA_REFERENCE};
use crate::diagnostics::{Diagnostic, Sink};
use crate::text::{Span, quoted};
use crate::yaml::{Content, Entry, Node, nearest};

/// How a keyword holds schemas.
#[derive(Clone, Copy)]
enum Holds {
    /// It is one.
    One,
    /// It is a list of such.
    List,
    /// It is a mapping from names to such.
    Named,
}

/// A keyword that holds schemas.
struct Applicator {
    keyword: &'static str,
    holds: Holds,
    /// Whether they judge the same value that the schema around them judges.
    in_place: bool,
}

const fn applicator(keyword: &'static str, holds: Holds, in_place: bool) -> Applicator {
    Applicator {
        keyword,
        holds,
        in_place,
    }
}

const APPLICATORS: [Applicator; 21] = [
    applicator("$defs", Holds::Named, false),
    applicator("additionalProperties", Holds::One, false),
    applicator("allOf", Holds::List, true),
    applicator("anyOf", Holds::List, true),
    applicator("contains", Holds::One, false),
    applicator("contentSchema", Holds::One, false),
    applicator("definitions", Holds::Named, false),
    applicator("dependentSchemas", Holds::Named, true),
    applicator("else", Holds::One, true),
    applicator("if", Holds::One, true),
    applicator("items", Holds::One, false),
    applicator("not", Holds::One, true),
    applicator("oneOf", Holds::List, true),
    applicator("patternProperties", Holds::Named, false),
    applicator("prefixItems", Holds::List, false),
    applicator("properties", Holds::Named, false),
    applicator("propertyNames", Holds::One, false),
    applicator("then", Holds::One, true),
    applicator("unevaluatedItems", Holds::One, false),
    applicator("unevaluatedProperties", Holds::One, false),
    applicator("dependencies", Holds::Named, true),
];

/// Keywords that hold no schemas.
const OTHERS: [&str; 37] = [
    "$anchor",
    "$comment",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$ref",
    "$schema",
    "$vocabulary",
    "const",
    "contentEncoding",
    "contentMediaType",
    "default",
    "dependentRequired",
    "deprecated",
    "description",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "readOnly",
    "required",
    "title",
    "type",
    "uniqueItems",
];

/// A schema within a schema.
struct Inner<'n> {
    pointer: String,
    node: &'n Node,
    is_top: bool,
}

/// Checks all schemas within one.
pub(super) fn check(top: &Node, sink: &mut Sink) {
    let mut known: BTreeMap<String, Span> = BTreeMap::new();
    // From a schema to those that judge the same value.
    let mut same_value: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut references = Vec::new();
    let mut pending = vec![Inner {
        pointer: String::new(),
        node: top,
        is_top: true,
    }];
    while let Some(inner) = pending.pop() {
        known.insert(inner.pointer.clone(), inner.node.place);
        let Content::Mapping(entries) = &inner.node.content else {
            continue;
        };
        for entry in entries {
            keyword(entry, inner.is_top, sink);
            if entry.key.value == "$ref"
                && let Some(target) = references::target(&entry.value, sink)
            {
                let edges = same_value.entry(inner.pointer.clone()).or_default();
                edges.push(target.clone());
                references.push((target, entry.value.place));
            }
        }
        for applicator in &APPLICATORS {
            for (pointer, node) in held(&inner, applicator) {
                if applicator.in_place {
                    let edges = same_value.entry(inner.pointer.clone()).or_default();
                    edges.push(pointer.clone());
                }
                pending.push(Inner {
                    pointer,
                    node,
                    is_top: false,
                });
            }
        }
    }
    references::check(&references, &known, &same_value, sink);
}

/// The schemas that a keyword holds, with their pointers.
fn held<'n>(inner: &Inner<'n>, applicator: &Applicator) -> Vec<(String, &'n Node)> {
    let keyword = applicator.keyword;
    let Some(value) = member(inner.node, keyword) else {
        return Vec::new();
    };
    let at = |key: &str| {
        let key = key.replace('~', "~0").replace('/', "~1");
        format!("{}/{keyword}/{key}", inner.pointer)
    };
    match (applicator.holds, &value.content) {
        (Holds::One, _) => vec![(format!("{}/{keyword}", inner.pointer), value)],
        (Holds::List, Content::List(items)) => {
            let items = items.iter().enumerate();
            items
                .map(|(index, item)| (at(&index.to_string()), item))
                .collect()
        }
        (Holds::Named, Content::Mapping(entries)) => {
            let entries = entries.iter();
            entries
                .map(|entry| (at(&entry.key.value), &entry.value))
                .collect()
        }
        // The validator has more to say of it.
        (Holds::List | Holds::Named, _) => Vec::new(),
    }
}

fn keyword(entry: &Entry, is_top: bool, sink: &mut Sink) {
    let key = entry.key.value.as_str();
    match key {
        "$dynamicRef" | "$dynamicAnchor" | "$recursiveRef" | "$recursiveAnchor" => {
            let message = format!("{} is not read", quoted(key));
            let help =
                "write a `$ref` that leads to a place of this schema, such as `#/$defs/money`";
            sink.push(Diagnostic::new(&SCHEMA_REFERENCE, entry.key.span, message).with_help(help));
        }
        "$id" | "$schema" | "$vocabulary" if !is_top => {
            let message = format!("{} stands at the top of a schema only", quoted(key));
            sink.push(
                Diagnostic::new(&SCHEMA_REFERENCE, entry.key.span, message).with_help("delete it"),
            );
        }
        _ => {
            let applicators = APPLICATORS.iter().map(|applicator| applicator.keyword);
            let mut known = applicators.clone().chain(OTHERS);
            // Own keywords of tools and generators, `x-…`, say nothing of a value.
            if known.any(|keyword| keyword == key) || key.starts_with("x-") {
                return;
            }
            if let Some(near) = nearest(key, applicators.chain(OTHERS)) {
                let message = format!(
                    "{} is no keyword of JSON Schema, and would say nothing",
                    quoted(key)
                );
                let help = format!("did you mean {}?", quoted(near));
                sink.push(Diagnostic::new(&BAD_SCHEMA, entry.key.span, message).with_help(help));
            }
        }
    }
}
