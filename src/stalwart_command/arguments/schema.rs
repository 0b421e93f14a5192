//! What can be typed behind `schema`.

use clap::{Args, ValueEnum};

/// Print the JSON Schema of a format that this program writes or reads
///
/// The schemas are generated from the types that the program uses. Editors and validators take
/// them as they are.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  stalwart schema catalogue > agent-catalogue-1.schema.json
  stalwart schema audit > qls-decision-1.schema.json")]
pub(in crate::stalwart_command) struct SchemaArguments {
    /// Which format
    #[arg(value_enum, value_name = "FORMAT")]
    pub(in crate::stalwart_command) format: SchemaFormat,
}

/// The formats that have a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::stalwart_command) enum SchemaFormat {
    /// `agent.catalogue.json`: `agent-catalogue/1`
    Catalogue,
    /// A line of the audit log: `qls-decision/1`
    Audit,
}
