//! Results as JSON: `rulebook-test/1`.

use serde::Serialize;
use serde_json::{Value, json};

use super::super::report::pretty;
use super::report::{CaseOutcome, CaseResult, CoverageReport, FileResults, SuiteResults};
use crate::coverage::{Figures, Fraction};
use crate::diagnostics::finding::Finding;
use crate::evaluator::Decision;
use crate::test_suite::Totals;

#[derive(Serialize)]
struct Report<'a> {
    format: &'static str,
    files: Vec<File<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct File<'a> {
    rulebook: &'a str,
    /// Why the rulebook cannot be used, and what is wrong with the run as a whole.
    diagnostics: Vec<Finding<'a>>,
    suites: Vec<Suite<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<Value>,
}

#[derive(Serialize)]
struct Suite<'a> {
    file: &'a str,
    diagnostics: Vec<Finding<'a>>,
    cases: Vec<Case<'a>>,
}

#[derive(Serialize)]
struct Case<'a> {
    groups: &'a [String],
    name: &'a str,
    line: usize,
    tool: Option<&'a str>,
    status: &'static str,
    want: Want<'a>,
    got: &'a Decision,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a Value>,
}

#[derive(Serialize)]
struct Want<'a> {
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
}

#[derive(Serialize)]
struct Summary {
    passed: usize,
    failed: usize,
    skipped: usize,
    /// Rulebooks and tests files of which no case was run, since they have errors.
    unusable: usize,
}

/// The report on all rulebooks, with its line end.
pub(super) fn render(results: &[FileResults]) -> String {
    let totals = results.iter().map(FileResults::totals);
    let totals = totals.fold(Totals::default(), Totals::plus);
    let suites = results.iter().flat_map(|file| &file.suites);
    let refused = results.iter().filter(|file| !file.diagnostics.is_empty());
    let refused = refused.count();
    let report = Report {
        format: "rulebook-test/1",
        files: results.iter().map(file).collect(),
        summary: Summary {
            passed: totals.passed,
            failed: totals.failed,
            skipped: totals.skipped,
            unusable: refused + suites.filter(|suite| suite.is_unusable).count(),
        },
    };
    pretty(&report, 0) + "\n"
}

fn file(results: &FileResults) -> File<'_> {
    let source = results.source.as_ref();
    let diagnostics = results.diagnostics.iter().chain(&results.complaints);
    File {
        rulebook: &results.rulebook,
        diagnostics: diagnostics
            .map(|found| Finding::of(source, found))
            .collect(),
        suites: results.suites.iter().map(suite).collect(),
        coverage: results.coverage.as_ref().map(coverage),
    }
}

fn suite(results: &SuiteResults) -> Suite<'_> {
    let source = results.source.as_ref();
    let diagnostics = results.diagnostics.iter();
    Suite {
        file: &results.file,
        diagnostics: diagnostics
            .map(|found| Finding::of(source, found))
            .collect(),
        cases: results.cases.iter().map(case).collect(),
    }
}

fn case(result: &CaseResult) -> Case<'_> {
    let (status, reason, why) = match &result.outcome {
        CaseOutcome::Passed => ("passed", None, None),
        CaseOutcome::Failed { json, .. } => ("failed", None, Some(json)),
        CaseOutcome::Skipped { reason } => ("skipped", Some(reason.as_str()), None),
    };
    Case {
        groups: &result.groups,
        name: &result.name,
        line: result.line,
        tool: result.tool.as_deref(),
        status,
        want: Want {
            decision: result.want.decision.as_str(),
            rule: result.want.rule.as_deref(),
        },
        got: &result.got,
        reason,
        why,
    }
}

fn coverage(report: &CoverageReport) -> Value {
    let flows: Vec<Value> = report
        .flows
        .iter()
        .map(|flow| {
            json!({
                "flow": flow.name,
                "line": flow.line,
                "figures": figures(flow.figures, false),
            })
        })
        .collect();
    json!({
        "figures": figures(report.all, true),
        "flows": flows,
        "gaps": report.gaps,
    })
}

fn figures(figures: Figures, with_tools: bool) -> Value {
    let fraction = |fraction: Fraction| json!({"all": fraction.all, "reached": fraction.reached});
    let mut value = json!({
        "branches": fraction(figures.branches),
        "impossible": figures.impossible,
        "outcomes": fraction(figures.outcomes),
    });
    if let (true, Value::Object(fields)) = (with_tools, &mut value) {
        fields.insert("tools".to_owned(), fraction(figures.tools));
    }
    value
}
