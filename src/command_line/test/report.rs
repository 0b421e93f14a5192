//! What came of the cases of rulebooks, ready to be shown in any format.

use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value};

use super::super::input;
use super::super::load::Refused;
use crate::coverage::{Coverage, Figures, Gaps, Reason, SuggestedCall, Target};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::suites::{CASE_FAILED, NO_TESTS};
use crate::evaluator::Decision;
use crate::terminal::ExitStatus;
use crate::test_suite::{CaseReport, Outcome, Totals, Want};
use crate::text::{Source, Span, quoted};

/// What came of one rulebook.
#[derive(Debug)]
pub(in crate::command_line) struct FileResults {
    /// Its path as it is recorded.
    pub(super) rulebook: String,
    /// The text that places in the rulebook refer to; none where nothing was found in it.
    pub(super) source: Option<Source>,
    /// Why the rulebook cannot be used; none of its cases was run then.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Its tests files, in the order they were named.
    pub(super) suites: Vec<SuiteResults>,
    /// What the cases reach, where that was asked for.
    pub(super) coverage: Option<CoverageReport>,
    /// What is wrong with the run as a whole: shown behind the results.
    pub(super) complaints: Vec<Diagnostic>,
    /// What all of it means for the command's end.
    pub(in crate::command_line) status: ExitStatus,
}

/// What came of one tests file.
#[derive(Debug)]
pub(super) struct SuiteResults {
    pub(super) file: String,
    pub(super) source: Option<Source>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Whether it could not be read, or has errors: none of its cases was run.
    pub(super) is_unusable: bool,
    /// Whether something is denied of what was found in it.
    pub(super) is_denied: bool,
    pub(super) cases: Vec<CaseResult>,
}

/// What came of one case.
#[derive(Debug)]
pub(super) struct CaseResult {
    pub(super) groups: Vec<String>,
    pub(super) name: String,
    pub(super) title: String,
    /// The line of its name.
    pub(super) line: usize,
    pub(super) tool: Option<String>,
    pub(super) want: Want,
    pub(super) want_place: Span,
    pub(super) got: Decision,
    pub(super) outcome: CaseOutcome,
}

/// Passed, failed with the reason, or not run for a reason.
#[derive(Debug)]
pub(super) enum CaseOutcome {
    Passed,
    /// Why it is decided so: for people, and as JSON.
    Failed {
        why: String,
        json: Value,
    },
    Skipped {
        reason: String,
    },
}

impl FileResults {
    /// Of a rulebook that cannot be used.
    pub(super) fn unusable(file: &Path, refused: Refused) -> Self {
        let Refused {
            source,
            diagnostics,
            status,
        } = refused;
        Self {
            rulebook: input::name_of(file),
            source,
            diagnostics,
            suites: Vec::new(),
            coverage: None,
            complaints: Vec::new(),
            status,
        }
    }

    /// The run as a whole is no success.
    pub(super) fn complain(&mut self, diagnostic: Diagnostic) {
        self.complaints.push(diagnostic);
        self.status = self.status.max(ExitStatus::No);
    }

    /// Whether no case was run, since the rulebook or all of its tests files have errors.
    pub(super) fn is_not_run(&self) -> bool {
        self.suites.iter().all(|suite| suite.is_unusable)
    }

    /// How many cases of all its tests files came to what.
    pub(in crate::command_line) fn totals(&self) -> Totals {
        let suites = self.suites.iter().map(SuiteResults::totals);
        suites.fold(Totals::default(), Totals::plus)
    }
}

impl SuiteResults {
    pub(super) fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for case in &self.cases {
            match case.outcome {
                CaseOutcome::Passed => totals.passed += 1,
                CaseOutcome::Failed { .. } => totals.failed += 1,
                CaseOutcome::Skipped { .. } => totals.skipped += 1,
            }
        }
        totals
    }

    /// How many things are wrong with the file itself.
    pub(super) fn errors(&self) -> usize {
        usize::from(self.is_unusable || self.is_denied)
    }

    pub(super) fn status(&self) -> ExitStatus {
        if self.totals().failed > 0 || self.is_denied {
            ExitStatus::No
        } else {
            ExitStatus::Ok
        }
    }
}

impl CaseResult {
    pub(super) fn of(report: &CaseReport<'_, '_>, source: Option<&Source>) -> Self {
        let case = report.case;
        let outcome = match &report.outcome {
            Outcome::Passed => CaseOutcome::Passed,
            Outcome::Failed(why) => CaseOutcome::Failed {
                why: why.to_string(),
                // Keys are text, and nothing in it fails.
                json: serde_json::to_value(why.as_ref()).unwrap_or_default(),
            },
            Outcome::Skipped => CaseOutcome::Skipped {
                reason: case.skip.clone().unwrap_or_default(),
            },
        };
        Self {
            groups: case.groups.clone(),
            name: case.name.value.clone(),
            title: case.title(),
            line: source.map_or(0, |source| source.line_of(case.name.span.start)),
            tool: case.tool_name().map(str::to_owned),
            want: case.want.value.clone(),
            want_place: case.want.span,
            got: report.got.clone(),
            outcome,
        }
    }

