//! Reading what a command was given.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::artifacts::{self, relative_path, shown_path};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::artifacts::NO_SOURCES;
use crate::ir::limits::MAX_ARTIFACT_BYTES;

/// What messages call standard input.
pub(super) const STDIN_NAME: &str = "<stdin>";

/// Whether an argument means standard input.
pub(super) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What messages call the file of an argument.
pub(super) fn name_of(path: &Path) -> String {
    if is_stdin(path) {
        STDIN_NAME.to_owned()
    } else {
        relative_path(path)
    }
}

/// Reads a file that is a rulebook or an IR, or standard input for `-`. No more is read than
/// the largest of them may have, and one byte, by which the excess is noticed.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let limit = u64::try_from(MAX_ARTIFACT_BYTES)
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    let mut bytes = Vec::new();
    let result = if is_stdin(path) {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| {
            if let Ok(metadata) = file.metadata() {
                // Growing once is enough for an ordinary file.
                let size = metadata.len().min(limit);
                bytes.reserve(usize::try_from(size).unwrap_or(0).saturating_add(1));
            }
            file.take(limit).read_to_end(&mut bytes)
        })
    };
    match result {
        Ok(_) => Ok(bytes),
        Err(error) => Err(unreadable(path, &error)),
    }
}

/// The diagnostic for a file or folder that cannot be read.
pub(super) fn unreadable(path: &Path, error: &io::Error) -> Diagnostic {
    let shown = if is_stdin(path) {
        "standard input".to_owned()
    } else {
        format!("`{}`", shown_path(path))
    };
    let diagnostic = artifacts::unreadable(&shown, error);
    if error.kind() == io::ErrorKind::IsADirectory {
        return diagnostic.with_help("name one file; only `check` and `fmt` take a folder");
    }
    diagnostic
}

/// Whether a name begins with a dot, as those do that programs keep for themselves.
pub(super) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Every `.co` file below a folder, sorted by path, with what could not be looked into. Links
/// to files are followed, links to folders are not; folders whose names begin with a dot hold
/// what programs keep for themselves, and are passed over.
pub(super) fn sources_below(folder: &Path) -> (Vec<PathBuf>, Vec<Diagnostic>) {
    let mut found = Vec::new();
    let mut faults = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(folder) = pending.pop() {
        let entries = match folder.read_dir() {
            Ok(entries) => entries,
            Err(error) => {
                faults.push(unreadable(&folder, &error));
                continue;
            }
        };
        for entry in entries {
            match entry {
                Err(error) => faults.push(unreadable(&folder, &error)),
                Ok(entry) => {
                    let path = entry.path();
                    if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                        if !is_hidden(&entry.file_name()) {
                            pending.push(path);
                        }
                    } else if path.extension().is_some_and(|extension| extension == "co")
                        && (path.is_file() || !path.exists())
                    {
                        found.push(path);
                    }
                }
            }
        }
    }
    found.sort_by_cached_key(|path| relative_path(path));
    faults.sort_by(|a, b| a.message.cmp(&b.message));
    if found.is_empty() && faults.is_empty() {
        faults.push(
            Diagnostic::without_place(
                &NO_SOURCES,
                format!("there is no `.co` file below `{}`", shown_path(folder)),
            )
            .with_help("name the folder that has the rulebooks, or one file"),
        );
    }
    (found, faults)
}
