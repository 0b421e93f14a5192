//! The folder itself, and its other files: Rego that would be loaded together with ours.

use std::path::{Path, PathBuf};

use super::REGO_FILE;
use super::existing::{read_artifact, unreadable};
use super::paths::shown_path;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::artifacts::CANNOT_WRITE;
use crate::package::declared_package;

/// A `.rego` file beside our own.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OtherRego {
    /// Its path.
    pub path: PathBuf,
    /// The package that it declares, dotted; none where its first statement declares none.
    pub package: Option<String>,
}

impl OtherRego {
    /// The package that it declares, if what it defines there can be seen in `package`: that
    /// itself, one above it, whose rules may name what lies below (`policy.decision := …`), or one
    /// below it, which stands in the way of a rule.
    pub fn package_adding_to(&self, package: &str) -> Option<&str> {
        let is_below = |inner: &str, outer: &str| {
            let rest = inner.strip_prefix(outer);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let declared = self.package.as_deref()?;
        (is_below(declared, package) || is_below(package, declared)).then_some(declared)
    }
}

/// The `.rego` files of a folder, but for the package and the files named in `known`; by name.
///
/// # Errors
/// A folder or a file that cannot be read.
pub fn other_regos(folder: &Path, known: &[&str]) -> Result<Vec<OtherRego>, Diagnostic> {
    let entries = match folder.read_dir() {
        Ok(entries) => entries,
        // A folder that is not there has no files; what is missing is said elsewhere.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(folder, &error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unreadable(folder, &error))?.path();
        let is_rego = path
            .extension()
            .is_some_and(|extension| extension == "rego");
        let is_ours = path
            .file_name()
            .is_some_and(|name| name == REGO_FILE || known.iter().any(|known| name == *known));
        if !is_rego || is_ours || path.is_dir() {
            continue;
        }
        if let Some(bytes) = read_artifact(&path)? {
            let package = declared_package(&String::from_utf8_lossy(&bytes));
            found.push(OtherRego { path, package });
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

/// Refuses a path that is no folder and cannot become one: something on the way is a file.
pub(super) fn require_folder(folder: &Path) -> Result<(), Diagnostic> {
    let nearest = folder
        .ancestors()
        .find(|ancestor| !ancestor.as_os_str().is_empty() && ancestor.exists());
    match nearest {
        Some(path) if !path.is_dir() => Err(Diagnostic::without_place(
            &CANNOT_WRITE,
            format!("`{}` is a file, not a folder", shown_path(path)),
        )
        .with_help("name a folder with `--out-dir`; it is created if there is none")),
        _ => Ok(()),
    }
}
