//! What can be typed: the commands here, what belongs to one of them in the file of its name.

mod audit;
mod catalogue;
mod completions;
mod demo;
mod gateway;
mod generate;
mod schema;
mod verify;

use clap::{Parser, Subcommand};

pub(super) use audit::{
    AuditArguments, AuditCommand, AuditFormat, AuditStatsArguments, AuditTailArguments,
    AuditVerifyArguments,
};
pub(super) use catalogue::{CatalogueArguments, CatalogueCommand, ShowArguments};
pub(super) use completions::CompletionsArguments;
pub(super) use demo::{DemoArguments, DemoEra};
pub(super) use gateway::{GatewayArguments, LogLevel};
pub(super) use generate::{GenerateArguments, Generated};
pub(super) use schema::{SchemaArguments, SchemaFormat};
pub(super) use verify::VerifyArguments;

use crate::terminal::Color;

/// What each command ends with.
pub(super) const EXIT_CODES: &str = "\
Exit codes:
  0  done; the answer is yes
  1  the answer is no: errors in a file, a stale catalogue, a broken chain
  2  usage, or a file that cannot be read or written
  3  a fault of the program";

/// Checks every tool call of agents before it reaches a tool
///
/// The agents, their tools and the rules on their calls stand in agent.yaml and a rulebook;
/// `verify` compiles them to a catalogue, and a gateway enforces it between agents and their MCP
/// servers.
#[derive(Debug, Parser)]
#[command(
    name = "stalwart",
    version,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    after_help = format!("\
Examples:
  stalwart demo
  stalwart verify . --keep
  stalwart catalogue show

Answers go to standard output, everything else to standard error.

{EXIT_CODES}"),
    // Help is the same on every terminal, so that it can be quoted and compared.
    max_term_width = 100,
)]
pub(super) struct Arguments {
    /// When to use colours; `auto` is only on a terminal, and never where NO_COLOR is set
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub(super) color: Color,

    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Verify(VerifyArguments),
    Catalogue(CatalogueArguments),
    Audit(AuditArguments),
    Schema(SchemaArguments),
    Gateway(GatewayArguments),
    Demo(DemoArguments),
    Completions(CompletionsArguments),
    #[command(hide = true)]
    Generate(GenerateArguments),
}
