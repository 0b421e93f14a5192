//! Context names of a whole rulebook: declared, used at one type, spelt alike (contract
//! section 2).

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::{Diagnostic, Sink, codes::analyses, codes::names};
use crate::ir;
use crate::syntax::tree::{PathName, ValueType};
use crate::text::{Span, Spanned, quoted};

use super::conditions::Use;
use super::definitions::{Definitions, Place, Suggestions};

/// Shortest name that is looked at as a misspelling.
const SHORTEST_MISSPELT: usize = 4;
/// Shortest name that may differ in two letters.
const SHORTEST_MISSPELT_TWICE: usize = 6;

/// Most names that are compared with one another.
const MOST_COMPARED: usize = 1_000;

/// A name's declaration or first use.
#[derive(Clone, Debug)]
struct Known {
    value_type: ValueType,
    span: Span,
    uses: usize,
}

/// All context names by name, with type and place.
pub type Names = BTreeMap<ir::Name, (ir::ValueType, Span)>;

/// Judges all reads of host values together. `passed` holds the names that are used as
/// arguments of an `execute` or assigned from, which need no declaration.
pub fn check(
    definitions: &Definitions<'_>,
    mut uses: Vec<&Use<'_>>,
    passed: &BTreeSet<&PathName>,
    sink: &mut Sink,
) -> Names {
    // One read may be lowered several times, in several flows.
    uses.sort_by(|a, b| (a.span, &a.name).cmp(&(b.span, &b.name)));
    uses.dedup_by(|a, b| a.span == b.span && a.name == b.name);

    let mut known: BTreeMap<ir::Name, Known> = BTreeMap::new();
    for (name, declaration) in &definitions.declared {
        refuse_tool_name_declared(&declaration.name, sink);
        known.insert(
            name.0.clone(),
            Known {
                value_type: declaration.value_type.value,
                span: declaration.name.span,
                uses: 0,
            },
        );
    }
    let declared = definitions.declared.keys();
    let mut suggestions = Suggestions::of(declared.map(|name| name.0.join(".")));
    let mut two_typed: BTreeSet<(ir::Name, ValueType)> = BTreeSet::new();
    let declares = definitions.context.is_some();
    let incomplete = definitions
        .context
        .is_some_and(|context| context.incomplete);
    for read in uses {
        match known.get_mut(&read.name[..]) {
            Some(first) => {
                first.uses += 1;
                if first.value_type != read.value_type
                    && two_typed.insert((read.name.to_vec(), read.value_type))
                {
                    sink.push(two_types(read, first, declares));
                }
            }
            None if declares => {
                if !incomplete {
                    let written = read.name.join(".");
                    let meant = suggestions.for_name(&written).map(str::to_owned);
                    sink.push(undeclared(read, definitions, meant.as_deref()));
                    // A name that is misspelt where it is used is not unused as well.
                    let meant = meant.map(|name| name.split('.').map(str::to_owned).collect());
                    if let Some(meant) = meant.and_then(|name: ir::Name| known.get_mut(&name)) {
                        meant.uses += 1;
                    }
                }
            }
            None => {
                known.insert(
                    read.name.to_vec(),
                    Known {
                        value_type: read.value_type,
                        span: read.span,
                        uses: 1,
                    },
                );
            }
        }
    }
    refuse_name_and_part(&known, sink);
    if declares {
        warn_unused(&known, passed, sink);
    } else {
        warn_misspelt(&known, sink);
    }
    known
        .into_iter()
        .map(|(name, known)| (name, (ir_type(known.value_type), known.span)))
        .collect()
}

fn ir_type(value_type: ValueType) -> ir::ValueType {
    match value_type {
        ValueType::Boolean => ir::ValueType::Bool,
        ValueType::Number => ir::ValueType::Number,
        ValueType::String => ir::ValueType::String,
    }
}

fn word(value_type: ValueType) -> &'static str {
    match value_type {
        ValueType::Boolean => "boolean",
        ValueType::Number => "number",
        ValueType::String => "string",
    }
}

