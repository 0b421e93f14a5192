//! The command line: one file per command, and what they share. The only part of the library
//! that knows of arguments, terminals and exit codes.

mod arguments;
mod bundle;
mod check;
mod completions;
mod conformance;
mod diff;
mod emission;
mod emit;
mod eval;
mod examination;
mod explain;
mod fmt;
mod generate;
mod graph;
mod init;
mod input;
mod load;
mod lsp;
mod man;
mod output;
mod project;
mod proof;
mod report;
mod schema;
mod table;
mod test;
mod unified_diff;
mod verify;
mod watch;

use std::ffi::OsString;

use clap::ValueEnum;

use arguments::{Arguments, Command, Format};
use report::FileReport;

use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::internal::INTERNAL;
pub use crate::terminal::ExitStatus;
use crate::terminal::{self, Console, HumanRenderer, fault};
use crate::text::Source;

/// Runs the command that the process was started with, and returns what it ends with. Nothing
/// is left to do behind it.
pub fn main() -> ExitStatus {
    fault::announce(&INTERNAL, "the rulebook that shows it");
    fault::guard(|| run(std::env::args_os().collect()))
}

/// Findings as `check` prints them on a stream that is no terminal, in each of its formats: the
/// name that `--format` knows, and the report.
pub fn rendered(source: Source, diagnostics: Vec<Diagnostic>) -> Vec<(String, String)> {
    let file = FileReport {
        file: source.name().to_owned(),
        source: Some(source),
        diagnostics,
        ..FileReport::default()
    };
    let formats = Format::value_variants().iter();
    formats
        .map(|format| {
            let report = report::report(*format, HumanRenderer::new(false, false));
            let name = format.to_possible_value();
            let name = name.map_or_else(String::new, |value| value.get_name().to_owned());
            (name, report::whole(report, &file))
        })
        .collect()
}

fn run(arguments: Vec<OsString>) -> ExitStatus {
    terminal::run(
        arguments,
        |parsed: &Arguments| parsed.color,
        |parsed, console| dispatch(&parsed.command, console),
    )
}

fn dispatch(command: &Command, console: &mut Console) -> ExitStatus {
    match command {
        Command::Init(arguments) => init::run(arguments, console),
        Command::Check(arguments) => check::run(arguments, console),
        Command::Fmt(arguments) => fmt::run(arguments, console),
        Command::Test(arguments) => test::run(arguments, console),
        Command::Diff(arguments) => diff::run(arguments, console),
        Command::Eval(arguments) => eval::run(arguments, console),
        Command::Graph(arguments) => graph::run(arguments, console),
        Command::Table(arguments) => table::run(arguments, console),
        Command::Emit(arguments) => emit::run(arguments, console),
        Command::Bundle(arguments) => bundle::run(arguments, console),
        Command::Verify(arguments) => verify::run(arguments, console),
        Command::Lsp(arguments) => lsp::run(arguments, console),
        Command::Explain(arguments) => explain::run(arguments, console),
        Command::Schema(arguments) => schema::run(arguments, console),
        Command::Completions(arguments) => completions::run(arguments, console),
        Command::Man(arguments) => man::run(arguments, console),
        Command::Conformance(arguments) => conformance::run(arguments, console),
        Command::Generate(arguments) => generate::run(arguments, console),
    }
}
