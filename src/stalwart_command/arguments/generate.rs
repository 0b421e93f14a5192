//! What can be typed behind `generate`.

use clap::{Args, ValueEnum};

/// Print parts of this project's documents that are generated from its code
///
/// For those who change the project: a test holds each document to what is printed here.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  stalwart generate gateway-keys")]
pub(in crate::stalwart_command) struct GenerateArguments {
    /// Which part
    #[arg(value_enum)]
    pub(in crate::stalwart_command) what: Generated,
}

/// What `generate` prints.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::stalwart_command) enum Generated {
    /// The table of docs/gateway-configuration.md
    GatewayKeys,
}