fn dollar(name: &[String]) -> String {
    quoted(&format!("${}", name.join(".")))
}

fn two_types(read: &Use<'_>, first: &Known, declared: bool) -> Diagnostic {
    let verb = if declared { "declared" } else { "first used" };
    let help = match (first.value_type, read.value_type) {
        (ValueType::Boolean, _) => {
            "a name alone in a condition, and a comparison with `True` or `False`, read a boolean"
        }
        (_, ValueType::Boolean) => {
            "compare it with a literal of its type: a name alone reads a boolean"
        }
        _ => {
            "compare it with literals of one type: numbers stand without quotes, strings in quotes"
        }
    };
    Diagnostic::new(
        &names::TWO_TYPES,
        read.span,
        format!(
            "{} is used as a {}, and {verb} as a {}",
            dollar(&read.name),
            word(read.value_type),
            word(first.value_type)
        ),
    )
    .with_label(format!("a {} here", word(read.value_type)))
    .with_other(
        first.span,
        format!("{verb} as a {}", word(first.value_type)),
    )
    .with_help(help)
}

fn undeclared(read: &Use<'_>, definitions: &Definitions<'_>, meant: Option<&str>) -> Diagnostic {
    let written = read.name.join(".");
    let help = match meant {
        Some(candidate) => format!("did you mean {}?", quoted(&format!("${candidate}"))),
        None => format!(
            "declare it under `define context`: `${}: {}`",
            crate::text::visible(&written),
            match read.value_type {
                ValueType::Boolean => "bool",
                ValueType::Number => "number",
                ValueType::String => "string",
            }
        ),
    };
    let help = match read.assigned {
        Some(_) => format!(
            "the flow assigns {} behind this: use another name for one of the two",
            dollar(&read.name)
        ),
        None => help,
    };
    let diagnostic = Diagnostic::new(
        &names::UNDECLARED_NAME,
        read.span,
        format!("{} is not declared", dollar(&read.name)),
    )
    .with_help(help);
    match definitions.context {
        Some(context) => diagnostic.with_other(context.head.span, "the declared names"),
        None => diagnostic,
    }
}

/// `$a` beside `$a.b`: at the later of the two first uses.
fn refuse_name_and_part(known: &BTreeMap<ir::Name, Known>, sink: &mut Sink) {
    for (name, part) in known {
        let shorter = (1..name.len()).filter_map(|length| {
            let prefix = name.get(..length)?;
            known.get_key_value(prefix)
        });
        for (whole_name, whole) in shorter {
            let (later, earlier) = if part.span >= whole.span {
                (part, whole)
            } else {
                (whole, part)
            };
            sink.push(
                Diagnostic::new(
                    &names::NAME_AND_PART,
                    later.span,
                    format!("{} stands beside its own part {}", dollar(whole_name), dollar(name)),
                )
                .with_other(earlier.span, "the other one")
                .with_help("a value is either compared, or an object with parts: give the value a name of its own"),
            );
        }
    }
}

fn warn_unused(known: &BTreeMap<ir::Name, Known>, passed: &BTreeSet<&PathName>, sink: &mut Sink) {
    // Passing `$customer` passes all its parts, and passing a part uses it.
    let prefixes = |path: &[String]| -> Vec<ir::Name> {
        let lengths = 1..=path.len();
        lengths
            .filter_map(|length| path.get(..length))
            .map(<[String]>::to_vec)
            .collect()
    };
    let passed_parts: BTreeSet<ir::Name> =
        passed.iter().flat_map(|path| prefixes(&path.0)).collect();
    let passed: BTreeSet<&[String]> = passed.iter().map(|path| path.0.as_slice()).collect();
    for (name, known) in known {
        let is_passed = passed_parts.contains(name)
            || prefixes(name)
                .iter()
                .any(|part| passed.contains(part.as_slice()));
        if known.uses == 0 && !is_passed {
            sink.push(
                Diagnostic::new(
                    &names::UNUSED_NAME,
                    known.span,
                    format!("{} is declared and never used", dollar(name)),
                )
                .with_help("delete the declaration, or use the name in a condition"),
            );
        }
    }
}

