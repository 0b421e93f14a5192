//! What can be typed behind `check`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Deny;

/// Say what is wrong with a rulebook, or with all rulebooks below a folder
///
/// Findings are the answer, and go to standard output: for people, or in a format that a server,
/// an editor or a script reads. Errors end the command with 1, a file that cannot be read with 2.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator check policy.co
  RulebookTranslator check policies/ --deny warnings
  RulebookTranslator check policy.co --format json
  RulebookTranslator check policies/ --format sarif --output report.sarif
  RulebookTranslator check - < policy.co")]
pub(in crate::command_line) struct CheckArguments {
    /// A rulebook, an IR, a folder (every .co file below it, but not in folders whose names begin with a dot), or `-` for standard input
    #[arg(value_name = "FILE|DIR|-")]
    pub(in crate::command_line) path: PathBuf,

    /// How findings are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(in crate::command_line) format: Format,

    /// Write the report to a file; standard output then has the one for people
    #[arg(long, value_name = "PATH")]
    pub(in crate::command_line) output: Option<PathBuf>,

    /// End with 1 where there are warnings
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(in crate::command_line) deny: Vec<Deny>,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::command_line) enum Format {
    /// For people, with the lines of the source
    Human,
    /// One line a finding: `policy.co:7:3: error[RB0301]: message`
    Compact,
    /// One JSON object, `rulebook-check/1`
    Json,
    /// One JSON object a finding, each on a line
    Jsonl,
    /// A SARIF 2.1.0 log, for code scanning
    Sarif,
    /// Workflow commands of GitHub, for annotations
    Github,
    /// A Code Quality report of GitLab
    Gitlab,
    /// JUnit XML: a suite a file, a case a finding
    Junit,
}
