//! Results for people.

use std::fmt::Write;

use super::report::{CaseOutcome, CoverageReport, FileResults, GapReport, SuiteResults};
use crate::coverage::Fraction;
use crate::terminal::{HumanRenderer, plural};
use crate::test_suite::Totals;
use crate::text::{escaped, visible};

/// A renderer for files.
pub(super) fn plain() -> HumanRenderer {
    HumanRenderer::new(false, false)
}

/// Failures in full, then what was skipped and failed in a line each, then the figures.
pub(super) fn render(results: &[FileResults], renderer: &HumanRenderer) -> String {
    let mut out = String::new();
    for file in results {
        for suite in &file.suites {
            let failures: Vec<_> = suite
                .cases
                .iter()
                .filter_map(super::CaseResult::diagnostic)
                .collect();
            out.push_str(&renderer.render(suite.source.as_ref(), &failures));
        }
        for suite in &file.suites {
            one_line_each(suite, &mut out);
        }
        for suite in &file.suites {
            let _ = writeln!(out, "{}: {}", escaped(&suite.file), summary(suite));
        }
        if let Some(coverage) = &file.coverage {
            render_coverage(file, coverage, &mut out);
        }
    }
    if results.len() > 1 {
        let totals = results.iter().map(FileResults::totals);
        let totals = totals.fold(Totals::default(), Totals::plus);
        let idle = results.iter().filter(|file| file.is_not_run()).count();
        let ran = plural(results.len().saturating_sub(idle), "rulebook");
        let _ = write!(out, "{} in {ran}", counts(totals));
        if idle > 0 {
            let _ = write!(out, "; {} not run", plural(idle, "rulebook"));
        }
        out.push('\n');
    }
    out
}

fn one_line_each(suite: &SuiteResults, out: &mut String) {
    let file = escaped(&suite.file);
    for case in &suite.cases {
        let title = visible(&case.title);
        let line = case.line;
        let _ = match &case.outcome {
            CaseOutcome::Passed => Ok(()),
            CaseOutcome::Failed { .. } => {
                writeln!(out, "failed   {file}:{line} {title}: {}", case.difference())
            }
            CaseOutcome::Skipped { reason } => {
                writeln!(out, "skipped  {file}:{line} {title}: {}", visible(reason))
            }
        };
    }
}

fn summary(suite: &SuiteResults) -> String {
    if suite.is_unusable {
        "not run".to_owned()
    } else {
        counts(suite.totals())
    }
}

/// `12 passed, 1 failed, 1 skipped`, without the last where there is none.
fn counts(totals: Totals) -> String {
    let mut text = format!("{} passed, {} failed", totals.passed, totals.failed);
    if totals.skipped > 0 {
        let _ = write!(text, ", {} skipped", totals.skipped);
    }
    text
}

fn render_coverage(file: &FileResults, coverage: &CoverageReport, out: &mut String) {
    let _ = writeln!(out, "\ncoverage of {}", escaped(&file.rulebook));
    let mut rows = vec![[
        "flow".to_owned(),
        "branches".to_owned(),
        "condition outcomes".to_owned(),
        "tools".to_owned(),
    ]];
    for flow in &coverage.flows {
        rows.push([
            visible(&flow.name),
            cell(flow.figures.branches),
            cell(flow.figures.outcomes),
            String::new(),
        ]);
    }
    let all = coverage.all;
    rows.push([
        "all".to_owned(),
        cell(all.branches),
        cell(all.outcomes),
        cell(all.tools),
    ]);
    table(&rows, out);
    let lists = [
        (
            "missing",
            "not reached by any case, with the smallest call that would:",
        ),
        (
            "not decided",
            "not reached by any case; whether any call would was not found out within the bound:",
        ),
        (
            "impossible",
            "cannot happen, since no context reaches it; not counted:",
        ),
    ];
    for (reason, head) in lists {
        let gaps: Vec<&GapReport> = coverage
            .gaps
            .iter()
            .filter(|gap| gap.reason == reason)
            .collect();
        if !gaps.is_empty() {
            let _ = writeln!(out, "\n{head}");
        }
        for gap in gaps {
            render_gap(gap, out);
        }
    }
}

fn render_gap(gap: &GapReport, out: &mut String) {
    let what = visible(&gap.what);
    let _ = match (gap.line, &gap.flow) {
        (Some(line), Some(flow)) => write!(
            out,
            "  line {line}, flow {}, {}: {what}",
            visible(flow),
            gap.kind
        ),
        _ => write!(out, "  {what}"),
    };
    out.push('\n');
    if let Some(call) = &gap.call {
        let _ = writeln!(out, "    {}", call.shown());
    }
}

fn cell(fraction: Fraction) -> String {
    format!("{fraction} ({})", fraction.percent())
}

/// Columns with two blanks between; none at the end of a line.
fn table(rows: &[[String; 4]], out: &mut String) {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths = [width(0), width(1), width(2), width(3)];
    for row in rows {
        let mut line = String::from("  ");
        for (cell, width) in row.iter().zip(widths) {
            line.push_str(cell);
            let missing = width.saturating_sub(cell.chars().count());
            line.push_str(&" ".repeat(missing + 2));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}
