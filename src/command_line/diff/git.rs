//! What a file was in a revision of its Git repository, and which files there were. `git` is run
//! without a shell and from the file's folder, and asked for raw contents and names only.

use std::collections::BTreeSet;
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
    let (folder, name) = place(path)?;
    let tree = require(revision, folder)?;
    // Whether it is there is asked of the tree alone: an object that cannot be read is no new file.
    let name = format!("./{name}");
    let entry = ask(folder, &["ls-tree", "-z", &tree, "--", &name])?;
    if !entry.status.success() {
        return Err(no_git(&said(&entry)));
    }
    let entry = String::from_utf8_lossy(&entry.stdout);
    let mut parts = entry.split([' ', '\t']);
    match (parts.next(), parts.nth(1)) {
        (Some(mode), Some(object)) if mode.starts_with("100") => contents(folder, object).map(Some),
        (Some(""), None) => Ok(None),
        _ => Err(Diagnostic::without_place(
            &UNREADABLE,
            format!(
                "`{}` is no file in {}: it is a link or a folder there",
                shown_path(path),
                quoted(revision)
            ),
        )),
    }
}

/// The paths of the files that a revision has below a folder, from that folder on. Names that are
/// no UTF-8 are left out: nothing can name them.
///
/// # Errors
/// Like those of [`read`].
pub(super) fn files(revision: &str, folder: &Path) -> Result<BTreeSet<String>, Diagnostic> {
    let tree = require(revision, folder)?;
    let listed = ask(folder, &["ls-tree", "-r", "--name-only", "-z", &tree])?;
    if !listed.status.success() {
        return Err(no_git(&said(&listed)));
    }
    Ok(names(&listed.stdout).flatten().collect())
}

/// The files below a folder that have another name than in a revision, or are mostly such: their
/// old path and their new one, from that folder on. Of what Git cannot tell there is none.
pub(super) fn renames(revision: &str, folder: &Path) -> Vec<(String, String)> {
    let arguments = [
        "diff",
        "--no-ext-diff",
        "--find-renames",
        "--diff-filter=R",
        "--relative",
        "--name-status",
        "-z",
        revision,
        "--",
    ];
    let Some(told) = ask(folder, &arguments)
        .ok()
        .filter(|told| told.status.success())
    else {
        return Vec::new();
    };
    let mut names = names(&told.stdout);
    let mut renames = Vec::new();
    // Each is a letter with a likeness, an old path and a new one.
    while let (Some(_), Some(old), Some(new)) = (names.next(), names.next(), names.next()) {
        renames.extend(old.zip(new));
    }
    renames
}

/// The texts of a list that ends each with a zero byte; none for what is no UTF-8.
fn names(list: &[u8]) -> impl Iterator<Item = Option<String>> {
    let names = list.split(|byte| *byte == 0);
    names
        .filter(|name| !name.is_empty())
        .map(|name| std::str::from_utf8(name).ok().map(str::to_owned))
}

/// The nearest folder above a path that there is, and the path from it on.
fn place(path: &Path) -> Result<(&Path, String), Diagnostic> {
    let here = Path::new(".");
    for ancestor in path.ancestors().skip(1) {
        let folder = if ancestor.as_os_str().is_empty() {
            here
        } else {
            ancestor
        };
        if !folder.is_dir() {
            continue;
        }
        let rest = path.strip_prefix(ancestor).ok();
        let parts = rest.map(|rest| rest.iter().map(|part| part.to_str()));
        if let Some(parts) = parts.and_then(|parts| parts.collect::<Option<Vec<&str>>>())
            && !parts.is_empty()
        {
            return Ok((folder, parts.join("/")));
        }
        break;
    }
    let shown = shown_path(path);
    Err(Diagnostic::without_place(
        &UNREADABLE,
        format!("`{shown}` is no name of a file that `--git` can look for"),
    ))
}

/// The id of a revision's tree; requires a repository around the folder, and that it knows the
/// revision.
fn require(revision: &str, folder: &Path) -> Result<String, Diagnostic> {
    let repository = ask(folder, &["rev-parse", "--is-inside-work-tree"])?;
    if !repository.status.success() {
        return Err(no_git(&said(&repository))
            .with_help("name a file of a Git repository, or compare two files"));
    }
    // An option is no revision, nor is one with a path in it.
    let is_plain = !revision.is_empty() && !revision.starts_with('-') && !revision.contains(':');
    let tree = if is_plain {
        tree(folder, revision)?
    } else {
        None
    };
    let Some(tree) = tree else {
        return Err(Diagnostic::without_place(
            &NO_REVISION,
            format!(
                "the repository does not know the revision {}",
                quoted(revision)
            ),
        )
        .with_help("name a branch, a tag or a commit; a shallow copy may have to fetch it first"));
    };
    Ok(tree)
}

/// The id of a revision's tree; none where the repository knows no such revision.
fn tree(folder: &Path, revision: &str) -> Result<Option<String>, Diagnostic> {
    let tree = format!("{revision}^{{tree}}");
    let answer = ask(folder, &["rev-parse", "--verify", "--quiet", &tree])?;
    let id = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    // A range or an exclusion (`^main`) is answered too, but names no tree.
    let is_id = matches!(id.len(), 40 | 64) && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    Ok((answer.status.success() && is_id).then_some(id))
}

/// What a hook of Git sets for its own calls. With these a path would be looked for in another
/// repository, or from another folder than its own.
const OWN_OF_HOOKS: [&str; 8] = [
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_WORK_TREE",
];

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    for variable in OWN_OF_HOOKS {
        command.env_remove(variable);
    }
    command
        .arg("--literal-pathspecs")
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
