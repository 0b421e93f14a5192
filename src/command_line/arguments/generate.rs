//! What can be typed behind `generate`.

use clap::{Args, ValueEnum};

/// Print files of this project that are generated from its code
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator generate diagnostics > docs/diagnostics.md
  RulebookTranslator generate schema > schema/rulebook-ir-1.schema.json
  RulebookTranslator generate vectors-schema > schema/rulebook-vectors-1.schema.json")]
pub(in crate::command_line) struct GenerateArguments {
    /// Which file
    #[arg(value_enum)]
    pub(in crate::command_line) what: Generated,
}

/// What `generate` prints.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::command_line) enum Generated {
    /// docs/diagnostics.md
    Diagnostics,
    /// schema/rulebook-diff-1.schema.json
    DiffSchema,
    /// schema/rulebook-ir-1.schema.json
    Schema,
    /// schema/rulebook-vectors-1.schema.json
    VectorsSchema,
}
