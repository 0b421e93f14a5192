//! What can be typed behind `schema`.

use clap::{Args, ValueEnum};

/// Print the JSON Schema of a format that this program writes or reads
///
/// The schemas are generated from the types that the program uses, so a document that it writes
/// fits the one that it prints. Editors and validators take them as they are.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator schema check > rulebook-check-1.schema.json
  RulebookTranslator schema ir
  RulebookTranslator schema tests > rulebook-tests-1.schema.json")]
pub(in crate::command_line) struct SchemaArguments {
    /// Which format
    #[arg(value_enum, value_name = "FORMAT")]
    pub(in crate::command_line) format: SchemaFormat,
}

/// The formats that have a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::command_line) enum SchemaFormat {
    /// `rulebook.ir.json`: `rulebook-ir/1`
    Ir,
    /// The answer of `check --format json`: `rulebook-check/1`
    Check,
    /// The answer of `diff --format json`: `rulebook-diff/1`
    Diff,
    /// A line of `check --format jsonl`
    Finding,
    /// `rulebook.toml`: `rulebook-toml/1`
    Project,
    /// A tests file, `policy.test.yaml`: `rulebook-tests/1`
    Tests,
    /// Conformance vectors: `rulebook-vectors/1`
    Vectors,
}
