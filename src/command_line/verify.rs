//! `verify [DIR]`: checks the chain from the source to the Rego, and says what it saw.

use std::path::Path;

use super::arguments::{ProofArguments, VerifyArguments};
use super::input;
use super::project::select_file;
use super::proof::{status_of, with_options};
use crate::adapters::Silent;
use crate::artifacts::shown_path;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::bundles::BAD_ARCHIVE;
use crate::opa_tests::TESTS_FILE;
use crate::project::Rulebook;
use crate::proof::Options;
use crate::terminal::{Console, ExitStatus, plural};
use crate::verification::{Evidence, SourceFile, Verification, verify};

pub(super) fn run(arguments: &VerifyArguments, console: &mut Console) -> ExitStatus {
    if let Some(folder) = &arguments.folder {
        let source = arguments.source.as_deref();
        return verify_folder(folder, source, Vec::new(), &arguments.proof, console);
    }
    let selection = match select_file(None, &arguments.project) {
        Ok(selection) => selection,
        Err(diagnostic) => {
            console.complain(&diagnostic);
            return ExitStatus::Usage;
        }
    };
    let mut status = selection.complain(console);
    let mut done = 0;
    let rulebooks = || selection.targets.iter().flat_map(|target| &target.rulebook);
    for (index, rulebook) in rulebooks().enumerate() {
        let gap = if index > 0 { "\n" } else { "" };
        let folder = shown_path(&rulebook.out_dir);
        console.answer(&format!("{gap}{folder}:\n"));
        let proof = arguments.proof.or(rulebook.proof_points);
        let wanted = wanted_companions(rulebook);
        let end = verify_folder(
            &rulebook.out_dir,
            Some(&rulebook.path),
            wanted,
            &proof,
            console,
        );
        done += usize::from(end == ExitStatus::Ok);
        status = status.max(end);
        if console.is_closed() {
            return status;
        }
    }
    if selection.project.is_some() {
        let all = plural(rulebooks().count(), "rulebook");
        console.say(&format!("verified {done} of {all}\n"));
    }
    status
}

/// What a project wants beside the package of a rulebook.
fn wanted_companions(rulebook: &Rulebook) -> Vec<(String, Silent)> {
    let tests = rulebook.with_tests.then(|| TESTS_FILE.to_owned());
    let adapters = rulebook.adapters.iter().map(|adapter| adapter.file());
    let files = tests.into_iter().chain(adapters);
    files.map(|file| (file, rulebook.silent)).collect()
}

fn verify_folder(
    folder: &Path,
    source: Option<&Path>,
    wanted: Vec<(String, Silent)>,
    proof: &ProofArguments,
    console: &mut Console,
) -> ExitStatus {
    let evidence = match gather(folder, source) {
        Ok(evidence) => evidence.wanting(wanted),
        Err(diagnostic) => {
            console.complain(&diagnostic);
            // A damaged bundle is no fault of who asks.
            return match diagnostic.code == &BAD_ARCHIVE {
                true => ExitStatus::Fault,
                false => ExitStatus::Usage,
            };
        }
    };
    let check = |options: Options<'_>| verify(&evidence, options);
    let Verification { held, broken } = with_options(proof, console, check);
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

fn gather(folder: &Path, source: Option<&Path>) -> Result<Evidence, Diagnostic> {
    let source = match source {
        None => None,
        Some(file) => Some(SourceFile {
            name: input::name_of(file),
            bytes: input::read(file)?,
        }),
    };
    Evidence::gather(folder, source)
}
