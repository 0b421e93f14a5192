//! Opening a log file: file and store are compared, and what a crash left is mended.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::LogError;
use super::file::{FileLog, open_locked, sync_folder};
use crate::audit::chain::{Link, append, head, link, link_to_origin};
use crate::audit::checkpoint::Checkpoint;
use crate::audit::entry::{Entry, Kind};
use crate::audit::line::Line;
use crate::audit::reading::{End, read_end};
use crate::keys::KeyRing;
use crate::store::{AuditLine, ChainHead, Durability, Millis, Store};

/// Most files that torn lines of one number are moved to.
const MOST_TORN: u32 = 1000;

/// What the store knows.
struct Known {
    head: Option<ChainHead>,
    pending: Vec<AuditLine>,
}

impl Known {
    /// The last line that the file must have.
    fn dropped(&self) -> u64 {
        let through_head = self.head.as_ref().map_or(0, |head| head.seq);
        self.pending
            .first()
            .map_or(through_head, |first| first.seq.saturating_sub(1))
    }

    /// The hash of that line; none where it is none.
    fn hash_at_dropped(&self) -> Option<String> {
        match self.pending.first() {
            Some(first) => Line::read(&first.text).map(|line| line.prev),
            None => self.head.as_ref().map(|head| head.hash.clone()),
        }
        .filter(|_| self.dropped() > 0)
    }
}

pub(super) fn open(
    path: &Path,
    store: Arc<dyn Store>,
    keys: Arc<KeyRing>,
    node: &str,
    at: Millis,
) -> Result<FileLog, LogError> {
    let mut known = Known {
        head: None,
        pending: Vec::new(),
    };
    store.transact(Durability::Relaxed, &mut |transaction| {
        known.head = transaction.chain_head(node)?;
        known.pending = transaction.pending_lines(node)?;
        Ok(())
    })?;
    let dropped = known.dropped();
    let is_there = path.try_exists().map_err(LogError::of)?;
    if !is_there && dropped > 0 && rotated_at(path, &keys, node, &known)?.is_none() {
        return Err(LogError::Cut {
            file: 0,
            store: dropped,
        });
    }
    let mut file = open_locked(path)?;
    let end = read_end(&file, |lines| {
        lines
            .first()
            .and_then(|line| read(line))
            .is_some_and(|line| line.seq <= dropped)
    })
    .map_err(LogError::of)?;
    let lines = compare(path, &end, &known, &keys, node)?;
    let last = lines.last().map_or(dropped, |line| line.seq);

    let is_torn = end.torn_at < end.length;
    if is_torn {
        move_aside(path, &mut file, end.torn_at, last + 1).map_err(LogError::of)?;
    }
    let through = known.head.as_ref().map_or(0, |head| head.seq);
    let unknown: Vec<AuditLine> = lines
        .into_iter()
        .filter(|line| line.seq > through)
        .collect();
    let mut missing: Vec<AuditLine> = known
        .pending
        .into_iter()
        .filter(|line| line.seq > last)
        .collect();
    if is_torn || !unknown.is_empty() {
        let mut repair = None;
        store.transact(Durability::Durable, &mut |transaction| {
            for line in &unknown {
                transaction.push_line(node, line, &head(&keys, line))?;
            }
            let entry = Entry::of(Kind::Repair);
            repair = Some(append(transaction, &keys, node, at, entry)?);
            Ok(())
        })?;
        missing.extend(repair);
    }
    sync_folder(path).map_err(LogError::of)?;
    let last_line = end.lines.last().and_then(|line| {
        let text = String::from_utf8(line.clone()).ok()?;
        Some(AuditLine { seq: last, text })
    });
    let log = FileLog::new(
        path,
        file,
        (store, keys),
        node,
        (dropped, last_line),
        end.torn_at,
    );
    log.write(&missing, true)?;
    log.settle()?;
    Ok(log)
}

fn read(line: &[u8]) -> Option<Line> {
    Line::read(std::str::from_utf8(line).ok()?)
}

