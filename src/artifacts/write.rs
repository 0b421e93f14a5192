//! Writes a set of artifacts: all of it, or nothing.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::ArtifactSet;
use super::folder::require_folder;
use super::paths::shown_path;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::artifacts::CANNOT_WRITE;
use crate::text::reason;

/// Temporaries begin so and end so, that nobody loads one as a policy or as data.
const PREFIX: &str = ".rulebook-";
const SUFFIX: &str = ".tmp";
/// How much of a file is compared at once.
const PIECE: usize = 64 << 10;

/// Writes the set into `folder`, which is created, and returns the paths in the order of
/// writing: the IR, the Rego, what stands beside them. All are complete on the disk before the first
/// replaces its predecessor; when one cannot replace its own, those before it are put back. Links are
/// replaced, not followed. A set that is there already, byte for byte, is left as it is: nothing
/// that watches the files wakes up, and no disk is waited for.
///
/// # Errors
/// The system's reason; everything is then as it was before.
pub fn write(folder: &Path, set: &ArtifactSet<'_>) -> Result<Vec<PathBuf>, Diagnostic> {
    if let Some(paths) = already_there(folder, set) {
        return Ok(paths);
    }
    let created = create_folder(folder)?;
    let written = write_files(folder, set);
    if written.is_err() {
        for folder in created {
            // It is empty, or somebody else has put something into it: both are fine.
            let _ = fs::remove_dir(folder);
        }
    }
    written
}

/// The paths of the set, if every one of its files is there with its bytes.
pub(super) fn already_there(folder: &Path, set: &ArtifactSet<'_>) -> Option<Vec<PathBuf>> {
    let holds = |path: &Path, bytes: &[u8]| {
        let is_alike = path.symlink_metadata().is_ok_and(|metadata| {
            metadata.is_file()
                && usize::try_from(metadata.len()).is_ok_and(|len| len == bytes.len())
        });
        is_alike && File::open(path).is_ok_and(|file| has_bytes(file, bytes).unwrap_or(false))
    };
    let files = set.files().into_iter();
    files
        .map(|(file, bytes)| Some(folder.join(file)).filter(|path| holds(path, bytes)))
        .collect()
}

/// Whether a file has these bytes and no others; compared piece by piece, since most files that
/// are written again did not change.
fn has_bytes(mut file: File, bytes: &[u8]) -> io::Result<bool> {
    let mut piece = vec![0; PIECE];
    let mut rest = bytes;
    loop {
        let count = file.read(&mut piece)?;
        let found = piece.get(..count).unwrap_or_default();
        match rest.strip_prefix(found) {
            Some([]) if count == 0 => return Ok(true),
            Some(_) if count == 0 => return Ok(false),
            Some(behind) => rest = behind,
            None => return Ok(false),
        }
    }
}

fn write_files(folder: &Path, set: &ArtifactSet<'_>) -> Result<Vec<PathBuf>, Diagnostic> {
    let mut prepared = Vec::new();
    for (file, bytes) in set.files() {
        let path = folder.join(file);
        prepared.push((prepare(folder, &path, bytes)?, path));
    }
    let mut replaced: Vec<(Predecessor, PathBuf)> = Vec::new();
    for (file, path) in prepared {
        let put = Predecessor::keep(folder, &path).and_then(|before| {
            replace(file, &path)?;
            Ok(before)
        });
        match put {
            Ok(before) => replaced.push((before, path)),
            Err(diagnostic) => return Err(put_back(replaced, diagnostic)),
        }
    }
    sync_folder(folder);
    Ok(replaced.into_iter().map(|(_, path)| path).collect())
}

/// Puts back what has been replaced, the last first, and says so of what cannot be.
fn put_back(replaced: Vec<(Predecessor, PathBuf)>, mut diagnostic: Diagnostic) -> Diagnostic {
    for (before, path) in replaced.into_iter().rev() {
        if let Err(error) = before.restore(&path) {
            diagnostic = diagnostic.with_help(format!(
                "`{}` could not be put back either ({}); emit again before using any of the files",
                shown_path(&path),
                reason(&error)
            ));
        }
    }
    diagnostic
}

/// Creates `folder` and what is missing above it; returns what was created, innermost first.
///
/// # Errors
/// It is no folder, or the system's reason.
pub fn create_folder(folder: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    require_folder(folder)?;
    let missing: Vec<PathBuf> = folder
        .ancestors()
        .take_while(|ancestor| !ancestor.as_os_str().is_empty() && !ancestor.exists())
        .map(Path::to_path_buf)
        .collect();
    fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    Ok(missing)
}

/// Writes one file of the author's own (a source, tests, a picture): its bytes are on the disk
/// before they replace what stood there, and its permissions stay. A link is followed, since the
/// author put it there; a read-only file is not replaced. The folder must exist.
///
/// # Errors
/// The system's reason; the file is then as it was before.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    let mut file = Replacement::of(path)?;
    file.write(bytes)?;
    file.complete()
}

