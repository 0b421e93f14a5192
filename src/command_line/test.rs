//! `test [FILE]`: runs the cases of a rulebook, and says what they do not reach.

mod human;
mod json;
mod junit;
mod report;
mod subject;
mod suggestion;

use std::path::{Path, PathBuf};

use super::arguments::{TestArguments, TestFormat};
use super::input;
use super::output::refuse_over_sources;
use super::project::{Selection, Target, Watch, select_file};
use super::report::biting;
use crate::artifacts::{replace_file, shown_path};
use crate::coverage::{Coverage, Gaps, Threshold, html, lcov};
use crate::diagnostics::codes::reports::ONE_RULEBOOK;
use crate::diagnostics::codes::suites::{BELOW_THRESHOLD, NO_TESTS};
use crate::diagnostics::{Deny, Diagnostic};
use crate::evaluator::Call;
use crate::gate::Gate;
use crate::terminal::{Console, ExitStatus};
use crate::test_suite::Outcome;

use report::{CaseResult, CoverageReport, FileResults, SuiteResults};
use subject::Subject;

/// What to do with the cases of each rulebook.
#[derive(Clone, Debug, Default)]
pub(super) struct TestOptions {
    /// Only cases with this in their title.
    pub(super) filter: Option<String>,
    /// Findings about a tests file that are as bad as a failure.
    pub(super) deny: Vec<Deny>,
    /// Whether the coverage is reported.
    pub(super) coverage: bool,
    /// The percentage that each figure of the coverage has to reach.
    pub(super) threshold: Option<Threshold>,
    /// Where the page goes.
    pub(super) html: Option<PathBuf>,
    /// Where the tracefile goes.
    pub(super) lcov: Option<PathBuf>,
    /// Whether the rulebook is tested because the project lists it.
    pub(super) is_listed: bool,
}

impl TestOptions {
    /// What is asked for, else what the project says.
    fn of(arguments: &TestArguments, target: &Target) -> Self {
        let html = arguments.coverage_html.clone();
        let lcov = arguments.coverage_lcov.clone();
        Self {
            filter: arguments.filter.clone(),
            deny: target.denied(&arguments.deny),
            coverage: arguments.coverage || arguments.threshold.is_some(),
            threshold: arguments.threshold.clone().or_else(|| {
                // A part of the cases need not reach what all of them must.
                let rulebook = target
                    .rulebook
                    .as_ref()
                    .filter(|_| arguments.filter.is_none())?;
                rulebook.coverage_threshold?.to_string().parse().ok()
            }),
            html,
            lcov,
            is_listed: arguments.file.is_none(),
        }
    }

    fn wants_coverage(&self) -> bool {
        self.coverage || self.threshold.is_some() || self.html.is_some() || self.lcov.is_some()
    }
}

pub(super) fn run(arguments: &TestArguments, console: &mut Console) -> ExitStatus {
    if arguments.suggest {
        return suggestion::run(arguments, console);
    }
    if arguments.watch {
        // What is refused is not refused again and again.
        if let Err(diagnostic) = begin(arguments) {
            console.complain(&diagnostic);
            return ExitStatus::Usage;
        }
        let paths: Vec<PathBuf> = arguments.file.iter().cloned().collect();
        let watch = Watch {
            paths: &paths,
            project: &arguments.project,
            tests: Some(&arguments.tests),
        };
        return watch.run(console, |console| run_once(arguments, console));
    }
    run_once(arguments, console)
}

fn run_once(arguments: &TestArguments, console: &mut Console) -> ExitStatus {
    let selection = match begin(arguments) {
        Ok(selection) => selection,
        Err(diagnostic) => {
            console.complain(&diagnostic);
            return ExitStatus::Usage;
        }
    };
    let mut status = selection.complain(console);
    if status != ExitStatus::Ok {
        return status;
    }
    let mut results = Vec::new();
    for target in &selection.targets {
        let listed = target
            .rulebook
            .as_ref()
            .and_then(|one| one.tests.as_deref());
        if arguments.file.is_none() && listed == Some(&[]) {
            let name = shown_path(&target.path);
            console.say(&format!("{name} has no tests, as the project says\n"));
            continue;
        }
        let tests = match arguments.tests.as_slice() {
            [] => listed.unwrap_or_default(),
            asked => asked,
        };
        let options = TestOptions::of(arguments, target);
        results.push(test_file(&target.path, tests, &options, console));
    }
    if results.is_empty() {
        console.complain(
            &Diagnostic::without_place(&NO_TESTS, "no rulebook of the project has tests")
                .with_help("take `tests = []` away from one, and write its tests"),
        );
        status = ExitStatus::No;
    }
    let output = arguments.output.as_deref();
    status.max(print(&results, arguments.format, output, console))
}

