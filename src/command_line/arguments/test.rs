//! What can be typed behind `test`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{ProjectArguments, deny};
use crate::coverage::Threshold;
use crate::diagnostics::Deny;

/// Run the test cases of a rulebook, and say what of it they do not reach
///
/// Cases are calls with the decision they must get, in a YAML file: `policy.test.yaml` beside
/// `policy.co`, or those named by --tests. A case that fails is shown with the line of the
/// rulebook that decided and what each condition on the way was. No case at all is a failure.
/// Without FILE, every rulebook of the project is tested as its `rulebook.toml` says.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator test policy.co
  RulebookTranslator test policy.co --filter frozen
  RulebookTranslator test policy.co --coverage --threshold 100
  RulebookTranslator test policy.co --coverage-html coverage.html --coverage-lcov coverage.lcov
  RulebookTranslator test policy.co --format junit --output results.xml
  RulebookTranslator test policy.co --watch
  RulebookTranslator test policy.co --suggest
  RulebookTranslator test --all

`--suggest` writes the missing cases, each with the smallest context that reaches something no case
does, and with what the rulebook decides today: for you to judge.")]
pub(in crate::command_line) struct TestArguments {
    /// The rulebook, or an IR made from one [default: --all]
    pub(in crate::command_line) file: Option<PathBuf>,

    /// Test every rulebook that the project's `rulebook.toml` lists
    #[arg(long, conflicts_with = "file")]
    pub(in crate::command_line) all: bool,

    #[command(flatten)]
    pub(in crate::command_line) project: ProjectArguments,

    /// A tests file; may be given several times [default: those of `rulebook.toml`, else FILE with .test.yaml for its extension]
    #[arg(long, value_name = "PATH")]
    pub(in crate::command_line) tests: Vec<PathBuf>,

    /// Run only the cases that have TEXT in their group's or their own name
    #[arg(long, value_name = "TEXT")]
    pub(in crate::command_line) filter: Option<String>,

    /// Test again whenever a file changes, until Ctrl-C
    #[arg(long, conflicts_with = "suggest")]
    pub(in crate::command_line) watch: bool,

    /// How the results are printed
    #[arg(long, value_enum, default_value_t = TestFormat::Human)]
    pub(in crate::command_line) format: TestFormat,

    /// Write the results, or the suggested cases, to this file; people still get theirs on standard output
    #[arg(long, value_name = "PATH")]
    pub(in crate::command_line) output: Option<PathBuf>,

    /// Say what the cases reach: branches, outcomes of conditions, tools
    #[arg(long)]
    pub(in crate::command_line) coverage: bool,

    /// End with 1 where the coverage is below this percentage, compared exactly [default: that of `rulebook.toml`]
    #[arg(long, value_name = "PERCENT")]
    pub(in crate::command_line) threshold: Option<Threshold>,

    /// Write the coverage as a page with the source
    #[arg(long, value_name = "PATH")]
    pub(in crate::command_line) coverage_html: Option<PathBuf>,

    /// Write the coverage as an lcov tracefile
    #[arg(long, value_name = "PATH")]
    pub(in crate::command_line) coverage_lcov: Option<PathBuf>,

    /// End with 1 where there is such a finding about a tests file: `warnings`, or the code of a warning or note
    #[arg(long, value_name = "WHAT", value_parser = deny)]
    pub(in crate::command_line) deny: Vec<Deny>,

    /// Print the missing cases as a tests file
    #[arg(long, conflicts_with_all = ["deny", "format", "coverage", "threshold", "coverage_html", "coverage_lcov", "filter"])]
    pub(in crate::command_line) suggest: bool,

    /// Write the suggested cases to the tests file, where there is none yet
    #[arg(long, requires = "suggest", conflicts_with_all = ["output", "tests"])]
    pub(in crate::command_line) write: bool,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::command_line) enum TestFormat {
    /// For people, with the lines of the tests file
    Human,
    /// One JSON object, `rulebook-test/1`
    Json,
    /// JUnit XML, which CI systems show
    Junit,
}
