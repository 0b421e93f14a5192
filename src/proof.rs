//! Proof that the emitted Rego says what the rulebook says (contract section 9): translation
//! validation over the classes of values that its leaves can tell apart.

mod axes;
mod count;
mod covering;
mod difference;
mod evaluation;
mod input;
mod interpreter;
mod numbers;
pub mod opa;
mod package;
mod pairs;
mod plan;
mod reads;
mod run;
mod slice;
mod targets;

use std::fmt;
use std::path::Path;

use serde_json::Value;

use crate::diagnostics::Diagnostic;
use crate::evaluator::Decision;
use crate::ir::{Name, Rulebook};
use crate::text::{escaped, quoted, visible};

use difference::Difference;
use opa::Opa;
use run::Run;

pub use count::Count;

/// Most points of a rulebook, unless told otherwise; a tool has at most half of them.
pub const DEFAULT_POINTS: u64 = 200_000;

/// How a proof is made.
pub struct Options<'a> {
    /// Most points of the rulebook; a tool has at most half of them. Where every product fits,
    /// what stands beside the products is evaluated as well.
    pub points: u64,
    /// A real `opa` that is sent the same points as well.
    pub opa: Option<&'a Path>,
    /// Told now and then how far the proof is.
    pub progress: &'a mut (dyn FnMut(Progress) + Send),
}

/// How far a proof is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Points evaluated.
    pub done: u64,
    /// Points that will be.
    pub all: u64,
}

/// What was shown. Its `Display` is the line that is printed: `proved (N points)`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Proof {
    /// Every point of every product was evaluated, and all agree.
    Proved {
        /// Their number.
        points: u64,
    },
    /// A covering set of points was evaluated, and all agree.
    Sampled {
        /// Their number.
        points: u64,
        /// Number of points of all products.
        of: Count,
        /// Names with numbers that the interpreter cannot tell apart, sorted.
        numbers: Vec<Name>,
    },
}

impl fmt::Display for Proof {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proved { points } => {
                write!(formatter, "proved ({} points)", Count::from(*points))
            }
            Self::Sampled {
                points,
                of,
                numbers,
            } => {
                write!(
                    formatter,
                    "sampled ({} points of {of}",
                    Count::from(*points)
                )?;
                for (place, name) in numbers.iter().enumerate() {
                    let before = if place == 0 {
                        "; numbers not told apart:"
                    } else {
                        ","
                    };
                    write!(formatter, "{before} ${}", name.join("."))?;
                }
                formatter.write_str(")")
            }
        }
    }
}

/// Why nothing was shown.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The smallest input found on which the two differ.
    Mismatch {
        /// The input document; none for no input at all.
        input: Option<Value>,
        /// What the rulebook decides.
        rulebook: Decision,
        /// What the Rego decides, as JSON; or the error of its evaluation.
        rego: String,
        /// Which engine evaluated the Rego.
        engine: &'static str,
    },
    /// The Rego cannot be evaluated.
    NotEvaluated(String),
    /// The `opa` that was asked for does not run.
    NoOpa(String),
}

/// One line, as the finding that it becomes.
impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_diagnostic().fmt(formatter)
    }
}

impl std::error::Error for Failure {}

impl Failure {
    /// The failure as a finding without a place.
    pub fn to_diagnostic(&self) -> Diagnostic {
        use crate::diagnostics::codes::proof::{MISMATCH, NO_OPA, NOT_EVALUATED};
        match self {
            Self::Mismatch {
                input,
                rulebook,
                rego,
                engine,
            } => {
                let rulebook = difference::as_json(rulebook);
                let finding = Diagnostic::without_place(
                    &MISMATCH,
                    format!(
                        "the rulebook decides {}, and the Rego {} in {engine}",
                        quoted(&rulebook),
                        quoted(rego)
                    ),
                );
                finding.with_help(match input {
                    Some(input) => format!(
                        "the smallest such call, for `eval --input`: `{}`",
                        escaped(&input.to_string())
                    ),
                    None => "they differ where there is no input at all".to_owned(),
                })
            }
            Self::NotEvaluated(reason) => Diagnostic::without_place(
                &NOT_EVALUATED,
                format!("the Rego cannot be evaluated: {}", visible(reason)),
            )
            .with_help("emit it anew; if it was emitted just now, please report the rulebook"),
            Self::NoOpa(reason) => Diagnostic::without_place(
                &NO_OPA,
                format!("`opa` cannot be asked: {}", visible(reason)),
            )
            .with_help("name one by the variable `STALWART_OPA`, or leave out `--with-opa`"),
        }
    }
}

