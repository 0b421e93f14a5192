//! What a command looks at: the files that it is given, or the rulebooks of the project. Either
//! way, what `rulebook.toml` says of a rulebook holds for it.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use super::arguments::ProjectArguments;
use super::input;
use super::report::FileReport;
use super::watch::{Concern, watch};
use crate::diagnostics::codes::project::{CANNOT_WATCH, NO_PROJECT};
use crate::diagnostics::{Deny, Diagnostic};
use crate::project::{self, FILE_NAME, Project, Rulebook};
use crate::terminal::{Console, ExitStatus};

/// A file to look at.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// Its path, from the current folder, or as it was given.
    pub(super) path: PathBuf,
    /// What the project says of it, its paths from the current folder; none where it is no
    /// rulebook of a project.
    pub(super) rulebook: Option<Rulebook>,
}

impl Target {
    /// The package that the project gives it.
    pub(super) fn package(&self) -> Option<&str> {
        let rulebook = self.rulebook.as_ref();
        rulebook.map(|rulebook| rulebook.package.as_str())
    }

    /// What is denied of its findings: what the project says, and what was asked for.
    pub(super) fn denied(&self, asked: &[Deny]) -> Vec<Deny> {
        let of_project = self.rulebook.iter().flat_map(|rulebook| &rulebook.deny);
        of_project.chain(asked).copied().collect()
    }
}

/// What a command looks at.
#[derive(Debug, Default)]
pub(super) struct Selection {
    /// The files, in order.
    pub(super) targets: Vec<Target>,
    /// What could not be understood or looked into, each with what the command ends with.
    pub(super) faults: Vec<(FileReport, ExitStatus)>,
    /// The project's own file; none where there is no project, or files were named.
    pub(super) project: Option<ProjectFile>,
}

impl Selection {
    /// Shows on standard error what could not be understood, and says what that means for the
    /// command's end.
    pub(super) fn complain(&self, console: &mut Console) -> ExitStatus {
        let mut status = ExitStatus::Ok;
        for (report, worst) in &self.faults {
            console.complain_all(report.source.as_ref(), &report.diagnostics);
            status = status.max(*worst);
        }
        status
    }
}

/// A `rulebook.toml` that was read without an error.
#[derive(Debug)]
pub(super) struct ProjectFile {
    /// Its path, from the root on.
    pub(super) path: PathBuf,
    /// What it says.
    pub(super) project: Project,
    /// Its text, and what was found in it.
    pub(super) report: FileReport,
}

/// A path from the root on as it is shown: from the current folder.
pub(super) fn from_here(path: &Path) -> PathBuf {
    Here::new().nearest(path)
}

/// The files that `paths` name, every `.co` file below those that are folders; without a path,
/// all rulebooks of the project.
///
/// # Errors
/// There is no path, and no project.
pub(super) fn select(
    paths: &[PathBuf],
    project: &ProjectArguments,
) -> Result<Selection, Diagnostic> {
    select_by(paths, project, |path| {
        if !input::is_stdin(path) && path.is_dir() {
            input::sources_below(path)
        } else {
            (vec![path.to_path_buf()], Vec::new())
        }
    })
}

/// The file that `path` names; without one, all rulebooks of the project.
///
/// # Errors
/// There is no path, and no project.
pub(super) fn select_file(
    path: Option<&Path>,
    project: &ProjectArguments,
) -> Result<Selection, Diagnostic> {
    let paths: Vec<PathBuf> = path.into_iter().map(Path::to_path_buf).collect();
    select_by(&paths, project, |path| {
        (vec![path.to_path_buf()], Vec::new())
    })
}

