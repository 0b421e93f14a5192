//! What can be typed behind `table`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Show what is decided on a tool in every context, as a decision table
///
/// A row for each set of contexts that are decided alike, a column for each name that matters.
/// Every context is in exactly one row.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator table policy.co --tool refund_card
  RulebookTranslator table policy.co --format html > policy.html
  RulebookTranslator table policy.co --tool refund_card --format md
  RulebookTranslator table opa/rulebook.ir.json --format csv > decisions.csv")]
pub(in crate::command_line) struct TableArguments {
    /// The rulebook, an IR made from one, or `-`
    pub(in crate::command_line) file: PathBuf,

    /// The tool; can be given several times. Without it, all tools one after another
    #[arg(long, value_name = "TOOL")]
    pub(in crate::command_line) tool: Vec<String>,

    /// How the table is printed
    #[arg(long, value_enum, default_value_t = TableFormat::Human)]
    pub(in crate::command_line) format: TableFormat,
}

/// How a decision table is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::command_line) enum TableFormat {
    /// For people at a terminal
    Human,
    /// Markdown
    Md,
    /// A page of its own, coloured by decision, that can be printed
    Html,
    /// Comma-separated values (RFC 4180), for spreadsheets
    Csv,
}
