//! `verify DIR`: checks the chain from the source to the Rego, and says what it saw.

use super::ExitStatus;
use super::arguments::VerifyArguments;
use super::console::Console;
use super::input;
use super::proof::{status_of, with_options};
use crate::diagnostics::Diagnostic;
use crate::proof::Options;
use crate::verification::{Evidence, SourceFile, Verification, verify};

pub(super) fn run(arguments: &VerifyArguments, console: &mut Console) -> ExitStatus {
    let evidence = match gather(arguments) {
        Ok(evidence) => evidence,
        Err(diagnostic) => {
            console.complain(&diagnostic);
            return ExitStatus::Usage;
        }
    };
    let check = |options: Options<'_>| verify(&evidence, options);
    let Verification { held, broken } = with_options(&arguments.proof, console, check);
    for (link, seen) in held {
        console.answer(&format!("{}: {seen}\n", link.as_str()));
    }
    let Some((link, diagnostic)) = broken else {
        return ExitStatus::Ok;
    };
    let status = status_of(&diagnostic);
    // An engine that is not there breaks nothing.
    let end = match status {
        ExitStatus::Usage => "not checked",
        _ => "broken",
    };
    console.answer(&format!("{}: {end}\n", link.as_str()));
    console.complain(&diagnostic);
    status
}

fn gather(arguments: &VerifyArguments) -> Result<Evidence, Diagnostic> {
    let source = match arguments.source.as_deref() {
        None => None,
        Some(file) => Some(SourceFile {
            name: input::name_of(file),
            bytes: input::read(file)?,
        }),
    };
    Evidence::gather(&arguments.folder, source)
}