/// Whether the file ends as the store says. The lines behind the last that it must have.
fn compare(
    path: &Path,
    end: &End,
    known: &Known,
    keys: &KeyRing,
    node: &str,
) -> Result<Vec<AuditLine>, LogError> {
    let dropped = known.dropped();
    let anchor = known.hash_at_dropped();
    let mut lines = Vec::new();
    // From the last one back, to the last one that must be there.
    let mut expected = None;
    let mut is_anchored = false;
    for bytes in end.lines.iter().rev() {
        let text = std::str::from_utf8(bytes).map_err(|_| altered(expected, dropped))?;
        let line = Line::read(text).ok_or_else(|| altered(expected, dropped))?;
        if line.node != node {
            return Err(LogError::OtherNode(line.node));
        }
        if expected.is_some_and(|seq| line.seq != seq) {
            return Err(altered(expected, dropped));
        }
        if line.seq < dropped {
            return Err(LogError::Cut {
                file: line.seq,
                store: dropped,
            });
        }
        if line.seq == dropped {
            let hash = anchor.as_deref().unwrap_or_default();
            require(link(keys, text, hash), hash, line.seq)?;
            is_anchored = true;
            break;
        }
        expected = Some(line.seq.saturating_sub(1));
        lines.push((line, text.to_owned()));
    }
    lines.reverse();
    match lines.first() {
        _ if is_anchored => {}
        None if dropped == 0 => {}
        Some((first, _)) if first.seq == dropped + 1 && dropped == 0 => {
            let linked = link_to_origin(keys, node, &first.prev);
            if linked == Link::Broken {
                return Err(LogError::OtherStore);
            }
            require(linked, &first.prev, first.seq)?;
        }
        // The file that had the lines before was moved away.
        Some((first, _)) if first.seq != dropped + 1 => return Err(altered(None, dropped + 1)),
        first => {
            let file = first.map_or(0, |_| dropped);
            let rotated = rotated_at(path, keys, node, known)?;
            if rotated.is_none() || !end.is_whole {
                return Err(LogError::Cut {
                    file,
                    store: dropped,
                });
            }
        }
    }
    follow(&lines, known, keys)?;
    Ok(lines
        .into_iter()
        .map(|(line, text)| AuditLine {
            seq: line.seq,
            text,
        })
        .collect())
}

/// Whether lines behind the last that must be there are those that the store keeps, and any
/// further ones continue the chain.
fn follow(lines: &[(Line, String)], known: &Known, keys: &KeyRing) -> Result<(), LogError> {
    let kept: BTreeMap<u64, &str> = known
        .pending
        .iter()
        .map(|line| (line.seq, line.text.as_str()))
        .collect();
    let (through, hash) = known
        .head
        .as_ref()
        .map_or((0, None), |head| (head.seq, Some(head.hash.as_str())));
    let mut before: Option<&str> = None;
    for (line, text) in lines {
        let holds = if line.seq <= through {
            kept.get(&line.seq) == Some(&text.as_str())
        } else if line.seq == through + 1 && hash.is_some() {
            hash == Some(line.prev.as_str())
        } else if let Some(before) = before {
            require(link(keys, before, &line.prev), &line.prev, line.seq)?;
            true
        } else {
            // The very first line: tied to the node's name above.
            true
        };
        if !holds {
            return Err(LogError::Altered(line.seq));
        }
        before = Some(text);
    }
    Ok(())
}

fn altered(expected: Option<u64>, dropped: u64) -> LogError {
    LogError::Altered(expected.unwrap_or(dropped))
}

fn require(link: Link, hash: &str, seq: u64) -> Result<(), LogError> {
    match link {
        Link::Holds => Ok(()),
        Link::Broken => Err(LogError::Altered(seq)),
        Link::KeyUnknown => {
            let id = hash.split(':').next().unwrap_or_default();
            Err(LogError::KeyUnknown(id.to_owned()))
        }
    }
}

/// The checkpoint that says that a file was moved away behind the last line that must be there.
fn rotated_at(
    path: &Path,
    keys: &KeyRing,
    node: &str,
    known: &Known,
) -> Result<Option<Checkpoint>, LogError> {
    let checkpoints = Checkpoint::read_all(&Checkpoint::path_of(path)).map_err(LogError::of)?;
    let anchor = known.hash_at_dropped();
    Ok(checkpoints.into_iter().find(|checkpoint| {
        checkpoint.rotated
            && checkpoint.node == node
            && checkpoint.seq == known.dropped()
            && Some(&checkpoint.head) == anchor.as_ref()
            && checkpoint.is_signed(keys)
    }))
}

/// Moves what follows the last whole line into a file of its own.
fn move_aside(path: &Path, file: &mut File, from: u64, seq: u64) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    let mut torn = (0..MOST_TORN)
        .map(|count| torn_path(path, seq, count))
        .map(|path| options.open(path))
        .find(
            |opened| !matches!(opened, Err(error) if error.kind() == io::ErrorKind::AlreadyExists),
        )
        .unwrap_or_else(|| Err(io::ErrorKind::AlreadyExists.into()))?;
    file.seek(io::SeekFrom::Start(from))?;
    io::copy(file, &mut torn)?;
    torn.flush()?;
    torn.sync_all()?;
    file.set_len(from)?;
    file.sync_all()
}

fn torn_path(path: &Path, seq: u64, count: u32) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".torn-{seq}"));
    if count > 0 {
        name.push(format!("-{count}"));
    }
    PathBuf::from(name)
}
