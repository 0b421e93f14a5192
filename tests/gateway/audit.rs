//! The audit log: what is written, mended and found.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stalwart::audit::{Entry, Kind, Known, Line, Log, LogError, Report, append, verify};
use stalwart::keys::{KeyRing, Secret};
use stalwart::store::{AuditLine, Durability, Sqlite, Store, StoredChain};
use stalwart::tool_check::Reason;
use tempfile::TempDir;

mod command;
mod lines;
mod mending;
mod tampering;
mod writing;

/// A folder with a store and a log.
pub struct Place {
    folder: TempDir,
    pub keys: Arc<KeyRing>,
    pub node: &'static str,
}

pub fn ring(keys: &[(&str, u8)]) -> Arc<KeyRing> {
    let keys = keys
        .iter()
        .map(|(id, byte)| ((*id).to_owned(), Secret::new([*byte; 32])));
    Arc::new(KeyRing::new(keys.collect()).unwrap())
}

impl Place {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            keys: ring(&[("k1", 1)]),
            node: "gateway-1",
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn log_path(&self) -> PathBuf {
        self.path("decisions.jsonl")
    }

    pub fn store(&self) -> Arc<dyn Store> {
        Arc::new(Sqlite::open(&self.path("gateway.db")).unwrap())
    }

    pub fn try_open(&self, store: &Arc<dyn Store>) -> Result<Log, LogError> {
        let keys = Arc::clone(&self.keys);
        Log::open(&self.log_path(), Arc::clone(store), keys, self.node, 1_000)
    }

    pub fn open(&self, store: &Arc<dyn Store>) -> Log {
        self.try_open(store).unwrap()
    }

    /// Commits a decision, but writes it into no file.
    pub fn commit(&self, store: &Arc<dyn Store>, number: u32) -> AuditLine {
        let mut line = None;
        store
            .transact(Durability::Relaxed, &mut |t| {
                let entry = decision(number);
                line = Some(append(t, &self.keys, self.node, i64::from(number), entry)?);
                Ok(())
            })
            .unwrap();
        line.unwrap()
    }

    /// A log of decisions, written and closed.
    pub fn filled(&self, count: u32) {
        let store = self.store();
        let log = self.open(&store);
        for number in 0..count {
            log.write(&[self.commit(&store, number)], false).unwrap();
        }
        log.settle().unwrap();
    }

    pub fn stored(&self) -> StoredChain {
        Sqlite::read_chain(&self.path("gateway.db"), self.node)
            .unwrap()
            .unwrap()
    }

    pub fn verify(&self) -> Report {
        self.verify_file(&self.log_path())
    }

    pub fn verify_file(&self, file: &Path) -> Report {
        let stored = self.stored();
        let log = self.log_path();
        let known = Known {
            keys: &self.keys,
            node: self.node,
            stored: Some(&stored),
            log: Some(&log),
        };
        verify(file, Some(known)).unwrap()
    }

    pub fn text(&self) -> String {
        std::fs::read_to_string(self.log_path()).unwrap()
    }

    pub fn rewrite(&self, text: impl AsRef<[u8]>) {
        std::fs::write(self.log_path(), text).unwrap();
    }
}

pub fn decision(number: u32) -> Entry {
    Entry {
        agent: Some("desk".to_owned()),
        run: Some("shared:desk".to_owned()),
        tool: Some("get_order".to_owned()),
        reason: Some(if number.is_multiple_of(3) {
            Reason::Order
        } else {
            Reason::Allow
        }),
        marks: [format!("mark{number}")].into(),
        request: Some(format!("{number:032x}")),
        ..Entry::of(Kind::Decision)
    }
}

pub fn seqs(text: &str) -> Vec<u64> {
    text.lines()
        .map(|line| Line::read(line).unwrap().seq)
        .collect()
}
