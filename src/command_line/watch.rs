//! `--watch`: runs a command again whenever a file that it looks at has changed.
//!
//! The system says when something happens in a folder; what changed is then found by comparing the
//! files with what they were. So neither an editor that replaces a file instead of writing it, nor
//! a program that reads it, nor one that writes the same bytes again, is taken for something else.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::input;
use crate::artifacts::shown_path;
use crate::provenance::sha256;
use crate::terminal::{Console, ExitStatus, plural};
use crate::text::escaped;

/// How long nothing must happen before a change is looked at: editors and `git checkout` write
/// several files, or one in several steps.
const QUIET: Duration = Duration::from_millis(50);
/// After so many further events a change is looked at though more may come.
const MOST_EVENTS: usize = 200;
/// How often files are looked at where the system does not say when something happens.
const PERIOD: Duration = Duration::from_millis(500);
/// Most folders below one that are watched for new files, the nearest first.
const MOST_FOLDERS: usize = 512;

/// What a command looks at.
#[derive(Debug, Default)]
pub(super) struct Concern {
    /// The files, there or not.
    pub(super) files: BTreeSet<PathBuf>,
    /// Folders in which new files may matter, with all that lie below them.
    pub(super) folders: BTreeSet<PathBuf>,
}

/// Runs a command, and again after every change of what concerns it, until nobody reads what it
/// says any more. What concerns it is asked anew each time, since a change may change that too.
pub(super) fn watch(
    console: &mut Console,
    concern: impl Fn() -> Concern,
    mut run: impl FnMut(&mut Console) -> ExitStatus,
) -> ExitStatus {
    let mut watcher = Watcher::new();
    let mut seen = watcher.look(&concern());
    if let Some(reason) = &watcher.why_polling {
        console.say(&format!(
            "the system does not tell of changes ({}); looking for them every half second\n",
            escaped(reason)
        ));
    }
    loop {
        let status = run(console);
        console.flush();
        if console.is_closed() {
            return status;
        }
        let files = plural(seen.len(), "file");
        console.say(&format!("watching {files}; Ctrl-C ends\n"));
        let changes = loop {
            watcher.wait();
            let now = watcher.look(&concern());
            let changes = differences(&seen, &now);
            seen = now;
            if !changes.is_empty() {
                break changes;
            }
        };
        console.clear();
        console.say(&format!("\n--- {}\n", changes.join(", ")));
    }
}

/// What files are: a hash of their bytes; none where one cannot be read.
type Snapshot = BTreeMap<PathBuf, Option<String>>;

fn snapshot(files: &BTreeSet<PathBuf>) -> Snapshot {
    let hash = |path: &PathBuf| input::read(path).ok().map(|bytes| sha256(&bytes));
    files
        .iter()
        .map(|path| (path.clone(), hash(path)))
        .collect()
}

/// What is different, in words; of many changes the first. Which files there are to look at may
/// follow from what is in another, and then only that is said.
fn differences(before: &Snapshot, after: &Snapshot) -> Vec<String> {
    const MOST_NAMED: usize = 3;
    let is_in_both = |path: &&PathBuf| before.contains_key(*path) && after.contains_key(*path);
    let describe = |path: &&PathBuf| {
        let then = before.get(*path).cloned().flatten();
        let now = after.get(*path).cloned().flatten();
        let what = match (then, now) {
            (then, now) if then == now => return None,
            (None, _) => "is new",
            (_, None) => "is gone",
            _ => "changed",
        };
        Some(format!("{} {what}", shown_path(path)))
    };
    let paths: BTreeSet<&PathBuf> = before.keys().chain(after.keys()).collect();
    let (both, one): (Vec<_>, Vec<_>) = paths.into_iter().partition(is_in_both);
    let mut changes: Vec<String> = both.iter().filter_map(describe).collect();
    if changes.is_empty() {
        changes = one.iter().filter_map(describe).collect();
    }
    let more = changes.len().saturating_sub(MOST_NAMED);
    if more > 0 {
        changes.truncate(MOST_NAMED);
        changes.push(format!("{more} more"));
    }
    changes
}

/// The system's news of folders.
struct Watcher {
    system: Option<RecommendedWatcher>,
    news: Receiver<()>,
    watched: BTreeSet<PathBuf>,
    /// Why there are no news.
    why_polling: Option<String>,
}

impl Watcher {
    fn new() -> Self {
        let (sender, news) = mpsc::channel();
        let system = notify::recommended_watcher(move |event: notify::Result<Event>| {
            // That a file is read is no news: we read them ourselves. A fault may hide one.
            if event.map_or(true, |event| !event.kind.is_access()) {
                // Where nobody listens any more, the program is about to end.
                let _ = sender.send(());
            }
        });
        let why_polling = system.as_ref().err().map(reason);
        Self {
            system: system.ok(),
            news,
            watched: BTreeSet::new(),
            why_polling,
        }
    }

