//! `diff --git REV` over a project: its rulebooks as they are, compared with those it had. What it
//! has no longer is compared with nothing, since a guard that is gone refuses nothing.

use std::collections::BTreeSet;

use super::super::arguments::{DiffArguments, DiffFormat};
use super::super::input;
use super::super::project::{ProjectFile, from_here, select_file};
use super::{Pair, git, in_git, in_revision, is_gone, run_versions, usage};
use crate::diagnostics::codes::difference::OLD_HAS_ERRORS;
use crate::diagnostics::{Diagnostic, Severity};
use crate::diff::{Difference, Versions, render_json};
use crate::project::Listing;
use crate::terminal::{Console, ExitStatus};
use crate::text::quoted;

/// Compares every rulebook of the project with what it was, and every one that it had with what
/// it is. Of one whose text is the same nothing is said.
pub(super) fn run(revision: &str, arguments: &DiffArguments, console: &mut Console) -> ExitStatus {
    let selection = match select_file(None, &arguments.project) {
        Ok(selection) => selection,
        Err(diagnostic) => return usage(&diagnostic, console),
    };
    let mut status = selection.complain(console);
    let Some(file) = &selection.project else {
        return status;
    };
    let listed = match listed(revision, file, console) {
        Ok(listed) => listed,
        Err(diagnostic) => return usage(&diagnostic, console),
    };
    let is_known = listed.is_some();
    if !is_known {
        status = status.max(ExitStatus::No);
    }
    let folder = &file.project.folder;
    let mut gone = listed.unwrap_or_default();
    gone.retain(|path| file.project.rulebook(&folder.join(path)).is_none());
    let mut pairs = Vec::new();
    let renames = match gone.is_empty() {
        true => Vec::new(),
        false => git::renames(revision, folder),
    };
    for target in &selection.targets {
        let renamed = renames
            .iter()
            .find(|(old, new)| gone.contains(old) && from_here(&folder.join(new)) == target.path);
        pairs.push(match renamed {
            Some((old, _)) => {
                gone.remove(old);
                in_git(revision, &from_here(&folder.join(old)), &target.path)
            }
            None => in_git(revision, &target.path, &target.path),
        });
    }
    pairs.extend(gone.iter().map(|path| without(revision, file, path)));
    let mut changed = 0;
    for pair in pairs {
        let end = match pair {
            Ok(pair) if is_same(&pair) => continue,
            Ok(pair) => {
                if changed > 0 && arguments.format != DiffFormat::Json {
                    console.answer("\n");
                }
                run_versions(&pair, arguments, console)
            }
            Err(diagnostic) => usage(&diagnostic, console),
        };
        changed += 1;
        status = status.max(end);
    }
    if changed == 0 && is_known {
        answer_nothing(revision, file, arguments.format, console);
    }
    status
}

/// The rulebooks that the project's file listed in a revision; none where that cannot be known,
/// which is said.
fn listed(
    revision: &str,
    file: &ProjectFile,
    console: &mut Console,
) -> Result<Option<BTreeSet<String>>, Diagnostic> {
    let Some(old) = in_revision(revision, &from_here(&file.path))? else {
        let name = quoted(&file.report.file);
        console.say(&format!(
            "{name} is not in {}: it listed no rulebook\n",
            quoted(revision)
        ));
        return Ok(Some(BTreeSet::new()));
    };
    let files = git::files(revision, &file.project.folder)?;
    let listing = Listing::read(&files, &old.name, &old.bytes);
    if listing.paths.is_none() {
        let all = listing.diagnostics.iter();
        let errors = all.filter(|diagnostic| diagnostic.severity() == Severity::Error);
        console.complain_all(Some(&listing.source), errors);
        let name = quoted(&old.name);
        let diagnostic = Diagnostic::without_place(
            &OLD_HAS_ERRORS,
            format!("{name} cannot be read, so a rulebook that it listed may be gone unseen"),
        )
        .with_help("compare with a revision in which the project checks");
        console.complain(&diagnostic);
    }
    Ok(listing.paths)
}

/// A rulebook that the project had, and nothing.
fn without(revision: &str, file: &ProjectFile, path: &str) -> Result<Pair, Diagnostic> {
    let path = from_here(&file.project.folder.join(path));
    let old = in_revision(revision, &path)?;
    let shown = quoted(&input::name_of(&path));
    let why = match is_gone(&path) {
        true => "is gone",
        false => "is no rulebook of the project any more",
    };
    Ok(Pair {
        old,
        new: None,
        note: Some(format!("{shown} {why}: nothing in it holds any more")),
    })
}

fn is_same(pair: &Pair) -> bool {
    match (&pair.old, &pair.new) {
        (Some(old), Some(new)) => old.bytes == new.bytes,
        (None, None) => true,
        _ => false,
    }
}

/// Says that every rulebook is as it was.
fn answer_nothing(revision: &str, file: &ProjectFile, format: DiffFormat, console: &mut Console) {
    let text = match format {
        DiffFormat::Human | DiffFormat::Markdown => format!(
            "No rulebook of the project is other than in {}.\n",
            quoted(revision)
        ),
        DiffFormat::Json => {
            let nothing = Difference {
                tools: Vec::new(),
                wordings: Vec::new(),
                names: Vec::new(),
            };
            let new = file.report.file.as_str();
            let old = format!("{new}@{revision}");
            render_json(&nothing, Versions { old: &old, new })
        }
    };
    console.answer(&text);
}
