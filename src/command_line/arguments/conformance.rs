//! What can be typed behind `conformance`.

use std::path::PathBuf;

use clap::Args;

/// Decide the conformance vectors on standard input, and compare
///
/// Reads files of the format `rulebook-vectors/1`, any number of them one behind the other.
/// Prints one line of JSON for each vector, and on standard error how many agree; ends with 1
/// where one does not.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator conformance --base vectors < vectors/exact_numbers.json
  cat vectors/*.json | RulebookTranslator conformance --base vectors")]
pub(in crate::command_line) struct ConformanceArguments {
    /// The folder that the vectors come from: `rulebook` in them is relative to it
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(in crate::command_line) base: PathBuf,
}