/// What is tested, and where no report would replace what somebody wrote.
fn begin(arguments: &TestArguments) -> Result<Selection, Diagnostic> {
    let selection = select_file(arguments.file.as_deref(), &arguments.project)?;
    let reports = [
        &arguments.output,
        &arguments.coverage_html,
        &arguments.coverage_lcov,
    ];
    let inputs = arguments.file.iter().chain(&arguments.tests);
    let inputs = inputs.chain(&arguments.project.path);
    refuse_over_sources(
        reports.into_iter().flatten(),
        inputs,
        &selection,
        "results.xml",
    )?;
    refuse_several(arguments, &selection)?;
    Ok(selection)
}

/// What is of one rulebook is not asked for when several are tested.
fn refuse_several(arguments: &TestArguments, selection: &Selection) -> Result<(), Diagnostic> {
    let options = [
        ("--tests", !arguments.tests.is_empty()),
        ("--coverage-html", arguments.coverage_html.is_some()),
        ("--coverage-lcov", arguments.coverage_lcov.is_some()),
        ("--suggest", arguments.suggest),
    ];
    let asked = options.into_iter().find(|(_, is_asked)| *is_asked);
    match (asked, selection.targets.len()) {
        (Some((option, _)), 2..) => Err(several(option, &selection.targets)),
        _ => Ok(()),
    }
}

fn several(option: &str, targets: &[Target]) -> Diagnostic {
    let message = format!(
        "`{option}` is for one rulebook, and the project has {}",
        targets.len()
    );
    let names = targets.iter().take(MOST_LISTED);
    let mut names: Vec<String> = names
        .map(|target| format!("`{}`", shown_path(&target.path)))
        .collect();
    if let more @ 1.. = targets.len().saturating_sub(MOST_LISTED) {
        names.push(format!("{more} more"));
    }
    let mut help = format!("name the one that is meant: {}", names.join(", "));
    if option == "--tests" {
        help.push_str("; or write the tests of each in `rulebook.toml`");
    }
    Diagnostic::without_place(&ONE_RULEBOOK, message).with_help(help)
}

/// Most rulebooks that a help lists.
const MOST_LISTED: usize = 12;

/// Runs the cases of one rulebook: those of `tests`, or of the file that stands beside it. What is
/// wrong with the rulebook or with a tests file is shown on standard error.
pub(super) fn test_file(
    file: &Path,
    tests: &[PathBuf],
    options: &TestOptions,
    console: &mut Console,
) -> FileResults {
    let subject = match Subject::load(file, tests, options.is_listed, console) {
        Ok(subject) => subject,
        Err(refused) => return FileResults::unusable(file, *refused),
    };
    let mut status = subject.status;
    let gate = Gate::new(subject.rulebook);
    let mut coverage = Coverage::of(gate.rulebook());
    let mut suites = Vec::new();
    for loaded in subject.suites {
        let results = run_suite(loaded, &gate, options, &mut coverage);
        status = status.max(results.status());
        suites.push(results);
    }
    let mut results = FileResults {
        rulebook: input::name_of(file),
        source: None,
        diagnostics: Vec::new(),
        suites,
        coverage: None,
        complaints: Vec::new(),
        status,
    };
    if results.totals().run() == 0 && results.status == ExitStatus::Ok {
        results.complain(report::no_tests(&results, options.filter.as_deref()));
    }
    if options.wants_coverage() {
        let gaps = coverage.gaps();
        let written = write_reports(file, &coverage, &gaps, options, console);
        results.status = results.status.max(written);
        let report = CoverageReport::of(&coverage, &gaps);
        if let Some(threshold) = &options.threshold
            && let Some(diagnostic) = below(threshold, &report)
        {
            results.complain(diagnostic);
        }
        results.coverage = options.coverage.then_some(report);
    }
    results
}

