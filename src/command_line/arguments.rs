//! What can be typed: the commands here, what belongs to one of them in the file of its name.

mod bundle;
mod check;
mod completions;
mod conformance;
mod diff;
mod emission;
mod emit;
mod eval;
mod explain;
mod fmt;
mod generate;
mod graph;
mod init;
mod lsp;
mod man;
mod project;
mod proof;
mod schema;
mod table;
mod test;
mod verify;

use clap::{Parser, Subcommand};

pub(super) use bundle::BundleArguments;
pub(super) use check::{CheckArguments, Format};
pub(super) use completions::CompletionsArguments;
pub(super) use conformance::ConformanceArguments;
pub(super) use diff::{DiffArguments, DiffFormat};
pub(super) use emission::EmissionArguments;
pub(super) use emit::{AdapterName, EmitArguments};
pub(super) use eval::{EvalArguments, Explanation};
pub(super) use explain::ExplainArguments;
pub(super) use fmt::FmtArguments;
pub(super) use generate::{GenerateArguments, Generated};
pub(super) use graph::{GraphArguments, GraphFormat};
pub(super) use init::{Ci, InitArguments};
pub(super) use lsp::LspArguments;
pub(super) use man::ManArguments;
pub(super) use project::ProjectArguments;
pub(super) use proof::ProofArguments;
pub(super) use schema::{SchemaArguments, SchemaFormat};
pub(super) use table::{TableArguments, TableFormat};
pub(super) use test::{TestArguments, TestFormat};
pub(super) use verify::VerifyArguments;

use crate::diagnostics::{Deny, DenyError};
use crate::terminal::Color;

/// What each command ends with (contract section 10).
pub(super) const EXIT_CODES: &str = "\
Exit codes:
  0  done; the answer is yes
  1  the answer is no: errors in the file, stale artifacts, a call that is not allowed
  2  usage, or a file that cannot be read or written
  3  a fault: a proof or the provenance failed";

/// Compiles an agent's rulebook to a checked IR and a Rego package for Open Policy Agent
///
/// A rulebook says when an agent may call which tool, in a strict subset of Colang 1.0. The
/// commands check it, compile it, prove the package equal to it, and decide from it.
#[derive(Debug, Parser)]
#[command(
    name = "RulebookTranslator",
    version,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    after_help = format!("\
Examples:
  RulebookTranslator check policy.co
  RulebookTranslator test policy.co --coverage
  RulebookTranslator diff --git origin/main policy.co --deny widening
  RulebookTranslator emit policy.co --out-dir opa
  RulebookTranslator verify opa --source policy.co
  RulebookTranslator eval policy.co --tool refund_card --context '{{\"order_paid\": true}}'

Answers go to standard output, everything else to standard error.

{EXIT_CODES}"),
    // Help is the same on every terminal, so that it can be quoted and compared.
    max_term_width = 100,
)]
pub(super) struct Arguments {
    /// When to use colours; `auto` is only on a terminal, and never where NO_COLOR is set
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub(super) color: Color,

    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Init(InitArguments),
    Check(CheckArguments),
    Fmt(FmtArguments),
    Test(TestArguments),
    Diff(DiffArguments),
    Eval(EvalArguments),
    Graph(GraphArguments),
    Table(TableArguments),
    Emit(EmitArguments),
    Bundle(BundleArguments),
    Verify(VerifyArguments),
    Lsp(LspArguments),
    Explain(ExplainArguments),
    Schema(SchemaArguments),
    Completions(CompletionsArguments),
    Man(ManArguments),
    #[command(hide = true)]
    Conformance(ConformanceArguments),
    #[command(hide = true)]
    Generate(GenerateArguments),
}

/// Reads what is denied; the message is clap's to show.
fn deny(word: &str) -> Result<Deny, String> {
    Deny::parse(word).map_err(|DenyError { message, help }| match help {
        Some(help) => format!("{message}; {help}"),
        None => message,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    /// `--help` of every command says what it does, with an example, and what each option is.
    #[test]
    fn every_command_and_option_is_told() {
        let mut program = Arguments::command();
        program.build();
        let mut missing = Vec::new();
        for command in std::iter::once(&program).chain(program.get_subcommands()) {
            let name = command.get_name();
            let mut must = |holds: bool, what: &str| {
                if !holds {
                    missing.push(format!("{name}: {what}"));
                }
            };
            let about = command.get_about().map(ToString::to_string);
            let long = command.get_long_about().map(ToString::to_string);
            let (about, long) = (about.unwrap_or_default(), long.unwrap_or_default());
            must(!about.is_empty(), "no line that says what it does");
            must(!about.ends_with('.'), "that line ends in a period");
            must(long.len() > about.len(), "no paragraph behind that line");
            let behind = command.get_after_help().map(ToString::to_string);
            let example = match command.get_bin_name() {
                Some(typed) => format!("Examples:\n  {typed} "),
                None => "Examples:\n  RulebookTranslator ".to_owned(),
            };
            must(
                behind.is_some_and(|text| text.trim_start().starts_with(example.trim_end())),
                "no example of it",
            );
            for argument in command.get_arguments() {
                let help = argument.get_help().map(ToString::to_string);
                let help = help.unwrap_or_default();
                let what = format!("`{}` has no help", argument.get_id());
                must(!help.is_empty() && !help.ends_with('.'), &what);
            }
        }
        assert!(missing.is_empty(), "{}", missing.join("\n"));
    }
}
