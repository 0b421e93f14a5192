//! What can be typed behind `graph`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Draw a rulebook: guards, flows, and what each branch says
///
/// Every call passes the guards and goes to the flows of its tool; each is drawn as a decision
/// tree whose ends allow, ask or refuse, with the words that a person is shown. The picture is
/// the answer, and goes to standard output or to a file.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator graph policy.co --output policy.svg
  RulebookTranslator graph policy.co --format html --output policy.html
  RulebookTranslator graph policy.co --tool refund_card --format mermaid")]
pub(in crate::command_line) struct GraphArguments {
    /// The rulebook, or an IR made from one; `-` for standard input
    pub(in crate::command_line) file: PathBuf,

    /// How the picture is written
    #[arg(long, value_enum, default_value_t = GraphFormat::Svg)]
    pub(in crate::command_line) format: GraphFormat,

    /// Draw this flow alone
    #[arg(long, value_name = "NAME", conflicts_with = "tool")]
    pub(in crate::command_line) flow: Option<String>,

    /// Draw what speaks on this tool: its flows, and the guards that can stop it
    #[arg(long, value_name = "TOOL")]
    pub(in crate::command_line) tool: Option<String>,

    /// Write to this file instead of to standard output
    #[arg(long, short, value_name = "PATH")]
    pub(in crate::command_line) output: Option<PathBuf>,
}

/// How a picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::command_line) enum GraphFormat {
    /// A picture for documents and browsers, light or dark
    Svg,
    /// A page to read and to search, with the pictures, wordings and lines
    Html,
    /// A flowchart in the language of Mermaid
    Mermaid,
    /// A graph in the language of Graphviz
    Dot,
}
