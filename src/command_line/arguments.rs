//! What can be typed: the commands here, what belongs to one of them in the file of its name.

mod check;
mod conformance;
mod diff;
mod emit;
mod eval;
mod explain;
mod generate;
mod proof;
mod table;
mod verify;

use std::ffi::OsString;

use clap::{Parser, Subcommand, ValueEnum};

pub(super) use check::{CheckArguments, Format};
pub(super) use conformance::ConformanceArguments;
pub(super) use diff::{DiffArguments, DiffFormat};
pub(super) use emit::EmitArguments;
pub(super) use eval::{EvalArguments, Explanation};
pub(super) use explain::ExplainArguments;
pub(super) use generate::{GenerateArguments, Generated};
pub(super) use proof::ProofArguments;
pub(super) use table::{TableArguments, TableFormat};
pub(super) use verify::VerifyArguments;

const EXIT_CODES: &str = "\
Exit codes:
  0  done; the answer is yes
  1  the answer is no: errors in the file, stale artifacts, a call that is not allowed
  2  usage, or a file that cannot be read or written
  3  a fault: a proof or the provenance failed";

/// Compiles an agent's rulebook to a checked IR and a Rego package for Open Policy Agent
#[derive(Debug, Parser)]
#[command(
    name = "RulebookTranslator",
    version,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    after_help = format!("\
Examples:
  RulebookTranslator check policy.co
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
    Emit(EmitArguments),
    Check(CheckArguments),
    Verify(VerifyArguments),
    Eval(EvalArguments),
    Diff(DiffArguments),
    Table(TableArguments),
    Explain(ExplainArguments),
    #[command(hide = true)]
    Conformance(ConformanceArguments),
    #[command(hide = true)]
    Generate(GenerateArguments),
}

/// What to be strict about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Deny {
    /// Warnings
    Warnings,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// What the arguments ask for, before they are known to be well-formed.
    pub(super) fn asked_for(arguments: &[OsString]) -> Self {
        let mut color = Self::Auto;
        let mut arguments = arguments.iter().skip(1);
        while let Some(argument) = arguments.next() {
            let value = if argument == "--" {
                break;
            } else if argument == "--color" {
                arguments.next().and_then(|value| value.to_str())
            } else {
                argument
                    .to_str()
                    .and_then(|text| text.strip_prefix("--color="))
            };
            if let Some(asked) = value.and_then(|value| Self::from_str(value, false).ok()) {
                color = asked;
            }
        }
        color
    }

    /// Whether a stream is coloured.
    pub(super) fn applies(self, is_terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
                let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
                is_terminal && !set("NO_COLOR") && !dumb
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn colours_are_found_in_arguments_that_do_not_parse() {
        let color = |arguments: &[&str]| {
            let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            Color::asked_for(&arguments)
        };
        assert_eq!(color(&["x", "--nonsense", "--color=never"]), Color::Never);
        assert_eq!(color(&["x", "--color", "always", "--help"]), Color::Always);
        assert_eq!(color(&["x", "--", "--color=never"]), Color::Auto);
        assert_eq!(color(&["--color=never"]), Color::Auto);
    }
}