fn warn_misspelt(known: &BTreeMap<ir::Name, Known>, sink: &mut Sink) {
    if known.len() > MOST_COMPARED {
        if let Some(first) = known.values().map(|known| known.span).min() {
            sink.push(Diagnostic::new(
                &analyses::NOT_DECIDED,
                first,
                "not found out within the bound: whether names are misspelt, as there are more than 1,000",
            ));
        }
        return;
    }
    let spelt: Vec<(Spelling, &Known)> = known
        .iter()
        .map(|(name, known)| (Spelling::of(name), known))
        .collect();
    for (name, rare) in &spelt {
        let more_frequent = spelt
            .iter()
            .filter(|(other, frequent)| frequent.uses > rare.uses && name.looks_like(other));
        if let Some((other, frequent)) = more_frequent.max_by_key(|(_, known)| known.uses) {
            sink.push(
                Diagnostic::new(
                    &names::MISSPELT_NAME,
                    rare.span,
                    format!(
                        "{} looks like a misspelling of {}, which is used more often",
                        quoted(&format!("${}", name.text)),
                        quoted(&format!("${}", other.text))
                    ),
                )
                .with_other(frequent.span, "used here first")
                .with_help("if it is another name, a `define context` that declares both says so"),
            );
        }
    }
}

/// A name as it is compared with others: each with each, so all is measured beforehand.
struct Spelling {
    text: String,
    characters: usize,
    /// The text without its digits.
    letters: String,
}

impl Spelling {
    fn of(name: &[String]) -> Self {
        let text = name.join(".");
        Self {
            characters: text.chars().count(),
            letters: text.chars().filter(|c| !c.is_ascii_digit()).collect(),
            text,
        }
    }

    /// One or two edits apart, long enough for that to mean something, and not in digits only.
    fn looks_like(&self, other: &Self) -> bool {
        let most = match self.characters {
            0..SHORTEST_MISSPELT => return false,
            SHORTEST_MISSPELT..SHORTEST_MISSPELT_TWICE => 1,
            _ => 2,
        };
        other.characters.abs_diff(self.characters) <= most
            && self.letters != other.letters
            && strsim::osa_distance(&self.text, &other.text) <= most
    }
}

fn refuse_tool_name_declared(name: &Spanned<PathName>, sink: &mut Sink) {
    if name.value.0.first().map(String::as_str) == Some(ir::TOOL_NAME) {
        sink.push(
            Diagnostic::new(
                &names::TOOL_NAME,
                name.span,
                "`$tool_name` cannot be declared: guard flows read the name of the tool called by it",
            )
            .with_help("delete the line, or give the host's value another name"),
        );
    }
}

/// Refuses `$x = …` of a declared name and of `$tool_name`.
pub fn refuse_assignment(
    name: &Spanned<String>,
    definitions: &Definitions<'_>,
    place: Place,
    sink: &mut Sink,
) {
    if name.value == ir::TOOL_NAME {
        sink.push(
            place.label(
                Diagnostic::new(
                    &names::TOOL_NAME,
                    name.span,
                    "`$tool_name` cannot be assigned",
                )
                .with_help("use another name"),
            ),
        );
        return;
    }
    if let Some(declaration) = definitions.declared_roots.get(name.value.as_str()) {
        sink.push(
            place.label(
                Diagnostic::new(
                    &names::ASSIGNS_DECLARED,
                    name.span,
                    format!(
                        "{} is the host's, and cannot be assigned",
                        quoted(&declaration.name.value.to_string())
                    ),
                )
                .with_other(declaration.name.span, "declared here")
                .with_help("use another name for what is assigned here"),
            ),
        );
    }
}
