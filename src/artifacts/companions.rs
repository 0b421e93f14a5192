//! The files that may stand beside the pair: which there are, and what the rulebook makes of each.

use std::path::Path;

use super::ArtifactSet;
use super::existing::read_artifact;
use super::guard::rego_origin;
use super::paths::shown_path;
use crate::adapters::{Adapter, Silent, adapter};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::artifacts::LEFT_BEHIND;
use crate::emitter::Companion;
use crate::ir::Rulebook;
use crate::opa_tests::{TESTS_FILE, tests};
use crate::provenance::Header;

/// The names of all files that may be emitted beside the pair.
pub(super) fn companion_files() -> Vec<String> {
    let adapters = Adapter::ALL.into_iter().map(Adapter::file);
    std::iter::once(TESTS_FILE.to_owned())
        .chain(adapters)
        .collect()
}

/// The option of `emit` that writes a companion.
pub fn asked_by(file: &str) -> Option<String> {
    if file == TESTS_FILE {
        return Some("--with-tests".to_owned());
    }
    let named = Adapter::ALL
        .into_iter()
        .find(|adapter| adapter.file() == file);
    named.map(|adapter| format!("--adapter {}", adapter.as_str()))
}

/// The companions of `folder` that are marked as ours: names and bytes, in the order of
/// their names: the tests, then the adapters.
///
/// # Errors
/// A file that cannot be read.
pub fn companions_in(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, Diagnostic> {
    let mut found = Vec::new();
    for file in companion_files() {
        let bytes = read_artifact(&folder.join(&file))?;
        if let Some(bytes) = bytes.filter(|bytes| rego_origin(bytes).is_some()) {
            found.push((file, bytes));
        }
    }
    Ok(found)
}

/// Notes on the files of `folder` that were once emitted beside its pair, are not of `set`, and
/// are not what the rulebook of the set gives.
///
/// # Errors
/// A file that cannot be read.
pub fn left_behind(folder: &Path, set: &ArtifactSet<'_>) -> Result<Vec<Diagnostic>, Diagnostic> {
    let is_of_set = |file: &str| set.companions.iter().any(|beside| beside.file == file);
    let found = companions_in(folder)?.into_iter();
    let old = found.filter(|(file, bytes)| !is_of_set(file) && !is_given(set, file, bytes));
    Ok(old
        .map(|(file, _)| {
            let help = asked_by(&file).map_or_else(
                || "delete it".to_owned(),
                |option| format!("emit with `{option}`, or delete it"),
            );
            let path = shown_path(&folder.join(&file));
            let message =
                format!("`{path}` is not what the rulebook gives now, and was left as it is");
            Diagnostic::without_place(&LEFT_BEHIND, message).with_help(help)
        })
        .collect())
}

/// Whether a file is one that the rulebook of the set gives, in whichever way it is asked for. What
/// states another origin is none, and nothing is emitted to see that.
pub(super) fn is_given(set: &ArtifactSet<'_>, file: &str, bytes: &[u8]) -> bool {
    let own = &set.artifacts.header;
    if !bytes.starts_with(own.facts().as_bytes()) {
        return false;
    }
    let given = companions_of(set.rulebook, own, file);
    given.is_ok_and(|given| given.iter().any(|one| one.text.as_bytes() == bytes))
}

/// What may stand under the name `file` beside the artifacts of a rulebook: one text for each way
/// to ask for it; none where no companion has that name.
///
/// # Errors
/// What its emission gives.
pub fn companions_of(
    rulebook: &Rulebook,
    header: &Header,
    file: &str,
) -> Result<Vec<Companion>, Diagnostic> {
    if file == TESTS_FILE {
        return tests(rulebook, header).map(|tests| vec![tests]);
    }
    let adapters = Adapter::ALL.into_iter();
    let mut named = adapters.filter(|adapter| adapter.file() == file);
    let Some(named) = named.next() else {
        return Ok(Vec::new());
    };
    [Silent::Pass, Silent::Deny]
        .into_iter()
        .map(|silent| adapter(rulebook, named, silent, header))
        .collect()
}