/// Compares what the bytes `rego` decide with what `rulebook` decides.
///
/// # Errors
/// A difference, or what kept the comparison from being made.
pub fn prove(rulebook: &Rulebook, rego: &str, options: Options<'_>) -> Result<Proof, Failure> {
    package::scan(rego).map_err(Failure::NotEvaluated)?;
    let (package, plan) = run::on_large_stack(|| {
        let mut interpreter = run::load(rego.to_owned())?;
        let package = interpreter
            .package(&rulebook.package)
            .map_err(Failure::NotEvaluated)?;
        let plan = plan::plan(rulebook, &package, options.points)?;
        Ok((package, plan))
    })?;
    let run = Run {
        plan: &plan,
        package: &package,
        rego,
    };
    let mut progress = Meter::new(run.inputs(), options.opa.is_some(), options.progress);
    if let Some(difference) = run.evaluate(&mut progress)? {
        return Err(mismatch(run.shrink(difference)?));
    }
    if let Some(program) = options.opa {
        let opa = Opa::new(program, rulebook, rego);
        if let Some(difference) = opa.compare(run.all_inputs(), |done| progress.add(done))? {
            return Err(mismatch(difference));
        }
    }
    let mut numbers = plan.names_not_told();
    if !numbers.is_empty() && (options.opa.is_some() || ask_for_numbers(&run)?) {
        numbers.clear();
    }
    let points = if numbers.is_empty() {
        run.inputs()
    } else {
        run.told_inputs()
    };
    Ok(if plan.is_whole && numbers.is_empty() {
        Proof::Proved { points }
    } else {
        Proof::Sampled {
            points,
            of: plan.all.clone(),
            numbers: numbers.into_iter().collect(),
        }
    })
}

/// Asks an `opa`, if there is one, for the inputs with numbers that the interpreter takes for
/// others. Whether they were asked; one that does not run is as good as none.
fn ask_for_numbers(run: &Run<'_>) -> Result<bool, Failure> {
    let Some(program) = opa::find() else {
        return Ok(false);
    };
    let opa = Opa::new(&program, run.plan.rulebook, run.rego);
    match opa.compare(run.inputs_not_told(), |_| {}) {
        Ok(None) => Ok(true),
        Ok(Some(difference)) => Err(mismatch(difference)),
        Err(Failure::NoOpa(_)) => Ok(false),
        Err(failure) => Err(failure),
    }
}

/// Tells how far a proof is.
struct Meter<'a> {
    now: Progress,
    tell: &'a mut (dyn FnMut(Progress) + Send),
}

impl<'a> Meter<'a> {
    /// A meter of a proof of so many inputs, each of which is evaluated twice if an `opa` is
    /// asked too.
    fn new(inputs: u64, twice: bool, tell: &'a mut (dyn FnMut(Progress) + Send)) -> Self {
        let all = if twice { inputs * 2 } else { inputs };
        let now = Progress { done: 0, all };
        tell(now);
        Self { now, tell }
    }

    /// So many more are evaluated.
    fn add(&mut self, more: u64) {
        self.now.done += more;
        (self.tell)(self.now);
    }
}

fn mismatch(difference: Difference) -> Failure {
    Failure::Mismatch {
        input: difference.input.document(),
        rulebook: difference.rulebook,
        rego: difference.rego,
        engine: difference.engine,
    }
}

#[cfg(test)]
mod tests;
