//! Patterns of paths: `*` is any part of a name, `**` any folders. Neither takes names that begin
//! with a dot, which programs keep for themselves.

use std::collections::BTreeSet;
use std::fs::DirEntry;
use std::io::{self, ErrorKind};
use std::path::Path;

use super::paths;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes::text::UNREADABLE;
use crate::text::{Spanned, quoted, reason};

const ANY_FOLDERS: &str = "**";

/// A path whose parts may have `*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    parts: Vec<String>,
}

impl Pattern {
    /// Reads a path as a pattern.
    ///
    /// # Errors
    /// What is wrong with it as a path.
    pub(super) fn read(path: &Spanned<String>) -> Result<Self, Diagnostic> {
        let parts = paths::parts(path)?;
        Ok(Self { parts })
    }

    /// Every `.co` file.
    pub(super) fn every_source() -> Self {
        Self {
            parts: vec![ANY_FOLDERS.to_owned(), "*.co".to_owned()],
        }
    }

    /// Whether it can fit more than one path.
    pub(super) fn is_open(&self) -> bool {
        self.parts.iter().any(|part| part.contains('*'))
    }

    /// The path itself, of a pattern that is not open.
    pub(super) fn as_path(&self) -> String {
        self.parts.join("/")
    }

    /// Whether it fits a path, or a folder above it.
    pub(super) fn covers(&self, path: &str) -> bool {
        self.depths(path).next().is_some()
    }

    /// Whether it fits a path itself.
    fn is_whole(&self, path: &str) -> bool {
        let depth = path.split('/').count();
        self.depths(path).any(|fitting| fitting == depth)
    }

    /// How many names of a path it fits: of the path itself all, of a folder above it fewer.
    fn depths<'a>(&'a self, path: &'a str) -> impl Iterator<Item = usize> + 'a {
        // The indices of parts that the path so far may go on with.
        let mut open = self.closure(BTreeSet::from([0]));
        let names = path.split('/').enumerate();
        names.filter_map(move |(at, name)| {
            let mut next = BTreeSet::new();
            for at in &open {
                match self.parts.get(*at) {
                    Some(part) if part == ANY_FOLDERS && !is_hidden(name) => {
                        next.insert(*at);
                    }
                    Some(part) if part != ANY_FOLDERS && fits(part, name) => {
                        next.insert(*at + 1);
                    }
                    _ => {}
                }
            }
            open = self.closure(next);
            open.contains(&self.parts.len()).then_some(at + 1)
        })
    }

    /// `**` may stand for no folder at all.
    fn closure(&self, mut open: BTreeSet<usize>) -> BTreeSet<usize> {
        for (at, part) in self.parts.iter().enumerate() {
            if part == ANY_FOLDERS && open.contains(&at) {
                open.insert(at + 1);
            }
        }
        open
    }
}

fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

/// Whether a part of a pattern fits a name.
fn fits(part: &str, name: &str) -> bool {
    let Some((head, rest)) = part.split_once('*') else {
        return part == name;
    };
    if is_hidden(name) && !is_hidden(head) {
        return false;
    }
    let Some(mut name) = name.strip_prefix(head) else {
        return false;
    };
    // What stands between two `*` is found as early as possible, what stands behind the last one
    // at the end.
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let last = pieces.pop().unwrap_or_default();
    for piece in pieces {
        match name.split_once(piece) {
            Some((_, behind)) => name = behind,
            None => return false,
        }
    }
    name.ends_with(last)
}

/// The files below `folder` that a pattern fits, but for those that `exclude` covers, as paths
/// relative to it. Links to files are followed; `**` follows no links to folders. A link that
/// leads nowhere is found, so that it can be said.
///
/// # Errors
/// A folder that cannot be read.
pub(super) fn expand(
    folder: &Path,
    pattern: &Pattern,
    exclude: &[Pattern],
) -> Result<BTreeSet<String>, Diagnostic> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut pending = vec![(String::new(), 0)];
    while let Some((path, at)) = pending.pop() {
        if !seen.insert((path.clone(), at)) {
            continue;
        }
        let Some(part) = pattern.parts.get(at) else {
            let file = folder.join(&path);
            if file.is_file() || file.is_symlink() && !file.exists() {
                found.insert(path);
            }
            continue;
        };
        if part == ANY_FOLDERS {
            pending.push((path.clone(), at + 1));
        } else if !part.contains('*') {
            pending.extend(below(&path, part, exclude).map(|path| (path, at + 1)));
            continue;
        }
        let entries = match folder.join(&path).read_dir() {
            Ok(entries) => entries,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                continue;
            }
            Err(error) => return Err(unreadable(&path, &error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| unreadable(&path, &error))?;
            pending.extend(step(&path, at, part, &entry, exclude));
        }
    }
    Ok(found)
}

