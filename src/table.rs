//! Decision tables: what a rulebook decides on one tool, in every context.
//!
//! A row is a set of contexts that are decided alike, as the values that each name may have; a
//! column is a name that makes a difference. Every context is in exactly one row, so rows can be
//! read in any order. They stand as the source does, guards first.

mod csv;
mod html;
mod human;
mod markdown;

use crate::decision_space::Called;
use crate::evaluator::{Decision, Verdict};
use crate::ir::{Name, RULE_NO_MATCH, RULE_STOP, Rulebook};
use crate::regions::{Atlas, Place, Term, TooLarge};

pub use csv::render_csv;
pub use html::render_html;
pub use human::render_human;
pub use markdown::render_markdown;

/// The decision table of one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The tool.
    pub called: Called,
    /// The names that make a difference, in the order in which they are read.
    pub columns: Vec<Name>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Whether every context is in a row; when not, there would be too many.
    pub is_complete: bool,
}

/// Contexts that are decided alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// By column, the values that the name may have; none where it may have any.
    pub cells: Vec<Option<Term>>,
    /// What is decided.
    pub decision: Decision,
    /// Whether a flow refuses because it lacks a value.
    pub is_undecided: bool,
    /// What the person is told: the wording of the message, or what the decision means.
    pub message: String,
    /// Where it is decided, in one context of the row or another.
    pub places: Vec<Place>,
}

impl Row {
    /// The lines that decide, ascending, each once.
    pub fn lines(&self) -> Vec<usize> {
        let mut lines: Vec<usize> = self.places.iter().map(|place| place.line).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// The lines in words.
    fn lines_shown(&self) -> String {
        let lines: Vec<String> = self.lines().iter().map(ToString::to_string).collect();
        lines.join(", ")
    }
}

/// The decision table of a tool.
///
/// # Errors
/// When the space of the tool is too large to be cut within the bounds.
pub fn table(rulebook: &Rulebook, called: Called) -> Result<Table, TooLarge> {
    let atlas = Atlas::new(&[rulebook], called.clone());
    let found = atlas.decisions()?;
    let is_limited = |name: &&Name| {
        let mut terms = found.regions.iter().flat_map(|region| &region.terms);
        terms.any(|term| term.name == **name)
    };
    let columns: Vec<Name> = atlas.names().filter(is_limited).cloned().collect();
    let rows = found
        .regions
        .into_iter()
        .map(|region| {
            let cell = |name: &Name| region.terms.iter().find(|term| term.name == *name).cloned();
            let label = region.label;
            Row {
                cells: columns.iter().map(cell).collect(),
                message: message(rulebook, &label.decision, label.is_undecided),
                decision: label.decision,
                is_undecided: label.is_undecided,
                places: label.places,
            }
        })
        .collect();
    Ok(Table {
        called,
        columns,
        rows,
        is_complete: found.is_complete,
    })
}

/// What a person is told, or what a decision without a message means.
fn message(rulebook: &Rulebook, decision: &Decision, is_undecided: bool) -> String {
    let meaning = match (decision.decision, decision.rule.as_str()) {
        (Verdict::Allow, _) => "",
        (Verdict::Silent, _) => "the rulebook says nothing on this call",
        (_, RULE_NO_MATCH) if is_undecided => "a value is lacking",
        (_, RULE_NO_MATCH) => "nothing in the rulebook allows it",
        (_, RULE_STOP) => "stops without a word",
        (_, rule) => {
            let wordings = rulebook.message(rule).map(|message| &message.wordings);
            let first = wordings.and_then(|wordings| wordings.first());
            return first.map_or(rule, String::as_str).to_owned();
        }
    };
    meaning.to_owned()
}

/// What is said of a table as a whole.
fn caption(table: &Table) -> String {
    let rows = match table.rows.len() {
        1 => "1 row".to_owned(),
        count => format!("{count} rows"),
    };
    if table.is_complete {
        format!("{rows}; every context is in exactly one")
    } else {
        format!("the first {rows}; there are more, and some contexts are in none of these")
    }
}

/// The name of a column.
fn column(name: &Name) -> String {
    format!("${}", name.join("."))
}
