//! What can be typed behind `init`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::package::package_of_file;

/// Begin a rulebook: a commented example, its tests, and the settings of the folder
///
/// Writes a rulebook of a small shop to put your own rules in the place of, tests for it,
/// `rulebook.toml`, by which the other commands need no arguments, and `.gitattributes`, by which
/// line ends are the same everywhere. Files that are there are never overwritten: where one is,
/// nothing is written.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator init
  RulebookTranslator init shop --name refunds
  RulebookTranslator init --ci github")]
pub(in crate::command_line) struct InitArguments {
    /// The folder, which is created if there is none
    #[arg(value_name = "DIR", default_value = ".")]
    pub(in crate::command_line) folder: PathBuf,

    /// The name of the rulebook: its file is NAME.co, its package `stalwart.NAME`
    #[arg(long, value_name = "NAME", default_value = "policy", value_parser = name)]
    pub(in crate::command_line) name: String,

    /// Write a file for continuous integration too, in which the address of this program is to be filled in
    #[arg(long, value_enum, value_name = "WHERE", default_value_t = Ci::None)]
    pub(in crate::command_line) ci: Ci,
}

/// Where continuous integration runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::command_line) enum Ci {
    /// On GitHub: .github/workflows/rulebooks.yml
    Github,
    /// On GitLab: .gitlab-ci.yml
    Gitlab,
    /// Nowhere, or on a server of another kind
    None,
}

/// A name that a package can have.
fn name(name: &str) -> Result<String, String> {
    let package = package_of_file(&format!("{name}.co"));
    package
        .map(|_| name.to_owned())
        .map_err(|error| error.to_string())
}
