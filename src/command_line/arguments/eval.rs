//! What can be typed behind `eval`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Decide calls, as the emitted package would
///
/// Prints one line of JSON for each call: {"decision": …, "rule": …}. With --explain it prints
/// why instead: what each flow met on its way, line by line, which values were lacking, and the
/// smallest change of the context that would allow the call.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator eval policy.co --tool refund_card --context '{\"order_paid\": true}'
  RulebookTranslator eval policy.co --tool refund_card --context @context.json --exit-code
  RulebookTranslator eval policy.co --tool refund_card --context '{}' --explain
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

    /// Say why, and what would have to change; `json` is one object `rulebook-why/1` a line
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "text"
    )]
    pub(in crate::command_line) explain: Option<Explanation>,

    /// End with 1 where a call is not allowed
    #[arg(long)]
    pub(in crate::command_line) exit_code: bool,
}

/// How an explanation is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::command_line) enum Explanation {
    /// Lines for people; a blank line stands between two calls
    Text,
    /// One JSON object a line
    Json,
}