/// The same of files that are not at hand: those of `files` that a pattern fits, but for those that
/// `exclude` covers.
pub(super) fn select<'a>(
    files: &'a BTreeSet<String>,
    pattern: &'a Pattern,
    exclude: &'a [Pattern],
) -> impl Iterator<Item = &'a String> {
    files
        .iter()
        .filter(|path| pattern.is_whole(path))
        .filter(|path| !exclude.iter().any(|pattern| pattern.covers(path)))
}

/// Where an entry of the folder `path` leads to, when the pattern has come to `part`.
fn step(
    path: &str,
    at: usize,
    part: &str,
    entry: &DirEntry,
    exclude: &[Pattern],
) -> Option<(String, usize)> {
    let name = entry.file_name();
    let name = name.to_str()?;
    if part == ANY_FOLDERS {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_hidden(name) || !is_folder {
            return None;
        }
        return Some((below(path, name, exclude)?, at));
    }
    if !fits(part, name) {
        return None;
    }
    Some((below(path, name, exclude)?, at + 1))
}

/// The path of a name in a folder, unless it is excluded.
fn below(path: &str, name: &str, exclude: &[Pattern]) -> Option<String> {
    let path = match path {
        "" => name.to_owned(),
        _ => format!("{path}/{name}"),
    };
    (!exclude.iter().any(|pattern| pattern.covers(&path))).then_some(path)
}

fn unreadable(path: &str, error: &io::Error) -> Diagnostic {
    let shown = if path.is_empty() { "." } else { path };
    let message = format!("{} cannot be read: {}", quoted(shown), reason(error));
    Diagnostic::without_place(&UNREADABLE, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Span;

    fn pattern(text: &str) -> Pattern {
        Pattern::read(&Spanned::new(text.to_owned(), Span::new(0, 0))).unwrap()
    }

    #[test]
    fn a_star_is_any_part_of_a_name() {
        for (part, name, wanted) in [
            ("*", "a.co", true),
            ("*", ".a.co", false),
            (".*", ".a.co", true),
            ("*.co", "a.co", true),
            ("*.co", ".co", false),
            ("*.co", "a.co.bak", false),
            ("a*b*c", "abc", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "ac", false),
            ("a*a", "a", false),
            ("**", "a", true),
            ("é*", "éé", true),
        ] {
            assert_eq!(fits(part, name), wanted, "{part} {name}");
        }
    }

    #[test]
    fn a_pattern_covers_what_lies_below() {
        for (text, path, wanted) in [
            ("drafts", "drafts", true),
            ("drafts", "drafts/a/b.co", true),
            ("drafts", "other/drafts/a.co", false),
            ("**/drafts", "other/drafts/a.co", true),
            ("**/drafts", "drafts/a.co", true),
            ("a/**/b.co", "a/b.co", true),
            ("a/**/b.co", "a/x/y/b.co", true),
            ("a/**/b.co", "a/.x/b.co", false),
            ("*.co", "a.co", true),
            ("*.co", "p/a.co", false),
            ("**", "p/a.co", true),
        ] {
            assert_eq!(pattern(text).covers(path), wanted, "{text} {path}");
        }
    }

    #[test]
    fn files_are_found_once_and_none_that_is_excluded() {
        let folder = tempfile::tempdir().unwrap();
        for path in [
            "a.co",
            "p/a.co",
            "p/q/b.co",
            "p/.h/c.co",
            "x/y/d.co",
            "x/a.txt",
            "x/e.co/f.co",
        ] {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let found = |text: &str, exclude: &[&str]| {
            let exclude: Vec<Pattern> = exclude.iter().map(|text| pattern(text)).collect();
            let found = expand(folder.path(), &pattern(text), &exclude).unwrap();
            // Of a list of the same files, it selects the same.
            let files = [
                "a.co",
                "p/a.co",
                "p/q/b.co",
                "p/.h/c.co",
                "x/y/d.co",
                "x/a.txt",
                "x/e.co/f.co",
            ]
            .map(str::to_owned)
            .into();
            let pattern = pattern(text);
            let selected: BTreeSet<String> = select(&files, &pattern, &exclude).cloned().collect();
            assert_eq!(selected, found, "{text}");
            Vec::from_iter(found).join(" ")
        };
        assert_eq!(
            found("**/*.co", &[]),
            "a.co p/a.co p/q/b.co x/e.co/f.co x/y/d.co"
        );
        assert_eq!(
            found("**/**/**/*.co", &["x/*.co"]),
            "a.co p/a.co p/q/b.co x/y/d.co"
        );
        assert_eq!(found("**/*.co", &["p", "a.co"]), "x/e.co/f.co x/y/d.co");
        assert_eq!(found("*/*.co", &[]), "p/a.co");
        assert_eq!(found("p/a.co", &[]), "p/a.co");
        assert_eq!(found("p/a.co", &["p"]), "");
        assert_eq!(found("a.co/*", &[]), "");
        assert_eq!(found("nowhere/*", &[]), "");
    }
}
