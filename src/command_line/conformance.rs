//! `conformance`: decides vectors in process and compares, so that another implementation has
//! something to hold its answers against, and so that the program itself is held to them.

use std::path::Path;

use serde::Serialize;

use super::arguments::ConformanceArguments;
use super::eval;
use super::input;
use super::report::compact;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::artifacts::BAD_INPUT;
use crate::evaluator::{Decision, decide};
use crate::terminal::{Console, ExitStatus};

pub(super) mod vectors;

use vectors::VectorFile;

pub(super) fn run(arguments: &ConformanceArguments, console: &mut Console) -> ExitStatus {
    let read = input::read(Path::new("-")).and_then(|bytes| {
        vectors::read(&bytes).map_err(|fault| {
            let message = format!("standard input cannot be read: {fault}");
            Diagnostic::without_place(&BAD_INPUT, message)
                .with_help("pass files of the format that `fixtures/conformance` describes")
        })
    });
    let files = match read {
        Ok(files) => files,
        Err(diagnostic) => {
            console.complain(&diagnostic);
            return ExitStatus::Usage;
        }
    };
    let mut comparison = Comparison::default();
    for file in &files {
        comparison.take(file, &arguments.base, console);
    }
    console.say(&comparison.summary());
    comparison.status
}

/// The answer to one vector.
#[derive(Serialize)]
struct Line<'a> {
    rulebook: &'a str,
    name: &'a str,
    got: &'a Decision,
    want: &'a Decision,
    agrees: bool,
}

/// What came of the vectors so far.
#[derive(Default)]
struct Comparison {
    agree: usize,
    disagree: usize,
    /// Vectors whose rulebook cannot be used.
    undecided: usize,
    status: ExitStatus,
}

impl Comparison {
    fn take(&mut self, file: &VectorFile, base: &Path, console: &mut Console) {
        let path = base.join(&file.rulebook);
        let rulebook = match eval::rulebook(&path, console) {
            Ok(rulebook) => rulebook,
            Err(status) => {
                // It is bad input, whatever is wrong with it.
                self.status = self.status.max(status).max(ExitStatus::Usage);
                self.undecided += file.vectors.len();
                return;
            }
        };
        for vector in &file.vectors {
            let got = decide(&rulebook, &vector.input);
            let agrees = got == vector.want;
            if agrees {
                self.agree += 1;
            } else {
                self.disagree += 1;
                self.status = self.status.max(ExitStatus::No);
            }
            console.answer(&compact(&Line {
                rulebook: &file.rulebook,
                name: &vector.name,
                got: &got,
                want: &vector.want,
                agrees,
            }));
        }
    }

    fn summary(&self) -> String {
        let (agree, disagree) = (self.agree, self.disagree);
        let total = agree + disagree + self.undecided;
        let mut line = format!("{total} vectors: {agree} agree, {disagree} do not");
        if self.undecided > 0 {
            line += &format!(", {} are not decided", self.undecided);
        }
        line + "\n"
    }
}
