//! What can be typed behind `diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ProjectArguments;
use crate::diff::Deny;

/// Say in which contexts two versions of a rulebook decide differently
///
/// For each tool the contexts in which the decision changed, as conditions, each with its
/// smallest context. Comments, names of flows and the order of what makes no difference change
/// nothing. With --git and no PATH, every rulebook of the project is compared; one that it has no
/// longer is compared with nothing.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator diff old.co policy.co
  RulebookTranslator diff --git main policy.co
  RulebookTranslator diff --git main policy.co --deny widening
  RulebookTranslator diff --git main --deny widening
  RulebookTranslator diff --git origin/main policy.co --format markdown > comment.md
  RulebookTranslator diff old/rulebook.ir.json policy.co --tool refund_card")]
pub(in crate::command_line) struct DiffArguments {
    /// The old version: a rulebook, an IR made from one, or `-`; with --git the file of both versions [default with --git: every rulebook of the project]
    #[arg(value_name = "OLD|PATH", required_unless_present = "git")]
    pub(in crate::command_line) old: Option<PathBuf>,

    /// The new version: a rulebook, an IR made from one, or `-`
    #[arg(required_unless_present = "git", conflicts_with = "git")]
    pub(in crate::command_line) new: Option<PathBuf>,

    /// Compare the file with what it was in this revision of its Git repository
    #[arg(long, value_name = "REV")]
    pub(in crate::command_line) git: Option<String>,

    #[command(flatten)]
    pub(in crate::command_line) project: ProjectArguments,

    /// How the difference is printed
    #[arg(long, value_enum, default_value_t = DiffFormat::Human)]
    pub(in crate::command_line) format: DiffFormat,

    /// End with 1 where there are such changes, or where that was not found out
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(in crate::command_line) deny: Vec<Deny>,

    /// Only this tool; can be given several times
    #[arg(long, value_name = "TOOL", requires = "old")]
    pub(in crate::command_line) tool: Vec<String>,
}

/// How a difference is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::command_line) enum DiffFormat {
    /// For people
    Human,
    /// A JSON object for each pair of versions, `rulebook-diff/1`
    Json,
    /// Tables for a comment on a pull request, and the new decisions as test cases
    Markdown,
}

impl ValueEnum for Deny {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Widening, Self::Loosening, Self::Changes]
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        let (name, help) = match self {
            Self::Widening => (
                "widening",
                "What is newly allowed, or no longer refused or asked about by anything",
            ),
            Self::Loosening => ("loosening", "And what was refused and is now asked about"),
            Self::Changes => ("changes", "Every change of a decision"),
        };
        Some(clap::builder::PossibleValue::new(name).help(help))
    }
}
