//! `diff OLD NEW`: in which contexts two versions of a rulebook decide differently.

mod git;
mod project;

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::arguments::{DiffArguments, DiffFormat};
use super::examination::status_of;
use super::input;
use super::load::{Loaded, load};
use crate::compiler::Depth;
use crate::decision_space::Called;
use crate::diagnostics::codes::difference::{OLD_HAS_ERRORS, UNKNOWN_TOOL};
use crate::diagnostics::codes::text::UNREADABLE;
use crate::diagnostics::{Diagnostic, Severity};
use crate::diff::{Options, Versions, compare, render_human, render_json, render_markdown};
use crate::ir::Rulebook;
use crate::terminal::{Console, ExitStatus};
use crate::text::{did_you_mean, quoted};

/// The bytes of a version, and what it is called.
struct Version {
    name: String,
    bytes: Vec<u8>,
}

/// What is compared; there is always one of the two.
struct Pair {
    /// None where everything is new.
    old: Option<Version>,
    /// None where everything is gone.
    new: Option<Version>,
    /// Why one of them is none.
    note: Option<String>,
}

pub(super) fn run(arguments: &DiffArguments, console: &mut Console) -> ExitStatus {
    let pair = match (&arguments.old, &arguments.git) {
        (None, Some(revision)) => return project::run(revision, arguments, console),
        (Some(path), Some(revision)) => in_git(revision, path, path),
        (old, None) => in_files(old.as_deref(), arguments.new.as_deref()),
    };
    match pair {
        Ok(pair) => run_versions(&pair, arguments, console),
        Err(diagnostic) => usage(&diagnostic, console),
    }
}

fn usage(diagnostic: &Diagnostic, console: &mut Console) -> ExitStatus {
    console.complain(diagnostic);
    ExitStatus::Usage
}

fn run_versions(pair: &Pair, arguments: &DiffArguments, console: &mut Console) -> ExitStatus {
    // Both are looked at before anything is compared, so that one run names all that is wrong.
    let mut read = |version: &Option<Version>, is_old| match version {
        Some(version) => rulebook(version, is_old, console),
        None => Ok(nothing()),
    };
    let old_rulebook = read(&pair.old, true);
    let new_rulebook = read(&pair.new, false);
    let (old_rulebook, new_rulebook) = match (old_rulebook, new_rulebook) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(one), Err(other)) => return one.max(other),
        (Err(status), Ok(_)) | (Ok(_), Err(status)) => return status,
    };
    let unknown = unknown_tools(&[&new_rulebook, &old_rulebook], &arguments.tool);
    if !unknown.is_empty() {
        for diagnostic in &unknown {
            console.complain(diagnostic);
        }
        return ExitStatus::Usage;
    }
    if let Some(note) = &pair.note {
        console.say(&format!("{note}\n"));
    }
    let options = Options {
        tools: arguments.tool.iter().cloned().collect(),
        steps: None,
    };
    let difference = compare(&old_rulebook, &new_rulebook, &options);
    let name = |version: &'_ Option<Version>| match version {
        Some(version) => version.name.clone(),
        None => "nothing".to_owned(),
    };
    let (old, new) = (name(&pair.old), name(&pair.new));
    let versions = Versions {
        old: &old,
        new: &new,
    };
    let text = match arguments.format {
        DiffFormat::Human => render_human(&difference, versions, console.colors_stdout()),
        DiffFormat::Json => render_json(&difference, versions),
        DiffFormat::Markdown => render_markdown(&difference, versions),
    };
    console.answer(&text);
    let is_denied = arguments
        .deny
        .iter()
        .any(|deny| difference.is_denied(*deny));
    if is_denied {
        ExitStatus::No
    } else {
        ExitStatus::Ok
    }
}

/// A version that is a file.
fn read(path: &Path) -> Result<Version, Diagnostic> {
    Ok(Version {
        name: input::name_of(path),
        bytes: input::read(path)?,
    })
}

/// The file `path`, and what it was in a revision as `old_path`: none where the file is new, or
/// is gone.
fn in_git(revision: &str, old_path: &Path, path: &Path) -> Result<Pair, Diagnostic> {
    let new = match read(path) {
        Err(diagnostic) if !is_gone(path) => return Err(diagnostic),
        new => new,
    };
    let shown = quoted(&input::name_of(path));
    let (old, new, note) = match (in_revision(revision, old_path)?, new) {
        (Some(old), Ok(new)) => (Some(old), Some(new), None),
        (None, Ok(new)) => {
            let note = format!(
                "{shown} is not in {}: everything in it is new",
                quoted(revision)
            );
            (None, Some(new), Some(note))
        }
        (Some(old), Err(_)) => {
            let note = format!("{shown} is gone: nothing in it holds any more");
            (Some(old), None, Some(note))
        }
        (None, Err(diagnostic)) => return Err(diagnostic),
    };
    Ok(Pair { old, new, note })
}

