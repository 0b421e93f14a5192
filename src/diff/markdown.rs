//! A difference as Markdown, for a comment on a pull request.

use std::fmt::Write;

use super::words::{self, Condition, MOST_SHOWN, Versions};
use super::{Change, Difference, Kind};
use crate::evaluator::{Decision, Verdict};
use crate::regions::{Place, Term, conjunction};
use crate::text::markdown::{code, fence, plain};

/// The difference as Markdown, with its line end.
pub fn render_markdown(difference: &Difference, versions: Versions<'_>) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "### Decisions: {} → {}\n\n**{}**",
        code(versions.old),
        code(versions.new),
        plain(&words::summary(difference))
    );
    for tool in difference.changed() {
        let (title, is_name) = words::title(&tool.called);
        let title = if is_name { code(&title) } else { plain(&title) };
        let _ = write!(out, "\n#### {title}\n");
        if let Some(governed) = words::governed(tool) {
            let _ = write!(out, "\n{governed}\n");
        }
        let common = words::common(&tool.changes);
        if !common.is_empty() {
            let _ = write!(out, "\nWhere {}:\n", code(&conjunction(&common)));
        }
        if !tool.changes.is_empty() {
            out.push_str("\n| change | old | new | when | for example |\n|---|---|---|---|---|\n");
        }
        for change in tool.changes.iter().take(MOST_SHOWN) {
            write_row(&mut out, change, &common);
        }
        if let Some(more) = words::more(&tool.changes) {
            let _ = write!(out, "\n{more}\n");
        }
        if let Some(extent) = words::extent(tool.extent) {
            let _ = write!(out, "\n> {extent}\n");
        }
    }
    write_notes(&mut out, difference);
    write_tests(&mut out, difference);
    out
}

fn sign(kind: Kind) -> &'static str {
    match kind {
        Kind::Widening => "🔴",
        Kind::Loosening => "🟠",
        Kind::OtherRule => "🔵",
        Kind::Tightening | Kind::Narrowing => "🟢",
    }
}

fn write_row(out: &mut String, change: &Change, common: &[Term]) {
    let condition = match words::condition(change, common) {
        Some(Condition::When(condition)) => code(&condition),
        Some(Condition::Always) => "in every context".to_owned(),
        None => "not known".to_owned(),
    };
    let _ = writeln!(
        out,
        "| {} {} | {} | {} | {condition} | {} |",
        sign(change.kind),
        change.kind.as_str(),
        decision(&change.old, change.old_place.as_ref()),
        decision(&change.new, change.new_place.as_ref()),
        code(&words::json(&change.example))
    );
}

fn decision(decision: &Decision, place: Option<&Place>) -> String {
    let mut text = decision.decision.as_str().to_owned();
    if decision.decision == Verdict::Allow {
        text = format!("**{text}**");
    }
    let (rule, note) = words::rule(decision, place);
    if let Some(rule) = rule {
        let _ = write!(text, " {}", code(rule));
    }
    if let Some(note) = note {
        let _ = write!(text, " ({note})");
    }
    if let Some(place) = place {
        let _ = write!(text, ", line {}", place.line);
    }
    text
}

fn write_notes(out: &mut String, difference: &Difference) {
    if difference.wordings.is_empty() && difference.names.is_empty() {
        return;
    }
    out.push('\n');
    for wording in &difference.wordings {
        let _ = writeln!(
            out,
            "- wording of {}: {} → {}",
            code(&wording.message),
            texts(&wording.old),
            texts(&wording.new)
        );
    }
    for name in &difference.names {
        let shown = code(&format!("${}", name.name.join(".")));
        let types = (
            name.old.map(words::type_name),
            name.new.map(words::type_name),
        );
        let _ = match types {
            (None, Some(new)) => writeln!(out, "- context: {shown} ({new}) is new"),
            (Some(old), None) => writeln!(out, "- context: {shown} ({old}) is gone"),
            (Some(old), Some(new)) => {
                writeln!(out, "- context: {shown} is a {new}, and was a {old}")
            }
            (None, None) => Ok(()),
        };
    }
}

fn texts(wordings: &[String]) -> String {
    if wordings.is_empty() {
        return "its name".to_owned();
    }
    let all: Vec<String> = wordings
        .iter()
        .map(|text| code(&words::json(text)))
        .collect();
    all.join(" or ")
}

/// The new decisions as cases of a tests file.
fn write_tests(out: &mut String, difference: &Difference) {
    let mut cases = String::new();
    for tool in &difference.tools {
        for (change, number) in tool.changes.iter().take(MOST_SHOWN).zip(1..) {
            cases.push_str(&words::test_case(&tool.called, change, number));
        }
    }
    if !cases.is_empty() {
        let _ = write!(
            out,
            "\n<details>\n<summary>The new decisions as test cases</summary>\n\n{}\n</details>\n",
            fence("yaml", &format!("cases:\n{}", indented(&cases)))
        );
    }
}

fn indented(lines: &str) -> String {
    let mut out = String::new();
    for line in lines.lines() {
        let _ = writeln!(out, "  {line}");
    }
    out
}
