//! What can be typed behind `eval`.

use std::path::PathBuf;

use clap::Args;

/// Decide calls, as the emitted package would
///
/// Prints one line of JSON for each call: {"decision": …, "rule": …}.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator eval policy.co --tool refund_card --context '{\"order_paid\": true}'
  RulebookTranslator eval policy.co --tool refund_card --context @context.json --exit-code
  RulebookTranslator eval policy.co --input calls.jsonl

A line of --input is an object with `tool` and `context`; a line that is none is answered by
{\"error\": …} at its place, and the command ends with exit code 2.")]
pub(in crate::command_line) struct EvalArguments {
    /// The rulebook, or an IR made from one
    pub(in crate::command_line) file: PathBuf,

    /// The tool that is called
    #[arg(
        long,
        value_name = "TOOL",
        required_unless_present = "input",
        requires = "context"
    )]
    pub(in crate::command_line) tool: Option<String>,

    /// The context of the call: JSON, or @FILE to read it from a file
    #[arg(
        long,
        value_name = "JSON|@FILE",
        requires = "tool",
        allow_negative_numbers = true
    )]
    pub(in crate::command_line) context: Option<String>,

    /// Many calls as JSON lines, from a file or from standard input (`-`)
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["tool", "context"])]
    pub(in crate::command_line) input: Option<PathBuf>,

    /// End with 1 where a call is not allowed
    #[arg(long)]
    pub(in crate::command_line) exit_code: bool,
}