/// The same piece by piece: what stood there stays until the last piece is on the disk, and for
/// good where this is dropped before.
#[derive(Debug)]
pub struct Replacement {
    file: NamedTempFile,
    target: PathBuf,
}

impl Replacement {
    /// An empty file that will replace the one at `path`.
    ///
    /// # Errors
    /// The system's reason why no file can be written there.
    pub fn of(path: &Path) -> Result<Self, Diagnostic> {
        let target = match fs::read_link(path) {
            Ok(_) => fs::canonicalize(path).map_err(|error| cannot_write(path, &error))?,
            Err(_) => path.to_path_buf(),
        };
        if target.is_dir() {
            let error = io::Error::from(io::ErrorKind::IsADirectory);
            return Err(cannot_write(path, &error));
        }
        if target.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            // A pipe or a device would become a file under its name.
            let error = io::Error::other("it is no ordinary file");
            return Err(cannot_write(path, &error));
        }
        let is_read_only = |metadata: fs::Metadata| metadata.permissions().readonly();
        if target.metadata().is_ok_and(is_read_only) {
            // A rename would not ask for the file's own permissions.
            return Err(cannot_write(path, &io::ErrorKind::PermissionDenied.into()));
        }
        let file = create(parent(&target), &target).map_err(|error| cannot_write(path, &error))?;
        Ok(Self { file, target })
    }

    /// Adds a piece.
    ///
    /// # Errors
    /// The system's reason.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Diagnostic> {
        let written = self.file.write_all(bytes);
        written.map_err(|error| cannot_write(&self.target, &error))
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// The system's reason; what stood there is then as it was before.
    pub fn complete(self) -> Result<(), Diagnostic> {
        let synced = self.file.as_file().sync_all();
        synced.map_err(|error| cannot_write(&self.target, &error))?;
        replace(self.file, &self.target)?;
        sync_folder(parent(&self.target));
        Ok(())
    }
}

/// The folder that a path is in.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A complete file beside `path`, with its bytes on the disk.
pub(super) fn prepare(
    folder: &Path,
    path: &Path,
    bytes: &[u8],
) -> Result<NamedTempFile, Diagnostic> {
    let mut file = create(folder, path).map_err(|error| cannot_write(path, &error))?;
    file.write_all(bytes)
        .and_then(|()| file.as_file().sync_all())
        .map_err(|error| cannot_write(path, &error))?;
    Ok(file)
}

fn create(folder: &Path, path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any program creates a file: the user's mask applies.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(folder)?;
    if let Ok(before) = path.symlink_metadata()
        && before.is_file()
    {
        file.as_file().set_permissions(before.permissions())?;
    }
    Ok(file)
}

fn replace(file: NamedTempFile, path: &Path) -> Result<(), Diagnostic> {
    file.persist(path)
        .map(drop)
        .map_err(|failure| cannot_write(path, &failure.error))
}

/// Makes the renames last. Some systems cannot sync a folder; the files themselves are synced.
fn sync_folder(folder: &Path) {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// What an artifact is about to replace, kept under another name in the same folder until the
/// set is complete.
enum Predecessor {
    None,
    Kept(NamedTempFile<()>),
}

impl Predecessor {
    fn keep(folder: &Path, path: &Path) -> Result<Self, Diagnostic> {
        let Ok(metadata) = path.symlink_metadata() else {
            return Ok(Self::None);
        };
        let mut builder = Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        builder
            .make_in(folder, |name| {
                // A second name costs nothing, not even space. Where the file system has none,
                // a copy serves.
                fs::hard_link(path, name).or_else(|error| {
                    if error.kind() == io::ErrorKind::AlreadyExists {
                        Err(error)
                    } else {
                        copy(path, &metadata, name)
                    }
                })
            })
            .map(Self::Kept)
            .map_err(|error| cannot_write(path, &error))
    }

    fn restore(self, path: &Path) -> io::Result<()> {
        match self {
            Self::None => fs::remove_file(path),
            Self::Kept(kept) => kept
                .persist(path)
                .map(drop)
                .map_err(|failure| failure.error),
        }
    }
}

fn copy(path: &Path, metadata: &fs::Metadata, name: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if metadata.is_symlink() {
        return std::os::unix::fs::symlink(fs::read_link(path)?, name);
    }
    let _ = metadata;
    fs::copy(path, name).map(drop)
}

pub(super) fn cannot_write(path: &Path, error: &io::Error) -> Diagnostic {
    Diagnostic::without_place(
        &CANNOT_WRITE,
        format!(
            "`{}` cannot be written: {}",
            shown_path(path),
            reason(error)
        ),
    )
}