fn select_by(
    paths: &[PathBuf],
    project: &ProjectArguments,
    files: impl Fn(&Path) -> (Vec<PathBuf>, Vec<Diagnostic>),
) -> Result<Selection, Diagnostic> {
    let mut selection = Selection::default();
    let here = Here::new();
    // What comes from standard input lies in no project.
    let is_stdin = !paths.is_empty() && paths.iter().all(|path| input::is_stdin(path));
    let found = here.project_file(project).filter(|_| !is_stdin);
    let project = match found.map(|file| read(&here, &file)) {
        None => None,
        Some(Ok(project)) => Some(project),
        Some(Err(report)) => {
            selection.faults.push((*report, ExitStatus::Usage));
            return Ok(selection);
        }
    };
    if paths.is_empty() {
        let file = project.ok_or_else(no_project)?;
        selection.targets = file
            .project
            .rulebooks
            .iter()
            .map(|rulebook| {
                let rulebook = here.rulebook(rulebook);
                Target {
                    path: rulebook.path.clone(),
                    rulebook: Some(rulebook),
                }
            })
            .collect();
        selection.project = Some(file);
        return Ok(selection);
    }
    let entries = project.as_ref().map(|file| Entries::of(&file.project));
    for path in paths {
        let (files, faults) = files(path);
        if !faults.is_empty() {
            let report = FileReport {
                file: input::name_of(path),
                source: None,
                diagnostics: faults,
                ..FileReport::default()
            };
            selection.faults.push((report, ExitStatus::Usage));
        }
        selection.targets.extend(files.into_iter().map(|path| {
            let entries = entries.as_ref();
            let rulebook = entries.and_then(|entries| entries.entry(&here, &path));
            Target {
                rulebook: rulebook.map(|rulebook| here.rulebook(rulebook)),
                path,
            }
        }));
    }
    Ok(selection)
}

/// What a command with `--watch` looks at.
pub(super) struct Watch<'a> {
    /// The paths that it was given; none for the project.
    pub(super) paths: &'a [PathBuf],
    /// The project that is meant.
    pub(super) project: &'a ProjectArguments,
    /// The tests that it was given, of a command that runs tests.
    pub(super) tests: Option<&'a [PathBuf]>,
}

impl Watch<'_> {
    /// Runs the command again after every change.
    pub(super) fn run(
        &self,
        console: &mut Console,
        command: impl FnMut(&mut Console) -> ExitStatus,
    ) -> ExitStatus {
        match self.require() {
            Ok(()) => watch(console, || self.concern(), command),
            Err(diagnostic) => {
                console.complain(&diagnostic);
                ExitStatus::Usage
            }
        }
    }

    /// Refuses what cannot be watched: standard input, and a project that is not there.
    fn require(&self) -> Result<(), Diagnostic> {
        if self.paths.iter().any(|path| input::is_stdin(path)) {
            let diagnostic =
                Diagnostic::without_place(&CANNOT_WATCH, "standard input cannot be watched");
            return Err(diagnostic.with_help("name a file, or leave out `--watch`"));
        }
        if self.paths.is_empty() {
            let file = Here::new().project_file(self.project);
            file.ok_or_else(no_project)?;
        }
        Ok(())
    }

    /// The files that [`select`] finds, with their tests where these are run, and the project's
    /// own file; and where new ones may come.
    fn concern(&self) -> Concern {
        let here = Here::new();
        let mut concern = Concern::default();
        let project = here.project_file(self.project);
        let project = project.map(|file| here.nearest(&file));
        if let Some(folder) = project.as_deref().and_then(Path::parent)
            && self.paths.is_empty()
        {
            concern.folders.insert(folder.to_path_buf());
        }
        concern.files.extend(project);
        for path in self.paths {
            match path.is_dir() {
                true => concern.folders.insert(path.clone()),
                // It may be gone for a moment.
                false => concern.files.insert(path.clone()),
            };
        }
        let selection = select(self.paths, self.project).unwrap_or_default();
        for target in selection.targets {
            if let Some(asked) = self.tests {
                let listed = target.rulebook.and_then(|rulebook| rulebook.tests);
                match (asked, listed) {
                    ([], Some(listed)) => concern.files.extend(listed),
                    ([], None) => {
                        let beside = target.path.with_extension("test.yaml");
                        concern.files.insert(beside);
                    }
                    _ => concern.files.extend(asked.iter().cloned()),
                }
            }
            concern.files.insert(target.path);
        }
        concern
    }
}

fn no_project() -> Diagnostic {
    Diagnostic::without_place(
        &NO_PROJECT,
        format!("no file is named, and no `{FILE_NAME}` lies in this folder or above it"),
    )
    .with_help(format!(
        "name a file, or list the rulebooks of the repository in a `{FILE_NAME}`"
    ))
}

