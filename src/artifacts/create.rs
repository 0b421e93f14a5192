//! Writes files that nobody has yet: all of them, or nothing.

use std::fs;
use std::path::{Path, PathBuf};

use super::paths::shown_path;
use super::write::{cannot_write, create_folder, prepare};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::reports::FILE_EXISTS;

/// Creates files below a folder, which is created too, and returns their paths. Each has a name
/// relative to the folder, with `/`, and its bytes. All of them are complete on the disk before
/// the first gets its name.
///
/// # Errors
/// One of the files is there already, whatever it is, or the system's reason. Nothing is then
/// left of what was created here.
pub fn create_files(folder: &Path, files: &[(&str, &[u8])]) -> Result<Vec<PathBuf>, Diagnostic> {
    let paths: Vec<PathBuf> = files.iter().map(|(name, _)| folder.join(name)).collect();
    let there = paths.iter().filter(|path| path.symlink_metadata().is_ok());
    let there: Vec<String> = there
        .map(|path| format!("`{}`", shown_path(path)))
        .collect();
    if !there.is_empty() {
        return Err(already_there(&there.join(", ")));
    }
    let mut created = Created::default();
    created.all(&paths, files)?;
    created.is_complete = true;
    Ok(paths)
}

/// What has been created so far; it is taken back where it does not become all of it.
#[derive(Default)]
struct Created {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    is_complete: bool,
}

impl Created {
    fn all(&mut self, paths: &[PathBuf], files: &[(&str, &[u8])]) -> Result<(), Diagnostic> {
        let mut prepared = Vec::new();
        for (path, (_, bytes)) in paths.iter().zip(files) {
            let folder = path.parent().unwrap_or(Path::new(""));
            self.folders.extend(create_folder(folder)?);
            prepared.push((prepare(folder, path, bytes)?, path));
        }
        for (file, path) in prepared {
            file.persist_noclobber(path).map_err(|failure| {
                // Somebody was faster.
                if path.symlink_metadata().is_ok() {
                    already_there(&format!("`{}`", shown_path(path)))
                } else {
                    cannot_write(path, &failure.error)
                }
            })?;
            self.files.push(path.clone());
        }
        Ok(())
    }
}

impl Drop for Created {
    fn drop(&mut self) {
        if self.is_complete {
            return;
        }
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
        for folder in &self.folders {
            // It is empty, or somebody else has put something into it: both are fine.
            let _ = fs::remove_dir(folder);
        }
    }
}

fn already_there(shown: &str) -> Diagnostic {
    Diagnostic::without_place(&FILE_EXISTS, format!("there already: {shown}"))
        .with_help("begin in another folder, or move it away first; nothing was written")
}
