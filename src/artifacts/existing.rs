//! What lies in a folder already, and what it says of itself.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::Deserialize;

use super::paths::{self, shown_path};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::text::UNREADABLE;
use crate::ir::limits::MAX_ARTIFACT_BYTES;
use crate::text::quoted;

/// What stands at the place of an artifact, links not followed.
pub(super) enum Slot {
    Absent,
    /// A link, to whatever: it is replaced, and not read.
    Link,
    File(Vec<u8>),
    /// A folder, a device: nothing that a file could replace.
    Other,
}

/// Looks at the place of an artifact without following a link.
pub(super) fn look(path: &Path) -> Result<Slot, Diagnostic> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Slot::Absent),
        Err(error) => Err(unreadable(path, &error)),
        Ok(metadata) if metadata.is_symlink() => Ok(Slot::Link),
        Ok(metadata) if metadata.is_file() => read(path).map(Slot::File),
        Ok(_) => Ok(Slot::Other),
    }
}

/// Reads an artifact, links followed; none when there is none. Of a file that is larger than an
/// artifact can be, no more is read than shows that.
///
/// # Errors
/// A file that cannot be read, or a path that is no file.
pub fn read_artifact(path: &Path) -> Result<Option<Vec<u8>>, Diagnostic> {
    match path.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(path, &error)),
        Ok(metadata) if metadata.is_file() => read(path).map(Some),
        Ok(_) => Err(Diagnostic::without_place(
            &UNREADABLE,
            format!("`{}` is no file", shown_path(path)),
        )),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    // One byte more than an artifact can have is enough to tell that it is none.
    let limit = u64::try_from(MAX_ARTIFACT_BYTES)
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    let read = || {
        let file = File::open(path)?;
        let length = file.metadata()?.len().min(limit);
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
        file.take(limit).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|error| unreadable(path, &error))
}

/// The diagnostic for a file that cannot be read.
pub(super) fn unreadable(path: &Path, error: &io::Error) -> Diagnostic {
    paths::unreadable(&format!("`{}`", shown_path(path)), error)
}

/// Which rulebook a file says it belongs to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) file: String,
    pub(super) package: Option<String>,
}

impl Origin {
    /// How messages name it.
    pub(super) fn words(&self) -> String {
        match &self.package {
            Some(package) => format!("{}, package {}", quoted(&self.file), quoted(package)),
            None => quoted(&self.file),
        }
    }

    /// Whether it names another source or package than `file` and `package`.
    pub(super) fn is_other(&self, file: &str, package: &str) -> bool {
        self.file != file || self.package.as_deref().is_some_and(|own| own != package)
    }
}

/// The facts of an IR that its bytes state, read without checking anything else.
#[derive(Deserialize)]
pub(super) struct IrFacts {
    package: String,
    source: IrSource,
}

#[derive(Deserialize)]
struct IrSource {
    file: String,
    sha256: String,
}

impl IrFacts {
    /// Reads them; none when the bytes are no IR.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    pub(super) fn origin(&self) -> Origin {
        Origin {
            file: self.source.file.clone(),
            package: Some(self.package.clone()),
        }
    }

    pub(super) fn source_sha256(&self) -> &str {
        &self.source.sha256
    }
}