/// Reads a project's file.
///
/// # Errors
/// What is wrong with it.
fn read(here: &Here, file: &Path) -> Result<ProjectFile, Box<FileReport>> {
    let path = here.nearest(file);
    let name = input::name_of(&path);
    let bytes = input::read(&path).map_err(|diagnostic| FileReport {
        file: name.clone(),
        source: None,
        diagnostics: vec![diagnostic],
        ..FileReport::default()
    })?;
    let folder = file.parent().unwrap_or(Path::new("/"));
    let reading = Project::read(folder, &name, &bytes);
    let report = FileReport {
        file: name,
        source: Some(reading.source),
        diagnostics: reading.diagnostics,
        ..FileReport::default()
    };
    match reading.project {
        Some(project) => Ok(ProjectFile {
            path: file.to_path_buf(),
            project,
            report,
        }),
        None => Err(Box::new(report)),
    }
}

/// What a project says of its rulebooks, by path and by file.
struct Entries<'p> {
    project: &'p Project,
    /// By the path without links.
    by_file: BTreeMap<PathBuf, &'p Rulebook>,
}

impl<'p> Entries<'p> {
    fn of(project: &'p Project) -> Self {
        let rulebooks = project.rulebooks.iter().rev();
        Self {
            project,
            by_file: rulebooks
                .filter_map(|rulebook| Some((rulebook.path.canonicalize().ok()?, rulebook)))
                .collect(),
        }
    }

    /// What is said of a path as it is written, else of the file itself, which may be reached
    /// through links.
    fn entry(&self, here: &Here, path: &Path) -> Option<&'p Rulebook> {
        self.project.rulebook(&here.absolute(path)).or_else(|| {
            // The path as it was given: behind a link, `..` leads elsewhere.
            self.by_file.get(&path.canonicalize().ok()?).copied()
        })
    }
}

/// The current folder, from which paths are written.
struct Here {
    folder: Option<PathBuf>,
}

impl Here {
    /// Where the folder cannot be known (it was deleted), there is no project, and paths are as
    /// they were given.
    fn new() -> Self {
        Self {
            folder: std::env::current_dir().ok(),
        }
    }

    /// The project's file: the one that is asked for, there or not, else the nearest.
    fn project_file(&self, asked: &ProjectArguments) -> Option<PathBuf> {
        match &asked.path {
            Some(path) if path.is_dir() => Some(self.absolute(path).join(FILE_NAME)),
            Some(path) => Some(self.absolute(path)),
            None => self.folder.as_deref().and_then(project::find),
        }
    }

    /// A path from the root on, without `.` and `..`.
    fn absolute(&self, path: &Path) -> PathBuf {
        let mut absolute = self.folder.clone().unwrap_or_default();
        for part in path.components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => {
                    absolute.pop();
                }
                Component::Normal(_) | Component::RootDir | Component::Prefix(_) => {
                    absolute.push(part);
                }
            }
        }
        absolute
    }

    /// A path from the root on as a path from here: `../policies/refunds.co`.
    fn nearest(&self, path: &Path) -> PathBuf {
        let Some(folder) = self.folder.as_deref() else {
            return path.to_path_buf();
        };
        let mut upwards = PathBuf::new();
        for ancestor in folder.ancestors() {
            if let Ok(rest) = path.strip_prefix(ancestor) {
                return upwards.join(rest);
            }
            upwards.push("..");
        }
        path.to_path_buf()
    }

    fn rulebook(&self, rulebook: &Rulebook) -> Rulebook {
        let mut rulebook = rulebook.clone();
        rulebook.path = self.nearest(&rulebook.path);
        rulebook.out_dir = self.nearest(&rulebook.out_dir);
        if rulebook.out_dir.as_os_str().is_empty() {
            rulebook.out_dir.push(".");
        }
        for test in rulebook.tests.iter_mut().flatten() {
            *test = self.nearest(test);
        }
        rulebook
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_from_here() {
        let here = Here {
            folder: Some("/shop/policies/card".into()),
        };
        for (path, shown) in [
            ("/shop/policies/card/a.co", "a.co"),
            ("/shop/policies/a.co", "../a.co"),
            ("/shop/opa/a", "../../opa/a"),
            ("/else/a.co", "../../../else/a.co"),
            ("/shop/policies/card", ""),
        ] {
            assert_eq!(here.nearest(Path::new(path)), Path::new(shown));
            assert_eq!(here.absolute(Path::new(shown)), Path::new(path));
        }
        assert_eq!(
            here.absolute(Path::new("./../x/../a.co")),
            Path::new("/shop/policies/a.co")
        );
        assert_eq!(here.absolute(Path::new("/a.co")), Path::new("/a.co"));
    }
}
