//! A log file: lines in the order of their numbers, whoever comes first.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;

use super::LogError;
use crate::audit::chain::head;
use crate::audit::checkpoint::{Checkpoint, EVERY};
use crate::audit::line::{Line, written_time};
use crate::audit::reading::read_end;
use crate::keys::KeyRing;
use crate::store::{AuditLine, Durability, Millis, Store};

/// How many lines wait in the store before they are dropped together.
const BATCH: u64 = 1024;

/// How long a line waits for the thread that has the one before it. Behind that it is taken from
/// the store.
const PATIENCE: Duration = Duration::from_millis(20);

/// An open log file.
pub(super) struct FileLog {
    path: PathBuf,
    node: String,
    store: Arc<dyn Store>,
    keys: ArcSwap<KeyRing>,
    written: Mutex<Written>,
    arrived: Condvar,
    /// Locked before `written`, where both are.
    synced: Mutex<Synced>,
}

/// What stands in the file.
struct Written {
    file: Arc<File>,
    length: u64,
    /// The number of the line that comes next.
    next: u64,
    /// Lines that came before their turn.
    early: BTreeMap<u64, String>,
    /// The last line, if one was written since the file was opened.
    last: Option<AuditLine>,
    /// Checkpoints that are due.
    owed: Vec<Checkpoint>,
    /// Why nothing more is written.
    broken: Option<LogError>,
}

/// What stands on the disk, and is not in the store any more.
struct Synced {
    through: u64,
    dropped: u64,
}

impl Written {
    /// Whether the file is as it was left.
    fn check(&self) -> Result<(), LogError> {
        if let Some(broken) = &self.broken {
            return Err(broken.clone());
        }
        let metadata = self.file.metadata().map_err(LogError::of)?;
        match metadata.len() == self.length && metadata.nlink() > 0 {
            true => Ok(()),
            false => Err(LogError::Changed),
        }
    }
}

impl FileLog {
    /// A log whose file has all lines through `last`, and the store those behind `dropped`.
    pub(super) fn new(
        path: &Path,
        file: File,
        (store, keys): (Arc<dyn Store>, Arc<KeyRing>),
        node: &str,
        (dropped, last): (u64, Option<AuditLine>),
        length: u64,
    ) -> Self {
        Self {
            path: path.to_owned(),
            node: node.to_owned(),
            store,
            keys: ArcSwap::new(keys),
            written: Mutex::new(Written {
                file: Arc::new(file),
                length,
                next: last.as_ref().map_or(dropped, |last| last.seq) + 1,
                early: BTreeMap::new(),
                last,
                owed: Vec::new(),
                broken: None,
            }),
            arrived: Condvar::new(),
            synced: Mutex::new(Synced {
                through: 0,
                dropped,
            }),
        }
    }

    pub(super) fn write(&self, lines: &[AuditLine], sync: bool) -> Result<(), LogError> {
        let Some(last) = lines.iter().map(|line| line.seq).max() else {
            return Ok(());
        };
        let mut written = self.written();
        // First: lines that cannot be written wait in the store, not here.
        written.check()?;
        let next = written.next;
        for line in lines.iter().filter(|line| line.seq >= next) {
            written.early.insert(line.seq, line.text.clone());
        }
        let written = match self.write_through(written, last) {
            Ok(written) => written,
            Err(error) => {
                self.written().early.clear();
                return Err(error);
            }
        };
        drop(written);
        let mut synced = self.synced();
        if sync && synced.through < last {
            self.sync(&mut synced)?;
        }
        if last >= synced.dropped + BATCH {
            self.drop_kept(&mut synced)?;
        }
        Ok(())
    }

