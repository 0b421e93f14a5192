//! Signed checkpoints, in a file beside the log: where the chain stood at every thousandth line,
//! and where a file ended when it was moved away. They tie rotated files together, and show a cut
//! tail where there is no store to ask.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::keys::{KeyRing, Purpose};

/// How many lines lie between two.
pub(super) const EVERY: u64 = 1000;

/// Most bytes of a file of checkpoints that are read: some hundred million lines of log.
const MAX_BYTES: u64 = 64 << 20;

/// Where a chain stood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// `qls-checkpoint/1`.
    pub format: String,
    /// The node.
    pub node: String,
    /// The number of the line.
    pub seq: u64,
    /// When.
    pub time: String,
    /// The keyed hash of that line: what the next line's `prev` is.
    pub head: String,
    /// Whether the file ended with that line.
    pub rotated: bool,
    /// The keyed hash of the checkpoint with this one empty.
    pub signature: String,
}

impl Checkpoint {
    /// A signed checkpoint.
    pub(super) fn signed(
        keys: &KeyRing,
        node: &str,
        seq: u64,
        time: String,
        head: String,
        rotated: bool,
    ) -> io::Result<Self> {
        let mut checkpoint = Self {
            format: "qls-checkpoint/1".to_owned(),
            node: node.to_owned(),
            seq,
            time,
            head,
            rotated,
            signature: String::new(),
        };
        checkpoint.signature = keys.hmac(Purpose::Audit, checkpoint.unsigned()?.as_bytes());
        Ok(checkpoint)
    }

    /// Whether a key of the ring signed it.
    pub(super) fn is_signed(&self, keys: &KeyRing) -> bool {
        self.unsigned()
            .is_ok_and(|text| keys.verify(Purpose::Audit, text.as_bytes(), &self.signature))
    }

    /// What is signed. No line of a log begins so.
    fn unsigned(&self) -> io::Result<String> {
        let bare = Self {
            signature: String::new(),
            ..self.clone()
        };
        Ok(format!("checkpoint:{}", serde_json::to_string(&bare)?))
    }

    /// Where those of a log stand.
    pub(super) fn path_of(log: &Path) -> PathBuf {
        let mut path = log.as_os_str().to_owned();
        path.push(".checkpoints");
        PathBuf::from(path)
    }

    /// Appends one to a file, and waits for the disk.
    pub(super) fn append_to(&self, path: &Path) -> io::Result<()> {
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .append(true)
            .create(true)
            .mode(0o600)
            .open(path)?;
        let mut text = serde_json::to_string(self)?;
        text.push('\n');
        // One that a crash cut is ended, so that it does not take this one with it.
        if !ends_a_line(&mut file)? {
            text.insert(0, '\n');
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()
    }

    /// Reads a file of them; none where there is no file. What is none is left out.
    pub(super) fn read_all(path: &Path) -> io::Result<Vec<Self>> {
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            file => file?,
        };
        let mut bytes = Vec::new();
        file.take(MAX_BYTES).read_to_end(&mut bytes)?;
        let lines = bytes.split(|byte| *byte == b'\n');
        Ok(lines
            .filter_map(|line| serde_json::from_slice::<Self>(line).ok())
            .filter(|it| it.format == "qls-checkpoint/1")
            .collect())
    }
}

fn ends_a_line(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(io::SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}