    /// What it wanted and what it got, in a line.
    pub(super) fn difference(&self) -> String {
        let want = shown(self.want.decision.as_str(), self.want.rule.as_deref());
        format!("wanted {want}, got {}", self.shown_got())
    }

    pub(super) fn shown_got(&self) -> String {
        shown(self.got.decision.as_str(), Some(&self.got.rule))
    }

    /// A failure as a finding in the tests file.
    pub(super) fn diagnostic(&self) -> Option<Diagnostic> {
        let CaseOutcome::Failed { why, .. } = &self.outcome else {
            return None;
        };
        let message = format!("{}: {}", quoted(&self.title), self.difference());
        let label = format!("got {}", self.shown_got());
        Some(
            Diagnostic::new(&CASE_FAILED, self.want_place, message)
                .with_label(label)
                .with_help(why.as_str()),
        )
    }
}

fn shown(decision: &str, rule: Option<&str>) -> String {
    match rule {
        None | Some("") => decision.to_owned(),
        Some(rule) => format!("{decision} {}", quoted(rule)),
    }
}

/// That nothing was run, and why.
pub(super) fn no_tests(results: &FileResults, filter: Option<&str>) -> Diagnostic {
    let skipped = results.totals().skipped;
    let (message, help) = match filter {
        Some(filter) if skipped == 0 => (
            format!(
                "no case has {} in its name or in its groups' names",
                quoted(filter)
            ),
            "leave `--filter` out to see all names with `--format json`",
        ),
        _ if skipped > 0 => (
            "every case is skipped: nothing was run".to_owned(),
            "take `skip` away from a case",
        ),
        _ => (
            "there is no case to run".to_owned(),
            "write one below `cases:`",
        ),
    };
    Diagnostic::without_place(&NO_TESTS, message).with_help(help)
}

/// What the cases of a rulebook reach.
#[derive(Debug)]
pub(super) struct CoverageReport {
    pub(super) all: Figures,
    pub(super) flows: Vec<FlowReport>,
    /// By line.
    pub(super) gaps: Vec<GapReport>,
}

/// The figures of a flow.
#[derive(Debug)]
pub(super) struct FlowReport {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) figures: Figures,
}

/// Something that no case reaches.
#[derive(Debug, Serialize)]
pub(super) struct GapReport {
    /// The flow it lies in; none for a tool.
    pub(super) flow: Option<String>,
    pub(super) line: Option<usize>,
    /// `branch`, `condition` or `tool`.
    pub(super) kind: &'static str,
    pub(super) what: String,
    /// `missing`, `impossible` or `not decided`.
    pub(super) reason: &'static str,
    /// The smallest call that reaches it.
    pub(super) call: Option<CallReport>,
}

/// A call that nobody makes.
#[derive(Debug, Serialize)]
pub(super) struct CallReport {
    pub(super) tool: Option<String>,
    pub(super) context: Map<String, Value>,
}

impl CoverageReport {
    pub(super) fn of(coverage: &Coverage<'_>, gaps: &Gaps) -> Self {
        let (all, figures) = coverage.figures(gaps);
        let flows = coverage.flows.iter().zip(figures);
        Self {
            all,
            flows: flows
                .map(|(counts, figures)| FlowReport {
                    name: counts.flow.name.clone(),
                    line: counts.flow.line,
                    figures,
                })
                .collect(),
            gaps: gaps
                .by_line(coverage)
                .into_iter()
                .map(|gap| GapReport::of(coverage, gap.target, &gap.reason))
                .collect(),
        }
    }
}

impl GapReport {
    fn of(coverage: &Coverage<'_>, target: Target, reason: &Reason) -> Self {
        let flow = target.flow().and_then(|flow| coverage.flows.get(flow));
        let (reason, call) = match reason {
            Reason::Missing(call) => ("missing", Some(CallReport::of(call))),
            Reason::Impossible => ("impossible", None),
            Reason::NotDecided => ("not decided", None),
        };
        Self {
            flow: flow.map(|counts| counts.flow.name.clone()),
            line: coverage.line(target),
            kind: match target {
                Target::Branch { .. } => "branch",
                Target::Leaf { .. } => "condition",
                Target::Tool { .. } => "tool",
            },
            what: coverage.describe(target),
            reason,
            call,
        }
    }
}

impl CallReport {
    fn of(call: &SuggestedCall) -> Self {
        Self {
            tool: call.tool.clone(),
            context: call.context.clone(),
        }
    }

    /// As a sentence names it.
    pub(super) fn shown(&self) -> String {
        let context = Value::Object(self.context.clone()).to_string();
        let tool = match &self.tool {
            Some(tool) => quoted(tool),
            None => "a tool that is no string".to_owned(),
        };
        format!("{tool} with {}", quoted(&context))
    }
}
