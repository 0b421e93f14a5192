//! What can be typed behind `demo`.

use clap::{Args, ValueEnum};

/// See the gateway at work: a shop, two agents, six calls
///
/// Starts a small MCP server and a gateway before it, on free ports of this machine, and lets two
/// agents call tools: what ran, what was refused and why, what a person was asked, what the server
/// received, and what the audit log says of it. Nothing is written to the disk.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  stalwart demo
  stalwart demo --era session")]
pub(in crate::stalwart_command) struct DemoArguments {
    /// The era of the protocol that the agents speak
    #[arg(long, value_enum, default_value_t = DemoEra::Stateless)]
    pub(in crate::stalwart_command) era: DemoEra,
}

/// The eras, as they are typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::stalwart_command) enum DemoEra {
    /// Sessions: 2025-03-26 to 2025-11-25
    Session,
    /// Stateless: 2026-07-28
    Stateless,
}
