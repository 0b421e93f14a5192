//! What a file was in a revision of its Git repository. `git` is run without a shell and from
//! the file's folder, and asked for raw contents only.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::artifacts::shown_path;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::difference::{NO_GIT, NO_REVISION};
use crate::diagnostics::codes::text::UNREADABLE;
use crate::ir::limits::MAX_ARTIFACT_BYTES;
use crate::text::{quoted, reason, visible};

/// The bytes of a file as they were in a revision; none when the revision does not have it.
///
/// # Errors
/// When there is no Git, no repository, no such revision, or the file cannot be read.
pub(super) fn read(revision: &str, path: &Path) -> Result<Option<Vec<u8>>, Diagnostic> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        let shown = shown_path(path);
        return Err(Diagnostic::without_place(
            &UNREADABLE,
            format!("`{shown}` is no name of a file that `--git` can look for"),
        ));
    };
    let repository = ask(folder, &["rev-parse", "--is-inside-work-tree"])?;
    if !repository.status.success() {
        return Err(no_git(&said(&repository))
            .with_help("name a file of a Git repository, or compare two files"));
    }
    // An option is no revision, nor is one with a path in it.
    let is_plain = !revision.is_empty() && !revision.starts_with('-') && !revision.contains(':');
    let tree = format!("{revision}^{{tree}}");
    let found = is_plain
        && ask(folder, &["rev-parse", "--verify", "--quiet", &tree])?
            .status
            .success();
    if !found {
        return Err(Diagnostic::without_place(
            &NO_REVISION,
            format!(
                "the repository does not know the revision {}",
                quoted(revision)
            ),
        )
        .with_help("name a branch, a tag or a commit; a shallow copy may have to fetch it first"));
    }
    let object = format!("{revision}:./{name}");
    if !ask(folder, &["cat-file", "-e", &object])?.status.success() {
        return Ok(None);
    }
    contents(folder, &object).map(Some)
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .env("LC_ALL", "C");
    command
}

fn ask(folder: &Path, arguments: &[&str]) -> Result<Output, Diagnostic> {
    let asked = command(folder, arguments).output();
    asked.map_err(|error| not_started(&error))
}

/// An object's bytes: no more than a rulebook may have, and one, by which the excess is noticed.
fn contents(folder: &Path, object: &str) -> Result<Vec<u8>, Diagnostic> {
    let limit = u64::try_from(MAX_ARTIFACT_BYTES)
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    let mut child = command(folder, &["cat-file", "blob", object])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| not_started(&error))?;
    let mut bytes = Vec::new();
    let read = match child.stdout.take() {
        Some(stdout) => stdout.take(limit).read_to_end(&mut bytes).map(|_| ()),
        None => Ok(()),
    };
    // Of a larger file the rest is not read, and git ends by itself.
    let ended = child.wait();
    read.map_err(|error| not_started(&error))?;
    let is_whole = ended.is_ok_and(|status| status.success());
    let is_cut = u64::try_from(bytes.len()).is_ok_and(|length| length >= limit);
    if is_whole || is_cut {
        return Ok(bytes);
    }
    Err(no_git(&format!("`git` could not read {}", quoted(object))))
}

fn not_started(error: &io::Error) -> Diagnostic {
    let diagnostic = no_git(&format!("`git` cannot be run: {}", reason(error)));
    diagnostic.with_help("install Git, or compare two files")
}

fn no_git(message: &str) -> Diagnostic {
    Diagnostic::without_place(&NO_GIT, message)
}

/// The first line that git wrote on standard error.
fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text
        .lines()
        .next()
        .unwrap_or("the file is in no repository");
    format!("git says: {}", visible(line.trim_start_matches("fatal: ")))
}
