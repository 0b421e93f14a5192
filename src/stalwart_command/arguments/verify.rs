//! What can be typed behind `verify`.

use std::path::PathBuf;

use clap::Args;

/// Check agent.yaml and its rulebook, and compile them to a catalogue
///
/// Reads DIR/agent.yaml, compiles the rulebook that it names, and checks that both fit together:
/// tools, agents, schemas, rules on the order of calls. With --keep the catalogue is written to
/// DIR/agent.catalogue.json, the file that a gateway is started with; without it, a catalogue that
/// is there and is not the one of these files ends the command with 1.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  stalwart verify .
  stalwart verify shop --keep
  stalwart verify shop --keep --upstreams shop/gateway.yaml")]
pub(in crate::stalwart_command) struct VerifyArguments {
    /// The folder that holds agent.yaml
    #[arg(value_name = "DIR")]
    pub(in crate::stalwart_command) folder: PathBuf,

    /// Write the catalogue
    #[arg(long)]
    pub(in crate::stalwart_command) keep: bool,

    /// Ask the servers of this gateway.yaml for their tools, and pin what they say of them
    #[arg(long, value_name = "FILE")]
    pub(in crate::stalwart_command) upstreams: Option<PathBuf>,
}