    /// Sees to it that changes from now on are told, then looks at the files.
    fn look(&mut self, concern: &Concern) -> Snapshot {
        if let Some(system) = &mut self.system {
            // All of them again: a folder that was deleted and made anew is no longer watched.
            for folder in std::mem::take(&mut self.watched) {
                // One that is gone needs no end.
                let _ = system.unwatch(&folder);
            }
            for folder in folders(concern) {
                match system.watch(&folder, RecursiveMode::NonRecursive) {
                    Ok(()) => {
                        self.watched.insert(folder);
                    }
                    // It went away in the meantime, which is news of another folder.
                    Err(_) if !folder.is_dir() => {}
                    Err(error) => self.why_polling = Some(reason(&error)),
                }
            }
        }
        if self.why_polling.is_some() {
            self.system = None;
        }
        snapshot(&concern.files)
    }

    /// Waits until something happened, and then until nothing more does.
    fn wait(&mut self) {
        if self.system.is_none() {
            // What is left in the channel is old; none of it keeps us from waiting.
            while self.news.try_recv().is_ok() {}
            std::thread::sleep(PERIOD);
            return;
        }
        if self.news.recv().is_err() {
            self.system = None;
            return;
        }
        for _ in 0..MOST_EVENTS {
            match self.news.recv_timeout(QUIET) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
    }
}

fn reason(error: &notify::Error) -> String {
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => "too many files are watched already".to_owned(),
        notify::ErrorKind::Io(error) => crate::text::reason(error),
        _ => error.to_string(),
    }
}

/// The folders to watch: those of the files, where links lead too, and those for new files. In the
/// place of one that is not there stands the nearest above it.
fn folders(concern: &Concern) -> BTreeSet<PathBuf> {
    let mut folders = BTreeSet::new();
    for file in &concern.files {
        folders.insert(nearest_folder(file.parent().unwrap_or(Path::new("."))));
        if file.is_symlink()
            && let Ok(real) = file.canonicalize()
            && let Some(folder) = real.parent()
        {
            folders.insert(folder.to_path_buf());
        }
    }
    for folder in &concern.folders {
        folders.extend(folders_below(nearest_folder(folder)));
    }
    folders
}

fn nearest_folder(folder: &Path) -> PathBuf {
    let named = |folder: &Path| match folder.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => folder.to_path_buf(),
    };
    let mut ancestors = folder.ancestors().map(named);
    ancestors
        .find(|folder| folder.is_dir())
        .unwrap_or_else(|| PathBuf::from("."))
}

/// A folder and those below it, but for those whose names begin with a dot; links are not followed.
fn folders_below(folder: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = VecDeque::from([folder]);
    while let Some(folder) = pending.pop_front() {
        if found.len() == MOST_FOLDERS {
            break;
        }
        let entries = folder.read_dir().into_iter().flatten().flatten();
        pending.extend(
            entries
                .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
                .filter(|entry| !input::is_hidden(&entry.file_name()))
                .map(|entry| entry.path()),
        );
        found.push(folder);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_said_in_words() {
        let snapshot = |files: &[(&str, Option<&str>)]| -> Snapshot {
            let files = files.iter();
            let owned =
                |(path, hash): &(&str, Option<&str>)| ((*path).into(), hash.map(str::to_owned));
            files.map(owned).collect()
        };
        let before = snapshot(&[
            ("a.co", Some("1")),
            ("b.co", Some("1")),
            ("c.co", None),
            ("d.co", None),
        ]);
        let after = snapshot(&[
            ("a.co", Some("2")),
            ("b.co", None),
            ("c.co", None),
            ("d.co", Some("1")),
            ("e.co", Some("1")),
        ]);
        assert_eq!(
            differences(&before, &after),
            ["a.co changed", "b.co is gone", "d.co is new"]
        );
        let fewer = snapshot(&[("a.co", Some("1")), ("b.co", Some("1"))]);
        assert_eq!(differences(&before, &fewer), [""; 0]);
        assert_eq!(differences(&after, &after), [""; 0]);
        let many: Vec<String> = (0..9).map(|number| format!("{number}.co")).collect();
        let many: Vec<_> = many.iter().map(|name| (name.as_str(), Some("1"))).collect();
        let said = differences(&snapshot(&[]), &snapshot(&many)).join(", ");
        assert_eq!(said, "0.co is new, 1.co is new, 2.co is new, 6 more");
    }

    #[test]
    fn folders_are_those_of_the_files_and_those_below() {
        let place = tempfile::tempdir().unwrap();
        let at = |path: &str| place.path().join(path);
        for folder in ["a/b", "a/.git/objects", "c"] {
            std::fs::create_dir_all(at(folder)).unwrap();
        }
        let concern = Concern {
            files: BTreeSet::from([at("c/x.co"), at("gone/deep/y.co")]),
            folders: BTreeSet::from([at("a")]),
        };
        let found: Vec<PathBuf> = folders(&concern).into_iter().collect();
        assert_eq!(found, [at("").join(""), at("a"), at("a/b"), at("c")]);
        assert_eq!(nearest_folder(Path::new("")), Path::new("."));
    }
}
