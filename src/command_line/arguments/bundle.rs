//! What can be typed behind `bundle`.

use std::path::PathBuf;

use clap::Args;

use super::{AdapterName, EmissionArguments, ProjectArguments};

/// Write an OPA bundle of a rulebook, signed or not
///
/// The bundle holds the package, its IR and its adapters: those asked for here, and those that
/// `rulebook.toml` lists for FILE, whose `deny-silent` holds too. It never holds tests. It is the
/// same, byte for byte, wherever it is made. Its revision is the hash of the IR, which decision logs
/// name, and it claims the package's own root, so that it stands beside other bundles. As with
/// `emit`, the Rego is proved to decide as the rulebook does before anything is written. Prints
/// `wrote PATH`. A file that is no bundle of this rulebook is not overwritten.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator bundle policy.co --out bundle.tar.gz
  RulebookTranslator bundle policy.co --out bundle.tar.gz --signing-key signing.pem --key-id gate
  RulebookTranslator bundle policy.co --out bundle.tar.gz --check")]
pub(in crate::command_line) struct BundleArguments {
    /// The rulebook, or an IR made from one
    pub(in crate::command_line) file: PathBuf,

    #[command(flatten)]
    pub(in crate::command_line) project: ProjectArguments,

    /// The bundle's file; its folder is created if there is none
    #[arg(long, value_name = "PATH")]
    pub(in crate::command_line) out: PathBuf,

    /// The whole name of the Rego package [default: that of `rulebook.toml`, else `stalwart.` and FILE's name without extension]
    #[arg(long, value_name = "NAME")]
    pub(in crate::command_line) package: Option<String>,

    /// Put an adapter for a proxy into the bundle; may be given several times
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

    /// Sign with this key: an RSA private key in PEM form, or a secret for HS256; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(in crate::command_line) signing_key: Option<PathBuf>,

    /// How to sign: RS256 or HS256
    #[arg(
        long,
        value_name = "ALGORITHM",
        default_value = "RS256",
        requires = "signing_key"
    )]
    pub(in crate::command_line) signing_algorithm: String,

    /// The name under which OPA looks for the key that verifies
    #[arg(long, value_name = "ID", requires = "signing_key")]
    pub(in crate::command_line) key_id: Option<String>,

    /// The scope of the signature, which OPA asks to be that of the key that verifies
    #[arg(long, value_name = "SCOPE", requires = "signing_key")]
    pub(in crate::command_line) scope: Option<String>,

    /// Write nothing; say how the bundle that is there differs, and end with 1 if it does
    #[arg(long)]
    pub(in crate::command_line) check: bool,

    #[command(flatten)]
    pub(in crate::command_line) emission: EmissionArguments,
}