fn run_suite(
    loaded: subject::LoadedSuite,
    gate: &Gate,
    options: &TestOptions,
    coverage: &mut Coverage<'_>,
) -> SuiteResults {
    let cases = loaded.suite.as_ref().map(|suite| {
        let report = crate::test_suite::run(suite, gate, options.filter.as_deref());
        for case in &report.cases {
            if !matches!(case.outcome, Outcome::Skipped) {
                coverage.record(&Call::of(case.case.tool_name(), &case.case.context));
            }
        }
        let cases = report.cases.iter();
        cases
            .map(|case| CaseResult::of(case, loaded.source.as_ref()))
            .collect()
    });
    let denied = biting(&options.deny, &loaded.diagnostics).count();
    SuiteResults {
        is_denied: denied > 0,
        file: loaded.file,
        source: loaded.source,
        diagnostics: loaded.diagnostics,
        is_unusable: loaded.suite.is_none(),
        cases: cases.unwrap_or_default(),
    }
}

/// Each figure has to reach the threshold.
fn below(threshold: &Threshold, report: &CoverageReport) -> Option<Diagnostic> {
    let figures = [
        ("branches", report.all.branches),
        ("condition outcomes", report.all.outcomes),
        ("tools", report.all.tools),
    ];
    let low: Vec<String> = figures
        .into_iter()
        .filter(|(_, fraction)| !threshold.is_reached_by(*fraction))
        .map(|(what, fraction)| format!("{fraction} {what} ({})", fraction.percent()))
        .collect();
    (!low.is_empty()).then(|| {
        let message = format!("the coverage is below {threshold} %: {}", low.join(", "));
        Diagnostic::without_place(&BELOW_THRESHOLD, message)
            .with_help("`--coverage` lists what no case reaches, `--suggest` writes it as cases")
    })
}

fn write_reports(
    file: &Path,
    coverage: &Coverage<'_>,
    gaps: &Gaps,
    options: &TestOptions,
    console: &mut Console,
) -> ExitStatus {
    let mut status = ExitStatus::Ok;
    if let Some(path) = &options.html {
        let source = subject::source_text(file);
        let page = html(coverage, gaps, &input::name_of(file), source.as_ref());
        status = status.max(write_file(path, &page, console));
    }
    if let Some(path) = &options.lcov {
        let name = subject::traced_name(file, coverage.rulebook);
        status = status.max(write_file(path, &lcov(coverage, gaps, &name), console));
    }
    status
}

/// Writes a file that was asked for, and says so.
fn write_file(path: &Path, text: &str, console: &mut Console) -> ExitStatus {
    match replace_file(path, text.as_bytes()) {
        Ok(()) => {
            console.say(&format!("wrote {}\n", shown_path(path)));
            ExitStatus::Ok
        }
        Err(diagnostic) => {
            console.complain(&diagnostic);
            ExitStatus::Usage
        }
    }
}

/// Prints what came of the cases of some rulebooks, or writes it to a file beside the report for
/// people; the worst of their ends.
pub(super) fn print(
    results: &[FileResults],
    format: TestFormat,
    output: Option<&Path>,
    console: &mut Console,
) -> ExitStatus {
    let mut status = results
        .iter()
        .map(|one| one.status)
        .max()
        .unwrap_or_default();
    let text = match format {
        TestFormat::Human => None,
        TestFormat::Json => Some(json::render(results)),
        TestFormat::Junit => Some(junit::render(results)),
    };
    let (to_file, printed) = match (output, text) {
        (None, Some(text)) => (None, text),
        (None, None) => (None, human::render(results, &console.answer_renderer())),
        (Some(path), text) => {
            let people = human::render(results, &console.answer_renderer());
            let plain = text.unwrap_or_else(|| human::render(results, &human::plain()));
            (Some((path, plain)), people)
        }
    };
    console.answer(&printed);
    for complaint in results.iter().flat_map(|one| &one.complaints) {
        console.complain(complaint);
    }
    if let Some((path, text)) = to_file {
        status = status.max(write_file(path, &text, console));
    }
    status
}
