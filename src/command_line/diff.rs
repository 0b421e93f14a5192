//! `diff OLD NEW`: in which contexts two versions of a rulebook decide differently.

mod git;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::ExitStatus;
use super::arguments::{DiffArguments, DiffFormat};
use super::console::Console;
use super::examination::status_of;
use super::input;
use super::load::{Loaded, load};
use super::project::select_file;
use crate::compiler::Depth;
use crate::decision_space::Called;
use crate::diagnostics::codes::difference::{OLD_HAS_ERRORS, UNKNOWN_TOOL};
use crate::diagnostics::codes::text::UNREADABLE;
use crate::diagnostics::{Diagnostic, Severity};
use crate::diff::{Options, Versions, compare, render_human, render_json, render_markdown};
use crate::ir::Rulebook;
use crate::text::{did_you_mean, quoted};

/// The bytes of a version, and what it is called.
struct Version {
    name: String,
    bytes: Vec<u8>,
}

pub(super) fn run(arguments: &DiffArguments, console: &mut Console) -> ExitStatus {
    match (&arguments.old, &arguments.git) {
        (None, Some(revision)) => run_project(revision, arguments, console),
        (Some(path), Some(revision)) => match in_git(revision, path) {
            Ok((old, new)) => run_versions(old, new, arguments, console),
            Err(diagnostic) => usage(&diagnostic, console),
        },
        (old, None) => match in_files(old.as_deref(), arguments.new.as_deref()) {
            Ok((old, new)) => run_versions(Some(old), new, arguments, console),
            Err(diagnostic) => usage(&diagnostic, console),
        },
    }
}

fn usage(diagnostic: &Diagnostic, console: &mut Console) -> ExitStatus {
    console.complain(diagnostic);
    ExitStatus::Usage
}

/// Compares every rulebook of the project with what it was. Of one whose text is the same nothing
/// is said.
fn run_project(revision: &str, arguments: &DiffArguments, console: &mut Console) -> ExitStatus {
    let selection = match select_file(None, &arguments.project) {
        Ok(selection) => selection,
        Err(diagnostic) => return usage(&diagnostic, console),
    };
    let mut status = selection.complain(console);
    let mut changed = 0;
    for target in &selection.targets {
        let end = match in_git(revision, &target.path) {
            Ok((Some(old), new)) if old.bytes == new.bytes => continue,
            Ok((old, new)) => {
                if changed > 0 && arguments.format != DiffFormat::Json {
                    console.answer("\n");
                }
                run_versions(old, new, arguments, console)
            }
            Err(diagnostic) => usage(&diagnostic, console),
        };
        changed += 1;
        status = status.max(end);
    }
    if changed == 0 && selection.project.is_some() && arguments.format != DiffFormat::Json {
        let revision = quoted(revision);
        console.answer(&format!(
            "No rulebook of the project is other than in {revision}.\n"
        ));
    }
    status
}

fn run_versions(
    old: Option<Version>,
    new: Version,
    arguments: &DiffArguments,
    console: &mut Console,
) -> ExitStatus {
    // Both are looked at before anything is compared, so that one run names all that is wrong.
    let old_rulebook = match &old {
        Some(old) => rulebook(old, true, console),
        None => Ok(nothing()),
    };
    let new_rulebook = rulebook(&new, false, console);
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
    if old.is_none() {
        let revision = arguments.git.as_deref().unwrap_or_default();
        console.say(&format!(
            "{} is not in {}: everything in it is new\n",
            quoted(&new.name),
            quoted(revision)
        ));
    }
    let options = Options {
        tools: arguments.tool.iter().cloned().collect(),
        steps: None,
    };
    let difference = compare(&old_rulebook, &new_rulebook, &options);
    let versions = Versions {
        old: old.as_ref().map_or("nothing", |old| &old.name),
        new: &new.name,
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

/// The old version, none where the file is new, and the new one.
fn in_git(revision: &str, path: &Path) -> Result<(Option<Version>, Version), Diagnostic> {
    let new = read(path)?;
    let old = git::read(revision, path)?.map(|bytes| Version {
        name: format!("{}@{revision}", new.name),
        bytes,
    });
    Ok((old, new))
}

fn in_files(old: Option<&Path>, new: Option<&Path>) -> Result<(Version, Version), Diagnostic> {
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
    Ok((read(old)?, read(new)?))
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

/// The old version of a file that is new.
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
