//! Verifying a log: whether every line is there, in order, as it was written.

mod links;
mod report;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::chain::{Link, link, link_to_origin};
use super::checkpoint::Checkpoint;
use super::entry::Kind;
use super::line::Line;
use super::reading::{Piece, next_line};
use crate::keys::KeyRing;
use crate::store::StoredChain;
use crate::text::reason;

use links::Links;
pub use report::{Chain, Fault, Finding, Report, Tail, VerifyError};

/// What `--config gateway.yaml` adds: keys, and where the chain stands.
#[derive(Clone, Copy)]
pub struct Known<'k> {
    /// The keys.
    pub keys: &'k KeyRing,
    /// The node.
    pub node: &'k str,
    /// What the store knows, read before the file is; none where there is no store.
    pub stored: Option<&'k StoredChain>,
    /// The log that the configuration names: its checkpoints are those of files moved away too.
    pub log: Option<&'k Path>,
}

/// Verifies a log file (contract section 5). Without keys only what needs none is checked: that
/// every line is one, that none is missing or moved, and that a call has one decision.
///
/// # Errors
/// The file cannot be read.
pub fn verify(path: &Path, known: Option<Known<'_>>) -> Result<Report, VerifyError> {
    let unusable = |error: io::Error| VerifyError(reason(&error));
    let file = File::open(path).map_err(unusable)?;
    let mut checkpoints = Vec::new();
    for beside in checkpoint_files(path, known) {
        checkpoints.extend(Checkpoint::read_all(&beside).map_err(unusable)?);
    }
    let mut verifier = Verifier::new(known, checkpoints);
    let mut reader = BufReader::with_capacity(1 << 18, file);
    while let Some(piece) = next_line(&mut reader).map_err(unusable)? {
        verifier.line += 1;
        match piece {
            Piece::Line(text) => verifier.read(text),
            Piece::Unreadable => verifier.unreadable(),
            Piece::Torn => verifier.report.find(verifier.line, None, Fault::Torn),
        }
    }
    Ok(verifier.finish())
}

/// The checkpoints of the log that the configuration names, and those that lie beside the file:
/// its own, or those of the log that it was moved away from, `LOG.checkpoints` beside `LOG.1`.
fn checkpoint_files(path: &Path, known: Option<Known<'_>>) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    if let Some(log) = known.and_then(|known| known.log) {
        found.insert(Checkpoint::path_of(log));
    }
    let mut stem = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    while let Some(name) = stem {
        let beside = Checkpoint::path_of(&path.with_file_name(&name));
        if beside.is_file() && found.insert(beside) {
            break;
        }
        stem = name
            .rsplit_once(['.', '-'])
            .map(|(stem, _)| stem.to_owned());
    }
    found
}

struct Verifier<'k> {
    known: Option<Known<'k>>,
    report: Report,
    /// The line of the file that is being read.
    line: u64,
    checkpoints: BTreeMap<u64, Vec<Checkpoint>>,
    /// The highest number so far, and the text of the line that was read last.
    highest: u64,
    before: Option<(u64, String)>,
    links: Links,
    /// Numbers that were left out, by the first: the last, and the line that they lack before.
    missing: BTreeMap<u64, (u64, u64)>,
    decided: BTreeSet<[u8; 16]>,
}

impl<'k> Verifier<'k> {
    fn new(known: Option<Known<'k>>, read: Vec<Checkpoint>) -> Self {
        let mut checkpoints: BTreeMap<u64, Vec<Checkpoint>> = BTreeMap::new();
        for checkpoint in read {
            // One that nobody here signed says nothing.
            if known.is_none_or(|known| checkpoint.is_signed(known.keys)) {
                checkpoints
                    .entry(checkpoint.seq)
                    .or_default()
                    .push(checkpoint);
            }
        }
        Self {
            known,
            report: Report::new(known.is_some()),
            line: 0,
            checkpoints,
            highest: 0,
            before: None,
            links: Links::default(),
            missing: BTreeMap::new(),
            decided: BTreeSet::new(),
        }
    }

    fn unreadable(&mut self) {
        let expected = self.before.as_ref().map(|(seq, _)| seq.saturating_add(1));
        self.report.find(self.line, expected, Fault::NoLine);
        // The number stands in it, so that it is not missing too.
        if let Some(expected) = expected {
            self.highest = self.highest.max(expected);
        }
        self.settle_link();
        self.before = None;
    }

    fn read(&mut self, text: String) {
        let Some(line) = Line::read(&text) else {
            return self.unreadable();
        };
        let seq = line.seq;
        self.report.count(&line);
        let node = match self.known {
            Some(known) => known.node.to_owned(),
            None => self.report.node.clone().unwrap_or_default(),
        };
        if line.node != node {
            self.report
                .find(self.line, Some(seq), Fault::OtherNode(line.node.clone()));
            return;
        }
        self.order(&line);
        self.link(&line);
        self.checkpoint(&line, &text);
        self.stored(&line, &text);
        self.decision(&line);
        self.highest = self.highest.max(seq);
        self.before = Some((seq, text));
    }

    /// Whether the number is the next one.
    fn order(&mut self, line: &Line) {
        let (seq, next) = (line.seq, self.highest.saturating_add(1));
        if self.highest == 0 && self.report.lines == 1 {
            if seq > 1 && !self.begins_behind_rotation(line) {
                self.missing.insert(1, (seq - 1, self.line));
            }
        } else if seq > next {
            self.missing.insert(next, (seq - 1, self.line));
        } else if seq < next {
            let fault = if self.take_missing(seq) {
                Fault::Moved
            } else {
                Fault::Repeated
            };
            self.report.find(self.line, Some(seq), fault);
        }
    }

