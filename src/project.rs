//! A *project*: the rulebooks of one repository, as its `rulebook.toml` lists them, with what
//! holds for each of them. So a command without a FILE knows what to look at, and where to write.
//!
//! The file is looked for from a folder upwards, as far as the root of the file system. Its paths
//! are relative to the folder that it lies in, so that every command means the same files from
//! every folder of the repository.

mod format;
mod paths;
mod patterns;
mod resolve;
mod values;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::adapters::{Adapter, Silent};
use crate::diagnostics::codes::project::UNLISTED;
use crate::diagnostics::text_faults::decode_document;
use crate::diagnostics::{Deny, Diagnostic, Severity, Sink};
use crate::text::{Source, quoted};

pub use format::schema;

use patterns::Pattern;

/// The name of a project's file.
pub const FILE_NAME: &str = "rulebook.toml";

/// The format that a `rulebook.toml` may name; one that names none has it too.
pub const FORMAT: &str = "rulebook-toml/1";

/// The rulebooks of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Project {
    /// The folder of `rulebook.toml`.
    pub folder: PathBuf,
    /// The rulebooks, in the order of the file; those of one pattern by path.
    pub rulebooks: Vec<Rulebook>,
    /// Findings that are denied where no rulebook says otherwise, those of the file itself too.
    pub deny: Vec<Deny>,
    exclude: Vec<Pattern>,
}

/// A rulebook of a project. Its paths begin with the project's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rulebook {
    /// Its source.
    pub path: PathBuf,
    /// The whole name of its Rego package.
    pub package: String,
    /// The folder of its artifacts.
    pub out_dir: PathBuf,
    /// Its tests; none where the project leaves it to the command that runs tests.
    pub tests: Option<Vec<PathBuf>>,
    /// Findings that are denied.
    pub deny: Vec<Deny>,
    /// Most calls that its proof evaluates.
    pub proof_points: Option<u64>,
    /// How much of it its tests must cover, in percent.
    pub coverage_threshold: Option<u8>,
    /// Whether tests for `opa test` are emitted beside its package.
    pub with_tests: bool,
    /// The adapters that are emitted beside its package, each once, in the order of
    /// [`Adapter::ALL`].
    pub adapters: Vec<Adapter>,
    /// What a call gets there that no rule speaks of.
    pub silent: Silent,
}

/// What came of reading a `rulebook.toml`.
#[derive(Debug)]
pub struct Reading {
    /// The text, so that the findings can be shown in it.
    pub source: Source,
    /// The project; none when there are errors.
    pub project: Option<Project>,
    /// The findings, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// What came of reading which rulebooks a `rulebook.toml` lists.
#[derive(Debug)]
pub struct Listing {
    /// The text, so that the findings can be shown in it.
    pub source: Source,
    /// The paths of the rulebooks, from the folder of the file on; none when there are errors.
    pub paths: Option<BTreeSet<String>>,
    /// The findings, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
}

impl Listing {
    /// Reads the bytes of a `rulebook.toml` whose folder has, or once had, `files`: paths from
    /// that folder on, with `/`. No file is looked at. `name` is what messages call the file.
    pub fn read(files: &BTreeSet<String>, name: &str, bytes: &[u8]) -> Self {
        let (source, paths, diagnostics) =
            read(name, bytes, |file, sink| resolve::list(files, &file, sink));
        Self {
            source,
            paths,
            diagnostics,
        }
    }
}

/// Reads the bytes of a `rulebook.toml` and what follows from them; that only without errors.
fn read<T>(
    name: &str,
    bytes: &[u8],
    follow: impl FnOnce(format::ProjectFile, &mut Sink) -> T,
) -> (Source, Option<T>, Vec<Diagnostic>) {
    let (source, faults) = decode_document(name, bytes);
    let mut sink = Sink::new();
    let is_text = faults.is_empty();
    sink.extend(faults);
    let mut read = None;
    if is_text && let Some(file) = format::parse(source.text(), &mut sink) {
        read = Some(follow(file, &mut sink));
    }
    let diagnostics = sink.into_sorted();
    let is_sound = diagnostics
        .iter()
        .all(|diagnostic| diagnostic.severity() != Severity::Error);
    (source, read.filter(|_| is_sound), diagnostics)
}

/// The nearest `rulebook.toml`: in `folder`, else in the folders above it. Neither a repository's
/// root nor a home ends the search.
pub fn find(folder: &Path) -> Option<PathBuf> {
    folder
        .ancestors()
        .map(|folder| folder.join(FILE_NAME))
        .find(|path| path.is_file())
}

impl Project {
    /// Reads the bytes of a `rulebook.toml` that lies in `folder`, and looks for the files that
    /// it names. `name` is what messages call it.
    pub fn read(folder: &Path, name: &str, bytes: &[u8]) -> Reading {
        let (source, project, diagnostics) = read(name, bytes, |file, sink| {
            resolve::resolve(folder, file, sink)
        });
        Reading {
            source,
            project,
            diagnostics,
        }
    }

    /// The rulebook whose source is `path`, if it is one of the project's. Both are compared as
    /// they are written, from the root on.
    pub fn rulebook(&self, path: &Path) -> Option<&Rulebook> {
        self.rulebooks.iter().find(|rulebook| rulebook.path == path)
    }

    /// Warnings for the `.co` files below the project's folder that it neither lists nor excludes:
    /// no command without a FILE looks at them. The folders of other projects, and those whose
    /// names begin with a dot, are passed over.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn unlisted(&self) -> Result<Vec<Diagnostic>, Diagnostic> {
        let found = patterns::expand(&self.folder, &Pattern::every_source(), &self.exclude)?;
        let warnings = found
            .iter()
            .filter(|path| self.rulebook(&self.folder.join(path)).is_none())
            .filter(|path| !self.is_in_another(path))
            .map(|path| {
                Diagnostic::without_place(
                    &UNLISTED,
                    format!("{} is no rulebook of the project", quoted(path)),
                )
                .with_help(format!(
                    "list it below `[[rulebook]]`, or name it in `exclude`; \
                     until then nothing but `check {}` looks at it",
                    path
                ))
            });
        Ok(warnings.collect())
    }

    fn is_in_another(&self, path: &str) -> bool {
        Path::new(path)
            .ancestors()
            .skip(1)
            .filter(|folder| !folder.as_os_str().is_empty())
            .any(|folder| self.folder.join(folder).join(FILE_NAME).is_file())
    }
}

#[cfg(test)]
mod tests;
