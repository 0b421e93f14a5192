//! What can be typed behind `explain`.

use clap::Args;

/// Explain a code such as RB0301, or list all codes
///
/// Every finding has a code. Its explanation says what the code means, why it matters, shows an
/// example and what to write instead.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator explain RB0641
  RulebookTranslator explain")]
pub(in crate::command_line) struct ExplainArguments {
    /// The code; without one, all are listed
    pub(in crate::command_line) code: Option<String>,
}
