//! Reading what a command was given.

use std::path::{Path, PathBuf};

use crate::artifacts::{read_artifact, shown_path};
use crate::catalogue::{Catalogue, FILE_NAME};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::text::UNREADABLE;
use crate::terminal::{Console, ExitStatus};

/// Reads a file that has to be there.
pub(super) fn required(path: &Path, help: &str) -> Result<Vec<u8>, Diagnostic> {
    read_artifact(path)?.ok_or_else(|| {
        let message = format!("there is no `{}`", shown_path(path));
        Diagnostic::without_place(&UNREADABLE, message).with_help(help)
    })
}

/// The catalogue of a file, or of the folder that holds one; what is wrong with it is shown.
pub(super) fn catalogue(path: &Path, console: &mut Console) -> Result<Catalogue, ExitStatus> {
    let path: PathBuf = if path.is_dir() {
        path.join(FILE_NAME)
    } else {
        path.to_path_buf()
    };
    let help = "write it with `stalwart verify DIR --keep`";
    let bytes = required(&path, help).map_err(|diagnostic| {
        console.complain(&diagnostic);
        ExitStatus::Usage
    })?;
    Catalogue::from_bytes(&shown_path(&path), &bytes).map_err(|refused| {
        console.complain_all(Some(&refused.source), &refused.diagnostics);
        ExitStatus::No
    })
}
