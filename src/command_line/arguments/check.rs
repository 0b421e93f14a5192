//! What can be typed behind `check`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{ProjectArguments, deny};
use crate::compiler::Depth;
use crate::diagnostics::Deny;

/// Say what is wrong with a rulebook, with all rulebooks below a folder, or of the project
///
/// Findings are the answer, and go to standard output: for people, or in a format that a server,
/// an editor or a script reads. Errors end the command with 1, a file that cannot be read with 2.
/// Without a path, the rulebooks of the project are checked, and its `rulebook.toml` itself.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator check policy.co
  RulebookTranslator check policies/ --deny warnings
  RulebookTranslator check --all --deny RB0401
  RulebookTranslator check policy.co --fix
  RulebookTranslator check policy.co --watch
  RulebookTranslator check policy.co --format json
  RulebookTranslator check policies/ --format sarif --output report.sarif
  RulebookTranslator check - < policy.co")]
pub(in crate::command_line) struct CheckArguments {
    /// Rulebooks, IRs, folders (every .co file below them, but not in folders whose names begin with a dot), or `-` for standard input [default: --all]
    #[arg(value_name = "FILE|DIR|-")]
    pub(in crate::command_line) paths: Vec<PathBuf>,

    /// Check every rulebook that the project's `rulebook.toml` lists, and that file itself
    #[arg(long, conflicts_with = "paths")]
    pub(in crate::command_line) all: bool,

    #[command(flatten)]
    pub(in crate::command_line) project: ProjectArguments,

    /// Leave out the analyses of the decision: errors of syntax and structure, and what stands beside them
    #[arg(long, conflicts_with = "fix")]
    pub(in crate::command_line) no_analyses: bool,

    /// Check again whenever a file changes, until Ctrl-C
    #[arg(long)]
    pub(in crate::command_line) watch: bool,

    /// Rewrite the files first, where a finding says what to write and that is surely meant
    #[arg(long, conflicts_with = "watch")]
    pub(in crate::command_line) fix: bool,

    /// With --fix: write nothing, and print what would change
    #[arg(long, requires = "fix")]
    pub(in crate::command_line) diff: bool,

    /// How findings are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(in crate::command_line) format: Format,

    /// Write the report to a file; standard output then has the one for people
    #[arg(long, value_name = "PATH")]
    pub(in crate::command_line) output: Option<PathBuf>,

    /// End with 1 where there is such a finding: `warnings`, or the code of a warning or note
    #[arg(long, value_name = "WHAT", value_parser = deny)]
    pub(in crate::command_line) deny: Vec<Deny>,
}

impl CheckArguments {
    /// What is looked at.
    pub(in crate::command_line) fn depth(&self) -> Depth {
        if self.no_analyses {
            Depth::Errors
        } else {
            Depth::Analyses
        }
    }
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