    /// Takes a number out of those that are missing.
    fn take_missing(&mut self, seq: u64) -> bool {
        let Some((&first, &(last, line))) = self.missing.range(..=seq).next_back() else {
            return false;
        };
        if seq > last {
            return false;
        }
        self.missing.remove(&first);
        if first < seq {
            self.missing.insert(first, (seq - 1, line));
        }
        if seq < last {
            self.missing.insert(seq + 1, (last, line));
        }
        true
    }

    fn begins_behind_rotation(&self, line: &Line) -> bool {
        self.checkpoints
            .get(&(line.seq - 1))
            .into_iter()
            .flatten()
            .any(|checkpoint| {
                checkpoint.rotated
                    && checkpoint.node == line.node
                    && (self.known.is_none() || checkpoint.head == line.prev)
            })
    }

    /// Whether the line before is as this one says.
    fn link(&mut self, line: &Line) {
        let Some(known) = self.known else {
            return;
        };
        let link = match &self.before {
            Some((seq, text)) if seq.checked_add(1) == Some(line.seq) => {
                link(known.keys, text, &line.prev)
            }
            None if line.seq == 1 => link_to_origin(known.keys, known.node, &line.prev),
            // What stands before is missing or moved: said above.
            _ => return self.settle_link(),
        };
        match link {
            Link::Holds => self.settle_link(),
            Link::KeyUnknown => {
                let id = line.prev.split(':').next().unwrap_or_default();
                let fault = Fault::KeyUnknown(id.to_owned());
                self.report.find(self.line, Some(line.seq), fault);
            }
            Link::Broken => {
                let place = (self.line, line.seq);
                if let Some((line, seq)) = self.links.broken_at(place) {
                    self.report.find(line, Some(seq), Fault::Altered);
                }
            }
        }
    }

    /// A link that did not hold was not followed by another such one.
    fn settle_link(&mut self) {
        if let Some((line, seq)) = self.links.holds() {
            self.report.find(line, Some(seq), Fault::Altered);
        }
    }

    /// Whether checkpoints at this line agree with it.
    fn checkpoint(&mut self, line: &Line, text: &str) {
        let Some(known) = self.known else {
            return;
        };
        let here = self.checkpoints.get(&line.seq).into_iter().flatten();
        let disagrees = here
            .filter(|checkpoint| checkpoint.node == line.node)
            .any(|checkpoint| link(known.keys, text, &checkpoint.head) == Link::Broken);
        if disagrees {
            self.report.find(self.line, Some(line.seq), Fault::Altered);
        }
    }

    /// Whether the line is the one that the store knows by this number.
    fn stored(&mut self, line: &Line, text: &str) {
        let Some((keys, stored)) = self.stored_chain() else {
            return;
        };
        let kept = stored.pending.iter().find(|kept| kept.seq == line.seq);
        let is_head = stored.head.as_ref().filter(|head| head.seq == line.seq);
        let holds = match (kept, is_head) {
            (Some(kept), _) => kept.text == *text,
            (None, Some(head)) => link(keys, text, &head.hash) != Link::Broken,
            (None, None) => true,
        };
        if !holds {
            self.report.find(self.line, Some(line.seq), Fault::Altered);
        }
    }

    fn stored_chain(&self) -> Option<(&'k KeyRing, &'k StoredChain)> {
        let known = self.known?;
        Some((known.keys, known.stored?))
    }

    /// A call has one decision.
    fn decision(&mut self, line: &Line) {
        let Some(request) = &line.request else {
            return;
        };
        let digest = Sha256::digest(request.as_bytes());
        let Some(request) = digest.first_chunk::<16>() else {
            return;
        };
        let is_known = self.decided.contains(request);
        let fault = match line.kind {
            Kind::Decision if is_known => Fault::SecondDecision,
            Kind::Decision => {
                self.decided.insert(*request);
                return;
            }
            // The decision may stand in an earlier file.
            Kind::Outcome if !is_known && self.report.first == Some(1) => Fault::NoDecision,
            _ => return,
        };
        self.report.find(self.line, Some(line.seq), fault);
    }

    fn finish(mut self) -> Report {
        if let Some((line, seq)) = self.links.holds() {
            self.report.find(line, Some(seq), Fault::Altered);
        }
        for (first, (last, line)) in std::mem::take(&mut self.missing) {
            let fault = Fault::Missing { first, last };
            self.report.find(line, None, fault);
        }
        let last = self.highest;
        let rotated = self.checkpoints.get(&last).into_iter().flatten();
        let is_rotated = rotated.into_iter().any(|checkpoint| checkpoint.rotated);
        // What the chain had behind this file's end, as store and checkpoints say.
        let mut had = match self.checkpoints.last_key_value() {
            Some((seq, _)) if !is_rotated => *seq,
            _ => 0,
        };
        if let Some((_, stored)) = self.stored_chain() {
            let head = stored.head.as_ref().map_or(0, |head| head.seq);
            let dropped = stored
                .pending
                .first()
                .map_or(head, |first| first.seq.saturating_sub(1));
            self.report.tail = if is_rotated && dropped >= last {
                Tail::Rotated
            } else {
                had = had.max(dropped);
                Tail::Checked {
                    waiting: head.saturating_sub(last),
                }
            };
        }
        if had > last {
            self.report.find(self.line, None, Fault::Cut { had });
            if let Tail::Checked { waiting } = &mut self.report.tail {
                *waiting = 0;
            }
        }
        self.report.sort();
        self.report
    }
}
