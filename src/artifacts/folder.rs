//! The other files of a folder: Rego that would be loaded together with ours.

use std::path::{Path, PathBuf};

use super::REGO_FILE;
use super::existing::{follow, unreadable};
use crate::diagnostics::Diagnostic;

/// The `.rego` files of a folder, but for our own, that declare `package`; by name.
pub(super) fn others_declaring(folder: &Path, package: &str) -> Result<Vec<PathBuf>, Diagnostic> {
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
        let is_ours = path.file_name().is_some_and(|name| name == REGO_FILE);
        if !is_rego || is_ours || path.is_dir() {
            continue;
        }
        if let Some(bytes) = follow(&path)?
            && declared_package(&String::from_utf8_lossy(&bytes)).as_deref() == Some(package)
        {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The package that a Rego text declares, dotted; `a["b"]` is read as `a.b`.
pub(super) fn declared_package(text: &str) -> Option<String> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let line = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with('#'))?;
    let rest = line.strip_prefix("package")?;
    if !rest.starts_with([' ', '\t']) {
        return None;
    }
    let name = rest.split(['#', ';']).next()?.trim();
    Some(name.replace("[\"", ".").replace("\"]", ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declared_package_is_found_behind_comments() {
        for (text, package) in [
            ("package a.b\n", Some("a.b")),
            ("# x\n\n  package\ta.b # c\nimport rego.v1", Some("a.b")),
            ("\u{FEFF}package a[\"b\"].c", Some("a.b.c")),
            ("packages a", None),
            ("import rego.v1\npackage a", None),
            ("", None),
        ] {
            assert_eq!(declared_package(text).as_deref(), package, "{text:?}");
        }
    }
}
