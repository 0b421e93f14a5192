//! The scripts by which shells complete commands and options.

use clap::Command;
use clap_complete::Shell;

/// The script for a program that is started by `name`, without the commands that its `--help` does not show: nobody looks
/// for them.
pub(crate) fn completions(name: &'static str, program: &Command, shell: Shell) -> String {
    let shown = program.get_subcommands().filter(|it| !it.is_hide_set());
    let mut visible = Command::new(name)
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_subcommand(true)
        .args(program.get_arguments().cloned())
        .subcommands(shown.cloned());
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut visible, name, &mut script);
    String::from_utf8_lossy(&script).into_owned()
}