/// A file as it was in a revision; none where the revision does not have it.
fn in_revision(revision: &str, path: &Path) -> Result<Option<Version>, Diagnostic> {
    let bytes = git::read(revision, path)?;
    Ok(bytes.map(|bytes| Version {
        name: format!("{}@{revision}", input::name_of(path)),
        bytes,
    }))
}

/// Whether there is nothing at a path, not even a link that leads nowhere.
fn is_gone(path: &Path) -> bool {
    !input::is_stdin(path)
        && path.symlink_metadata().is_err_and(|error| {
            matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
        })
}

fn in_files(old: Option<&Path>, new: Option<&Path>) -> Result<Pair, Diagnostic> {
    // The arguments were checked: without `--git` there are two.
    let missing = || Diagnostic::without_place(&UNREADABLE, "there is no second version");
    let (old, new) = (old.ok_or_else(missing)?, new.ok_or_else(missing)?);
    if input::is_stdin(old) && input::is_stdin(new) {
        return Err(Diagnostic::without_place(
            &UNREADABLE,
            "standard input cannot be both versions",
        )
        .with_help("name a file for one of them"));
    }
    Ok(Pair {
        old: Some(read(old)?),
        new: Some(read(new)?),
        note: None,
    })
}

/// A version's rulebook; its errors are shown.
fn rulebook(
    version: &Version,
    is_old: bool,
    console: &mut Console,
) -> Result<Rulebook, ExitStatus> {
    let path = PathBuf::from(&version.name);
    let mut loaded = load(&path, &version.bytes, None, Depth::Errors);
    if let Some(rulebook) = loaded.rulebook.take() {
        return Ok(rulebook);
    }
    let status = status_of(&loaded, &[]).max(ExitStatus::No);
    complain_of(&loaded, console);
    if is_old {
        let name = quoted(&version.name);
        let diagnostic = Diagnostic::without_place(
            &OLD_HAS_ERRORS,
            format!("the old version {name} does not check, so nothing is compared"),
        )
        .with_help("compare with the IR that was emitted for it, or correct it first");
        console.complain(&diagnostic);
    } else {
        console.say("the new version has errors; nothing is compared\n");
    }
    Err(status)
}

fn complain_of(loaded: &Loaded, console: &mut Console) {
    let all = loaded.diagnostics.iter();
    let errors = all.filter(|diagnostic| diagnostic.severity() == Severity::Error);
    console.complain_all(loaded.source.as_ref(), errors);
}

/// The old version of what is new, and the new one of what is gone.
fn nothing() -> Rulebook {
    Rulebook {
        context: Vec::new(),
        flows: Vec::new(),
        format: crate::ir::FORMAT.to_owned(),
        messages: Vec::new(),
        package: String::new(),
        source: crate::ir::SourceFile {
            file: String::new(),
            sha256: String::new(),
        },
        tools: Vec::new(),
    }
}

/// What is to be said of tools that are asked for and that no rulebook names.
pub(super) fn unknown_tools(rulebooks: &[&Rulebook], asked: &[String]) -> Vec<Diagnostic> {
    let known: BTreeSet<String> = Called::all(rulebooks, [])
        .into_iter()
        .filter_map(|called| match called {
            Called::Tool(name) => Some(name),
            Called::Other(_) | Called::NoString => None,
        })
        .collect();
    let unknown = asked.iter().filter(|name| !known.contains(*name));
    unknown
        .map(|name| {
            let help = match did_you_mean(name, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean {}?", quoted(near)),
                None => {
                    let names: Vec<String> =
                        known.iter().take(8).map(|known| quoted(known)).collect();
                    let more = if known.len() > names.len() {
                        ", …"
                    } else {
                        ""
                    };
                    format!("the tools are {}{more}", names.join(", "))
                }
            };
            Diagnostic::without_place(
                &UNKNOWN_TOOL,
                format!(
                    "no flow runs a tool {}, and no guard names it",
                    quoted(name)
                ),
            )
            .with_help(help)
        })
        .collect()
}
