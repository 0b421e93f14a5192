//! What can be typed behind `gateway`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Stand between agents and their MCP servers
///
/// Reads a configuration and the catalogue that it names, listens for agents, checks every tool
/// call, asks a person where one must decide, and records each decision. SIGHUP reads catalogue
/// and configuration anew; SIGTERM lets calls in flight end first. Logs are JSON lines on standard
/// error.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  stalwart gateway --config gateway.yaml --check-config
  stalwart gateway --config gateway.yaml")]
pub(in crate::stalwart_command) struct GatewayArguments {
    /// The configuration
    #[arg(long, value_name = "FILE", default_value = crate::configuration::FILE_NAME)]
    pub(in crate::stalwart_command) config: PathBuf,

    /// Read and check everything, say what is wrong, and end
    #[arg(long)]
    pub(in crate::stalwart_command) check_config: bool,

    /// How much is logged
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = LogLevel::Info)]
    pub(in crate::stalwart_command) log: LogLevel,
}

/// How much is logged, as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::stalwart_command) enum LogLevel {
    /// What must be looked at
    Error,
    /// And what may have to be
    Warn,
    /// And what happens rarely: start, reload, drain
    Info,
    /// And what happens often
    Debug,
}
