//! What can be typed behind `audit`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// Verify and read an audit log
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  stalwart audit verify decisions.jsonl --config gateway.yaml
  stalwart audit tail decisions.jsonl --follow
  stalwart audit stats decisions.jsonl")]
pub(in crate::stalwart_command) struct AuditArguments {
    #[command(subcommand)]
    pub(in crate::stalwart_command) command: AuditCommand,
}

/// What is done with an audit log.
#[derive(Debug, Subcommand)]
pub(in crate::stalwart_command) enum AuditCommand {
    Verify(AuditVerifyArguments),
    Tail(AuditTailArguments),
    Stats(AuditStatsArguments),
}

/// Tell whether every line is there, in order, as it was written
///
/// With the configuration, the hashes that tie each line to the one before are checked, and the
/// end of the file against the store; also while the gateway runs. Without it, only what needs no
/// key: that every line is one, that no number is missing, and that a call has one decision.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  stalwart audit verify decisions.jsonl --config gateway.yaml
  stalwart audit verify decisions.jsonl.1 --config gateway.yaml")]
pub(in crate::stalwart_command) struct AuditVerifyArguments {
    /// The log, or a file that it was rotated to
    #[arg(value_name = "FILE")]
    pub(in crate::stalwart_command) file: PathBuf,

    /// The gateway's configuration: its keys and its store
    #[arg(long, value_name = "FILE")]
    pub(in crate::stalwart_command) config: Option<PathBuf>,
}

/// Print the last lines
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  stalwart audit tail decisions.jsonl
  stalwart audit tail decisions.jsonl -n 100 --format json
  stalwart audit tail decisions.jsonl --follow")]
pub(in crate::stalwart_command) struct AuditTailArguments {
    /// The log
    #[arg(value_name = "FILE")]
    pub(in crate::stalwart_command) file: PathBuf,

    /// How many lines
    #[arg(short = 'n', long, value_name = "NUMBER", default_value_t = 10)]
    pub(in crate::stalwart_command) lines: usize,

    /// Go on with what is written from now on
    #[arg(long, short)]
    pub(in crate::stalwart_command) follow: bool,

    /// How lines are printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = AuditFormat::Human)]
    pub(in crate::stalwart_command) format: AuditFormat,
}

/// Count decisions by agent, tool and reason
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  stalwart audit stats decisions.jsonl
  stalwart audit stats decisions.jsonl --format json")]
pub(in crate::stalwart_command) struct AuditStatsArguments {
    /// The log
    #[arg(value_name = "FILE")]
    pub(in crate::stalwart_command) file: PathBuf,

    /// How the counts are printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = AuditFormat::Human)]
    pub(in crate::stalwart_command) format: AuditFormat,
}

/// For whom something is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::stalwart_command) enum AuditFormat {
    /// For people
    Human,
    /// For programs
    Json,
}
