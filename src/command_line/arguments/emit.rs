//! What can be typed behind `emit`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{EmissionArguments, ProjectArguments};
use crate::adapters::Adapter;
use crate::artifacts;

/// Write rulebook.ir.json and Rulebook.rego, or check that they are current
///
/// Before anything is written, the Rego is proved to decide as the rulebook does. Writes both
/// files or neither, with `--with-tests` and `--adapter` those beside them too, and prints `wrote PATH`
/// for each. Files of another rulebook are not
/// overwritten; links are replaced, not followed. Errors and warnings go to standard error.
/// Without FILE, every rulebook of the project is emitted as its `rulebook.toml` says. Its `with-tests`,
/// `adapters` and `deny-silent` hold for a FILE of the project too; options add to them.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator emit policy.co
  RulebookTranslator emit policy.co --out-dir opa --package shop.gate
  RulebookTranslator emit policy.co --out-dir opa --with-tests
  RulebookTranslator emit policy.co --out-dir opa --check
  RulebookTranslator emit --check")]
pub(in crate::command_line) struct EmitArguments {
    /// The rulebook, or an IR made from one [default: --all]
    pub(in crate::command_line) file: Option<PathBuf>,

    /// Emit every rulebook that the project's `rulebook.toml` lists
    #[arg(long, conflicts_with = "file")]
    pub(in crate::command_line) all: bool,

    #[command(flatten)]
    pub(in crate::command_line) project: ProjectArguments,

    /// Folder for the artifacts; created if there is none [default: that of `rulebook.toml`, else the folder of FILE]
    #[arg(long, value_name = "DIR", requires = "file")]
    pub(in crate::command_line) out_dir: Option<PathBuf>,

    /// The whole name of the Rego package [default: that of `rulebook.toml`, else `stalwart.` and FILE's name without extension]
    #[arg(long, value_name = "NAME", requires = "file")]
    pub(in crate::command_line) package: Option<String>,

    /// What to write: `rego` is both files, `ir` the IR alone
    #[arg(long, value_enum, default_value_t = Target::Rego)]
    pub(in crate::command_line) target: Target,

    /// Write `Rulebook_test.rego` too: tests for `opa test`, one for each branch and boundary
    #[arg(long)]
    pub(in crate::command_line) with_tests: bool,

    /// Write an adapter for a proxy too, such as `Rulebook_kong.rego`; may be given several times
    #[arg(
        long = "adapter",
        value_name = "PROXY",
        value_enum,
        value_delimiter = ','
    )]
    pub(in crate::command_line) adapters: Vec<AdapterName>,

    /// Let the adapters deny what no rule speaks of
    #[arg(long)]
    pub(in crate::command_line) deny_silent: bool,

    /// Write nothing; say what is stale, hand-edited, missing or extra, and end with 1 if any is
    #[arg(long)]
    pub(in crate::command_line) check: bool,

    #[command(flatten)]
    pub(in crate::command_line) emission: EmissionArguments,
}

/// What `emit` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::command_line) enum Target {
    /// rulebook.ir.json and Rulebook.rego
    Rego,
    /// rulebook.ir.json alone
    Ir,
}

impl From<Target> for artifacts::Target {
    fn from(target: Target) -> Self {
        match target {
            Target::Rego => Self::Rego,
            Target::Ir => Self::Ir,
        }
    }
}

/// A proxy, as it is named on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::command_line) enum AdapterName {
    /// Kong, by its OPA plugin
    Kong,
    /// Envoy, by `ext_authz`
    Envoy,
    /// agentgateway, by `ext_authz`
    Agentgateway,
    /// Any program that asks OPA over HTTP
    Http,
}

impl From<AdapterName> for Adapter {
    fn from(name: AdapterName) -> Self {
        match name {
            AdapterName::Kong => Self::Kong,
            AdapterName::Envoy => Self::Envoy,
            AdapterName::Agentgateway => Self::AgentGateway,
            AdapterName::Http => Self::Http,
        }
    }
}
