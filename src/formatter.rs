//! One canonical style for the text of a rulebook.
//!
//! The text is formatted line by line, not printed from the tree. The tree does not hold
//! everything: what stands under `meta`, the samples under a `user` line, how a number is
//! written, and conditions that the gate cannot read are the author's text, and a printer would
//! have to make them up or lose them. So the logical lines of the source stay what is written;
//! the tree says what each of them is, and which of its parts mean the same when they are
//! written otherwise: blanks, quotes, `elif`, a trailing `:`. What the tree does not hold is
//! kept as it is.
//!
//! Three steps: `arrange` gives each line and comment a column and a blank line before it, `line`
//! writes the inside of each line, `assemble` puts comments behind the lines. Then the result is
//! read again: it must have the same tree, the same comments in the same order, and the same text
//! wherever the tree holds none. Nothing else is ever handed out.

mod arrange;
mod assemble;
mod condition;
mod line;
mod nodes;
mod writer;

use std::collections::BTreeSet;

use crate::diagnostics::codes::internal::FORMATTER;
use crate::diagnostics::codes::rewriting::FORMATTED_TOO_LARGE;
use crate::diagnostics::{Diagnostic, Sink, text_faults};
use crate::syntax;
use crate::syntax::lines::{LogicalLine, logical_lines};
use crate::syntax::tree::Rulebook;
use crate::text::{MAX_LINE_CHARACTERS, Source, Span, TextFault};

use arrange::{Item, arrange};
use line::Style;

/// Formats a source. `faults` are those that [`Source::decode`] found.
///
/// The result has the tree of the source and its comments in their order; formatting it again
/// changes nothing. A source that parses is formatted whatever else is wrong with it.
///
/// ```
/// use stalwart::formatter::format;
/// use stalwart::text::Source;
///
/// let text = b"define flow refunds:\n    if   $order_paid:\n        execute refund_card( )\n";
/// let (source, faults) = Source::decode("policy.co", text);
/// let formatted = format(&source, &faults).expect("it has no errors");
/// assert_eq!(
///     formatted,
///     "define flow refunds\n  if $order_paid\n    execute refund_card\n"
/// );
/// ```
///
/// # Errors
/// What [`syntax::parse`] finds wrong, sorted by place; one error where the result would pass a
/// limit of contract section 1; one of code `RB0902` where the result is not what the source is,
/// which is a fault of the formatter.
pub fn format(source: &Source, faults: &[TextFault]) -> Result<String, Vec<Diagnostic>> {
    let tree = read(source, faults)?;
    let lines = logical_lines(source);
    let nodes = nodes::nodes(&tree);
    let placed = arrange(source, &lines, &nodes, &tree.comments);
    let formatted = assemble::assemble(source, &lines, &placed, &tree.comments)
        .map_err(|place| vec![line_too_long(place)])?;
    let kept: BTreeSet<usize> = placed
        .iter()
        .filter_map(|placed| match placed.item {
            Item::Line(index, Style::AsWritten | Style::Unheld) => Some(index),
            _ => None,
        })
        .collect();
    compare(source, (&tree, &lines, &kept), &formatted)?;
    Ok(formatted)
}

/// The tree of a source without errors.
fn read(source: &Source, faults: &[TextFault]) -> Result<Rulebook, Vec<Diagnostic>> {
    let mut sink = Sink::new();
    let tree = syntax::parse(source, faults, &mut sink);
    match tree {
        Some(tree) if !sink.has_errors() => Ok(tree),
        _ => Err(sink.into_sorted()),
    }
}

/// Holds a formatted text against its source: `kept` are the lines that the tree does not hold.
fn compare(
    source: &Source,
    (tree, lines, kept): (&Rulebook, &[LogicalLine<'_>], &BTreeSet<usize>),
    formatted: &str,
) -> Result<(), Vec<Diagnostic>> {
    let (again, faults) = Source::decode(source.name(), formatted.as_bytes());
    if let Some(fault) = faults.first() {
        return Err(vec![too_large(&again, fault)]);
    }
    let fault = |what: &str| Err(vec![not_the_same(what)]);
    let Ok(tree_again) = read(&again, &faults) else {
        return fault("formatted, the rulebook would have errors");
    };
    if tree_again.comments != tree.comments {
        return fault("formatted, the rulebook would have other comments");
    }
    if tree_again != *tree {
        return fault("formatted, the rulebook would mean something else");
    }
    let lines_again = logical_lines(&again);
    let is_kept = |index: &usize| match (lines.get(*index), lines_again.get(*index)) {
        (Some(line), Some(again)) => bare(line.text()).eq(bare(again.text())),
        _ => false,
    };
    if lines_again.len() != lines.len() || !kept.iter().all(is_kept) {
        return fault("formatted, the rulebook would have other lines");
    }
    Ok(())
}

/// The characters of a line that no style changes.
fn bare(text: &str) -> impl Iterator<Item = char> {
    let is_style = |character: &char| matches!(character, ' ' | '"' | '\'' | '\\' | ',' | ':');
    text.chars().filter(move |character| !is_style(character))
}

fn not_the_same(message: &str) -> Diagnostic {
    Diagnostic::without_place(&FORMATTER, message)
        .with_help("please report it with the rulebook that shows it; it was not changed")
}

/// A line that indentation makes longer than a line may be.
fn line_too_long(place: Span) -> Diagnostic {
    let message =
        format!("formatted, this line would have more than {MAX_LINE_CHARACTERS} characters");
    Diagnostic::new(&FORMATTED_TOO_LARGE, place, message)
        .with_help("continue it on the next line with `\\` at its end")
}

/// More bytes or lines than a source may have.
fn too_large(formatted: &Source, fault: &TextFault) -> Diagnostic {
    let found = text_faults::diagnostics(formatted, std::slice::from_ref(fault));
    let reason = found.first().map_or("", |found| found.message.as_str());
    Diagnostic::without_place(
        &FORMATTED_TOO_LARGE,
        format!("the rulebook cannot be formatted: {reason}"),
    )
    .with_help("split it into several rulebooks")
}

#[cfg(test)]
mod tests;
