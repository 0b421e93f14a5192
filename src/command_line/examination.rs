//! Looking at files as `check` does: each with its findings, and what they mean for the end.

use std::path::{Path, PathBuf};

use super::ExitStatus;
use super::input;
use super::load::{Loaded, load};
use super::report::FileReport;
use crate::compiler::Depth;
use crate::diagnostics::codes::internal::INTERNAL;
use crate::diagnostics::{Diagnostic, Severity};
use crate::emitter::emit;

/// One file that was looked at.
pub(super) struct Examined {
    /// What was found.
    pub(super) report: FileReport,
    /// What the findings mean for the command's end.
    pub(super) status: ExitStatus,
}

/// A FILE, a DIR or standard input, file by file.
pub(super) fn examine_path(path: &Path, strict: bool) -> impl Iterator<Item = Examined> {
    let is_folder = !input::is_stdin(path) && path.is_dir();
    let (files, faults) = if is_folder {
        input::sources_below(path)
    } else {
        (vec![path.to_path_buf()], Vec::new())
    };
    let folder = (!faults.is_empty()).then(|| unread(path, faults));
    folder.into_iter().chain(examine_files(files, strict))
}

/// Some files, in their order.
pub(super) fn examine_files(files: Vec<PathBuf>, strict: bool) -> impl Iterator<Item = Examined> {
    files.into_iter().map(move |file| examine(&file, strict))
}

/// One file. Where warnings are denied, `strict`, they make it say no.
pub(super) fn examine(path: &Path, strict: bool) -> Examined {
    let bytes = match input::read(path) {
        Ok(bytes) => bytes,
        Err(diagnostic) => return unread(path, vec![diagnostic]),
    };
    let mut loaded = load(path, &bytes, None, Depth::Analyses);
    // What cannot be emitted is not in order, though nothing is written here.
    let unfit = loaded.rulebook.as_ref().map(emit);
    loaded.diagnostics.extend(unfit.and_then(Result::err));
    let status = status_of(&loaded, strict);
    Examined {
        report: FileReport {
            file: input::name_of(path),
            source: loaded.source,
            diagnostics: loaded.diagnostics,
        },
        status,
    }
}

/// What could not be looked at.
fn unread(path: &Path, diagnostics: Vec<Diagnostic>) -> Examined {
    Examined {
        report: FileReport {
            file: input::name_of(path),
            source: None,
            diagnostics,
        },
        status: ExitStatus::Usage,
    }
}

/// What the findings of a rulebook mean for the command's end.
pub(super) fn status_of(loaded: &Loaded, strict: bool) -> ExitStatus {
    let mut found = loaded.diagnostics.iter();
    if found.any(|diagnostic| diagnostic.code.id == INTERNAL.id) {
        ExitStatus::Fault
    } else if loaded.has(Severity::Error) || (strict && loaded.has(Severity::Warning)) {
        ExitStatus::No
    } else {
        ExitStatus::Ok
    }
}

/// Whether a finding is shown where the findings are not the answer: notes are for `check`.
pub(super) fn is_pressing(diagnostic: &&Diagnostic) -> bool {
    diagnostic.severity() != Severity::Note
}
