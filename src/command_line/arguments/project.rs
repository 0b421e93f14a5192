//! Which project is meant, for every command that looks at one.

use std::path::PathBuf;

use clap::Args;

/// Which project is meant.
#[derive(Args, Debug)]
pub(in crate::command_line) struct ProjectArguments {
    /// The project: its folder, or its `rulebook.toml` [default: the nearest, from here upwards]
    #[arg(long = "project", value_name = "PATH")]
    pub(in crate::command_line) path: Option<PathBuf>,
}
