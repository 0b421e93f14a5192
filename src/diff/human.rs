//! A difference for people at a terminal.

use std::fmt::Write;

use super::words::{self, Condition, MOST_SHOWN, Versions};
use super::{Change, Difference, Kind};
use crate::evaluator::Decision;
use crate::regions::{Place, Term, conjunction};
use crate::text::{escaped, quoted};

/// The difference as text, with its line end; in colours where they are wanted.
pub fn render_human(difference: &Difference, versions: Versions<'_>, colors: bool) -> String {
    let mut out = String::new();
    let (old, new) = (escaped(versions.old), escaped(versions.new));
    let _ = writeln!(out, "{old} → {new}\n");
    for tool in difference.changed() {
        let (title, _) = words::title(&tool.called);
        let _ = write!(out, "{}", painted(&title, BOLD, colors));
        if let Some(governed) = words::governed(tool) {
            let _ = write!(out, " ({governed})");
        }
        out.push('\n');
        let common = words::common(&tool.changes);
        if !common.is_empty() {
            let _ = writeln!(out, "  where {}", conjunction(&common));
        }
        for change in tool.changes.iter().take(MOST_SHOWN) {
            write_change(&mut out, change, &common, colors);
        }
        if let Some(more) = words::more(&tool.changes) {
            let _ = writeln!(out, "  {more}");
        }
        if let Some(extent) = words::extent(tool.extent) {
            let _ = writeln!(out, "  {extent}");
        }
        out.push('\n');
    }
    for wording in &difference.wordings {
        let _ = writeln!(
            out,
            "wording of {}: {} → {}",
            quoted(&wording.message),
            texts(&wording.old),
            texts(&wording.new)
        );
    }
    for name in &difference.names {
        let shown = format!("`${}`", name.name.join("."));
        let _ = match (name.old, name.new) {
            (None, Some(new)) => {
                writeln!(out, "context: {shown} ({}) is new", words::type_name(new))
            }
            (Some(old), None) => {
                writeln!(out, "context: {shown} ({}) is gone", words::type_name(old))
            }
            (Some(old), Some(new)) => writeln!(
                out,
                "context: {shown} is a {}, and was a {}",
                words::type_name(new),
                words::type_name(old)
            ),
            (None, None) => Ok(()),
        };
    }
    if !(difference.wordings.is_empty() && difference.names.is_empty()) {
        out.push('\n');
    }
    let _ = writeln!(out, "{}", words::summary(difference));
    out
}

const BOLD: &str = "1";

fn color(kind: Kind) -> &'static str {
    match kind {
        Kind::Widening => "1;31",
        Kind::Loosening => "33",
        Kind::OtherRule => "36",
        Kind::Tightening | Kind::Narrowing => "32",
    }
}

fn painted(text: &str, style: &str, colors: bool) -> String {
    if colors {
        format!("\u{1b}[{style}m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}

fn write_change(out: &mut String, change: &Change, common: &[Term], colors: bool) {
    let _ = writeln!(
        out,
        "  {}: {} → {}",
        painted(change.kind.as_str(), color(change.kind), colors),
        decision(&change.old, change.old_place.as_ref()),
        decision(&change.new, change.new_place.as_ref())
    );
    let _ = match words::condition(change, common) {
        Some(Condition::When(condition)) => writeln!(out, "    when     {condition}"),
        Some(Condition::Always) => writeln!(out, "    in every context"),
        None => Ok(()),
    };
    let _ = writeln!(out, "    example  {}", words::json(&change.example));
    let _ = writeln!(out, "    decided  {}", words::lines(change));
}

/// A decision with its rule.
fn decision(decision: &Decision, place: Option<&Place>) -> String {
    let word = decision.decision.as_str();
    match words::rule(decision, place) {
        (Some(rule), Some(note)) => format!("{word} {} ({note})", quoted(rule)),
        (Some(rule), None) => format!("{word} {}", quoted(rule)),
        (None, _) => word.to_owned(),
    }
}

fn texts(wordings: &[String]) -> String {
    if wordings.is_empty() {
        return "its name".to_owned();
    }
    let all: Vec<String> = wordings.iter().map(words::json).collect();
    all.join(" or ")
}