    /// Writes what has its turn, until `last` stands in the file.
    fn write_through<'w>(
        &'w self,
        mut written: MutexGuard<'w, Written>,
        last: u64,
    ) -> Result<MutexGuard<'w, Written>, LogError> {
        let mut is_complete = false;
        loop {
            let before = written.next;
            self.write_ready(&mut written)?;
            if written.next > before {
                self.arrived.notify_all();
            }
            if written.next > last {
                return Ok(written);
            }
            if is_complete {
                return Err(LogError::Missing(written.next));
            }
            let (guard, waited) = self
                .arrived
                .wait_timeout(written, PATIENCE)
                .unwrap_or_else(PoisonError::into_inner);
            written = guard;
            if waited.timed_out() && written.next <= last {
                self.fetch(&mut written)?;
                is_complete = true;
            }
        }
    }

    /// Takes lines from the store: it has all that come before one that is committed.
    fn fetch(&self, written: &mut Written) -> Result<(), LogError> {
        let mut pending = Vec::new();
        self.store
            .transact(Durability::Relaxed, &mut |transaction| {
                pending = transaction.pending_lines(&self.node)?;
                Ok(())
            })?;
        let next = written.next;
        let missing = pending.into_iter().filter(|line| line.seq >= next);
        written
            .early
            .extend(missing.map(|line| (line.seq, line.text)));
        Ok(())
    }

    /// Writes the lines that follow the last one without a gap.
    fn write_ready(&self, written: &mut Written) -> Result<(), LogError> {
        written.check()?;
        self.write_owed(written)?;
        let mut text = String::new();
        let mut next = written.next;
        let mut last = None;
        let mut due = Vec::new();
        while let Some(line) = written.early.get(&next) {
            text.push_str(line);
            text.push('\n');
            let line = AuditLine {
                seq: next,
                text: line.clone(),
            };
            if next.is_multiple_of(EVERY) {
                due.push(line.clone());
            }
            last = Some(line);
            next += 1;
        }
        if text.is_empty() {
            return Ok(());
        }
        if let Err(error) = (&*written.file).write_all(text.as_bytes()) {
            // A part of a line may stand there: it is taken back, or nothing more is written.
            if let Err(error) = written.file.set_len(written.length) {
                written.broken = Some(LogError::of(error));
            }
            return Err(LogError::of(error));
        }
        written.length += u64::try_from(text.len()).unwrap_or(u64::MAX);
        written.next = next;
        written.last = last;
        written.early = written.early.split_off(&next);
        for line in due {
            let checkpoint = self.checkpoint(&line, None).map_err(LogError::of)?;
            written.owed.push(checkpoint);
        }
        self.write_owed(written)
    }

    fn write_owed(&self, written: &mut Written) -> Result<(), LogError> {
        while let Some(checkpoint) = written.owed.first() {
            checkpoint
                .append_to(&Checkpoint::path_of(&self.path))
                .map_err(LogError::of)?;
            written.owed.remove(0);
        }
        Ok(())
    }

    /// A checkpoint at a line; the last one of its file where `rotated` says when.
    fn checkpoint(&self, line: &AuditLine, rotated: Option<Millis>) -> io::Result<Checkpoint> {
        let keys = self.keys.load();
        let own_time = || Line::read(&line.text).map(|line| line.time);
        let time = rotated.map(written_time).or_else(own_time);
        Checkpoint::signed(
            &keys,
            &self.node,
            line.seq,
            time.unwrap_or_default(),
            head(&keys, line).hash,
            rotated.is_some(),
        )
    }

    /// Waits for the disk: one thread for all whose lines are written.
    fn sync(&self, synced: &mut Synced) -> Result<(), LogError> {
        let (file, through) = {
            let written = self.written();
            if let Some(broken) = &written.broken {
                return Err(broken.clone());
            }
            (Arc::clone(&written.file), written.next - 1)
        };
        if let Err(error) = file.sync_data() {
            // What did not reach the disk is not tried again by the system: none of it counts.
            let error = LogError::of(error);
            self.written().broken = Some(error.clone());
            return Err(error);
        }
        synced.through = through;
        Ok(())
    }

    fn drop_kept(&self, synced: &mut Synced) -> Result<(), LogError> {
        self.sync(synced)?;
        let through = synced.through;
        if through > synced.dropped {
            self.store
                .transact(Durability::Relaxed, &mut |transaction| {
                    transaction.drop_lines(&self.node, through)
                })?;
            synced.dropped = through;
        }
        Ok(())
    }

    pub(super) fn settle(&self) -> Result<(), LogError> {
        self.drop_kept(&mut self.synced())
    }

    pub(super) fn rotate(&self, at: Millis) -> Result<(), LogError> {
        let mut synced = self.synced();
        let mut written = self.written();
        let own = written.file.metadata().map_err(LogError::of)?;
        match std::fs::metadata(&self.path) {
            Ok(there) if (there.dev(), there.ino()) == (own.dev(), own.ino()) => return Ok(()),
            Ok(there) if there.len() > 0 => return Err(LogError::OtherStore),
            _ => {}
        }
        written.file.sync_data().map_err(LogError::of)?;
        if let Some(last) = &written.last {
            self.checkpoint(last, Some(at))
                .and_then(|checkpoint| checkpoint.append_to(&Checkpoint::path_of(&self.path)))
                .map_err(LogError::of)?;
        }
        let file = open_locked(&self.path)?;
        sync_folder(&self.path).map_err(LogError::of)?;
        written.file = Arc::new(file);
        written.length = 0;
        written.broken = None;
        synced.through = written.next - 1;
        Ok(())
    }

    pub(super) fn set_keys(&self, keys: Arc<KeyRing>) {
        self.keys.store(keys);
    }

    pub(super) fn tail(&self, most: usize) -> Vec<AuditLine> {
        let file = Arc::clone(&self.written().file);
        let Ok(end) = read_end(&file, |lines| lines.len() >= most) else {
            return Vec::new();
        };
        let skipped = end.lines.len().saturating_sub(most);
        let lines = end.lines.into_iter().skip(skipped);
        lines
            .filter_map(|line| {
                let text = String::from_utf8(line).ok()?;
                let seq = Line::read(&text)?.seq;
                Some(AuditLine { seq, text })
            })
            .collect()
    }

    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn synced(&self) -> MutexGuard<'_, Synced> {
        self.synced.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens a log file for appending, makes it where there is none, and locks it.
pub(super) fn open_locked(path: &Path) -> Result<File, LogError> {
    let mut options = OpenOptions::new();
    let file = options
        .read(true)
        .append(true)
        .create(true)
        .mode(0o600)
        .open(path)
        .map_err(LogError::of)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(LogError::InUse),
        Err(TryLockError::Error(error)) => Err(LogError::of(error)),
    }
}

/// Brings a folder's entries to the disk.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    File::open(folder)?.sync_all()
}
