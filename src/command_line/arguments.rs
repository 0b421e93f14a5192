//! What can be typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::artifacts;
use crate::proof;

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
    Explain(ExplainArguments),
    #[command(hide = true)]
    Conformance(ConformanceArguments),
    #[command(hide = true)]
    Generate(GenerateArguments),
}

/// Write rulebook.ir.json and Rulebook.rego, or check that they are current
///
/// Before anything is written, the Rego is proved to decide as the rulebook does. Writes both
/// files or neither, and prints `wrote PATH` for each. Files of another rulebook are not
/// overwritten; links are replaced, not followed. Errors and warnings go to standard error.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator emit policy.co
  RulebookTranslator emit policy.co --out-dir opa --package shop.gate
  RulebookTranslator emit policy.co --out-dir opa --check")]
pub(super) struct EmitArguments {
    /// The rulebook, or an IR made from one
    pub(super) file: PathBuf,

    /// Folder for the artifacts; created if there is none [default: the folder of FILE]
    #[arg(long, value_name = "DIR")]
    pub(super) out_dir: Option<PathBuf>,

    /// The whole name of the Rego package [default: `stalwart.` and FILE's name without extension]
    #[arg(long, value_name = "NAME")]
    pub(super) package: Option<String>,

    /// What to write: `rego` is both files, `ir` the IR alone
    #[arg(long, value_enum, default_value_t = Target::Rego)]
    pub(super) target: Target,

    /// Write nothing; say what is stale, hand-edited, missing or extra, and end with 1 if any is
    #[arg(long)]
    pub(super) check: bool,

    /// Treat warnings as errors: nothing is written
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(super) deny: Vec<Deny>,

    /// Leave out the proof that the Rego decides as the rulebook does
    #[arg(long, conflicts_with_all = ["with_opa", "proof_points"])]
    pub(super) no_proof: bool,

    #[command(flatten)]
    pub(super) proof: ProofArguments,
}

/// How the proof is made.
#[derive(Args, Debug)]
pub(super) struct ProofArguments {
    /// Prove with a real `opa` too: that of STALWART_OPA, else the one on the path
    #[arg(long)]
    pub(super) with_opa: bool,

    /// Most calls that the proof evaluates; where there are more, it is a sample
    #[arg(
        long,
        value_name = "N",
        default_value_t = proof::DEFAULT_POINTS,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub(super) proof_points: u64,
}

/// Check the chain from the source to the Rego of a folder, and prove the Rego
///
/// Computes every hash anew, compiles the source where it is given, emits the Rego from the IR
/// and compares bytes, and proves that it decides as the IR does. Prints what was seen of each
/// link, up to the first that is broken.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator verify opa
  RulebookTranslator verify opa --source policy.co --with-opa")]
pub(super) struct VerifyArguments {
    /// The folder that holds rulebook.ir.json and Rulebook.rego
    #[arg(value_name = "DIR")]
    pub(super) folder: PathBuf,

    /// The source; without it the chain is checked from the IR on
    #[arg(long, value_name = "FILE")]
    pub(super) source: Option<PathBuf>,

    #[command(flatten)]
    pub(super) proof: ProofArguments,
}

/// Say what is wrong with a rulebook, or with all rulebooks below a folder
///
/// Findings are the answer, and go to standard output.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator check policy.co
  RulebookTranslator check policies/ --deny warnings
  RulebookTranslator check policy.co --format json
  RulebookTranslator check - < policy.co")]
pub(super) struct CheckArguments {
    /// A rulebook, an IR, a folder (every .co file below it, but not in folders whose names begin with a dot), or `-` for standard input
    #[arg(value_name = "FILE|DIR|-")]
    pub(super) path: PathBuf,

    /// How findings are printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(super) format: Format,

    /// End with 1 where there are warnings
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(super) deny: Vec<Deny>,
}

/// Decide calls, as the emitted package would
///
/// Prints one line of JSON for each call: {"decision": …, "rule": …}.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator eval policy.co --tool refund_card --context '{\"order_paid\": true}'
  RulebookTranslator eval policy.co --tool refund_card --context @context.json --exit-code
  RulebookTranslator eval policy.co --input calls.jsonl

A line of --input is an object with `tool` and `context`; a line that is none is answered by
{\"error\": …} at its place, and the command ends with exit code 2.")]
pub(super) struct EvalArguments {
    /// The rulebook, or an IR made from one
    pub(super) file: PathBuf,

    /// The tool that is called
    #[arg(
        long,
        value_name = "TOOL",
        required_unless_present = "input",
        requires = "context"
    )]
    pub(super) tool: Option<String>,

    /// The context of the call: JSON, or @FILE to read it from a file
    #[arg(
        long,
        value_name = "JSON|@FILE",
        requires = "tool",
        allow_negative_numbers = true
    )]
    pub(super) context: Option<String>,

    /// Many calls as JSON lines, from a file or from standard input (`-`)
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["tool", "context"])]
    pub(super) input: Option<PathBuf>,

    /// End with 1 where a call is not allowed
    #[arg(long)]
    pub(super) exit_code: bool,
}

/// Explain a code such as RB0301, or list all codes
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator explain RB0641
  RulebookTranslator explain")]
pub(super) struct ExplainArguments {
    /// The code; without one, all are listed
    pub(super) code: Option<String>,
}

/// Decide the conformance vectors on standard input, and compare
///
/// Reads files of the format `rulebook-vectors/1`, any number of them one behind the other.
/// Prints one line of JSON for each vector, and on standard error how many agree; ends with 1
/// where one does not.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator conformance --base vectors < vectors/exact_numbers.json
  cat vectors/*.json | RulebookTranslator conformance --base vectors")]
pub(super) struct ConformanceArguments {
    /// The folder that the vectors come from: `rulebook` in them is relative to it
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(super) base: PathBuf,
}

/// Print files of this project that are generated from its code
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  RulebookTranslator generate diagnostics > docs/diagnostics.md
  RulebookTranslator generate schema > schema/rulebook-ir-1.schema.json
  RulebookTranslator generate vectors-schema > schema/rulebook-vectors-1.schema.json")]
pub(super) struct GenerateArguments {
    /// Which file
    #[arg(value_enum)]
    pub(super) what: Generated,
}

/// What `generate` prints.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Generated {
    /// docs/diagnostics.md
    Diagnostics,
    /// schema/rulebook-ir-1.schema.json
    Schema,
    /// schema/rulebook-vectors-1.schema.json
    VectorsSchema,
}

/// What to be strict about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Deny {
    /// Warnings
    Warnings,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people, with the lines of the source
    Human,
    /// One JSON object, `rulebook-check/1`
    Json,
}

/// What `emit` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Target {
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
